"""The best response in Blackstone, against a slow walk of the kernel and simulated games."""

import numpy as np
import pytest

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.kinds import BestResponseBot, SolvedBot
from hexdeck.bots.players.roster import bot
from hexdeck.games.blackstone.solver import RoundSolution
from hexdeck.games.blackstone.tests.test_solver import CASES, blackstone, leaving_first
from hexdeck.simulation.game import Game
from tests.bots.expectimax import Walk
from tests.compiled import warm
from tests.settings import much


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    warm("blackstone", "fast")


class Answers(Walk):
    """What positions are worth to one who plays best, where others play each turn as one of two bots, equally often.

    Each seat's value is what it gets if it is that one.
    """

    def __init__(self, game: Game, others: tuple[Bot, Bot]) -> None:
        super().__init__(game, leaving_first)
        self.others = others

    def _value(self, position: bytes) -> tuple[float, ...]:
        seat = self.actor(position)
        if seat < 0:
            return super()._value(position)
        one, other = (self.turned(position, seat, bot) for bot in self.others)
        mean = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        mean[seat] = max(worth[seat] for worth in self.worths(position, seat).values())
        return tuple(mean)

    def turned(self, position: bytes, seat: int, bot: Bot) -> tuple[float, ...]:
        """The values once a seat has played its turn on as a bot does."""
        struct = np.frombuffer(position, self.game.rules.STRUCT)[0]
        if self.actor(position) == seat:
            after = self.after(position, seat, bot.choose(position, seat))
            began = np.frombuffer(after, self.game.rules.STRUCT)[0]
            goes_on = began["turn"] == seat and not began["over"] and began["inside"] == struct["inside"]
            return self.turned(after, seat, bot) if goes_on else self.value(after)
        if struct["over"] or self.actor(position) >= 0 or struct["turn"] != seat:
            return self.value(position)
        parts = [(chance, self.turned(after, seat, bot)) for after, chance in self.chances(position).items()]
        return tuple(sum(chance * worth[p] for chance, worth in parts) for p in range(self.game.players))


@pytest.mark.parametrize(("players", "deck", "options"), much(CASES[-1:], CASES))
def test_no_answer_to_perfect_play_and_the_house_bot_is_better(players, deck, options) -> None:
    game = blackstone(players, deck=deck, **options)
    walk = Answers(game, (SolvedBot(game, "fast"), bot("house", game, backend="fast")))
    walk.value(walk.first())
    player, values = BestResponseBot(game, "fast"), RoundSolution(game, "fast", responds=True)
    for position, seat in walk.decisions():
        worths = {action: worth[seat] for action, worth in walk.worths(position, seat).items()}
        found = dict(values.worths(position, seat))
        assert found == pytest.approx(worths, abs=1e-9)
        assert worths[player.choose(position, seat)] >= max(worths.values()) - 1e-9


@pytest.mark.long
def test_the_answer_wins_more_among_house_bots_than_perfect_play_does() -> None:
    game, deals = blackstone(3), 10_000
    got = {}
    for one in ("solved", "response"):
        seated = [[one if seat == p else "house" for p in range(3)] for seat in range(3)]
        returns = [game.simulate(deals, bots, 5).returns[:, seat] for seat, bots in enumerate(seated)]
        got[one] = np.mean(returns, axis=0)
    more = got["response"] - got["solved"]
    assert more.mean() > 2 * more.std() / deals**0.5
    assert got["response"].mean() > 1
