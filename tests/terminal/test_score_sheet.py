"""The score sheet at the terminal."""

import random
from collections.abc import Sequence

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import score_sheet
from hexdeck.terminal.display import sheet_lines
from tests.people import play, table
from tests.support import play_out, random_step


def after(ended: int, deals: int = 5) -> Match:
    match = hexdeck.game("hawthorn", 3, deals=deals).match(seed=3, backend="fast", names=("Ann", "Bo", "Cy"))
    dice = random.Random(1)
    while not match.over and (int(match.struct.deal) <= ended or 0 not in match.acting):
        random_step(match, dice)
    return match


def shown(match: Match, typed: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    at = table(match.game, ["Ann"])
    at.session.match = match
    play(at, typed, monkeypatch)
    return [at.screen(k + 1).partition("\n")[2] for k in range(len(typed))]


def test_s_shows_a_line_for_each_deal_and_the_totals_below(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, again = shown(after(2), ["s", "score"], monkeypatch)
    title, names, *rows, total = sheet.strip().splitlines()
    assert sheet == again and title == "Chips" and names.split()[:2] == ["Deal", "Ann"]
    assert [row.split()[0] for row in rows] == ["1", "2"] and len({len(row) for row in (names, *rows, total)}) == 1
    assert sum(map(int, total.split()[1:])) == 300
    for seat in range(1, 4):
        assert 100 + sum(int(row.split()[seat]) for row in rows) == int(total.split()[seat])
    assert "The score sheet is empty" in shown(after(0), ["s"], monkeypatch)[0]


def test_teams_have_a_column_each() -> None:
    game = hexdeck.game("high-handed", 4, teams=2)
    at = table(game, ["Ann", "Bo", "Cy", "Di"])
    match, dice = game.match(seed=1, backend="fast", names=("Ann", "Bo", "Cy", "Di")), random.Random(2)
    play_out(match, dice)
    at.session.match = match
    assert sheet_lines(at.session, score_sheet(match))[1].split() == ["Game", "Ann", "&", "Cy", "Bo", "&", "Di"]
