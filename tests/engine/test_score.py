"""Score sheets: what the deals bring adds up to what the match ends with, for every game."""

import random
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import deal_ends, outcome, places, score_sheet, winners
from tests.settings import GAMES, every_game, much, random_game
from tests.support import play_out

LONG = {
    "cursed-hand": {"losses": 3},
    "hawthorn": {"deals": 5},
    "blackstone": {"rounds": 5},
    "high-handed": {"length": "first_to_two"},
}


def played(name: str, seed: int, players: int = 0, **options: object) -> Match:
    match = hexdeck.game(name, players or None, **options).match(seed=seed, backend="interpreted")
    dice = random.Random(seed)
    play_out(match, dice)
    return match


@every_game
def test_every_deal_has_a_row_and_all_rows_add_up(name: str) -> None:
    for seed in range(2):
        match = played(name, seed, **LONG.get(name, {}))
        sheet, ply = score_sheet(match), match.ply
        assert match.ply == ply and [row.number for row in sheet.rows] == list(range(1, int(match.struct.deal) + 1))
        for tally, start in enumerate(sheet.start):
            for seat in range(match.game.players):
                gained = sum(row.gains[tally][seat] for row in sheet.rows)
                assert start[seat] + gained == sheet.totals[tally][seat]


@pytest.mark.parametrize("name", ["hawthorn", "black-hearts"])
def test_the_last_totals_are_what_the_game_ends_with(name: str) -> None:
    match = played(name, 5, **LONG.get(name, {}))
    shown = {"hawthorn": "chips", "black-hearts": "total"}[name]
    counts = [zone.count for zone in match.view(-1).zones if zone.id.startswith(f"{shown}-")]
    assert list(score_sheet(match).totals[0]) == counts


def test_a_sheet_in_the_middle_has_the_rows_of_the_whole_one_as_far_as_they_go() -> None:
    match = played("hawthorn", 1, **LONG["hawthorn"])
    whole, part = score_sheet(match), None
    for ply in range(0, match.length, much(17, 7)):
        match.go(ply)
        part = score_sheet(match, part)  # it goes on from the one before
        assert part == score_sheet(match)
        assert part.rows == whole.rows[: len(part.rows)] and len(part.rows) == int(match.struct.deal) - 1


@pytest.mark.parametrize(("players", "teams"), [(3, 0), (4, 2)])
def test_where_games_are_won_the_sheet_tells_the_points_of_each_too(players: int, teams: int) -> None:
    for seed in range(much(1, 3)):
        match = played("high-handed", seed, players, teams=teams, length="first_to_two")
        sheet, ply = score_sheet(match), match.ply
        assert [id for id, _ in sheet.titles] == ["won", "score"] and match.ply == ply
        totals = dict.fromkeys(range(players), 0)
        for row, end in zip(sheet.rows, deal_ends(match), strict=True):
            won, points = row.gains
            assert won == tuple(int(each == max(points)) for each in points)
            match.go(end - 1)
            shown = {zone.id: zone.count for zone in match.view(-1).zones}
            mates = [
                [p for p in range(players) if p == seat or (teams and p % teams == seat % teams)] for seat in totals
            ]
            before = [sum(shown[f"score-{p}"] for p in each) for each in mates]
            assert all(a >= b for a, b in zip(points, before, strict=True)) and sum(points) - sum(before) < 60
            totals = {seat: totals[seat] + points[seat] for seat in totals}
        match.go(match.length)
        assert list(totals.values()) == list(sheet.totals[1])
        assert [zone.count for zone in match.view(-1).zones if zone.id.startswith("won-")] == list(sheet.totals[0])


def test_teams_are_counted_together() -> None:
    sheet = score_sheet(played("high-handed", 2, 4, teams=2))
    assert sheet.teams == (0, 1, 0, 1)
    for row in sheet.rows:
        assert row.totals[0][:2] == row.totals[0][2:]
    assert score_sheet(played("high-handed", 2, 2)).teams == ()


@every_game
def test_the_sheet_is_made_from_what_the_public_knows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(name, 3, random_game(name, random.Random(2)).players)
    match.go(match.length // 2)
    asked: list[object] = []
    honest = match.game.table.tallies
    monkeypatch.setattr(match.game.table, "tallies", lambda s: asked.append(s) or honest(s))
    sheet = score_sheet(match)
    assert asked and sheet.titles


@pytest.mark.parametrize(
    ("name", "options", "alone", "nobody"),
    [
        ("wolf-mans-curse", {"players": 3}, range(6, 8), 8),
        ("cursed-hand", {"players": 2, "deck": (2, 2, 1), "hand_cards": 1}, range(1), 1),
    ],
)
def test_a_match_can_have_no_winner(name: str, options: dict[str, Any], alone: range, nobody: int) -> None:
    for seed in alone:
        match = played(name, seed, **options)
        assert winners(match) == tuple(each == max(match.returns()) for each in match.returns())
    assert winners(match := played(name, nobody, **options)) == (False,) * match.game.players


@pytest.mark.parametrize("name", [name for name in GAMES if name not in {"cursed-hand", "wolf-mans-curse"}])
def test_by_what_a_match_was_won_is_how_far_the_winner_is_ahead(name: str) -> None:
    found = 0
    for seed in range(much(2, 4)):
        match = played(name, seed, **LONG.get(name, {}))
        lead = outcome(match).won_by
        if lead is None or sum(winners(match)) != 1:
            continue
        totals, winner = score_sheet(match).totals[0], winners(match).index(True)
        behind = [abs(totals[winner] - total) for total in totals]
        assert lead.args["n"] == sorted(behind)[1] > 0
        assert places(match) == tuple(1 + sum(other < own for other in behind) for own in behind)
        found += 1
    assert found
