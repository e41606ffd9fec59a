"""How true hints are: measures them, and keeps the figures as `calibration.json` in the folder of each game.

`python tools/calibrate.py GAME --players N [--positions 300] [--playouts 2000] [--by BOT] [--seed 1] [--resume FILE]`
asks hints in positions of BOT's matches (by default of the bot whose play hints assume), plays each move shown out, and
keeps what came of it. With `--resume` each position is written to a file at once, and the same command resumes where it
was interrupted. `--dry` prints and keeps nothing. `python tools/calibrate.py --page` writes the tables of
docs/notebook/hints.md from what is kept.

`python tools/calibrate.py GAME --players N --level LEVEL [--matches 2000]` finds what corrects the chances that hints
tell among bots of that level, from matches in which it plays all seats. Half of them tell how far hints are off with
what the other half says, and without. The correction is kept where it brings every fifth within the goal.

Each position comes from a match of its own, in which one bot plays all seats: one of its choices, all equally likely.
There a hint is asked for. Each move that it shows is played out from the position as it really is, all seats going on
as that bot, always to the end of the match. What the hint says is compared with the mean of those games. A position
shows what a hint can't know, so one error says little; over many positions their mean is the error of the hints.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from true_world import play_out_actions, play_to

import hexdeck
from hexdeck.bots.advice.hints import (
    GAMES,
    SHOWN,
    Correction,
    calibration_file,
    evaluated,
    evaluator,
    is_exact,
    measured_as,
    policy_of,
)
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.bot_names import STORED
from hexdeck.bots.players.roster import bot, resolved
from hexdeck.bots.search.rollout import ROOT
from hexdeck.bots.search.searcher import POLICIES, policy_workspace
from hexdeck.engine.backends.cache import program_hash
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.play.game import GameSetup, quickest_backend, raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ENDLESS, ResultUnit
from hexdeck.files import ResumableFile, write_atomically
from hexdeck.simulation.warm import warm
from hexdeck.stats import NORMAL, half_width

PAGE = Path(__file__).parents[1] / "docs" / "notebook" / "hints.md"
GOALS = {"percentage points": 2.0, "chips": 0.1, "points": 0.5}  # how large the mean error may be
TENTH = 3  # how many times the goal a tenth of the moves may be off
UNSURE = "too few positions to tell"
BEGIN, END = "<!-- tables: tools/calibrate.py --page -->", "<!-- end of tables -->"
TENTHS = 10
Shown = tuple[str, float, float]  # a move that a hint shows: its kind, what the hint says, what it brought; utilities
Row = list[Shown]  # of a position


def assumed_bot(game: GameSetup) -> str:
    """The bot whose play hints assume, by its name, or that of a policy of `workspace.POLICIES`."""
    backend = quickest_backend(game.definition)
    return "solved" if is_exact(game, backend) else policy_of(game, backend)


class Calibrator:
    """Asks hints in positions of a bot's matches and plays their moves out, `games` times each.

    `by`: a bot by name, or a policy of `workspace.POLICIES`; policies and nets play in compiled code. Position `number`
    is always the same for a seed.
    """

    def __init__(self, game: GameSetup, by: str, games: int, seed: int = 1) -> None:
        self._game, self._games = game, games
        name, _colon, temperature = resolved(by, game).partition(":")
        compiled = name in POLICIES and (name == "net" or not temperature)
        self._player: CompiledPlayer | AskedPlayer = (
            CompiledPlayer(game, name, float(temperature or 1), seed) if compiled else AskedPlayer(game, by, seed)
        )
        self._seed = seed

    def position(self, number: int) -> Row | None:
        """What the hint says of each move that it shows in this position, and what the move brings.

        None for a match without a choice.
        """
        choices = self._player.play_to(number, ENDLESS)
        if not choices:
            return None
        rng = np.random.default_rng((self._seed, number))
        self._player.play_to(number, int(rng.integers(choices)))
        knowledge, seat = self._player.known()
        hints = evaluated(self._game, knowledge, seat, quickest_backend(self._game.definition))
        brought = self._player.play_out(seat, list(hints), self._games, number * self._games)
        kinds = [self._game.rules.ACTIONS[action].split()[0] for action in hints]
        return [
            (kind, value, float(mean))
            for kind, (value, _margin), mean in zip(kinds, hints.values(), brought, strict=True)
        ]


class CompiledPlayer:
    """A policy on all seats, in compiled code."""

    def __init__(self, game: GameSetup, policy: str, temperature: float, seed: int) -> None:
        self._game, self._driver = game, game.driver()
        self._policy, self._workspace = policy_workspace(game, policy, self._driver, temperature)
        self._rows = game.rows(self._driver)
        self._scratch = self._driver.actions(), self._driver.weights()
        purposes = ("calibration cards", "calibration dice")
        self._rngs = [self._driver.generator(seed, purpose) for purpose in purposes]
        self._again = [self._driver.generator(seed, f"{purpose} again") for purpose in purposes]

    def play_to(self, number: int, limit: int) -> int:
        """Play match `number` until so many choices were made and another is due; returns how many were made."""
        kernel = self._driver.kernel(cast(Any, play_to))
        choices: int = kernel(
            self._driver.g, self._rows, self._policy, self._workspace, *self._scratch, *self._rngs, number, limit
        )
        return choices

    def known(self) -> tuple[bytes, int]:
        """What the seat that has the choice knows, and that seat."""
        seat = whose_turn(raw(self._rows)[ROOT], self._game)
        self._driver.kernel("conceal_row")(self._driver.g, self._rows, 1, ROOT, seat)
        return raw(self._rows)[1].tobytes(), seat

    def play_out(self, seat: int, actions: Sequence[int], games: int, first: int) -> np.ndarray:
        """The mean utility of the seat after each action, over so many games, numbered from `first` on."""
        kernel = self._driver.kernel(cast(Any, play_out_actions))
        outcomes = np.zeros((games, len(actions)))
        kernel(
            self._driver.g,
            self._rows,
            seat,
            self._policy,
            self._workspace,
            *self._scratch,
            *self._again,
            self._driver.shared(np.array(actions, np.int64)),
            self._driver.array(self._game.rules.PLAYERS[1], np.float64),
            self._driver.shared(outcomes),
            first,
            ENDLESS,
        )
        means: np.ndarray = outcomes.mean(axis=0)
        return means


class AskedPlayer:
    """A bot on all seats, asked move by move."""

    def __init__(self, game: GameSetup, name: str, seed: int) -> None:
        self._game, self._seed = game, seed
        self._bots: list[Bot] = [bot(name, game, (seed << 16) + seat) for seat in range(game.players)]
        self._match = Match(game, seed)

    def play_to(self, number: int, limit: int) -> int:
        """Play match `number` until so many choices were made and another is due; returns how many were made."""
        self._match, choices = Match(self._game, self._seed, number=number), 0
        self._begin(number)
        while not self._match.over:
            legal = self._match.legal_ids(self._match.actor)
            if len(legal) > 1:
                if choices == limit:
                    break
                choices += 1
            self._act(self._match, legal)
        return choices

    def _begin(self, number: int) -> None:
        for player in self._bots:
            player.begin(number)

    def _act(self, match: Match, legal: Sequence[int]) -> None:
        seat = match.actor
        chosen = legal[0] if len(legal) == 1 else self._bots[seat].choose(match.concealed(seat), seat)
        match.play(seat, chosen)

    def known(self) -> tuple[bytes, int]:
        """What the seat that has the choice knows, and that seat."""
        seat = self._match.actor
        return self._match.concealed(seat), seat

    def play_out(self, seat: int, actions: Sequence[int], games: int, first: int) -> np.ndarray:
        """The mean utility of the seat after each action, over so many games, numbered from `first` on."""
        outcomes = np.zeros((games, len(actions)))
        for game in range(games):
            for k, action in enumerate(actions):
                trial = self._match.copy_position()
                trial.let_chance(f"calibration {self._seed}".encode(), first + game)
                self._begin(first + game)
                trial.play(seat, action)
                while not trial.over:
                    self._act(trial, trial.legal_ids(trial.actor))
                outcomes[game, k] = trial.returns()[seat]
        means: np.ndarray = outcomes.mean(axis=0)
        return means


def whose_turn(struct: np.ndarray, game: GameSetup) -> int:
    """The lowest seat that is to act."""
    kind, at = game.rules.STRUCT.fields["acting"][:2]
    acting = int(struct[at : at + kind.itemsize].view(kind)[0])
    return (acting & -acting).bit_length() - 1


# --- chances against bots of a level ----------------------------------------------------------------------------------
CHOICES = 2  # of each seat in a match that are looked at
GROUPS, PRIOR = 10, 20  # see `fitted`
FIFTHS = 5
Told = list[list[list[float]]]  # by seat and choice: the chance that a hint tells of the move made, and what came of it


class WatchedMatches:
    """Matches in which a level plays all seats: what hints would tell of some of the moves made, and what came."""

    def __init__(self, game: GameSetup, level: str, seed: int) -> None:
        self._game, self._seed, backend = game, seed, quickest_backend(game.definition)
        self._bots: list[Bot] = [bot(level, game, (seed << 16) + seat) for seat in range(game.players)]
        self._evaluator, self._worlds = evaluator(game, backend), GAMES[backend] // SHOWN

    def match(self, number: int) -> Told:
        """What is told and what comes in match `number`, always the same for a seed."""
        match, rng = Match(self._game, self._seed, number=number), np.random.default_rng((self._seed, number))
        choices: list[list[tuple[bytes, int]]] = [[] for _bot in self._bots]
        for player in (*self._bots, self._evaluator):
            player.begin(number)
        while not match.over:
            seat, legal, action = match.actor, match.legal_ids(match.actor), None
            if len(legal) > 1:
                knowledge = match.concealed(seat)
                action = self._bots[seat].choose(knowledge, seat)
                choices[seat].append((knowledge, action))
            match.play(seat, legal[0] if action is None else action)
        return [
            [
                [self._chance(self._worth(seat, *made[at])), self._chance(result)]
                for at in rng.permutation(len(made))[:CHOICES]
            ]
            for seat, (made, result) in enumerate(zip(choices, match.returns(), strict=True))
        ]

    def _worth(self, seat: int, knowledge: bytes, action: int) -> float:
        return self._evaluator.evaluate(knowledge, seat, [action], self._worlds).value(action)[0]

    def _chance(self, utility: float) -> float:
        return round(self._game.measure.number(utility) / 100, 4)


def fitted(moves: np.ndarray, level: str, matches: int) -> Correction:
    """The correction by moves, float64 (moves, 2 or more): what was told, and what came, which may be a shared win.

    Moves in so many GROUPS by what was told of them, each drawn a little towards that, as if as many moves more (PRIOR)
    had brought it; groups in which more was told and less came are one.
    """
    unsure = moves[(moves[:, 0] > 0) & (moves[:, 0] < 1), :2]
    groups: list[np.ndarray] = []
    for part in np.array_split(unsure[unsure[:, 0].argsort(kind="stable")], GROUPS):
        groups.append(part)
        while len(groups) > 1 and drawn(groups[-2]) >= drawn(groups[-1]):
            groups[-2:] = [np.concatenate(groups[-2:])]
    told = [round(float(group[:, 0].mean()), 4) for group in groups]
    return Correction(level, (0.0, *told, 1.0), (0.0, *(round(drawn(group), 4) for group in groups), 1.0), matches)


def drawn(group: np.ndarray) -> float:
    """The mean of what came of moves, drawn towards what was told of them."""
    told, came = group.mean(axis=0)
    return float((came * len(group) + told * PRIOR) / (len(group) + PRIOR))


def watched(game: GameSetup, level: str, matches: int, seed: int, path: Path | None) -> list[Told]:
    """What was told and what came in so many matches; those that the file lacks are played."""
    version = program_hash(game.rules.__name__, "calibrate")
    about = {"game": game.name, "version": version, "players": game.players, "level": level, "seed": seed}
    file, watching = ResumableFile(path, "chances", about), WatchedMatches(game, level, seed)
    rows: list[Told] = list(file.rows)
    while len(rows) < matches:
        rows.append(watching.match(len(rows)))
        file.add(rows[-1])
    return rows[:matches]


def correction(game: GameSetup, level: str, rows: Sequence[Told], seed: int) -> dict[str, Any]:
    """What corrects chances among bots of a level, as it is kept, and how far they are off without it and with it.

    The latter by what the even matches say of the odd ones, and the other way round. `fifths` of the moves by what is
    told of them, in percent: told, corrected, came, and half the 95 % interval of how far the corrected is off. `sums`
    over the seats of a match: the same.
    """
    halves = [fitted(moves_of(rows[1 - half :: 2]), level, 0) for half in (0, 1)]
    told, came, number, weight = moves_of(rows).T
    corrected = np.array([halves[int(k) % 2].chance(chance) for k, chance in zip(number, told, strict=True)])
    moves, by_match = np.column_stack([told, corrected, came]), number.astype(int)
    sums = np.stack([np.bincount(by_match, weight * column) for column in moves.T], axis=1)
    whole = np.array([all(row) for row in rows])
    found = fitted(moves_of(rows), level, len(rows))
    return {
        "players": game.players,
        "level": level,
        **measured_as(game, quickest_backend(game.definition), level),
        "matches": len(rows),
        "seed": seed,
        "told": found.told,
        "true": found.true,
        "fifths": [in_percent(moves[part], by_match[part]) for part in np.array_split(told.argsort(), FIFTHS)],
        "sums": in_percent(sums[whole], np.flatnonzero(whole)),
    }


def moves_of(rows: Sequence[Told]) -> np.ndarray:
    """What was told of each move, what came, in which match, and its part of its seat's moves: float64 (moves, 4)."""
    return np.array([(*pair, k, 1 / len(seat)) for k, row in enumerate(rows) for seat in row for pair in seat])


def in_percent(moves: np.ndarray, by_match: np.ndarray) -> list[float]:
    """The means of told, corrected, came, and half the 95 % interval of how far the corrected is off."""
    half = half_by_match(moves[:, 1] - moves[:, 2], by_match)
    return [round(100 * float(number), 2) for number in (*moves.mean(axis=0), half)]


def half_by_match(errors: np.ndarray, by_match: np.ndarray) -> float:
    """Half the 95 % interval of a mean; the moves of a match share its luck."""
    sums = np.bincount(by_match, errors - errors.mean())
    return NORMAL * float(np.sqrt((sums**2).sum())) / len(errors)


# --- what the positions say together ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Error:
    """The error of hints over some moves, in people's units.

    `moves`: how many; `said`, `brought`: the means of what hints say of them and of what they brought; `margin`: half
    the 95 % interval of the difference.
    """

    moves: int
    said: float
    brought: float
    margin: float

    @property
    def mean(self) -> float:
        """By how much hints say too much."""
        return self.said - self.brought


def whole_error(rows: Sequence[Row], measure: ResultUnit) -> Error:
    """The error over all moves shown; positions count alike, since the moves of one share its luck."""
    means = np.array([[move[1:] for move in row] for row in map(mean_move, rows)]).reshape(-1, 2)
    return error_of(means, measure, sum(map(len, rows)))


def mean_move(row: Row) -> Row:
    """The moves of a position as one: the mean of them."""
    return [("", float(np.mean([move[1] for move in row])), float(np.mean([move[2] for move in row])))]


def errors_by_kind(rows: Sequence[Row], measure: ResultUnit, least: int = 30) -> dict[str, Error]:
    """The error of each kind of move that was shown often enough."""
    by_kind = {kind: [[move for move in row if move[0] == kind] for row in rows] for kind in kinds_of(rows)}
    filled = {kind: [row for row in several if row] for kind, several in by_kind.items()}
    return {kind: whole_error(several, measure) for kind, several in filled.items() if len(several) >= least}


def kinds_of(rows: Sequence[Row]) -> list[str]:
    """The kinds of moves that were shown."""
    return sorted({move[0] for row in rows for move in row})


def tenths(rows: Sequence[Row], measure: ResultUnit) -> list[Error]:
    """The moves in ten groups of equal size, from those that hints say least of to those that they say most of.

    Fewer than ten moves are groups of their own.
    """
    pairs = np.array(sorted(move[1:] for row in rows for move in row))
    return [error_of(part, measure, len(part)) for part in np.array_split(pairs, min(TENTHS, len(pairs)))]


def error_of(pairs: np.ndarray, measure: ResultUnit, moves: int) -> Error:
    """The error over independent pairs of what was said and what was brought, float64 (pairs, 2), as utilities."""
    hint, brought = (float(mean) for mean in measure.shift + measure.scale * pairs.mean(axis=0))
    errors = measure.scale * (pairs[:, 0] - pairs[:, 1])
    return Error(moves, hint, brought, float(half_width(errors)))


DIGITS = 3  # kept of each figure


class CalibrationLog:
    """The positions that were measured, in a resumable file where there is one."""

    def __init__(self, path: Path | None, game: GameSetup, by: str, playouts: int, seed: int) -> None:
        self.rows: dict[int, Row | None] = {}
        about = {
            "game": game.name,
            "version": program_hash(game.rules.__name__, "calibrate", "true_world"),
            "players": game.players,
            "by": by,
            "playouts": playouts,
            "seed": seed,
        }
        self._file = ResumableFile(path, "calibrate", about)
        for at, entry in enumerate(self._file.rows):
            match entry:
                case [int(number), None | [*_]]:
                    row = entry[1]
                    self.rows[number] = row and [(kind, hint, brought) for kind, hint, brought in row]
                case _:
                    raise self._file.damaged(at)

    def add(self, number: int, row: Row | None) -> None:
        """Keep a position."""
        self.rows[number] = row
        self._file.add([number, row])


def calibration(game: GameSetup, by: str, positions: int, playouts: int, seed: int, log: CalibrationLog) -> list[Row]:
    """Measure the positions that the log lacks; returns all of them that have a choice."""
    calibrator = Calibrator(game, by, playouts, seed)
    for number in range(positions):
        if number not in log.rows:
            log.add(number, calibrator.position(number))
    return [row for number, row in sorted(log.rows.items()) if row and number < positions]


# --- in a game's folder -----------------------------------------------------------------------------------------------
def summary(game: GameSetup, by: str, rows: Sequence[Row], playouts: int, seed: int) -> dict[str, Any]:
    """A measurement as it is kept."""
    measure = game.measure
    return {
        "players": game.players,
        "by": by,
        "positions": len(rows),
        "playouts": playouts,
        "seed": seed,
        "error": as_data(whole_error(rows, measure)),
        "kinds": {kind: as_data(error) for kind, error in errors_by_kind(rows, measure).items()},
        "tenths": [as_data(error) for error in tenths(rows, measure)],
    }


def as_data(error: Error) -> list[float]:
    """An error as a list."""
    return [error.moves, *(round(number, DIGITS) for number in (error.said, error.brought, error.margin))]


KINDS = ERRORS, CORRECTIONS = "errors", "corrections"  # of measurements that are kept of a game


def kept(game: GameSetup, kind: str = ERRORS) -> list[dict[str, Any]]:
    """The measurements that are kept of a game, by players and bot."""
    path = calibration_file(game)
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))[kind] if path.exists() else []
    return rows


def keep(game: GameSetup, summary: dict[str, Any], kind: str = ERRORS, *, holds: bool = True) -> None:
    """Put a measurement in the game's folder, in the place of an earlier one of its kind; only remove that if not."""
    now = {each: kept(game, each) for each in KINDS}
    now[kind] = sorted([row for row in now[kind] if key_of(row) != key_of(summary)] + [summary] * holds, key=key_of)
    parts = [f'"{each}": [\n ' + ",\n ".join(map(json.dumps, rows)) + "\n]" for each, rows in now.items()]
    write_atomically(calibration_file(game), ("{" + ", ".join(parts) + "}\n").encode())


def key_of(summary: dict[str, Any]) -> tuple[int, str]:
    """What a measurement is of: the number of players, and the bot or level."""
    return summary["players"], summary.get("by") or summary["level"]


# --- the command ------------------------------------------------------------------------------------------------------
def measured(options: argparse.Namespace) -> None:
    """Measure what isn't in the log yet, print it and keep it."""
    warm(options.game)
    game, begun = hexdeck.game(options.game, options.players), time.time()
    by = options.by or assumed_bot(game)
    log = CalibrationLog(options.resume, game, by, options.playouts, options.seed)
    rows = calibration(game, by, options.positions, options.playouts, options.seed, log)
    found = summary(game, by, rows, options.playouts, options.seed)
    print(
        "\n".join([*table([found], GOALS[unit(game)]), "", *tenths_table([found]), "", f"{time.time() - begun:.0f} s"])
    )
    if not options.dry:
        keep(game, found)


def corrected(options: argparse.Namespace) -> None:
    """Watch the matches that the log lacks, print what corrects their chances, and keep it."""
    warm(options.game)
    game = hexdeck.game(options.game, options.players)
    if not game.measure.whole:
        raise SystemExit(f"Hints of {game.name} tell no chances.")
    rows = watched(game, options.level, options.matches, options.seed, options.resume)
    found = correction(game, options.level, rows, options.seed)
    print("\n".join(corrections_table([found])))
    if not options.dry:
        keep(game, found, CORRECTIONS, holds=holds(found))


def holds(found: dict[str, Any]) -> bool:
    """Whether no fifth is off by more than the goal with a correction, and one is without it."""
    errors = np.array([(told - came, corrected - came) for told, corrected, came, _half in found["fifths"]])
    off = np.abs(errors).max(axis=0) > GOALS["percentage points"]
    return bool(off[0] and not off[1])


# --- the page ---------------------------------------------------------------------------------------------------------
def page_tables() -> str:
    """The tables of all games, as the page shows them."""
    return "\n\n".join("\n".join(game_lines(name)) for name in playable() if kept(hexdeck.game(name)))


def game_lines(name: str) -> Iterator[str]:
    """The heading and the tables of a game."""
    game = hexdeck.game(name)
    goal = GOALS[unit(game)]
    yield from (f"### {game.table.ABOUT.title}", "", f"In {unit(game)}; the goal is ±{goal:g}.", "")
    yield from table(kept(game), goal)
    yield from ("", *tenths_table(kept(game)))
    if kept(game, CORRECTIONS):
        yield from ("", "Corrected among bots of one level:", "", *corrections_table(kept(game, CORRECTIONS)))


def unit(game: Any) -> str:
    """What results of a game are counted in, in words."""
    measure = game.measure
    return "percentage points" if measure.whole else str(measure.unit).partition(" ")[0]


def table(found: list[dict[str, Any]], goal: float) -> list[str]:
    """The error of each measurement, whether it is within the goal, and by kinds of moves."""
    heads = "players", "played by", "positions × games", "too much by", "within the goal", "by kinds of moves"
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for each in found:
        kinds = ", ".join(f"{kind} {shown(error)}" for kind, error in each["kinds"].items())
        cells = (
            each["players"],
            f"`{each['by']}`",
            f"{each['positions']:,} × {each['playouts']:,}",
            shown(each["error"]),
            judged(each, goal),
            kinds,
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def judged(each: dict[str, Any], goal: float) -> str:
    """Whether the mean is within the goal, and each tenth within three times that, as far as intervals tell."""
    far = [str(k) for k, tenth in enumerate(each["tenths"], 1) if verdict(tenth, TENTH * goal) == "no"]
    found = {verdict(each["error"], goal), *(verdict(tenth, TENTH * goal) for tenth in each["tenths"])}
    if far:
        return f"no: tenth {', '.join(far)}"
    return next(word for word in ("no", UNSURE, "yes") if word in found)


def verdict(error: list[float], goal: float) -> str:
    """Whether an error is within the goal, as far as its interval tells."""
    _moves, said, brought, margin = error
    if abs(said - brought) + margin <= goal:
        return "yes"
    return "no" if abs(said - brought) - margin > goal else UNSURE


def tenths_table(found: list[dict[str, Any]]) -> list[str]:
    """The error of each tenth of the moves, from those that hints say least of; in brackets what they say."""
    heads = " | ".join(f"{each['players']}, `{each['by']}`" for each in found)
    lines = [f"| tenth of the moves, lowest first | {heads} |", "|---" * (1 + len(found)) + "|"]
    for k in range(min(len(each["tenths"]) for each in found)):
        cells = " | ".join(f"{shown(each['tenths'][k])} (of {number(each['tenths'][k][1], 1)})" for each in found)
        lines.append(f"| {k + 1} | {cells} |")
    return lines


def corrections_table(found: list[dict[str, Any]]) -> list[str]:
    """What corrects chances among bots of a level, and errors in matches held out: as told → corrected."""
    heads = "players", "level", "matches, seed", *(f"fifth {k + 1}" for k in range(FIFTHS)), "sum of seats"
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for each in found:
        about = each["players"], STORED.get(each["level"], each["level"]), f"{each['matches']:,}, {each['seed']}"
        lines.append(f"| {' | '.join(map(str, (*about, *map(mended, [*each['fifths'], each['sums']]))))} |")
    return lines


def mended(means: list[float]) -> str:
    """By how much hints say too much, as told and corrected, with its interval; in brackets what came."""
    told, chance, came, half = means
    return f"{number(told - came, 1, '+')} → {number(chance - came, 1, '+')} ± {half:.1f} (of {came:.1f})"


def shown(error: list[float]) -> str:
    """An error with its interval."""
    _moves, said, brought, margin = error
    return f"{number(said - brought, 2, '+')} ± {margin:.2f}"


def number(value: float, digits: int, sign: str = "") -> str:
    """A number with so many decimals and a proper minus sign."""
    return f"{value:{sign}.{digits}f}".replace("-", "\u2212")


def write_page() -> None:
    """Write the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{page_tables()}\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Measure, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("--players", type=int)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--level", help="find what corrects chances among bots of this level")
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--by", help="the bot that plays (default: the one whose play hints assume)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--resume",
        type=Path,
        help="resumable file of positions (default: no file)",
    )
    parser.add_argument("--dry", action="store_true", help="print, but keep nothing")
    parser.add_argument("--page", action="store_true", help="write the tables of docs/notebook/hints.md")
    options = parser.parse_args()
    if options.page:
        write_page()
    elif options.game:
        corrected(options) if options.level else measured(options)
    else:
        parser.error("name a game, or give --page")


if __name__ == "__main__":
    main()
