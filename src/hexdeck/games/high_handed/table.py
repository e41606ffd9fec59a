"""High Handed at the table: what each seat sees, the labels of moves, prompts and the log."""

import functools
from typing import NamedTuple

from hexdeck.engine.cards import STANDARD
from hexdeck.engine.options import Preset
from hexdeck.engine.study import About, Reason
from hexdeck.engine.text import Cards, Seat, in_games, in_points, say, say_n
from hexdeck.engine.view import Aside, Outcome, Tally, Zone, cell_name, on_board, remembered
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.captions import caption  # noqa: F401 - of the table's contract
from hexdeck.games.high_handed.deck import CODES, by_rank, card_name, cards_of
from hexdeck.games.high_handed.rules import ACCUSE, AT_CELL, END, LEAVE, LET_BE, NONE, REGULAR, THIEF, TIMER, lies_alone
from hexdeck.games.high_handed.scoring import DIRECTIONS, along, is_regular, line, points

ABOUT = About(
    say("High Handed"),
    say(
        "Lay cards on a board; each row, column and diagonal may make a poker hand. Cards that double, cards that "
        "steal."
    ),
    tagline=say("Poker hands on a board, and cards that steal."),
    credit=say("High Handed, by its publisher of the same name."),
    minutes=(17, 25),  # for a match of four: at this table, and at a real one (see lab/counts.py)
    age=8,
    luck=0,
    deal=say("Game"),
)
REGULAR_GAME = {"first": "lot", "line_hands": "two"}  # at a table
PRESETS = (  # what people choose from at a table, in the sheet's words; the first is the default
    Preset("regular-game", say("Regular game"), say("One game; who begins is drawn by lot."), REGULAR_GAME),
    Preset(
        "double-game",
        say("Double game"),
        say("Two games; their points are added."),
        {**REGULAR_GAME, "length": "double"},
    ),
    Preset(
        "first-to-win-twice",
        say("First to win twice"),
        say("Games until somebody has won two."),
        {**REGULAR_GAME, "length": "first_to_two"},
    ),
    Preset(
        "two-teams",
        say("Two teams"),
        say("Every other seat is on your side, and its points count with yours."),
        {**REGULAR_GAME, "teams": 2},
    ),
    Preset(
        "grandpa-rule",
        say("Grandpa rule"),
        say(
            "You ask for your cards, and may forget to. Only the first seat gets cards forgotten in its first turn "
            "after all; “More options” can give this to other seats."
        ),
        {**REGULAR_GAME, "manual_draw": True, "grandpa_rule": "0"},
    ),
    Preset(
        "uncle-bob-rule",
        say("Uncle Bob rule"),
        say("You ask for your cards, and may take one too many. Whoever notices may accuse you of it."),
        {**REGULAR_GAME, "manual_draw": True, "uncle_bob_rule": True},
    ),
    Preset(
        "as-the-sheet",
        say("As the sheet"),
        say(
            "You ask for your cards and choose a pile for each; two Thieves may follow one another, and a special "
            "may be played alone on any cell."
        ),
        {**REGULAR_GAME, "lone_special": "anywhere", "two_thieves": True, "choose_pile": True, "manual_draw": True},
        {players: {"two_thieves": False} for players in (2, 3)},
    ),
)

WORDS = {  # values of options and endings in words, and cards whose codes don't tell
    "first_seat": say("the player in the first seat"),
    "lot": say("a player chosen at random"),
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
    "played out": say("all cards were played"),
    "two games won": say("two games won"),
    "two-timer": say("Two Timer"),
    "thief": say("Thief"),
    "ask": say("only if a card too many was drawn"),
    "watch": say("after every turn"),
}

REASONS = (
    Reason("HH-6", say("You can't play a card now.")),
    Reason("HH-6", say("That card isn't in your hand.")),
    Reason("HH-6", say("That would be one special too many for this turn.")),
    Reason("HH-8", say("A Thief comes before any other card in a turn.")),
    Reason("HH-6", say("First choose a card, then its cell.")),
    Reason("HH-2", say("There is no such cell on this board.")),
    Reason("HH-6", say("That cell is taken; only a Thief can go on another card.")),
    Reason("HH-8", say("A Thief goes on another card only when a regular card follows, and you can't play one now.")),
    Reason("HH-9", say("A special may stay alone only on a cell that was empty.")),
    Reason("HH-19", say("You can't ask for a card now.")),
    Reason("HH-10", say("Both piles have cards: choose which one you draw from.")),
    Reason("HH-10", say("You can't choose a pile now.")),
    Reason("HH-19", say("You can end your turn only when you could ask for a card.")),
    Reason("HH-19", say("Nobody can be accused now.")),
    Reason("HH-6", say("A second special needs a regular card to follow, and you have none.")),
    Reason("HH-8", say("You may play only one Thief in a turn.")),
    Reason("HH-8", say("You may play no more than two Thieves in a turn.")),
    Reason("HH-6", say("That cell is taken; only specials can go on another card.")),
    Reason(
        "HH-9",
        say("Without a regular card your turn is one special, or a Thief on a card with one more special on top."),
    ),
)


# --- zones ------------------------------------------------------------------------------------------------------------
@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's hand and points; board, piles and blind hand."""
    out = []
    for p in range(s.seats):
        hidden = (0 if p == seat else s.held[p]) + (s.sneaked[p] > 0)
        pick = say("chosen: {card}", card=card_name(s.picked)) if p == s.turn and s.picked != NONE else None
        out.append(Zone(f"hand-{p}", say("Hand"), p, "fan", cards_of(s.hand, s.hand_x, p), hidden, note=pick))
        team = say("team {number}", number=rules.side_of(s, p) + 1) if s.teams else None
        out.append(Zone(f"score-{p}", say("Points"), p, "count", count=s.score[p], note=team))
        if s.length == rules.FIRST_TO_TWO:
            won = s.won[rules.side_of(s, p)]
            note = None if s.teams else say("of {games}", games=2)  # beside a team's, a line of a terminal has no room
            out.append(Zone(f"won-{p}", say("Games won"), p, "count", count=won, note=note))
        if s.missing[p]:
            hidden = 0 if p == seat else s.missing[p]
            out.append(Zone(f"taken-{p}", say("Taken away"), p, "row", cards_of(s.taken, s.taken_x, p), hidden))
    return [*out, *_middle(s)]


def _middle(s):
    cells = tuple(CODES[code - 1] if (code := s.board[k]) else "" for k in range(s.rows * s.columns))
    number = say("game {number}", number=rules.game_number(s, max(1, s.deal))) if s.length else None
    out = [Zone("board", say("Board"), None, "board", cells, columns=s.columns, note=number)]
    titles = say("Pile {number}", number=1), say("Pile {number}", number=2)
    out += [Zone(f"pile-{k + 1}", titles[k], None, "pile", hidden=s.pile[k]) for k in range(2)]
    out.append(_blind(s))
    if s.out:
        cards = tuple(STANDARD[k] for k in by_rank(s.out))
        out.append(
            Zone("out", say("Out of the game") if s.lone_special else say("Stolen"), None, "row", cards, part="side")
        )
    return out


def _blind(s):
    """HH-3: the blind hand, shown once the game is over if its cards are certain."""
    if s.over and rules.chance_total(s) == s.blind:
        cards = (*(STANDARD[k] for k in by_rank(s.bag)), *("x2",) * s.bag_x[0], *("Tf",) * s.bag_x[1])
        return Zone("blind", say("Blind hand"), None, "row", cards, part="side")
    return Zone("blind", say("Blind hand"), None, "row", hidden=s.blind, part="side")


# --- what cards would score -------------------------------------------------------------------------------------------
# A view asks for every card and every cell. What a card scores in a cell depends only on the runs of regular cards
# around it, in each direction (HH-9), so that scores are remembered by runs.
IS_REGULAR = bytes(bool(is_regular(code)) for code in range(256))


class Board(NamedTuple):
    """The fields of a struct that determine what a card scores."""

    board: bytes
    columns: int
    strangers: int
    line_hands: int
    new_hand: int
    rows: int = 1


def most_points(s, cards, cells, under=None):
    """The most points that any of these cards scores in any of these cells in this turn."""
    options, under = (s.strangers, s.line_hands, s.new_hand), s.under if under is None else under
    board = Board(s.board.tobytes(), s.columns, *options, s.rows)
    near = [_runs(board, cell) for cell in cells]
    return max((_worth(card, under, runs, options) for runs in near for card in cards), default=0) << s.doubled


def most_on_empty(s, cards):
    """The most points that any of these cards scores on an empty cell."""
    return most_points(s, cards, [k for k in range(s.rows * s.columns) if s.board[k] == 0])


@functools.lru_cache(4096)
def _runs(board, cell):
    """For each direction, the run of regular cards around a cell, and the cell's place in it, left empty."""
    runs = []
    for direction in range(DIRECTIONS):
        step, back, ahead = along(board, cell, direction)
        before = board.board[cell - back * step : cell : step]
        after = board.board[cell + step : cell + ahead * step + 1 : step]
        first = before.translate(IS_REGULAR).rfind(0) + 1
        end = after.translate(IS_REGULAR).find(0)
        runs.append((before[first:] + b"\0" + (after if end < 0 else after[:end]), back - first))
    return tuple(runs)


@functools.lru_cache(20_000)
def _worth(card, under, runs, options):
    """What a regular card scores among such runs: as `scoring.most_in`."""
    return sum(points(line(Board(run, len(run), *options), at, card, under, 0)) for run, at in runs)


# --- prompts and labels -----------------------------------------------------------------------------------------------
PROMPTS = {rules.CARD: say("Your turn: choose a card to play."), rules.PILE: say("Which pile do you draw from?")}


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if s.phase == rules.ANSWER:
        return _prompt_answer(s, seat)
    if seat == s.turn:
        return _prompt_turn(s)
    if s.phase in (rules.CARD, rules.CELL, rules.STACK):
        return say("Waiting for {seat} to play a card.", seat=Seat(s.turn))
    return say("Waiting for {seat} to draw.", seat=Seat(s.turn))


def _prompt_turn(s):
    if s.phase == rules.CELL:
        specials = {TIMER: say("Where does the Two Timer go?"), THIEF: say("Where does the Thief go?")}
        return specials.get(int(s.picked)) or say("Where does the {card} go?", card=card_name(s.picked))
    if s.phase == rules.STACK:
        return _prompt_stack(s)
    return _prompt_draw(s) if s.phase == rules.ASK else PROMPTS.get(s.phase, say("The cards are dealt."))


def _prompt_stack(s):
    cell = cell_name(s.cell, s.columns)
    if not nobody_decides(s, s.turn):
        return say("What comes on top of it at {cell}?", cell=cell)
    if s.stacked > 1:
        return say("You hold no regular card, so both specials stay at {cell}.", cell=cell)
    if s.board[s.cell] == THIEF + 1:
        return say("You hold no regular card, so the Thief stays at {cell}, alone.", cell=cell)
    return say("You hold no regular card, so the Two Timer stays at {cell}, alone.", cell=cell)


def nobody_decides(s, seat):
    """HH-9: a player who holds no card to put on a special must leave it; only that player knows."""
    no_regular = s.hand_x[seat, 0] + s.hand_x[seat, 1] == s.held[seat]  # the player sees that there is no regular card
    if not no_regular or rules.illegal_reason(s, seat, LEAVE):
        return False
    return bool(rules.illegal_reason(s, seat, TIMER) and rules.illegal_reason(s, seat, THIEF))


def asides(s, seat):
    """HH-19: the players whom a seat may accuse until their next turn; to let be is what happens by itself."""
    out = []
    for p in range(s.seats if seat >= 0 else 0):
        is_asked = s.phase == rules.ANSWER and p == s.turn
        if s.suspect[p] and rules.side_of(s, p) != rules.side_of(s, seat) and (not is_asked or s.acting >> seat & 1):
            accused = say("You accuse {seat}; it will show when {seat}'s next turn begins.", seat=Seat(p))
            back = say("You no longer accuse {seat}.", seat=Seat(p))
            out.append(Aside(p, ACCUSE, LET_BE, is_asked, LABELS[ACCUSE], accused, back))
    return tuple(out)


def _prompt_draw(s):
    if s.due == 0:
        return say("You have all your cards. One more, if nobody looks?")
    return say_n(
        "You may draw {n} card: ask for it, or forget it.",
        "You may draw {n} cards: ask for them, or forget them.",
        s.due,
    )


def _prompt_answer(s, seat):
    answers, accused = seat >= 0 and s.acting >> seat & 1, Seat(s.turn)
    if s.uncle_bob != rules.WATCH:
        waiting = say("{seat} has drawn a card too many; the others decide what to say.", seat=accused)
        return say("{seat} has drawn a card too many. Do you accuse?", seat=accused) if answers else waiting
    if answers:
        return say("Did {seat} draw a card too many last turn? Do you accuse?", seat=accused)
    mine = say("Your turn is next; first the others may accuse you.")
    return mine if seat == s.turn else say("{seat} is next; first the others may accuse.", seat=accused)


LABELS = {
    TIMER: say("The {card}, Two Timer", card=Cards(("x2",))),
    THIEF: say("The {card}, Thief", card=Cards(("Tf",))),
    rules.ASKED: say("Ask for a card"),
    rules.FIRST_PILE: say("Draw from pile {number}", number=1),
    rules.FIRST_PILE + 1: say("Draw from pile {number}", number=2),
    END: say("End your turn"),
    ACCUSE: say("Accuse"),
    LET_BE: say("Let it be"),
}


def label(s, seat, action):
    """The label of a move, with the points that it can score."""
    if action < REGULAR:
        return _label_card(s, action)
    if action == LEAVE and s.stacked > 1:
        return say("Leave both specials there, without a regular card")
    if action == LEAVE:
        timer, thief = say("Leave the Two Timer there, alone"), say("Leave the Thief there, alone")
        return timer if s.board[s.cell] == TIMER + 1 else thief
    return LABELS[action] if action in LABELS else _label_cell(s, seat, action - AT_CELL)


def _label_card(s, card):
    if s.phase == rules.STACK:
        total = most_points(s, [card], [s.cell])
        return say("The {card}: {points}", points=in_points(total), card=card_name(card))
    best = most_on_empty(s, [card]) if s.phase == rules.CARD else 0
    if best == 0:
        return say("The {card}", card=card_name(card))
    return say("The {card}: up to {points}", points=in_points(best), card=card_name(card))


def _label_cell(s, seat, cell):
    """The label of a move to a cell of the board, with the points to be had there."""
    total = most_points(s, [s.picked], [cell]) if s.picked < REGULAR else _promised(s, seat, cell)
    name = cell_name(cell, s.columns)
    if s.board[cell]:
        text = say("On the {card} at {cell}", card=card_name(s.board[cell] - 1), cell=name)
    elif total == 0 or s.picked >= REGULAR:
        text = say("At {cell}", cell=name)
    else:
        text = say("At {cell}: {points}", points=in_points(total), cell=name)
    return on_board(text, "board", cell, total)


def _promised(s, seat, cell):
    """The most points that a regular card of the hand could score on top of a special; None if none may follow."""
    if s.specials == 0 or lies_alone(s, s.picked, cell):
        return None
    return most_points(s, by_rank(s.hand[seat]), [cell], s.board[cell]) << (s.picked == TIMER)


# --- results ----------------------------------------------------------------------------------------------------------
def outcome(s, _seat):
    """How the match ended, and by what."""
    results = [rules.result_of(s, rules.side_of(s, p)) for p in range(s.seats)]
    texts = [_outcome_text(s, results[p], rules.wins(s, p), rules.lead(s, p) == 0) for p in range(s.seats)]
    if s.teams:  # HH-18: what is told of a seat is its team's
        teams = [rules.side_of(s, p) + 1 for p in range(s.seats)]
        texts = [say("{result} (team {number})", result=texts[p], number=teams[p]) for p in range(s.seats)]
    return Outcome(texts, won_by(s))


def _outcome_text(s, n, wins, shared):
    if s.length == rules.FIRST_TO_TWO:
        if not wins:
            return say("won {games}", games=in_games(n))
        return say("shared the win, with {games}", games=in_games(n)) if shared else say("won two games, and the match")
    if not wins:
        return say("ended with {points}", points=in_points(n))
    if shared:
        return say("shared the win, with {points}", points=in_points(n))
    return say("won with {points}", points=in_points(n))


def tallies(s):
    """The score sheet: points, and games won if they decide; a team's are added up."""
    points = tuple(rules.score_of(s, rules.side_of(s, p)) for p in range(s.seats))
    teams = tuple(rules.side_of(s, p) for p in range(s.seats)) if s.teams else ()  # HH-18
    if s.length != rules.FIRST_TO_TWO:
        return [Tally("score", say("Points"), points, teams=teams)]
    won = tuple(s.won[rules.side_of(s, p)] for p in range(s.seats))
    alone = {"length": rules.SINGLE}  # points remain when a match of one game is over
    return [Tally("won", say("Games won"), won, teams=teams), Tally("score", say("Points"), points, alone, teams)]


def won_by(s):
    """By what the match was won: how far the best side is ahead, in points or in games."""
    n = max(rules.lead(s, p) for p in range(s.seats))
    return in_games(n) if s.length == rules.FIRST_TO_TWO else in_points(n)
