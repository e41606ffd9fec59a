"""What bots' manners change, what they cost, and whether who watches five deals tells one from another.

`python tools/manners.py GAME [--players N] [--levels …] [--deals N] [--watched N] [--tilt K …] [--save]` lets a bot
with each manner play alone among bots of its level without, each seat in turn; `--save` stores the results with the
game. `--only-watched` plays the watched matches alone, and `--save` then adds what came of them to what is stored.

Who watches is a classifier: naive Bayes over what the log tells the public of a seat, sentence by sentence, with the
cards and numbers in it, early in the deal or not. It learns from every second of the watched matches, and guesses of
five deals of the others, drawn by lot, whose they are; then the other way round. So no guess is about deals that it
learned from.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hexdeck.bots.players import levels
from hexdeck.bots.players.bot_names import spoken, stored
from hexdeck.bots.players.kinds import ManneredBot
from hexdeck.bots.players.levels import LEAST, levels_of, manners_file, read, tilts
from hexdeck.bots.players.roster import bot, can_have_manner, resolved
from hexdeck.cli import run_tool
from hexdeck.cli.command_line import Argument, Command, chosen_game, option
from hexdeck.cli.compile import ticking
from hexdeck.cli.output import ENGLISH, CommandResult, can_hold, head
from hexdeck.cli.tournament import MOST_DEALS
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue, Seat, Text, _, say
from hexdeck.files import write_atomically
from hexdeck.research.rating import formatted
from hexdeck.simulation.game import Game
from hexdeck.stats import NORMAL, ratio, standard_error

DEALS, WATCHED = 1000, 120  # matches, by default
FIVE, GUESSES = 5, 2000  # deals that a guess is about; guesses of each manner and half of the matches
EARLY = 3  # sentences of a kind in a deal
Words = Counter[str]  # what the log told the public of a seat in a deal: how often


@dataclass
class Played:
    """What became of matches: what was told of the first of them, deal by deal; gains, and what the manner counted."""

    told: list[list[Words]] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)
    counts: list[np.ndarray] = field(default_factory=list)


def played(game: Game, level: str, manner: str, arguments: argparse.Namespace, tick: Any = lambda: None) -> Played:
    """Matches of a level with a manner alone among bots without one, each seat in its turn."""
    one, seed, out = bot(f"{level}:{manner}", game, arguments.seed), arguments.seed, Played()
    assert isinstance(one, ManneredBot)
    rest = [bot(level, game, seed * 1000 + 1 + seat) for seat in range(game.players)]
    for number in range(arguments.deals):
        seat = number % game.players
        table = [one if k == seat else each for k, each in enumerate(rest)]
        for each in table:
            each.begin(number)
        one.counts[:] = 0
        match, ends = game.match(seed, number=number), dict[int, int]()  # by deal: how many events it has seen at last
        while not match.over:
            actor, legal = match.actor, match.legal_ids(match.actor)
            match.play(actor, legal[0] if len(legal) == 1 else table[actor].choose(match.concealed(actor), actor))
            ends[int(match.struct.deal)] = match.length
        returns = np.array(match.returns())
        out.gains.append(float(returns[seat] - returns.mean()))
        out.counts.append(one.counts.copy())
        if number < arguments.watched:
            out.told.append([*told(match, [*ends.values()], seat)])
        tick()
    return out


def told(match: Match, ends: Sequence[int], seat: int) -> Iterator[Words]:
    """What the log told the public of a seat, deal by deal; `ends`: after how many events each ended."""
    for begin, end in itertools.pairwise([0, *ends]):
        texts = (fact.text for facts in match.narration()[begin:end] for fact in facts if fact.heard_by(-1))
        yield Counter(words_of(texts, seat))


def words_of(texts: Iterable[Text], seat: int) -> Iterator[str]:
    """Of each sentence about a seat what it says, and each card or number in it; of the first three again, as early."""
    times = Words()
    for text in texts:
        who = next((name for name, value in text.args.items() if value == Seat(seat)), None)
        if who is not None:
            times[text.key] += 1
            said = [f"{text.key} {name} {value}" for name, value in text.args.items() if not isinstance(value, Seat)]
            yield from (f"{who} {text.key}", *said)
            yield from (f"early {each}" for each in said if times[text.key] <= EARLY)


def told_apart(first: list[list[Words]], second: list[list[Words]], seed: int) -> float:
    """The share of guesses that are right: which of two bots five deals are of."""
    rng, right = np.random.default_rng(seed), list[bool]()
    for half in (0, 1):
        known, tested = (
            [[deal for match in matches[k::2] for deal in match] for matches in (first, second)]
            for k in (half, 1 - half)
        )
        sums = [sum(deals, Words()) for deals in known]
        rates = [
            {word: (total[word] + 0.5) / (len(deals) + 1) for word in sums[0] | sums[1]}
            for total, deals in zip(sums, known, strict=True)
        ]
        weights = {word: math.log(rate / rates[1][word]) for word, rate in rates[0].items()}
        bias = sum(rates[1].values()) - sum(rates[0].values())  # as of words that come at random (Poisson)
        for kind, deals in enumerate(tested):
            scores = [bias + sum(weights.get(word, 0.0) * n for word, n in deal.items()) for deal in deals]
            right += ((rng.choice(scores, (GUESSES, FIVE)).sum(axis=1) > 0) == (kind == 0)).tolist()
    return float(np.mean(right))


# --- what is kept -----------------------------------------------------------------------------------------------------
def summaries(game: Game, level: str, found: dict[str, Played], seed: int) -> Iterator[dict[str, Any]]:
    """What is kept of a level's manners."""
    shares = {
        frozenset((one, other)): told_apart(found[one].told, found[other].told, seed)
        for one, other in itertools.combinations(found, 2)
    }
    for one, result in found.items():
        apart = {other: round(shares[frozenset((one, other))], 3) for other in found if other != one}
        yield summary(game, level, one, result, apart)


def summary(game: Game, level: str, manner: str, found: Played, apart: dict[str, float]) -> dict[str, Any]:
    """Matches as they are kept, with the bot that the level is, and what the manner is; `times` null: too few deals.

    `apart`: how often it is told from each other manner.
    """
    name, gains, counts = f"{level}:{manner}", np.array(found.gains), np.array(found.counts)
    times = ratio(counts[:, 1], counts[:, 2]) if counts[:, 2].sum() else None
    figures = {
        "gain": [round(float(gains.mean()), 4), round(float(NORMAL * standard_error(gains)), 4)],
        "times": [round(times.value, 3), round(times.margin, 3)] if times and 0 < times.margin < math.inf else None,
        "watched": len(found.told),
        "apart": apart,
    }
    kept = {"one": name, "bot": resolved(name, game), **tilts(game, manner)}
    return kept | {"tilt": levels.tilt(game, kept["bot"]), "others": level, "groups": len(gains), **figures}


def only_watched(game: Game, level: str, new: Sequence[dict[str, Any]], command: str) -> Iterator[dict[str, Any]]:
    """What is stored of a level's manners as they are now, with what came of watching them."""
    for row in new:
        stored_row = levels.measured_manner(game, level, row["one"].removeprefix(f"{level}:"))
        if stored_row is not None:
            seen = {name: row[name] for name in ("watched", "apart")}
            yield {"tilt": row["tilt"], **stored_row, **seen, "watched_by": command}


def trial(game: Game, level: str, manner: str, tilt: float) -> dict[str, Any]:
    """What is kept of a manner so strong before it is measured."""
    name = f"{level}:{manner}"
    return {"one": name, "bot": resolved(name, game), "tilt": tilt, "others": level, "groups": 0}


def keep(game: Game, rows: Sequence[dict[str, Any]], command: str) -> None:
    """Store summaries in the game's folder, in place of those of the same levels and manners."""
    levels.read.cache_clear()  # other processes may have written there since
    measured = dict(read(manners_file(game)).get("measured", {}))
    old = {row["one"]: row for row in measured.get(str(game.players), {}).get("contests", [])}
    by_name = {**old, **{row["one"]: {**row, "command": command or row.get("command", "")} for row in rows}}
    measured[str(game.players)] = {"contests": [by_name[name] for name in sorted(by_name)]}
    ordered = {"measured": {players: measured[players] for players in sorted(measured, key=int)}}
    write_atomically(manners_file(game), formatted(ordered).encode())
    levels.read.cache_clear()


def run(arguments: argparse.Namespace, _words: Catalogue) -> CommandResult:
    """Measure level by level with a progress bar."""
    game = chosen_game(arguments)
    known, rows = checked(arguments, game), list[dict[str, Any]]()
    manners = [manner.name for manner in game.definition.hints.STUDY.manners]
    if arguments.only_watched:
        arguments.deals = arguments.watched
    matches = len(known) * len(manners) * arguments.deals
    with ticking(game.name) as tick:
        for level in known:
            if arguments.tilt:  # which `bot` reads there
                keep(game, [trial(game, level, *pair) for pair in zip(manners, arguments.tilt, strict=True)], "")
            found = {
                each: played(game, level, each, arguments, lambda: tick("matches", 1, matches)) for each in manners
            }
            new = [*summaries(game, level, found, arguments.seed)]
            if arguments.only_watched:
                new = [*only_watched(game, level, new, command(arguments, game, level))]
            rows += new
            if arguments.save and new:
                keep(game, new, "" if arguments.only_watched else command(arguments, game, level))

    def show() -> None:
        for row in rows:
            gain, half = row["gain"]
            apart = ", ".join(f"from {other} {share:.0%}" for other, share in row["apart"].items())
            often = f"{row['times'][0]:.2f} times as often" if row["times"] else "–"
            print(f"{spoken(row['one'])} ×{row['tilt']:g}: gain {gain:+.3f} ± {half:.3f}; {often}; told {apart}")

    return CommandResult(ENGLISH, show, lambda: head("manners", game, interrupted=False) | {"manners": rows})


def checked(arguments: argparse.Namespace, game: Game) -> list[str]:
    """The levels to measure; raises BadOption for what can't be measured or stored."""
    known = levels_of(game)
    wrong = next((level for level in arguments.levels if level not in known), None)
    if wrong is not None:
        text = _("There is no level {typed}; there are {there}.")
        raise BadOption(say(text, typed=spoken(wrong)[:20], there=", ".join(map(spoken, known))))
    if arguments.tilt and not arguments.save:
        raise BadOption(say("--tilt goes with --save: bots read how strong their manners are where it is stored."))
    if arguments.tilt and len(arguments.tilt) != (wanted := len(game.definition.hints.STUDY.manners)):
        raise BadOption(say("--tilt takes a number for each manner of {game}: {n}.", game=game.name, n=wanted))
    if arguments.save and (game != game.usual() or (arguments.deals < LEAST and not arguments.only_watched)):
        text = _("--save stores what was measured with the usual options, on at least {least} deals.")
        raise BadOption(say(text, least=LEAST))
    if arguments.save and not can_hold(manners_file(game)):
        raise BadOption(say("The manners of {game} can't be stored here: the package isn't writable.", game=game.name))
    return arguments.levels or [level for level, bot in known.items() if can_have_manner(bot)]


def command(arguments: argparse.Namespace, game: Game, level: str) -> str:
    """The command that measures a level again."""
    parts = ["python", "tools/manners.py", game.name, "--players", game.players, "--levels", spoken(level)]
    parts += ["--tilt", *(f"{each:g}" for each in arguments.tilt)] if arguments.tilt else []
    parts += ["--only-watched"] if arguments.only_watched else ["--deals", arguments.deals]
    parts += ["--watched", arguments.watched, "--seed", arguments.seed, "--save"]
    return " ".join(map(str, parts))


COMMAND = Command(
    "tools/manners.py",
    "measure what bots' manners change",
    (
        option("game"),
        option("--players"),
        option("--option"),
        Argument("--levels", "levels (default: all whose bots can have a manner)", stored, "NAME", takes="several"),
        Argument("--deals", "matches of each level and manner", int, default=DEALS, within=(2, MOST_DEALS)),
        Argument("--watched", "how many of these are watched", int, default=WATCHED, within=(2, MOST_DEALS)),
        Argument("--only-watched", "play these alone, and keep what is stored of strength", takes="nothing"),
        Argument("--tilt", "how strong each manner is, with --save (default: as stored)", float, "K", takes="several"),
        option("--seed", default=1),
        Argument("--save", "store the results with the game", takes="nothing"),
        option("--data"),
        option("--json"),
    ),
    run,
)

if __name__ == "__main__":
    sys.exit(run_tool(COMMAND))
