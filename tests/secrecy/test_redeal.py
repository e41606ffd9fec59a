"""No seat receives a byte that depends on what it doesn't know: views, moves, observations, keys, the bot's choices."""

import random

import pytest

from hexdeck.engine.play.match import Match
from tests.compiled import warm
from tests.positions import whole
from tests.settings import data, every_game, much, random_game, soonest

from .channels import Report, deal_anew, positions

GAMES = much(40, 100)  # random games with random options
SHARE = 0.06  # of their positions


def redealt_everywhere(name: str, games: int, seed: int = 0) -> Report:
    warm(name, "fast")
    rng, report = random.Random(seed), Report()
    for _ in range(games):
        for match in positions(random_game(name, rng), "fast", rng, SHARE):
            deal_anew(match, report, rng, 3)
    return report


def assert_silent(name: str, report: Report) -> None:
    assert report.changed >= data(name)["changed_worlds"] * report.worlds, f"too few worlds have changed: {report}"
    assert not report.leaks, str(report)


@every_game
def test_no_channel_tells_worlds_apart(name: str) -> None:
    assert_silent(name, redealt_everywhere(name, GAMES))


@pytest.mark.long
@every_game
def test_no_channel_tells_worlds_apart_in_many_games(name: str) -> None:
    assert_silent(name, redealt_everywhere(name, 8 * GAMES, seed=1))


@soonest("cursed-hand")
def test_it_fails_when_redeal_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "resample", lambda match, seat, rng: match.copy_position())
    report = redealt_everywhere(name, 4)
    assert report.worlds > 0 == report.changed
    with pytest.raises(AssertionError, match="too few worlds"):
        assert_silent(name, report)


@every_game
def test_redeal_depends_on_what_the_seat_knows_and_on_nothing_else(name: str) -> None:
    warm(name, "fast")
    rng = random.Random(2)
    for _ in range(15):
        for match in positions(random_game(name, rng), "fast", rng, 0.1):
            for seat in range(-1, match.game.players):
                known = match.copy_position()
                known.rows[0] = memoryview(match.concealed(seat))
                known.refresh()
                assert known.concealed(seat) == whole(known) == match.concealed(seat)  # nothing is left to conceal
                key = rng.getrandbits(60)
                assert whole(known.resample(seat, key)) == whole(match.resample(seat, key))
                assert whole(match.resample(seat, key)) == whole(match.resample(seat, key).resample(seat, key))
