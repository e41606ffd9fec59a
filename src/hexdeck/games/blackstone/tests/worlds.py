"""Worlds of Blackstone (BS-15): nothing is hidden but who has secretly chosen to stake (BS-1, `sit_out`)."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from hexdeck.simulation.game import Game
from tests.worlds import deck_of

Fields = dict[str, Any]
STAKE = 5


def world(fields: Fields) -> int:
    return int(fields["staking"])


def worlds(known: Fields, seat: int) -> dict[int, Fraction]:
    """Who could choose and acts no more has chosen one or the other, equally likely."""
    secretly = known["sit_out"] and known["stakes"] == 0
    choosing = secretly and known["acting"] and not known["joined"]
    able = [p for p in range(known["seats"]) if known["purse"][p] >= STAKE and not known["acting"] >> p & 1]
    secret = [p for p in able if p != seat] if choosing else []
    made = product((0, 1), repeat=len(secret))
    chosen = [known["staking"] | sum(bit << p for p, bit in zip(secret, bits, strict=True)) for bits in made]
    return {bits: Fraction(1, len(chosen)) for bits in chosen}


# --- all cards and chips, for the test that none is ever made or lost ---
def everything(setting: Game) -> Counter[str]:
    """The deck's tens and its other cards, and everybody's chips (BS-1)."""
    *cards, tens = deck_of(setting).values()
    return Counter(cards=sum(cards), tens=tens, chips=setting.players * setting.options["chips"])


def one_more(struct: Any) -> None:
    struct.stock[3] += 1
