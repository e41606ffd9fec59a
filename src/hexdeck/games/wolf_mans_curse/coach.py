"""Lessons for a first match of Wolf-Man's Curse: advice on each kind of decision, made from the position."""

from hexdeck.engine.backends.interpreted import marking_class
from hexdeck.engine.options import listed
from hexdeck.engine.play.coach import Course, Lesson, leading
from hexdeck.engine.play.story import stop_of
from hexdeck.engine.text import Cards, Seat, _, in_points, say
from hexdeck.games.wolf_mans_curse import rules, table
from hexdeck.games.wolf_mans_curse.rules import CARDS, JOKER, SUITS

AIM = say(
    "Most clubs: lynched. Then most spades, if you have a heart: hanged. Of the survivors, most diamonds wins; "
    "if any of them have no hearts, only those can win."
)


DOUBLED = (
    _("Tonight {suit} are twice as strong."),
    _("Tonight {suit} count twice."),
    _("Tonight {suit} are twice as strong, and count twice."),
)


def _prize(s):
    """What tonight's face card does, and what it is worth."""
    if s.face == JOKER:
        return say("Tonight's joker doubles nothing.")
    suit, points = table.SUIT[s.face // 3], rules.face_worth(s, s.face)
    first = say(DOUBLED[s.doubling], suit=suit)
    if not points:
        return first
    return say("{first} The face card is worth {points} in {suit}.", points=in_points(points), first=first, suit=suit)


def _sheet(s, seat):
    """A seat's points so far."""
    totals = [s.points[seat, k] + s.month[seat, k] for k in range(SUITS)]
    return listed([say("{suit} {points}", suit=table.SUIT[k], points=totals[k]) for k in range(SUITS)])


def _strongest(s, seat):
    hand = [k for k in range(CARDS) if s.hand[seat] >> k & 1]
    return Cards((rules.CODES[max(hand, key=lambda card: rules.strength(s, card))],))


def _risk(s, seat):
    text = _("Clubs bring the mob, spades the Yard; a single heart makes you guilty. Your points: {sheet}.")
    return say(text, sheet=_sheet(s, seat))


def _first_card(title, may, why):
    """The lesson where no card lies yet; `why` is a key with {prize} and with {card}, the strongest in hand."""
    return lambda s, seat: Lesson(title, may, say(why, prize=_prize(s), card=_strongest(s, seat)), _risk(s, seat))


_choose = _first_card(
    say("The first night of a month"),
    say("Choose a card. All are turned up together; the strongest wins them all, and the face card too."),
    _("{prize} Win diamonds and leave the rest to others. Your strongest card: {card}."),
)
_lead = _first_card(
    say("Leading"),
    say("You lead: play any card. The others may also play any card, and the strongest wins them all."),
    _("{prize} A weak card leaves tonight's cards to others. Your strongest card: {card}."),
)


def _follow(s, seat):
    ahead = rules.strongest(s)
    text = _("{prize} Strongest so far: {card}, played by {seat}. Beat it only if you want the cards on the table.")
    return Lesson(
        say("Following"),
        say("Play any card: you needn't follow suit. The strongest wins all of tonight's cards."),
        say(text, prize=_prize(s), card=Cards((rules.CODES[s.card[ahead]],)), seat=Seat(ahead)),
        _risk(s, seat),
    )


LESSONS = {
    (rules.CHOOSE, "play", ""): _choose,
    (rules.PLAY, "play", "lead"): _lead,
    (rules.PLAY, "play", "follow"): _follow,
}


def scored(s, seat):
    """WC-13 to WC-17: the score sheet, and the reckoning step by step."""
    lines = [say("{seat}: {points}.", seat=Seat(p), points=_sheet(s, p)) for p in range(s.seats)]
    again = marking_class(type(s))(memoryview(bytearray(s.row_)))
    again.lynched, again.hanged, again.released, again.winners, again.ending = 0, 0, 0, 0, 0
    rules.reckon(again)
    captions = (table.caption(stop_of(rules.STRUCT, mark), seat) for mark in again.stops_)
    return lines + [line for caption in captions for line in caption.lines]


COURSE = Course(AIM, LESSONS, scored, leading(rules.PLAY))
