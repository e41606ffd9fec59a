"""Lessons for a first match of Blackstone: advice on each kind of decision, made from the position."""

from hexdeck.engine.play.coach import Course, Lesson
from hexdeck.engine.text import _, in_cards, in_chips, say, say_n
from hexdeck.engine.view import chip_results
from hexdeck.games.blackstone import rules, table
from hexdeck.games.blackstone.rules import TEN

AIM = say(
    "A 10 is a black stone, every other card a white one. Whoever turns up a second black stone pays; those still in "
    "share the pot."
)


def _stake(s, seat):
    return Lesson(
        say("In or out"),
        table.prompt(s, seat),
        say("Only players who stake can win the pot, now {chips}.", chips=in_chips(s.pot)),
        say("If you stake, you can lose it, plus one chip for each white stone on the table."),
    )


def _odds(s):
    return say_n(
        "{n} of the {cards} cards in the deck is a black stone.",
        "{n} of the {cards} cards in the deck are black stones.",
        s.stock[TEN],
        cards=s.deck_left,
    )


def _draw(s, seat):
    price, mine = rules.fold_price(s, seat), s.black[seat]
    have = say_n("You have {n} black stone.", "You have {n} black stones.", mine)
    return Lesson(
        say("Draw, or fold"),
        _may(s, seat, say("Draw {cards} or more, or fold for {price} chips.", cards=in_cards(s.least), price=price)),
        say("Draw while a second black stone is unlikely: {odds} {have}", odds=_odds(s), have=have),
        say(
            "Two black stones cost you {loss} chips, plus one for each white stone you turn up. White stones make "
            "folding dearer too.",
            loss=rules.loss(s, seat),
        ),
    )


def _may(s, seat, drawing):
    """What the player may do; BS-12: of a deck that is too short, what the prompt says."""
    return drawing if s.deck_left >= s.least else table.prompt(s, seat)


def _announce(s, seat):
    announcing = say(
        "Announce {cards} or more and draw exactly that many, or fold for {price} chips.",
        cards=in_cards(s.least),
        price=rules.fold_price(s, seat),
    )
    text = _("Two black stones cost you {loss} chips, plus one for each white stone you turn up.")
    return Lesson(
        say("Announce a number, or fold"),
        _may(s, seat, announcing),
        say("The next player to draw must draw at least as many as you. {odds}", odds=_odds(s)),
        say(text, loss=rules.loss(s, seat)),
    )


def _stop_or_draw(s, seat):
    text = _("{odds} A second black stone in front of you costs {loss} chips and ends the round.")
    return Lesson(
        say("Stop, or draw another"),
        say("You have drawn {cards}, and that is enough: stop, or draw another.", cards=in_cards(s.drawn)),
        say("The next player to draw must draw at least as many as you: one more card makes it riskier for them."),
        say(text, odds=_odds(s), loss=rules.loss(s, seat)),
    )


LESSONS = {
    (rules.STAKING, "sit stake", ""): _stake,
    (rules.TURN, "draw fold", ""): _draw,
    (rules.TURN, "announce fold", ""): _announce,
    (rules.MORE, "draw stop", ""): _stop_or_draw,
}

DECIDED = {
    rules.BLACK_STONE: say(
        "A second black stone ended the round: that player paid, and those still in shared the pot."
    ),
    rules.LAST_IN: say("Everyone else folded: the last one in won the pot."),
    rules.FEW_STAKES: say("Fewer than two players stake: there is nothing to win this round."),
    rules.FEW_CAN: say("Fewer than two players can still stake: the match is over."),
}


def scored(s, _seat):
    """BS-10, BS-11, BS-13: everybody's chips."""
    return [
        DECIDED[s.ending],
        say("Whoever has the most chips wins."),
        *chip_results([s.purse[p] for p in range(s.seats)], s.chips),
    ]


COURSE = Course(AIM, LESSONS, scored)
