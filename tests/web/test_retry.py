"""Choosing again where a choice cost something: the position as it was known, a verdict, what is solved counts."""

import asyncio
import html
import re

import pytest

from hexdeck.tables import advice
from hexdeck.tables.advice import MOST_RETRIES, Retry, attempts_of
from tests.support import PATIENCE
from tests.web.serving import Person, Served
from tests.web.test_analyses import _quick, backend, over, shown  # noqa: F401 - two are fixtures
from tests.web.test_turning import judged

DEAREST = '<ol class="dearest">'


def kept(site: Served, table: str) -> dict[int, bool]:
    registry = site.state.registry
    return asyncio.run_coroutine_threadsafe(registry.run_job(attempts_of, table, 0), registry.loop).result(PATIENCE)


def moves(page: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(r'name="move" value="([^"]+)"', page)]


def test_a_costly_choice_can_be_made_again_and_counts_once_solved(site, monkeypatch) -> None:
    judged(monkeypatch, 1.0)
    ann = over(site)
    first = ann.get(f"/table/{ann.table}/again")
    assert "/analysis" in first.headers["location"]  # which isn't made yet
    assert f'href="/table/{ann.table}/again?number=1"' in shown(ann)
    page = ann.get(f"/table/{ann.table}/again").text
    offered = moves(page)
    assert "You chose" in page and len(offered) > 1
    verdicts = iter([Retry(advice.say("that"), False, 9.0, 1.0), Retry(advice.say("this"), True, 0.0, 0.0)])
    monkeypatch.setattr("hexdeck.tables.advice.retry_result", lambda *_each: next(verdicts))
    move = offered[0]
    assert "Not yet" in ann.post(f"/table/{ann.table}/again", {"number": "1", "move": move}).text
    assert [*kept(site, ann.table).values()] == [False]
    assert "Found it" in ann.post(f"/table/{ann.table}/again", {"number": "1", "move": move}).text
    assert [*kept(site, ann.table).values()] == [True]
    total = len(set(re.findall(r"again\?number=(\d)", ann.get(f"/table/{ann.table}/again").text)))
    assert total <= MOST_RETRIES and f"1 of {total} solved" in ann.get(f"/table/{ann.table}/again").text


def test_the_page_shows_ones_own_hand_as_at_the_table_and_the_analysis_keeps_back_what_was_better(site, monkeypatch):
    judged(monkeypatch, 1.0)
    ann, eve = over(site), Person(site.base)
    told = shown(ann)
    for moment in re.findall(
        r"<li>.*?</li>", told.partition('<ol class="dearest">')[2].partition("</ol>")[0], re.DOTALL
    ):
        seen, folded, _ = moment.partition('<details class="better">')
        assert folded and "Better:" not in seen and "/again?number=" in seen
    assert '<details class="better">' not in eve.get(f"/table/{ann.table}/analysis?seat=0").text
    page = ann.get(f"/table/{ann.table}/again").text
    assert 'class="zone fan hand"' in page and 'id="plate-0"' in page.partition('id="mine"')[2]
    assert "What happened last" in page and "<select" not in page


def test_the_move_is_judged_by_what_was_known_and_a_wrong_one_is_refused(site, monkeypatch) -> None:
    judged(monkeypatch, 1.0)
    ann = over(site)
    shown(ann)
    offered = moves(ann.get(f"/table/{ann.table}/again").text)
    told = ann.post(f"/table/{ann.table}/again", {"number": "1", "move": offered[0]}).text
    assert any(word in told for word in ("Found it", "Good:", "Not yet"))
    for number, move in (("1", "0"), ("99", offered[0]), ("1", "x"), ("", ""), ("1", "")):
        answer = ann.post(f"/table/{ann.table}/again", {"number": number, "move": move})
        assert answer.status_code == 400, (number, move)
    assert len(kept(site, ann.table)) == 1


def test_only_who_played_can(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, 1.0)
    ann, eve = over(site), Person(site.base)
    shown(ann)
    assert eve.get(f"/table/{ann.table}/again").status_code == 403
    assert "/again" not in eve.get(f"/table/{ann.table}/analysis?seat=0").text
