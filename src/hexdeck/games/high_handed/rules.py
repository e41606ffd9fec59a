"""High Handed: poker hands laid on a board by 2 to 6. See rules.en.md beside this file.

Rules are cited by id (HH-1 to HH-21). A turn is played in steps: a card, then its cell; after a special, the next
cards of the stack, which go to the same cell; then, if the options ask for it, the draws. Cards are suit * 13 + rank,
the ace first; `x` stands for specials, all of a kind alike: Two Timer 52, Thief 53. The bag is all cards that nobody
has seen: both piles and the blind hand, which is what remains of it in the end; each of its cards is as likely to come.
Who begins may be drawn by lot before the first deal; that doesn't change the cards dealt.
Play is finite: every turn puts a card on the board or draws cards that were due, and no card returns.
"""

from hexdeck.engine.cards import STANDARD, any_of, in_sets, lowest_card, nth_card, size
from hexdeck.engine.layout import left_of, new_deal, remember, slices, starts, stop, struct
from hexdeck.engine.options import THE_CARDS, THE_MATCH, Choice, Number, Seats, Switch
from hexdeck.engine.random import below
from hexdeck.engine.text import _, out_of, say
from hexdeck.games.high_handed.scoring import CATEGORIES, DIRECTIONS, line, points

APART = ("_new_game", "_draw_on", "_end_turn")
PLAYERS = (2, 6)
SEATS = 6
NONE = -1
CELLS = 64
REGULAR, KINDS = 52, 54
TIMER, THIEF = 52, 53

OPTIONS = (
    Number("rows", 8, "HH-2", say("Rows of the board"), 1, CELLS, group=THE_CARDS),
    Number("columns", 8, "HH-2", say("Columns of the board"), 1, CELLS, group=THE_CARDS),
    Number("two_timers", 2, "HH-1", say("Two Timers (one fewer with two or three players)"), 0, 4,
           group=THE_CARDS),
    Number("thieves", 2, "HH-1", say("Thieves (one fewer with two or three players)"), 0, 4,
           group=THE_CARDS),
    Choice("first", "first_seat", "HH-3", say("Who begins the first game"), ("first_seat", "lot")),
    Number("specials", 2, "HH-6", say("The most specials before the regular card in a turn"), 0, 3),
    Switch("two_thieves", False, "HH-8", say("A second Thief may go on the first in the same turn")),
    Choice("lone_special", "empty", "HH-9", say("Where a special may be played by itself"), ("empty", "anywhere")),
    Choice("strangers", "no", "HH-11", say("Whether other cards may lie between those of a poker hand"), ("no", "yes")),
    Choice("line_hands", "one", "HH-13", say("How many poker hands a card can score in one line"), ("one", "two")),
    Choice("new_hand", "overlap", "HH-14", say("When an older hand of the same kind stops a new one from scoring"),
           ("overlap", "line")),
    Switch("choose_pile", False, "HH-10", say("Players choose a pile each time they draw")),
    Choice("length", "regular", "HH-17", say("How long a match is"), ("regular", "double", "first_to_two"),
           group=THE_MATCH),
    Number("teams", 0, "HH-18", say("Number of teams (0: everyone plays alone)"), 0, 3, group=THE_MATCH),
    Switch("manual_draw", False, "HH-19", say("Players must ask for their cards, and may forget to")),
    Seats("grandpa_rule", "none", "HH-19", say("Seats that draw forgotten first-turn cards before their second turn"),
          SEATS, needs=("manual_draw", True)),
    Switch("uncle_bob_rule", False, "HH-19", say("Players may draw a card too many, and be accused of it"),
           needs=("manual_draw", True)),
    Choice("uncle_bob", "watch", "HH-19", say("When players are asked about a card too many"), ("ask", "watch"),
           needs=("uncle_bob_rule", True)),
    Number("ranks", 13, "", say("Ranks in the deck, from the ace up, for study"), 1, 13),
    Number("suits", 4, "", say("Suits in the deck, for study"), 1, 4),
    Number("hand_cards", 0, "", say("Cards dealt to each player (0: as in the rules)"), 0, 7),
    Number("blind", 5, "HH-3", say("Cards in the blind hand"), 0, 5, group=THE_CARDS),
)  # fmt: skip
SINGLE, DOUBLE, FIRST_TO_TWO = 0, 1, 2
WATCH = 1
FINE = 5  # points that a card too many costs if somebody accuses, or a wrong accusation (HH-19)

STRUCT = struct(
    OPTIONS,
    ("turn", "i8"),  # the seat whose turn it is; while dealing, the one that gets the next card
    ("picked", "i8"),  # the card whose cell is being chosen; hidden from the others
    ("cell", "i8"),  # where this turn's stack of cards is
    ("under", "i8"),  # what lay there before the turn, coded as on the board
    ("due", "i8"),  # cards still to be dealt or drawn
    ("bag", "i8"),  # regular cards that nobody has seen; concealed: all that the seat hasn't seen
    ("out", "i8"),  # regular cards under a special, out of the game
    ("hand", "i8", (SEATS,)),
    ("taken", "i8", (SEATS,)),  # regular cards taken from a hand unseen (HH-19)
    ("score", "i2", (SEATS,)),
    ("made", "i2", (CATEGORIES + 1,)),  # the number of hands of each category that have scored
    ("hands", "i4", (DIRECTIONS,)),  # while a card scores: its hands in each direction, see `scoring.line`
    ("bag_x", "i1", (2,)),
    ("used_x", "i1", (2,)),  # specials that were played
    ("hand_x", "i1", (SEATS, 2)),
    ("taken_x", "i1", (SEATS, 2)),
    ("held", "i1", (SEATS,)),  # cards in each hand
    ("missing", "i1", (SEATS,)),  # cards taken from each hand unseen
    ("won", "i1", (SEATS,)),  # games won
    ("starter", "i1"),  # the seat that begins the first game (HH-3)
    ("turns", "i1", (SEATS,)),  # turns in this game: 0, 1, or 2 for two or more
    ("forgot", "i1", (SEATS,)),  # forgotten cards, to be drawn before the second turn (HH-19)
    ("choice", "i1", (SEATS,)),  # secret answers to a card too many
    ("pile", "i1", (2,)),  # cards in each pile
    ("board", "i1", (CELLS,)),  # the top card of each cell, as its number + 1; 0: empty
    ("phase", "i1"),
    ("stacked", "i1"),  # specials played in this turn
    ("doubled", "i1"),  # Two Timers among them
    ("from_pile", "i1"),
    ("late", "i1"),  # whether the cards due were forgotten in the first turn
    ("extra", "i1"),  # whether a card too many was drawn in this turn; under "watch": and was found out (HH-19)
    ("suspect", "i1", (SEATS,)),  # 1: before its next turn all are asked about its last (HH-19, "watch"); 2: in vain
    ("sneaked", "i1", (SEATS,)),  # 1 + the pile of a card too many, face down until the next turn; -1: none was left
    ("left", "i1"),  # whether the last turn left a card that was due in the piles
    version=4,
    added={
        2: ("first", "two_thieves", "lone_special", "starter"),
        3: {"uncle_bob": "ask", "suspect": None, "sneaked": None},
        4: ("left", "hands"),
    },
)
DEAL, CARD, CELL, STACK, PILE, ASK, DRAW, ANSWER, LOSE, DONE, LOT = range(11)

AT_CELL = KINDS
LEAVE = AT_CELL + CELLS
ASKED, FIRST_PILE, END, ACCUSE, LET_BE = LEAVE + 1, LEAVE + 2, LEAVE + 4, LEAVE + 5, LEAVE + 6
CARDS = (*STANDARD, "two-timer", "thief")
ACTIONS = (
    *(f"play {card}" for card in CARDS),
    *(f"cell {k + 1}" for k in range(CELLS)),
    "leave",
    "draw",
    "pile 1",
    "pile 2",
    "end turn",
    "accuse",
    "let be",
)
AT_SEAT = KINDS
OUTCOMES = (*(f"card {card}" for card in CARDS), *(f"seat {p}" for p in range(SEATS)))
# stops
BEGINS, DEALT, LAID, COVERED, ADDED_ON, LEFT, PLACED, DOUBLED, SCORED = range(1, 10)
DRAWN, FORGOT, ANSWERED, KEPT, ACCUSED, ACCUSED_TOO, FINED, LOST_CARD = range(10, 18)
GAME_OVER, GAME_WON, TURNED_UP, WON, GATHERED, TURN_OVER, WRONG, SEEN, CAUGHT = range(18, 27)
LIFTED = 27  # before it is covered by a Two Timer; LIFTED + 1: by a Thief
HAND = 29  # and so on: the hands that a card makes
ENDINGS = ("", "played out", "two games won")
PLAYED_OUT, TWO_WON = 1, 2

(NO_CARD, NOT_HELD, TOO_MANY, THIEF_FIRST, NO_CELL, NOT_THERE, NOT_EMPTY, NO_COVER, NO_LEAVE, NO_DRAW, WHICH_PILE,
 NO_PILE, NO_END, NO_ANSWER, NEEDS_CARD, ONE_THIEF, TWO_THIEVES, TAKEN, TOO_FEW) = range(1, 20)  # fmt: skip

# Scores are written in base 100, the higher digit first, rounded down: 123 as 1 23, -5 as -1 95.
SLICES = slices(
    hand=KINDS, unseen=KINDS, ranks=CELLS, suits=CELLS, picked=KINDS, taken=KINDS, forgot=SEATS, game=1, held=SEATS,
    scores=2 * SEATS, won=SEATS, missing=SEATS, acting=SEATS, turn=SEATS, begins=SEATS, own_choice=2, phase=11,
    piles=2, stack=4, due=1, late=1, extra=1, rows=1, columns=1, options=13, suspect=SEATS, sneaked=1, left=1,
)  # fmt: skip
AT = starts(SLICES)


def refuse(players, options):
    """Why these options can't be combined, or None."""
    dealt, blind = hand_size(players, options["hand_cards"]), options["blind"]
    cards = options["ranks"] * options["suits"]
    cards += in_play(players, options["two_timers"]) + in_play(players, options["thieves"])
    cells, teams = options["rows"] * options["columns"], options["teams"]
    if cards < players * dealt + blind:
        message = _(
            "{cards} cards can't give {players} players {each} cards each and leave {blind} for the blind "
            "hand; deal fewer."
        )
        return say(message, cards=cards, players=players, each=dealt, blind=blind)
    if not cards - blind <= cells <= CELLS:
        return say(
            "A board can't have {cells} cells; rows times columns must be from {low} to {high}.",
            cells=cells,
            low=cards - blind,
            high=CELLS,
        )
    if teams == 1 or (teams and (players % teams or players == teams)):
        text = _("{option} can't be {teams} with {players} players; four form 2, six form 2 or 3.")
        return say(text, option=_option("teams").label, players=players, teams=teams)
    elders = [int(seat) for seat in options["grandpa_rule"].split("-") if seat != "none"]
    if max(elders, default=0) >= players:
        text = _("{option} names a seat that isn't there: there are {players} players.")
        return say(text, option=_option("grandpa_rule").label, players=players)
    return _refuse_specials(players, options)


def _refuse_specials(players, options):
    """HH-8, HH-9: a second Thief needs two Thieves and two specials a turn; a lone special needs a special in play."""
    timers, thieves = (in_play(players, options[name]) for name in ("two_timers", "thieves"))
    if options["lone_special"] != "empty" and timers + thieves == 0:
        text = _("{option} needs a special in play; there is no Two Timer and no Thief.")
        return say(text, option=_option("lone_special").label)
    specials = options["specials"]
    if not options["two_thieves"] or (thieves > 1 and specials > 1):
        return None
    text = _(
        "{option} needs at least 2 Thieves in play (here {thieves}; with two or three players one is taken out) "
        "and at least 2 specials in a turn (here {specials})."
    )
    return say(text, option=_option("two_thieves").label, thieves=thieves, specials=specials)


def game_number(s, deal):
    """HH-17: which game it is, and of how many where that is certain."""
    return out_of(deal, 2 if s.length == DOUBLE else 1)


def _option(name):
    """The option with that name."""
    return next(option for option in OPTIONS if option.name == name)


def hand_size(players, hand_cards):
    """HH-4: 7 cards each, 5 with five or six players; or a chosen number for tiny decks."""
    if hand_cards:
        return hand_cards
    return 7 if players < 5 else 5


def in_play(players, specials):
    """HH-1: with two or three players one special of each kind is taken out."""
    return max(0, specials - (players < 4))


def sides(s):
    """HH-18: the number of sides."""
    return s.teams or s.seats


def side_of(s, seat):
    """HH-18: the side of a seat."""
    return seat % s.teams if s.teams else seat


def start(s):
    """HH-3: seat 0 begins the first game, or a seat drawn by lot before the deal."""
    _new_game(s)
    if s.first:
        s.phase, s.deal = LOT, 0


def chance_weights(s, weights):
    """The next card of the bag, a card of the offender's hand (HH-19), or the seat that begins (HH-3)."""
    cards, timers, thieves = _open_to_chance(s)
    for k in range(REGULAR):
        weights[k] = (cards >> k) & 1
    weights[TIMER], weights[THIEF] = timers, thieves
    for p in range(SEATS):
        weights[AT_SEAT + p] = (s.phase == LOT) & (p < s.seats)
    return chance_total(s)


def _open_to_chance(s):
    """The cards of which chance takes one: the regular ones, and how many Two Timers and Thieves there are."""
    if s.phase == LOT:
        return 0, 0, 0
    if s.phase == LOSE:
        return 0 + s.hand[s.turn], 0 + s.hand_x[s.turn, 0], 0 + s.hand_x[s.turn, 1]
    return 0 + s.bag, 0 + s.bag_x[0], 0 + s.bag_x[1]


def chance_total(s):
    """How many cards the bag or the offender's hand has, or seats."""
    cards, timers, thieves = _open_to_chance(s)
    return 0 + s.seats if s.phase == LOT else size(cards) + timers + thieves


def chance_outcome(s, u):
    """The seat, or the card, that has u before it; specials come last."""
    if s.phase == LOT:
        return AT_SEAT + u
    cards, timers, _ = _open_to_chance(s)
    if u < size(cards):
        return nth_card(cards, u)
    return TIMER if u - size(cards) < timers else THIEF


def apply_chance(s, outcome):
    """Deal, draw or take a card, or settle who begins."""
    if s.phase == LOT:
        remember(s, outcome)
        s.starter, s.phase = outcome - AT_SEAT, DEAL
        stop(s, BEGINS, s.starter)
        new_deal(s)
        return
    if s.phase == LOSE:
        _lose(s, s.turn, outcome)
        return
    _give(s, s.turn, outcome, True)
    s.held[s.turn] += 1
    if s.phase == DEAL:
        _dealt(s)
    else:
        _drawn(s)


def legal_actions(s, seat, actions):
    """HH-6 to HH-10: a card of the hand, a cell for it, a draw, or an answer."""
    if not (s.acting >> seat) & 1:
        return 0
    if s.phase == CELL:
        return _list_cells(s, seat, actions)
    if s.phase == CARD or s.phase == STACK:
        return _list_cards(s, seat, actions)
    if s.phase == ANSWER:
        actions[0], actions[1] = ACCUSE, LET_BE
        return 2
    return _list_draws(s, actions)


def _list_cards(s, seat, actions):
    """List the regular cards of a hand, the specials that may be played, and to leave the stack if it may end."""
    count, cards = 0, s.hand[seat]
    while cards:
        actions[count] = lowest_card(cards)
        cards &= cards - 1
        count += 1
    for special in range(TIMER, KINDS):
        actions[count] = special
        count += _forbids_card(s, seat, special) == 0
    actions[count] = LEAVE
    return count + (s.phase == STACK and may_end(s))


def _list_cells(s, seat, actions):
    """List the cells of the board that are empty, or that the picked card can cover."""
    count, covers = 0, _why_not_cover(s, seat) == 0
    for k in range(s.rows * s.columns):
        actions[count] = AT_CELL + k
        count += covers | (s.board[k] == 0)
    return count


def _list_draws(s, actions):
    if _two_piles(s):
        actions[0], actions[1], actions[2] = FIRST_PILE, FIRST_PILE + 1, END
        return 3 if s.phase == ASK else 2
    actions[0], actions[1] = ASKED, END
    return 2


def _two_piles(s):
    """HH-10: whether a draw must choose its pile."""
    return s.choose_pile and s.pile[0] > 0 and s.pile[1] > 0


def illegal_reason(s, seat, action):
    """0 if the move is legal, else the number of the reason why it isn't."""
    acts = (s.acting >> seat) & 1
    if action < AT_CELL:
        return _forbids_card(s, seat, action) if acts and (s.phase == CARD or s.phase == STACK) else NO_CARD
    if action < LEAVE:
        return _forbids_cell(s, seat, action - AT_CELL) if acts and s.phase == CELL else NO_CELL
    if action == LEAVE:
        if acts and s.phase == STACK and may_end(s):
            return 0
        return TOO_FEW if s.lone_special else NO_LEAVE
    if action >= ACCUSE:
        return 0 if acts and s.phase == ANSWER else NO_ANSWER
    if action == END:
        return 0 if acts and s.phase == ASK else NO_END
    if not acts or (s.phase != ASK and s.phase != PILE):
        return NO_DRAW if action == ASKED else NO_PILE
    if action == ASKED:
        return WHICH_PILE if _two_piles(s) else 0
    return 0 if _two_piles(s) else NO_PILE


def _forbids_card(s, seat, card):
    if card < REGULAR:
        return 0 if (s.hand[seat] >> card) & 1 else NOT_HELD
    if s.hand_x[seat, card - TIMER] == 0:
        return NOT_HELD
    return 0 if s.phase == CARD else why_not_on(s, seat, card)


def _forbids_cell(s, seat, cell):
    if cell >= s.rows * s.columns:
        return NOT_THERE
    return 0 if s.board[cell] == 0 else _why_not_cover(s, seat)


def _why_not_cover(s, seat):
    """HH-8, HH-9: 0 if the picked card can go on another card, else the reason why not."""
    if s.lone_special:
        return TAKEN if s.picked < REGULAR else 0
    if s.picked != THIEF:
        return NOT_EMPTY
    return 0 if can_follow(s, seat, 0) else NO_COVER


def apply_action(s, seat, action):
    """Apply a legal move."""
    if s.phase == CARD:
        s.picked, s.phase = action, CELL
    elif s.phase == ANSWER:
        _answer(s, seat, action)
    else:
        if s.phase == CELL:
            remember(s, s.picked)
        remember(s, END if _is_watched(s) else action)
        if s.phase == CELL:
            _lay(s, seat, s.picked, action - AT_CELL)
        elif s.phase == STACK:
            _stack(s, seat, action)
        else:
            _draw_as_asked(s, action)


def returns(s, out):
    """HH-20: the lead of each seat's side."""
    for p in range(s.seats):
        out[p] = lead(s, p)


def lead(s, seat):
    """HH-20: the lead of a seat's side over the best other one in points, or in games won under first_to_two."""
    own, best = 0, -10000
    for side in range(sides(s)):
        if side == side_of(s, seat):
            own = result_of(s, side)
        else:
            best = max(best, result_of(s, side))
    return own - best


def wins(s, seat):
    """HH-18: whether no other side has a better result; ties share."""
    return lead(s, seat) >= 0


def score_of(s, side):
    """HH-18: the points of a side."""
    total = 0
    for p in range(side, s.seats, sides(s)):
        total += s.score[p]
    return total


def result_of(s, side):
    """HH-17: what decides the match for a side: games won under first_to_two, else points."""
    return s.won[side] if s.length == FIRST_TO_TWO else score_of(s, side)


def inventory(s):
    """HH-1: every card; played specials are used, and regular cards below a special are out."""
    yield from in_sets(s.bag, s.out)
    for k in range(2):
        yield TIMER + k, s.bag_x[k] + s.used_x[k]
    for p in range(s.seats):
        yield from in_sets(s.hand[p], s.taken[p])
        for k in range(2):
            yield TIMER + k, s.hand_x[p, k]
            yield TIMER + k, s.taken_x[p, k]
    for k in range(CELLS):
        if 0 < s.board[k] <= REGULAR:
            yield s.board[k] - 1, 1


# --- a game begins (HH-1 to HH-5)
def _new_game(s):
    new_deal(s)
    s.bag, s.out = 0, 0
    for suit in range(s.suits):
        s.bag |= ((1 << s.ranks) - 1) << (13 * suit)
    s.bag_x[0], s.bag_x[1] = in_play(s.seats, s.two_timers), in_play(s.seats, s.thieves)
    for k in range(CELLS):
        s.board[k] = 0
    for k in range(2):
        s.used_x[k], s.pile[k], s.left = 0, 0, 0
    for p in range(SEATS):
        s.hand[p], s.taken[p] = 0, 0
        for k in range(2):
            s.hand_x[p, k], s.taken_x[p, k] = 0, 0
        s.held[p], s.missing[p], s.turns[p], s.forgot[p], s.choice[p] = 0, 0, 0, 0, NONE
        _trust(s, p)
        if s.length != DOUBLE:
            s.score[p] = 0
    _clear_turn(s)
    s.phase, s.acting, s.turn = DEAL, 0, 0
    s.due = hand_size(s.seats, s.hand_cards) * s.seats


def _clear_turn(s):
    s.picked, s.cell, s.under, s.stacked, s.doubled = NONE, NONE, 0, 0, 0
    s.due, s.from_pile, s.late, s.extra = 0, 0, 0, 0


def _dealt(s):
    """HH-4, HH-5: after the last card is dealt, make the piles and let the first player begin."""
    s.turn = left_of(s, s.turn)
    s.due -= 1
    if s.due == 0:
        unseen = size(s.bag) + s.bag_x[0] + s.bag_x[1] - s.blind
        s.pile[0], s.pile[1] = unseen - unseen // 2, unseen // 2
        s.turn = (s.starter + s.deal - 1) % s.seats
        s.phase, s.acting = CARD, 1 << s.turn
        stop(s, DEALT)


# --- a turn (HH-6 to HH-9)
def _lay(s, seat, card, cell):
    """Put a card on the chosen cell."""
    if card < REGULAR:
        s.picked = NONE
        _place(s, seat, card, cell)
        return
    ends = s.specials == 0 or lies_alone(s, card, cell)
    s.cell, s.under = cell, s.board[cell]
    if s.under:
        stop(s, LIFTED + card - TIMER, seat)
    s.picked = NONE
    if 0 < s.under <= REGULAR:
        s.out |= 1 << (s.under - 1)
    _put_special(s, seat, card)
    stop(s, COVERED if s.under else LAID, seat)
    if ends:
        s.due = 1
        _draw_on(s, seat)
    else:
        s.phase = STACK


def _put_special(s, seat, card):
    s.board[s.cell] = card + 1
    s.hand_x[seat, card - TIMER] -= 1
    s.used_x[card - TIMER] += 1
    s.held[seat] -= 1
    s.stacked += 1
    s.doubled += card == TIMER


def _stack(s, seat, action):
    """HH-7: add one more card to this turn's stack, or leave it."""
    if action == LEAVE:
        stop(s, LEFT, seat)
        s.due = s.stacked
        _draw_on(s, seat)
    elif action >= REGULAR:
        _put_special(s, seat, action)
        stop(s, ADDED_ON, seat)
    else:
        _place(s, seat, action, s.cell)


def _place(s, seat, card, cell):
    """HH-13: place a regular card and score it."""
    s.board[cell] = card + 1
    s.hand[seat] &= ~(1 << card)
    s.held[seat] -= 1
    stack, s.cell = s.cell, cell
    total, count = 0, 0
    for direction in range(DIRECTIONS):
        hands = line(s, cell, card, s.under, direction)
        if hands:
            s.hands[direction] = hands
            both = ((hands >> 4) & 15) != 0
            total += points(hands)
            count += 1 + both
            s.made[hands & 15] += 1
            s.made[(hands >> 4) & 15] += both
    stop(s, PLACED, seat)
    for k in range(count):
        stop(s, HAND + k, seat)
    if count:
        if s.doubled:
            stop(s, DOUBLED, seat)
        s.score[seat] += total << s.doubled
        stop(s, SCORED, seat)
    for direction in range(DIRECTIONS):
        s.hands[direction] = 0
    s.cell = stack
    s.due = s.stacked + 1
    _draw_on(s, seat)


def lies_alone(s, card, cell):
    """HH-7, HH-8: whether a special there ends the turn: a Thief on an empty cell, a Two Timer on another card."""
    return (card == THIEF) == (s.board[cell] == 0)


def can_follow(s, seat, stacked):
    """HH-6: whether one more special, after `stacked` ones in this turn, can be followed by a regular card."""
    return s.hand[seat] != 0 and stacked < s.specials


def may_end(s):
    """HH-9: whether the turn may end with the stack as it is; on another card a stack begins with a Thief."""
    if s.under == 0:
        return s.stacked == 1
    return s.lone_special != 0 and s.stacked <= 2


def why_not_on(s, seat, card):
    """HH-6 to HH-9: 0 if one more special of the hand can go on the stack, else the reason why not.

    Under the option it may be the turn's last card, after a Thief.
    """
    if card == THIEF:
        if s.board[s.cell] != THIEF + 1:
            return THIEF_FIRST
        if not s.two_thieves:
            return ONE_THIEF
        if s.stacked > 1:
            return TWO_THIEVES
    if s.hand[seat] == 0 and not (s.lone_special != 0 and s.under != 0 and s.stacked == 1):
        return NEEDS_CARD
    return 0 if s.stacked < s.specials else TOO_MANY


# --- draws after a turn (HH-10, HH-19)
def _draw_on(s, seat):
    """Go on after playing and after each draw: draw what is due, ask whether to, or end the turn."""
    remaining = _in_reach(s) if s.due else s.pile[0] + s.pile[1]
    s.due = min(s.due, remaining)
    s.acting = 1 << seat
    if s.manual_draw and not s.late:
        full = hand_size(s.seats, s.hand_cards)
        may_draw_more = s.uncle_bob_rule and not s.extra and s.held[seat] <= full and remaining > 0  # HH-19
        if s.due or may_draw_more:
            s.phase = ASK
        else:
            _end_turn(s, seat)
    elif s.due == 0:
        if s.late:
            _play_now(s, seat)
        else:
            _end_turn(s, seat)
    else:
        _fetch(s)


def _fetch(s):
    """HH-10: let chance draw a card, from a pile that may have to be chosen first."""
    if _two_piles(s):
        s.phase = PILE
    else:
        _draw(s, s.pile[1] > s.pile[0])


def _in_reach(s):
    """HH-19: the cards in the piles, as they are seen; if others have taken them all, that shows now."""
    remaining = s.pile[0] + s.pile[1]
    if remaining and remaining == _unseen_draws(s):
        drawn = 0
        for p in range(s.seats):
            hidden = _is_hidden(s, p)
            drawn |= hidden << p
            _trust(s, p)
            s.sneaked[p] = hidden
        remember(s, drawn)
        s.pile[0], s.pile[1] = 0, 0
        for p in range(s.seats):
            if (drawn >> p) & 1:
                stop(s, CAUGHT, p)
        return 0
    return remaining


def _unseen_draws(s):
    """How many cards too many still seem to lie in the piles."""
    count = 0
    for p in range(s.seats):
        count += _is_hidden(s, p)
    return count


def _is_hidden(s, p):
    return 1 if s.suspect[p] and s.sneaked[p] > 0 else 0


def _trust(s, p):
    """Nobody is to be asked about a seat."""
    s.suspect[p], s.sneaked[p] = 0, 0


def _is_watched(s):
    """HH-19: whether the turn ends now, with or without a card too many, and nobody sees which."""
    return s.phase == ASK and s.due == 0 and s.uncle_bob == WATCH


def _draw_as_asked(s, action):
    if _is_watched(s):
        s.suspect[s.turn] = 1
        if action != END:
            some = s.pile[0] + s.pile[1] > _unseen_draws(s)
            s.sneaked[s.turn] = 1 + (action == FIRST_PILE + 1) if some else -1
        stop(s, TURN_OVER, s.turn)
        _end_turn(s, s.turn)
    elif action == END:
        if s.due:
            s.left = 1
            stop(s, FORGOT, s.turn)
        if s.turns[s.turn] == 0 and (s.grandpa_rule >> s.turn) & 1:
            s.forgot[s.turn] = s.due
        _end_turn(s, s.turn)
    elif action == ASKED:
        _draw(s, s.pile[1] > s.pile[0])
    else:
        _draw(s, action - FIRST_PILE)


def _draw(s, pile):
    s.from_pile, s.phase, s.acting = pile, DRAW, 0


def _take(s, pile):
    """Take a card off a pile; once there is a choice no more, it doesn't matter what was chosen."""
    s.pile[pile] -= 1
    if s.pile[pile] == 0:
        least = -1 if s.pile[1 - pile] else 0
        for p in range(s.seats):
            s.sneaked[p] = min(1, max(least, s.sneaked[p]))


def _drawn(s):
    if s.sneaked[s.turn]:
        _draw_seen(s)
        return
    _take(s, s.from_pile)
    s.left = 0
    stop(s, DRAWN, s.turn)
    s.from_pile = 0
    if s.due:
        s.due -= 1
    else:
        s.extra = 1
    _draw_on(s, s.turn)


def _draw_seen(s):
    """HH-19: the card too many is turned up by its owner, and the true sizes are seen; who was accused loses a card."""
    if s.suspect[s.turn]:
        pile = s.sneaked[s.turn] - 1 if s.choose_pile else (s.pile[1] > s.pile[0]) * 1
        _take(s, pile if s.pile[pile] else 1 - pile)
    _trust(s, s.turn)
    stop(s, SEEN, s.turn)
    if s.extra:
        s.extra, s.phase = 0, LOSE
    else:
        _start_turn(s, s.turn)


def _end_turn(s, seat):
    """HH-19: under "watch" the others will be asked as long as there are cards to draw, even if none was too many."""
    s.turns[seat] = min(2, s.turns[seat] + 1)
    if s.uncle_bob_rule and s.uncle_bob == WATCH and s.suspect[seat] == 0 and s.pile[0] + s.pile[1] > 0:
        s.suspect[seat] = 2
    if s.extra:
        _ask_opponents(s, seat)
    else:
        _pass_on(s)


def _ask_opponents(s, seat):
    s.phase, s.acting = ANSWER, 0
    for p in range(s.seats):
        s.acting |= (side_of(s, p) != side_of(s, seat)) << p


def _answer(s, seat, action):
    """HH-19: answer in secret; once all have, an accusation costs the offender a card and points, else the accuser.

    Under "ask" nobody answers unless there is an offender.
    """
    s.choice[seat] = action - ACCUSE
    s.acting &= ~(1 << seat)
    stop(s, ANSWERED, seat)
    if s.acting == 0:
        accused, guilty = False, s.extra > 0 or _is_hidden(s, s.turn) > 0
        for p in range(s.seats):
            if side_of(s, p) != side_of(s, s.turn):
                remember(s, s.choice[p])
                if s.choice[p] == 0:
                    stop(s, ACCUSED_TOO if accused else ACCUSED, p)
                    accused = True
                    if not guilty:
                        s.score[p] -= FINE
                        stop(s, WRONG, p)
            s.choice[p] = NONE
        found_out = accused and guilty
        if found_out:
            s.score[s.turn] -= FINE
            stop(s, FINED, s.turn)
        if s.suspect[s.turn]:
            remember(s, _is_hidden(s, s.turn))
            s.extra = found_out
            _start_turn(s, s.turn)
        elif found_out:
            s.phase = LOSE
        else:
            stop(s, KEPT, s.turn)
            _pass_on(s)


def _lose(s, seat, card):
    if card < REGULAR:
        s.hand[seat] &= ~(1 << card)
        s.taken[seat] |= 1 << card
    else:
        s.hand_x[seat, card - TIMER] -= 1
        s.taken_x[seat, card - TIMER] += 1
    s.held[seat] -= 1
    s.missing[seat] += 1
    stop(s, LOST_CARD, seat)
    if s.extra:
        _pass_on(s)
    else:
        _start_turn(s, seat)


def _pass_on(s):
    """HH-10, HH-19: pass on to the next seat with a card or with late cards to draw; without any, the game is over."""
    held = 0
    for p in range(s.seats):
        held += s.held[p]
    last = s.turn
    _clear_turn(s)
    if held == 0:
        _end_game(s)
        return
    seat = left_of(s, last)
    while s.held[seat] == 0 and not (_late_cards(s, seat) and _in_reach(s)):
        _trust(s, seat)
        seat = left_of(s, seat)
    s.turn = seat
    if s.suspect[seat]:
        _ask_opponents(s, seat)
    else:
        _start_turn(s, seat)


def _start_turn(s, seat):
    """HH-19: a card too many, and cards that a Grandpa forgot, come before the turn."""
    if s.sneaked[seat] > 0:
        s.phase, s.acting = DRAW, 0
        return
    _trust(s, seat)
    remaining = _in_reach(s) if _late_cards(s, seat) else 0
    if remaining:
        s.late, s.due, s.forgot[seat] = 1, min(remaining, s.forgot[seat]), 0
        s.acting = 1 << seat
        _fetch(s)
    else:
        _play_now(s, seat)


def _late_cards(s, seat):
    """HH-19: whether a seat draws the cards forgotten in its first turn before its second one."""
    return s.turns[seat] == 1 and s.forgot[seat] > 0


def _play_now(s, seat):
    s.late = 0
    s.phase, s.acting = CARD, 1 << seat


# --- the end (HH-10, HH-17)
def _end_game(s):
    best, winners = -10000, 0
    if s.length:
        stop(s, GAME_OVER)
    for side in range(sides(s)):
        best = max(best, score_of(s, side))
    for side in range(sides(s)):
        if score_of(s, side) == best:
            s.won[side] += 1
            stop(s, GAME_WON, side)  # whose seat, or the first of the team, has this number
        winners = max(winners, s.won[side])
    s.phase, s.acting = DONE, 0
    if s.length == FIRST_TO_TWO:
        s.over, s.ending = winners == 2, TWO_WON * (winners == 2)
    elif s.length != DOUBLE or s.deal == 2:
        s.over, s.ending = 1, PLAYED_OUT
    if s.over:
        stop(s, TURNED_UP)
        stop(s, WON)
    else:
        _new_game(s)
        stop(s, GATHERED)


# --- what a seat knows (HH-21)
def conceal(s, seat):
    """HH-21: pool others' hands, cards taken from them and the bag; blank secret picks, answers, cards too many.

    A card and its cell are one choice: that a card was picked is secret until it lies on the board.
    """
    for p in range(s.seats):
        if p != seat:
            s.bag |= s.hand[p] | s.taken[p]
            s.hand[p], s.taken[p] = 0, 0
            for k in range(2):
                s.bag_x[k] += s.hand_x[p, k] + s.taken_x[p, k]
                s.hand_x[p, k], s.taken_x[p, k] = 0, 0
            s.choice[p] = NONE
            if s.suspect[p]:
                s.sneaked[p] = 0
    if s.phase == CELL and s.turn != seat:
        s.phase, s.picked = CARD, NONE


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted clockwise from the observer; the public observes as seat 0."""
    me = max(seat, 0)
    hand, lost, bag = s.hand[me], s.taken[me], s.bag  # concealed from the public: none
    for k in range(REGULAR):
        out[k] = (hand >> k) & 1
        out[AT.taken + k] = (lost >> k) & 1
        out[AT.unseen + k] = (bag >> k) & 1
    for k in range(2):
        out[TIMER + k] = s.hand_x[me, k]
        out[AT.unseen + TIMER + k] = s.bag_x[k]
        out[AT.piles + k] = s.pile[k]
        out[AT.taken + TIMER + k] = s.taken_x[me, k]
    _observe_board(s, out)
    if s.picked != NONE:
        out[AT.picked + s.picked] = 1
    p, begins = me, (s.starter + s.deal - 1) % s.seats if s.phase != LOT else NONE
    for k in range(s.seats):
        _observe_seat(s, p, k, out)
        out[AT.begins + k] = p == begins
        p = left_of(s, p)
    if s.choice[me] != NONE:
        out[AT.own_choice + s.choice[me]] = 1
    out[AT.phase + s.phase] = 1
    out[AT.game] = min(127, s.deal)
    out[AT.stack], out[AT.stack + 1], out[AT.stack + 2], out[AT.stack + 3] = s.cell, s.under, s.stacked, s.doubled
    out[AT.due], out[AT.late], out[AT.extra], out[AT.rows], out[AT.columns] = s.due, s.late, s.extra, s.rows, s.columns
    out[AT.sneaked] = s.sneaked[me] if seat >= 0 else 0
    out[AT.left] = s.left
    play = s.first, s.specials, s.two_thieves, s.lone_special, s.strangers, s.line_hands, s.new_hand
    draws = s.choose_pile, s.length, s.teams, s.manual_draw, s.uncle_bob_rule, s.uncle_bob
    for k, option in enumerate(play + draws):
        out[AT.options + k] = option


def _observe_board(s, out):
    """Write the board: ranks 1 to 13, 14 for a Two Timer, 15 for a Thief; suits 1 to 4."""
    for k in range(s.rows * s.columns):
        code = s.board[k]
        suits = (code > 13) + (code > 26) + (code > 39)  # before its own
        out[AT.ranks + k] = code - 13 * suits
        out[AT.suits + k] = ((code > 0) & (code <= REGULAR)) * (suits + 1)


def _observe_seat(s, p, k, out):
    out[AT.held + k], out[AT.won + k], out[AT.missing + k] = s.held[p], s.won[side_of(s, p)], s.missing[p]
    out[AT.scores + 2 * k], out[AT.scores + 2 * k + 1] = s.score[p] // 100, s.score[p] % 100
    out[AT.acting + k] = (s.acting >> p) & 1
    out[AT.forgot + k], out[AT.suspect + k] = s.forgot[p], s.suspect[p]
    out[AT.turn + k] = s.turn == p


def resample(s, seat, rng):
    """Sample a world: fill hidden hands and taken cards from the bag, then pick and answer for others.

    Whoever is to choose a card has picked none yet, or any that can be played, each as likely. Whoever may have drawn a
    card too many has done so or not.
    """
    conceal(s, seat)
    _sneak(s, seat, rng)
    owing = seat != s.turn and s.phase == STACK and not may_end(s)  # HH-6: a regular card, as the stack can't be left
    if owing:
        _deal_with_regular(s, s.turn, rng)
    remaining = size(s.bag) + s.bag_x[0] + s.bag_x[1]
    for p in range(s.seats):
        if p != seat:
            dealt = s.held[p] if owing and p == s.turn else 0
            for k in range(dealt, s.held[p] + s.missing[p]):
                card = _any_unseen(s, remaining, rng)
                remaining -= 1
                _give(s, p, card, k < s.held[p])
    if s.phase == CARD and s.turn != seat:
        s.picked = _any_pick(s, s.turn, rng)
        s.phase = CARD if s.picked == NONE else CELL
    for p in range(s.seats):
        if s.phase == ANSWER and p != seat and side_of(s, p) != side_of(s, s.turn) and not (s.acting >> p) & 1:
            s.choice[p] = below(rng, 2)


def _sneak(s, seat, rng):
    """HH-19: let any of the others who may have done so have drawn a card too many, as far as the piles had them.

    Who is about to turn one up has one. Who found none left knows how many the others have; that can only have been the
    last one to play.
    """
    room, suspects, certain = hidden_at_most(s), 0, 0
    for p in range(s.seats):
        suspects |= may_have_drawn(s, seat, p) << p
    if suspects == 0:
        return
    if s.phase == DRAW:
        certain = suspects & (1 << s.turn)
        suspects, room = suspects & ~certain, room - (certain > 0)
    least = room if seat >= 0 and s.sneaked[seat] < 0 else 0
    u, sneaks = below(rng, _subsets(suspects, least, room)), 0
    while u or not least <= size(sneaks) <= room:  # the subsets of a set of bits, in ascending order
        u -= least <= size(sneaks) <= room
        sneaks = (sneaks - suspects) & suspects
    for p in range(s.seats):
        if ((sneaks | certain) >> p) & 1:
            s.sneaked[p] = 1 + (below(rng, 2) if _two_piles(s) else 0)
    last, remaining = _last_suspect(s), s.pile[0] + s.pile[1]
    if remaining > 0 and remaining == _unseen_draws(s) and ((suspects & ~sneaks) >> last) & 1:
        s.sneaked[last] = -below(rng, 2)


def may_have_drawn(s, seat, p):
    """HH-19: whether the last turn of another seat can have ended with a card too many."""
    return (s.suspect[p] == 1) & (p != seat)


def hidden_at_most(s):
    """HH-19: how many cards too many the others can have, as far as a seat knows.

    A card that is due, or was due and was left there, is one that nobody has drawn.
    """
    return s.pile[0] + s.pile[1] - (s.due > 0 or s.left > 0) - _unseen_draws(s)


def _subsets(members, least, most):
    """How many subsets of a set of bits have so many members."""
    count = 0
    for k in range(least, min(most, size(members)) + 1):
        count += combinations(size(members), k)
    return count


def _last_suspect(s):
    """Of those whose last turn will be asked about, the one that has played last; the seat on turn if there is none."""
    for k in range(1, s.seats):
        p = (s.turn + s.seats - k) % s.seats
        if s.suspect[p]:
            return p
    return 0 + s.turn


def clear_hidden_choices(s, seat):
    """HH-19: the other seats are to answer again."""
    for p in range(s.seats):
        if s.phase == ANSWER and p != seat and side_of(s, p) != side_of(s, s.turn):
            s.choice[p] = NONE
            s.acting |= 1 << p


def _deal_with_regular(s, p, rng):
    """Fill a hand that has at least one regular card: first draw how many specials it has, then which cards."""
    regular, specials, held = size(s.bag), s.bag_x[0] + s.bag_x[1], 0 + s.held[p]
    total = 0
    for k in range(held):
        total += combinations(specials, k) * combinations(regular, held - k)
    u, k = below(rng, total), 0
    while u >= combinations(specials, k) * combinations(regular, held - k):
        u -= combinations(specials, k) * combinations(regular, held - k)
        k += 1
    for i in range(held):
        if i < k:
            _give(s, p, TIMER if below(rng, specials - i) < s.bag_x[0] else THIEF, True)
        else:
            _give(s, p, any_of(s.bag, regular + k - i, rng), True)


def combinations(n, k):
    """The number of ways to choose k of n."""
    if k > n:
        return 0
    count = 1
    for i in range(k):
        count = count * (n - i) // (i + 1)
    return count


def _any_unseen(s, remaining, rng):
    """A random card of the bag."""
    u, specials = below(rng, remaining), s.bag_x[0] + s.bag_x[1]
    if u >= specials:
        return nth_card(s.bag, u - specials)
    return TIMER if u < s.bag_x[0] else THIEF


def _give(s, p, card, to_hand):
    """Take a card out of the bag: into a hand, or to those that were taken from it."""
    if card < REGULAR:
        s.bag &= ~(1 << card)
        s.hand[p] |= (1 << card) * to_hand
        s.taken[p] |= (1 << card) * (not to_hand)
    else:
        s.bag_x[card - TIMER] -= 1
        s.hand_x[p, card - TIMER] += to_hand
        s.taken_x[p, card - TIMER] += not to_hand


def _any_pick(s, seat, rng):
    """A random action that the seat could have chosen, or NONE for none yet."""
    regular, timers = size(s.hand[seat]), s.hand_x[seat, 0] > 0
    u = below(rng, 1 + regular + timers + (s.hand_x[seat, 1] > 0)) - 1
    if u < 0:
        return NONE
    if u < regular:
        return nth_card(s.hand[seat], u)
    return TIMER if u == regular and timers else THIEF
