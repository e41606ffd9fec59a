"""Black Hearts at the table: what each seat sees, the labels of moves, prompts and the log."""

import functools

from hexdeck.engine.layout import left_of
from hexdeck.engine.options import Preset, listed
from hexdeck.engine.study import About, Reason
from hexdeck.engine.text import Cards, Seat, _, in_points, say, say_n
from hexdeck.engine.view import (
    LONGEST,
    PLAYED,
    RESOLVED,
    REVEALED,
    Caption,
    Outcome,
    Spotlight,
    Tally,
    Zone,
    captions_by_stop,
    remembered,
    seats_of,
    told,
    waiting,
)
from hexdeck.games.black_hearts import rules
from hexdeck.games.black_hearts.bounds import most_rounds
from hexdeck.games.black_hearts.rules import CARD, KINDS, NONE, SORT
from hexdeck.games.black_hearts.values import GIFT_NAMES, GIFTS

MEASURED = {  # what was printed on the cards when bots, rulings and lengths were measured
    "curse_numbers": "1-2-3-4-5-6",
    "curse_points": "1-1-2-2-3-4",
    "fixed_numbers": "1-2-3-4-5-6",
    "two_oclock": 2,
    "random_copies": "3-3-3-3-3-3",
    "gift_copies": "2-1-1-1-1",
}
LONGER = most_rounds(4, rules.PRINTED | {"gifts": True}) / most_rounds(4, MEASURED | {"gifts": True})
ABOUT = About(
    say("Black Hearts"),
    say("There are curses in the tricks. Win few of their points, or all the Curse cards in one round."),
    tagline=say("Dodge the curses, or catch them all."),
    credit=say("Black Hearts, sixth of the Alcasino series by Hitori Kishida, 2018."),
    minutes=(max(1, round(8 * LONGER)), max(1, round(15 * LONGER))),  # for four: at this table, and at a real one
    age=9,
    luck=79,
    deal=say("Round"),
    measured=MEASURED,
)
PRESETS = (  # what people choose from at a table, in the sheet's words; the first is the default
    Preset("with-gifts", say("With gifts"), say("Each round a Gift card changes a rule.")),
    Preset(
        "first-game",
        say("First game"),
        say("Without gifts, as the rule sheet advises."),
        {"gifts": False},
        first_game=True,
    ),
    Preset(
        "long-game",
        say("Long game"),
        say("The curses carry 8 points in place of 13: more rounds, and more gifts."),
        {"curse_points": "8"},
    ),
)

WORDS = {  # values of options and endings in words
    "latest": say("the one played last"),
    "earliest": say("the one played first"),
    "all curses": say("all Curse cards in one round"),
    "thirteen points": say("13 curse points"),
}

REASONS = (
    Reason("BH-5", say("You pass two cards only once, at the start of a round.")),
    Reason("BH-5", say("Those two cards aren't both in your hand.")),
    Reason("BH-8", say("It isn't your turn to play a card.")),
    Reason("BH-8", say("That card isn't in your hand.")),
    Reason("BH-8", say("You hold Two o'clock: the first trick must begin with it.")),
)

EFFECTS = (
    say("Upside down: 1 is the strongest number, 6 the weakest"),
    say("Early bird: if the strongest cards are tied, the first one wins"),
    say("Little one: if a trick has a 6 and a 1, the last 1 wins"),
    say("Second to the crown: the second strongest card wins"),
    say("Mercy: each player's worst Curse card doesn't count"),
)
EARLIEST_TOO = say("Upside down: 1 is the strongest number, 6 the weakest; if tied, the first one wins")


# --- cards
@functools.lru_cache(4096)
def codes_of(numbers):
    """The codes of all kinds, or of the first: C, F or R, the number, and a letter if several kinds share that."""
    return tuple(_code(numbers, kind) for kind in range(len(numbers)))


def _code(numbers, kind):
    first, number = kind - kind % SORT, numbers[kind]
    alike = [k for k in range(first, first + SORT) if numbers[k] == number]
    return f"{'CFR'[kind // SORT]}{number}" + ("abcdef"[alike.index(kind)] if len(alike) > 1 else "")


def _codes(s, kinds):
    codes = codes_of(s.number.tobytes())
    return tuple([codes[kind] for kind in kinds])


def in_curse_points(n):
    """A number of curse points."""
    return say_n("{n} curse point", "{n} curse points", n)


def card_names(s, *kinds):
    """Cards for a sentence, by their codes."""
    return Cards(_codes(s, kinds))


def _pair_kinds(action):
    return [rules.LOWER[action], rules.HIGHER[action]]


def _pair(s, action):
    return card_names(s, *_pair_kinds(action))


def _hand_of(s, p):
    return [k for k in range(KINDS) for _ in range(s.hand[p, k])]


def _trick(s, trick):
    """The seats and kinds of a trick, in the order of play."""
    if trick < 0 or (leader := rules.leader_of(s, trick)) == NONE:
        return []
    order = [(leader + k) % s.seats for k in range(s.seats)]
    return [(p, s.played[p, trick]) for p in order if s.played[p, trick] != NONE]


def in_trick(s):
    """The kinds in the current trick, in the order of play."""
    return [kind for _, kind in _trick(s, s.trick)]


# --- zones
OF = say("of {points}", points=rules.LIMIT)


@remembered
def zones(s, seat):
    """The table as a seat sees it: hands, captured Curse cards, totals; the trick, the gift, the values of cards."""
    out = []
    for p in range(s.seats):
        out += _hand(s, p, seat)
        cards, points = _codes(s, seats_of(s.caught[p])), rules.round_points(s, p)
        out.append(Zone(f"caught-{p}", say("Curse"), p, "row", cards, count=points))
        out.append(Zone(f"total-{p}", say("Total"), p, "count", count=s.total[p], note=OF))
    out += [*_tricks(s), *_gifts(s), _points(s.number.tobytes(), s.curse_points.tobytes())]
    unseen = sum(s.stock[k] for k in range(KINDS)) - s.due - sum(s.held[p] for p in range(s.seats))
    if aside := unseen + sum(len(_hand_of(s, p)) for p in range(s.seats)):  # BH-4: in no hand, and not to be dealt
        out.append(Zone("aside", say("Left out"), None, "pile", hidden=aside))
    return [*out, Zone("round", say("Round"), None, "count", count=s.deal)]


def tallies(s):
    """The score sheet: points."""
    return [Tally("total", say("Points"), tuple(s.total[p] for p in range(s.seats)))]


def _sent(s, p):
    """BH-15: the cards that a seat passed, as far as they are known and weren't played yet."""
    return [s.sent[p, i] for i in range(2) if s.sent[p, i] != NONE]


def _hand(s, p, seat):
    """A hand; and, while cards are passed, the two that lie before the seat."""
    if s.phase == rules.PASS and s.acting == 0:
        yield from _apart(s, p, [] if s.choice[p] == NONE else _pair_kinds(s.choice[p]), "passed", say("To pass"))
    elif s.phase == rules.ON_THE_WAY:
        yield from _apart(s, p, _sent(s, rules.right_of(s, p)), "received", say("From the right"))
    else:
        cards = _codes(s, _hand_of(s, p))
        note = _note(s, p) if p == seat else None
        yield Zone(f"hand-{p}", say("Hand"), p, "fan", cards, s.held[p] - len(cards), note=note)


def _apart(s, p, kinds, name, title):
    hand = _hand_of(s, p)
    for kind in kinds:
        hand.remove(kind)
    yield Zone(f"hand-{p}", say("Hand"), p, "fan", _codes(s, hand), s.held[p] - 2 - len(hand))
    yield Zone(f"{name}-{p}", title, p, "row", _codes(s, kinds), 2 - len(kinds))


def _note(s, p):
    """What the owner of a hand knows of it besides: which cards are to be passed, or came from the right."""
    if s.choice[p] != NONE:
        return say("to pass: {cards}", cards=_pair(s, s.choice[p]))
    kinds = _sent(s, rules.right_of(s, p))
    return say("from {seat}: {cards}", seat=Seat(rules.right_of(s, p)), cards=card_names(s, *kinds)) if kinds else None


def _tricks(s):
    """All cards played earlier in this round; and the current trick, or the last one until the next begins."""
    current = _trick(s, s.trick) if s.trick < rules.TRICKS else []
    number = s.trick if current else s.trick - 1
    trick = _trick(s, number)
    cards, owners = _codes(s, [kind for _, kind in trick]), tuple(p for p, _ in trick)
    title = say("Trick {number}", number=max(number, 0) + 1)
    note, winning = say("Two o'clock leads: {card}", card=card_names(s, rules.two_oclock(s))), None
    if trick:
        won = s.winner[number] != NONE
        winner = s.winner[number] if won else rules.taker(s, len(trick), trick[-1][1])
        winning = owners.index(winner)
        note = None if s.over else say(_("winner: {seat}") if won else _("winning: {seat}"), seat=Seat(winner))
    earlier = sorted(kind for t in range(number) for _, kind in _trick(s, t))
    yield Zone("earlier", say("Earlier tricks"), None, "pile", _codes(s, earlier))
    yield Zone("trick", title, None, "row", cards, note=note, owners=owners, winning=winning, places=s.seats)


def _gifts(s):
    if s.gifts:
        effect = say("none in force") if s.gift == NONE else in_force(s)
        yield Zone("gift", say("Gift"), None, "count", note=effect)
        kinds = range(len(GIFT_NAMES))
        names = [GIFT_NAMES[g] for g in kinds for _ in range(s.gift_copies[g] - s.gifts_left[g])]
        note = say("used: {gifts}", gifts=listed(names)) if names else None
        yield Zone("gifts", say("Gifts left"), None, "count", count=sum(s.gifts_left[g] for g in kinds), note=note)


def in_force(s):
    """What the Gift card in force does."""
    upside_down = s.gift == rules.UPSIDE_DOWN
    return EARLIEST_TOO if upside_down and s.reversed_ties == rules.EARLIEST else EFFECTS[s.gift]


@functools.lru_cache(256)
def _points(numbers, curse_points):
    """What Curse cards are worth."""
    kinds = [k for k in range(SORT) if numbers[k]]
    points = [curse_points[k] for k in kinds]
    groups = [[k for k in kinds if curse_points[k] == value] for value in sorted(set(points))]
    note = _joined([_worth(numbers, group, curse_points[group[0]]) for group in groups])
    return Zone("points", say("Curse points"), None, "count", count=sum(points), note=note, part="words")


def _worth(numbers, kinds, points):
    """What Curse cards with the same points are worth: C1 C2: 1 each. Codes alone, so that it is read at a glance."""
    codes = codes_of(numbers)
    return say_n(
        "{cards}: {points}",
        "{cards}: {points} each",
        len(kinds),
        cards=" ".join(codes[kind] for kind in kinds),
        points=points,
    )


def _joined(texts):
    return texts[0] if len(texts) == 1 else say("{first}; {rest}", first=texts[0], rest=_joined(texts[1:]))


# --- prompts and labels
def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    mine = seat >= 0 and s.acting >> seat & 1
    if s.phase == rules.PASS and not mine:
        return waiting(s, say("Waiting for everyone to choose two cards to pass."))
    if s.phase == rules.PASS:
        text = _("Choose two cards to pass to {seat}. You'll see afterwards what comes from the right.")
        return say(text, seat=Seat(left_of(s, seat)))
    if mine:
        return _your_turn(s)
    leads = s.turn == s.leader
    return say(
        _("Waiting for {seat} to lead.") if leads else _("Waiting for {seat} to play a card."), seat=Seat(s.turn)
    )


def _your_turn(s):
    if rules.must_open(s):
        return say("You hold Two o'clock and begin with it.")
    if s.turn == s.leader:
        return say("You lead: play any card.")
    return say("Play any card. The highest number wins the trick.") if s.gift == NONE else say("Play any card.")


def label(s, _seat, action):
    """The label of a move."""
    if action < CARD:
        return say("Pass {cards}", cards=_pair(s, action))
    card = card_names(s, action - CARD)
    if rules.must_open(s):
        return say("Lead Two o'clock, the {card}", card=card)
    return say("Lead the {card}", card=card) if s.turn == s.leader else say("Play the {card}", card=card)


# --- what is told and shown of each stop
ALL_PASS = say("Everyone has chosen: each player passes two cards to the left.")
I_LEAD, MINE, ALL_SIX = say("I lead."), say("Mine."), say("All of them!")


def _dealt(stop, seat, _p):
    s = stop.now
    line = say("Round {number}: the cards are dealt.", number=s.deal)
    own = (say("You are dealt {cards}.", cards=card_names(s, *_hand_of(s, seat))),) if seat >= 0 else ()
    return Caption(line, PLAYED, ("round",), cue="deal", log=(line, *own))


def _chosen(stop, seat, p):
    if seat != p:
        return Caption(say("{seat} has chosen.", seat=Seat(p)), 0)
    cards, neighbour = _pair(stop.now, stop.now.choice[p]), Seat(left_of(stop.now, p))
    return Caption(say("You choose {cards} for {seat}.", cards=cards, seat=neighbour), 0)


def _passing(stop, _seat, _p):
    if stop.kind == rules.LAID_OUT:
        return Caption(ALL_PASS, PLAYED, _spots("passed", stop.now), cue="place")
    return Caption(ALL_PASS, REVEALED, _spots("received", stop.now), cue="pass", log=())


def _spots(name, s):
    return tuple(f"{name}-{p}" for p in range(s.seats))


def _taken_up(stop, seat, _p):
    """Nobody is told what comes before it is in the hand. In the log the lower of the two givers comes first."""
    if seat < 0:
        return Caption(ALL_PASS, RESOLVED, cue="place", log=())
    s, right = stop.now, rules.right_of(stop.now, seat)
    kinds, hand = _sent(s, right), _hand_of(s, seat)
    passing = say("You pass {cards} to {seat}.", cards=card_names(s, *_sent(s, seat)), seat=Seat(left_of(s, seat)))
    received = say("{seat} passes you {cards}.", seat=Seat(right), cards=card_names(s, *kinds))
    twin = kinds[0] == kinds[1]  # equal cards lie side by side
    light = tuple(f"hand-{seat}.{hand.index(kind) + k * twin}" for k, kind in enumerate(kinds))
    log = (received, passing) if right < seat else (passing, received)
    return Caption(received, RESOLVED, light, cue="place", log=log)


def _turned_up(stop, _seat, _p):
    line = say("The gift is {effect}.", effect=in_force(stop.now))
    return Caption(line, LONGEST, ("gift",), cue=GIFTS[stop.now.gift])


def _shown(stop, seat, p):
    mine = say("You hold Two o'clock and lead the first trick.")
    theirs = say("{seat} holds Two o'clock and leads the first trick.")
    k = _hand_of(stop.now, p).index(rules.two_oclock(stop.now))
    return Caption(told(seat, p, mine, theirs), RESOLVED, (f"hand-{p}.{k}",), (p,), "reveal", I_LEAD)


def _played(stop, seat, p):
    s = stop.now
    card, spot = card_names(s, s.played[p, s.trick]), f"trick.{len(in_trick(s)) - 1}"
    mine, theirs = say("You play the {card}."), say("{seat} plays the {card}.")
    return Caption(told(seat, p, mine, theirs, card=card), PLAYED, (spot,), (p,), "place")


def _won(stop, seat, p):
    s, gift = stop.now, ("gift",) * rules.gift_decides(stop.now)
    cue = GIFTS[s.gift] if gift else "good"
    return Caption(_won_line(s, seat, p), REVEALED, (_winning(s, p), *gift), (p,), cue, MINE)


def _winning(s, p):
    return f"trick.{[q for q, _ in _trick(s, s.trick)].index(p)}"


def _won_line(s, seat, p):
    curses = sorted(kind for kind in in_trick(s) if kind < SORT)
    if not curses:
        return told(seat, p, say("You win the trick."), say("{seat} wins the trick."))
    cards = card_names(s, *curses)
    mine = say("You win the trick, with {cards} in it.")
    return told(seat, p, mine, say("{seat} wins the trick, with {cards} in it."), cards=cards)


def _captured(stop, seat, p):
    s = stop.now
    row, new = seats_of(s.caught[p]), seats_of(s.caught[p] & ~stop.before.caught[p])
    light = (*(f"caught-{p}.{row.index(kind)}" for kind in new), _winning(s, p))
    return Caption(_won_line(s, seat, p), RESOLVED, light, (p,), "curse", log=()) if new else None


def _round_over(stop, _seat, _p):
    """The Curse cards that Mercy takes off have the light, unless all of them decide."""
    s = stop.now
    worst = {p: kind for p in range(s.seats) if (kind := rules.forgiven(s, p)) != NONE}
    if s.ending or not worst:
        return None
    light = tuple(f"caught-{p}.{seats_of(s.caught[p]).index(kind)}" for p, kind in worst.items())
    return Caption(in_force(s), REVEALED, light, tuple(worst), "forgiven", log=())


def _scored(stop, seat, p):
    """BH-10, BH-11: totals count up, but only in the log where all Curse cards decide."""
    s = stop.now
    points = s.total[p] - stop.before.total[p]
    line = told(seat, p, say("You get {points}."), say("{seat} gets {points}."), points=in_curse_points(points))
    hold = 0 if s.ending == rules.ALL_CURSES else RESOLVED
    return Caption(line, hold, (f"total-{p}", f"caught-{p}"), (p,), "chips") if points else None


def _ended(stop, seat, _p):
    s = stop.now
    if s.ending == rules.ALL_CURSES:
        p = _winners(s)[0]
        mine = say("You have won all Curse cards in one round, and with them the match.")
        theirs = say("{seat} has won all Curse cards in one round, and with them the match.")
        light = tuple(f"caught-{p}.{k}" for k in range(len(seats_of(s.caught[p]))))
        feat = Spotlight(say("All the curses!"), say("and with them the match"))
        return Caption(told(seat, p, mine, theirs), LONGEST, light, (p,), "all-curses", ALL_SIX, spotlight=feat)
    line = say("A total has reached 13: the match is over, and the lowest total wins.")
    reached, light = _reached(s), []
    for p in reached:
        light += [f"total-{p}", *(f"caught-{p}.{k}" for k in range(len(seats_of(s.caught[p]))))]
    total, points = max((s.total[p], rules.round_points(s, p)) for p in reached)
    reason = say("{total} curse points: the match is over", total=total)
    if len(reached) == 1:
        reason = say(
            "{before} + {points} = {total}: the match is over", before=total - points, points=points, total=total
        )
    return Caption(line, LONGEST, tuple(light), reached, "bad", spotlight=Spotlight(say("Cursed!"), reason, "red"))


def _gathered(stop, _seat, _p):
    return Caption(say("Round {number} is over.", number=stop.now.deal - 1), RESOLVED, ("round",), cue="deal", log=())


def _lowest_wins(stop, seat, _p):
    s = stop.now
    winners = _winners(s)
    if len(winners) > 1:
        names = listed([Seat(p) for p in winners])
        line = say("Tied for the lowest total, these players share the win: {seats}.", seats=names)
    else:
        mine = say("You have the lowest total and win.")
        line = told(seat, winners[0], mine, say("{seat} has the lowest total and wins."))
    return Caption(line, LONGEST, _spots("total", s), winners, "feast", log=())


DEAL = {rules.DEALT: _dealt, rules.CHOSEN: _chosen, rules.LAID_OUT: _passing, rules.HANDED_ON: _passing}
GIFT = {rules.TAKEN_UP: _taken_up, rules.TURNED_UP: _turned_up, rules.SHOWN: _shown}
TRICK = {rules.PLAYED: _played, rules.WON: _won, rules.CAUGHT: _captured}
SCORES = {rules.ROUND_OVER: _round_over, rules.SCORED: _scored, rules.GATHERED: _gathered}
END = {rules.ENDED: _ended, rules.LOWEST_WINS: _lowest_wins}
caption = captions_by_stop(DEAL | GIFT | TRICK | SCORES | END)


def _reached(s):
    """BH-12: the seats whose totals end the match."""
    return tuple(p for p in range(s.seats) if s.total[p] >= rules.LIMIT)


def _winners(s):
    return tuple(p for p in range(s.seats) if rules.wins(s, p))


def outcome(s, seat):
    """How the match ended, and by what: all Curse cards, or how many points the lowest total is ahead."""
    winners = _winners(s)
    texts = [_outcome_text(s, p, len(winners) > 1) for p in range(s.seats)]
    if s.ending == rules.ALL_CURSES:
        mine, theirs = say("You won all Curse cards in one round."), say("{seat} won all Curse cards in one round.")
        return Outcome(texts, decided_by=told(seat, winners[0], mine, theirs))
    first, second, *_ = sorted(s.total[p] for p in range(s.seats))
    reached = _reached(s)
    mine, theirs, points = say("You reached {points}."), say("{seat} reached {points}."), s.total[reached[0]]
    decided = told(seat, reached[0], mine, theirs, points=in_curse_points(points))
    if len(reached) > 1:
        seats, points = listed([Seat(p) for p in reached]), in_curse_points(rules.LIMIT)
        decided = say("{seats} reached {points}.", seats=seats, points=points)
    return Outcome(texts, in_points(second - first), decided, placed_by=[-s.total[p] for p in range(s.seats)])


def _outcome_text(s, p, shared):
    points = s.total[p]
    if s.ending == rules.ALL_CURSES:
        return say("won with all Curse cards") if rules.wins(s, p) else say("lost: another player won all Curse cards")
    if rules.wins(s, p) and shared:
        return say("shared the win, with {points}", points=in_points(points))
    if rules.wins(s, p):
        return say("won with {points}", points=in_points(points))
    if rules.cursed(s, p):
        return say("was cursed, with {points}", points=in_points(points))
    return say("ended with {points}", points=in_points(points))
