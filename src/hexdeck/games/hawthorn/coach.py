"""Lessons for a first match of Hawthorn: advice on each kind of decision, made from the position."""

from hexdeck.engine.cards import RANKS
from hexdeck.engine.play.coach import Lesson, chip_results
from hexdeck.engine.text import Cards, say, say_n
from hexdeck.games.hawthorn import rules

AIM = say("The last one in takes the pot. Whoever gets a pair in the row is out and pays its rank; folding is cheaper.")


def _cards(ranks):
    return Cards(tuple(str(r + 1) for r in ranks))


def _row(s, seat):
    return [r for r in range(RANKS) if s.row[seat] >> r & 1]


def _price(s, seat):
    return min(rules.price(s, seat), s.purse[seat])


def _show(s, seat):
    held = [r for r in range(RANKS) if s.hand[seat, r]]
    return Lesson(
        say("The first card of your row"),
        say("Choose any card of your hand. All are turned up together; the lowest goes first."),
        say("A rank with few cards rarely pairs: there are {copies} of rank {low}, and {many} of rank {high}.",
            copies=s.deck[held[0]], low=held[0] + 1, many=s.deck[held[-1]], high=held[-1] + 1),
        say("The lowest card up is what folding costs. And whoever goes first takes the first card."),
    )  # fmt: skip


def _take(s, seat):
    row = _row(s, seat)
    most = min(row[-1] + 1, s.purse[seat])
    return Lesson(
        say("A deck round: take a card, or fold"),
        say_n("Take the top card of the deck onto your row, or fold for {n} chip.",
              "Take the top card of the deck onto your row, or fold for {n} chips.", _price(s, seat)),
        say_n("Stay in as long as a pair is unlikely: the pot holds {n} chip.",
              "Stay in as long as a pair is unlikely: the pot holds {n} chips.", s.pot),
        say_n("Your row is {cards}: another card like one of these puts you out and costs its rank, up to {n} chip.",
              "Your row is {cards}: another card like one of these puts you out and costs its rank, up to {n} chips.",
              most, cards=_cards(row)),
    )  # fmt: skip


def _play(s, seat):
    row = _row(s, seat)
    safe = [r for r in range(RANKS) if s.hand[seat, r] and r not in row]
    why = say("Here you choose the card yourself. No pair: {cards}.", cards=_cards(safe))
    none = say("Here you choose the card yourself, but every card of your hand makes a pair.")
    return Lesson(
        say("A hand round: play a card, or fold"),
        say_n("Play any card of your hand onto your row, or fold for {n} chip.",
              "Play any card of your hand onto your row, or fold for {n} chips.", _price(s, seat)),
        why if safe else none,
        say("A high card in the row pairs more easily in the next deck round. A low one makes folding cheap."),
    )  # fmt: skip


LESSONS = {
    (rules.CHOOSE, "show", ""): _show,
    (rules.TURN, "fold take", ""): _take,
    (rules.TURN, "fold play", ""): _play,
}


def scored(s, _seat):
    """HT-12 to HT-14: everybody's chips."""
    ending = say("The last one in took the pot; the others paid into it, for folding or for a pair. Most chips win.")
    return [ending, *chip_results([s.purse[p] for p in range(s.seats)], s.chips)]
