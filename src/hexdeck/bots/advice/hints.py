"""Hints: the best moves of a seat, what they are expected to bring, and a reason from facts of the game."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path

import numpy as np

from hexdeck.bots.bot import Bot, Candidate
from hexdeck.bots.players.bot_names import TITLES, bot_name, parted
from hexdeck.bots.players.kinds import BY_SOLVER, SolvedBot
from hexdeck.bots.players.levels import LEVELS, can_play, is_as_at_tables, levels_of, measured_options, read
from hexdeck.bots.search.searcher import Belief, PairedEvaluator, PairedValues, Rollouter
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.backends.build import can_build
from hexdeck.engine.layout import version_of
from hexdeck.engine.play.game import GameSetup, default_backend, is_quick, quickest_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ENDLESS, ResultUnit
from hexdeck.engine.text import Text, _, say

DIGITS = 9  # values that differ less are equal


class ExactAdvisor:
    """Proposes and evaluates moves by a game's solution wherever that is exact, else by a bot and an evaluator."""

    name = "solved"

    def __init__(self, game: GameSetup, backend: str | None, bot: Bot, evaluator: PairedEvaluator) -> None:
        self._solved, self._bot, self._evaluator = SolvedBot(game, backend), bot, evaluator

    def begin(self, number: int) -> None:
        """See `Bot`."""
        self._bot.begin(number)
        self._evaluator.begin(number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The best action for the seat, from its concealed struct."""
        return self.candidates(knowledge, seat, 0)[0].action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first."""
        candidates = self._solved.candidates(knowledge, seat, 0)
        all_known = all(candidate.value is not None for candidate in candidates)
        return candidates if all_known else self._bot.candidates(knowledge, seat, worlds)

    def evaluate(self, knowledge: bytes, seat: int, actions: list[int], worlds: int) -> PairedValues:
        """As `PairedEvaluator.evaluate`; as if in a single world, without chance, where the solution is exact."""
        values = {candidate.action: candidate.value for candidate in self._solved.candidates(knowledge, seat, 0)}
        exact = {action: round(value, DIGITS) for action, value in values.items() if value is not None}
        if len(exact) == len(values):
            return PairedValues(tuple(exact), np.array([[*exact.values()]]))
        return self._evaluator.evaluate(knowledge, seat, actions, worlds)


SHOWN = 3  # moves of a hint, at most
GAMES = {"fast": 1200, "checked": 300, "interpreted": 30}  # that the adviser plays out for a decision
PLAYING_ON = {"house": _("a plain bot"), "mimic": _("bots that think ahead"), "net": _("trained bots")}
SOLVING = ("fast", "checked")  # backends in which solutions are asked: nobody waits for the compiler in the other


@dataclass(frozen=True)
class Advice:
    """A move as a hint shows it.

    `action`: its id; `label`: its words; `value`: the utility expected for the seat, `margin`: half its 95 % interval,
    None if it is exact; `result`: both in words; `reason`: a fact about the move, where the game has one.
    """

    action: int
    label: Text
    value: float
    margin: float | None
    result: Text
    reason: Text | None


@dataclass(frozen=True)
class Hint:
    """The best moves, the best first, and sentences about what their results rest on."""

    moves: tuple[Advice, ...]
    premises: tuple[Text, ...]


def adviser(game: GameSetup, seed: int | bytes = 0, backend: str | None = None, games: int | None = None) -> Bot:
    """The bot that hints and analyses ask: exact best play where it is known, else one that plays games out.

    `games` is how many it plays out for a decision; the default depends on the backend, see `GAMES`.
    """
    used = backend or quickest_backend(game.definition)
    guess = Rollouter(game, games or GAMES[used], policy_of(game, used), seed, used, rechoose=True, belief=Belief())
    return ExactAdvisor(game, used, guess, PairedEvaluator(game, 0, used)) if is_exact(game, used) else guess


def evaluator(game: GameSetup, backend: str, seed: int | bytes = 0) -> PairedEvaluator | ExactAdvisor:
    """What evaluates the moves that the adviser proposes; another `seed` gives it other worlds."""
    guess = PairedEvaluator(
        game, seed, backend, policy_of(game, backend), rechoose=True, belief=Belief(), lacking=partial(lacking, game)
    )
    if not is_exact(game, backend):
        return guess
    return ExactAdvisor(game, backend, Rollouter(game, 1, "house", 0, backend), guess)


def lacking(game: GameSetup, knowledge: bytes) -> tuple[float, float]:
    """What games lack that are stopped at the horizon, and half its 95 % interval: `lacking` of its measure."""
    lacks = game.measure.lacking
    if lacks is None or not knows_what_follows(game):
        return 0.0, 0.0
    return lacks(game.driver("interpreted").proxy(memoryview(bytearray(knowledge))))


def knows_what_follows(game: GameSetup) -> bool:
    """Whether the game says what games lack that are stopped at the horizon; that holds for the usual options."""
    return game == game.usual() and game.measure.lacking is not None


def is_exact(game: GameSetup, backend: str) -> bool:
    """Whether hints ask the game's solution: where it is quick enough that the strongest level plays by it, too."""
    return backend in SOLVING and is_quick(game) and levels_of(game).get(LEVELS[-1]) in BY_SOLVER


def premises(game: GameSetup, backend: str, margins: Iterable[float | None]) -> list[Text]:
    """What results with these margins assume, in sentences: whose play goes on after the move, and for how long."""
    exact = {margin is None for margin in margins}
    sentences = []
    if True in exact:
        sentences.append(say("Results without ± are exact: perfect play by everybody from there on."))
    if False in exact:
        sentences.append(assumed_play(game, backend))
    if waits_for_code(backend):
        sentences.append(say("(A rough guess: hints get better once the bots are prepared.)"))
    return sentences


def waits_for_code(backend: str) -> bool:
    """Whether hints are made without machine code because there is none yet."""
    return backend == "interpreted" != default_backend()


def assumed_play(game: GameSetup, backend: str) -> Text:
    """Whose play estimated results assume, and how far they look, in a sentence."""
    players = say(PLAYING_ON[policy_of(game, backend)])
    ahead = game.horizon
    if ahead == ENDLESS:
        return say(
            "Expected if everybody plays on like {who}; ± covers the luck of the cards and the bots' random choices, "
            "not how others really play.",
            who=players,
        )
    if knows_what_follows(game):
        text = _(
            "Expected if everybody plays on like {who}, judging by the score {n} decisions later and what usually "
            "follows; ± covers the luck of the cards, not how others really play."
        )
    else:
        text = _(
            "Expected if everybody plays on like {who}, judging by the score {n} decisions later, whatever "
            "follows; ± covers the luck of the cards, not how others really play."
        )
    return say(text, n=ahead, who=players)


def policy_of(game: GameSetup, backend: str) -> str:
    """The policy that plays games out: the net that is a level, or that `best` rolls out with, else the house bot.

    Nets play only where code is compiled.
    """
    if backend == "interpreted":
        return "house"
    if can_play("net", game):
        return "net"
    return "mimic" if bot_name(levels_of(game).get(LEVELS[-1], "house")).policy.startswith("mimic") else "house"


def advise(match: Match, seat: int, others: Collection[str] = ()) -> Hint:
    """A hint for a seat that is to act, from what it knows and nothing else; `others`: see `advised`.

    A match that runs in machine code has its hint made by machine code, even if part of that must be compiled first.
    """
    labels = {move.id: move.label for move in match.legal(seat)}
    compiled = match.driver.backend if match.driver.backend != "interpreted" else None
    return advised(match.game, match.concealed(seat), seat, labels, compiled, others)


def advised(
    game: GameSetup,
    knowledge: bytes,
    seat: int,
    labels: Mapping[int, Text],
    backend: str | None = None,
    others: Collection[str] = (),
) -> Hint:
    """A hint from the bytes of `Match.concealed` and the labels of the seat's moves by id; in any thread.

    `others`: the bots on the other seats, as files name them, "" for a person; nobody where it isn't known.
    Generators are always the same: the same knowledge gives the same hint. All of it is of one backend: meanwhile the
    game may have been compiled. While it is being compiled there are no moves yet, and a sentence says so. Without
    `backend` it is the quickest that needs no compiler.
    """
    backend = backend or quickest_backend(game.definition)
    if waits_for_code(backend) and can_build():
        return Hint((), (say("No hint yet: the bots are still being prepared. Ask again in a minute."),))
    actions, values = tried(game, knowledge, seat, backend)
    leads = (values.difference(actions[0], action) for action in actions)
    equals = len([*takewhile(lambda lead: lead[0] <= (lead[1] or 0.0), leads)])
    struct = game.driver(backend).proxy(memoryview(bytearray(knowledge)))
    measure, worlds, correction = game.measure, Worlds(game, knowledge, seat), correction_among(game, backend, others)
    moves = []
    for action in actions:
        worth = values.value(action) if correction is None else correction.result(measure, *values.value(action))
        reason = game.hints.because(struct, seat, action, worlds)
        moves.append(Advice(action, labels[action], *worth, measure.result(*worth), reason))
    same = moves[0].reason if len(moves) > 1 and len({str(move.reason) for move in moves}) == 1 else None
    if same:  # it is said once, below the moves
        moves = [replace(move, reason=None) for move in moves]
    sentences = premises(game, backend, (move.margin for move in moves))
    if correction is not None:
        sentences.append(correction.premise)
    if same:
        sentences.insert(0, same)
    if equals > 1:
        sentences.insert(0, say("The first {n} moves may be equally good.", n=equals))
    return Hint(tuple(moves), tuple(sentences))


# --- chances among bots of one level ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Correction:
    """What makes chances true among bots of a `level`: of those `told`, from 0 to 1, what they really are (`true`).

    Between them it is a straight line. It was found in so many `matches` of the level, with `tools/calibrate.py`. Both
    rise, so moves keep their order; what is sure stays sure.
    """

    level: str
    told: tuple[float, ...]
    true: tuple[float, ...]
    matches: int = 0

    def chance(self, told: float) -> float:
        """The chance, from 0 to 1, that a told one really is."""
        return float(np.interp(told, self.told, self.true))

    def result(self, measure: ResultUnit, utility: float, margin: float | None) -> tuple[float, float | None]:
        """A utility that is a chance of winning, or of not losing, and half its 95 % interval."""
        told, unit = measure.number(utility) / 100, measure.scale / 100
        corrected = (self.chance(told) - measure.shift / 100) / unit
        if margin is None:
            return corrected, None
        return corrected, (self.chance(told + margin * unit) - self.chance(told - margin * unit)) / 2 / unit

    @property
    def premise(self) -> Text:
        """What the chances were corrected by, in a sentence."""
        text = _("Corrected by the results of {n} matches in which everybody played like {level}.")
        return say(text, n=self.matches, level=TITLES[self.level])


def calibration_file(game: GameSetup) -> Path:
    """The file with how true a game's hints are, and with the `corrections` of its chances."""
    return game.definition.folder / "calibration.json"


def correction_among(game: GameSetup, backend: str, others: Collection[str]) -> Correction | None:
    """The correction among these bots; None where they aren't all of one level, or nothing was measured.

    What was measured holds for the game's version, the bot that the level is, the policy that plays games out and the
    usual options.
    """
    levels = {parted(name)[0] for name in others}
    if len(levels) != 1 or (dict(game.options) != measured_options(game) and not is_as_at_tables(game)):
        return None
    level = levels.pop()
    now = {"players": game.players, "level": level, **measured_as(game, backend, level)}
    rows = read(calibration_file(game)).get("corrections", [])
    found = next((row for row in rows if now.items() <= row.items()), None)
    return found and Correction(level, (*found["told"],), (*found["true"],), found["matches"])


def measured_as(game: GameSetup, backend: str, level: str) -> dict[str, str | int | None]:
    """What a correction is of: it doesn't hold once one of these is another."""
    return {
        "version": version_of(game.rules.STRUCT),
        "bot": levels_of(game).get(level),
        "policy": policy_of(game, backend),
    }


def tried(game: GameSetup, knowledge: bytes, seat: int, backend: str) -> tuple[list[int], PairedValues]:
    """The actions that a hint shows, the best first, and their values.

    The `adviser` proposes them, the `evaluator` evaluates them.
    """
    candidates = adviser(game, backend=backend).candidates(knowledge, seat, 0)
    proposed = [candidate.action for candidate in candidates[:SHOWN]]
    values = evaluator(game, backend).evaluate(knowledge, seat, proposed, max(2, GAMES[backend] // SHOWN))
    return sorted(proposed, key=lambda action: -values.value(action)[0]), values


def evaluated(game: GameSetup, knowledge: bytes, seat: int, backend: str) -> dict[int, tuple[float, float | None]]:
    """The actions that a hint shows, each with its value and margin (see `Advice`)."""
    actions, values = tried(game, knowledge, seat, backend)
    return {action: values.value(action) for action in actions}
