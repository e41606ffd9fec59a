"""Wolf-Man's Curse at the table: what each seat sees, the labels of moves, prompts and the log."""

from hexdeck.engine.options import Preset
from hexdeck.engine.play.remembered import remembered
from hexdeck.engine.play.score import Tally
from hexdeck.engine.text import Cards, Seat, say, say_n
from hexdeck.engine.view import Fact, Zone, everyone, told
from hexdeck.games.wolf_mans_curse import ending, nights, rules
from hexdeck.games.wolf_mans_curse.ending import decided_by, won_by  # noqa: F401 - of the table's contract
from hexdeck.games.wolf_mans_curse.rules import CARDS, CLUBS, DIAMONDS, FACES, JOKER, NONE, SPADES, SUITS

CREDIT = say(
    "Wolf-Man's Curse, design Lester Smith; playtesters Jennifer, Karalyn and Katheryn Smith; copyright Lester Smith."
)
TAGLINE = say("A wolf by full moon: get rich, and outrun the mob.")
ABOUT = say("By full moon you are a wolf. Flee the mob and the Yard, harm nobody if you can, and get rich.")
TITLE = say("Wolf-Man's Curse")
DEAL = say("Month")  # title of a row of the score sheet
PRESETS = (Preset("regular-game", say("Regular game"), say("The full moon, the mob and the Yard, as the rules say.")),)
MINUTES = 5, 11  # for a match of four: at this table, and at a real one (see lab/counting/pace.py)

VALUES = {  # values of options in words
    "strength": say("the strength of its suit"),
    "points": say("the points of its suit"),
    "both": say("strength and points"),
    "all": say("all of them"),
    "none": say("none of them"),
    "after": say("after the mob and the Yard"),
    "before": say("before the mob and the Yard"),
}

ENDED = (
    say("not over"),
    say("an innocent survivor won"),
    say("a guilty survivor won"),
    say("nobody was left to win"),
)

WHY = (
    say("This can be done."),
    say("You have already chosen your card for tonight."),
    say("It isn't your turn to play a card."),
    say("That card isn't in your hand."),
    say("That card isn't in your hand."),
)

NAMES = ("clubs", "spades", "hearts", "diamonds")
COLUMNS = (say("Clubs"), say("Spades"), say("Hearts"), say("Diamonds"))
SUIT = (say("clubs"), say("spades"), say("hearts"), say("diamonds"))


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's points, hand and captures of this month; the night, the face pile."""
    out = []
    for p in range(s.seats):
        out += [Zone(f"{NAMES[k]}-{p}", COLUMNS[k], p, "count", count=s.points[p, k]) for k in range(SUITS)]
        out.append(_hand(s, p, seat))
        if s.jokers[p]:
            out.append(Zone(f"jokers-{p}", say("Jokers"), p, "count", count=s.jokers[p]))
        if s.queen == p:
            out.append(Zone(f"queen-{p}", say("Queen of hearts"), p, "row", (rules.FACE_CODES[rules.QUEEN],)))
        if s.over:
            out.append(Zone(f"{ending.FATE}{p}", say("Fate"), p, "row", note=ending.fate(s, p)))
        out += _captured(s, p)
    return [*out, _month(s), _face(s), _tonight(s), _pile(s)]


def tallies(s):
    """The score sheet: the points in each suit."""
    return [Tally(NAMES[k], COLUMNS[k], tuple(s.points[p, k] for p in range(s.seats))) for k in range(SUITS)]


def no_winner(s):
    """WC-17: whether the match has no winner."""
    return s.ending == rules.NOBODY_LEFT


def _hand(s, p, seat):
    if p != seat:
        return Zone(f"hand-{p}", say("Hand"), p, "count", count=rules.held(s, p))
    chosen = s.phase == rules.CHOOSE and s.card[p] != NONE
    note = say("for tonight: {card}", card=_card(s.card[p])) if chosen else None
    return Zone(f"hand-{p}", say("Hand"), p, "fan", _codes(s.hand[p]), note=note)


def _codes(cards):
    return tuple(rules.CODES[k] for k in range(CARDS) if cards >> k & 1)


def _card(k):
    return Cards((rules.CODES[k],))


def _face_code(face):
    return "Joker" if face == JOKER else rules.FACE_CODES[face]


def _captured(s, p):
    """The cards that a seat captured on earlier nights of this month."""
    return [
        Zone(f"captured-{p}-{k + 1}", say("Night {night}", night=k + 1), p, "pile",
             (*_codes(s.trick[k]), _face_code(s.prize[k])))
        for k in range(rules.NIGHTS) if s.captor[k] == p
    ]  # fmt: skip


def _month(s):
    note = say("night {night} of {nights}", night=s.night, nights=s.nights) if s.night else None
    if s.over or s.face == rules.QUEEN:
        note = say("the last night")
    return Zone("month", say("Month"), None, "count", count=s.deal, note=note)


def _face(s):
    cards = (_face_code(s.face),) if s.face != NONE else ()
    return Zone("face", say("Turned up"), None, "row", cards, note=_doubled(s))


def _doubled(s):
    if s.phase == rules.AGAIN:
        return say("the queen of hearts is laid aside")
    if s.face == NONE:
        return None
    return say("doubles nothing") if s.face == JOKER else say("doubles {suit}", suit=SUIT[s.face // 3])


def _tonight(s):
    """Tonight's cards, in the order of play; secret on the first night."""
    if s.phase != rules.PLAY:
        note = say("all choose in secret") if s.phase == rules.CHOOSE else None
        return Zone("tonight", say("Tonight"), None, "row", note=note, places=s.seats)
    order = [(s.leader + k) % s.seats for k in range(s.seats)]
    owners = tuple(p for p in order if s.card[p] != NONE)
    cards = tuple(rules.CODES[s.card[p]] for p in owners)
    note = say("first: {seat}", seat=Seat(s.leader))
    return Zone("tonight", say("Tonight"), None, "row", cards, note=note, owners=owners, places=s.seats)


def _pile(s):
    """The face pile, face down: everybody knows which cards are left in it, but nobody knows their order."""
    faces = [_face_code(k) for k in range(FACES) if rules.pile(s) >> k & 1]
    cards = (*faces, *[_face_code(JOKER)] * s.pile_jokers)
    note = say("holds {cards}", cards=Cards(cards)) if cards else None
    return Zone("pile", say("Face pile"), None, "pile", hidden=len(cards), note=note)


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if s.over:
        return say("The match is over.")
    mine = seat >= 0 and s.acting >> seat & 1
    if s.phase == rules.CHOOSE:
        return _choosing(mine)
    if s.phase != rules.PLAY:
        return say("The cards are being dealt.")
    if not mine:
        return say("Waiting for {seat}.", seat=Seat(s.turn))
    if seat == s.leader:
        return say("You lead: play any card. The strongest wins all of tonight's cards.")
    return say("Play any card. The strongest wins all of tonight's cards.")


def _choosing(mine):
    if mine:
        return say("Choose a card. All are turned up together; the strongest wins them all.")
    return say("Waiting for everyone to choose a card.")


def label(s, _seat, action):
    """The label of a move."""
    strength = rules.strength(s, action) // SUITS
    if strength > action % rules.RANKS + 1:
        return say("Play the {card}, strength {strength}", card=_card(action), strength=strength)
    return say("Play the {card}", card=_card(action))


# --- the log ----------------------------------------------------------------------------------------------------------
def narrate(before, event, after):
    """The facts that an event brings, each with those who are told."""
    if before.phase == rules.DEAL:
        return _narrate_dealt(after) if after.phase != rules.DEAL else []
    if event.seat < 0:
        return _narrate_face(before, event.id - CARDS)
    cards = [event.id if p == event.seat else before.card[p] for p in range(before.seats)]
    if before.phase == rules.CHOOSE:
        facts, ended = _narrate_choice(before, event, cards), before.acting == 1 << event.seat
    else:
        facts, ended = _narrate_played(event.seat, event.id), (event.seat + 1) % before.seats == before.leader
    return facts + (_narrate_captured(before, cards) + _narrate_month(before, after) if ended else [])


def _narrate_dealt(after):
    facts = everyone(say(nights.DEALT, month=after.deal))
    for p in range(after.seats):
        facts.append(Fact(1 << p, say("You are dealt {cards}.", cards=Cards(_codes(after.hand[p])))))
    return facts


def _narrate_face(before, face):
    card, night = Cards((_face_code(face),)), before.night
    if face == JOKER:
        return everyone(say(nights.JOKER_UP, night=night))
    if face != rules.QUEEN:
        return everyone(say(nights.TURNED_UP, night=night, card=card, suit=SUIT[face // 3]))
    if before.deal < before.queen_month:
        return everyone(say(nights.TOO_EARLY))
    return everyone(say(nights.LAST_NIGHT, night=night))


def _narrate_choice(before, event, cards):
    p = event.seat
    facts = told(p, say("You choose the {card}.", card=_card(event.id)), say("{seat} has chosen.", seat=Seat(p)))
    if before.acting == 1 << p:
        for q in range(before.seats):
            facts += _narrate_played(q, cards[q])
    return facts


def _narrate_played(p, card):
    return told(p, say(nights.YOU_PLAY, card=_card(card)), say(nights.PLAYS, seat=Seat(p), card=_card(card)))


def _narrate_captured(before, cards):
    p = max(range(before.seats), key=lambda q: rules.strength(before, cards[q]))
    points = [sum(rules.worth(before, card) for card in cards if card // rules.RANKS == k) for k in range(SUITS)]
    if before.face != JOKER:
        points[before.face // 3] += rules.face_worth(before, before.face)
    codes = Cards((*(rules.CODES[card] for card in sorted(cards)), _face_code(before.face)))
    mine = say(nights.YOU_CAPTURE, cards=codes, points=_sums(points))
    return told(p, mine, say(nights.CAPTURES, seat=Seat(p), cards=codes, points=_sums(points)))


def _sums(points):
    """Points by suit, without zeros: clubs 2, hearts 1."""
    first, *more = [say("{suit} {points}", suit=SUIT[k], points=points[k]) for k in range(SUITS) if points[k]]
    for text in more:
        first = say("{first}, {second}", first=first, second=text)
    return first


def _narrate_month(before, after):
    if not after.over and after.deal == before.deal:
        return []
    facts = everyone(say(nights.MONTH_OVER, month=before.deal))
    for p in range(before.seats):
        points = [after.points[p, k] - before.points[p, k] for k in range(SUITS)]
        if any(points):
            mine = say(nights.YOU_SCORE, points=_sums(points))
            facts += told(p, mine, say(nights.SCORES, seat=Seat(p), points=_sums(points)))
    return facts + (narrate_reckoning(after) if after.over else [])


def narrate_reckoning(s):
    """The reckoning, step by step (WC-13 to WC-17)."""
    left = (1 << s.seats) - 1
    facts = []
    if s.release == rules.BEFORE:
        facts += _narrate_released(s.released)
        left &= ~s.released
    facts += _narrate_mob(s, left)
    left &= ~s.lynched
    facts += _narrate_yard(s, left)
    if s.release != rules.BEFORE:
        facts += _narrate_released(s.released & left & ~s.hanged)
    return facts + _narrate_winners(s)


def _seats(bits):
    return [p for p in range(rules.SEATS) if bits >> p & 1]


def _narrate_released(seats):
    """Who is released, if neither the mob nor Scotland Yard took them."""
    facts = []
    for p in _seats(seats):
        facts += told(p, say(ending.YOU_RELEASED), say(ending.RELEASED, seat=Seat(p)))
    return facts


def _narrate_mob(s, left):
    most, tied = rules.most_of(s, CLUBS, left)
    if most == 0:
        return everyone(say(ending.NO_MOB))
    if tied == left:
        return everyone(say(ending.MOB_TIED))
    if not s.lynched:
        return everyone(say(ending.MOB_SHARED))
    facts = []
    for p in _seats(s.lynched):
        if s.released >> p & 1:
            facts += told(p, say(ending.YOU_FROM_MOB), say(ending.FROM_MOB, seat=Seat(p)))
        else:
            facts += told(p, say(ending.YOU_LYNCHED), say(ending.LYNCHED, seat=Seat(p)))
    return facts


def _narrate_yard(s, left):
    most, _ = rules.most_of(s, SPADES, left)
    if most == 0:
        return everyone(say(ending.NO_SPADE))
    if not s.hanged:
        return everyone(say(ending.NO_HEART))
    facts = []
    for p in _seats(s.hanged):
        if s.released >> p & 1:
            facts += told(p, say(ending.YOU_FROM_YARD), say(ending.FROM_YARD, seat=Seat(p)))
        else:
            facts += told(p, say(ending.YOU_HANGED), say(ending.HANGED, seat=Seat(p)))
    return facts


def _narrate_winners(s):
    if s.ending == rules.NOBODY_LEFT:
        return everyone(say(ending.NOBODY_LEFT))
    facts = []
    for p in _seats(s.winners):
        n = s.points[p, DIAMONDS]
        if s.ending == rules.INNOCENT:
            mine = say_n(
                "You survive, innocent, and win with {n} diamond.",
                "You survive, innocent, and win with {n} diamonds.",
                n,
            )
            theirs = say_n(
                "{seat} survives, innocent, and wins with {n} diamond.",
                "{seat} survives, innocent, and wins with {n} diamonds.",
                n, seat=Seat(p),
            )  # fmt: skip
        else:
            mine = say_n(
                "You survive, guilty, and win with {n} diamond.",
                "You survive, guilty, and win with {n} diamonds.",
                n,
            )
            theirs = say_n(
                "{seat} survives, guilty, and wins with {n} diamond.",
                "{seat} survives, guilty, and wins with {n} diamonds.",
                n, seat=Seat(p),
            )  # fmt: skip
        facts += told(p, mine, theirs)
    return facts


def beats(seat, before, facts, after):
    """What is seen of an event, step by step; see `nights.py` and `ending.py`."""
    return nights.beats(seat, before, tuple(zones(before, seat)), facts, after, tuple(zones(after, seat)))


# --- results ----------------------------------------------------------------------------------------------------------
def outcome_texts(s):
    """How the game ended for each seat."""
    return [_outcome_text(s, p) for p in range(s.seats)]


def _outcome_text(s, p):
    for seats, text in (
        (s.released, say("died by a silver bullet, released from the curse")),
        (s.lynched, say("was lynched by the mob")),
        (s.hanged, say("was hanged by Scotland Yard")),
    ):
        if seats >> p & 1:
            return text
    innocent = rules.innocents(s) >> p & 1
    if s.winners >> p & 1:
        return _winner(s, innocent, s.points[p, DIAMONDS])
    if innocent:
        return say("survived, innocent, but not the richest")
    return say("survived, guilty, but didn't win")


def _winner(s, innocent, n):
    shared = s.winners & (s.winners - 1)
    if shared and innocent:
        return say_n("shared the win, innocent, with {n} diamond", "shared the win, innocent, with {n} diamonds", n)
    if shared:
        return say_n("shared the win, guilty, with {n} diamond", "shared the win, guilty, with {n} diamonds", n)
    if innocent:
        return say_n("won, innocent, with {n} diamond", "won, innocent, with {n} diamonds", n)
    return say_n("won, guilty, with {n} diamond", "won, guilty, with {n} diamonds", n)
