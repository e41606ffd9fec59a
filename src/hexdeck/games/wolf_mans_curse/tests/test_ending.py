"""Wolf-Man's Curse: the end as scenes, one after another."""

from collections.abc import Sequence

import pytest

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.match import NOW, Match
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Zone
from hexdeck.games.wolf_mans_curse import rules
from hexdeck.tables.model.headline import headlines
from tests.support import play, stage

NAME = "wolf-mans-curse"
NAMES = "Ada", "Bob", "Cleo", "Dirk", "Eva"
Sheet = tuple[int, int, int, int]  # points of a seat: clubs, spades, hearts, diamonds


def ended(*sheet: Sheet, queen: int = 0, joker: bool = False, seat: int = -1, **options: object) -> list[Beat]:
    """The last scenes, as a seat sees them, of a match that ends with these points."""
    return scenes(reckoned(*sheet, queen=queen, joker=joker, **options), seat)


def reckoned(*sheet: Sheet, queen: int = 0, joker: bool = False, **options: object) -> Match:
    """A match that ended with these points; who holds the queen of hearts."""
    low = iter(f"{rank}d" for rank in range(2, 10))
    cards = ["10d" if p == queen else next(low) for p in range(len(sheet))]
    match = stage(NAME, len(sheet), *(f"card {card}" for card in cards), hand_cards=1, nights=1, queen_month=1,
                  **options)  # fmt: skip
    play(match, "face Qh")
    for p, row in enumerate(sheet):
        for suit, number in enumerate(row):
            match.struct.points[p, suit] = number
    match.struct.points[queen, rules.DIAMONDS] -= len(sheet)  # those of this night
    match.struct.jokers[queen] = int(joker)
    match.load_position(raw(match.rows)[NOW].copy())
    play(match, *(f"{p}: play {card}" for p, card in enumerate(cards)))
    assert match.over
    return match


def scenes(match: Match, seat: int) -> list[Beat]:
    """What comes after the points, all with the same table but for the fates that are not known yet."""
    found = beats(match, seat, match.length - 1)
    assert [beat.cue for beat in found[:4]] == ["flip", "growl", "place", "chips"]
    at_last = match.view(seat).zones
    assert all(unmarked(beat.zones) == unmarked(at_last) for beat in found[3:])
    assert not fates(found[3]) and found[-1].zones == at_last
    assert len(fates(found[-1])) == match.view(seat).players
    return list(found[4:])


def unmarked(zones: Sequence[Zone]) -> list[Zone]:
    """The zones without those that tell a seat's fate."""
    return [zone for zone in zones if not zone.id.startswith("fate-")]


def fates(beat: Beat) -> dict[int, str]:
    """What is marked before each seat by then."""
    return {zone.seat: str(zone.note) for zone in beat.zones if zone.id.startswith("fate-") and zone.seat is not None}


def told(beat: Beat) -> str:
    assert beat.line is not None
    return Catalogue("en", names=NAMES).words(beat.line)


def seen(found: list[Beat]) -> list[tuple[str, int, tuple[str, ...], tuple[int, ...]]]:
    """The cue, the hold, the light and the seats of each beat."""
    return [(beat.cue, beat.hold, beat.light, beat.seats) for beat in found]


SHEET: tuple[Sheet, ...] = ((9, 0, 0, 9), (0, 7, 1, 8), (1, 2, 3, 7), (1, 1, 0, 4), (0, 0, 0, 5))


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_the_mob_the_yard_the_innocent_and_the_richest_of_them(seat: int) -> None:
    found = ended(*SHEET, seat=seat)
    assert seen(found) == [
        ("torches", 1800, ("clubs-0",), (0,)),
        ("rope", 1800, ("spades-1", "hearts-1"), (1,)),
        ("verdict", 1100, ("hearts-2", "hearts-3", "hearts-4"), (3, 4)),
        ("feast", 1800, ("diamonds-4",), (4,)),
    ]
    mob = "You have the most clubs: the angry mob lynches you."
    assert told(found[0]) == (mob if seat == 0 else "Ada has the most clubs: the angry mob lynches Ada.")
    assert told(found[1]) == "Bob has the most spades, and hearts too: Scotland Yard hangs Bob."
    assert told(found[2]) == "Innocent, without a heart: Dirk, Eva. The other survivors are guilty."
    assert told(found[3]) == "Eva survives, innocent, and wins with 5 diamonds."


def test_one_is_told_ones_own_win_and_hanging() -> None:
    assert told(ended(*SHEET, seat=4)[-1]) == "You survive, innocent, and win with 5 diamonds."
    hanged = ended(*SHEET, seat=1)[1]
    assert hanged.seats == (1,) and told(hanged).endswith("Scotland Yard hangs you.")


def test_nobody_is_lynched_or_hanged_yet_the_columns_are_looked_at() -> None:
    found = ended((0, 3, 0, 9), (0, 2, 0, 2), (0, 2, 0, 2))
    assert seen(found) == [
        ("torches", 1100, ("clubs-0", "clubs-1", "clubs-2"), ()),
        ("rope", 1100, tuple(f"{suit}-{p}" for p in range(3) for suit in ("spades", "hearts")), ()),
        ("verdict", 1100, ("hearts-0", "hearts-1", "hearts-2"), (0, 1, 2)),
        ("feast", 1800, ("diamonds-0",), (0,)),
    ]
    assert told(found[0]) == "Nobody has a club: there is no mob."
    assert told(found[2]) == "No survivor has a heart: all are innocent."


def test_a_bullet_kills_whoever_has_the_queen_of_hearts_and_a_joker() -> None:
    found = ended((1, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), (0, 0, 4, 2), queen=0, joker=True)
    assert [beat.cue for beat in found] == ["torches", "rope", "bullet", "verdict", "feast"]
    assert found[2].light == ("jokers-0", "queen-0") and found[2].seats == (0,) and found[2].hold == 1800
    assert told(found[2]) == "Ada holds the queen of hearts and a joker: her silver bullet kills Ada, who can't win."
    assert (
        found[3].light == ("hearts-3",)
        and found[3].seats == ()
        and told(found[3]) == "Every survivor has a heart: all are guilty."
    )
    first = ended((1, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), (0, 0, 4, 2), queen=0, joker=True, release="before")
    assert [beat.cue for beat in first] == ["bullet", "torches", "rope", "verdict", "feast"]


def test_the_silver_bullet_is_faster_than_the_mob() -> None:
    found = ended((9, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), queen=0, joker=True, seat=0)
    assert seen(found)[0] == ("bullet", 1800, ("jokers-0", "queen-0"), (0,))
    assert told(found[0]) == (
        "The angry mob comes for you, but your love's silver bullet is faster. You are dead and can't win."
    )


def test_nobody_is_left_to_win_and_nobody_is_stamped() -> None:
    found = ended((9, 0, 0, 9), (0, 3, 1, 5), (0, 3, 7, 2))
    assert [beat.cue for beat in found] == ["torches", "rope", "rope", "bad"]
    assert [beat.seats for beat in found] == [(0,), (1,), (2,), ()] and told(found[-1]) == "Nobody is left to win."


def test_winners_who_share_are_lit_together_while_each_is_named() -> None:
    found = ended((9, 0, 0, 9), (0, 1, 0, 5), (0, 0, 0, 5))
    assert seen(found)[-2:] == [
        ("feast", 1800, ("diamonds-1", "diamonds-2"), (1, 2)), ("feast", 600, ("diamonds-1", "diamonds-2"), (1, 2)),
    ]  # fmt: skip
    assert [fates(beat) for beat in found[-2:]] == [{0: "lynched", 1: "winner", 2: "winner"}] * 2


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_each_seat_is_marked_with_its_fate_from_its_scene_on(seat: int) -> None:
    mob, yard, verdict, feast = map(fates, ended(*SHEET, seat=seat))
    assert mob == {0: "lynched"} and yard == mob | {1: "hanged"}
    assert verdict == yard | {2: "guilty", 3: "innocent", 4: "innocent"} and feast == verdict | {4: "winner"}


def test_who_is_shot_is_marked_so_whoever_else_came_for_them() -> None:
    mobbed = ended((9, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), queen=0, joker=True)
    assert fates(mobbed[0]) == {0: "silver bullet"} and mobbed[-1].cue == "feast"
    first = ended((1, 1, 0, 9), (5, 0, 0, 3), (0, 4, 2, 3), (0, 0, 4, 2), queen=0, joker=True, release="before")
    assert list(fates(first[0]).values()) == ["silver bullet"] and len(fates(first[1])) == 2
    left = ended((9, 0, 0, 9), (0, 3, 1, 5), (0, 3, 7, 2))
    assert fates(left[-1]) == {0: "lynched", 1: "hanged", 2: "hanged"}


# --- the headline -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sheet", "headline"),
    [
        (((9, 0, 0, 9), (0, 0, 0, 4), (0, 0, 0, 7), (0, 0, 3, 9)),
         ("Cleo wins by 3 diamonds!", "Cleo is the richest innocent survivor.")),
        (((9, 0, 0, 9), (0, 0, 0, 4), (0, 0, 3, 9)), ("Bob wins!", "Bob is the only innocent survivor.")),
        (((9, 0, 0, 9), (0, 0, 1, 4), (0, 0, 3, 5)),
         ("Cleo wins by 1 diamond!", "No survivor is innocent, and Cleo is the richest.")),
        (((9, 0, 0, 9), (0, 9, 1, 4), (0, 0, 3, 5)), ("Cleo wins!", "Cleo is the only survivor.")),
        (((9, 0, 0, 9), (0, 0, 0, 4), (0, 0, 0, 4)), ("Bob and Cleo share the win.",)),
        (((9, 0, 0, 9), (0, 9, 1, 4), (0, 9, 3, 5)), ("Nobody has won.",)),
    ],
)  # fmt: skip
def test_the_headline_says_why_somebody_won(sheet: tuple[Sheet, ...], headline: tuple[str, ...]) -> None:
    match = reckoned(*sheet)
    words = Catalogue("en", names=NAMES).words
    assert tuple(map(words, headlines(match, -1))) == headline
    winner = match.returns().index(max(match.returns()))
    if len(headline) > 1:
        theirs = [words(text) for text in headlines(match, winner)]
        assert theirs[0].startswith("You win") and ("You are" in theirs[1] or "you are" in theirs[1])
