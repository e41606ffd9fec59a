"""Lessons for a first match of Cursed Hand: advice on each kind of decision, made from the position."""

from hexdeck.engine.cards import RANKS
from hexdeck.engine.layout import left_of
from hexdeck.engine.play.coach import Course, Lesson
from hexdeck.engine.text import Cards, Seat, _, in_games, in_points, say, say_n
from hexdeck.engine.view import rank_cards, rank_codes
from hexdeck.games.cursed_hand import rules

AIM = say(
    "You win if somebody else loses. Keep pairs and points out of your graveyard: the face-up cards in front of you."
)


def aspect(s, seat):
    """CH-10: answering without a card to add is taught apart."""
    return "last" if s.phase == rules.ANSWER and s.held[seat] == 0 else ""


def _held(s, seat, least=1):
    return [r for r in range(RANKS) if s.hand[seat, r] >= least]


def _bury(s, seat):
    held = _held(s, seat)
    text = _("A low card keeps your points down, a high one may let you go first. You hold {low} to {high}.")
    return Lesson(
        say("The first card of your graveyard"),
        say(
            "Choose a card from your hand. All are turned up together; the highest number chosen only once goes first."
        ),
        say(text, low=rank_cards(held[0]), high=rank_cards(held[-1])),
        say("It stays in your graveyard: get a second card with the same number and you lose at once."),
    )


def _start(s, seat):
    twice = _held(s, seat, 2)
    why = say("You hold {cards} more than once: two of the same would make the hand cursed.", cards=rank_cards(*twice))
    clean = say("You hold no number twice, so only the ace can make the hand cursed.")
    text = _("Pass any two cards from your hand, face down, to {seat}, who calls or accepts without looking.")
    return Lesson(
        say("Starting a ghost hand"),
        say(text, seat=Seat(left_of(s, seat))),
        say("{fact} Whoever calls a clean hand has to take its highest card.", fact=why if twice else clean),
        say("Two equal cards, or the ace, make it cursed: if your neighbour calls, you take the penalty."),
    )


def _answer(s, seat):
    ranks = sorted(s.ghost[i] for i in range(s.ghost_size) if s.ghost[i] != rules.NONE)
    unknown = say("You don't know what is in it.")
    fact = say("You know it holds {cards}.", cards=rank_cards(*ranks)) if ranks else unknown
    return Lesson(
        say("Call, or accept?"),
        say_n(
            "Call, and the {n} card is turned up. Or accept: look, add a card from your hand and pass it on.",
            "Call, and the {n} cards are turned up. Or accept: look, add a card from your hand and pass it on.",
            s.ghost_size,
        ),
        say(
            "{fact} Two equal cards, or the ace, make it cursed: if you call it then, {passer} takes a card of each "
            "pair.",
            fact=fact,
            passer=Seat(s.passer),
        ),
        say(
            "Call a clean hand, and you must take its highest card. Accept, and {seat} may call you next.",
            seat=Seat(left_of(s, seat)),
        ),
    )


def _answer_last(s, _seat):
    passer = Seat(s.passer)
    clean = say("nobody") if s.clean_accept == rules.NOBODY else passer
    text = _(
        "Call if you think it is cursed: then {passer} takes the penalty. Accept if you think it is clean: then "
        "{payer} takes it."
    )
    return Lesson(
        say("With no cards left"),
        say("Call or accept: either way the ghost hand is turned up now."),
        say(text, passer=passer, payer=clean),
        say("If you're wrong, you take the penalty."),
    )


def _add(s, seat):
    clean = [r for r in _held(s, seat) if not rules.curses(s, r)]
    neighbour = Seat(left_of(s, seat))
    if rules.judge(s)[1]:
        why = say("It is cursed already, so any card will do: keep the ones you may need.")
    elif clean:
        why = say("It stays clean with {cards}: whoever calls it then takes the penalty.", cards=rank_cards(*clean))
    else:
        why = say("Every card in your hand makes it cursed: hope that nobody calls.")
    return Lesson(
        say("Adding a card"),
        say("You have looked. Add a card from your hand and pass it on to {seat}.", seat=neighbour),
        why,
        say("If it is cursed and {seat} calls, a card of each pair goes to your graveyard.", seat=neighbour),
    )


LESSONS = {
    (rules.BURY, "grave", ""): _bury,
    (rules.PAIR, "pair", ""): _start,
    (rules.ANSWER, "accept call", ""): _answer,
    (rules.ANSWER, "accept call", "last"): _answer_last,
    (rules.ADD, "add", ""): _add,
}


def scored(s, _seat):
    """CH-12, CH-13: what lies in the graveyards, and what ended the game."""
    lines = [say("A hand or the deck has run out: whoever has the most points in their graveyard loses.")]
    if s.ending == rules.BY_PAIR:
        lines = [say("Whoever has two cards with the same number in their graveyard loses at once.")]
    for p in range(s.seats):
        ranks, points = Cards(rank_codes(s.grave[p, r] for r in range(RANKS))), in_points(rules.grave_points(s, p))
        lines.append(say("{seat}: {cards} in the graveyard, {points}.", points=points, seat=Seat(p), cards=ranks))
    if s.losses > 1:
        lines += [say("{seat} lost {games}.", games=in_games(s.lost[p]), seat=Seat(p)) for p in range(s.seats)]
    return lines


COURSE = Course(AIM, LESSONS, scored, aspect)
