"""Positions of Black Hearts made by hand, and what is seen of them. Cards are called by their codes: C1, F2, R6."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import hexdeck
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import NOW, Match
from hexdeck.games.black_hearts import rules
from tests.positions import fields, redealt, zone
from tests.support import play

from . import worlds as oracle

NAME = "black-hearts"
ROOMY = "9-9-9-9-9-9"  # any hands can be dealt from it
CODES = tuple(f"{sort}{number}" for sort in "CFR" for number in range(1, 7))
OPENING = ("C1 F2 R3 R3 R6", "C2 C6 R1 R2 R4", "C3 C4 C5 R5 R6")  # three hands of a whole round


def kind(code: str) -> int:
    return CODES.index(code)


def card(code: str) -> str:
    return rules.NAMES[kind(code)]


def placed(hands: Sequence[str], trick: int, **options: Any) -> Match:
    """These hands, as they are in this trick; whatever isn't in them was not dealt."""
    options = {"gifts": False} | options
    match = hexdeck.game(NAME, len(hands), **options).match(by_hand=True, backend="interpreted")
    s = match.struct
    s.due, s.turn, s.trick = 0, rules.NONE, trick
    for p, hand in enumerate(hands):
        for code in hand.split():
            s.hand[p, kind(code)] += 1
            s.stock[kind(code)] -= 1
            s.held[p] += 1
    return match


def stand(match: Match) -> Match:
    match.load_position(raw(match.rows)[NOW].copy())
    return match


def dealt(*hands: str, **options: Any) -> Match:
    """These hands have been dealt: cards are to be passed."""
    match = placed(hands, 0, **options)
    match.struct.phase, match.struct.acting = rules.PASS, (1 << len(hands)) - 1
    return stand(match)


def passed(*hands: str, **options: Any) -> Match:
    """... and each has passed the first two cards of the hand."""
    match = dealt(*hands, **options)
    for p, hand in enumerate(hands):
        a, b = sorted(hand.split()[:2], key=kind)
        play(match, f"{p}: pass {card(a)} {card(b)}")
    return match


def leading(*hands: str, leader: int = 0, gift: str = "", **options: Any) -> Match:
    """With these hands a trick begins, the first of the round or one after the leader has won."""
    each = rules.hand_size(options.get("hand_cards", 0))
    match = placed(hands, each - len(hands[0].split()), **options)
    s = match.struct
    s.phase, s.leader, s.turn, s.acting = rules.PLAY, leader, leader, 1 << leader
    s.gift = rules.GIFTS.index(gift) if gift else rules.NONE
    if s.trick:
        s.winner[s.trick - 1] = leader
    return stand(match)


def lay(match: Match, cards: str) -> Match:
    """Whoever is on turn plays these cards, one each."""
    for code in cards.split():
        play(match, f"{match.actor}: play {card(code)}")
    return match


def winner(cards: str, gift: str = "", leader: int = 0, **options: Any) -> int:
    """Who wins a trick of these cards, led by this seat; seats are counted from the leader."""
    codes = cards.split()
    hands = [f"{codes[(p - leader) % len(codes)]} R4" for p in range(len(codes))]
    options = {"gifts": gift != "", "random_copies": ROOMY} | options
    match = lay(leading(*hands, leader=leader, gift=gift, **options), cards)
    assert match.acting == (match.struct.leader,) == (match.struct.winner[3],) and match.struct.trick == 4
    return (match.actor - leader) % len(codes)


def standing(match: Match, caught: Sequence[str], totals: Sequence[int]) -> Match:
    """These Curse cards were captured, and these are the totals."""
    for p, codes in enumerate(caught):
        match.struct.caught[p] = sum(1 << kind(code) for code in codes.split())
    for p, total in enumerate(totals):
        match.struct.total[p] = total
    return stand(match)


def last_trick(cards: str, caught: Sequence[str] = (), totals: Sequence[int] = (), **options: Any) -> Match:
    """The last trick has been played; before it these Curse cards were captured, and these were the totals."""
    match = leading(*cards.split(), **{"random_copies": ROOMY} | options)
    return lay(standing(match, caught, totals), cards)


def hands(match: Match) -> list[str]:
    return [" ".join(zone(match, p, f"hand-{p}").cards) for p in range(match.game.players)]


def hands_seen(match: Match, seat: int) -> list[tuple[str, int]]:
    """What a seat sees of each hand: known cards, and how many more."""
    zones = [zone(match, seat, f"hand-{p}") for p in range(match.game.players)]
    return [(" ".join(found.cards), found.hidden) for found in zones]


def caught(match: Match) -> list[str]:
    return [" ".join(zone(match, -1, f"caught-{p}").cards) for p in range(match.game.players)]


def totals(match: Match) -> list[int | None]:
    return [zone(match, -1, f"total-{p}").count for p in range(match.game.players)]


def reasons(match: Match, seat: int, *actions: str) -> list[int]:
    return [match.illegal_reason(seat, rules.ACTIONS.index(action)) for action in actions]


def listed(cells: Any) -> list[int]:
    return [cells[k] for k in range(cells.shape[0])]


def sent(match: Match, seat: int | None = None) -> list[str]:
    """Which of the cards that each seat passed are still known to be in the next hand: really, or to a seat."""
    known = fields(match.concealed(seat), rules.STRUCT)["sent"] if seat is not None else None
    s = match.struct
    pairs = known or [[s.sent[p, i] for i in range(2)] for p in range(6)]
    return [" ".join(CODES[k] for k in pair if k != rules.NONE) for pair in pairs][: match.game.players]


def assert_worlds(match: Match, seat: int) -> dict[Any, Fraction]:
    """`resample` makes exactly the worlds that the slow enumeration finds, as likely; returns them."""
    made = redealt(match, seat, lambda world: oracle.world(fields(world, rules.STRUCT)))
    assert made == oracle.worlds(fields(match.concealed(seat), rules.STRUCT), seat)
    return made
