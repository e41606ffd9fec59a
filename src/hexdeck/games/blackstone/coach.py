"""Lessons for a first match of Blackstone: advice on each kind of decision, made from the position."""

from hexdeck.engine.play.coach import Lesson, chip_results
from hexdeck.engine.text import say, say_n
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.rules import STAKE, TEN

AIM = say(
    "A 10 is a black stone, every other card a white one. Whoever turns a second black stone pays; "
    "those still in share the pot."
)


def _stake(s, _seat):
    together = say("Put down a stake of {stake} chips, or sit this round out. All show their choice together.",
                   stake=STAKE)  # fmt: skip
    at_once = say("Put down a stake of {stake} chips, or sit this round out. Everyone sees what you choose.",
                  stake=STAKE)  # fmt: skip
    return Lesson(
        say("In or out"),
        at_once if s.stakes == rules.OPEN else together,
        say_n("Only who stakes can get something of the pot; it holds {n} chip now.",
              "Only who stakes can get something of the pot; it holds {n} chips now.", s.pot),
        say("Who stakes may lose it, and a chip more for every white stone on the table."),
    )  # fmt: skip


def _odds(s):
    return say_n("{n} of the {cards} cards in the deck is a black stone.",
                 "{n} of the {cards} cards in the deck are black stones.", s.stock[TEN], cards=s.deck_left)  # fmt: skip


def _draw(s, seat):
    price, mine = rules.fold_price(s, seat), s.black[seat]
    have = say_n("You have {n} black stone.", "You have {n} black stones.", mine)
    return Lesson(
        say("Draw, or fold"),
        say_n("Draw {n} card or more, or fold for {price} chips.", "Draw {n} cards or more, or fold for {price} chips.",
              rules.cards_to_draw(s), price=price),
        say("Draw while a second black stone is unlikely: {odds} {have}", odds=_odds(s), have=have),
        say("Two black stones cost you {loss} chips, and one more for each white stone you turn. Folding gets dearer "
            "too, as white stones come.", loss=rules.loss(s, seat)),
    )  # fmt: skip


def _announce(s, seat):
    return Lesson(
        say("Name a number, or fold"),
        say_n("Name {n} card or more and draw exactly as many, or fold for {price} chips.",
              "Name {n} cards or more and draw exactly as many, or fold for {price} chips.", s.least,
              price=rules.fold_price(s, seat)),
        say("Who comes next must draw at least as many as you. {odds}", odds=_odds(s)),
        say("Two black stones cost you {loss} chips, and one more for each white stone you turn.",
            loss=rules.loss(s, seat)),
    )  # fmt: skip


def _more(s, seat):
    return Lesson(
        say("Stop, or draw on"),
        say_n("You have drawn {n} card, which is enough: stop, or draw one more.",
              "You have drawn {n} cards, which is enough: stop, or draw one more.", s.drawn),
        say("Who comes next must draw at least as many as you, so that a card more puts them in danger."),
        say("{odds} A second one before you costs {loss} chips and ends the round.", odds=_odds(s),
            loss=rules.loss(s, seat)),
    )  # fmt: skip


LESSONS = {
    (rules.STAKING, "sit stake", ""): _stake,
    (rules.TURN, "draw fold", ""): _draw,
    (rules.TURN, "announce fold", ""): _announce,
    (rules.MORE, "draw stop", ""): _more,
}

DECIDED = {
    rules.BLACK_STONE: say("A second black stone ended the round: it was paid for, and those still in shared the pot."),
    rules.LAST_IN: say("All others folded: the last one in took the pot."),
    rules.FEW_STAKES: say("Fewer than two stake, so nothing is played for."),
    rules.FEW_CAN: say("Fewer than two players can still stake: the session is over."),
}


def scored(s, _seat):
    """BS-10, BS-11, BS-13: everybody's chips."""
    return [DECIDED[s.ending], say("Most chips win."), *chip_results([s.purse[p] for p in range(s.seats)], s.chips)]
