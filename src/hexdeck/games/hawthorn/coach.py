"""Lessons for a first match of Hawthorn: advice on each kind of decision, made from the position."""

from hexdeck.engine.cards import RANKS
from hexdeck.engine.play.coach import Course, Lesson
from hexdeck.engine.text import _, in_chips, say, say_n
from hexdeck.engine.view import chip_results, rank_cards
from hexdeck.games.hawthorn import rules, table

AIM = say(
    "The last one in wins the pot. A pair in your row puts you out and costs its number; folding never costs more."
)


def _row(s, seat):
    return [r for r in range(RANKS) if s.row[seat] >> r & 1]


def _price(s, seat):
    return rules.payment(s, seat, rules.price(s, seat))


def _show(s, seat):
    held = [r for r in range(RANKS) if s.hand[seat, r]]
    return Lesson(
        say("The first card of your row"),
        say("Choose a card from your hand. All are turned up together; the lowest goes first."),
        say(
            "Numbers with few cards seldom pair: of the {low}s the deck has {copies}, of the {high}s {many}.",
            copies=s.deck[held[0]],
            low=held[0] + 1,
            many=s.deck[held[-1]],
            high=held[-1] + 1,
        ),
        say(
            "Folding costs the lowest face-up card {whose}. Whoever goes first is the first to risk a pair.",
            whose=table.WORDS["own" if s.fold_price == rules.OWN else "table"],
        ),
    )


def _take(s, seat):
    row = _row(s, seat)
    worst = rules.payment(s, seat, rules.pair_price(row[-1]))
    text = _("Your row is {cards}: another card like one of these puts you out and costs its number, up to {chips}.")
    return Lesson(
        say("A deck round: take a card, or fold"),
        say("Take the top card of the deck for your row, or fold for {chips}.", chips=in_chips(_price(s, seat))),
        say_n(
            "Stay in as long as a pair is unlikely: the pot holds {n} chip.",
            "Stay in as long as a pair is unlikely: the pot holds {n} chips.",
            s.pot,
        ),
        say(text, chips=in_chips(worst), cards=rank_cards(*row)),
    )


def _play(s, seat):
    row = _row(s, seat)
    safe = [r for r in range(RANKS) if s.hand[seat, r] and r not in row]
    why = say("Now you choose the card yourself. These make no pair: {cards}.", cards=rank_cards(*safe))
    none = say("Now you choose the card yourself, but every card in your hand makes a pair.")
    title = say("A hand round: play a card, or fold")
    if rules.is_deck_round(s):
        title = say("The deck has run out: play a card, or fold")
    return Lesson(
        title,
        say("Play any card from your hand onto your row, or fold for {chips}.", chips=in_chips(_price(s, seat))),
        why if safe else none,
        say(
            "A high card in your row is more likely to be paired in the next deck round. A low one makes folding cheap."
        ),
    )


LESSONS = {
    (rules.CHOOSE, "show", ""): _show,
    (rules.TURN, "fold take", ""): _take,
    (rules.TURN, "fold play", ""): _play,
}


def scored(s, _seat):
    """HT-12 to HT-14: everybody's chips."""
    ending = say(
        "The last one in won the pot; the others paid into it, for folding or for a pair. Whoever has the "
        "most chips wins."
    )
    return [ending, *chip_results([s.purse[p] for p in range(s.seats)], s.chips)]


COURSE = Course(AIM, LESSONS, scored)
