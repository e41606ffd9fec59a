"""Wolf-Man's Curse: a game of capturing cards for 3 to 8 with a standard deck. See rules.en.md beside this file.

Rules are cited by id (WC-1 to WC-20). A step is one decision: the card for a night. Number cards are all different, so
sets of them have a bit per card: suit * 10 + rank, suits in the order of the score sheet, the ace first. A face is
suit * 3, plus 0 for a jack, 1 for a queen, 2 for a king; sets of faces and of seats are bits too. `deal` counts months.
Play is finite: each night takes a card from the face pile for good, and the queen of hearts, who ends it, is in there.
"""

from hexdeck.engine.cards import STANDARD, any_of, in_sets, lowest_card, nth_card, size
from hexdeck.engine.layout import left_of, new_deal, remember, slices, starts, stop, struct
from hexdeck.engine.options import Choice, Number, Numbers, Switch
from hexdeck.engine.text import _, say

PLAYERS = (3, 8)
SEATS = 8
NONE = -1

SUITS, RANKS = 4, 10
CLUBS, SPADES, HEARTS, DIAMONDS = range(SUITS)
CARDS = SUITS * RANKS
FACES = 12
QUEEN, JOKER = 7, 12  # the queen of hearts; the code after all faces
NIGHTS = 5  # at most
CODES = tuple(code for code in STANDARD if code[0] not in "JQK")
FACE_CODES = (*(code for code in STANDARD if code[0] in "JQK"), "joker")

OPTIONS = (
    Choice("doubling", "strength", "WC-6", say("What the face card doubles"), ("strength", "points", "both")),
    Switch("queen_scores", False, "WC-12", say("The queen of hearts scores on the last night")),
    Choice("mob_ties", "all", "WC-13", say("Who is lynched in a tie for the most clubs"), ("all", "none")),
    Choice("release", "after", "WC-17", say("When the lover's release comes"), ("after", "before")),
    Number("ranks", 10, "", say("Number cards of each suit, from the ace up"), 1, 10),
    Numbers(
        "faces", "1-1-1-1-1-1-1-1-1-1-1-1-2", "",
        say("How many there are of the jack, queen and king of clubs, spades, hearts, diamonds; then jokers"),
        0, 2, 13, 13,
    ),
    Number("hand_cards", 0, "", say("Cards dealt to each player (0: as in the rules)"), 0, 5),
    Number("nights", 3, "", say("Nights in a month"), 1, NIGHTS),
    Number("queen_month", 2, "", say("The first month in which the queen of hearts ends the game"), 1, 4),
)  # fmt: skip
STRENGTH, POINTS = 0, 1
NOBODY, BEFORE = 1, 1

STRUCT = struct(
    OPTIONS,
    ("stock", "i8"),  # cards not dealt; concealed: all cards that the seat hasn't seen this month
    ("hand", "i8", (SEATS,)),
    ("trick", "i8", (NIGHTS,)),  # number cards of this month's nights that are over
    ("points", "i2", (SEATS, SUITS)),  # the score sheet
    ("pile", "i2"),  # bits: the faces in the face pile, whose order nobody knows
    ("lynched", "i2"),  # bits: whom the mob took at the end
    ("hanged", "i2"),  # bits: whom Scotland Yard took
    ("released", "i2"),  # bits: who is released, holding the queen of hearts and a joker
    ("winners", "i2"),  # bits
    ("pile_jokers", "i1"),
    ("face", "i1"),  # tonight's face or joker
    ("phase", "i1"),
    ("night", "i1"),
    ("due", "i1"),  # cards still to be dealt
    ("turn", "i1"),  # who gets the next card, or plays
    ("leader", "i1"),  # who plays first tonight
    ("queen", "i1"),  # who captured the queen of hearts
    ("jokers", "i1", (SEATS,)),
    ("card", "i1", (SEATS,)),  # tonight's cards; secret on the first night
    ("captor", "i1", (NIGHTS,)),  # who captured the cards of each night that is over
    ("prize", "i1", (NIGHTS,)),  # the face or joker of each night that is over
    ("month", "i1", (SEATS, SUITS)),  # points captured in this month
)
DEAL, FACE, AGAIN, CHOOSE, PLAY, DONE = range(6)

ACTIONS = tuple(f"play {code}" for code in CODES)
OUTCOMES = (*(f"card {code}" for code in CODES), *(f"face {code}" for code in FACE_CODES))
# stops
DEALT, TOO_EARLY, PUT_BACK, TURNED_UP, HAS_CHOSEN, SHOWN, PLAYED, STRONGEST, CAPTURED, COUNTED = range(1, 11)
NO_CLUB, ALL_TIED, MOST_TIED, LYNCHED, NO_SPADE, NO_HEART, HANGED, RELEASED, JUDGED, WON, NOBODY_WON = range(11, 22)

ENDINGS = ("", "innocent survivor", "guilty survivor", "nobody left")
INNOCENT, GUILTY, NOBODY_LEFT = 1, 2, 3

CHOSEN, NO_TURN, NOT_HELD, NOT_CHOSEN_FROM = range(1, 5)

# Points on the score sheet are capped at 127.
SLICES = slices(
    hand=CARDS, unseen=CARDS, own_choice=CARDS, trick=5 * SEATS, points=SUITS * SEATS, month_points=SUITS * SEATS,
    jokers=SEATS, acting=SEATS, turn=SEATS, leader=SEATS, face=FACES + 1, pile=FACES + 1, phase=6, month=1, night=1,
    nights=1, queen_month=1, options=4,
)  # fmt: skip
AT = starts(SLICES)


def refuse(players, options):
    """Why these options can't be combined, or None."""
    faces = [int(count) for count in options["faces"].split("-")]
    dealt, nights, months = hand_size(options["hand_cards"]), options["nights"], options["queen_month"]
    if max(faces[:FACES]) > 1 or not faces[QUEEN]:
        return say("There is at most one of each jack, queen and king, and the queen of hearts must be in.")
    if SUITS * options["ranks"] < players * dealt:
        text = _(
            "{cards} number cards can't give {players} players {each} cards each; use more numbers or fewer players, "
            "or deal fewer cards."
        )
        return say(text, cards=SUITS * options["ranks"], players=players, each=dealt)
    if nights > dealt:
        message = _("A month of {nights} nights needs at least that many cards in each hand, not {each}.")
        return say(message, nights=nights, each=dealt)
    if sum(faces) - 1 < nights * (months - 1):
        return say(
            "Before the queen of hearts can end the game, {nights} other face cards or jokers must come up; "
            "there are only {others}.",
            nights=nights * (months - 1),
            others=sum(faces) - 1,
        )
    return None


def hand_size(hand_cards):
    """WC-4: five cards each, or a chosen number for tiny games."""
    return hand_cards if hand_cards else 5


def start(s):
    """WC-1, WC-2: make the face pile and begin the first month."""
    for k in range(FACES):
        s.pile |= s.faces[k] << k
    s.pile_jokers, s.face, s.queen = s.faces[JOKER], NONE, NONE
    for p in range(SEATS):
        s.card[p] = NONE
    _new_month(s)


def chance_weights(s, weights):
    """The next number card to be dealt, or the next card of the face pile."""
    cards, faces, jokers = (s.stock, 0, 0) if s.phase == DEAL else (0, pile(s), s.pile_jokers)
    for k in range(CARDS):
        weights[k] = (cards >> k) & 1
    for k in range(FACES):
        weights[CARDS + k] = (faces >> k) & 1
    weights[CARDS + JOKER] = jokers
    return size(cards) + size(faces) + jokers


def chance_total(s):
    """How many number cards are left, or faces and jokers in the pile."""
    return size(s.stock) if s.phase == DEAL else size(pile(s)) + s.pile_jokers


def chance_outcome(s, u):
    """The card that has u before it; jokers come last."""
    if s.phase == DEAL:
        return nth_card(s.stock, u)
    return CARDS + (nth_card(pile(s), u) if u < size(pile(s)) else JOKER)


def pile(s):
    """The faces that can come up; WC-11: a queen of hearts that came too early is replaced by another card."""
    return s.pile & ~(1 << QUEEN) if s.phase == AGAIN else s.pile


def apply_chance(s, outcome):
    """Deal a number card, or turn up a card of the face pile."""
    if s.phase == DEAL:
        _deal(s, outcome)
    else:
        remember(s, outcome)
        _turn_up(s, outcome - CARDS)


def legal_actions(s, seat, actions):
    """WC-7, WC-8: any card of the hand."""
    if not (s.acting >> seat) & 1:
        return 0
    cards, count = s.hand[seat], 0
    while cards:
        actions[count] = lowest_card(cards)
        cards &= cards - 1
        count += 1
    return count


def illegal_reason(s, seat, action):
    """0 if the move is legal, else the number of the reason why it isn't."""
    if not (s.acting >> seat) & 1:
        return CHOSEN if s.phase == CHOOSE else NO_TURN
    if (s.hand[seat] >> action) & 1:
        return 0
    return NOT_CHOSEN_FROM if s.phase == CHOOSE else NOT_HELD


def apply_action(s, seat, action):
    """WC-7: choose a card in secret on the first night; WC-8: on later nights play it openly, in turn."""
    s.card[seat] = action
    if s.phase == CHOOSE:
        s.acting &= ~(1 << seat)
        stop(s, HAS_CHOSEN, seat)
        if s.acting == 0:
            _reveal(s)
        return
    _lay(s, seat)
    stop(s, PLAYED, seat)
    s.turn = left_of(s, seat)
    if s.turn == s.leader:
        _capture(s)
    else:
        s.acting = 1 << s.turn


def returns(s, out):
    """WC-18: the winners share 1."""
    for p in range(s.seats):
        out[p] = (s.winners >> p) & 1
        if out[p]:
            out[p] /= size(s.winners)


def inventory(s):
    """WC-1, WC-2: number cards and jokers. Faces aren't kept once they are scored."""
    yield from in_sets(s.stock)
    for p in range(s.seats):
        yield from in_sets(s.hand[p])
        yield "jokers", s.jokers[p]
        if s.card[p] != NONE and s.phase == PLAY:
            yield s.card[p], 1
    for k in range(NIGHTS):
        yield from in_sets(s.trick[k])
    yield "jokers", s.pile_jokers + (s.face == JOKER)


# --- a month is dealt (WC-4)
def _new_month(s):
    new_deal(s)
    s.phase, s.acting, s.night, s.leader, s.turn = DEAL, 0, 0, NONE, 0
    s.due = s.seats * hand_size(s.hand_cards)
    _gather(s)


def _gather(s):
    """WC-4, WC-10: gather all number cards, unplayed ones unseen."""
    s.stock = 0
    for suit in range(SUITS):
        s.stock |= ((1 << s.ranks) - 1) << RANKS * suit
    for p in range(SEATS):
        s.hand[p] = 0
    for k in range(NIGHTS):
        s.trick[k], s.captor[k], s.prize[k] = 0, NONE, NONE


def _deal(s, card):
    s.stock ^= 1 << card
    s.hand[s.turn] |= 1 << card
    s.turn = left_of(s, s.turn)
    s.due -= 1
    if s.due == 0:
        stop(s, DEALT)
        _next_night(s)


# --- a night (WC-5 to WC-9)
def _next_night(s):
    s.night += 1
    s.phase, s.acting, s.turn = FACE, 0, s.leader


def _turn_up(s, face):
    """WC-5: turn up tonight's face; WC-11: a queen of hearts that comes too early stays in the pile."""
    s.face = face
    if too_early(s, face):
        stop(s, TOO_EARLY)
        s.face, s.phase = NONE, AGAIN
        stop(s, PUT_BACK)
        return
    if face == JOKER:
        s.pile_jokers -= 1
    else:
        s.pile &= ~(1 << face)
    if s.night == 1:
        s.phase, s.acting = CHOOSE, (1 << s.seats) - 1
    else:
        s.phase, s.acting = PLAY, 1 << s.leader
    stop(s, TURNED_UP)


def too_early(s, face):
    """WC-11: whether a face is the queen of hearts in a month in which she doesn't end the game."""
    return face == QUEEN and s.deal < s.queen_month


def _reveal(s):
    for p in range(s.seats):
        _lay(s, p)
    s.phase = PLAY
    stop(s, SHOWN)
    _capture(s)


def _lay(s, p):
    remember(s, s.card[p])
    s.hand[p] &= ~(1 << s.card[p])


def _capture(s):
    """WC-9: the strongest card captures all cards of the night."""
    captor, trick = strongest(s), 0
    stop(s, STRONGEST, captor)
    for p in range(s.seats):
        trick |= 1 << s.card[p]
        s.month[captor, s.card[p] // RANKS] += worth(s, s.card[p])
        s.card[p] = NONE
    s.trick[s.night - 1], s.captor[s.night - 1], s.prize[s.night - 1] = trick, captor, s.face
    _capture_face(s, captor)
    stop(s, CAPTURED, captor)
    s.leader = left_of(s, captor)
    if s.queen != NONE:
        _finish(s)
    elif s.night < s.nights:
        _next_night(s)
    else:
        _score(s)
        stop(s, COUNTED)
        _new_month(s)


def strongest(s):
    """WC-9: who has the strongest of the cards played so far tonight."""
    best = 0
    for p in range(s.seats):
        if s.card[p] != NONE:
            best = max(best, strength(s, s.card[p]) * SEATS + p)
    return best % SEATS


def strength(s, card):
    """WC-5, WC-9: four times a number card's strength tonight, plus its suit's rank to break ties."""
    return (card % RANKS + 1) * (1 + is_doubled(s, card)) * SUITS + DIAMONDS - card // RANKS


def is_doubled(s, card):
    """WC-5, WC-6: whether a number card's strength is doubled tonight."""
    return card // RANKS == s.face // 3 and s.doubling != POINTS


def worth(s, card):
    """WC-6, WC-10: the points of a number card captured tonight."""
    return 1 + (s.doubling != STRENGTH and card // RANKS == s.face // 3)


def face_worth(s, face):
    """WC-10, WC-12: the points of a face, or a joker."""
    if face == JOKER or (face == QUEEN and not s.queen_scores):
        return 0
    return face % 3 + 2


def _capture_face(s, captor):
    if s.face == JOKER:
        s.jokers[captor] += 1
    else:
        s.month[captor, s.face // 3] += face_worth(s, s.face)
        if s.face == QUEEN:
            s.queen = captor
    s.face = NONE


def _score(s):
    """WC-10: add the month's points to the score sheet."""
    for p in range(SEATS):
        for suit in range(SUITS):
            s.points[p, suit] += s.month[p, suit]
            s.month[p, suit] = 0


# --- the end (WC-12 to WC-17)
def _finish(s):
    """WC-12: score the last month as it stands and settle who wins."""
    _score(s)
    _gather(s)
    s.phase, s.acting, s.turn, s.leader = DONE, 0, NONE, NONE
    stop(s, COUNTED)
    reckon(s)
    s.over = 1


def reckon(s):
    """WC-13 to WC-17: the mob, the Yard and the lover's release take seats; who of the others wins."""
    if s.release == BEFORE:
        _release(s)
    _mob(s, survivors(s))
    _yard(s, survivors(s))
    if s.release != BEFORE:
        _release(s)
    _survive(s)


def survivors(s):
    """The seats that nobody has taken, as bits."""
    return ((1 << s.seats) - 1) & ~(s.lynched | s.hanged | s.released)


def _release(s):
    """WC-17: whoever holds the queen of hearts and a joker is released, if still left."""
    if has_bullet(s, s.queen):
        remaining = (survivors(s) >> s.queen) & 1
        s.released = 1 << s.queen
        if remaining:
            stop(s, RELEASED, s.queen)


def has_bullet(s, p):
    """WC-17: whether a seat holds the queen of hearts and a joker, which is her silver bullet."""
    return s.queen == p and s.jokers[p] > 0


def _mob(s, alive):
    """WC-13: who of those left is lynched."""
    highest, tied = most_of(s, CLUBS, alive)
    if highest == 0:
        stop(s, NO_CLUB)
    elif tied == alive:
        stop(s, ALL_TIED)
    elif s.mob_ties == NOBODY and tied & (tied - 1):
        stop(s, MOST_TIED)
    else:
        for p in range(s.seats):
            if (tied >> p) & 1:
                s.lynched |= 1 << p
                stop(s, LYNCHED, p)


def _yard(s, alive):
    """WC-14: who of those left is hanged."""
    highest, tied = most_of(s, SPADES, alive)
    guilty = tied & ~innocents(s)
    if highest == 0:
        stop(s, NO_SPADE)
    elif guilty == 0:
        stop(s, NO_HEART)
    else:
        for p in range(s.seats):
            if (guilty >> p) & 1:
                s.hanged |= 1 << p
                stop(s, HANGED, p)


def _survive(s):
    """WC-15 to WC-17: who of those left wins, and how the game has ended."""
    able = rivals(s)
    if able == 0:
        s.ending = NOBODY_LEFT
        stop(s, NOBODY_WON)
        return
    s.ending = INNOCENT if able & innocents(s) else GUILTY
    stop(s, JUDGED)
    _, s.winners = most_of(s, DIAMONDS, able)
    for p in range(s.seats):
        if (s.winners >> p) & 1:
            stop(s, WON, p)


def rivals(s):
    """WC-15, WC-16: those of whom the richest wins, as bits: the innocent survivors, or without any all survivors."""
    alive = survivors(s)
    innocent = alive & innocents(s)
    return innocent if innocent else alive


def innocents(s):
    """WC-15: the seats without a heart point."""
    seats = 0
    for p in range(s.seats):
        seats |= (s.points[p, HEARTS] == 0) << p
    return seats


def most_of(s, suit, seats):
    """The most points that any of these seats has in a suit, and the seats that have as many."""
    seat, tied = NONE, 0
    for p in range(s.seats):
        if (seats >> p) & 1:
            if s.points[p, suit] > seat:
                seat, tied = s.points[p, suit], 0
            tied |= (s.points[p, suit] == seat) << p
    return seat, tied


# --- what a seat knows (WC-19, WC-20)
def conceal(s, seat):
    """WC-19: pool others' hands with the cards not dealt; WC-20: blank others' choices."""
    for p in range(s.seats):
        if p != seat:
            s.stock |= s.hand[p]
            s.hand[p] = 0
            if s.phase == CHOOSE:
                s.card[p] = NONE


def held(s, p):
    """The number of cards in a hand, which everybody knows."""
    dealt = hand_size(s.hand_cards)
    if s.phase == DEAL:
        return (s.seats * dealt - s.due + s.seats - 1 - p) // s.seats
    if s.phase == DONE:
        return 0
    return dealt + 1 - s.night - (s.phase == PLAY and (s.card[p] != NONE or s.face == NONE))


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted clockwise from the observer; the public observes as seat 0."""
    me = max(seat, 0)
    hand, stock = s.hand[me], s.stock
    for k in range(CARDS):
        out[k] = (hand >> k) & 1
        out[AT.unseen + k] = (stock >> k) & 1
    if s.phase == CHOOSE and s.card[me] != NONE:
        out[AT.own_choice + s.card[me]] = 1
    p = me
    for k in range(s.seats):
        _observe_seat(s, p, k, out)
        p = left_of(s, p)
    faces = pile(s)
    for k in range(FACES):
        out[AT.pile + k] = (faces >> k) & 1
    out[AT.pile + JOKER] = s.pile_jokers
    if s.face != NONE:
        out[AT.face + s.face] = 1
    out[AT.phase + s.phase] = 1
    out[AT.month], out[AT.night] = s.deal, s.night
    out[AT.nights], out[AT.queen_month] = s.nights, s.queen_month
    for k, option in enumerate((s.doubling, s.queen_scores, s.mob_ties, s.release)):
        out[AT.options + k] = option


def _observe_seat(s, p, k, out):
    if s.phase == PLAY and s.card[p] != NONE:
        out[AT.trick + 5 * k + s.card[p] // RANKS] = 1
        out[AT.trick + 5 * k + SUITS] = s.card[p] % RANKS + 1
    for suit in range(SUITS):
        out[AT.points + SUITS * k + suit] = min(s.points[p, suit], 127)
        out[AT.month_points + SUITS * k + suit] = s.month[p, suit]
    out[AT.jokers + k] = s.jokers[p]
    out[AT.acting + k] = (s.acting >> p) & 1
    out[AT.turn + k] = s.turn == p
    out[AT.leader + k] = s.leader == p


def resample(s, seat, rng):
    """Sample a world: fill hidden hands from the bag, then choose for others among what is then legal."""
    conceal(s, seat)
    remaining = size(s.stock)
    for p in range(s.seats):
        if p != seat:
            cards = held(s, p)
            for k in range(cards):
                card = any_of(s.stock, remaining - k, rng)
                s.stock ^= 1 << card
                s.hand[p] |= 1 << card
            remaining -= cards
            if s.phase == CHOOSE and not (s.acting >> p) & 1:
                s.card[p] = any_of(s.hand[p], cards, rng)


def clear_hidden_choices(s, seat):
    """WC-20: the other seats are to choose their cards again."""
    for p in range(s.seats):
        if s.phase == CHOOSE and p != seat:
            s.card[p] = NONE
            s.acting |= 1 << p
