"""What if: every option of a game at other values, one at a time, each on the same deals as the game as it is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import MAX_COPIES, Choice, Deck, Number, Numbers, Option, Seats, Switch, by_name
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say
from hexdeck.lab.counts import Chunk, Source, chunks, metric_names
from hexdeck.lab.effects import SEATS, Untried, looked_into, shift_of
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.pace import CARDS, RECKONED, minutes_each
from hexdeck.lab.pairs import PAIRS, STARTER, Comparison, Effect, Shift, bound, compare, surely
from hexdeck.lab.reporting.report import part_of
from hexdeck.lab.tension import MatchAnalyser, MatchAnalysis, analyse_matches
from hexdeck.simulation.seating import check_bots

FEW = 7  # values of a number, all of which are tried
SMALL = 20  # numbers below are tried one lower and one higher, others at half and at twice their value
Tick = Callable[[int], None]  # is told how many more games are done


# --- what is tried ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class OptionTrial:
    """An option of a game and another value for it, in canonical form."""

    option: Option
    value: Any

    @property
    def change(self) -> str:
        """The option and its value as they are typed."""
        return f"{self.option.name}={self.option.spell(self.value)}"


def trials(game: GameSetup, changes: Sequence[str] = ()) -> list[OptionTrial]:
    """What to try of a game: the options and values that were asked for, as `key` or `key=value`; all if none was.

    Raises BadOption for an option that isn't there, and for a value that isn't allowed, is there already or can't be
    played.
    """
    options = {option.name: option for option in game.rules.OPTIONS}
    out: list[OptionTrial] = []
    for word in changes or options:
        name, equals, typed = word.partition("=")
        option = by_name(game.rules.OPTIONS, [name])[name]
        out += [typed_trial(game, option, typed)] if equals else all_trials(game, option)
    return list({trial.change: trial for trial in out}.values())


def typed_trial(game: GameSetup, option: Option, typed: str) -> OptionTrial:
    """The trial of a value that was typed; raises BadOption."""
    value = option.read(typed)
    if value == game.options[option.name]:
        text = _("{option}={value} is how the game is played already; give another value, or {option} alone for all.")
        raise BadOption(say(text, option=option.name, value=option.spell(value)))
    pair_of(game, option, value)
    return OptionTrial(option, value)


def all_trials(game: GameSetup, option: Option) -> list[OptionTrial]:
    """The trials of every other value of an option, or of those nearby."""
    now, out = game.options[option.name], []
    for candidate in nearby_values(option, now, game.players):
        try:
            value = option.parse(candidate)
        except BadOption:  # out of the option's range
            continue
        if value != now:
            out.append(OptionTrial(option, value))
    return out


def nearby_values(option: Option, now: Any, players: int) -> Iterator[Any]:
    """Values to try for an option that has the value `now`; some may be out of its range."""
    match option:
        case Choice():
            yield from option.values
        case Switch():
            yield not now
        case Number():
            yield from numbers_near(now, option.low, option.high)
        case Deck():
            yield from (name for name, _counts in option.named)
            for step in (-1, 1):  # of the numbers that there are
                yield [min(max(count + step, 1), MAX_COPIES) if count else 0 for count in option.counts(now)]
        case Numbers():
            for step in (-1, 1):
                yield [min(max(number + step, option.low), option.high) for number in option.numbers(now) or []]
        case Seats():
            yield from ([], list(range(players)))


def numbers_near(now: int, low: int, high: int) -> list[int]:
    """All numbers of a short range; of a long one, those beside a small number, or half and twice a large one."""
    if high - low < FEW:
        return [*range(low, high + 1)]
    return [now - 1, now + 1] if now < SMALL else [now // 2, 2 * now]


def pair_of(game: GameSetup, option: Option, value: Any) -> tuple[GameSetup, GameSetup, str]:
    """The two games that differ in a value only; and the option, as `key=value`, that both need for it, if any.

    Raises BadOption where the value can't be played, even beside one other reading of a rule.
    """
    needed = None
    try:
        changed_game = with_option(game, option, value)
        changed = (
            option for option in game.rules.OPTIONS if changed_game.options[option.name] != game.options[option.name]
        )
        switched = next(
            (option_changed for option_changed in changed if option_changed.name != option.name), None
        )  # an option that it needs
        if switched is None:
            return game, changed_game, ""
        needed = switched, switched.spell(changed_game.options[switched.name])
    except BadOption:
        needed = companion(game, option, value)
        if needed is None:
            raise
    usual = with_option(game, *needed)
    return usual, with_option(usual, option, value), f"{needed[0].name}={needed[1]}"


def readings(game: GameSetup) -> list[tuple[Option, str]]:
    """The other readings of a game's rules: each option that stands for a rule, with each value but the default."""
    out: list[tuple[Option, str]] = []
    for option in game.rules.OPTIONS:
        if option.rule and isinstance(option, Choice):
            out += [(option, value) for value in option.values if value != option.default]
        elif option.rule and isinstance(option, Switch):
            out.append((option, "off" if option.default else "on"))
    return out


def companion(game: GameSetup, option: Option, value: Any) -> tuple[Option, str] | None:
    """The first other reading that makes a value playable in a game with its options; None if there is none."""
    for reading, theirs in readings(game):
        if reading.name != option.name:
            pair: dict[str, Any] = {reading.name: theirs, option.name: value}
            try:
                game.variant(**pair)
            except BadOption:
                continue
            return reading, theirs
    return None


def with_option(game: GameSetup, option: Option, value: Any) -> GameSetup:
    """The game with another value of an option; raises BadOption."""
    changed: dict[str, Any] = {option.name: value}
    return game.variant(**changed)


# --- what it does -----------------------------------------------------------------------------------------------------
class KeptGames:
    """Plays games as `source` does, those of the game as it is only once; and keeps them, by the options of a game."""

    def __init__(self, base: GameSetup, source: Source) -> None:
        self.base, self.source = str(base.options), source
        self.kept: dict[str, list[tuple[Chunk, np.ndarray]]] = {}

    def forget(self) -> None:
        """Forget all games but those of the game as it is."""
        self.kept = {key: parts for key, parts in self.kept.items() if key == self.base}

    def has(self, game: GameSetup) -> bool:
        """Whether a game is the one as it is, and was played."""
        return str(game.options) == self.base and self.base in self.kept

    def __call__(self, setup: SimulationSetup, games: int, **how: Any) -> Generator[tuple[Chunk, np.ndarray]]:
        """Play so many games, a chunk at a time, each with its metrics."""
        if self.has(setup.game):
            yield from self.kept[self.base]
            return
        games_played: list[tuple[Chunk, np.ndarray]] = []
        for part in self.source(setup, games, **how):
            games_played.append(part)
            if sum(len(rows) for _chunk, rows in games_played) >= games:
                self.kept[str(setup.game.options)] = games_played
            yield part

    def minutes(self, game: GameSetup) -> np.ndarray:
        """The minutes of each game at a real table, float64 (games)."""
        names, rows = metric_names(game), np.concatenate([rows for _chunk, rows in self.kept[str(game.options)]])
        return minutes_each(game.players, rows[:, [names.index((name, 0)) for name in RECKONED]], CARDS)


@dataclass
class Sweeper:
    """Tries values of a game's options; the game as it is is played and analysed once.

    `pairs`: how many pairs of games each value is tried on; `sample`: how many of them are analysed for tension.
    """

    setup: SimulationSetup
    pairs: int
    sample: int
    source: Source = chunks
    games: KeptGames = field(init=False)
    analysed: dict[str, list[MatchAnalysis]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.games = KeptGames(self.setup.game, self.source)

    def sweep(
        self, trials: Sequence[OptionTrial], tests: int, tick: Tick = lambda _done: None
    ) -> Iterator[Effect | Untried]:
        """The effect of each value, of so many that are tested together; an interrupt leaves out the one at hand."""
        for trial in trials:
            try:
                yield self.measure(trial, tests, tick)
            except HexdeckError as error:
                yield Untried(trial.change, error.text)

    def measure(self, trial: OptionTrial, tests: int, tick: Tick) -> Effect:
        """The effect of one value; raises HexdeckError where it can't be played, or not by these bots."""
        usual, changed, needed = pair_of(self.setup.game, trial.option, trial.value)
        check_bots(changed, self.setup.bots)
        self.games.forget()
        setup = replace(self.setup, game=usual)
        ready = setup if setup.threads == 1 or not self.games.has(usual) else replace(setup, threads=2 * setup.threads)
        pairs = compare(
            ready, changed, least=self.pairs, most=self.pairs, source=self.games, progress=lambda done, _of: tick(done)
        )
        if pairs.interrupted:
            raise KeyboardInterrupt
        seat, seats, sure = seat_effect(pairs, tests)
        turns, decisions = (pairs.change(name) for name in ("turns", "decisions"))
        shifts = {
            SEATS: seats,
            "minutes": Shift.of(self.games.minutes(usual), self.games.minutes(changed)),
            "turns": Shift(turns.before.value, turns.difference),
            "decisions": Shift(decisions.before.value, decisions.difference),
            **(self.tension(usual, changed, tick) if self.sample else {}),
            **{name[0]: Shift(0.0, pairs.share_of_pairs(name)) for name in PAIRS.values()},
        }
        return Effect(trial.change, len(pairs), shifts, seat, needed, sure)

    def tension(self, usual: GameSetup, changed: GameSetup, tick: Tick) -> dict[str, Shift]:
        """The shifts of measures of matches that were looked into: matches with the same number are pairs."""
        key = str(usual.options)
        if key not in self.analysed:
            self.analysed[key] = self.analyses(usual)
        before, after = (
            replace(part_of(replace(self.setup, game=game)), analyses=tuple(looked))
            for game, looked in ((usual, self.analysed[key]), (changed, self.analyses(changed, tick)))
        )
        shifts = {measure.name: shift_of(measure, before, after) for measure in looked_into()}
        return {name: shift for name, shift in shifts.items() if shift is not None}

    def analyses(self, game: GameSetup, tick: Tick = lambda _done: None) -> list[MatchAnalysis]:
        """The analyses of the first matches of a variant."""
        setup = replace(self.setup, game=game)
        return analyse_matches(
            setup, matches(setup, self.sample), progress=lambda done, _seconds: tick(done), look=MatchAnalyser.chances
        )


def seat_effect(pairs: Comparison, tests: int) -> tuple[int, Shift, bool]:
    """The seat whose share of the place that decides changes most (STARTER: whoever starts), and whether that is sure.

    It is the largest of all, so its interval is simultaneous for all; one of so many tests.
    """
    gains = pairs.gains
    significant = surely([*gains.values()], len(gains) * tests)
    sure = {name: gain for (name, gain), is_sure in zip(gains.items(), significant, strict=True) if is_sure}
    name = max(sure or gains, key=lambda each: abs(gains[each].value) if sure else bound([gains[each]], 1))
    shift = Shift(pairs.change(name).before.value, gains[name].simultaneous(len(gains)))
    return name[1] if name[0] == pairs.shares else STARTER, shift, bool(sure)
