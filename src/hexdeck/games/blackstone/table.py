"""Blackstone at the table: what each seat sees, the labels of moves, prompts and the log."""

from hexdeck.engine.cards import RANKS
from hexdeck.engine.options import Preset
from hexdeck.engine.study import About, Reason
from hexdeck.engine.text import Cards, Seat, _, in_cards, in_chips, out_of, say, say_n
from hexdeck.engine.view import (
    PLAYED,
    RESOLVED,
    REVEALED,
    Caption,
    Spotlight,
    Tally,
    Zone,
    at_seat,
    captions_by_stop,
    outcome_in_chips,
    rank_cards,
    rank_codes,
    remembered,
    seats_of,
    told,
    waiting,
)
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.rules import DRAW, FOLD, PUT, SIT, STAKE, STOP, TEN

ABOUT = About(
    say("Blackstone"),
    say(
        "Draw from the deck, as many cards as you dare: two black stones, and you pay for every white one. "
        "For 2 to 8 players; 9 and 10 can play too."
    ),
    tagline=say("How many cards do you dare to draw?"),
    credit=say(
        "Blackstone, a Pairs variant, Cheapass Games (playtest rules of 2014; printed in The Pairs Companion "
        "the same year); Pairs by James Ernest and Paul Peterson."
    ),
    minutes=(7, 18),  # for such a match of four: at this table, and at a real one (see lab/counts.py)
    age=8,
    luck=27,
    deal=say("Round"),
)
PRESETS = (  # what people choose from at a table; the first is the default
    Preset("five-rounds", say("Five rounds"), say("Most chips after five rounds wins."), {"rounds": 5}),
    Preset(
        "as-the-sheet",
        say("As the sheet"),
        say("Five rounds, and each begins with everybody in turn: put in a stake of five chips, or sit it out."),
        {"rounds": 5, "sit_out": True, "stakes": "open"},
    ),
    Preset("long-evening", say("Long evening"), say("Most chips after twenty rounds wins."), {"rounds": 20}),
)

WORDS = {  # values of options and endings in words
    "secret": say("in secret, shown at the same time"),
    "open": say("in the open, in turn"),
    "not_replaced": say("it counts as a 10"),
    "replaced": say("another card is dealt for it, and that one counts"),
    "stop_freely": say("card by card"),
    "announced": say("before drawing"),
    "carries": say("it stays the same"),
    "restarts": say("it starts again at one"),
    "second black stone": say("a second black stone"),
    "last one in": say("one player was left"),
    "too few stakes": say("too few players staked"),
    "too few can stake": say("too few players could stake"),
}

REASONS = (
    Reason(
        "BS-1", say("You choose only once, at the start of a round, whether to stake, and only if you have the chips.")
    ),
    Reason("BS-5", say("Only the player whose turn it is can draw or fold.")),
    Reason("BS-5", say("You have drawn in this turn, so you can't fold any more.")),
    Reason("BS-6", say("You can stop only when you have drawn enough cards.")),
    Reason("BS-6", say("Announce a number of cards first, then draw them.")),
    Reason("BS-6", say("You don't announce a number in this match: draw, and stop when you like.")),
    Reason("BS-6", say("Draw at least as many cards as the last player who drew.")),
    Reason("BS-6", say("Draw at most as many cards as the last player who drew, plus one for each player still in.")),
    Reason("BS-12", say("The deck doesn't hold that many cards.")),
    Reason("BS-12", say("The deck is empty, so you must fold.")),
)

TWO_STONES, FOLDED, SITTING = say("out"), say("folded"), say("sits out")  # why a seat isn't in the round


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's black stones, stake and chips; white stones, pot and deck."""
    out = []
    for p in range(s.seats):
        title = say("Cards dealt") if s.tied else say("Black stones")
        out.append(Zone(f"stones-{p}", title, p, "row", _cards_of(s, p), note=_standing(s, p, seat)))
        out.append(Zone(f"stake-{p}", say("Stake"), p, "count", count=rules.stake(s, p)))
        out.append(Zone(f"chips-{p}", say("Chips"), p, "count", count=s.purse[p] - rules.stake(s, p)))
    centre = rank_codes(rules.in_centre(s, r) for r in range(TEN))
    out.append(Zone("centre", say("Centre"), None, "row", centre))
    out.append(Zone("white", say("White stones"), None, "count", count=s.white))
    out.append(Zone("pot", say("Pot"), None, "count", count=s.pot))
    note = say_n("{n} black stone in it", "{n} black stones in it", s.stock[TEN])
    out.append(Zone("deck", say("Deck"), None, "pile", hidden=s.deck_left, note=note))
    playing = s.phase in (rules.TURN, rules.CARDS, rules.MORE)
    still = max(0, s.least - s.drawn) if playing else 0  # an empty place for each card
    out.append(Zone("minimum", say("Still to draw"), None, "row", count=still, places=still, part="side"))
    if s.aside:
        out.append(Zone("aside", say("Set aside"), None, "row", ("10",) * s.aside, part="side"))
    if s.rounds > 1:
        number = s.played if s.over else s.played + 1
        out.append(Zone("rounds", say("Round"), None, "count", count=number, note=say("of {rounds}", rounds=s.rounds)))
    return out


def tallies(s):
    """The score sheet: chips, including stakes."""
    return [Tally("chips", say("Chips"), tuple(s.purse[p] for p in range(s.seats)))]


def _cards_of(s, p):
    return (*rank_codes(s.shown[p, r] for r in range(RANKS)), *["10"] * s.black[p])


def _standing(s, p, seat):
    if s.phase == rules.STAKING and rules.able_to_stake(s) >> p & 1:
        return _choice(s, p, seat) if rules.have_chosen(s) >> p & 1 else None
    if s.black[p] > 1:
        return TWO_STONES
    if s.inside >> p & 1:
        return None
    return FOLDED if s.joined >> p & 1 else SITTING


def _choice(s, p, seat):
    staking = s.staking >> p & 1
    if s.stakes == rules.OPEN:
        return None if staking else SITTING
    if p != seat:
        return say("has chosen")
    return say("will stake") if staking else say("will sit out")


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if seat >= 0 and s.acting >> seat & 1:
        return _your_turn(s, seat)
    if s.phase == rules.STAKING and s.stakes != rules.OPEN:
        return waiting(s, say("Waiting for everyone to choose whether to stake."))
    if s.phase == rules.STAKING:
        return say("Waiting for {seat} to stake or sit out.", seat=Seat(s.acting.bit_length() - 1))
    if nobody_decides(s, s.turn):
        return say("Waiting for {seat}.", seat=Seat(s.turn))
    if s.phase == rules.MORE:
        text = _("Waiting for {seat} to draw another card or stop after {cards}.")
        return say(text, seat=Seat(s.turn), cards=in_cards(s.drawn))
    return say("Waiting for {seat} to draw or fold.", seat=Seat(s.turn))


def _your_turn(s, seat):
    if s.phase == rules.STAKING:
        text = _("Stake {stake} chips, or sit this round out. Everyone shows their choice at the same time.")
        if s.stakes == rules.OPEN:
            text = _("Stake {stake} chips, or sit this round out. Everyone sees what you choose.")
        return say(text, stake=STAKE)
    price = rules.fold_price(s, seat)
    if s.deck_left == 0:
        return say("The deck is empty: you fold, for {price} chips.", price=price)
    if s.phase == rules.MORE:
        return _enough(s)
    if s.deck_left < s.least:
        return say_n(
            "You need {least} cards, but only {n} is left. Draw it and then fold, or fold now for {price} chips.",
            "You need {least} cards, but only {n} are left. Draw them and then fold, or fold now for {price} chips.",
            s.deck_left,
            least=s.least,
            price=price,
        )
    message = _(
        "Draw {cards} or more, or fold for {price} chips. Two black stones cost you {loss} chips, plus one for each "
        "white stone you turn up."
    )
    return say(message, cards=in_cards(s.least), price=price, loss=rules.loss(s, seat))


def _enough(s):
    if s.drawn >= rules.most(s):
        return say("You have drawn {cards}, the most allowed: your turn ends here.", cards=in_cards(s.drawn))
    text = _("Draw another? {black} of {deck} are black; a second costs {loss} chips.")
    return say(text, black=s.stock[TEN], deck=s.deck_left, loss=rules.loss(s, s.turn))


def nobody_decides(s, seat):
    """BS-6, BS-12: at the cap a turn must end, and with an empty deck the player on turn must fold."""
    if not s.acting >> seat & 1:
        return False
    return s.drawn >= rules.most(s) if s.phase == rules.MORE else s.phase == rules.TURN and s.deck_left == 0


def label(s, seat, action):
    """The label of a move."""
    labels = {
        PUT: say("Stake {chips} chips", chips=STAKE),
        SIT: say("Sit this round out"),
        FOLD: say("Fold and pay {chips}", chips=in_chips(rules.fold_price(s, seat))),
        STOP: say("Stop after {cards}", cards=in_cards(s.drawn)),
    }
    if action in labels:
        return labels[action]
    if action != DRAW:
        return say("Draw exactly {cards}", cards=in_cards(rules.named(action)))
    if s.phase == rules.MORE:
        return say("Draw one more card")
    return say("Draw {cards}", cards=in_cards(rules.cards_to_draw(s)))


# --- what is told and shown of each stop ------------------------------------------------------------------------------
CARD_DEALT = BREATH = 300  # milliseconds: a card at the start, and before one more is turned
STILL, DROPS, LOST, SHARED = 300, 1100, 900, 600  # the second black stone: 2,900 milliseconds in all
FEW = 3  # so many get their chips one by one


def _chosen(stop, seat, p):
    staking = stop.now.staking >> p & 1
    if stop.now.stakes != rules.OPEN:
        mine = say("You choose to stake.") if staking else say("You choose to sit this round out.")
        return Caption(told(seat, p, mine, say("{seat} has chosen.", seat=Seat(p))), 0)
    line = _staked(stop.now.staking, seat, p)
    if staking:
        return Caption(line, PLAYED, (f"stake-{p}",), (p,), "chips", say("I'm in."))
    return Caption(line, PLAYED, (f"stones-{p}",), (p,), "place", say("Not me."))


def _staked(staking, seat, p):
    if staking >> p & 1:
        return told(seat, p, say("You stake."), say("{seat} stakes."))
    return told(seat, p, say("You sit this round out."), say("{seat} sits this round out."))


def _stakes_shown(stop, seat, _p):
    log = tuple(_staked(stop.now.inside, seat, p) for p in seats_of(rules.able_to_stake(stop.now)))
    line, staking = say("Everyone shows whether they stake."), seats_of(stop.now.inside)
    return Caption(line, REVEALED, _stakes(stop.now), staking, "flip", log=log)


def _too_few_stakes(stop, _seat, _p):
    line = say("Fewer than two players stake: there is nothing to win this round.")
    return Caption(line, REVEALED, _stakes(stop.now), cue="reveal")


def _dealt(stop, seat, p):
    code = _drawn(stop)
    card, extra = Cards((code,)), code == "10" and stop.now.black[p]
    mine, theirs = say("You are dealt {card}."), say("{seat} is dealt {card}.")
    line = _dealt_again(seat, p) if extra else told(seat, p, mine, theirs, card=card)
    return Caption(line, CARD_DEALT, _spots(stop.now, p, code)[-1:], (p,), "deal")


def _dealt_again(seat, p):
    ten = rank_cards(TEN)
    mine = say("You are dealt {card} again: it is set aside.")
    return told(seat, p, mine, say("{seat} is dealt {card} again: it is set aside."), card=ten)


def _set_aside(_stop, seat, p):
    return Caption(_dealt_again(seat, p), RESOLVED, ("aside",), (p,), "place", log=())


def _tied(stop, _seat, _p):
    line, tied = say("Tied for lowest: each of those players gets one more card."), seats_of(stop.now.tied)
    if stop.kind == rules.NO_CARD_LEFT:
        line = say("The deck is empty: the first player is chosen at random.")
    return Caption(line, RESOLVED, tuple(f"stones-{q}" for q in tied), tied, "reveal")


def _goes_first(stop, seat, p):
    mine = say("You have the lowest card and go first.")
    line = told(seat, p, mine, say("{seat} has the lowest card and goes first."))
    return Caption(line, REVEALED, _spots(stop.now, p, str(1 + stop.now.lowest))[-1:], (p,), "reveal")


def _gathered(stop, _seat, _p):
    n = stop.now.white
    line = say_n("{n} white stone lies in the centre.", "{n} white stones lie in the centre.", n)
    return Caption(line, RESOLVED, ("centre", "white"), cue="place", log=())


def _asked(stop, seat, p):
    n = stop.now.owed
    if stop.before.phase == rules.MORE:
        line = told(seat, p, say("You draw one more card."), say("{seat} draws one more card."))
        return Caption(line, BREATH, ("deck",), (p,), "reveal", say("One more."))
    mine, theirs = say("You draw {cards}."), say("{seat} draws {cards}.")
    if stop.now.drawing == rules.ANNOUNCED:
        mine, theirs = say("You announce {cards}."), say("{seat} announces {cards}.")
    speech = say("One card.") if n == 1 else say("{n} cards.", n=n)
    return Caption(told(seat, p, mine, theirs, cards=in_cards(n)), PLAYED, ("deck",), (p,), "reveal", speech)


def _next_card(_stop, seat, p):
    line = told(seat, p, say("You turn up the next card…"), say("{seat} turns up the next card…"))
    return Caption(line, STILL, ("deck",), (p,), "reveal", log=())


def _turned_up(stop, seat, p):
    now, code = stop.now, _drawn(stop)
    turned = told(seat, p, say("You turn up {card}."), say("{seat} turns up {card}."), card=Cards((code,)))
    if code != "10":
        last = sum(rules.in_centre(now, r) for r in range(int(code))) - 1
        return Caption(turned, PLAYED, (f"centre.{last}", "white"), (p,), "place")
    lost = rules.loss(now, p)
    if now.black[p] == 1:
        line = told(seat, p, say("You turn up a black stone. One…"), say("{seat} turns up a black stone. One…"))
        risk = Spotlight(say("One…"), say("●○ A second costs {chips}.", chips=in_chips(lost)), "orange")
        return Caption(line, REVEALED, _spots(now, p, code), (p,), "bad", say("One…"), (turned,), risk)
    price = Spotlight(say("Two black stones!"), say("●● They cost {chips}.", chips=in_chips(lost)), "red")
    lines = turned, _loses(seat, p, lost)
    return Caption(lines[1], DROPS, _spots(now, p, code), (p,), "curse", say("Two!"), lines, price)


def _loses(seat, p, chips):
    mine = say("A second black stone! You pay {chips} chips.")
    return told(seat, p, mine, say("A second black stone! {seat} pays {chips} chips."), chips=chips)


def _stopped(stop, seat, p):
    cards = in_cards(stop.now.drawn)
    line = told(seat, p, say("You stop after {cards}."), say("{seat} stops after {cards}."), cards=cards)
    return Caption(line, PLAYED, (f"stones-{p}",), (p,), "place", say("Enough."))


def _passed_on(stop, seat, p):
    """A breath: how many cards the next player must draw."""
    n = rules.cards_to_draw(stop.now)
    mine, theirs = say("You must draw {cards} or more, or fold."), say("{seat} must draw {cards} or more, or fold.")
    line = told(seat, p, mine, theirs, cards=in_cards(n))
    return Caption(line, RESOLVED, ("deck",), (p,), "reveal", log=()) if n else None


def _folded(stop, seat, p):
    """What a fold costs, as a sum, unless the player hasn't so many chips."""
    chips, n = rules.fold_price(stop.now, p), stop.now.white
    line, sums = _folds(seat, p, chips), {"stake": STAKE, "half": chips - STAKE, "chips": chips}
    if chips == rules.full_price(n):
        mine = say("You fold: stake {stake} + {half} (half of {stones}) = {chips} chips.")
        theirs = say("{seat} folds: stake {stake} + {half} (half of {stones}) = {chips} chips.")
        line = told(seat, p, mine, theirs, **sums, stones=_in_white_stones(n))
    return Caption(line, REVEALED, (f"stake-{p}", "white"), (p,), "reveal", say("Fold."), log=())


def _in_white_stones(n):
    return say_n("{n} white stone", "{n} white stones", n)


def _folds(seat, p, chips):
    mine = say("You fold and pay {chips} chips.")
    return told(seat, p, mine, say("{seat} folds and pays {chips} chips."), chips=chips)


def _paid(stop, seat, p):
    chips = stop.before.purse[p] - stop.now.purse[p]
    if stop.now.black[p] < 2:
        return Caption(_folds(seat, p, chips), RESOLVED, (f"chips-{p}", "pot"), (p,), "chips")
    line = _loss(seat, p, chips, stop.now.white) if chips == rules.full_loss(stop.now.white) else _loses(seat, p, chips)
    return Caption(line, LOST, (f"stake-{p}", f"chips-{p}", "pot"), (p,), "chips", log=())


def _loss(seat, p, chips, n):
    """What a second black stone costs, as a sum."""
    mine = say("You pay: stake {stake} + {stones} = {chips} chips.")
    theirs = say("{seat} pays: stake {stake} + {stones} = {chips} chips.")
    return told(seat, p, mine, theirs, stake=STAKE, stones=_in_white_stones(n), chips=chips)


def _shared(stop, seat, p):
    """The pot runs to those who are still in: one by one if they are few, else to all at once, under one line."""
    now, n = stop.now, stop.now.purse[p] - stop.before.purse[p]
    if n == 0:
        return None
    mine, theirs = say("You get {chips} from the pot."), say("{seat} gets {chips} from the pot.")
    line, seats = told(seat, p, mine, theirs, chips=in_chips(n)), seats_of(now.inside)
    if len(seats) == 1:
        hold = REVEALED if now.black[now.turn] < 2 else SHARED
        prize = Spotlight(say("The pot!"), say("The last one in: {chips}", chips=in_chips(n)))
        return Caption(line, hold, (f"chips-{p}",), (p,), "good", spotlight=prize)
    everybody = say("Each player still in gets {chips}.", chips=in_chips(n))
    if len(seats) <= FEW:
        return Caption(everybody, SHARED // len(seats), (f"chips-{p}",), (p,), "good", log=(line,))
    hold = SHARED if p == seats[-1] else 0
    return Caption(everybody, hold, tuple(f"chips-{q}" for q in seats), seats, "good", log=(line,))


def _round_ended(stop, _seat, _p):
    n = stop.now.pot
    line = say_n("{n} chip stays in the pot.", "{n} chips stay in the pot.", n)
    return Caption(line, RESOLVED, ("pot",), cue="reveal") if n else None


def _round_begun(stop, _seat, _p):
    number = out_of(stop.now.played + 1, stop.now.rounds)
    return Caption(say("Round {number} begins.", number=number), RESOLVED, ("deck",), cue="deal")


def _match_ended(stop, _seat, _p):
    if stop.now.ending == rules.FEW_CAN:
        line = say("Fewer than two players can still stake: the match is over.")
        return Caption(line, REVEALED, ("pot",), cue="reveal")
    back = tuple(f"chips-{q}" for q in seats_of(stop.before.inside))
    line = say("The stakes go back to those still in.")
    return Caption(line, RESOLVED, back, cue="chips", log=()) if back else None


PICKED = say("Chosen at random: you go first."), say("Chosen at random: {seat} goes first.")
EMPTY = Caption(say("The deck is empty."), RESOLVED, ("deck",), cue="reveal")
STAKES = {rules.CHOSEN: _chosen, rules.STAKES_SHOWN: _stakes_shown, rules.TOO_FEW_STAKES: _too_few_stakes}
DEAL = {rules.DEALT: _dealt, rules.SET_ASIDE: _set_aside, rules.TIED: _tied, rules.NO_CARD_LEFT: _tied}
FIRST = {
    rules.GOES_FIRST: _goes_first,
    rules.PICKED: at_seat(*PICKED, REVEALED, "stones-{}", "reveal"),
    rules.GATHERED: _gathered,
}
DRAWING = {rules.ASKED: _asked, rules.NEXT_CARD: _next_card, rules.TURNED_UP: _turned_up, rules.DECK_EMPTY: EMPTY}
TURNS = {rules.STOPPED: _stopped, rules.PASSED_ON: _passed_on, rules.FOLDED: _folded, rules.PAID: _paid}
ROUNDS = {rules.SHARED: _shared, rules.ROUND_ENDED: _round_ended, rules.ROUND_BEGUN: _round_begun}
caption = captions_by_stop(STAKES | DEAL | FIRST | DRAWING | TURNS | ROUNDS | {rules.MATCH_ENDED: _match_ended})


def _stakes(s):
    """The zones of stakes that lie there; where there are none, those of the players who could have staked."""
    return tuple(f"stake-{p}" for p in seats_of(s.inside)) or tuple(
        f"stones-{p}" for p in seats_of(rules.able_to_stake(s))
    )


def _drawn(stop):
    """The card that has left the deck since the stop before."""
    return next(str(1 + r) for r in range(RANKS) if stop.now.stock[r] < stop.before.stock[r])


def _spots(s, p, code):
    """The places before a seat of cards of a rank."""
    return tuple(f"stones-{p}.{k}" for k, card in enumerate(_cards_of(s, p)) if card == code)


def outcome(s, seat):
    """How the match ended, and by what."""
    return outcome_in_chips([s.purse[p] for p in range(s.seats)], _decided_by(s, seat))


def _decided_by(s, seat):
    """How the last round ended: with two black stones, or with one player left in; None where nobody could stake."""
    for p in range(s.seats):
        if s.black[p] > 1:
            return told(seat, p, say("You turned up two black stones."), say("{seat} turned up two black stones."))
    last = seats_of(s.inside)
    if len(last) != 1:
        return None
    return told(seat, last[0], say("You were the last one in."), say("{seat} was the last one in."))
