"""The end of a game of High Handed in steps: what was reached, the blind hand, and who wins the match."""

from collections.abc import Sequence
from typing import Any

from hexdeck.engine.beat import LONGEST, RESOLVED, REVEALED, Beat, changed, whose
from hexdeck.engine.text import Seat, Text, say, say_n
from hexdeck.engine.view import Zone
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.narration import GAME_OVER, TEAM_WINS_GAME, WINS_GAME, YOU_WIN_GAME, YOUR_TEAM_WINS_GAME

SENTENCES = GAME_OVER, YOU_WIN_GAME, WINS_GAME, YOUR_TEAM_WINS_GAME, TEAM_WINS_GAME  # what is told of it in the log
Zones = tuple[Zone, ...]


def beats(seat: int, settled: Zones, facts: Sequence[Text], after: Any, new: Zones) -> list[Beat]:
    """The end of a game, after its last turn is `settled`: of one of several, then of the match; or a new deal."""
    scores = tuple(f"score-{p}" for p in range(after.seats))
    shown = [Beat(settled, REVEALED, scores, line=fact, cue="reveal") for fact in facts[:1]]
    for fact in facts[1:]:
        side = parts.side_of(after, whose(seat, fact))
        winners = tuple(p for p in range(after.seats) if parts.side_of(after, p) == side)
        for p in winners:
            settled = changed(settled, f"won-{p}", count=int(after.won[side]))
        shown.append(Beat(settled, REVEALED, tuple(f"won-{p}" for p in winners), winners, fact, "good"))
    if after.over:
        return [*shown, blind_hand(new), won(seat, after, new)]
    return [*shown, Beat(new, RESOLVED, ("board",), line=facts[0], cue="deal")]


def blind_hand(new: Zones) -> Beat:
    """HH-3: the blind hand is turned up, for who can be certain of it; for others it stays as it lies."""
    blind = next(zone for zone in new if zone.id == "blind")
    told = say("The blind hand is turned up.") if blind.cards else say("All cards have been played.")
    return Beat(new, REVEALED, ("blind",), line=told, cue="flip")


def won(seat: int, after: Any, new: Zones) -> Beat:
    """HH-17, HH-18: the best side wins."""
    results = [rules.result_of(after, parts.side_of(after, p)) for p in range(after.seats)]
    best = tuple(p for p in range(after.seats) if results[p] == max(results))
    if after.length == parts.FIRST_TO_TWO:
        return Beat(new, LONGEST, tuple(f"won-{p}" for p in best), best, two_games(seat, after, best), "feast")
    told = most_points(seat, after, best, int(max(results)))
    return Beat(new, LONGEST, tuple(f"score-{p}" for p in best), best, told, "feast")


def is_one_team(after: Any, best: tuple[int, ...]) -> bool:
    """HH-18: whether these seats are one team."""
    return bool(after.teams) and len({parts.side_of(after, p) for p in best}) == 1


def two_games(seat: int, after: Any, best: tuple[int, ...]) -> Text:
    """Who has won two games, in a sentence."""
    if is_one_team(after, best):
        if seat in best:
            return say("Your team has won two games, and the match.")
        return say("{seat}'s team has won two games, and the match.", seat=Seat(best[0]))
    if best == (seat,):
        return say("You have won two games, and the match.")
    if len(best) == 1:
        return say("{seat} has won two games, and the match.", seat=Seat(best[0]))
    return say("Two games won, and the match: {seats}.", seats=named(best))


def most_points(seat: int, after: Any, best: tuple[int, ...], n: int) -> Text:
    """Who has most points, in a sentence."""
    if is_one_team(after, best) and seat in best:
        return say_n("Your team wins the match, with {n} point.", "Your team wins the match, with {n} points.", n)
    if is_one_team(after, best):
        return say_n("{seat}'s team wins the match, with {n} point.", "{seat}'s team wins the match, with {n} points.",
                     n, seat=Seat(best[0]))  # fmt: skip
    if best == (seat,):
        return say_n("You win the match, with {n} point.", "You win the match, with {n} points.", n)
    if len(best) == 1:
        seats = Seat(best[0])
        return say_n("{seat} wins the match, with {n} point.", "{seat} wins the match, with {n} points.", n, seat=seats)
    return say_n(
        "The match is won with {n} point: {seats}.", "The match is won with {n} points: {seats}.", n, seats=named(best)
    )


def named(seats: tuple[int, ...]) -> Seat | Text:
    """Seats in a row, by their names."""
    names: Seat | Text = Seat(seats[0])
    for seat in seats[1:]:
        names = say("{first}, {rest}", first=names, rest=Seat(seat))
    return names
