"""Bots that need no search: strategies of a game, exact best play where its folder has a solver, nets; and manners.

`engine/play/game.py` says what a solver offers. One of the nets' bots plays as its net does, the other thinks at the
table.
"""

import itertools
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from hexdeck.bots.bot import Bot, Candidate, KernelBot, ranked, take
from hexdeck.bots.nets.inference import ACTIONS, INPUTS, evaluate_row, sample
from hexdeck.bots.nets.netfile import MIMIC, POLICY, Net, fitting, has_net, net_layers, shipped_net
from hexdeck.bots.search.searcher import Belief, PairedEvaluator, RolloutValues
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.play.game import GameSetup, Solution, solver_of
from hexdeck.engine.play.playouts import POLICIES
from hexdeck.engine.play.probe_lines import Clause, parsed
from hexdeck.engine.study import Manner
from hexdeck.engine.text import _, say

ASKED = 32  # times that a strategy is asked to estimate how often it plays each action


class StrategyBot(KernelBot):
    """A strategy as a bot. Seeded: the same bytes and calls give the same choices."""

    def __init__(self, game: GameSetup, name: str, seed: int | bytes, backend: str | None) -> None:
        super().__init__(game, backend, seed, f"bot {name}")
        self.name, self._policy = name, POLICIES[name]
        self._values = RolloutValues(game, self.driver.backend, name)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat."""
        take(self.driver, self._rows, knowledge, seat)
        return int(self.driver.call("choose_row", self._rows, self._policy, seat, self._actions, self.rng))

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, how often it is chosen, and its value if all seats play on by this strategy."""
        legal = self.legal(knowledge, seat)
        if self._policy == RANDOM:
            probabilities = dict.fromkeys(legal, 1 / len(legal))
        else:
            often = Counter(self.choose(knowledge, seat) for _ in range(ASKED))
            probabilities = {action: often[action] / ASKED for action in legal}
        candidates = [Candidate(action, probability, None, None) for action, probability in probabilities.items()]
        return self._values.filled(candidates, knowledge, seat, worlds)


class SolvedBot(KernelBot):
    """The bot that plays a game's solution; it needs no generator. Raises UnknownBot or BadOption."""

    name, made_by = "solved", "solution"

    def __init__(self, game: GameSetup, backend: str | None = None) -> None:
        make = getattr(solver_of(game), self.made_by, None)
        if make is None:
            text = _("There is no bot {name} for {game}: it has no solver.")
            raise UnknownBot(say(text, name=self.name, game=game.name))
        super().__init__(game, backend)
        self._values = RolloutValues(game, self.driver.backend, "house")
        self._solution: Solution = make(game, backend)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The best action for the seat, from its concealed struct."""
        return self.candidates(knowledge, seat, 0)[0].action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first; where values aren't exact, they are those of house bots playing on."""
        take(self.driver, self._rows, knowledge, seat)
        solved = self._solution.action_values(knowledge, seat)
        candidates = [Candidate(action, float(k == 0), value, None) for k, (action, value) in enumerate(solved)]
        return self._values.filled(candidates, knowledge, seat, worlds)


class BestResponseBot(SolvedBot):
    """The bot that plays best where others play each turn as `solved` or as `house`, one of the two at random."""

    name, made_by = "response", "response"


BY_SOLVER = SolvedBot.name, BestResponseBot.name  # bots that play by a game's solver


# --- nets -------------------------------------------------------------------------------------------------------------
PURPOSE = "bot net"  # what its generator is for


class NetBot(KernelBot):
    """Plays as a net does: at temperature 1 by its probabilities, which is hard to exploit; at 0 always its favourite.

    `net` is the one shipped with the game unless given; `rng` is its generator. Raises HexdeckError when there is no
    net.
    """

    name = "net"

    def __init__(
        self,
        game: GameSetup,
        seed: int | bytes = 0,
        backend: str | None = None,
        temperature: float = 1.0,
        net: Net | None = None,
    ) -> None:
        super().__init__(game, backend, seed, PURPOSE)
        self.net = fitting(net or shipped_net(game), game, POLICY)
        self.temperature, shared = float(temperature), self.driver.shared
        self._net = shared(self.net.weights), shared(self.net.sizes)
        self._probabilities, self._value = np.zeros(int(self.net.sizes[ACTIONS])), np.zeros(1)
        self._layers = (*net_layers(self.driver, self.net.sizes)[:3], shared(self._probabilities))
        self._value_out, self._count = shared(self._value), 0
        self._values = RolloutValues(game, self.driver.backend, "net", self.temperature, self.net)

    def _evaluate(self, knowledge: bytes, seat: int, temperature: float) -> int:
        """Write the probabilities and the value; returns how many actions are legal."""
        take(self.driver, self._rows, knowledge, seat)
        arrays = *self._net, temperature, self._layers, self._actions, self._value_out
        self._count = int(self.driver.call(evaluate_row, self._rows, seat, *arrays))
        return self._count

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        count = self._evaluate(knowledge, seat, self.temperature)
        at: int = self.driver.kernel(sample)(self._layers[3], count, self.rng)
        return self.driver.integers(self._actions, count)[at]

    def last_probabilities(self) -> tuple[list[int], list[float]]:
        """The legal actions of the decision just made, and the probability of each."""
        actions = self.driver.integers(self._actions, self._count)
        return actions, self._probabilities[: self._count].tolist()

    def last_input(self) -> np.ndarray:
        """The net's input of the decision just made: int8 (inputs,), a copy."""
        inputs = self._layers[0]
        return np.array(inputs[: self.net.sizes[INPUTS]], np.int8)

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with its probability, and its value if all seats play on by this net; likeliest first."""
        count = self._evaluate(knowledge, seat, self.temperature)
        pairs = zip(self.driver.integers(self._actions, count), self._probabilities[:count].tolist(), strict=True)
        return self._values.filled([Candidate(*pair, None, None) for pair in pairs], knowledge, seat, worlds)

    def value(self, knowledge: bytes, seat: int) -> float | None:
        """The utility that the seat expects here if everybody plays by the net; None for untrained player counts."""
        self._evaluate(knowledge, seat, 1.0)
        mean, std = self.net.utility_scale.get(self.game.players, (0.0, 0.0))
        return mean + std * float(self._value[0]) if std else None


FEW = 4  # legal actions: where there are more, their values are too rough to correct a net
RATE = 5.0  # how far one step goes: a move that brings 0.1 more is chosen 1.6 times as often against another
BELIEF = Belief(candidates=8, trust=0.5, floor=0.02)  # others needn't play like the net that plays on


class ThinkingBot(KernelBot):
    """Takes one step of mirror descent from a net's probabilities, so that it keeps mixing.

    The net's probability of each action is multiplied by exp(`rate` x its value), the value being the mean of games
    that another net plays on for all seats, in worlds weighed by how likely that net would have done what others did:
    the one that is shipped with the game to imitate searches, if any; it plays on itself where there is none, and where
    it is one's `own`. `games` is their number for a decision; where more than `FEW` actions are legal it plays as the
    net does.
    """

    name = "think"

    def __init__(
        self,
        game: GameSetup,
        games: int,
        seed: int | bytes = 0,
        backend: str | None = None,
        *,
        rate: float = RATE,
        belief: Belief = BELIEF,
        net: Net | None = None,
        own: bool = True,
    ) -> None:
        super().__init__(game, backend, seed, "bot think")
        self._net, self._games, self._rate = NetBot(game, seed, backend, net=net), games, rate
        by_mimic = has_net(game, MIMIC) and not (net and own)
        policy, plays_on = ("mimic", None) if by_mimic else ("net", net)
        self._evaluator = PairedEvaluator(game, seed, backend, policy, net=plays_on, belief=belief)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        super().begin(number)
        self._evaluator.begin(number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        candidates = self.candidates(knowledge, seat, 0)
        return candidates[self.drawn([candidate.probability for candidate in candidates])].action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with its probability, and its value where it thought about it."""
        candidates = self._net.candidates(knowledge, seat, 0)
        if not 1 < len(candidates) <= FEW:
            return self._net.candidates(knowledge, seat, worlds)
        actions = [candidate.action for candidate in candidates]
        evaluated = self._evaluator.evaluate(knowledge, seat, actions, max(2, self._games // len(candidates)))
        values = [evaluated.value(action) for action in actions]
        gains = np.array([value for value, _margin in values])
        weights = np.array([candidate.probability for candidate in candidates]) * np.exp(
            self._rate * (gains - gains.max())
        )
        return ranked(
            Candidate(action, float(weight), *value)
            for action, weight, value in zip(actions, weights / weights.sum(), values, strict=True)
        )


# --- one of several ---------------------------------------------------------------------------------------------------
class DrawnBot(KernelBot):
    """One of several bots, drawn before each match: who learns to beat it learns only what they share.

    Which one plays follows from its generator, and nobody is told. `bots`: all of them; `playing`: the one drawn.
    """

    def __init__(self, game: GameSetup, bots: Sequence[Bot], seed: int | bytes, backend: str | None) -> None:
        super().__init__(game, backend, seed, "bot drawn")
        self.bots, self.name = tuple(bots), bots[0].name
        self.begin(0)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        super().begin(number)
        self.playing = self.bots[self.drawn([1 / len(self.bots)] * len(self.bots))]
        self.playing.begin(number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        return self.playing.choose(knowledge, seat)

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action as the bot that plays this match sees it."""
        return self.playing.candidates(knowledge, seat, worlds)


# --- a bot with a manner ----------------------------------------------------------------------------------------------
GENTLE = "gentle"  # the bot that doesn't weigh moves
COOLEST = 0.05  # temperature of a net that still mixes
TRIED = 40  # worlds in which a strategy's moves are tried before its manner chooses; in the interpreted backend none


class ManneredBot(KernelBot):
    """Plays as another bot does, tilted by a manner.

    A bot that mixes draws from its probabilities, those of the manner's actions multiplied by exp(`manner.logit` / its
    temperature). One that compares values changes its choice where the best of the actions that the manner likes (of
    the others, where it avoids some) is worth at most `manner.utility` less; so does the house bot, whose moves are
    tried in some worlds first. The gentle bot follows its manner on a whim, whatever that costs, the more often the
    larger `manner.logit` is. `counts`: decisions at which some, not all, of the actions were the manner's; at how many
    of them the bot chose one; and at how many it would have without a manner. Raises BadOption for a net too cool to
    mix.
    """

    def __init__(self, game: GameSetup, plain: Bot, manner: Manner, seed: int | bytes, backend: str | None) -> None:
        temperature = getattr(plain, "temperature", 1.0)
        if temperature < COOLEST:
            text = _("A net at a temperature so low has no manner: give it one of {least} or more.")
            raise BadOption(say(text, least=COOLEST))
        super().__init__(game, backend, seed, "bot manner")
        self.name, self.manner, self.counts, self.plain = plain.name, manner, np.zeros(3), plain
        self._clauses, self._odds = parsed(manner.line, game), float(np.exp(manner.logit / temperature))
        self._seen = np.zeros(game.observation_size, np.int8)
        self._worlds = TRIED if plain.name == "house" and self.driver.backend != "interpreted" else 0
        self._whim = 1 - math.exp(-abs(manner.logit) / 2) if plain.name == GENTLE else 0.0

    def begin(self, number: int) -> None:
        """See `Bot`."""
        super().begin(number)
        self.plain.begin(number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        marked = self._marked(knowledge, seat, self.legal(knowledge, seat))
        if not marked:
            return self.plain.choose(knowledge, seat)
        candidates = self.plain.candidates(knowledge, seat, self._worlds)
        action = candidates[self.drawn(self._tilted(candidates, marked))].action
        without = sum(candidate.probability for candidate in candidates if candidate.action in marked)
        self.counts += 1, action in marked, without
        return action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, how often the bot plays it with its manner, and its value."""
        candidates = self.plain.candidates(knowledge, seat, worlds)
        marked = self._marked(knowledge, seat, [candidate.action for candidate in candidates])
        return ranked(map(with_probability, candidates, self._tilted(candidates, marked)))

    def _marked(self, knowledge: bytes, seat: int, legal: Sequence[int]) -> set[int]:
        """The manner's actions among the legal ones, if these are some, not all of them."""
        take(self.driver, self._rows, knowledge, seat)
        self.driver.call("observe_row", self._rows, 0, seat, self.driver.shared(self._seen))
        for clause in self._clauses:
            marked = {action for action in legal if action in clause.allowed}
            if 0 < len(marked) < len(legal) and holds(clause, self._seen):
                return marked
        return set()

    def _tilted(self, candidates: Sequence[Candidate], marked: Collection[int]) -> list[float]:
        """The probabilities that the manner gives the candidates."""
        probabilities = [candidate.probability for candidate in candidates]
        if not marked:
            return probabilities
        if self._whim:
            liked = [(candidate.action in marked) == (self.manner.utility > 0) for candidate in candidates]
            often = sum(itertools.compress(probabilities, liked))
            follow = [p / often if often else 1 / sum(liked) for p in probabilities]
            weights = [
                (1 - self._whim) * p + self._whim * (share if likes else 0.0)
                for p, share, likes in zip(probabilities, follow, liked, strict=True)
            ]
        elif not self._worlds and any(0 < probability < 1 for probability in probabilities):
            odds = [self._odds if candidate.action in marked else 1.0 for candidate in candidates]
            weights = [probability * factor for probability, factor in zip(probabilities, odds, strict=True)]
        else:
            moved = dict.fromkeys((candidate.action for candidate in candidates), 0.0)
            for own in filter(lambda candidate: candidate.probability, candidates):
                moved[preferred(own, candidates, marked, self.manner.utility)] += own.probability
            weights = [moved[candidate.action] for candidate in candidates]
        return [weight / sum(weights) for weight in weights]


def says_probabilities(bot: Bot) -> bool:
    """Whether the probabilities of a bot's `candidates` are exactly how often it plays each action."""
    plain = bot.plain if isinstance(bot, ManneredBot) else bot
    return isinstance(plain, (NetBot, SolvedBot)) or plain.name == "random"


def with_probability(candidate: Candidate, probability: float) -> Candidate:
    """A candidate that is played so often."""
    return replace(candidate, probability=probability)


def preferred(own: Candidate, candidates: Sequence[Candidate], marked: Collection[int], utility: float) -> int:
    """What a bot that compares values plays for its own move: that, or one that its manner likes, nearly as good."""
    liked = [
        candidate
        for candidate in candidates
        if (candidate.action in marked) == (utility > 0) and candidate.value is not None
    ]
    if own.value is None or not liked or (own.action in marked) == (utility > 0):
        return own.action
    best = max(liked, key=lambda candidate: candidate.value or 0.0)
    return best.action if (best.value or 0.0) >= own.value - abs(utility) else own.action


def holds(clause: Clause, observation: np.ndarray) -> bool:
    """Whether all conditions of a clause hold of what a seat sees."""
    sums = [(condition, int(observation[condition.begin : condition.end].sum())) for condition in clause.conditions]
    return all((condition.low <= total <= condition.high) == condition.holds for condition, total in sums)
