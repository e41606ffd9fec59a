"""The end of Wolf-Man's Curse as scenes: the mob, the Yard, a silver bullet, the innocent, and the richest who wins."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from hexdeck.engine.beat import LONGEST, RESOLVED, REVEALED, Beat, changed
from hexdeck.engine.text import Seat, Text, _, say, say_n
from hexdeck.engine.view import Zone
from hexdeck.games.wolf_mans_curse import rules

NO_MOB = _("Nobody has a club: there is no mob.")
MOB_TIED = _("Everyone is tied on clubs: the mob lynches nobody.")
MOB_SHARED = _("Tied for the most clubs: the mob lynches nobody.")
YOU_LYNCHED = _("You have the most clubs: the angry mob lynches you.")
LYNCHED = _("{seat} has the most clubs: the angry mob lynches {seat}.")
YOU_FROM_MOB = _("The angry mob comes for you, but your love's silver bullet is faster. You are dead and can't win.")
FROM_MOB = _("The angry mob comes for {seat}, but a silver bullet is faster. {seat} is dead and can't win.")
NO_SPADE = _("Nobody left has a spade: Scotland Yard hangs nobody.")
NO_HEART = _("Whoever now has the most spades has no heart: Scotland Yard hangs nobody.")
YOU_HANGED = _("You have the most spades, and hearts too: Scotland Yard hangs you.")
HANGED = _("{seat} has the most spades, and hearts too: Scotland Yard hangs {seat}.")
YOU_FROM_YARD = _("Scotland Yard comes for you, but your love's silver bullet is faster. You are dead and can't win.")
FROM_YARD = _("Scotland Yard comes for {seat}, but a silver bullet is faster. {seat} is dead and can't win.")
YOU_RELEASED = _("You hold the queen of hearts and a joker: her silver bullet kills you. You can't win.")
RELEASED = _("{seat} holds the queen of hearts and a joker: her silver bullet kills {seat}, who can't win.")
REASONS = {  # by whether the winner is innocent, and alone: as the winner is told, and others
    (True, True): (_("You are the only innocent survivor."), _("{seat} is the only innocent survivor.")),
    (True, False): (_("You are the richest innocent survivor."), _("{seat} is the richest innocent survivor.")),
    (False, True): (_("You are the only survivor."), _("{seat} is the only survivor.")),
    (False, False): (
        _("No survivor is innocent, and you are the richest."),
        _("No survivor is innocent, and {seat} is the richest."),
    ),
}
NOBODY_LEFT = _("Nobody is left to win.")
FATE = "fate-"  # a zone of each seat, once it is known: its note is a symbol of the game's art
SHOT, MOBBED, HUNG, WON = say("silver bullet"), say("lynched"), say("hanged"), say("winner")
INNOCENT, GUILTY = say("innocent"), say("guilty")
COLUMNS = "clubs-", "spades-", "hearts-", "diamonds-"  # the zones of the score sheet, before the number of a seat
Zones = tuple[Zone, ...]


class Scene(NamedTuple):
    """How a sentence of the reckoning is shown: the cue, how long it holds, and what is lit before the seats."""

    cue: str
    hold: int
    lit: tuple[str, ...] = ()


LYNCHING, HANGING = Scene("torches", LONGEST, ("clubs",)), Scene("rope", LONGEST, ("spades", "hearts"))
RELEASE = Scene("bullet", LONGEST, ("queen", "jokers"))
SCENES = {
    **dict.fromkeys((NO_MOB, MOB_TIED, MOB_SHARED), LYNCHING._replace(hold=REVEALED)),
    **dict.fromkeys((NO_SPADE, NO_HEART), HANGING._replace(hold=REVEALED)),
    **dict.fromkeys((YOU_LYNCHED, LYNCHED), LYNCHING),
    **dict.fromkeys((YOU_HANGED, HANGED), HANGING),
    **dict.fromkeys((YOU_FROM_MOB, FROM_MOB, YOU_FROM_YARD, FROM_YARD, YOU_RELEASED, RELEASED), RELEASE),
    NOBODY_LEFT: Scene("bad", REVEALED),
}


def scenes(seat: int, after: Any, new: Zones, facts: Sequence[Text]) -> list[Beat]:
    """The beats of the reckoning, one a sentence; before the winners, the hearts of all who are left are looked at."""
    winners = members(after, after.winners)
    told, known, beats = facts[: len(facts) - len(winners)], set[int](), list[Beat]()
    for fact in told:
        known.update(about_whom(seat, fact))
        beats.append(scene(seat, after, marked(after, new, known), fact, SCENES[fact.key]))
    beats += verdict(after, marked(after, new, range(after.seats)))
    light = lit(new, ("diamonds",), winners)
    for k, fact in enumerate(facts[len(told) :]):
        beats.append(Beat(new, RESOLVED if k else LONGEST, light, winners, fact, "feast"))
    return beats


def fate(after: Any, seat: int) -> Text:
    """What became of a seat, in a word or two."""
    fates = (after.released, SHOT), (after.lynched, MOBBED), (after.hanged, HUNG), (after.winners, WON)
    return next((text for seats, text in fates if seats >> seat & 1), survived(after, seat))


def survived(after: Any, seat: int) -> Text:
    """WC-15: a survivor without a heart is innocent."""
    return INNOCENT if rules.innocents(after) >> seat & 1 else GUILTY


def marked(after: Any, new: Zones, known: Collection[int]) -> Zones:
    """The zones while only the fates of some seats are known, and nobody has won yet."""
    kept = tuple(zone for zone in new if not zone.id.startswith(FATE) or zone.seat in known)
    for seat in members(after, after.winners):
        kept = changed(kept, f"{FATE}{seat}", note=survived(after, seat))
    return kept


def scene(seat: int, after: Any, new: Zones, fact: Text, shown: Scene) -> Beat:
    """A scene: lit is the seat that it is about, or all whose cards are compared, and what decides it."""
    about = about_whom(seat, fact)
    seats = about or tuple(range(after.seats))
    return Beat(new, shown.hold, lit(new, shown.lit, seats), about, fact, shown.cue)


def about_whom(seat: int, fact: Text) -> tuple[int, ...]:
    """The seat that a sentence is about: the one it names, or the one that is told it as you; none for nobody."""
    if "seat" in fact.args:
        return (fact.args["seat"].index,)
    yours = fact.key in (YOU_LYNCHED, YOU_HANGED, YOU_FROM_MOB, YOU_FROM_YARD, YOU_RELEASED)
    return (seat,) if yours else ()


def verdict(after: Any, new: Zones) -> list[Beat]:
    """WC-15: who of the survivors is innocent, which has the light, if there is a winner to be found among them."""
    left = ~(after.lynched | after.hanged | after.released)
    survivors, innocent = members(after, left), members(after, left & rules.innocents(after))
    if not survivors:
        return []
    return [Beat(new, REVEALED, lit(new, ("hearts",), survivors), innocent, stamped(survivors, innocent), "verdict")]


def stamped(survivors: tuple[int, ...], innocent: tuple[int, ...]) -> Text:
    """Who is innocent and who is guilty, in a sentence."""
    if not innocent:
        return say("Every survivor has a heart: all are guilty.")
    if innocent == survivors:
        return say("No survivor has a heart: all are innocent.")
    return say("Innocent, without a heart: {seats}. The other survivors are guilty.", seats=named(innocent))


def named(seats: tuple[int, ...]) -> Seat | Text:
    """Seats in a row, by their names."""
    names: Seat | Text = Seat(seats[0])
    for seat in seats[1:]:
        names = say("{first}, {second}", first=names, second=Seat(seat))
    return names


def members(after: Any, seats: int) -> tuple[int, ...]:
    """The seats of a set of bits."""
    return tuple(p for p in range(after.seats) if seats >> p & 1)


# --- the headline -----------------------------------------------------------------------------------------------------
def won_by(s: Any) -> Text | None:
    """By what the game was won: how many diamonds the richest is ahead of others who could win; None without any."""
    wealth = sorted((s.points[p, rules.DIAMONDS] for p in rivals(s)), reverse=True)
    return say_n("{n} diamond", "{n} diamonds", wealth[0] - wealth[1]) if len(wealth) > 1 else None


def decided_by(s: Any, seat: int) -> Text | None:
    """Why one seat won: the richest of those who could, or the only one who could."""
    winners = members(s, s.winners)
    if len(winners) != 1:
        return None
    innocent, alone = s.ending == rules.INNOCENT, len(rivals(s)) == 1
    mine, theirs = REASONS[innocent, alone]
    return say(mine) if winners[0] == seat else say(theirs, seat=Seat(winners[0]))


def rivals(s: Any) -> tuple[int, ...]:
    """WC-15: those among whom the richest wins: the innocent survivors, or without any all who survived."""
    left = ~(s.lynched | s.hanged | s.released)
    return members(s, left & rules.innocents(s)) if s.ending == rules.INNOCENT else members(s, left)


def lit(new: Zones, names: tuple[str, ...], seats: Sequence[int]) -> tuple[str, ...]:
    """The places of these zones, before these seats, that are on the table."""
    wanted = {f"{name}-{seat}" for name in names for seat in seats}
    return tuple(zone.id for zone in new if zone.id in wanted)
