"""The questions after a match: asked of people when it is over, never twice kept, off where the host says so."""

import asyncio

from hexdeck.tables.archive import Archive
from hexdeck.tables.feedback import LONGEST, feedback_of
from tests.support import PATIENCE, for_each
from tests.web.serving import Person, Served, file_in, served
from tests.web.test_analyses import backend, over  # noqa: F401 - one is a fixture

ASKED = "What did you think?"


def kept(site: Served, table: str) -> list[tuple[object, ...]]:
    registry = site.state.registry
    found = asyncio.run_coroutine_threadsafe(registry.run_job(feedback_of, table), registry.loop).result(PATIENCE)
    return [(each.seat, each.fun, each.length, each.fair, each.confused, each.words) for each in found]


def test_answers_are_kept_once_shown_again_and_taken_back(site: Served) -> None:
    ann = over(site)
    assert f'href="/table/{ann.table}/feedback"' in ann.page()
    assert ASKED in ann.get(f"/table/{ann.table}/feedback").text
    ann.post(f"/table/{ann.table}/feedback", {"fun": "5", "length": "1", "confused": " the  ace ", "words": "<b>again"})
    assert kept(site, ann.table) == [(0, 5, 1, None, "the ace", "<b>again")]
    again = ann.get(f"/table/{ann.table}/feedback").text
    assert 'name="fun" value="5" checked' in again and 'value="the ace"' in again and "&lt;b&gt;again" in again
    ann.post(f"/table/{ann.table}/feedback", {"fair": "2"})
    assert kept(site, ann.table) == [(0, None, None, 2, "", "")]
    ann.post(f"/table/{ann.table}/feedback", {})
    assert kept(site, ann.table) == []


@for_each("wrong", [{"fun": "6"}, {"fun": "x"}, {"length": "2"}, {"words": "a" * (LONGEST + 1)}])
def test_what_is_no_answer_is_refused_and_changes_nothing(site: Served, wrong: dict[str, str]) -> None:
    ann = over(site)
    ann.post(f"/table/{ann.table}/feedback", {"fun": "3"})
    assert ann.post(f"/table/{ann.table}/feedback", wrong).status_code == 400
    assert kept(site, ann.table) == [(0, 3, None, None, "", "")]


def test_nobody_is_asked_before_the_end_nor_whoever_only_watches_nor_where_the_host_said_no(site: Served) -> None:
    ann, eve = Person(site.base), Person(site.base)
    ann.begins({"game": "hawthorn", "players": "2", "name": "Ann", "seat-1": "open"})
    assert ann.get(f"/table/{ann.table}/feedback").status_code == 403
    done = over(site)
    assert eve.get(f"/table/{done.table}/feedback").status_code == 403
    assert "feedback" not in eve.get(f"/table/{done.table}").text
    quiet = over(site, feedback="no")
    assert "feedback" not in quiet.page()
    assert quiet.post(f"/table/{quiet.table}/feedback", {"fun": "3"}).status_code == 403


def test_leaving_for_good_takes_the_answers_along(site: Served) -> None:
    ann = over(site)
    ann.post(f"/table/{ann.table}/feedback", {"fun": "4"})
    ann.post(f"/table/{ann.table}/leave")
    assert kept(site, ann.table) == []


def test_a_report_on_the_database_reads_them(tmp_path) -> None:
    url = file_in(tmp_path)
    with served(url) as site:
        ann = over(site)
        ann.post(f"/table/{ann.table}/feedback", {"fun": "4", "words": "once more"})
        game = site.state.registry.tables[ann.table].game.name
    archive = Archive(url)
    (match,) = archive.matches(game)
    archive.close()
    assert [(each.fun, each.words) for each in match.said] == [(4, "once more")]
