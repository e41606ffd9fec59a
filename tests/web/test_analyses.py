"""The analysis of a match at a table: after its end, from what each seat knew, in the background, and only once."""

import asyncio
import functools
import html
import random
import re
import threading

import pytest
from sqlalchemy import select, update

from hexdeck.bots.advice import analysis, hints
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.errors import HexdeckError
from hexdeck.tables import advice as analysing
from hexdeck.tables.database import analyses
from hexdeck.tables.rows import delete_tables
from tests.settings import data, every_game, much
from tests.support import PATIENCE, until
from tests.web.serving import Limits, Person, Program, Served, file_in, served


@pytest.fixture(scope="module")
def backend() -> str:
    """Rules that need no machine code: what is asked is when there are hints, not how good they are."""
    return "interpreted"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (hints, analysis):
        monkeypatch.setattr(module, "GAMES", {"interpreted": 3})
        monkeypatch.setattr(module, "Worlds", functools.partial(Worlds, count=4))


def field(value: object) -> str:
    return "-".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def over(site: Served, name: str = "hawthorn", lang: str = "en", **fields: str) -> Person:
    ann, rng = Person(site.base, lang), random.Random(name)
    small = {f"option-{option}": field(value) for option, value in data(name).get("small", {}).items()}
    players = str(data(name)["players"][0])
    seats = {f"seat-{k}": "bot:random" for k in range(1, int(players))}
    ann.begins({"game": name, "players": players, "name": "Ann", **seats, **small, **fields})
    until(lambda: ann.plays(rng))
    return ann


def shown(person: Person, seat: str = "") -> str:
    path = f"/table/{person.table}/analysis{seat}"
    return str(until(lambda: 'data-done="1"' in (page := person.get(path).text) and page, pause=0.05))


def test_an_analysis_rests_while_nobody_looks_and_has_a_bound(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = over(site)
    monkeypatch.setattr(analysing, "PATIENCE", -1.0)  # whoever asks is gone again at once
    ann.get(f"/table/{ann.table}/analysis?seat=0")
    analysis = site.state.analyses._kept[ann.table, 0]
    until(lambda: not analysis.running)
    assert analysis.total == -1 and not analysis.done
    monkeypatch.setattr(analysing, "PATIENCE", 60.0)
    assert shown(ann, "?seat=0") and analysis.done and analysis.decisions
    monkeypatch.setattr(analysing, "LONGEST_ANALYSIS", -1.0)
    ann.get(f"/table/{ann.table}/analysis?seat=1")
    endless = site.state.analyses._kept[ann.table, 1]
    until(lambda: not endless.running)
    assert endless.failed and not endless.decisions


def test_analyses_by_other_rules_are_forgotten(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "default_backend", lambda: "interpreted")  # so that they are stored
    ann, ben = over(site), over(site, "high-handed")
    assert shown(ann) and shown(ben)
    made, registry = site.state.analyses, site.state.registry
    asyncio.run_coroutine_threadsafe(made.forget("hawthorn"), registry.loop).result(PATIENCE)
    stored = set(registry.store.submit(lambda c: c.execute(select(analyses.c.table)).scalars().all()).result())
    assert {(person.table in {id for id, _ in made._kept}, person.table in stored) for person in (ann, ben)} == {
        (False, False),
        (True, True),
    }
    assert shown(ann)


@every_game
def test_every_seat_is_analysed_and_costly_moves_lead_to_their_moment(name, site, monkeypatch) -> None:
    share, whole = slice(0, None, much(8, 1)), analysis.decision_plies
    monkeypatch.setattr(analysing, "decision_plies", lambda match, seat: whole(match, seat)[share])
    ann = over(site, name)
    page = shown(ann)
    links = re.findall(rf'href="(/replay/{ann.table}\?seat=0&amp;ply=(\d+))"', page)
    plies = {int(ply) for _, ply in links}
    assert len(plies) == page.count('data-label="ply"') and "the moves of Ann, judged by what" in page
    assert page.count("<polyline") == page.count('<svg role="img"') == bool(plies)  # all may be over before her turn
    for link, ply in links[:3]:
        assert f'data-ply="{ply}"' in ann.get(html.unescape(link)).text
    assert "the moves of" in shown(ann, "?seat=1")


def test_nothing_is_analysed_or_looked_back_on_before_the_end(site: Served) -> None:
    ann = Person(site.base).begins({"game": "wolf-mans-curse"}, "/play")
    answer = ann.get(f"/table/{ann.table}/analysis")
    assert answer.status_code == 409 and "once it is over" in answer.text
    assert "/analysis" not in ann.page()
    program = Program(site.base, ann.token)
    program.table = ann.table
    assert ann.get(f"/table/{ann.table}/record").status_code == program.get("/record").status_code == 409
    for eyes in ("", "?seat=1", "?ply=3"):  # with open cards, as another, at another moment
        assert ann.get(f"/replay/{ann.table}{eyes}").status_code == 404


def test_whoever_may_look_back_may_see_it_and_nobody_else(site: Served) -> None:
    for watch, status in (("yes", 200), ("no", 403)):
        ann = over(site, watch=watch)
        assert Person(site.base).get(f"/table/{ann.table}/analysis").status_code == status


def test_a_page_tells_how_far_it_is_and_the_server_goes_on(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, may, honest = over(site), threading.Event(), analysis.decision
    monkeypatch.setattr(analysis, "decision", lambda *each: may.wait() and honest(*each))
    page = until(lambda: "0 of " in (text := ann.get(f"/table/{ann.table}/analysis").text) and text)
    assert 'data-done="0"' in page and "<progress" in page and ann.get("/healthz").status_code == 200
    may.set()
    assert "<polyline" in shown(ann)


def test_it_is_worked_out_once(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, asked, honest = over(site), list[object](), analysis.decision
    monkeypatch.setattr(analysis, "decision", lambda *each: asked.append(each) or honest(*each))
    assert shown(ann) == shown(ann)
    assert len(asked) == shown(ann).count('data-label="ply"') > 0


def test_it_is_kept_with_the_table_for_a_server_that_is_started_again(tmp_path, monkeypatch) -> None:
    with served(file_in(tmp_path)) as site:
        ann = over(site)
        first = shown(ann, "?seat=1")
        table, cookies = ann.table, ann.http.cookies
    monkeypatch.setattr(analysis, "decision", lambda *_each: pytest.fail("it was worked out already"))
    with served(file_in(tmp_path)) as site:
        again = Person(site.base)
        again.http.cookies, again.table = cookies, table
        assert shown(again, "?seat=1") == first
        site.state.registry.store.submit(lambda c: delete_tables(c, [table])).result()
        assert site.state.registry.store.submit(lambda c: c.execute(select(analyses)).all()).result() == []


def test_what_another_hexdeck_kept_otherwise_is_worked_out_anew(tmp_path) -> None:
    with served(file_in(tmp_path)) as site:
        ann = over(site)
        first = shown(ann)
        table, cookies = ann.table, ann.http.cookies
        site.state.registry.store.submit(
            lambda c: c.execute(update(analyses).values(data='{"decisions": [{"x": 1}]}'))
        ).result()
    with served(file_in(tmp_path)) as site:
        again = Person(site.base)
        again.http.cookies, again.table = cookies, table
        assert shown(again).count('data-label="ply"') == first.count('data-label="ply"') > 0


def test_programs_are_told_the_same(site: Served) -> None:
    ann, one = over(site, watch="no"), Program(site.base)
    one.table = ann.table
    assert one.get("/analysis").status_code == 403
    one.becomes(ann.token)
    done = until(lambda: (found := one.get("/analysis?seat=0").json())["done"] and found)
    assert done["total"] == len(done["decisions"]) == shown(ann).count('data-label="ply"') and not done["failed"]
    assert {each["verdict"] for each in done["decisions"]} <= {"same", "close", "costly", "better"} and done["summary"]


def test_a_match_that_cannot_be_analysed_says_so(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = over(site)

    def broken(*_each: object) -> None:
        raise HexdeckError(hints.say("No."))

    monkeypatch.setattr(analysis, "decision", broken)
    assert "can&#39;t be analysed" in shown(ann) or "can't be analysed" in shown(ann)


def test_analyses_are_not_begun_without_end(tmp_path) -> None:
    with served(file_in(tmp_path), Limits(hints=(0.001, 1))) as site:
        ann = over(site)
        assert ann.get(f"/table/{ann.table}/analysis").status_code == 200
        assert ann.get(f"/table/{ann.table}/analysis?seat=1").status_code == 429
        assert ann.get(f"/table/{ann.table}/analysis").status_code == 200  # what is there already is shown


def test_it_speaks_dutch(site: Served) -> None:
    page = shown(over(site, "cursed-hand", "nl"))
    assert "Verwacht" in page and "Alle beslissingen" in page and "Expected" not in page
