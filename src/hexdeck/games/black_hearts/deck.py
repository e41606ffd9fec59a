"""What is printed on the cards of Black Hearts as tables for the rules page: from cards.toml, written nowhere else."""

from collections import Counter
from types import SimpleNamespace

from hexdeck.engine.rulebook import Sheet
from hexdeck.engine.text import say
from hexdeck.games.black_hearts.table import GIFTS, code
from hexdeck.games.black_hearts.values import printed


def sheets() -> dict[str, Sheet]:
    """The tables by their names in the text: the curses and their points, all numbers, the gifts."""
    values = printed()
    curse, points, fixed, copies, gifts = (_numbers(values[name]) for name in (
        "curse_numbers", "curse_points", "fixed_numbers", "random_copies", "gift_copies"))  # fmt: skip
    cards = SimpleNamespace(number=[*curse, *[0] * (6 - len(curse))])
    named = [code(cards, kind) for kind in range(len(curse))]
    counts = Counter(curse), Counter(fixed)
    columns = range(1, 7)
    return {
        "curses": Sheet(((say("Curse card"), *named), (say("Points"), *points))),
        "numbers": Sheet((
            (say("Number"), *columns),
            (say("Curse cards, red"), *(counts[0][number] for number in columns)),
            (say("Fixed cards, blue"), *(counts[1][number] for number in columns)),
            (say("Random cards, white"), *copies),
        )),
        "gifts": Sheet(((say("Gift card"), say("How many")), *zip(GIFTS, gifts, strict=True))),
    }  # fmt: skip


def _numbers(joined: str) -> list[int]:
    return [int(number) for number in str(joined).split("-")]
