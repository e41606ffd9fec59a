"""The reckoning of Wolf-Man's Curse as it is told and shown: the mob, the Yard, a silver bullet, and who wins."""

from hexdeck.engine.options import listed
from hexdeck.engine.text import Seat, _, say, say_n
from hexdeck.engine.view import LONGEST, RESOLVED, REVEALED, Caption, told
from hexdeck.games.wolf_mans_curse import rules

REASONS = {  # by whether the winner is innocent, and alone: as the winner is told, and others
    (True, True): (_("You are the only innocent survivor."), _("{seat} is the only innocent survivor.")),
    (True, False): (_("You are the richest innocent survivor."), _("{seat} is the richest innocent survivor.")),
    (False, True): (_("You are the only survivor."), _("{seat} is the only survivor.")),
    (False, False): (
        _("No survivor is innocent, and you are the richest."),
        _("No survivor is innocent, and {seat} is the richest."),
    ),
}


# --- stops ------------------------------------------------------------------------------------------------------------
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
    return _taken(stop, p, told(seat, p, mine, theirs), "torches", "clubs")


def _hanged(stop, seat, p):
    mine = say("You have the most spades, and hearts too: Scotland Yard hangs you.")
    theirs = say("{seat} has the most spades, and hearts too: Scotland Yard hangs {seat}.")
    if rules.has_bullet(stop.now, p):
        mine = say("Scotland Yard comes for you, but your love's silver bullet is faster. You are dead and can't win.")
        theirs = say("Scotland Yard comes for {seat}, but a silver bullet is faster. {seat} is dead and can't win.")
    return _taken(stop, p, told(seat, p, mine, theirs), "rope", "spades", "hearts")


def _released(stop, seat, p):
    mine = say("You hold the queen of hearts and a joker: her silver bullet kills you. You can't win.")
    theirs = say("{seat} holds the queen of hearts and a joker: her silver bullet kills {seat}, who can't win.")
    return _taken(stop, p, told(seat, p, mine, theirs), "bullet")


def _taken(stop, p, line, cue, *columns):
    if rules.has_bullet(stop.now, p):
        return Caption(line, LONGEST, (f"jokers-{p}", f"queen-{p}"), (p,), "bullet")
    return Caption(line, LONGEST, _sheet(columns, (p,)), (p,), cue)


def _judged(stop, _seat, _p):
    """WC-15: who of the survivors is innocent has the light."""
    alive = ~(stop.now.lynched | stop.now.hanged | stop.now.released)
    survivors, innocent = members(stop.now, alive), members(stop.now, alive & rules.innocents(stop.now))
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
        mine = say_n(
            "You survive, innocent, and win with {n} diamond.", "You survive, innocent, and win with {n} diamonds.", n
        )
        theirs = say_n(
            "{seat} survives, innocent, and wins with {n} diamond.",
            "{seat} survives, innocent, and wins with {n} diamonds.",
            n,
        )
    else:
        mine = say_n(
            "You survive, guilty, and win with {n} diamond.", "You survive, guilty, and win with {n} diamonds.", n
        )
        theirs = say_n(
            "{seat} survives, guilty, and wins with {n} diamond.",
            "{seat} survives, guilty, and wins with {n} diamonds.",
            n,
        )
    winners = members(s, s.winners)
    hold = LONGEST if p == winners[0] else RESOLVED
    return Caption(told(seat, p, mine, theirs), hold, _sheet(("diamonds",), winners), winners, "feast")


CAPTIONS = {
    rules.NO_CLUB: _nobody_of(say("Nobody has a club: there is no mob."), "torches", "clubs"),
    rules.ALL_TIED: _nobody_of(say("Everyone is tied on clubs: the mob lynches nobody."), "torches", "clubs"),
    rules.MOST_TIED: _nobody_of(say("Tied for the most clubs: the mob lynches nobody."), "torches", "clubs"),
    rules.LYNCHED: _lynched,
    rules.NO_SPADE: _nobody_of(say("Nobody left has a spade: Scotland Yard hangs nobody."), "rope", "spades", "hearts"),
    rules.NO_HEART: _nobody_of(
        say("Whoever now has the most spades has no heart: Scotland Yard hangs nobody."), "rope", "spades", "hearts"
    ),
    rules.HANGED: _hanged,
    rules.RELEASED: _released,
    rules.JUDGED: _judged,
    rules.WON: _won,
    rules.NOBODY_WON: _nobody_of(say("Nobody is left to win."), "bad"),
}


def _sheet(columns, seats):
    """Places on the score sheet, seat by seat."""
    return tuple(f"{column}-{p}" for p in seats for column in columns)


# --- fates, and the headline ------------------------------------------------------------------------------------------
def fate(s, p):
    """What has become of a seat, in a word or two, as far as that is settled; None before."""
    if s.released >> p & 1 or ((s.lynched | s.hanged) >> p & 1 and rules.has_bullet(s, p)):
        return say("silver bullet")
    fates = (s.lynched, say("lynched")), (s.hanged, say("hanged")), (s.winners, say("winner"))
    settled = next((text for seats, text in fates if seats >> p & 1), None)
    if settled or not s.ending:
        return settled
    return say("innocent") if rules.innocents(s) >> p & 1 else say("guilty")


def members(s, seats):
    """The seats of a set of bits."""
    return tuple(p for p in range(s.seats) if seats >> p & 1)


def won_by(s):
    """By what the game was won: how many diamonds the richest is ahead of others who could win; None without any."""
    wealth = sorted((s.points[p, rules.DIAMONDS] for p in rivals(s)), reverse=True)
    return say_n("{n} diamond", "{n} diamonds", wealth[0] - wealth[1]) if len(wealth) > 1 else None


def decided_by(s, seat):
    """Why one seat won: the richest of those who could, or the only one who could."""
    winners = members(s, s.winners)
    if len(winners) != 1:
        return None
    innocent, alone = s.ending == rules.INNOCENT, len(rivals(s)) == 1
    mine, theirs = REASONS[innocent, alone]
    return say(mine) if winners[0] == seat else say(theirs, seat=Seat(winners[0]))


def rivals(s):
    """WC-15: those among whom the richest wins: the innocent survivors, or without any all who survived."""
    alive = ~(s.lynched | s.hanged | s.released)
    return members(s, alive & rules.innocents(s)) if s.ending == rules.INNOCENT else members(s, alive)
