"""High Handed: poker hands laid on a board by 2 to 6. See rules.en.md beside this file.

Rules are cited by id (HH-1 to HH-21). A turn is played in steps: a card, then its cell; after a special, the next
cards of the stack, which go to the same cell; then, if the options ask for it, the draws. Cards are suit * 13 + rank,
the ace first; `x` stands for specials, all of a kind alike: Two Timer 52, Thief 53. The bag is all cards that nobody
has seen: both piles and the blind hand, which is what remains of it in the end; each of its cards is as likely to come.
Who begins may be drawn by lot before the first deal; that doesn't change the cards dealt.
Play is finite: every turn puts a card on the board or draws cards that were due, and no card returns.
"""

from hexdeck.engine.cards import lowest_card, nth_card, size
from hexdeck.engine.history import new_deal, remember
from hexdeck.engine.inventory import in_sets
from hexdeck.engine.seats import left_of
from hexdeck.engine.stops import stop
from hexdeck.games.high_handed.components import (
    ACCUSE,
    ACCUSED,
    ACCUSED_TOO,
    ACTIONS,
    ADDED_ON,
    ANSWER,
    ANSWERED,
    ASK,
    ASKED,
    AT_CELL,
    AT_SEAT,
    BEGINS,
    CARD,
    CAUGHT,
    CELL,
    CELLS,
    COVERED,
    DEAL,
    DEALT,
    DONE,
    DOUBLE,
    DOUBLED,
    DRAW,
    DRAWN,
    END,
    ENDINGS,
    FINED,
    FIRST_PILE,
    FIRST_TO_TWO,
    FORGOT,
    GAME_OVER,
    GAME_WON,
    GATHERED,
    HAND,
    KEPT,
    LAID,
    LEAVE,
    LEFT,
    LET_BE,
    LIFTED,
    LOSE,
    LOST_CARD,
    LOT,
    NO_ANSWER,
    NO_CARD,
    NO_CELL,
    NO_COVER,
    NO_DRAW,
    NO_END,
    NO_LEAVE,
    NO_PILE,
    NONE,
    NOT_EMPTY,
    NOT_HELD,
    NOT_THERE,
    OPTIONS,
    OUTCOMES,
    PILE,
    PLACED,
    PLAYED_OUT,
    PLAYERS,
    REGULAR,
    SCORED,
    SEATS,
    SEEN,
    SLICES,
    STACK,
    STRUCT,
    TAKEN,
    THIEF,
    TIMER,
    TOO_FEW,
    TURN_OVER,
    TURNED_UP,
    TWO_WON,
    WATCH,
    WHICH_PILE,
    WON,
    WRONG,
    hand_size,
    in_play,
    refuse,
    side_of,
    sides,
)
from hexdeck.games.high_handed.knowledge import clear_hidden_choices, conceal, observe, resample
from hexdeck.games.high_handed.lines import DIRECTIONS, points
from hexdeck.games.high_handed.scoring import line
from hexdeck.games.high_handed.stacks import can_follow, lies_alone, may_end, why_not_on

__all__ = [  # the contract
    "ACTIONS", "ENDINGS", "OPTIONS", "OUTCOMES", "PLAYERS", "SEATS", "SLICES", "STRUCT",
    "apply_action", "apply_chance", "chance_outcome", "chance_total", "chance_weights",
    "clear_hidden_choices", "conceal", "illegal_reason", "inventory", "legal_actions", "observe", "refuse", "resample",
    "returns", "start",
]  # fmt: skip
APART = ("_new_game", "_draw_on", "_end_turn")


def start(s):
    """HH-3: seat 0 begins the first game, or a seat drawn by lot before the deal."""
    _new_game(s)
    if s.first:
        s.phase, s.deal = LOT, 0


def chance_weights(s, weights):
    """The next card of the bag, a card of the offender's hand (HH-19), or the seat that begins (HH-3)."""
    for p in range(SEATS):
        weights[AT_SEAT + p] = (s.phase == LOT) & (p < s.seats)
    if s.phase == LOT:
        for k in range(AT_SEAT):
            weights[k] = 0
        return 0 + s.seats
    if s.phase == LOSE:
        return _weigh(s.hand[s.turn], s.hand_x[s.turn, 0], s.hand_x[s.turn, 1], weights)
    return _weigh(s.bag, s.bag_x[0], s.bag_x[1], weights)


def _weigh(cards, timers, thieves, weights):
    for k in range(REGULAR):
        weights[k] = (cards >> k) & 1
    weights[TIMER], weights[THIEF] = timers, thieves
    return size(cards) + timers + thieves


def chance_total(s):
    """How many cards the bag or the offender's hand has, or seats."""
    if s.phase == LOT:
        return 0 + s.seats
    if s.phase == LOSE:
        return 0 + s.held[s.turn]
    return size(s.bag) + s.bag_x[0] + s.bag_x[1]


def chance_outcome(s, u):
    """The seat, or the card, that has u before it; specials come last."""
    if s.phase == LOT:
        return AT_SEAT + u
    if s.phase == LOSE:
        return _card_of(s.hand[s.turn], s.hand_x[s.turn, 0], u)
    return _card_of(s.bag, s.bag_x[0], u)


def _card_of(cards, timers, u):
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
    if outcome < REGULAR:
        s.bag &= ~(1 << outcome)
        s.hand[s.turn] |= 1 << outcome
    else:
        s.bag_x[outcome - TIMER] -= 1
        s.hand_x[s.turn, outcome - TIMER] += 1
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
    if s.phase == CARD:
        count = _list_hand(s, seat, actions)
        return _list_x(s, seat, actions, count, THIEF)
    if s.phase == STACK:
        return _list_stack(s, seat, actions)
    if s.phase == ANSWER:
        actions[0], actions[1] = ACCUSE, LET_BE
        return 2
    return _list_draws(s, actions)


def _list_hand(s, seat, actions):
    """List the regular cards of a hand, and a Two Timer."""
    count, cards = 0, s.hand[seat]
    while cards:
        actions[count] = lowest_card(cards)
        cards &= cards - 1
        count += 1
    return _list_x(s, seat, actions, count, TIMER)


def _list_x(s, seat, actions, count, special):
    if s.hand_x[seat, special - TIMER]:
        actions[count] = special
        count += 1
    return count


def _list_cells(s, seat, actions):
    count, cells, free = 0, s.rows * s.columns, 0
    for k in range(cells):
        free |= (s.board[k] == 0) * (1 << k)
    if _why_not_cover(s, seat) == 0:
        free = (1 << (cells - 1) << 1) - 1
    while free:
        actions[count] = AT_CELL + lowest_card(free)
        free &= free - 1
        count += 1
    return count


def _list_stack(s, seat, actions):
    count = _list_hand(s, seat, actions)
    if s.hand_x[seat, 0] and why_not_on(s, seat, TIMER):
        count -= 1
    if s.hand_x[seat, 1] and why_not_on(s, seat, THIEF) == 0:
        actions[count] = THIEF
        count += 1
    if may_end(s):
        actions[count] = LEAVE
        count += 1
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
    """HH-20: the lead over the best other side in points, or in games won under first_to_two."""
    for p in range(s.seats):
        own, best = 0, -10000
        for side in range(sides(s)):
            if side == side_of(s, p):
                own = result_of(s, side)
            else:
                best = max(best, result_of(s, side))
        out[p] = own - best


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
        s.used_x[k], s.pile[k] = 0, 0
    for p in range(SEATS):
        _clear_seat(s, p)
    _clear_turn(s)
    s.phase, s.acting, s.turn = DEAL, 0, 0
    s.due = hand_size(s.seats, s.hand_cards) * s.seats


def _clear_seat(s, p):
    s.hand[p], s.taken[p] = 0, 0
    for k in range(2):
        s.hand_x[p, k], s.taken_x[p, k] = 0, 0
    s.held[p], s.missing[p], s.turns[p], s.forgot[p], s.choice[p] = 0, 0, 0, 0, NONE
    s.suspect[p], s.sneaked[p] = 0, 0
    if s.length != DOUBLE:
        s.score[p] = 0


def _clear_turn(s):
    s.picked, s.cell, s.under, s.stacked, s.doubled = NONE, NONE, 0, 0, 0
    s.due, s.from_pile, s.late, s.extra = 0, 0, 0, 0


def _dealt(s):
    """HH-4, HH-5: after the last card is dealt, make the piles and let the first player begin."""
    s.turn = left_of(s, s.turn)
    s.due -= 1
    if s.due == 0:
        rest = size(s.bag) + s.bag_x[0] + s.bag_x[1] - s.blind
        s.pile[0], s.pile[1] = rest - rest // 2, rest // 2
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
    stop(s, PLACED, seat)
    total, count = 0, 0
    for direction in range(DIRECTIONS):
        hands = line(s, cell, card, s.under, direction)
        if hands:
            two = (hands >> 4) != 0
            total += points(hands)
            count += 1 + two
            s.made[hands & 15] += 1
            s.made[hands >> 4] += two
    for k in range(count):
        stop(s, HAND + k, seat)
    if count:
        if s.doubled:
            stop(s, DOUBLED, seat)
        s.score[seat] += total << s.doubled
        stop(s, SCORED, seat)
    s.cell = stack
    s.due = s.stacked + 1
    _draw_on(s, seat)


def gain(s, card, cell):
    """The points that a regular card would score in a cell in this turn."""
    return worth(s, card, cell, s.under) << s.doubled


def worth(s, card, cell, under):
    """The points of a regular card in a cell where `under` lay before the turn, not doubled."""
    total = 0
    for direction in range(DIRECTIONS):
        total += points(line(s, cell, card, under, direction))
    return total


# --- draws after a turn (HH-10, HH-19)
def _draw_on(s, seat):
    """Go on after playing and after each draw: draw what is due, ask whether to, or end the turn."""
    left = _in_reach(s) if s.due else s.pile[0] + s.pile[1]
    s.due = min(s.due, left)
    s.acting = 1 << seat
    if s.manual_draw and not s.late:
        if s.due or _extra_allowed(s, seat, left):
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
    left = s.pile[0] + s.pile[1]
    if left and left == _unseen_draws(s):
        drawn = 0
        for p in range(s.seats):
            drawn |= _is_hidden(s, p) << p
            s.suspect[p] = 0
        remember(s, drawn)
        s.pile[0], s.pile[1] = 0, 0
        for p in range(s.seats):
            if (drawn >> p) & 1:
                stop(s, CAUGHT, p)
        return 0
    return left


def _unseen_draws(s):
    """How many cards too many still seem to lie in the piles."""
    count = 0
    for p in range(s.seats):
        count += _is_hidden(s, p)
    return count


def _is_hidden(s, p):
    return 1 if s.suspect[p] and s.sneaked[p] else 0


def _extra_allowed(s, seat, left):
    """HH-19: whether a card too many may be drawn."""
    most = hand_size(s.seats, s.hand_cards)
    return s.uncle_bob_rule and not s.extra and s.held[seat] <= most and left > 0


def _is_watched(s):
    """HH-19: whether the turn ends now, with or without a card too many, and nobody sees which."""
    return s.phase == ASK and s.due == 0 and s.uncle_bob == WATCH


def _draw_as_asked(s, action):
    if _is_watched(s):
        s.suspect[s.turn] = 1
        if action != END and s.pile[0] + s.pile[1] > _unseen_draws(s):
            s.sneaked[s.turn] = 1 + (action == FIRST_PILE + 1)
        stop(s, TURN_OVER, s.turn)
        _end_turn(s, s.turn)
    elif action == END:
        if s.due:
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


def _drawn(s):
    if s.sneaked[s.turn]:
        _draw_seen(s)
        return
    s.pile[s.from_pile] -= 1
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
        s.pile[pile if s.pile[pile] else 1 - pile] -= 1
    s.suspect[s.turn], s.sneaked[s.turn] = 0, 0
    stop(s, SEEN, s.turn)
    if s.extra:
        s.extra, s.phase = 0, LOSE
    else:
        _start_turn(s, s.turn)


def _end_turn(s, seat):
    s.turns[seat] = min(2, s.turns[seat] + 1)
    if s.extra:
        _ask_opponents(s, seat)
    else:
        _pass_on(s)


def _ask_opponents(s, seat):
    s.phase, s.acting = ANSWER, 0
    for p in range(s.seats):
        s.acting |= (side_of(s, p) != side_of(s, seat)) << p


def _answer(s, seat, action):
    """HH-19: answer in secret; once all have, an accusation costs the offender a card and 5 points, else the accuser 5.

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
                        s.score[p] -= 5
                        stop(s, WRONG, p)
            s.choice[p] = NONE
        found_out = accused and guilty
        if found_out:
            s.score[s.turn] -= 5
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
        seat = left_of(s, seat)
    s.turn = seat
    if s.suspect[seat]:
        _ask_opponents(s, seat)
    else:
        _start_turn(s, seat)


def _start_turn(s, seat):
    """HH-19: a card too many, and cards that a Grandpa forgot, come before the turn."""
    if s.sneaked[seat]:
        s.phase, s.acting = DRAW, 0
        return
    s.suspect[seat] = 0
    left = _in_reach(s) if _late_cards(s, seat) else 0
    if left:
        s.late, s.due, s.forgot[seat] = 1, min(left, s.forgot[seat]), 0
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
    best, most = -10000, 0
    if s.length:
        stop(s, GAME_OVER)
    for side in range(sides(s)):
        best = max(best, score_of(s, side))
    for side in range(sides(s)):
        if score_of(s, side) == best:
            s.won[side] += 1
            stop(s, GAME_WON, side)  # whose seat, or the first of the team, has this number
        most = max(most, s.won[side])
    s.phase, s.acting = DONE, 0
    if s.length == FIRST_TO_TWO:
        s.over, s.ending = most == 2, TWO_WON * (most == 2)
    elif s.length != DOUBLE or s.deal == 2:
        s.over, s.ending = 1, PLAYED_OUT
    if s.over:
        stop(s, TURNED_UP)
        stop(s, WON)
    else:
        _new_game(s)
        stop(s, GATHERED)
