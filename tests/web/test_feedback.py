"""The questions after a match: asked of people when it is over, where the host wants that; kept beside its moves."""

import asyncio
import random
import re
from functools import partial

from hexdeck.tables.archive import Archive
from hexdeck.tables.feedback import LONGEST, feedback_of
from tests.support import PATIENCE, for_each, until
from tests.web.serving import Person, Served, file_in, served
from tests.web.test_analyses import backend, over  # noqa: F401 - one is a fixture

ASKED = "What did you think?"
asking = partial(over, feedback="yes")


def kept(site: Served, table: str) -> list[tuple[object, ...]]:
    registry = site.state.registry
    found = asyncio.run_coroutine_threadsafe(registry.run_job(feedback_of, table), registry.loop).result(PATIENCE)
    return [(each.seat, each.again, each.best, each.drag, each.lookup, each.confused, each.words) for each in found]


def plies(ann: Person, name: str = "best") -> list[int]:
    form = ann.get(f"/table/{ann.table}/feedback").text
    select = re.search(rf'<select id="{name}".*?</select>', form, re.DOTALL)
    assert select
    return [int(value) for value in re.findall(r'<option value="(\d+)"', select[0])]


def test_answers_are_kept_once_beside_their_moves_shown_again_and_taken_back(site: Served) -> None:
    ann = asking(site)
    assert f'href="/table/{ann.table}/feedback"' in ann.page()
    assert ASKED in ann.get(f"/table/{ann.table}/feedback").text
    first, *_, last = plies(ann)
    match = site.state.registry.tables[ann.table].match
    assert all(match.event(ply).seat >= 0 for ply in plies(ann))
    said = {"again": "-1", "best": str(last), "drag": str(first), "confused": " the  ace ", "words": "<b>again"}
    sent = ann.post(f"/table/{ann.table}/feedback", said)
    assert sent.status_code == 303 and "Thank you: your answers are kept." in ann.get(sent.headers["location"]).text
    assert kept(site, ann.table) == [(0, -1, last, first, None, "the ace", "<b>again")]
    again = ann.get(f"/table/{ann.table}/feedback").text
    assert 'name="again" value="-1" checked' in again and 'value="the ace"' in again and "&lt;b&gt;again" in again
    assert again.count(f'<option value="{last}" selected') == again.count(f'<option value="{first}" selected') == 1
    ann.post(f"/table/{ann.table}/feedback", {"lookup": str(first)})
    assert kept(site, ann.table) == [(0, None, None, None, first, "", "")]
    emptied = ann.post(f"/table/{ann.table}/feedback", {})
    assert "No answers of yours are kept." in ann.get(emptied.headers["location"]).text
    assert kept(site, ann.table) == []


@for_each(
    "wrong",
    [{"again": "2"}, {"again": "x"}, {"best": "0"}, {"drag": "999"}, {"lookup": "-1"}, {"words": "a" * (LONGEST + 1)}],
)
def test_what_is_no_answer_is_refused_and_changes_nothing(site: Served, wrong: dict[str, str]) -> None:
    ann = asking(site)
    ann.post(f"/table/{ann.table}/feedback", {"again": "1"})
    assert ann.post(f"/table/{ann.table}/feedback", wrong).status_code == 400
    assert kept(site, ann.table) == [(0, 1, None, None, None, "", "")]


def test_nobody_is_asked_before_the_end_nor_whoever_only_watches_nor_unless_the_host_wants_it(site: Served) -> None:
    ann, eve = Person(site.base), Person(site.base)
    ann.begins({"game": "hawthorn", "players": "2", "name": "Ann", "seat-1": "open", "feedback": "yes"})
    assert ann.get(f"/table/{ann.table}/feedback").status_code == 403
    done = asking(site)
    assert eve.get(f"/table/{done.table}/feedback").status_code == 403
    assert "feedback" not in eve.get(f"/table/{done.table}").text
    quiet = over(site)
    assert "feedback" not in quiet.page()
    assert quiet.post(f"/table/{quiet.table}/feedback", {"again": "1"}).status_code == 403


def test_the_host_alone_reads_what_others_said(site: Served) -> None:
    ann, ben, rng = Person(site.base), Person(site.base), random.Random(1)
    ann.begins({"game": "blackstone", "players": "2", "name": "Ann", "seat-1": "open", "feedback": "yes"})
    ben.joins(ann, {"name": "Benedict"})
    until(lambda: all([ann.plays(rng), ben.plays(rng)]))
    for person, words in ((ann, "host's own"), (ben, "guest's own")):
        best = str(plies(person)[-1])
        person.post(f"/table/{ann.table}/feedback", {"again": "0", "best": best, "words": words})
    host, guest = (person.get(f"/table/{ann.table}/feedback").text for person in (ann, ben))
    others = host.partition('id="others"')[2].partition("</section>")[0]
    assert "guest&#39;s own" in others and f"/replay/{ann.table}?ply={best}" in others
    assert "host&#39;s own" not in others and "host&#39;s own" not in guest and 'id="others"' not in guest


def test_leaving_for_good_takes_the_answers_along(site: Served) -> None:
    ann = asking(site)
    ann.post(f"/table/{ann.table}/feedback", {"again": "1"})
    ann.post(f"/table/{ann.table}/leave")
    assert kept(site, ann.table) == []


def test_a_report_on_the_database_reads_them(tmp_path) -> None:
    url = file_in(tmp_path)
    with served(url) as site:
        ann = asking(site)
        ann.post(f"/table/{ann.table}/feedback", {"again": "1", "words": "once more"})
        game = site.state.registry.tables[ann.table].game.name
    archive = Archive(url)
    (match,) = archive.matches(game)
    archive.close()
    assert [(each.again, each.words) for each in match.said] == [(1, "once more")]
