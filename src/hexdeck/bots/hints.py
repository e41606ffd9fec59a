"""Hints: the best moves of a seat, what they are expected to bring, and a reason from facts of the game."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.bots.bot import Bot
from hexdeck.bots.netfile import has_net
from hexdeck.bots.rollouter import Rollouter
from hexdeck.bots.scales import Scales
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.driver import default_lane, is_compiled
from hexdeck.engine.game import Game
from hexdeck.engine.match import Match
from hexdeck.engine.text import Text

GAMES = {"fast": 1200, "checked": 300, "interpreted": 30}  # that the adviser plays out for a decision


@dataclass(frozen=True)
class Advice:
    """A move as a hint tells of it.

    `action`: its id; `label`: its words; `worth`: the utility expected for the seat, `margin`: half its 95 % interval,
    None if unknown; `result`: both in words; `reason`: a fact about the move, where the game has one.
    """

    action: int
    label: Text
    worth: float
    margin: float | None
    result: Text
    reason: Text | None


def adviser(game: Game, seed: int | bytes = 0, lane: str | None = None, games: int | None = None) -> Bot:
    """The bot that hints and analyses ask; `games` is how many it plays out for a decision."""
    used = lane or quickest_lane(game)
    return Rollouter(game, games or GAMES[used], policy_of(game, used), seed, used)


def scales(game: Game, lane: str) -> Scales:
    """What the adviser's moves are weighed with."""
    return Scales(game, 0, lane, policy_of(game, lane))


def policy_of(game: Game, lane: str) -> str:
    """Who plays games out: the game's net where there is one and compiled code to think with, else the house bot."""
    return "net" if lane != "interpreted" and has_net(game) else "house"


def quickest_lane(game: Game) -> str:
    """The usual lane; the interpreted one as long as the game isn't compiled, so that nobody waits for that."""
    lane = default_lane()
    return lane if lane != "fast" or is_compiled(game.rules) else "interpreted"


def advise(match: Match, seat: int, bot: Bot | None = None, most: int = 3) -> list[Advice]:
    """The best moves of a seat that is to act, the best first, from what it knows: never from what it doesn't.

    The bot (the `adviser` by default) proposes, `Scales` weigh what it proposed. The dice are always the same: the same
    knowledge gives the same hint.
    """
    game, known, lane = match.game, match.concealed(seat), quickest_lane(match.game)
    proposed = [each.action for each in (bot or adviser(game)).candidates(known, seat)[:most]]
    weighed = scales(game, lane).weigh(known, seat, proposed, max(2, GAMES[lane] // most))
    worths = {action: weighed.worth(action) for action in proposed}
    labels = {move.id: move.label for move in match.legal(seat)}
    struct = match.driver.proxy(memoryview(bytearray(known)))
    measure, worlds = game.hints.measure(struct), Worlds(game, known, seat)
    return [
        Advice(
            action, labels[action], *worths[action], measure.result(*worths[action]),
            game.hints.because(struct, seat, action, worlds),
        )
        for action in sorted(proposed, key=lambda action: -worths[action][0])
    ]  # fmt: skip
