"""The log of High Handed: what each event tells each seat."""

from hexdeck.engine.text import Cards, Seat, Text, _, say, say_n
from hexdeck.engine.view import EVERYONE, Fact, cell_name, everyone, told
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.components import ACCUSE, AT_CELL, END, LEAVE, REGULAR, THIEF, TIMER
from hexdeck.games.high_handed.deck import cards_of, named
from hexdeck.games.high_handed.lines import DIRECTIONS, POINTS
from hexdeck.games.high_handed.scoring import line

# sentences by which `turns.py` and `game_end.py` know what has happened
YOU_PLAY = _("You play the {card} at {cell}.")
PLAYS = _("{seat} plays the {card} at {cell}.")
YOU_LAY_TIMER = _("You lay a Two Timer at {cell}.")
LAYS_TIMER = _("{seat} lays a Two Timer at {cell}.")
YOU_LAY_THIEF = _("You lay a Thief at {cell}.")
LAYS_THIEF = _("{seat} lays a Thief at {cell}.")
YOU_COVER_BY_TIMER = _("You put a Two Timer on the {card} at {cell}.")
COVERS_BY_TIMER = _("{seat} puts a Two Timer on the {card} at {cell}.")
YOU_STEAL = _("You put a Thief on the {card} at {cell}.")
STEALS = _("{seat} puts a Thief on the {card} at {cell}.")
YOU_ADD_THIEF = _("You put a second Thief on top.")
ADDS_THIEF = _("{seat} puts a second Thief on top.")
YOU_ADD_TIMER = _("You put a Two Timer on top.")
ADDS_TIMER = _("{seat} puts a Two Timer on top.")
YOU_ACCUSE = _("You accuse {seat}!")
ACCUSES_YOU = _("{seat} accuses you!")
ACCUSES = _("{seat} accuses {other}!")
GAME_OVER = _("Game {number} is over.")
YOU_WIN_GAME = _("You win this game.")
WINS_GAME = _("{seat} wins this game.")

CATEGORIES = (
    say("no hand"),
    say("pair"),
    say("two pair"),
    say("three of a kind"),
    say("full house"),
    say("four of a kind"),
    say("flush"),
    say("straight"),
    say("straight flush"),
    say("royal flush"),
)


def narrate(before, event, after):
    """The facts that an event brings, each with those who are told."""
    if event.seat < 0:
        facts = _narrate_card(before, event.id, after)
    elif before.phase == parts.CELL:
        facts = _narrate_cell(before, event.seat, event.id - AT_CELL)
    elif before.phase == parts.STACK:
        facts = _narrate_stack(before, event.seat, event.id)
    elif before.phase == parts.ANSWER:
        facts = _narrate_answer(before, event)
    else:
        facts = _narrate_draw(before, event, after)
    return facts + _narrate_shown(before, after) + _narrate_end(before, after)


def _narrate_card(before, card, after):
    p = before.turn
    if before.phase == parts.LOT:
        p = after.starter
        mine = say("You begin, chosen at random.")
        return told(p, mine, say("{seat} begins, chosen at random.", seat=Seat(p)))
    if before.phase == parts.DEAL:
        return _narrate_hands(after) if after.phase != parts.DEAL else []
    if before.phase == parts.LOSE:
        mine = say("You lose the {card}, and 5 points.", card=named(card))
        return told(p, mine, say("{seat} loses a card, unseen, and 5 points.", seat=Seat(p)))
    mine = say("You draw the {card}.", card=named(card))
    if before.sneaked[p]:
        return _narrate_seen(before, p, card)
    if before.manual_draw:
        return told(p, mine, say("{seat} draws a card.", seat=Seat(p)))
    return [Fact(1 << p, mine)]


def _narrate_hands(after):
    facts = everyone(say("Game {number}: the cards are dealt.", number=after.deal)) if after.length else []
    for p in range(after.seats):
        facts.append(Fact(1 << p, say("You are dealt {cards}.", cards=Cards(cards_of(after.hand, after.hand_x, p)))))
    return facts


def _narrate_cell(before, p, cell):
    card, name = before.picked, cell_name(cell, before.columns)
    if card < REGULAR:
        return _narrate_placed(before, p, card, cell)
    if before.board[cell]:
        return _narrate_covered(p, card, named(before.board[cell] - 1), name)
    if card == TIMER:
        return told(p, say(YOU_LAY_TIMER, cell=name), say(LAYS_TIMER, seat=Seat(p), cell=name))
    return told(p, say(YOU_LAY_THIEF, cell=name), say(LAYS_THIEF, seat=Seat(p), cell=name))


def _narrate_covered(p, card, covered, name):
    """A special covers another card, which is then out of the game."""
    if card == TIMER:
        return told(
            p,
            say(YOU_COVER_BY_TIMER, card=covered, cell=name),
            say(COVERS_BY_TIMER, seat=Seat(p), card=covered, cell=name),
        )
    return told(p, say(YOU_STEAL, card=covered, cell=name), say(STEALS, seat=Seat(p), card=covered, cell=name))


def _narrate_stack(before, p, action):
    if action == LEAVE and before.stacked > 1:
        return told(p, say("You leave them there."), say("{seat} leaves them there.", seat=Seat(p)))
    if action == LEAVE:
        return told(p, say("You leave it there."), say("{seat} leaves it there.", seat=Seat(p)))
    if action == THIEF:
        return told(p, say(YOU_ADD_THIEF), say(ADDS_THIEF, seat=Seat(p)))
    if action == TIMER:
        return told(p, say(YOU_ADD_TIMER), say(ADDS_TIMER, seat=Seat(p)))
    return _narrate_placed(before, p, action, before.cell)


def _narrate_placed(before, p, card, cell):
    """A regular card is placed: where, and what it scores in each line."""
    args = {"card": named(card), "cell": cell_name(cell, before.columns)}
    lines = [line(before, cell, card, before.under, direction) for direction in range(DIRECTIONS)]
    hands = [part for found in lines for part in (found & 15, found >> 4) if part]
    total = rules.gain(before, card, cell)
    if not hands:
        return told(p, say(YOU_PLAY, **args), say(PLAYS, seat=Seat(p), **args))
    args["hands"] = _listed([say("{hand} {points}", hand=CATEGORIES[c], points=POINTS[c]) for c in hands])
    if before.doubled:
        args["hands"] = say("{hands}; times {factor}", hands=args["hands"], factor=1 << before.doubled)
    mine = say_n(
        "You play the {card} at {cell}: {hands}. {n} point!",
        "You play the {card} at {cell}: {hands}. {n} points!",
        total, **args,
    )  # fmt: skip
    theirs = say_n(
        "{seat} plays the {card} at {cell}: {hands}. {n} point!",
        "{seat} plays the {card} at {cell}: {hands}. {n} points!",
        total, seat=Seat(p), **args,
    )  # fmt: skip
    return told(p, mine, theirs)


def _listed(texts: list[Text]) -> Text:
    if len(texts) == 1:
        return texts[0]
    return say("{first}, {rest}", first=texts[0], rest=_listed(texts[1:]))


def _narrate_draw(before, event, after):
    """Choosing a card or a pile tells nobody anything; forgetting cards does."""
    p = event.seat
    if before.phase == parts.ASK and event.id != END and not before.due and after.phase != parts.DRAW:
        taken = say("You take one card too many, face down: you will see it next turn.")
        return [Fact(1 << p, taken if after.sneaked[p] else say("You reach for one more card, but none is left."))]
    if event.id != END or not before.due:
        return []
    mine = say_n("You forget {n} card.", "You forget {n} cards.", before.due)
    return told(p, mine, say_n("{seat} forgets {n} card.", "{seat} forgets {n} cards.", before.due, seat=Seat(p)))


def _narrate_answer(before, event):
    if before.uncle_bob == parts.WATCH:
        return _narrate_doubt(before, event)
    p = event.seat
    mine = say("You accuse.") if event.id == ACCUSE else say("You let it be.")
    facts = told(p, mine, say("{seat} has answered.", seat=Seat(p)))
    if before.acting != 1 << p:
        return facts
    accusers = [q for q in range(before.seats) if before.choice[q] == 0 or (q == p and event.id == ACCUSE)]
    if not accusers:
        return facts + everyone(say("Nobody accuses: the card is kept."))
    for q in accusers:
        facts += _narrate_accused(q, before.turn)
    return facts


def _narrate_doubt(before, event):
    """HH-19: under "watch" to let be tells nobody anything, nor does a question that turns up nothing."""
    p, turn = event.seat, before.turn
    facts = [Fact(1 << p, say("You accuse {seat}, in secret so far.", seat=Seat(turn)))] if event.id == ACCUSE else []
    if before.acting != 1 << p:
        return facts
    accusers = [q for q in range(before.seats) if before.choice[q] == 0 or (q == p and event.id == ACCUSE)]
    if not accusers:
        return facts
    facts = [fact for q in accusers for fact in _narrate_accused(q, turn)]
    if not before.sneaked[turn]:
        for q in accusers:
            theirs = say("{seat} was wrong, and loses 5 points.", seat=Seat(q))
            facts += told(q, say("You were wrong: you lose 5 points."), theirs)
    return facts


def _narrate_seen(before, p, card):
    """HH-19: a card too many is turned up by its owner."""
    if before.extra:
        mine = say("Your card too many is the {card}.", card=named(card))
        return told(p, mine, say("{seat} had drawn a card too many.", seat=Seat(p)))
    mine = say("You keep your card too many: the {card}.", card=named(card))
    return told(p, mine, say("{seat} had drawn a card too many, and keeps it.", seat=Seat(p)))


def _narrate_shown(before, after):
    """HH-19: a card that is due isn't there, since others have drawn cards too many."""
    facts = []
    for p in range(before.seats):
        if before.suspect[p] and after.sneaked[p] and not after.suspect[p] and before.phase != parts.ANSWER:
            mine = say("No card is left: all see that you have drawn a card too many.")
            facts += told(p, mine, say("No card is left: {seat} has drawn a card too many.", seat=Seat(p)))
    return facts


def _narrate_accused(q, p):
    """An accusation, worded for the accuser, the accused and everybody else."""
    rest = EVERYONE & ~(1 << q | 1 << p)
    return [
        Fact(1 << q, say(YOU_ACCUSE, seat=Seat(p))),
        Fact(1 << p, say(ACCUSES_YOU, seat=Seat(q))),
        Fact(rest, say(ACCUSES, seat=Seat(q), other=Seat(p))),
    ]


def _narrate_end(before, after):
    """One of several games is over, and who has won it."""
    if (after.deal == before.deal and not after.over) or after.length == 0 or before.phase == parts.LOT:
        return []
    facts = everyone(say(GAME_OVER, number=before.deal))
    if after.length == parts.FIRST_TO_TWO:
        won = [p for p in range(after.seats) if _games(after, p) > _games(before, p)]
        for p in won:
            facts += told(p, say(YOU_WIN_GAME), say(WINS_GAME, seat=Seat(p)))
    return facts


def _games(s, p):
    return s.won[parts.side_of(s, p)]
