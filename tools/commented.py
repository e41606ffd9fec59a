"""Matches of `best` with comments: plays and analyses them, and writes docs/reference/commented.md.

`python tools/commented.py GAME --players N --number K [--seed 1] [--games 800]` plays match K of a seed between the
strongest bots, asks at every decision what the moves bring, and keeps the figures in docs/reference/commented.json.
`python tools/commented.py --page` writes the page from them. Values are those of hints: what a seat can expect from
what it knows. The moves are tried in the same fresh deals, so that a difference is surer than either value.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import hexdeck
from hexdeck.bots.advice.analysis import cost_in_words, decision_plies
from hexdeck.bots.advice.hints import adviser, evaluator
from hexdeck.bots.files import write_atomically
from hexdeck.bots.horizon import measure_of
from hexdeck.bots.players.named import bot
from hexdeck.bots.players.names import BOT_NAMES
from hexdeck.bots.rating.contest import played_match
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue
from hexdeck.simulation.game import Game
from hexdeck.simulation.warm import warm

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
DATA, PAGE = FOLDER / "commented.json", FOLDER / "commented.md"
TRIED = 3  # moves compared at a decision
MOST = 4  # moments with a comment, besides the first decision and the turning point
Row = dict[str, Any]

ABOUT = """# Matches of `best`, with comments

Two matches of each game between the strongest bots, as a strong player would go through them: where the choice
mattered, where it didn't, and where the match turned. What a player can expect is told from what that player knew, as
[hints](hints.md) tell it; ± is half a 95 % interval, and a result without it is exact. Events are counted from the
first card that was dealt. Sentences and figures are made from `commented.json` beside this
page, which `python tools/commented.py GAME --players N --number K` writes; `--page` makes this page.
"""


# --- a match and its figures ------------------------------------------------------------------------------------------
def kept() -> dict[str, Row]:
    """The matches that are kept, by name."""
    found: dict[str, Row] = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    return found


def analysed(game: Game, number: int, seed: int, games: int) -> Row:
    """A match between the strongest bots, as data: its decisions, what was told between them, and how it ended."""
    bots = [bot("best", game, seed * 1000 + seat) for seat in range(game.players)]
    for each in bots:
        each.begin(number)
    match = played_match(game, bots, seed, number)
    words = game_words(game.name, "en", BOT_NAMES[: game.players])
    judged = Judge(game, words, games)
    plies = sorted((ply, seat) for seat in range(game.players) for ply in decision_plies(match, seat))
    rows = [judged.decision(match, ply, seat) for ply, seat in plies]
    match.go(match.length)
    told = [words.words(each) for each in match.facts(-1)]
    fates = [words.words(text) for text in match.view(-1).outcome_texts]
    about = {"game": game.name, "players": game.players, "number": number, "seed": seed, "games": games}
    return about | {"bot": "best", "returns": list(match.returns()), "fates": fates, "told": told, "decisions": rows}


class Judge:
    """Compares the moves at decisions of a match."""

    def __init__(self, game: Game, words: Catalogue, games: int) -> None:
        backend = game.driver(None).backend
        self.words, self.worlds = words, max(2, games // TRIED)
        self._proposing, self._evaluating = adviser(game, 0, backend, games), evaluator(game, backend)

    def decision(self, match: Match, ply: int, seat: int) -> Row:
        """A decision: the move that was made, then the best other ones, with what they bring.

        `differs`: of each other move, how much less it brings, and half the 95 % interval; None where that is exact.
        """
        match.go(ply)
        known, played = match.concealed(seat), match.event(ply).id
        others = [each.action for each in self._proposing.candidates(known, seat, 0) if each.action != played]
        tried = [played, *others[: TRIED - 1]]
        found = self._evaluating.evaluate(known, seat, sorted(tried), self.worlds)
        labels = {move.id: self.words.words(move.label) for move in match.legal(seat)}
        struct = match.driver.proxy(memoryview(bytearray(known)))
        reason = match.game.hints.because(struct, seat, played, Worlds(match.game, known, seat))
        return {
            "ply": ply, "seat": seat, "prompt": self.words.words(match.view(seat).prompt), "legal": len(labels),
            "moves": [labels[action] for action in tried], "values": [found.value(action) for action in tried],
            "differs": [found.difference(played, action) for action in tried[1:]],
            "reason": self.words.words(reason) if reason else "", "told": len(match.facts(-1)),
        }  # fmt: skip


# --- which moments are commented on -----------------------------------------------------------------------------------
def sure(row: Row) -> float:
    """How much the best other move surely differs from the one that was made; 0 where that isn't sure."""
    gap, margin = nearest(row)
    return max(0.0, abs(gap) - (margin or 0.0))


def nearest(row: Row) -> tuple[float, float | None]:
    """The difference to the best other move, and half its 95 % interval."""
    gap, margin = min(row["differs"], key=lambda each: each[0])
    return gap, margin


def turn(rows: Sequence[Row]) -> tuple[Row, Row] | None:
    """Two decisions of one seat in a row between which what it could expect changed most."""
    best: tuple[float, Row, Row] | None = None
    for seat in {row["seat"] for row in rows}:
        own = [row for row in rows if row["seat"] == seat]
        for before, after in pairwise(own):
            swing = abs(after["values"][0][0] - before["values"][0][0])
            if best is None or swing > best[0]:
                best = swing, before, after
    return best and (best[1], best[2])


def moments(rows: Sequence[Row]) -> list[Row]:
    """The first decision, and those where the choice mattered most, in the order of the match; no two of a kind."""
    chosen, kinds = [rows[0]], {kind(rows[0])}
    for row in sorted(rows[1:], key=lambda row: -sure(row)):
        if sure(row) and kind(row) not in kinds and len(chosen) <= MOST:
            chosen.append(row)
            kinds.add(kind(row))
    return sorted(chosen, key=lambda row: int(row["ply"]))


def kind(row: Row) -> tuple[str, ...]:
    """What a decision is like: what was asked, the first words of the two moves, and which of them was better."""
    gap, _margin = nearest(row)
    other = row["moves"][1 + [each[0] for each in row["differs"]].index(gap)]
    return row["prompt"].split(".")[0][:12], row["moves"][0].split()[0], other.split()[0], str(gap > 0)


# --- in sentences -----------------------------------------------------------------------------------------------------
def page(there: dict[str, Row]) -> str:
    """The page of all matches that are kept."""
    parts, last = [ABOUT], ""
    for name in sorted(there, key=lambda each: (there[each]["game"], there[each]["number"])):
        found = there[name]
        game = hexdeck.game(found["game"], found["players"])
        if found["game"] != last:
            parts.append(f"## {Catalogue('en').words(game.table.TITLE)}\n")
        last = found["game"]
        parts.append("\n\n".join(commented(found, game)) + "\n")
    return "\n".join(parts).rstrip() + "\n"


def commented(found: Row, game: Game) -> Iterator[str]:
    """A match in paragraphs."""
    names, rows = BOT_NAMES[: found["players"]], found["decisions"]
    yield f"### {' – '.join(names)} (match {found['number']})"
    yield opening(found)
    for row in moments(rows):
        yield comment(row, names, game, first=row is rows[0])
    turned = turn(rows)
    if turned:
        yield turning(found, *turned, names, game)
    yield "At the end: " + "; ".join(f"{name} {fate}" for name, fate in zip(names, found["fates"], strict=True)) + "."


def opening(found: Row) -> str:
    """How many choices there were, and how many of them mattered."""
    rows = found["decisions"]
    weighty = [row for row in rows if sure(row) and nearest(row)[0] > 0]
    better = [row for row in rows if sure(row) and nearest(row)[0] < 0]
    close = len(rows) - len(weighty) - len(better)
    text = f"{len(rows)} decisions with a choice. At {len(weighty)} of them the next best move was clearly worse"
    text += f"; at {len(better)} another one was clearly better" if better else "; at none was another clearly better"
    return f"{text}; the rest were too close to call." if close else f"{text}."


def comment(row: Row, names: Sequence[str], game: Game, *, first: bool) -> str:
    """A decision with a comment."""
    measure, words, name = measure_of(game), Catalogue("en"), names[row["seat"]]
    worth = words.words(measure.result(*row["values"][0]))
    gap, margin = nearest(row)
    other = row["moves"][1 + [each[0] for each in row["differs"]].index(gap)]
    differ = words.words(cost_in_words(gap, margin, measure))
    head = f"**{'To begin with' if first else 'Event ' + str(row['ply'])}, {name}.** {sentence(row['prompt'])}"
    lines = [head, f"{name} chooses “{row['moves'][0]}”, and after that {worth}."]
    if not sure(row):
        lines.append(f"“{other}” would do as well: the difference, {differ}, is within the error.")
    elif gap > 0:
        lines.append(
            f"{'The best alternative' if row['legal'] > 2 else 'The alternative'}, “{other}”, would cost {differ}."
        )
    else:
        lines.append(f"Not the best here: “{other}” would gain {differ}.")
    reason = row["reason"]
    return " ".join([*lines, f"(By the cards alone: {reason})" if "possible deals" in reason else reason]).strip()


def turning(found: Row, before: Row, after: Row, names: Sequence[str], game: Game) -> str:
    """The turning point: what a seat could expect before and after, and what happened in between."""
    measure, words, name = measure_of(game), Catalogue("en"), names[before["seat"]]
    worth = [words.words(measure.result(*row["values"][0])) for row in (before, after)]
    told = found["told"][before["told"] : after["told"]]
    between = " ".join(sentence(each) for each in told[:6])
    more = " …" if len(told) > 6 else ""
    then, now = (f"at event {row['ply']} {name} {text}" for row, text in zip((before, after), worth, strict=True))
    return f"**The turning point.** {then[0].upper()}{then[1:]}; {now}. In between: {between}{more}"


def sentence(text: str) -> str:
    """A text that ends as a sentence does."""
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."


def main() -> None:
    """Analyse a match, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("--players", type=int)
    parser.add_argument("--number", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if options.page:
        write_atomically(PAGE, page(kept()).encode())
        return
    warm(options.game)
    game = hexdeck.game(options.game, options.players)
    found = analysed(game, options.number, options.seed, options.games)
    there = kept() | {f"{game.name} {game.players} {options.number}": found}
    lines = [f"{json.dumps(name)}: {json.dumps(there[name])}" for name in sorted(there)]
    write_atomically(DATA, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


if __name__ == "__main__":
    main()
