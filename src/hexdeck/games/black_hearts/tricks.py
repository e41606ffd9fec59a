"""A trick of Black Hearts in steps, and what comes of the last one of a round: curses, points, the end."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from hexdeck.engine.beat import LONGEST, PLAYED, RESOLVED, REVEALED, Beat, cards_come, changed, whose, zone_of
from hexdeck.engine.text import Seat, Text, _, say
from hexdeck.engine.view import Zone
from hexdeck.games.black_hearts import rules
from hexdeck.games.black_hearts.values import GIFTS

YOU_PLAY, PLAYS = _("You play the {card}."), _("{seat} plays the {card}.")
YOU_WIN, WINS = _("You win the trick."), _("{seat} wins the trick.")
YOU_CAPTURE, CAPTURES = _("You win the trick, with {cards} in it."), _("{seat} wins the trick, with {cards} in it.")
WON = YOU_WIN, WINS, YOU_CAPTURE, CAPTURES
WINNER = _("winner: {seat}")
MINE, ALL_SIX = say("Mine."), say("All of them!")
Zones = tuple[Zone, ...]


def beats(
    seat: int, before: Any, old: Zones, facts: Sequence[Text], after: Any, new: Zones, kinds: dict[str, int]
) -> list[Beat]:
    """The beats of a card that is played; the last card of a trick lies there before the winner is named.

    `kinds`: the kinds of cards by their codes.
    """
    p = whose(seat, facts[0])
    if len(facts) == 1 or facts[1].key not in WON:
        return [played(new, p, facts[0])]
    taker = whose(seat, facts[1])
    ends = bool(after.over) or after.deal != before.deal
    lying = last_laid(old, p, facts[0]) if ends else unsettled(old, new, taker)
    named = changed(lying, "trick", note=say(WINNER, seat=Seat(taker)))
    place, last = zone_of(lying, "trick").owners.index(taker), kinds[facts[0].args["card"].codes[0]]
    light, cue = [f"trick.{place}"], "good"
    if taker != usual_taker(before, last):
        light, cue = [*light, "gift"], GIFTS[before.gift]
    shown = [played(lying, p, facts[0]), Beat(named, REVEALED, tuple(light), (taker,), facts[1], cue, MINE)]
    settled = caught(named, taker, facts[1], after.total[taker] - before.total[taker]) if ends else new
    if facts[1].key in (YOU_CAPTURE, CAPTURES):
        stained = (f"caught-{taker}.{k}" for k in stains(named, settled, taker))
        shown.append(Beat(settled, RESOLVED, (*stained, f"trick.{place}"), (taker,), facts[1], "curse"))
    return shown + round_ended(seat, before, settled, facts[2:], after, new, kinds) if ends else shown


def usual_taker(before: Any, last: int) -> int:
    """BH-9: who would win the trick, with this last card, if no gift were in force."""
    fields = {name: getattr(before, name) for name in ("seats", "leader", "trick", "number", "played", "reversed_ties")}
    return int(rules.taker(SimpleNamespace(gift=rules.NONE, **fields), before.seats, last))


def played(zones: Zones, p: int, told: Text) -> Beat:
    """A card comes to the trick."""
    return Beat(zones, PLAYED, (f"trick.{len(zone_of(zones, 'trick').cards) - 1}",), (p,), told, "place")


def unsettled(old: Zones, new: Zones, taker: int) -> Zones:
    """The zones with a whole trick on the table, of which nothing is captured yet."""
    was = zone_of(old, f"caught-{taker}")
    return changed(changed(new, "trick", note=None), was.id, cards=was.cards, count=was.count)


def last_laid(old: Zones, p: int, told: Text) -> Zones:
    """The zones with the last card of a round on the table, after which a new round may be there at once."""
    trick, codes = zone_of(old, "trick"), told.args["card"].codes
    lying = changed(old, "trick", cards=(*trick.cards, *codes), owners=(*trick.owners, p))
    return changed(lying, f"hand-{p}", cards=(), hidden=0, note=None)


def caught(zones: Zones, taker: int, told: Text, points: int) -> Zones:
    """The zones when the winner of a round's last trick has its Curse cards; `points`: all of this round."""
    row = zone_of(zones, f"caught-{taker}")
    codes = told.args["cards"].codes if "cards" in told.args else ()
    return changed(zones, row.id, cards=(*row.cards, *codes), count=points)


def stains(old: Zones, new: Zones, taker: int) -> tuple[int, ...]:
    """The places of the Curse cards that come to a seat."""
    return tuple(cards_come(zone_of(old, f"caught-{taker}"), zone_of(new, f"caught-{taker}")))


# --- the end of a round
def round_ended(
    seat: int, before: Any, settled: Zones, later: Sequence[Text], after: Any, new: Zones, kinds: dict[str, int]
) -> list[Beat]:
    """The points of a round, and what follows: another round, or the end of the game."""
    if after.ending == rules.ALL_CURSES:
        return all_curses(after, new, later[-1])
    shown = forgiven(before, settled, kinds) + counted(before, settled, later, after)
    if after.ending == rules.THIRTEEN:
        return shown + thirteen(seat, after, new, later[-1])
    over = say("Round {number} is over.", number=before.deal)
    return [*shown, Beat(new, RESOLVED, ("round",), line=over, cue="deal")]


def all_curses(after: Any, new: Zones, told: Text) -> list[Beat]:
    """BH-11: all Curse cards lie before one seat, which wins."""
    p = winners(after)[0]
    light = tuple(f"caught-{p}.{k}" for k in range(len(zone_of(new, f"caught-{p}").cards)))
    return [Beat(new, LONGEST, light, (p,), told, "all-curses", ALL_SIX)]


def forgiven(before: Any, settled: Zones, kinds: dict[str, int]) -> list[Beat]:
    """BH-7: under Mercy the worst Curse card of each seat doesn't count."""
    rows = [row for p in range(before.seats) if (row := zone_of(settled, f"caught-{p}")).cards]
    if before.gift != rules.MERCY or not rows:
        return []
    light = tuple(f"{row.id}.{worst(before, row, kinds)}" for row in rows)
    seats = tuple(row.seat for row in rows if row.seat is not None)
    return [Beat(settled, REVEALED, light, seats, zone_of(settled, "gift").note, "forgiven")]


def worst(before: Any, row: Zone, kinds: dict[str, int]) -> int:
    """The place of the Curse card that is worth most."""
    points = [int(before.curse_points[kinds[code]]) for code in row.cards]
    return points.index(max(points))


def counted(before: Any, settled: Zones, later: Sequence[Text], after: Any) -> list[Beat]:
    """BH-10: the totals of those who get points count up, one seat after another."""
    shown, gaining = list[Beat](), [p for p in range(after.seats) if after.total[p] != before.total[p]]
    for p, told in zip(gaining, later, strict=False):
        settled = changed(settled, f"total-{p}", count=int(after.total[p]))
        shown.append(Beat(settled, RESOLVED, (f"total-{p}", f"caught-{p}"), (p,), told, "chips"))
    return shown


def thirteen(seat: int, after: Any, new: Zones, told: Text) -> list[Beat]:
    """BH-12: somebody has 13 points or more, so that whoever has fewest wins."""
    cursed, best = [p for p in range(after.seats) if after.total[p] >= rules.LIMIT], winners(after)
    return [
        Beat(new, REVEALED, tuple(f"total-{p}" for p in cursed), tuple(cursed), told, "bad"),
        Beat(new, LONGEST, tuple(f"total-{p}" for p in range(after.seats)), best, won(seat, best), "feast"),
    ]


def winners(after: Any) -> tuple[int, ...]:
    """The seats that win."""
    return tuple(p for p in range(after.seats) if rules.wins(after, p))


def won(seat: int, best: tuple[int, ...]) -> Text:
    """Who has the lowest total, in a sentence."""
    if best == (seat,):
        return say("You have the lowest total and win.")
    if len(best) == 1:
        return say("{seat} has the lowest total and wins.", seat=Seat(best[0]))
    names: Seat | Text = Seat(best[0])
    for p in best[1:]:
        names = say("{first}, {last}", first=names, last=Seat(p))
    return say("Tied for the lowest total, these players share the win: {seats}.", seats=names)
