"""Wolf-Man's Curse at the table: what each seat sees, the labels of moves, prompts and the log."""

from hexdeck.engine.options import Preset, listed
from hexdeck.engine.study import About, Reason
from hexdeck.engine.text import Cards, Seat, _, say, say_n
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
    copied,
    remembered,
    seats_of,
    told,
    waiting,
)
from hexdeck.games.wolf_mans_curse import rules
from hexdeck.games.wolf_mans_curse.rules import CARDS, DIAMONDS, FACES, JOKER, NONE, SUITS

ABOUT = About(
    say("Wolf-Man's Curse"),
    say("By full moon you are a wolf. Flee the mob and the Yard, harm nobody if you can, and get rich."),
    tagline=say("A wolf by full moon: get rich, and outrun the mob."),
    credit=say(
        "Wolf-Man's Curse, design Lester Smith; playtesters Jennifer, Karalyn and Katheryn Smith; copyright Lester "
        "Smith."
    ),
    minutes=(5, 11),  # for a match of four: at this table, and at a real one (see lab/counts.py)
    age=10,
    luck=55,
    deal=say("Month"),
)
PRESETS = (Preset("regular-game", say("Regular game"), say("The full moon, the mob and the Yard, as the rules say.")),)

WORDS = {  # values of options and endings in words
    "strength": say("the strength of its suit"),
    "points": say("the points of its suit"),
    "both": say("strength and points"),
    "all": say("all of them"),
    "none": say("none of them"),
    "after": say("after the mob and the Yard"),
    "before": say("before the mob and the Yard"),
    "innocent survivor": say("an innocent survivor won"),
    "guilty survivor": say("a guilty survivor won"),
    "nobody left": say("nobody was left to win"),
}

REASONS = (
    Reason("WC-7", say("You have already chosen your card for tonight.")),
    Reason("WC-8", say("It isn't your turn to play a card.")),
    Reason("WC-8", say("That card isn't in your hand.")),
    Reason("WC-7", say("That card isn't in your hand.")),
)

NAMES = ("clubs", "spades", "hearts", "diamonds")
COLUMNS = (say("Clubs"), say("Spades"), say("Hearts"), say("Diamonds"))
SUIT = (say("clubs"), say("spades"), say("hearts"), say("diamonds"))


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's points, hand and captures of this month; the night, the face pile."""
    out, end = [], _if_over(s)
    decide = end.lynched, end.hanged, 0, end.winners
    for p in range(s.seats):
        for k in range(SUITS):
            part = "so far" if decide[k] >> p & 1 else ""
            out.append(Zone(f"{NAMES[k]}-{p}", COLUMNS[k], p, "count", count=s.points[p, k], part=part))
        out.append(_hand(s, p, seat))
        if s.jokers[p]:
            out.append(Zone(f"jokers-{p}", say("Jokers"), p, "count", count=s.jokers[p]))
        if s.queen == p and s.phase == rules.DONE:
            out.append(Zone(f"queen-{p}", say("Queen of hearts"), p, "row", (rules.FACE_CODES[rules.QUEEN],)))
        if fate := _fate(s, p):
            out.append(Zone(f"fate-{p}", say("Fate"), p, "row", note=fate))
        elif fate := _fate(end, p):
            out.append(Zone(f"fate-{p}", say("If it ended now"), p, "row", note=fate, part="so far"))
        out += _captured(s, p)
    turned_up = (_face_code(s.face),) if s.face != NONE else ()
    face = Zone("face", say("Turned up"), None, "row", turned_up, note=_doubled(s))
    return [*out, _month(s), *_verdicts(s), face, _tonight(s), _pile(s)]


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
    cards = [k for k in range(CARDS) if s.hand[p] >> k & 1]
    return Zone(f"hand-{p}", say("Hand"), p, "fan", _codes(s.hand[p]), note=note, tags=_tags(s, cards))


def _codes(cards):
    return tuple(rules.CODES[k] for k in range(CARDS) if cards >> k & 1)


def _tags(s, cards):
    return tuple("×2" if rules.is_doubled(s, k) and not rules.too_early(s, s.face) else "" for k in cards)


def _card(k):
    return Cards((rules.CODES[k],))


def _face_code(face):
    return "Joker" if face == JOKER else rules.FACE_CODES[face]


def _captured(s, p):
    """The cards that a seat captured on earlier nights of this month."""
    return [
        Zone(f"captured-{p}-{k}", say("Night {night}", night=k), p, "pile", _of_night(s, k))
        for k in range(1, rules.NIGHTS + 1)
        if s.captor[k - 1] == p
    ]


def _of_night(s, k):
    """The cards of a night that is over."""
    return (*_codes(s.trick[k - 1]), _face_code(s.prize[k - 1]))


def _month(s):
    note = say("night {night} of {nights}", night=s.night, nights=s.nights) if s.night else None
    if s.queen != NONE or (s.face == rules.QUEEN and not rules.too_early(s, s.face)):  # WC-12
        note = say("the last night")
    return Zone("month", say("Month"), None, "count", count=s.deal, note=note)


def _if_over(s):
    """What would become of the seats if the match ended now (WC-13 to WC-16), as far as that is for one or two."""
    end = copied(s)
    if s.phase == rules.DONE:
        return end
    end.queen = 0  # nobody has her yet, so that nobody is released
    for p in range(s.seats):
        end.jokers[p] = 0
    rules.reckon(end)
    end.ending = 0  # who is innocent is seen by the hearts
    end.winners *= len(seats_of(end.winners)) < 3
    return end


VERDICTS = say("most: lynched"), say("most, and a heart: hanged"), say("none: innocent"), say("most: wins")


def _verdicts(s):
    """What each suit does (WC-13 to WC-16)."""
    if s.phase == rules.DONE:
        return []
    return [Zone(NAMES[k], COLUMNS[k], None, "count", note=VERDICTS[k]) for k in range(SUITS)]


def _doubled(s):
    if s.phase == rules.AGAIN:
        return say("the queen of hearts is laid aside")
    if s.face == NONE or rules.too_early(s, s.face):
        return None
    return say("doubles nothing") if s.face == JOKER else say("doubles {suit}", suit=SUIT[s.face // 3])


def _tonight(s):
    """Tonight's cards, in the order of play; secret on the first night."""
    if s.phase != rules.PLAY:
        note = say("all choose in secret") if s.phase == rules.CHOOSE else None
        return Zone("tonight", say("Tonight"), None, "row", note=note, places=s.seats)
    order = [(max(s.leader, 0) + k) % s.seats for k in range(s.seats)]
    owners = tuple(p for p in order if s.card[p] != NONE)
    cards = tuple(rules.CODES[s.card[p]] for p in owners)
    if not owners:
        note = say("first: {seat}", seat=Seat(s.leader)) if NONE not in (s.leader, s.face) else None
        return Zone("tonight", say("Tonight"), None, "row", note=note, places=s.seats)
    winner, tags = rules.strongest(s), _tags(s, [s.card[p] for p in owners])
    return Zone(
        "tonight", say("Tonight"), None, "row", cards, note=say("winning: {seat}", seat=Seat(winner)),
        owners=owners, winning=owners.index(winner), tags=tags, places=s.seats,
    )  # fmt: skip


def _pile(s):
    """The face pile, face down: everybody knows which cards are left in it, but nobody knows their order."""
    faces = [_face_code(k) for k in range(FACES) if rules.pile(s) >> k & 1]
    cards = (*faces, *[_face_code(JOKER)] * s.pile_jokers)
    note = say("{cards}", cards=Cards(cards)) if cards else None
    return Zone("pile", say("Face pile"), None, "pile", hidden=len(cards), note=note)


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    mine = seat >= 0 and s.acting >> seat & 1
    if s.phase == rules.CHOOSE and not mine:
        return waiting(s, say("Waiting for everyone to choose a card."))
    if s.phase == rules.CHOOSE:
        return say("Choose a card. All are turned up together; the strongest wins them all.")
    if not mine:
        return say("Waiting for {seat} to play a card.", seat=Seat(s.turn))
    leading = say("You lead: play any card. The strongest wins all of tonight's cards.")
    return leading if seat == s.leader else say("Play any card. The strongest wins all of tonight's cards.")


def label(s, _seat, action):
    """The label of a move."""
    if rules.is_doubled(s, action):
        return say(
            "Play the {card}, strength {strength}", card=_card(action), strength=rules.strength(s, action) // SUITS
        )
    return say("Play the {card}", card=_card(action))


# --- what is told and shown of each stop ------------------------------------------------------------------------------
def _dealt(stop, seat, _p):
    line = say("Month {month}: the cards are dealt.", month=stop.now.deal)
    own = (say("You are dealt {cards}.", cards=Cards(_codes(stop.now.hand[seat]))),) if seat >= 0 else ()
    return Caption(line, PLAYED, ("month",), cue="deal", log=(line, *own))


# --- a night
EARLY = say("The queen of hearts, too early! Another card comes in her place; she goes back in the pile.")


def _too_early(stop, _seat, _p):
    if stop.kind == rules.TOO_EARLY:
        return Caption(EARLY, REVEALED, ("face.0",), cue="flip")
    return Caption(EARLY, RESOLVED, ("pile",), cue="place", log=())


def _turned_up(stop, seat, _p):
    """A face card comes up; the cards of its suit that one holds are lit with it."""
    s, hand = stop.now, _codes(stop.now.hand[seat]) if seat >= 0 else ()
    if s.face == JOKER:
        line = say("Night {night}: a joker is turned up and doubles nothing.", night=s.night)
        return Caption(line, REVEALED, ("face.0",), cue="flip")
    suit = s.face // 3
    own = (f"hand-{seat}.{k}" for k, code in enumerate(hand) if rules.CODES.index(code) // rules.RANKS == suit)
    light = ("face.0", *own)
    if s.face == rules.QUEEN:
        line = say("Night {night}: the queen of hearts! She doubles hearts, and this night is the last.", night=s.night)
        return Caption(line, LONGEST, light, cue="last-night")
    card = Cards((_face_code(s.face),))
    line = say("Night {night}: {card} is turned up and doubles {suit}.", night=s.night, card=card, suit=SUIT[suit])
    return Caption(line, REVEALED, light, cue="moon")


def _has_chosen(stop, seat, p):
    if seat == p:
        return Caption(say("You choose the {card}.", card=_card(stop.now.card[p])), 0)
    return Caption(say("{seat} has chosen.", seat=Seat(p)), 0)


def _shown(stop, seat, _p):
    seats = tuple(range(stop.now.seats))
    light, log = tuple(f"tonight.{p}" for p in seats), tuple(_play(stop.now, seat, p) for p in seats)
    return Caption(say("Everyone turns up their card."), REVEALED, light, seats, "flip", log=log)


def _played(stop, seat, p):
    k = sum(stop.now.card[q] != NONE for q in range(stop.now.seats)) - 1
    return Caption(_play(stop.now, seat, p), PLAYED, (f"tonight.{k}",), (p,), "place")


def _play(s, seat, p):
    card = _card(s.card[p])
    theirs = say("{seat} plays the {card}.")
    return told(seat, p, say("You play the {card}."), theirs, card=card)


def _strongest(stop, seat, p):
    line = told(seat, p, say("You have the strongest card."), say("{seat} has the strongest card."))
    k = (p - max(stop.now.leader, 0)) % stop.now.seats
    return Caption(line, RESOLVED, (f"tonight.{k}",), (p,), "growl", say("Grrr!"), log=())


def _captured_all(stop, seat, p):
    s, night = stop.now, stop.now.night
    cards = Cards(_of_night(s, night))
    points = _sums([s.month[p, suit] - stop.before.month[p, suit] for suit in range(SUITS)])
    theirs = say("{seat} is strongest and wins {cards}: {points}.")
    line = told(seat, p, say("Your card is strongest. You win {cards}: {points}."), theirs, cards=cards, points=points)
    return Caption(line, REVEALED, (f"captured-{p}-{night}",), (p,), "place")


def _sums(points):
    """Points by suit, without zeros: clubs 2, hearts 1."""
    return listed([say("{suit} {points}", suit=SUIT[k], points=points[k]) for k in range(SUITS) if points[k]])


def _counted(stop, seat, _p):
    """The month's points go to the score sheet."""
    s, light, seats = stop.now, [], []
    log = [say("Month {month} is over: the points are counted.", month=s.deal)]
    for p in range(s.seats):
        points = [s.points[p, k] - stop.before.points[p, k] for k in range(SUITS)]
        if any(points):
            mine, theirs = say("You score {points}."), say("{seat} scores {points}.")
            log.append(told(seat, p, mine, theirs, points=_sums(points)))
            seats.append(p)
            light += [f"{NAMES[k]}-{p}" for k in range(SUITS) if points[k]]
    return Caption(log[0], RESOLVED, tuple(light), tuple(seats), "chips", log=tuple(log))


# --- the reckoning: the mob, the Yard, a silver bullet, and who wins
WINNERS = {  # by whether the winner is innocent, and alone: as the winner is told, and others
    (True, True): (_("You are the only innocent survivor."), _("{seat} is the only innocent survivor.")),
    (True, False): (_("You are the richest innocent survivor."), _("{seat} is the richest innocent survivor.")),
    (False, True): (_("You are the only survivor."), _("{seat} is the only survivor.")),
    (False, False): (
        _("No survivor is innocent, and you are the richest."),
        _("No survivor is innocent, and {seat} is the richest."),
    ),
}


def _nobody_of(line, cue, *columns):
    """Columns of the score sheet are compared, and nobody is taken."""

    def caption(stop, _seat, _p):
        return Caption(line, REVEALED, _sheet(columns, range(stop.now.seats)), cue=cue)

    return caption


def _lynched(stop, seat, p):
    mine = say("You have the most clubs: the angry mob lynches you.")
    theirs = say("{seat} has the most clubs: the angry mob lynches {seat}.")
    if rules.has_bullet(stop.now, p):
        mine = say("The angry mob comes for you, but your love's silver bullet is faster. You are dead and can't win.")
        theirs = say("The angry mob comes for {seat}, but a silver bullet is faster. {seat} is dead and can't win.")
    n = stop.now.points[p, rules.CLUBS]
    fate = Spotlight(say("Lynched"), say_n("{n} club: the most", "{n} clubs: the most", n), "orange")
    return _death(stop, p, told(seat, p, mine, theirs), fate, "torches", "clubs")


def _hanged(stop, seat, p):
    mine = say("You have the most spades, and hearts too: Scotland Yard hangs you.")
    theirs = say("{seat} has the most spades, and hearts too: Scotland Yard hangs {seat}.")
    if rules.has_bullet(stop.now, p):
        mine = say("Scotland Yard comes for you, but your love's silver bullet is faster. You are dead and can't win.")
        theirs = say("Scotland Yard comes for {seat}, but a silver bullet is faster. {seat} is dead and can't win.")
    fate = Spotlight(say("Hanged"), say("the most spades, and hearts too"), "red")
    return _death(stop, p, told(seat, p, mine, theirs), fate, "rope", "spades", "hearts")


def _released(stop, seat, p):
    mine = say("You hold the queen of hearts and a joker: her silver bullet kills you. You can't win.")
    theirs = say("{seat} holds the queen of hearts and a joker: her silver bullet kills {seat}, who can't win.")
    return _death(stop, p, told(seat, p, mine, theirs), None, "bullet")


def _death(stop, p, line, fate, cue, *columns):
    if rules.has_bullet(stop.now, p):
        shot = Spotlight(say("Silver bullet"), say("the queen of hearts, and a joker"), "red")
        return Caption(line, LONGEST, (f"jokers-{p}", f"queen-{p}.0"), (p,), "bullet", spotlight=shot)
    return Caption(line, LONGEST, _sheet(columns, (p,)), (p,), cue, spotlight=fate)


def _judged(stop, _seat, _p):
    """WC-15: who of the survivors is innocent has the light."""
    alive = rules.survivors(stop.now)
    survivors, innocent = seats_of(alive), seats_of(alive & rules.innocents(stop.now))
    if not innocent:
        line = say("Every survivor has a heart: all are guilty.")
    elif innocent == survivors:
        line = say("No survivor has a heart: all are innocent.")
    else:
        line = say(
            "Innocent, without a heart: {seats}. The other survivors are guilty.",
            seats=listed([Seat(p) for p in innocent]),
        )
    return Caption(line, REVEALED, _sheet(("hearts",), survivors), innocent, "verdict", log=())


def _won(stop, seat, p):
    s, n = stop.now, stop.now.points[p, rules.DIAMONDS]
    if s.ending == rules.INNOCENT:
        mine = say("You survive, innocent, and win with {diamonds}.", diamonds=in_diamonds(n))
        theirs = say("{seat} survives, innocent, and wins with {diamonds}.", diamonds=in_diamonds(n))
    else:
        mine = say("You survive, guilty, and win with {diamonds}.", diamonds=in_diamonds(n))
        theirs = say("{seat} survives, guilty, and wins with {diamonds}.", diamonds=in_diamonds(n))
    winners, line = seats_of(s.winners), told(seat, p, mine, theirs)
    if p != winners[0]:
        return Caption(line, RESOLVED, _sheet(("diamonds",), winners), winners, "feast")
    prize = Spotlight(say("Alive and rich!"), in_diamonds(n))
    return Caption(line, LONGEST, _sheet(("diamonds",), winners), winners, "feast", spotlight=prize)


def _sheet(columns, seats):
    """Places on the score sheet, seat by seat."""
    return tuple(f"{column}-{p}" for p in seats for column in columns)


def _fate(s, p):
    """What has become of a seat, in a word or two, as far as that is settled; None before."""
    if s.released >> p & 1 or ((s.lynched | s.hanged) >> p & 1 and rules.has_bullet(s, p)):
        return say("silver bullet")
    fates = (s.lynched, say("lynched")), (s.hanged, say("hanged")), (s.winners, say("winner"))
    settled = next((text for seats, text in fates if seats >> p & 1), None)
    if settled or not s.ending:
        return settled
    return say("innocent") if rules.innocents(s) >> p & 1 else say("guilty")


def won_by(s):
    """By what the game was won: how many diamonds the richest is ahead of others who could win; None without any."""
    wealth = sorted((s.points[p, rules.DIAMONDS] for p in seats_of(rules.rivals(s))), reverse=True)
    return in_diamonds(wealth[0] - wealth[1]) if len(wealth) > 1 else None


def decided_by(s, seat):
    """Why one seat won: the richest of those who could, or the only one who could."""
    winners = seats_of(s.winners)
    if len(winners) != 1:
        return None
    innocent, alone = s.ending == rules.INNOCENT, len(seats_of(rules.rivals(s))) == 1
    mine, theirs = WINNERS[innocent, alone]
    return say(mine) if winners[0] == seat else say(theirs, seat=Seat(winners[0]))


def in_diamonds(n):
    """A number of diamonds."""
    return say_n("{n} diamond", "{n} diamonds", n)


# --- results ----------------------------------------------------------------------------------------------------------
def outcome(s, seat):
    """How the match ended, and by what."""
    return Outcome([_outcome_text(s, p) for p in range(s.seats)], won_by(s), decided_by(s, seat), no_winner(s))


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
        return say("shared the win, innocent, with {diamonds}", diamonds=in_diamonds(n))
    if shared:
        return say("shared the win, guilty, with {diamonds}", diamonds=in_diamonds(n))
    if innocent:
        return say("won, innocent, with {diamonds}", diamonds=in_diamonds(n))
    return say("won, guilty, with {diamonds}", diamonds=in_diamonds(n))


MOON = {rules.DEALT: _dealt, rules.TOO_EARLY: _too_early, rules.PUT_BACK: _too_early, rules.TURNED_UP: _turned_up}
NIGHT = {rules.HAS_CHOSEN: _has_chosen, rules.SHOWN: _shown, rules.PLAYED: _played, rules.STRONGEST: _strongest}
MONTH = {rules.CAPTURED: _captured_all, rules.COUNTED: _counted}
FATES = {rules.LYNCHED: _lynched, rules.HANGED: _hanged, rules.RELEASED: _released}
END = {rules.JUDGED: _judged, rules.WON: _won}
NOBODY = {
    rules.NO_CLUB: _nobody_of(say("Nobody has a club: there is no mob."), "torches", "clubs"),
    rules.ALL_TIED: _nobody_of(say("Everyone is tied on clubs: the mob lynches nobody."), "torches", "clubs"),
    rules.MOST_TIED: _nobody_of(say("Tied for the most clubs: the mob lynches nobody."), "torches", "clubs"),
    rules.NO_SPADE: _nobody_of(say("Nobody left has a spade: Scotland Yard hangs nobody."), "rope", "spades", "hearts"),
    rules.NO_HEART: _nobody_of(
        say("Whoever now has the most spades has no heart: Scotland Yard hangs nobody."), "rope", "spades", "hearts"
    ),
    rules.NOBODY_WON: _nobody_of(say("Nobody is left to win."), "bad"),
}
caption = captions_by_stop(MOON | NIGHT | MONTH | FATES | END | NOBODY)
