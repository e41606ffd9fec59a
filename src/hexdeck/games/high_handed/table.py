"""High Handed at the table: what a seat sees, what its moves are called, what it is told."""

from hexdeck.engine.cards import STANDARD
from hexdeck.engine.text import Cards, Seat, Text, say, say_n
from hexdeck.engine.view import EVERYONE, Fact, Zone, cell_name, everyone, told
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import reckoned, rules
from hexdeck.games.high_handed.components import ACCUSE, AT_CELL, END, LEAVE, LET_BE, NONE, REGULAR, THIEF, TIMER
from hexdeck.games.high_handed.lines import DIRECTIONS, POINTS
from hexdeck.games.high_handed.scoring import line
from hexdeck.games.high_handed.stacks import lies_alone
from hexdeck.games.high_handed.teams import as_single_deal, tallies, teams  # noqa: F401 - of the table's contract

TITLE = say("High Handed")
DEAL = say("Game")  # a row of the score sheet
MINUTES = 8, 20  # that a match of four takes: against quick bots, among people
CREDIT = say("High Handed, by its publisher of the same name.")
TAGLINE = say("Poker hands on a board, and cards that steal.")
ABOUT = say(
    "Lay cards on a board; each row, column and diagonal may make a poker hand. Cards that double, cards that steal."
)

VALUES = {  # of options, in words
    "seat_0": say("the player in the first seat"),
    "lot": say("a player drawn by lot"),
    "empty": say("only on an empty cell"),
    "anywhere": say("on any cell"),
    "no": say("no"),
    "yes": say("yes"),
    "one": say("one"),
    "two": say("two"),
    "overlap": say("if they share a card"),
    "line": say("if they lie in the same line"),
    "regular": say("one game"),
    "double": say("two games"),
    "first_to_two": say("until somebody has won two games"),
}

ENDED = (say("not over"), say("all cards were played"), say("two games won"))

WHY = (
    say("This can be done."),
    say("A card is played only when it is your turn to play one."),
    say("That card isn't in your hand."),
    say("That would be one special too many for this turn."),
    say("A Thief comes before every other card of a turn."),
    say("First choose a card, then its cell."),
    say("There is no such cell on this board."),
    say("That cell is taken; only a Thief can go on another card."),
    say("A Thief goes on another card only when a regular card follows: you can't play one now."),
    say("A special is left alone only when it lies by itself on a cell that was empty."),
    say("No card is asked for now."),
    say("Both piles have cards: say which one you draw from."),
    say("No pile is chosen now."),
    say("There is no turn to end: only who has cards to ask for can do without them."),
    say("Nobody has drawn a card too many, or you have answered, or it isn't for you to answer."),
    say("A second special needs a regular card to follow, and you have none."),
    say("You may play only one Thief in a turn."),
    say("You may play no more than two Thieves in a turn."),
    say("That cell is taken; only specials can go on another card."),
    say("A turn without a regular card is one special, or a Thief on a card and one more special on top."),
)

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
CODES = (*STANDARD, "x2", "Tf")


# --- what lies there --------------------------------------------------------------------------------------------------
def zones(s, seat):
    """The table from a seat: everybody's hand and points, the board, the piles, the blind hand."""
    out = []
    for p in range(s.seats):
        hidden = 0 if p == seat else s.held[p]
        out.append(Zone(f"hand-{p}", say("Hand"), p, "fan", _cards(s.hand, s.hand_x, p), hidden, note=_pick(s, p)))
        out.append(Zone(f"score-{p}", say("Points"), p, "count", count=s.score[p], note=_side(s, p)))
        if s.length == parts.FIRST_TO_TWO:
            out.append(Zone(f"won-{p}", say("Games won"), p, "count", count=s.won[parts.side_of(s, p)]))
        if s.missing[p]:
            hidden = 0 if p == seat else s.missing[p]
            out.append(Zone(f"taken-{p}", say("Taken away"), p, "row", _cards(s.taken, s.taken_x, p), hidden))
    return [*out, *_middle(s)]


def _cards(hands, specials, p):
    regular = tuple(STANDARD[k] for k in _by_rank(hands[p]))
    return (*regular, *("x2",) * specials[p, 0], *("Tf",) * specials[p, 1])


def _by_rank(cards):
    return sorted((k for k in range(REGULAR) if cards >> k & 1), key=lambda k: (k % 13, k))


def _pick(s, p):
    return say("chosen: {card}", card=named(s.picked)) if p == s.turn and s.picked != NONE else None


def _side(s, p):
    return say("team {number}", number=parts.side_of(s, p) + 1) if s.teams else None


def named(k):
    """A card by its code, for a sentence."""
    return Cards((CODES[k],))


def _middle(s):
    cells = tuple(CODES[code - 1] if (code := s.board[k]) else "" for k in range(s.rows * s.columns))
    out = [Zone("board", say("Board"), None, "board", cells, columns=s.columns, note=_game_number(s))]
    titles = say("Pile {number}", number=1), say("Pile {number}", number=2)
    out += [Zone(f"pile-{k + 1}", titles[k], None, "pile", hidden=s.pile[k]) for k in range(2)]
    out.append(_blind(s))
    if s.out:
        cards = tuple(STANDARD[k] for k in _by_rank(s.out))
        out.append(Zone("out", say("Out of the game") if s.lone_special else say("Stolen"), None, "row", cards))
    return out


def _game_number(s):
    return say("game {number}", number=max(1, s.deal)) if s.length else None


def _blind(s):
    """HH-3: shown when the game is over, if nobody can be in doubt what it is."""
    unseen = _by_rank(s.bag)
    if s.over and len(unseen) + s.bag_x[0] + s.bag_x[1] == s.blind:
        cards = (*(STANDARD[k] for k in unseen), *("x2",) * s.bag_x[0], *("Tf",) * s.bag_x[1])
        return Zone("blind", say("Blind hand"), None, "row", cards)
    return Zone("blind", say("Blind hand"), None, "row", hidden=s.blind)


# --- what can be done -------------------------------------------------------------------------------------------------
PROMPTS = {
    parts.CARD: say("Your turn: choose a card to play."),
    parts.PILE: say("From which pile do you draw?"),
}


def prompt(s, seat):
    """What the table waits for, said to a seat."""
    if s.over:
        return say("The match is over.")
    if s.phase == parts.ANSWER:
        return _prompt_answer(s, seat)
    if s.phase == parts.LOT:
        return say("Who begins is drawn by lot.")
    return _prompt_turn(s) if seat == s.turn else say("Waiting for {seat}.", seat=Seat(s.turn))


def _prompt_turn(s):
    if s.phase == parts.CELL:
        return _prompt_cell(s.picked)
    if s.phase == parts.STACK:
        return _prompt_stack(s)
    return _prompt_draw(s) if s.phase == parts.ASK else PROMPTS.get(s.phase, say("The cards are dealt."))


def _prompt_cell(card):
    if card == TIMER:
        return say("Where does the Two Timer go?")
    return say("Where does the Thief go?") if card == THIEF else say("Where does the {card} go?", card=named(card))


def _prompt_stack(s):
    cell = cell_name(s.cell, s.columns)
    if nobody_decides(s, s.turn) and s.stacked > 1:
        return say("You hold no regular card, so both specials stay at {cell}.", cell=cell)
    if nobody_decides(s, s.turn) and s.board[s.cell] == THIEF + 1:
        return say("You hold no regular card, so the Thief stays at {cell}, alone.", cell=cell)
    if nobody_decides(s, s.turn):
        return say("You hold no regular card, so the Two Timer stays at {cell}, alone.", cell=cell)
    return say("What comes on top of it at {cell}?", cell=cell)


def nobody_decides(s, seat):
    """HH-9: a special is left alone by who holds no card to put on it; nobody else knows that."""
    known = s.hand_x[seat, 0] + s.hand_x[seat, 1] == s.held[seat]  # and so that there is no regular card
    if not known or rules.illegal_reason(s, seat, LEAVE):
        return False
    return bool(rules.illegal_reason(s, seat, TIMER) and rules.illegal_reason(s, seat, THIEF))


def _prompt_draw(s):
    if s.due == 0:
        return say("You have all your cards. One more, if nobody looks?")
    return say_n(
        "{n} card is due to you: ask for it, or forget it.",
        "{n} cards are due to you: ask for them, or forget them.",
        s.due,
    )


def _prompt_answer(s, seat):
    if seat >= 0 and s.acting >> seat & 1:
        return say("{seat} has drawn a card too many. Do you accuse?", seat=Seat(s.turn))
    return say("{seat} has drawn a card too many; the others decide what to say.", seat=Seat(s.turn))


LABELS = {
    TIMER: say("The {card}, Two Timer", card=Cards(("x2",))),
    THIEF: say("The {card}, Thief", card=Cards(("Tf",))),
    parts.ASKED: say("Ask for a card"),
    parts.FIRST_PILE: say("Draw from pile {number}", number=1),
    parts.FIRST_PILE + 1: say("Draw from pile {number}", number=2),
    END: say("End your turn"),
    ACCUSE: say("Accuse"),
    LET_BE: say("Let it be"),
}


def label(s, _seat, action):
    """A move in words, with the points it can score."""
    if action < REGULAR:
        return _label_card(s, action)
    if action == LEAVE:
        return _label_leave(s)
    return LABELS[action] if action in LABELS else _label_cell(s, action - AT_CELL)


def _label_leave(s):
    if s.stacked > 1:
        return say("Leave both specials there, without a regular card")
    if s.board[s.cell] == TIMER + 1:
        return say("Leave the Two Timer there, alone")
    return say("Leave the Thief there, alone")


def _label_card(s, card):
    if s.phase == parts.STACK:
        total = reckoned.gain(s, card, s.cell)
        return say_n("The {card}: {n} point", "The {card}: {n} points", total, card=named(card))
    empty = [k for k in range(s.rows * s.columns) if s.board[k] == 0]
    most = reckoned.most(s, [card], empty) if s.phase == parts.CARD else 0
    if most == 0:
        return say("The {card}", card=named(card))
    return say_n("The {card}: up to {n} point", "The {card}: up to {n} points", most, card=named(card))


def _label_cell(s, cell):
    name = cell_name(cell, s.columns)
    if s.board[cell]:
        return say("On the {card} at {cell}", card=named(s.board[cell] - 1), cell=name)
    total = reckoned.gain(s, s.picked, cell) if s.picked < REGULAR else 0
    if total == 0:
        return say("At {cell}", cell=name)
    return say_n("At {cell}: {n} point", "At {cell}: {n} points", total, cell=name)


def spot(s, seat, action):
    """Where on the board a move goes, and the points to be had there; None for other moves."""
    if not AT_CELL <= action < LEAVE:
        return None
    cell = action - AT_CELL
    return "board", cell, reckoned.gain(s, s.picked, cell) if s.picked < REGULAR else _promised(s, seat, cell)


def _promised(s, seat, cell):
    """The most that a regular card of the hand could score on top of a special; none where the special lies alone."""
    if s.specials == 0 or lies_alone(s, s.picked, cell):
        return None
    cards = [k for k in range(REGULAR) if s.hand[seat] >> k & 1]
    board, under = reckoned.board(s), s.board[cell]
    return max((board.worth(k, cell, under) for k in cards), default=0) << (s.picked == TIMER)


# --- what has happened ------------------------------------------------------------------------------------------------
def narrate(before, event, after):
    """What an event tells each seat."""
    if event.seat < 0:
        facts = _narrate_card(before, event.id, after)
    elif before.phase == parts.CELL:
        facts = _narrate_cell(before, event.seat, event.id - AT_CELL)
    elif before.phase == parts.STACK:
        facts = _narrate_stack(before, event.seat, event.id)
    elif before.phase == parts.ANSWER:
        facts = _narrate_answer(before, event)
    else:
        facts = _narrate_draw(before, event)
    return facts + _narrate_end(before, after)


def _narrate_card(before, card, after):
    p = before.turn
    if before.phase == parts.LOT:
        p = after.starter
        mine = say("You begin: it was drawn by lot.")
        return told(p, mine, say("{seat} begins: it was drawn by lot.", seat=Seat(p)))
    if before.phase == parts.DEAL:
        return _narrate_hands(after) if after.phase != parts.DEAL else []
    if before.phase == parts.LOSE:
        mine = say("You lose the {card}, and 5 points.", card=named(card))
        return told(p, mine, say("{seat} loses a card, unseen, and 5 points.", seat=Seat(p)))
    mine = say("You draw the {card}.", card=named(card))
    if before.manual_draw:
        return told(p, mine, say("{seat} draws a card.", seat=Seat(p)))
    return [Fact(1 << p, mine)]


def _narrate_hands(after):
    facts = everyone(say("Game {number}: the cards are dealt.", number=after.deal)) if after.length else []
    for p in range(after.seats):
        facts.append(Fact(1 << p, say("You are dealt {cards}.", cards=Cards(_cards(after.hand, after.hand_x, p)))))
    return facts


def _narrate_cell(before, p, cell):
    card, name = before.picked, cell_name(cell, before.columns)
    if card < REGULAR:
        return _narrate_placed(before, p, card, cell)
    if before.board[cell]:
        return _narrate_covered(p, card, named(before.board[cell] - 1), name)
    if card == TIMER:
        return told(p, say("You lay a Two Timer at {cell}.", cell=name),
                    say("{seat} lays a Two Timer at {cell}.", seat=Seat(p), cell=name))  # fmt: skip
    return told(p, say("You lay a Thief down at {cell}.", cell=name),
                say("{seat} lays a Thief down at {cell}.", seat=Seat(p), cell=name))  # fmt: skip


def _narrate_covered(p, card, covered, name):
    """A special goes on another card, which is out of the game."""
    if card == TIMER:
        return told(p, say("You put a Two Timer on the {card} at {cell}.", card=covered, cell=name),
                    say("{seat} puts a Two Timer on the {card} at {cell}.", seat=Seat(p), card=covered,
                        cell=name))  # fmt: skip
    return told(p, say("You put a Thief on the {card} at {cell}.", card=covered, cell=name),
                say("{seat} puts a Thief on the {card} at {cell}.", seat=Seat(p), card=covered, cell=name))  # fmt: skip


def _narrate_stack(before, p, action):
    if action == LEAVE and before.stacked > 1:
        return told(p, say("You leave them there."), say("{seat} leaves them there.", seat=Seat(p)))
    if action == LEAVE:
        return told(p, say("You leave it there."), say("{seat} leaves it there.", seat=Seat(p)))
    if action == THIEF:
        return told(p, say("You put a second Thief on top."), say("{seat} puts a second Thief on top.", seat=Seat(p)))
    if action == TIMER:
        return told(p, say("You put a Two Timer on top."), say("{seat} puts a Two Timer on top.", seat=Seat(p)))
    return _narrate_placed(before, p, action, before.cell)


def _narrate_placed(before, p, card, cell):
    """A regular card lies: where, and what it scores in each line."""
    args = {"card": named(card), "cell": cell_name(cell, before.columns)}
    lines = [line(before, cell, card, before.under, direction) for direction in range(DIRECTIONS)]
    hands = [part for found in lines for part in (found & 15, found >> 4) if part]
    total = rules.gain(before, card, cell)
    if not hands:
        return told(p, say("You play the {card} at {cell}.", **args),
                    say("{seat} plays the {card} at {cell}.", seat=Seat(p), **args))  # fmt: skip
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


def _narrate_draw(before, event):
    """Picking a card tells nothing to anybody; forgetting does."""
    p = event.seat
    if event.id != END or not before.due:
        return []
    mine = say_n("You forget {n} card.", "You forget {n} cards.", before.due)
    return told(p, mine, say_n("{seat} forgets {n} card.", "{seat} forgets {n} cards.", before.due, seat=Seat(p)))


def _narrate_answer(before, event):
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


def _narrate_accused(q, p):
    """For the accuser, the accused, and everybody else."""
    rest = EVERYONE & ~(1 << q | 1 << p)
    return [
        Fact(1 << q, say("You accuse {seat}!", seat=Seat(p))),
        Fact(1 << p, say("{seat} accuses you!", seat=Seat(q))),
        Fact(rest, say("{seat} accuses {other}!", seat=Seat(q), other=Seat(p))),
    ]


def _narrate_end(before, after):
    """A game of several is over: what each has, and who wins it."""
    if (after.deal == before.deal and not after.over) or after.length == 0 or before.phase == parts.LOT:
        return []
    facts = everyone(say("Game {number} is over.", number=before.deal))
    if after.length == parts.FIRST_TO_TWO:
        won = [p for p in range(after.seats) if _games(after, p) > _games(before, p)]
        for p in won:
            facts += told(p, say("You win this game."), say("{seat} wins this game.", seat=Seat(p)))
    return facts


def _games(s, p):
    return s.won[parts.side_of(s, p)]


def outcome_texts(s):
    """How the match ended for each seat."""
    results = [rules.result_of(s, parts.side_of(s, p)) for p in range(s.seats)]
    best = max(results)
    shared = len({parts.side_of(s, p) for p in range(s.seats) if results[p] == best}) > 1
    return [_fate(s, n, n == best, shared) for n in results]


def _fate(s, n, wins, shared):
    if s.length == parts.FIRST_TO_TWO:
        if not wins:
            return say_n("won {n} game", "won {n} games", n)
        return (
            say_n("shared the win, with {n} game", "shared the win, with {n} games", n)
            if shared
            else say("won two games, and the match")
        )
    if not wins:
        return say_n("ended with {n} point", "ended with {n} points", n)
    if shared:
        return say_n("shared the win, with {n} point", "shared the win, with {n} points", n)
    return say_n("won with {n} point", "won with {n} points", n)
