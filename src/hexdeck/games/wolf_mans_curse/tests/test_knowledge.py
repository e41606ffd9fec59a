"""Wolf-Man's Curse: what a seat knows and is told (WC-19, WC-20)."""

from fractions import Fraction
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.games.wolf_mans_curse import rules
from tests.positions import assert_others_choose_again, fields, observations, observed, redealt, whole, zone
from tests.steps import seen
from tests.support import play, stage

from . import worlds as oracle

NAME = "wolf-mans-curse"
TINY: dict[str, Any] = {"ranks": 2, "hand_cards": 2, "nights": 2, "queen_month": 1}


def known(match: Match, seat: int) -> dict[str, Any]:
    return fields(match.concealed(seat), rules.STRUCT)


def cards(bits: int) -> list[str]:
    return [rules.CODES[k] for k in range(40) if bits >> k & 1]


def tiny(*events: str) -> Match:
    """Hands of two: seat 0 has Ac 2h, seat 1 2c Ad, seat 2 As 2d; left are 2s and Ah."""
    return stage(NAME, 3, "card Ac, card 2c, card As, card 2h, card Ad, card 2d", *events, **TINY)


def month(match: Match, *nights: str) -> Match:
    for text in nights:
        face, *played = text.split()
        play(match, f"face {face}")
        for card in played:
            play(match, f"{match.actor}: play {card}")
    return match


# --- what is hidden ---
@pytest.mark.rule("WC-19")
def test_hands_and_stock_are_one_to_others() -> None:
    match = tiny()
    mine = known(match, 1)
    assert [cards(bits) for bits in mine["hand"][:3]] == [[], ["2c", "Ad"], []]
    assert cards(mine["stock"]) == ["Ac", "As", "2s", "Ah", "2h", "2d"]
    public = known(match, -1)
    assert not any(public["hand"]) and public["stock"] == 0b11_0000000011_0000000011_0000000011
    assert [zone(match, 1, f"hand-{p}").count for p in range(3)] == [2, None, 2]
    assert zone(match, 1, "hand-1").cards == ("2c", "Ad") and zone(match, 0, "hand-1").cards == ()


@pytest.mark.rule("WC-19")
def test_while_cards_are_dealt_all_know_how_many() -> None:
    match = stage(NAME, 3, hand_cards=3)
    seen = []
    for card in ("Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"):
        seen.append([zone(match, -1, f"hand-{p}").count for p in range(3)])
        play(match, f"card {card}")
    assert seen == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [2, 2, 1], [2, 2, 2], [3, 2, 2], [3, 3, 2]]
    assert [zone(match, -1, f"hand-{p}").count for p in range(3)] == [3, 3, 3]


@pytest.mark.rule("WC-19")
def test_a_hand_shrinks_when_its_card_is_open() -> None:
    def held() -> list[int | None]:
        return [zone(match, -1, f"hand-{p}").count for p in range(3)]

    match = play(tiny(), "face Jd")
    assert held() == [2, 2, 2] and held() == [2, 2, 2]
    play(match, "0: play Ac, 1: play 2c")
    assert held() == [2, 2, 2]  # chosen, not yet open
    play(match, "2: play 2d")
    assert held() == [1, 1, 1]
    play(match, "face joker, 0: play 2h")
    assert held() == [0, 1, 1]
    play(match, "1: play Ad, 2: play As")
    assert held() == [0, 0, 0] and match.struct.deal == 2
    assert [cards(bits) for bits in known(match, 0)["hand"][:3]] == [[]] * 3


@pytest.mark.rule("WC-19")
def test_played_cards_are_known_and_unplayed_ones_never() -> None:
    match = month(tiny(), "Jd Ac 2c 2d")
    assert cards(known(match, 0)["stock"]) == ["As", "2s", "Ah", "Ad"]
    assert cards(known(match, 0)["trick"][0]) == ["Ac", "2c", "2d"]
    assert known(match, 0)["captor"] == [2, -1, -1, -1, -1] and known(match, 0)["prize"] == [9, -1, -1, -1, -1]
    play(match, "face joker, 0: play 2h")
    assert known(match, 1)["card"][:3] == [rules.CODES.index("2h"), -1, -1]
    assert cards(known(match, 1)["stock"]) == ["As", "2s", "Ah"]
    five = stage(NAME, 3, *(f"card {card}" for card in rules.CODES[:15]))
    month(five, "Jd Ac 2c 3c", "Kd 4c 5c 6c", "Ks 7c 8c 9c")
    assert five.struct.deal == 2 and whole(five) == five.concealed(0) == five.concealed(-1)


def assert_worlds(match: Match) -> None:
    """All seats and the public think possible what the rules let them, each world as likely as it is."""
    for seat in range(-1, match.game.players):
        made = redealt(match, seat, lambda w: oracle.world(fields(w, rules.STRUCT)), limit=200_000)
        assert made == oracle.worlds(known(match, seat), seat)


@pytest.mark.rule("WC-19")
def test_every_world_is_as_likely_as_it_is() -> None:
    for count in (0, 1, 4):
        assert_worlds(stage(NAME, 3, *["card Ac", "card 2h", "card 2c", "card Ad"][:count], **TINY))
    match = month(tiny(), "Jd Ac 2c 2d")
    assert_worlds(match)
    assert_worlds(play(match, "face joker"))
    assert_worlds(play(match, "0: play 2h"))
    assert_worlds(play(match, "1: play Ad"))


@pytest.mark.rule("WC-19", "WC-20")
@pytest.mark.parametrize("choices", ["", "0: play 2h", "2: play 2d, 0: play Ac"])
def test_a_secret_choice_may_be_any_card_of_the_hand(choices: str) -> None:
    match = play(tiny(), "face Jd", choices)
    made = redealt(match, 1, lambda w: oracle.world(fields(w, rules.STRUCT)))
    assert made == oracle.worlds(known(match, 1), 1)


@pytest.mark.rule("WC-20")
def test_a_choice_is_secret_until_all_have_chosen() -> None:
    match = play(tiny(), "face Jd, 2: play 2d, 0: play Ac")
    chosen = [known(match, p)["card"][:3] for p in (-1, 0, 1, 2)]
    assert chosen == [[-1, -1, -1], [0, -1, -1], [-1, -1, -1], [-1, -1, 31]] and match.acting == (1,)
    assert zone(match, 0, "hand-0").note is not None and zone(match, 2, "hand-0").note is None
    assert zone(match, 0, "tonight").cards == zone(match, -1, "tonight").cards == ()
    own = redealt(match, 0, lambda w: fields(w, rules.STRUCT)["card"][0])
    assert own == {0: 1}
    assert [str(text) for text in match.facts(1)[-2:]] == ["Seat 2 has chosen.", "Seat 0 has chosen."]
    assert [str(text) for text in match.facts(2)[-2:]] == ["You choose the 2d.", "Seat 0 has chosen."]
    play(match, "1: play Ad")
    said = [str(text) for text in match.facts(1)]
    assert "Seat 0 plays the Ac." in said and "You play the Ad." in said and "Seat 2 plays the 2d." in said
    assert zone(match, 0, "hand-0").note is None


@pytest.mark.rule("WC-20")
def test_the_card_held_back_is_as_unknown_as_the_card_chosen() -> None:
    match = play(tiny(), "face Jd, 2: play 2d")
    chosen = redealt(match, 1, lambda w: fields(w, rules.STRUCT)["card"][2], limit=5000)
    assert chosen is not None and set(chosen.values()) == {Fraction(1, 6)} and len(chosen) == 6
    other = play(tiny(), "face Jd, 2: play As")
    assert [match.concealed(p) for p in (-1, 0, 1)] == [other.concealed(p) for p in (-1, 0, 1)]
    assert match.key(2) != other.key(2) and match.key(0) == other.key(0)


# --- the history ---
@pytest.mark.rule("WC-20")
def test_what_happens_in_secret_does_not_enter_the_history() -> None:
    match = tiny()
    assert match.struct.history == 0
    one, other = play(tiny(), "face Jd, 0: play Ac"), play(tiny(), "face Jd, 0: play 2h")
    assert one.struct.history == other.struct.history != 0
    play(one, "1: play 2c, 2: play As")
    play(other, "1: play 2c, 2: play As")
    assert one.struct.history != other.struct.history


@pytest.mark.rule("WC-19")
def test_every_public_event_enters_the_history() -> None:
    match, seen = tiny(), {0}
    for event in ("face joker", "0: play Ac, 1: play 2c, 2: play As", "face Kc", "2: play 2d", "0: play 2h"):
        play(match, event)
        seen.add(match.struct.history)
    assert len(seen) == 6
    faces = {play(tiny(), f"face {face}").struct.history for face in ("Jc", "Qc", "Qh", "joker")}
    early = play(stage(NAME, 3, "card Ac, card 2c, card 3c", hand_cards=1, nights=1), "face Qh")
    assert len(faces) == 4 and early.struct.history in faces
    dealt = [f"card {card}" for card in ("Ac", "2c", "3c", "As", "2s", "3s", "Ah", "2h", "3h")]
    three = TINY | {"ranks": 3, "hand_cards": 3}
    played = [play(month(stage(NAME, 3, *dealt, **three), "Jd Ac 2c 3c"), f"face Kc, 0: play A{suit}") for suit in "sh"]
    assert played[0].struct.history != played[1].struct.history


@pytest.mark.rule("WC-20")
def test_the_choices_enter_the_history_in_seat_order() -> None:
    histories = {
        play(tiny(), "face Jd", order).struct.history
        for order in ("0: play Ac, 1: play 2c, 2: play As", "2: play As, 1: play 2c, 0: play Ac")
    }
    assert len(histories) == 1
    swapped = stage(NAME, 3, "card 2c, card Ac, card As, card 2h, card Ad, card 2d", **TINY)
    assert play(swapped, "face Jd, 0: play 2c, 1: play Ac, 2: play As").struct.history not in histories


# --- the observation ---
def ones(*at: int, size: int) -> list[int]:
    return [int(k in at) for k in range(size)]


def codes(*listed: str) -> list[int]:
    return [int(code in listed) for code in rules.CODES]


def pile(*gone: str, jokers: int = 2) -> list[int]:
    return [*(int(code not in gone) for code in rules.FACE_CODES[:12]), jokers]


@pytest.mark.rule("WC-19")
@seen
def test_an_observation_while_dealing_and_choosing() -> str:
    found = [observations(stage(NAME, 3, "card Ac, card 10d, card 4h, card 5s"), 0, -1)]
    found.append(observations(play(tiny(), "face Jd, 1: play Ad"), 1, 2, -1, 0))
    return "\n".join([*found, observations(play(tiny(), "face Jd, 0: play Ac"), 0)])


@pytest.mark.rule("WC-19")
@seen
def test_an_observation_of_a_later_night() -> str:
    match = month(tiny(), "Jd Ac 2c 2d")  # seat 2 captures: 2 clubs, 1 + 2 diamonds
    found = [observations(match, 1)]
    for events, seats in (("face joker, 0: play 2h", (2, 0)), ("1: play Ad", (-1,)), ("2: play As", (1,))):
        found.append(observations(play(match, events), *seats))
    return "\n".join(found)


@pytest.mark.rule("WC-19")
@seen
def test_an_observation_when_the_queen_is_laid_aside_and_at_the_end() -> str:
    match = play(stage(NAME, 3, "card Ac, card 2c, card 3c", hand_cards=1, nights=1), "face Qh")
    found = [observations(match, 1), observations(play(match, "face Jc"), 1)]
    return "\n".join([*found, observations(play(tiny(), "face Qh, 0: play Ac, 1: play 2c, 2: play As"), 0)])


@pytest.mark.rule("WC-19")
@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({}, [0, 0, 0, 0]),
        ({"doubling": "points"}, [1, 0, 0, 0]),
        ({"doubling": "both"}, [2, 0, 0, 0]),
        ({"queen_scores": True}, [0, 1, 0, 0]),
        ({"mob_ties": "none"}, [0, 0, 1, 0]),
        ({"release": "before"}, [0, 0, 0, 1]),
    ],
)
def test_an_observation_has_the_options(options: dict[str, Any], shown: list[int]) -> None:
    assert observed(stage(NAME, 3, **options), 1)["options"] == shown


@pytest.mark.rule("WC-19")
def test_many_points_are_cut_off_in_an_observation() -> None:
    match = stage(NAME, 8)
    for p, number in ((3, 127), (4, 128), (5, 300)):
        match.struct.points[p, rules.CLUBS] = number
    assert [observed(match, 0)["points"][4 * p] for p in (2, 3, 4, 5)] == [0, 127, 127, 127]
    assert [observed(match, 7)["points"][4 * p] for p in (4, 5, 6)] == [127, 127, 127]


# --- the table ---
def words(match: Match, seat: int, last: int) -> list[str]:
    return [str(text) for text in match.facts(seat)[-last:]]


@pytest.mark.rule("WC-12", "WC-19")
def test_what_is_told_of_a_last_night() -> None:
    match = tiny("face Qh, 0: play 2h, 1: play Ad, 2: play As")
    assert words(match, 0, 7) == [
        "Your card is strongest. You win As, 2h, Ad and Qh: spades 1, hearts 1, diamonds 1.",
        "Month 1 is over: the points are counted.",
        "You score spades 1, hearts 1, diamonds 1.",
        "Nobody has a club: there is no mob.",
        "You have the most spades, and hearts too: Scotland Yard hangs you.",
        "Seat 1 survives, innocent, and wins with 0 diamonds.",
        "Seat 2 survives, innocent, and wins with 0 diamonds.",
    ]
    assert "Night 1: the queen of hearts! She doubles hearts, and this night is the last." in words(match, 1, 20)
    assert [str(text) for text in match.view(2).outcome_texts] == [
        "was hanged by Scotland Yard",
        *["shared the win, innocent, with 0 diamonds"] * 2,
    ]


@pytest.mark.rule("WC-5", "WC-19")
def test_a_move_tells_its_strength_when_it_is_doubled() -> None:
    match = play(
        stage(NAME, 3, "card 7c, card Ah, card 2c, card 7s, card 10c, card 10h", **TINY | {"ranks": 10}), "face Jc"
    )
    assert zone(match, 0, "hand-0").tags == ("×2", "")
    labels = [[str(move.label) for move in match.legal(p)] for p in range(3)]
    assert labels == [
        ["Play the 7c, strength 14", "Play the 7s"],
        ["Play the 10c, strength 20", "Play the Ah"],
        ["Play the 2c, strength 4", "Play the 10h"],
    ]


@pytest.mark.rule("WC-19")
def test_the_table_shows_the_night() -> None:
    match = play(month(tiny(), "Jd Ac 2c 2d"), "face Kc, 0: play 2h")
    assert zone(match, 1, "face").cards == ("Kc",) and str(zone(match, 1, "face").note) == "doubles clubs"
    assert str(zone(match, 1, "tonight").note) == "winning: Seat 0" and zone(match, 1, "tonight").owners == (0,)
    assert zone(match, 1, "tonight").tags == ("",) and zone(match, 2, "hand-2").tags == ("",)
    assert zone(match, 1, "month").count == 1 and str(zone(match, 1, "month").note) == "night 2 of 2"
    play(match, "1: play Ad")
    assert str(zone(match, 1, "tonight").note) == "winning: Seat 0" and zone(match, 1, "tonight").winning == 0
    pile = zone(match, 1, "pile")  # face down; what it holds is known, but not the order
    assert (pile.cards, pile.hidden) == ((), 12) and str(pile.note).endswith("Kh, Qd, Kd, Joker and Joker")
    assert zone(match, 1, "captured-2-1").cards == ("Ac", "2c", "2d", "Jd")


@pytest.mark.rule("WC-20")
def test_choices_of_others_are_theirs_to_choose_again() -> None:
    assert_others_choose_again(hexdeck.game("wolf-mans-curse", 4).match(2), "card", 3)
