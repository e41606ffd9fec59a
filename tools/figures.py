"""How often everything happens in a game: chance's outcomes, moves, endings, and numbers that the struct keeps.

`python tools/figures.py GAME [--players N] [--games N] [--bots random|house] [--field NAME …]` plays whole matches and
prints, per match, how often each outcome and each kind of move came; for each field of the struct named, its mean at
the end; and how often each outcome text was shown.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

import numpy as np

import hexdeck
from hexdeck.bots.players.roster import bot
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match


def played(game: hexdeck.Game, name: str, seed: int, number: int) -> Match:
    """A whole match between bots of one name."""
    match = game.match(seed, number=number)
    bots = [bot(name, game, (seed << 32) + number * game.players + seat) for seat in range(game.players)]
    while not match.over:
        seat = match.acting[0]
        match.play(seat, bots[seat].choose(match.concealed(seat), seat))
    return match


FEW = 8  # names of a kind that are counted one by one


def kinds(names: Sequence[str]) -> dict[str, str]:
    """What each event is counted as: itself where there are few names of its kind, else its first word."""
    first = {name: name.split(maxsplit=1)[0] for name in names}
    sizes = Counter(first.values())
    return {name: name if sizes[word] <= FEW else word for name, word in first.items()}


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--bots", default="house")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--field", nargs="*", default=[], help="fields of the struct")
    options = parser.parse_args()
    game = hexdeck.game(options.game, options.players)
    rules = game.rules
    kind = kinds((*rules.ACTIONS, *rules.OUTCOMES))
    happened, endings, outcomes = Counter[str](), Counter[str](), Counter[str]()
    sums = {name: np.zeros(rules.STRUCT[name].shape) for name in options.field}
    for number in range(options.games):
        match = played(game, options.bots, options.seed, number)
        happened.update(kind[event.name] for event in match.events)
        endings[match.ending] += 1
        outcomes.update(text.key for text in match.view(-1).outcome_texts)
        struct = raw(match.rows)[0].view(rules.STRUCT)[0]
        for name in options.field:
            sums[name] = sums[name] + struct[name]
    print(f"{game.name}, {game.players} players, {options.games} games, {options.bots}; per game:")
    for title, counter in (("happened", happened), ("endings", endings), ("outcomes", outcomes)):
        for name, count in counter.most_common():
            print(f"  {title}: {name}  {count / options.games:.4f}")
    for name, total in sums.items():
        print(f"  {name}: {np.round(total / options.games, 4).tolist()}")


if __name__ == "__main__":
    main()
