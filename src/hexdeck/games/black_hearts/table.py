"""Black Hearts at the table: what each seat sees, the labels of moves, prompts and the log."""

import functools

from hexdeck.engine.beat import PLAYED, Beat, one_beat
from hexdeck.engine.options import Preset
from hexdeck.engine.play.remembered import remembered
from hexdeck.engine.play.score import Tally
from hexdeck.engine.seats import left_of
from hexdeck.engine.text import Cards, Seat, say, say_n
from hexdeck.engine.view import Fact, Zone, everyone, told
from hexdeck.games.black_hearts import passing, rules, tricks
from hexdeck.games.black_hearts.bounds import most_rounds
from hexdeck.games.black_hearts.rules import CARD, KINDS, NONE, RANDOM, SORT
from hexdeck.games.black_hearts.values import GIFT_NAMES

CREDIT = say("Black Hearts, sixth of the Alcasino series by Hitori Kishida, 2018.")
TAGLINE = say("Dodge the curses, or catch them all.")
ABOUT = say("There are curses in the tricks. Win few of their points, or all the Curse cards in one round.")
TITLE = say("Black Hearts")
DEAL = say("Round")  # title of a row of the score sheet
PRESETS = (  # what people choose from at a table, in the sheet's words; the first is the default
    Preset("with-gifts", say("With gifts"), say("Each round a Gift card changes a rule.")),
    Preset("first-game", say("First game"), say("Without gifts, as the rule sheet advises."), {"gifts": False},
           first_game=True),
    Preset("long-game", say("Long game"), say("The curses carry 8 points in place of 13: more rounds, and more gifts."),
           {"curse_points": "8"}),
)  # fmt: skip
MEASURED = {  # what was printed on the cards when bots, rulings and lengths were measured
    "curse_numbers": "1-2-3-4-5-6", "curse_points": "1-1-2-2-3-4", "fixed_numbers": "1-2-3-4-5-6", "two_oclock": 2,
    "random_copies": "3-3-3-3-3-3", "gift_copies": "2-1-1-1-1",
}  # fmt: skip
LONGER = most_rounds(4, rules.PRINTED | {"gifts": True}) / most_rounds(4, MEASURED | {"gifts": True})
MINUTES = max(1, round(8 * LONGER)), max(1, round(15 * LONGER))  # for four: at this table, and at a real one

VALUES = {  # values of options in words
    "latest": say("the one played last"),
    "earliest": say("the one played first"),
}

ENDED = (say("not over"), say("all Curse cards in one round"), say("13 curse points"))

WHY = (
    say("This can be done."),
    say("You pass two cards only once, at the start of a round."),
    say("Those two cards aren't both in your hand."),
    say("It isn't your turn to play a card."),
    say("That card isn't in your hand."),
    say("You hold Two o'clock: the first trick must begin with it."),
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
def code(s, kind):
    """A card's code: C, F or R and its number, and a letter if several kinds share that number."""
    return codes_of(s.number.tobytes())[kind]


@functools.lru_cache(4096)
def codes_of(numbers):
    """The codes of all kinds, or of the first, from their numbers."""
    return tuple(_code(numbers, kind) for kind in range(len(numbers)))


def _code(numbers, kind):
    first, number = kind - kind % SORT, numbers[kind]
    same = [k for k in range(first, first + SORT) if numbers[k] == number]
    return f"{'CFR'[kind // SORT]}{number}" + ("abcdef"[same.index(kind)] if len(same) > 1 else "")


def _codes(s, kinds):
    codes = codes_of(s.number.tobytes())
    return tuple([codes[kind] for kind in kinds])


def named(s, *kinds):
    """Cards for a sentence, by their codes."""
    return Cards(_codes(s, kinds))


def _pair(s, action):
    return named(s, rules.LOWER[action], rules.HIGHER[action])


def _hand_of(s, p):
    return [k for k in range(KINDS) for _ in range(s.hand[p, k])]


def _bits(cards):
    """The Curse cards in a set of bits."""
    return [k for k in range(SORT) if cards >> k & 1]


def _leader(s, trick):
    """Who led a trick: the winner of the one before, or whoever led Two o'clock."""
    if trick:
        return s.winner[trick - 1]
    return next((p for p in range(s.seats) if s.played[p, 0] == rules.two_oclock(s)), s.leader)


def _trick(s, trick):
    """The seats and kinds of a trick, in the order of play."""
    if trick < 0 or _leader(s, trick) == NONE:
        return []
    order = [(_leader(s, trick) + k) % s.seats for k in range(s.seats)]
    return [(p, s.played[p, trick]) for p in order if s.played[p, trick] != NONE]


def in_trick(s):
    """The kinds in the current trick, in the order of play."""
    return [kind for _, kind in _trick(s, s.trick)]


# --- zones
@remembered
def zones(s, seat):
    """The table as a seat sees it: hands, captured Curse cards, totals; the trick, the gift, the values of cards."""
    out = []
    for p in range(s.seats):
        out.append(_hand(s, p, seat))
        out.append(_caught(p, _codes(s, _bits(s.caught[p])), rules.round_points(s, p)))
        out.append(_total(p, s.total[p]))
    return [*out, *_tricks(s), *_gifts(s), *_legend(s)]


@functools.lru_cache(4096)
def _caught(p, cards, points):
    return Zone(f"caught-{p}", say("Curse"), p, "row", cards, count=points)


@functools.lru_cache(4096)
def _total(p, points):
    return Zone(f"total-{p}", say("Total"), p, "count", count=points)


def tallies(s):
    """The score sheet: points."""
    return [Tally("total", say("Points"), tuple(s.total[p] for p in range(s.seats)))]


def won_by(s):
    """By what the game was won: how many points the lowest total is ahead; None where all Curse cards decided."""
    first, second, *_ = sorted(s.total[p] for p in range(s.seats))
    return None if s.ending == rules.ALL_CURSES else say_n("{n} point", "{n} points", second - first)


def decided_by(s, seat):
    """Who captured all Curse cards, if that decided the game."""
    if s.ending != rules.ALL_CURSES:
        return None
    p = next(p for p in range(s.seats) if rules.wins(s, p))
    if p == seat:
        return say("You won all Curse cards in one round.")
    return say("{seat} won all Curse cards in one round.", seat=Seat(p))


def _received(s, p):
    """BH-15: cards passed by the right neighbour that weren't played yet."""
    giver = (p - 1) % s.seats
    kinds = [s.sent[giver, i] for i in range(2) if s.sent[giver, i] != NONE]
    return say("from {seat}: {cards}", seat=Seat(giver), cards=named(s, *kinds)) if kinds else None


def _hand(s, p, seat):
    cards = _codes(s, _hand_of(s, p))
    note = _received(s, p) if p == seat else None
    if p == seat and s.choice[p] != NONE:
        note = say("to pass: {cards}", cards=_pair(s, s.choice[p]))
    return Zone(f"hand-{p}", say("Hand"), p, "fan", cards, s.held[p] - len(cards), note=note)


def _tricks(s):
    """All cards played earlier in this round; and the current trick, or the last one until the next begins."""
    begun = _trick(s, s.trick) if s.trick < rules.TRICKS else []
    shown = s.trick if begun else s.trick - 1
    trick = _trick(s, shown)
    cards, owners = _codes(s, [kind for _, kind in trick]), tuple(p for p, _ in trick)
    title = say("Trick {number}", number=max(shown, 0) + 1)
    note = None if trick else say("Two o'clock leads: {card}", card=named(s, rules.two_oclock(s)))
    if trick and not (begun or s.over):
        note = say(tricks.WINNER, seat=Seat(s.winner[shown]))
    earlier = sorted(kind for t in range(shown) for _, kind in _trick(s, t))
    yield Zone("earlier", say("Earlier tricks"), None, "pile", _codes(s, earlier))
    yield Zone("trick", title, None, "row", cards, note=note, owners=owners, places=s.seats)


def _gifts(s):
    if s.gifts:
        effect = say("none in force") if s.gift == NONE else in_force(s)
        yield Zone("gift", say("Gift"), None, "count", note=effect)
        used = [(GIFT_NAMES[g], s.gift_copies[g] - s.gifts_left[g]) for g in range(len(GIFT_NAMES))]
        names = [name for name, times in used for _ in range(times)]
        note = say("used: {gifts}", gifts=_listed(names)) if names else None
        yield Zone("gifts", say("Gifts left"), None, "count", count=sum(_left_of(s)), note=note)


def _left_of(s):
    return [s.gifts_left[g] for g in range(len(GIFT_NAMES))]


def _listed(names):
    """Several texts as one, separated by commas."""
    text = names[0]
    for name in names[1:]:
        text = say("{first}, {last}", first=text, last=name)
    return text


def in_force(s):
    """What the Gift card in force does."""
    upside_down = s.gift == rules.UPSIDE_DOWN
    return EARLIEST_TOO if upside_down and s.reversed_ties == rules.EARLIEST else EFFECTS[s.gift]


def _legend(s):
    """The values of cards, how many of them are left out."""
    yield _points(s.number.tobytes(), s.curse_points.tobytes())
    if aside := sum(s.random_copies[k] for k in range(SORT)) - _random_cards(s):
        yield Zone("aside", say("Left out"), None, "pile", hidden=aside)
    yield Zone("round", say("Round"), None, "count", count=s.deal)


@functools.lru_cache(256)
def _points(numbers, curse_points):
    """What Curse cards are worth."""
    kinds = [k for k in range(SORT) if numbers[k]]
    points = [curse_points[k] for k in kinds]
    groups = [[k for k in kinds if curse_points[k] == each] for each in sorted(set(points))]
    note = _joined([_worth(numbers, group, curse_points[group[0]]) for group in groups])
    return Zone("points", say("Curse points"), None, "count", count=sum(points), note=note)


def _worth(numbers, kinds, points):
    """What Curse cards with the same points are worth: C1 C2: 1 each. Codes alone, so that it is read at a glance."""
    codes = codes_of(numbers)
    return say_n("{cards}: {points}", "{cards}: {points} each", len(kinds),
                 cards=" ".join(codes[kind] for kind in kinds), points=points)  # fmt: skip


def _joined(texts):
    return texts[0] if len(texts) == 1 else say("{first}; {rest}", first=texts[0], rest=_joined(texts[1:]))


def _random_cards(s):
    """BH-4: how many Random cards are dealt in a round."""
    fixed = 1 if s.seats == 3 else sum(s.number[k] > 0 for k in range(rules.FIXED, RANDOM))
    return rules.hand_size(s.hand_cards) * s.seats - fixed - sum(s.number[k] > 0 for k in range(SORT))


# --- prompts and labels
def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if s.over:
        return say("The match is over.")
    mine = seat >= 0 and s.acting >> seat & 1
    if s.phase == rules.PASS:
        return _choosing(s, seat) if mine else say("Waiting for everyone to choose two cards to pass.")
    if s.phase != rules.PLAY:
        return say("The cards are being dealt.")
    return _your_turn(s) if mine else say("Waiting for {seat}.", seat=Seat(s.turn))


def _choosing(s, seat):
    return say(
        "Choose two cards to pass to {seat}. You'll see afterwards what comes from the right.",
        seat=Seat(left_of(s, seat)),
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
    card = named(s, action - CARD)
    if rules.must_open(s):
        return say("Lead Two o'clock, the {card}", card=card)
    return say("Lead the {card}", card=card) if s.turn == s.leader else say("Play the {card}", card=card)


# --- the log
def narrate(before, event, after):
    """The facts that an event brings, each with those who are told."""
    if before.phase == rules.DEAL:
        return _narrate_dealt(after) if after.phase != rules.DEAL else []
    if event.seat < 0:
        facts = everyone(say("The gift is {effect}.", effect=in_force(after)))
    elif event.id < CARD:
        facts = _narrate_pass(before, event)
    else:
        facts = _narrate_play(before, event, after)
    if before.phase != rules.PLAY and after.phase == rules.PLAY:
        mine = say("You hold Two o'clock and lead the first trick.")
        facts += told(
            after.turn, mine, say("{seat} holds Two o'clock and leads the first trick.", seat=Seat(after.turn))
        )
    return facts


def _narrate_dealt(after):
    facts = everyone(say(passing.DEALT, number=after.deal))
    for p in range(after.seats):
        facts.append(Fact(1 << p, say("You are dealt {cards}.", cards=named(after, *_hand_of(after, p)))))
    return facts


def _narrate_pass(before, event):
    p = event.seat
    mine = say("You choose {cards} for {seat}.", cards=_pair(before, event.id), seat=Seat(left_of(before, p)))
    facts = told(p, mine, say("{seat} has chosen.", seat=Seat(p)))
    if before.acting != 1 << p:
        return facts
    facts += everyone(say(passing.ALL_PASS))
    for giver in range(before.seats):
        cards = _pair(before, event.id if giver == p else before.choice[giver])
        given = say("You pass {cards} to {seat}.", cards=cards, seat=Seat(left_of(before, giver)))
        taken = say(passing.PASSES_YOU, seat=Seat(giver), cards=cards)
        facts += [Fact(1 << giver, given), Fact(1 << left_of(before, giver), taken)]
    return facts


def _narrate_play(before, event, after):
    p, kind = event.seat, event.id - CARD
    card = named(before, kind)
    facts = told(p, say(tricks.YOU_PLAY, card=card), say(tricks.PLAYS, seat=Seat(p), card=card))
    if left_of(before, p) != before.leader:
        return facts
    cards = [*(each for _, each in _trick(before, before.trick)), kind]
    curses = sorted(each for each in cards if each < SORT)
    winner = rules.taker(before, before.seats, kind)
    facts += _narrate_trick(winner, named(before, *curses))
    if before.held[p] > 1:
        return facts
    return facts + _narrate_round(before, after)


def _narrate_trick(p, curses):
    if not curses.codes:
        return told(p, say(tricks.YOU_WIN), say(tricks.WINS, seat=Seat(p)))
    return told(p, say(tricks.YOU_CAPTURE, cards=curses), say(tricks.CAPTURES, seat=Seat(p), cards=curses))


def _narrate_round(before, after):
    """BH-10: everybody's points in the round, then what ends the game, if anything does."""
    facts = []
    for p in range(before.seats):
        points = after.total[p] - before.total[p]
        mine = say_n("You get {n} curse point.", "You get {n} curse points.", points)
        theirs = say_n("{seat} gets {n} curse point.", "{seat} gets {n} curse points.", points, seat=Seat(p))
        facts += told(p, mine, theirs) if points else []
    if after.ending == rules.ALL_CURSES:
        p = next(p for p in range(after.seats) if rules.wins(after, p))
        mine = say("You have won all Curse cards in one round, and with them the match.")
        facts += told(
            p, mine, say("{seat} has won all Curse cards in one round, and with them the match.", seat=Seat(p))
        )
    if after.ending == rules.THIRTEEN:
        facts += everyone(say("A total has reached 13: the match is over, and the lowest total wins."))
    return facts


def beats(seat, before, facts, after):
    """What is seen of an event, step by step; see `passing.py` and `tricks.py`."""
    old, new = tuple(zones(before, seat)), tuple(zones(after, seat))
    if before.phase == rules.DEAL and facts:
        return (Beat(new, PLAYED, ("round",), line=facts[0], cue="deal"),)
    if before.phase == rules.PLAY:
        kinds = {code(before, kind): kind for kind in range(KINDS) if before.number[kind]}
        return tricks.beats(seat, before, old, facts, after, new, kinds)
    if after.phase != rules.PLAY:
        return (one_beat(old, new, facts),)
    sent = [named(after, *(after.sent[p, i] for i in range(2) if after.sent[p, i] != NONE)) for p in range(after.seats)]
    return passing.beats(seat, old, facts, after, new, sent, code(after, rules.two_oclock(after)))


def outcome_texts(s):
    """How the game ended for each seat."""
    winners = sum(rules.wins(s, p) for p in range(s.seats))
    return [_outcome_text(s, p, winners > 1) for p in range(s.seats)]


def _outcome_text(s, p, shared):
    points = s.total[p]
    if s.ending == rules.ALL_CURSES:
        return say("won with all Curse cards") if rules.wins(s, p) else say("lost: another player won all Curse cards")
    if rules.wins(s, p) and shared:
        return say_n("shared the win, with {n} point", "shared the win, with {n} points", points)
    if rules.wins(s, p):
        return say_n("won with {n} point", "won with {n} points", points)
    if rules.cursed(s, p):
        return say_n("was cursed, with {n} point", "was cursed, with {n} points", points)
    return say_n("ended with {n} point", "ended with {n} points", points)
