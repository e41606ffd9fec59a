"""Matches of `best` with comments: plays and analyses them, and writes docs/notebook/commented.md.

`python tools/commented.py GAME --players N --number K [--seed 1] [--games 800] [--fresh 1500]` plays match K of a seed
between the strongest bots and keeps what is found in docs/notebook/commented.json. `python tools/commented.py --again
[GAME]` makes the matches that are kept again, all or those of a game. Both write the page anew; `--page` does no more.

At every decision a few moves are compared in fresh deals, as hints do. What seems to differ there is judged again in
other deals, many more, and only those figures are told: luck that picked a moment isn't in them. Reasons are counted in
yet other games, played on from the same deals after each of two moves.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from calibrate import kept as calibrated
from commented_choice import Row, focus, moments
from commented_facts import POSITIONS, Endings, Facet, facets
from commented_words import page

import hexdeck
from hexdeck.bots.advice.analysis import decision_plies
from hexdeck.bots.advice.hints import adviser, evaluator, policy_of
from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.bots.players.roster import bot, resolved
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue
from hexdeck.files import write_atomically
from hexdeck.research.rating import played_match
from hexdeck.simulation.game import Game
from hexdeck.simulation.warm import warm

FOLDER = Path(__file__).parents[1] / "docs" / "notebook"
DATA, PAGE = FOLDER / "commented.json", FOLDER / "commented.md"
TRIED = 3  # moves compared at a decision, besides the easy bot's
EASY = "gentle"  # the bot whose move is compared
AGAIN, REASONS = 1, 2  # seeds of the second judgement, and of games for reasons
SURE = 4.0  # standard errors by which a reason differs at least, and by how much:
LEAST = {True: 0.3, False: 0.03}  # an amount, a share of games


# --- a match and its figures ------------------------------------------------------------------------------------------
def kept() -> dict[str, Row]:
    """The matches that are kept, by name."""
    found: dict[str, Row] = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    return found


def played(game: Game, number: int, seed: int) -> Match:
    """A match between the strongest bots."""
    bots = [bot("best", game, seed * 1000 + seat) for seat in range(game.players)]
    for each in bots:
        each.begin(number)
    return played_match(game, bots, seed, number)


def analysed(game: Game, number: int, seed: int, games: int, fresh: int) -> Row:
    """A match between the strongest bots, as data: its decisions, what was told between them, and how it ended."""
    match = played(game, number, seed)
    words = game_words(game.name, "en", BOT_NAMES[: game.players])
    judged = Judge(game, words, games, fresh)
    plies = sorted((ply, seat) for seat in range(game.players) for ply in decision_plies(match, seat))
    rows = [judged.decision(match, ply, seat) for ply, seat in plies]
    for row in moments(rows):
        row["comment"] = True
        match.go(row["ply"])
        row["why"] = judged.reasons(match, row)
    match.go(match.length)
    told = [words.words(each) for each in match.facts(-1)]
    fates = [words.words(text) for text in match.view(-1).outcome_texts]
    about = {"game": game.name, "players": game.players, "number": number, "seed": seed, "games": games, "fresh": fresh}
    about |= {"bot": "best", "resolved": resolved("best", game), "returns": list(match.returns())}
    about |= {"policy": policy_of(game, game.driver(None).backend)}
    return about | {"fates": fates, "told": told, "decisions": rows}


class Judge:
    """Compares the moves at decisions of a match."""

    def __init__(self, game: Game, words: Catalogue, games: int, fresh: int) -> None:
        backend = game.driver(None).backend
        self.game, self.words, self.worlds, self.fresh = game, words, max(2, games // TRIED), fresh
        self._proposing, self._easy = adviser(game, 0, backend, games), bot(EASY, game, 0)
        self._first, self._again = evaluator(game, backend), evaluator(game, backend, AGAIN)
        self._endings = Endings(game, backend, REASONS)
        self._errors = errors(game, policy_of(game, backend))

    def decision(self, match: Match, ply: int, seat: int) -> Row:
        """A decision: the move that was made, then others, with what they bring.

        `first`, `differs`: of each other move, how much less it brings, and half the 95 % interval, None where that is
        exact; by the first judgement, which chooses what is told, and by the second. `easy`: which of them the easy bot
        would make. `wrong`: of each move, how much too much hints say of such moves, as it was measured.
        """
        match.go(ply)
        known, made = match.concealed(seat), match.event(ply).id
        others = [each.action for each in self._proposing.candidates(known, seat, 0) if each.action != made]
        easy = self._easy.choose(known, seat)
        tried = list(dict.fromkeys([made, *others[: TRIED - 1], easy]))
        found = [
            by.evaluate(known, seat, sorted(tried), worlds)
            for by, worlds in ((self._first, self.worlds), (self._again, self.fresh))
        ]
        labels = {move.id: self.words.words(move.label) for move in match.legal(seat)}
        names = [match.rules.ACTIONS[action] for action in tried]
        told = len(match.facts(-1))
        row = {
            "ply": ply,
            "seat": seat,
            "legal": len(labels),
            "actions": names,
            "moves": [labels[action] for action in tried],
            "values": [found[1].value(action) for action in tried],
            "first": [found[0].difference(made, action) for action in tried[1:]],
            "differs": [found[1].difference(made, action) for action in tried[1:]],
            "easy": tried.index(easy),
            "scale": self.game.measure.scale,
            "wrong": [self._errors.get(name.split()[0], 0.0) for name in names],
        } | self.position(match, seat, tried)
        match.go(ply + 1)
        return row | {"told": [told, len(match.facts(-1))]}

    def position(self, match: Match, seat: int, tried: Sequence[int]) -> Row:
        """What the seat sees, and a fact of each move."""
        known, names = match.concealed(seat), BOT_NAMES[: self.game.players]
        struct, worlds = match.driver.proxy(memoryview(bytearray(known))), Worlds(match.game, known, seat)
        facts = [match.game.hints.because(struct, seat, action, worlds) for action in tried]
        lines = POSITIONS[self.game.name](self.words, match.view(seat), struct, seat, names)
        return {
            "position": " ".join(filter(None, lines)),
            "facts": [self.words.words(fact) if fact else "" for fact in facts],
        }

    def reasons(self, match: Match, row: Row) -> list[Row]:
        """What differs in games that are played on after the move that was made, and after the other.

        `chosen` and `other` are means, `speaks` is 1 for what speaks for the move that was made, else -1.
        """
        seat, at = row["seat"], focus(row)
        there = facets(self.game.name, seat, BOT_NAMES[: self.game.players])
        if not there:
            return []
        known = match.concealed(seat)
        actions = [match.rules.ACTIONS.index(row["actions"][k]) for k in (0, at)]
        ends = self._endings.structs(known, seat, actions, self.fresh)
        struct = match.driver.proxy(memoryview(bytearray(known)))
        found = [reason(each, [np.asarray(each.of(end, struct), float) for end in ends]) for each in there]
        return [each for each in found if each]


def reason(facet: Facet, samples: Sequence[np.ndarray]) -> Row:
    """How a facet differs between the ends of games after two moves; empty where that isn't sure, or little."""
    change = samples[0] - samples[1]
    gap, error = float(change.mean()), float(change.std(ddof=1) / len(change) ** 0.5)
    if abs(gap) < LEAST[facet.amount] or abs(gap) < SURE * error:
        return {}
    means = [float(each.mean()) for each in samples]
    return {
        "text": facet.text,
        "chosen": means[0],
        "other": means[1],
        "speaks": facet.good if gap > 0 else -facet.good,
        "sure": abs(gap) / max(error, 1e-9),
    }


def errors(game: Game, policy: str) -> dict[str, float]:
    """How much too much hints say of each kind of move, in people's units; nothing where nobody has measured it."""
    for each in calibrated(game):
        if each["players"] == game.players and each["by"] == policy:
            return {kind: figures[1] - figures[2] for kind, figures in each["kinds"].items()}
    return {}


# --- what is made -----------------------------------------------------------------------------------------------------
def make(name: str, players: int, number: int, seed: int, games: int, fresh: int) -> None:
    """Play and analyse a match, and keep it."""
    warm(name)
    game = hexdeck.game(name, players)
    found = analysed(game, number, seed, games, fresh)
    there = kept() | {f"{game.name} {game.players} {number}": found}
    lines = [f"{json.dumps(each)}: {json.dumps(there[each])}" for each in sorted(there)]
    write_atomically(DATA, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def main() -> None:
    """Make a match, or those that are kept again; and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("--players", type=int)
    parser.add_argument("--number", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--fresh", type=int, default=1500)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if options.again:
        for each in kept().values():
            if options.game in {None, each["game"]}:
                make(each["game"], each["players"], each["number"], each["seed"], options.games, options.fresh)
    elif not options.page:
        make(options.game, options.players, options.number, options.seed, options.games, options.fresh)
    write_atomically(PAGE, page(kept()).encode())


if __name__ == "__main__":
    main()
