"""Wolf-Man's Curse on paper."""

from hexdeck.engine.cards import STANDARD
from hexdeck.engine.rulebook import PaperScores, Printed, PrintedCard
from hexdeck.engine.text import say
from hexdeck.games.wolf_mans_curse.rules import FACES, JOKER, OPTIONS


def printed() -> Printed:
    """Its cards and its score sheet."""
    usual = {option.name: option.default for option in OPTIONS}
    faces = [int(count) for count in usual["faces"].split("-")]
    number_cards = [13 * suit + rank for suit in range(4) for rank in range(usual["ranks"])]
    face_cards = [13 * (k // 3) + 10 + k % 3 for k in range(FACES) if faces[k]]
    cards = [PrintedCard(f"card-{STANDARD[k]}") for k in sorted(number_cards + face_cards)]
    return Printed(
        (*cards, *[PrintedCard("card-Joker", faces[JOKER])] * bool(faces[JOKER])),
        PaperScores(say("Month"), 6, (say("clubs"), say("spades"), say("hearts"), say("diamonds"))),
    )
