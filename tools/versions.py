"""`python tools/versions.py "what has changed"`: add a version to the environments that differ from their newest one.

Without words it only prints which differ. Where only the kinds of fingerprints have changed, it writes the new kinds.
They are hashes of the names of actions and of chance's outcomes, the layout of observations, matches with every number
of players and every option, information states as text, and how the house bot plays.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from typing import Any

from hexdeck.engine.discovery.finding import game_folder, game_names
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import Choice, Deck, Number, Numbers, Option, Switch
from hexdeck.envs import FILE, history
from hexdeck.envs.histories import workspace
from hexdeck.simulation.game import Game, game

PLAYS = 3  # matches of each variant in a fingerprint
NEAR = 8  # values of a numeric option that are tried until one can be played
OPPONENTS = 20  # matches between house bots in a fingerprint


def fingerprints(usual: Game) -> dict[str, str]:
    """Hashes of everything that a learner could notice."""
    rules = usual.rules
    return {
        "actions": digest(repr(rules.ACTIONS)),
        "outcomes": digest(repr(rules.OUTCOMES)),
        "observations": digest(repr(rules.SLICES)),
        "matches": digest("".join(play(chosen, number) for chosen in variants(usual) for number in range(PLAYS))),
        "words": digest("".join(words(chosen) for chosen in by_players(usual))),
        "opponents": digest("".join(opponents(chosen) for chosen in by_players(usual))),
    }


def by_players(usual: Game) -> list[Game]:
    """A game with each number of players."""
    low, high = usual.rules.PLAYERS
    return [usual.variant(players) for players in range(low, high + 1)]


def variants(usual: Game) -> list[Game]:
    """A game with each number of players, and with other values of each option: alone, or with one that they need."""
    options = usual.rules.OPTIONS
    changes = [[{option.name: value} for value in values] for option in options for values in others(option)]
    games = (next(changed_games(usual, k, changes), None) for k in range(len(changes)))
    return [*by_players(usual), *filter(None, games)]


def changed_games(usual: Game, k: int, changes: list[list[dict[str, Any]]]) -> Iterator[Game]:
    """The playable games with one of the k-th changes, alone or with another change."""
    low, high = usual.rules.PLAYERS
    counts = [low + (k + j) % (high + 1 - low) for j in range(high + 1 - low)]
    companions = [{}, *(companion[0] for companion in changes if companion[0].keys() != changes[k][0].keys())]
    games = (
        possible(usual, n, companion | change) for companion in companions for change in changes[k] for n in counts
    )
    yield from filter(None, games)


def others(option: Option) -> list[list[Any]]:
    """Values of an option other than the default, in lists of alternatives: of a number, larger and smaller ones."""
    if isinstance(option, Number):
        up, down = range(option.default + 1, option.high + 1), range(option.default - 1, option.low - 1, -1)
        return [list(values[:NEAR]) for values in (up, down) if values]
    if isinstance(option, Choice):
        return [[value] for value in option.values if value != option.default]
    if isinstance(option, Switch):
        return [[not option.default]]
    if isinstance(option, Numbers):
        return [list(near(option))]
    return [[value] for value, _ in option.named if value != option.default] if isinstance(option, Deck) else [["0"]]


def near(option: Numbers) -> Iterator[str]:
    """An option's default list of numbers with one of them changed by 1, the last first."""
    numbers = option.plain(option.default)
    for k in reversed(range(len(numbers))):
        for value in (numbers[k] - 1, numbers[k] + 1):
            if option.low <= value <= option.high:
                yield "-".join(map(str, [*numbers[:k], value, *numbers[k + 1 :]]))


def possible(usual: Game, players: int, options: dict[str, Any]) -> Game | None:
    """A variant of a game, or None where players and options don't go together."""
    try:
        return usual.variant(players, **options)
    except BadOption:
        return None


def play(chosen: Game, number: int) -> str:
    """A random match as text: every observation, event and result."""
    match, dice, lines = chosen.match(seed=0, number=number), random.Random(number), []
    while not match.over:
        seat = match.actor
        ids = match.legal_ids(seat)
        lines.append(f"{seat} {match.observation(seat).tobytes().hex()} {ids}")
        match.play(seat, ids[int(dice.random() * len(ids))])
    lines.append(repr((chosen.players, match.events, match.returns(), match.ending)))
    return "\n".join(lines)


def words(chosen: Game) -> str:
    """The information states of all seats at the end of a random match, as text."""
    past, dice = workspace(chosen).root, random.Random(chosen.players)
    while not past.over:
        past = past.child(past.choices[int(dice.random() * len(past.choices))])
    return "\n\n".join(past.information_state(seat) for seat in range(chosen.players))


def opponents(chosen: Game) -> str:
    """The results and lengths of some matches between house bots, as text."""
    played = chosen.simulate(OPPONENTS, "house", seed=0)
    return repr((played.returns.tolist(), played.moves.tolist(), played.chances.tolist()))


def digest(text: str) -> str:
    """A short hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def known(name: str) -> list[dict[str, object]]:
    """The versions in a game's file, none if there is no file."""
    return history(name) if (game_folder(name) / FILE).exists() else []


def written(versions: list[dict[str, object]]) -> str:
    """The text of the file that holds these versions."""
    return "\n".join(
        "[[version]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in version.items())
        for version in versions
    )


def same(newest: dict[str, object], now: dict[str, str]) -> bool:
    """Whether all fingerprints agree, of the kinds that are still made."""
    return all(newest.get(key, value) == value for key, value in now.items())


def main(changes: str) -> None:
    """Print which environments differ, and add versions where the changes are given in words."""
    for name in game_names():
        versions, now = known(name), fingerprints(game(name))
        about: dict[str, object] = {key: versions[-1][key] for key in ("number", "changes")} if versions else {}
        if versions and versions[-1] == about | now:
            continue
        if versions and same(versions[-1], now):
            versions[-1] = about | now
        else:
            print(f"{name} differs from version {len(versions) - 1}")
            versions.append({"number": len(versions), "changes": changes, **now})
            if not changes:
                continue
        (game_folder(name) / FILE).write_text(written(versions), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("changes", nargs="?", default="", help="what has changed, in a sentence")
    main(parser.parse_args().changes)
