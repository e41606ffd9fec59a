"""Wolf-Man's Curse: the end as scenes, one after another."""

import pytest

from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import NOW, Match
from hexdeck.engine.play.score import headlines
from hexdeck.engine.text import Catalogue
from hexdeck.games.wolf_mans_curse import rules
from tests.steps import after, seen
from tests.support import play, stage

NAME = "wolf-mans-curse"
NAMES = "Ada", "Bob", "Cleo", "Dirk", "Eva"
Sheet = tuple[int, int, int, int]  # points of a seat: clubs, spades, hearts, diamonds


def before_the_end(*sheet: Sheet, queen: int = 0, joker: bool = False, **options: object) -> tuple[Match, str]:
    """A match that is to end with these points, and its last event; who holds the queen of hearts."""
    low = iter(f"{rank}d" for rank in range(2, 10))
    cards = ["10d" if p == queen else next(low) for p in range(len(sheet))]
    match = stage(
        NAME, len(sheet), *(f"card {card}" for card in cards), hand_cards=1, nights=1, queen_month=1, **options
    )
    play(match, "face Qh")
    for p, row in enumerate(sheet):
        for suit, number in enumerate(row):
            match.struct.points[p, suit] = number
    match.struct.points[queen, rules.DIAMONDS] -= len(sheet)  # those of this night
    match.struct.jokers[queen] = int(joker)
    match.load_position(raw(match.rows)[NOW].copy())
    *others, last = (f"{p}: play {card}" for p, card in enumerate(cards))
    return play(match, *others), last


def ended(*sheet: Sheet, seat: int = -1, **options: object) -> str:
    match, last = before_the_end(*sheet, **options)
    return "\n".join(after(match, last, seat=seat).split("\n")[4:])


SHEET: tuple[Sheet, ...] = ((9, 0, 0, 9), (0, 7, 1, 8), (1, 2, 3, 7), (1, 1, 0, 4), (0, 0, 0, 5))


@seen
def test_the_mob_the_yard_the_innocent_and_the_richest_of_them() -> str:
    return ended(*SHEET)


def so_far(*sheet: Sheet, **options: object) -> dict[str, str]:
    """What is shown, while the last night is played, of how seats would end."""
    match, _last = before_the_end(*sheet, **options)
    return {zone.id: str(zone.note or zone.count) for zone in match.view(-1).zones if zone.part == "so far"}


def test_each_seat_shows_how_it_would_end_now_and_by_which_number() -> None:
    assert so_far(*SHEET) == {
        "clubs-0": "9",
        "fate-0": "lynched",
        "spades-1": "7",
        "fate-1": "hanged",
        "diamonds-4": "5",
        "fate-4": "winner",
    }
    assert so_far((0, 3, 0, 9), (0, 2, 0, 2), (0, 2, 0, 2), joker=True) == {"diamonds-0": "6", "fate-0": "winner"}
    match, last = before_the_end(*SHEET)
    play(match, last)
    assert not [zone for zone in match.view(-1).zones if zone.id == "clubs"]


@seen
def test_one_is_told_ones_own_lynching_hanging_and_win() -> str:
    return "\n".join(ended(*SHEET, seat=seat).split("\n")[scene] for seat, scene in ((0, 0), (1, 1), (4, 3)))


@seen
def test_nobody_is_lynched_or_hanged_yet_the_columns_are_looked_at() -> str:
    return ended((0, 3, 0, 9), (0, 2, 0, 2), (0, 2, 0, 2))


@seen
def test_a_bullet_kills_whoever_has_the_queen_of_hearts_and_a_joker() -> str:
    return ended((1, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), (0, 0, 4, 2), joker=True)


@seen
def test_a_bullet_may_come_before_the_mob() -> str:
    return ended((1, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), (0, 0, 4, 2), joker=True, release="before").split("\n")[0]


@seen
def test_the_silver_bullet_is_faster_than_the_mob() -> str:
    return ended((9, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), joker=True, seat=0)


@seen
def test_nobody_is_left_to_win_and_nobody_is_stamped() -> str:
    return ended((9, 0, 0, 9), (0, 3, 1, 5), (0, 3, 7, 2))


@seen
def test_winners_who_share_are_lit_together_while_each_is_named() -> str:
    return ended((9, 0, 0, 9), (0, 1, 0, 5), (0, 0, 0, 5))


# --- the headline -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sheet", "headline"),
    [
        (
            ((9, 0, 0, 9), (0, 0, 0, 4), (0, 0, 0, 7), (0, 0, 3, 9)),
            ("Cleo wins by 3 diamonds!", "Cleo is the richest innocent survivor."),
        ),
        (((9, 0, 0, 9), (0, 0, 0, 4), (0, 0, 3, 9)), ("Bob wins!", "Bob is the only innocent survivor.")),
        (
            ((9, 0, 0, 9), (0, 0, 1, 4), (0, 0, 3, 5)),
            ("Cleo wins by 1 diamond!", "No survivor is innocent, and Cleo is the richest."),
        ),
        (((9, 0, 0, 9), (0, 9, 1, 4), (0, 0, 3, 5)), ("Cleo wins!", "Cleo is the only survivor.")),
        (((9, 0, 0, 9), (0, 0, 0, 4), (0, 0, 0, 4)), ("Bob and Cleo share the win!",)),
        (((9, 0, 0, 9), (0, 9, 1, 4), (0, 9, 3, 5)), ("Nobody has won.",)),
    ],
)
def test_the_headline_says_why_somebody_won(sheet: tuple[Sheet, ...], headline: tuple[str, ...]) -> None:
    match = play(*before_the_end(*sheet))
    words = Catalogue("en", names=NAMES).words
    assert tuple(map(words, headlines(match, -1))) == headline
    winner = match.returns().index(max(match.returns()))
    if len(headline) > 1:
        theirs = [words(text) for text in headlines(match, winner)]
        assert theirs[0].startswith("You win") and ("You are" in theirs[1] or "you are" in theirs[1])
