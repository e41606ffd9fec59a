"""The turning point of a match at its end: looked for in the background, told only where it is sure, not waited for."""

import functools
import random
import re
import threading
from dataclasses import replace
from typing import Any

import pytest

import hexdeck
from hexdeck.bots.advice import analysis
from hexdeck.engine.text import say
from hexdeck.tables import advice as analysing
from hexdeck.web.routes import advice
from tests.support import play_out, until
from tests.web.serving import Limits, Person, Served, file_in, served
from tests.web.test_analyses import _quick, backend, over, shown  # noqa: F401 - two are fixtures


def judged(monkeypatch: pytest.MonkeyPatch, margin: float) -> None:
    """All decisions cost 5, and the second 7; with so wide an interval."""
    honest, seen = analysis.decision, list[int]()

    def decision(*each: Any) -> analysis.Decision:
        found = honest(*each)
        seen.append(found.ply)
        return replace(found, same=False, cost=7.0 if len(seen) == 2 else 5.0, margin=margin)

    monkeypatch.setattr(analysis, "decision", decision)


def found(person: Person) -> str:
    asked = functools.partial(person.get, f"/table/{person.table}/turning")
    return str(until(lambda: (said := asked().json())["done"] and [said["turning"]])[0])


@pytest.mark.parametrize(("margin", "told"), [(1.0, True), (9.0, False)])
def test_a_turning_point_is_told_only_where_its_interval_excludes_zero(site, monkeypatch, margin, told) -> None:
    judged(monkeypatch, margin)
    ann = over(site)
    part = found(ann)
    assert bool(part) == told
    assert (f'href="/replay/{ann.table}?seat=' in part) == told
    page = ann.page()
    assert ("The turning point" in page) == told and (part.strip() in page)
    if told:
        seat, ply = re.findall(r"seat=(\d)&amp;ply=(\d+)", part)[0]
        assert ply == re.findall(r'data-label="ply"><a [^>]*>(\d+)<', shown(ann, f"?seat={seat}"))[1]


def test_who_lost_reads_of_an_own_decision_and_who_won_of_another(site, monkeypatch) -> None:
    judged(monkeypatch, 1.0)
    ann = over(site)
    table = site.state.registry.tables[ann.table]
    returns = table.match.returns()
    won = returns[0] == max(returns) > min(returns)
    assert ("seat=0" in found(ann)) != won and ("You chose" in found(ann)) != won


def test_the_deal_of_a_turning_point_is_told_where_there_are_several() -> None:
    for deals in (1, 3):
        match, dice = hexdeck.game("hawthorn", 2, deals=deals).match(3, backend="interpreted"), random.Random(3)
        play_out(match, dice)
        ply = match.length - 1
        sure = analysis.Decision(ply, say("?"), say("a"), say("b"), None, False, 1.0, 0.0, 1.0, 0.5)
        assert analysing.deal_of_turning_point(match, [sure]) == (deals if deals > 1 else 0)
        assert analysing.deal_of_turning_point(match, [replace(sure, margin=2.0)]) == 0


def test_a_page_never_waits_for_it(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, may, honest = over(site), threading.Event(), analysis.decision
    monkeypatch.setattr(analysis, "decision", lambda *each: may.wait() and honest(*each))
    assert ann.get(f"/table/{ann.table}/turning").json() == {"done": False, "turning": ""}
    assert 'id="result"' in ann.page()
    may.set()
    found(ann)


def test_nobody_looks_for_it_where_many_wait_or_ask(site: Served, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "decision", lambda *_each: pytest.fail("it was looked for"))
    none = {"done": True, "turning": ""}
    with served(file_in(tmp_path), Limits(hints=(0.001, 0))) as other:
        ann = over(other)
        assert ann.get(f"/table/{ann.table}/turning").json() == none
    monkeypatch.setattr(advice, "MOST_TURNING", 0)
    bea = over(site)
    assert bea.get(f"/table/{bea.table}/turning").json() == none
    table = site.state.registry.tables[bea.table]
    assert not any(site.state.analyses.is_known(table, seat) for seat in range(table.game.players))


def test_nobody_asks_before_the_end(site: Served) -> None:
    ann, eve = Person(site.base), Person(site.base)
    ann.begins({"game": "wolf-mans-curse"}, "/play")
    ann.plays(random.Random(1))
    assert [who.get(f"/table/{ann.table}/turning").status_code for who in (ann, eve)] == [409, 409]


def test_who_watches_reads_of_the_best_who_did_not_win_unless_only_players_may_look(site, monkeypatch) -> None:
    judged(monkeypatch, 1.0)
    ann, eve = over(site), Person(site.base)
    eve.table = ann.table
    returns = site.state.registry.tables[ann.table].match.returns()
    best = min(range(len(returns)), key=lambda seat: (returns[seat] == max(returns), -returns[seat]))
    part = found(eve)
    assert f"?seat={best}&" in part and "You chose" not in part and part.strip() in eve.page()
    bea = over(site, watch="no")
    assert eve.get(f"/table/{bea.table}/turning").status_code == 403
