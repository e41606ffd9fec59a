"""Blackstone at the table: what each seat sees, the labels of moves, prompts and the log."""

from hexdeck.engine.cards import RANKS
from hexdeck.engine.options import Preset
from hexdeck.engine.play.remembered import remembered
from hexdeck.engine.play.score import Tally
from hexdeck.engine.text import Cards, Seat, out_of, say, say_n
from hexdeck.engine.view import Zone, everyone, told
from hexdeck.games.blackstone import rules, stones
from hexdeck.games.blackstone.rules import DRAW, FOLD, PUT, SIT, STAKE, STOP, TEN

CREDIT = say(
    "Blackstone, a Pairs variant, Cheapass Games (playtest rules of 2014; printed in The Pairs Companion the same "
    "year); Pairs by James Ernest and Paul Peterson."
)
TAGLINE = say("How many cards do you dare to draw?")
ABOUT = say(
    "Draw from the deck, as many cards as you dare: two black stones, and you pay for every white one. "
    "For 2 to 8 players; 9 and 10 can play too."
)
TITLE = say("Blackstone")
DEAL = say("Round")  # title of a row of the score sheet
PRESETS = (  # what people choose from at a table; the first is the default
    Preset("five-rounds", say("Five rounds"), say("Most chips after five rounds wins."), {"rounds": 5}),
    Preset("as-the-sheet", say("As the sheet"),
           say("Five rounds, and each begins with everybody in turn: put in a stake of five chips, or sit it out."),
           {"rounds": 5, "sit_out": True, "stakes": "open"}),
    Preset("long-evening", say("Long evening"), say("Most chips after twenty rounds wins."), {"rounds": 20}),
)  # fmt: skip
MINUTES = 7, 18  # for such a match of four: at this table, and at a real one (see lab/counting/pace.py)

VALUES = {  # values of options in words
    "secret": say("in secret, shown at the same time"),
    "open": say("in the open, in turn"),
    "not_replaced": say("it counts as a 10"),
    "replaced": say("another card is dealt for it, and that one counts"),
    "stop_freely": say("card by card"),
    "announced": say("before drawing"),
    "carries": say("it stays the same"),
    "restarts": say("it starts again at one"),
}

ENDED = (
    say("not over"),
    say("a second black stone"),
    say("one player was left"),
    say("too few players staked"),
    say("too few players could stake"),
)

WHY = (
    say("This can be done."),
    say("You choose only once, at the start of a round, whether to stake, and only if you have the chips."),
    say("Only the player whose turn it is can draw or fold."),
    say("You have drawn in this turn, so you can't fold any more."),
    say("You can stop only when you have drawn enough cards."),
    say("Announce a number of cards first, then draw them."),
    say("You don't announce a number in this match: draw, and stop when you like."),
    say("Draw at least as many cards as the last player who drew."),
    say("Draw at most as many cards as the last player who drew, plus one for each player still in."),
    say("The deck doesn't hold that many cards."),
    say("The deck is empty, so you must fold."),
)


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's black stones, stake and chips; white stones, pot and deck."""
    out = []
    for p in range(s.seats):
        title = say("Cards dealt") if _dealing(s) else say("Black stones")
        out.append(Zone(f"stones-{p}", title, p, "row", _cards_of(s, p), note=_standing(s, p, seat)))
        out.append(Zone(f"stake-{p}", say("Stake"), p, "count", count=rules.stake(s, p)))
        out.append(Zone(f"chips-{p}", say("Chips"), p, "count", count=s.purse[p] - rules.stake(s, p)))
    out += [_centre(s), Zone("white", say("White stones"), None, "count", count=s.white)]
    out += [Zone("pot", say("Pot"), None, "count", count=s.pot), _deck(s), _minimum(s)]
    if s.aside:
        out.append(Zone("aside", say("Set aside"), None, "row", (_code(TEN),) * s.aside))
    if s.rounds > 1:
        number = s.played if s.over else s.played + 1
        out.append(Zone("rounds", say("Round"), None, "count", count=number, note=say("of {rounds}", rounds=s.rounds)))
    return out


def tallies(s):
    """The score sheet: chips, including stakes."""
    return [Tally("chips", say("Chips"), tuple(s.purse[p] for p in range(s.seats)))]


def won_by(s):
    """By what the session was won: how many chips the richest is ahead."""
    first, second, *_ = sorted((s.purse[p] for p in range(s.seats)), reverse=True)
    return say_n("{n} chip", "{n} chips", first - second)


def _dealing(s):
    return s.phase in (rules.DEAL, rules.FIRST)


def _cards_of(s, p):
    cards = [_code(r) for r in range(TEN) for _ in range(s.shown[p, r])]
    return (*cards, *[_code(TEN)] * s.black[p])


def _code(r):
    return str(r + 1)


def _standing(s, p, seat):
    if s.phase == rules.STAKING and rules.able_to_stake(s) >> p & 1:
        return _choice(s, p, seat) if rules.have_chosen(s) >> p & 1 else None
    if s.inside >> p & 1:
        return None
    if s.black[p] > 1:
        return stones.TWO_STONES
    return stones.FOLDED if s.joined >> p & 1 else stones.SITTING


def _choice(s, p, seat):
    staking = s.staking >> p & 1
    if s.stakes == rules.OPEN:
        return None if staking else stones.SITTING
    if p != seat:
        return say("has chosen")
    return say("will stake") if staking else say("will sit out")


def _centre(s):
    cards = tuple(_code(r) for r in range(TEN) for _ in range(rules.in_centre(s, r)))
    return Zone("centre", say("Centre"), None, "row", cards)


def _deck(s):
    return Zone("deck", say("Deck"), None, "pile", hidden=s.deck_left, note=stones.deck_note(s.stock[TEN]))


def _minimum(s):
    """The cards that whoever is on turn still has to draw, each an empty place."""
    playing = s.phase in (rules.TURN, rules.CARDS, rules.MORE)
    still = max(0, s.least - s.drawn) if playing else 0
    return Zone("minimum", say("Still to draw"), None, "row", count=still, places=still)


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if s.over:
        return say("The match is over.")
    if seat >= 0 and s.acting >> seat & 1:
        return _your_turn(s, seat)
    if s.phase == rules.STAKING and s.stakes == rules.OPEN:
        return say("Waiting for {seat}.", seat=Seat(next(p for p in range(s.seats) if s.acting >> p & 1)))
    if s.phase == rules.STAKING:
        return say("Waiting for everyone to choose whether to stake.")
    if _dealing(s):
        return say("The cards are dealt: the lowest goes first.")
    return say("Waiting for {seat}.", seat=Seat(s.turn))


def _your_turn(s, seat):
    if s.phase == rules.STAKING and s.stakes == rules.OPEN:
        return say("Stake {stake} chips, or sit this round out. Everyone sees what you choose.",
                   stake=STAKE)  # fmt: skip
    if s.phase == rules.STAKING:
        return say(
            "Stake {stake} chips, or sit this round out. Everyone shows their choice at the same time.", stake=STAKE
        )
    price = rules.fold_price(s, seat)
    if s.deck_left == 0:
        return say("The deck is empty: you fold, for {price} chips.", price=price)
    if s.phase == rules.MORE:
        return _enough(s)
    if s.deck_left < s.least:
        return say_n(
            "You need {least} cards, but only {n} is left. Draw it and then fold, or fold now for {price} chips.",
            "You need {least} cards, but only {n} are left. Draw them and then fold, or fold now for {price} chips.",
            s.deck_left, least=s.least, price=price,
        )  # fmt: skip
    return say_n(
        "Draw {n} card or more, or fold for {price} chips. Two black stones cost you {loss} chips, plus one for each "
        "white stone you turn up.",
        "Draw {n} cards or more, or fold for {price} chips. Two black stones cost you {loss} chips, plus one for each "
        "white stone you turn up.",
        s.least, price=price, loss=rules.loss(s, seat),
    )  # fmt: skip


def _enough(s):
    if s.drawn >= rules.most(s):
        return say_n(
            "You have drawn {n} card, the most allowed: your turn ends here.",
            "You have drawn {n} cards, the most allowed: your turn ends here.",
            s.drawn,
        )
    return say_n(
        "You have drawn {n} card. Stop, or draw another?",
        "You have drawn {n} cards. Stop, or draw another?",
        s.drawn,
    )


def nobody_decides(s, seat):
    """BS-6, BS-12: at the cap a turn must end, and with an empty deck the player on turn must fold."""
    if not s.acting >> seat & 1:
        return False
    return s.drawn >= rules.most(s) if s.phase == rules.MORE else s.phase == rules.TURN and s.deck_left == 0


def label(s, seat, action):
    """The label of a move."""
    if action == PUT:
        return say("Stake {chips} chips", chips=STAKE)
    if action == SIT:
        return say("Sit this round out")
    if action == FOLD:
        return say("Fold and pay {chips} chips", chips=rules.fold_price(s, seat))
    return _label_drawing(s, action)


def _label_drawing(s, action):
    if action == STOP:
        return say_n("Stop after {n} card", "Stop after {n} cards", s.drawn)
    if action != DRAW:
        return say_n("Draw exactly {n} card", "Draw exactly {n} cards", rules.named(action))
    if s.phase == rules.MORE:
        return say("Draw one more card")
    return say_n("Draw {n} card", "Draw {n} cards", rules.cards_to_draw(s))


def narrate(before, event, after):
    """The facts that an event brings, each with those who are told."""
    if event.seat < 0:
        facts = _narrate_chance(before, event.id, after)
    elif event.id <= SIT:
        facts = (_narrate_open if before.stakes == rules.OPEN else _narrate_choice)(before, event.seat, event.id)
    elif event.id == FOLD:
        facts = _narrate_fold(event.seat, before.purse[event.seat] - after.purse[event.seat])
    else:
        facts = _narrate_move(before, event.seat, event.id, after)
    return facts + (_narrate_end(before, after) if after.played != before.played else [])


def _narrate_chance(before, outcome, after):
    if before.phase == rules.DEAL:
        return _narrate_dealt(before, outcome) + _narrate_compared(before, after)
    if before.phase == rules.FIRST:
        p = outcome - RANKS
        return told(p, say(stones.YOU_PICKED), say(stones.PICKED, seat=Seat(p)))
    return _narrate_turned(before, outcome, after)


def _narrate_dealt(before, r):
    p, card = before.turn, Cards((_code(r),))
    if r == TEN and before.black[p]:
        mine = say(stones.YOU_AGAIN, card=card)
        return told(p, mine, say(stones.AGAIN, seat=Seat(p), card=card))
    mine = say(stones.YOU_DEALT, card=card)
    return told(p, mine, say(stones.DEALT, seat=Seat(p), card=card))


def _narrate_compared(before, after):
    p = after.turn
    if not _dealing(after):
        return told(p, say(stones.YOU_LOWEST),
                    say(stones.LOWEST, seat=Seat(p)))  # fmt: skip
    if after.phase == rules.FIRST:
        return everyone(say(stones.BY_LOT))
    if after.lowest == RANKS and before.lowest != RANKS:
        return everyone(say(stones.EQUAL))
    return []


def _narrate_turned(before, r, after):
    p, card = before.turn, Cards((_code(r),))
    facts = told(p, say(stones.YOU_TURN, card=card), say(stones.TURNS, seat=Seat(p), card=card))
    paid = before.purse[p] - after.purse[p]
    if r == TEN and before.black[p]:
        mine = say(stones.YOU_LOSE, chips=paid)
        return facts + told(p, mine, say(stones.LOSES, seat=Seat(p), chips=paid))
    if after.deck_left == 0 or paid:
        facts += everyone(say(stones.EMPTY))
    return facts + (_narrate_fold(p, paid) if paid else [])


def _narrate_fold(p, paid):
    mine = say(stones.YOU_FOLD, chips=paid)
    return told(p, mine, say(stones.FOLDS, seat=Seat(p), chips=paid))


def _narrate_choice(before, p, action):
    mine = say("You choose to stake.") if action == PUT else say("You choose to sit this round out.")
    facts = told(p, mine, say("{seat} has chosen.", seat=Seat(p)))
    if before.acting != 1 << p:
        return facts
    staking = before.staking | (action == PUT) << p
    for q in range(before.seats):
        if rules.able_to_stake(before) >> q & 1:
            facts += _narrate_open(before, q, PUT if staking >> q & 1 else SIT)
    return facts


def _narrate_open(_before, p, action):
    if action == PUT:
        return told(p, say(stones.YOU_STAKE), say(stones.STAKES, seat=Seat(p)))
    return told(p, say(stones.YOU_SIT_OUT), say(stones.SITS_OUT, seat=Seat(p)))


def _narrate_move(before, p, action, after):
    if action == STOP:
        return stones.stop_facts(p, before.drawn)
    if action != DRAW:
        return stones.name_facts(p, after.owed)
    if before.phase == rules.MORE:
        return told(p, say(stones.YOU_ONE_MORE), say(stones.ONE_MORE, seat=Seat(p)))
    return stones.draw_facts(p, after.owed)


def _narrate_end(before, after):
    facts = [] if before.inside else everyone(say(stones.NOTHING))
    for p in range(after.seats):
        got = after.purse[p] - before.purse[p]
        if got > 0:
            facts += stones.share_facts(p, got)
    if after.pot:
        facts += stones.rest_facts(after.pot)
    if after.ending == rules.FEW_CAN:
        return facts + everyone(say(stones.FEW_CAN))
    return facts if after.over else facts + everyone(say(stones.ROUND, number=out_of(after.played + 1, after.rounds)))


def beats(seat, before, facts, after):
    """What is seen of an event, step by step; see `stones.py`."""
    return stones.beats(seat, before, tuple(zones(before, seat)), facts, after, tuple(zones(after, seat)))


def outcome_texts(s):
    """How the session ended for each seat."""
    chips = [s.purse[p] for p in range(s.seats)]
    most, winners = max(chips), chips.count(max(chips))
    return [_outcome_text(n, n == most, winners) for n in chips]


def _outcome_text(n, wins, winners):
    if not wins:
        return say_n("ended with {n} chip", "ended with {n} chips", n)
    if winners > 1:
        return say_n("shared the win, with {n} chip", "shared the win, with {n} chips", n)
    return say_n("won the match with {n} chip", "won the match with {n} chips", n)
