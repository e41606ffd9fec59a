"""Lessons for a first match of Wolf-Man's Curse: advice on each kind of decision, made from the position."""

from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.text import Cards, Seat, _, say, say_n
from hexdeck.games.wolf_mans_curse import rules, table
from hexdeck.games.wolf_mans_curse.rules import CARDS, CLUBS, JOKER, NONE, SPADES, SUITS

AIM = say(
    "Most clubs: the mob lynches you. Then most spades, with a heart: the Yard hangs you. Of the survivors without "
    "hearts, the one with the most diamonds wins."
)


DOUBLED = (
    _("Tonight {suit} are twice as strong."),
    _("Tonight {suit} count twice."),
    _("Tonight {suit} are twice as strong, and count twice."),
)


def aspect(s, _seat):
    """Leading a night is taught apart from following."""
    if s.phase != rules.PLAY:
        return ""
    return "lead" if s.turn == s.leader else "follow"


def _prize(s):
    """What tonight's face card does, and what it is worth."""
    if s.face == JOKER:
        return say("Tonight's joker doubles nothing.")
    suit, points = table.SUIT[s.face // 3], rules.face_worth(s, s.face)
    first = say(DOUBLED[s.doubling], suit=suit)
    if not points:
        return first
    return say_n("{first} The card turned up counts {n} point of {suit}.",
                 "{first} The card turned up counts {n} points of {suit}.", points, first=first, suit=suit)  # fmt: skip


def _sheet(s, seat):
    """A seat's points so far."""
    points = [
        say("{suit} {points}", suit=table.SUIT[k], points=s.points[seat, k] + s.month[seat, k]) for k in range(SUITS)
    ]
    first, *more = points
    for text in more:
        first = say("{first}, {second}", first=first, second=text)
    return first


def _strongest(s, seat):
    hand = [k for k in range(CARDS) if s.hand[seat] >> k & 1]
    return Cards((rules.CODES[max(hand, key=lambda card: rules.strength(s, card))],))


def _risk(s, seat):
    text = _("With {clubs} and {spades} come the mob and the Yard; one heart makes you guilty. Your points: {sheet}.")
    return say(text, clubs=table.SUIT[CLUBS], spades=table.SUIT[SPADES], sheet=_sheet(s, seat))


def _choose(s, seat):
    return Lesson(
        say("The first night of a month"),
        say("Choose a card. All are turned up together; the strongest captures them all, and the card turned up."),
        say("{prize} Capture diamonds, leave the rest to others. The strongest in your hand: {card}.", prize=_prize(s),
            card=_strongest(s, seat)),
        _risk(s, seat),
    )  # fmt: skip


def _lead(s, seat):
    return Lesson(
        say("Leading a night"),
        say("You lead: play any card. The others follow with any card, and the strongest captures all."),
        say("{prize} A weak card leaves the night to others. The strongest in your hand: {card}.", prize=_prize(s),
            card=_strongest(s, seat)),
        _risk(s, seat),
    )  # fmt: skip


def _follow(s, seat):
    laid = [p for p in range(s.seats) if s.card[p] != NONE]
    ahead = max(laid, key=lambda p: rules.strength(s, s.card[p]))
    return Lesson(
        say("Following in a night"),
        say("Play any card: no suit must be followed. The strongest captures all of tonight's."),
        say("{prize} Strongest so far: {card} of {seat}. Play a stronger one only if you want what lies there.",
            prize=_prize(s), card=Cards((rules.CODES[s.card[ahead]],)), seat=Seat(ahead)),
        _risk(s, seat),
    )  # fmt: skip


LESSONS = {
    (rules.CHOOSE, "play", ""): _choose,
    (rules.PLAY, "play", "lead"): _lead,
    (rules.PLAY, "play", "follow"): _follow,
}


def scored(s, seat):
    """WC-13 to WC-17: the score sheet, and the reckoning step by step."""
    lines = [say("{seat}: {points}.", seat=Seat(p), points=_sheet(s, p)) for p in range(s.seats)]
    return lines + [fact.text for fact in table.narrate_reckoning(s) if fact.heard_by(seat)]
