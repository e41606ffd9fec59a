"""Lessons for a first match of Black Hearts: advice on each kind of decision, made from the position."""

from hexdeck.engine.play.coach import Course, Lesson, leading
from hexdeck.engine.text import Seat, say, say_n
from hexdeck.games.black_hearts import rules, table
from hexdeck.games.black_hearts.rules import NONE, SORT
from hexdeck.games.black_hearts.table import in_curse_points

AIM = say(
    "Win as few curse points as you can: the lowest total wins. Or win all Curse cards in one round: that wins the "
    "match at once."
)


def _curses(s, seat):
    return [kind for kind in range(SORT) if s.hand[seat, kind]]


def _pass(s, seat):
    curses = _curses(s, seat)
    have = say_n(
        "You hold the Curse card {cards}.",
        "You hold the Curse cards {cards}.",
        len(curses),
        cards=table.card_names(s, *curses),
    )
    none = say("You hold no Curse card.")
    return Lesson(
        say("Passing two cards"),
        say(
            "Choose two cards to pass to {left}. You see what {right} passes to you once everyone has chosen.",
            left=Seat((seat + 1) % s.seats),
            right=Seat((seat - 1) % s.seats),
        ),
        say(
            "{fact} Usually the highest number wins a trick: high cards win what you don't want.",
            fact=have if curses else none,
        ),
        say(
            "What you get may be worse. Whoever then holds {card}, Two o'clock, leads the first trick with it.",
            card=table.card_names(s, rules.two_oclock(s)),
        ),
    )


def _gift(s):
    """What the Gift card in force changes about who wins a trick."""
    usual = say("The highest number wins the trick; if tied, the one played last.")
    return usual if s.gift == NONE else say("This round's gift: {effect}.", effect=table.in_force(s))


def _lead(s, seat):
    curses = _curses(s, seat)
    have = say("Get rid of your Curse cards: {cards}.", cards=table.card_names(s, *curses))
    return Lesson(
        say("Leading"),
        say("You lead: play any card. The others may also play any card."),
        say("{gift} {fact}", gift=_gift(s), fact=have) if curses else _gift(s),
        say("If your card wins the trick, all Curse cards in it are yours, and you lead again."),
    )


def _follow(s, _seat):
    trick = table.in_trick(s)
    points = sum(s.curse_points[kind] for kind in trick if kind < SORT)
    return Lesson(
        say("Following"),
        say("Play any card: you never have to follow suit."),
        say("{gift} On the table: {cards}.", gift=_gift(s), cards=table.card_names(s, *trick)),
        say("Whoever wins the trick wins its Curse cards: {points} so far.", points=in_curse_points(points)),
    )


LESSONS = {
    (rules.PASS, "pass", ""): _pass,
    (rules.PLAY, "play", "lead"): _lead,
    (rules.PLAY, "play", "follow"): _follow,
}


def scored(s, _seat):
    """BH-11, BH-12: what ended the game, and everybody's total."""
    line = say("A total has reached 13: the match is over, and the lowest total wins.")
    if s.ending == rules.ALL_CURSES:
        line = say("All Curse cards in one round: that wins, whatever the totals.")
    totals = [say("{seat}: {points}.", points=in_curse_points(s.total[p]), seat=Seat(p)) for p in range(s.seats)]
    return [line, *totals]


COURSE = Course(AIM, LESSONS, scored, leading(rules.PLAY))
