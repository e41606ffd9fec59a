"""What many tests share: staging a position by hand, and sampling positions of random games."""

import random
from collections.abc import Iterator

import hexdeck
from hexdeck.engine.match import Match


def stage(name: str, players: int, *events: str, lane: str = "interpreted", **options: object) -> Match:
    """A match by hand after some events: `"card 7"` is chance, `"0: call"` a move; several may stand in one string."""
    match = hexdeck.game(name, players, **options).match(by_hand=True, lane=lane)
    return play(match, *events)


def play(match: Match, *events: str) -> Match:
    """Play events, separated by commas or given one by one."""
    for event in (part.strip() for text in events for part in text.split(",")):
        seat, colon, action = event.partition(":")
        if colon:
            match.play(int(seat), action.strip())
        elif event:
            match.deal(event)
    return match


def cards(*ranks: int) -> str:
    """Cards dealt one after another."""
    return ", ".join(f"card {rank}" for rank in ranks)


def names(match: Match, seat: int) -> set[str]:
    """The names of a seat's legal actions."""
    return {match.game.rules.ACTIONS[id] for id in match.legal_ids(seat)}


def random_step(match: Match, rng: random.Random) -> None:
    """One uniformly random event of a match by hand."""
    if not match.acting:
        chances = match.chances()
        match.deal(rng.choices(list(chances), list(chances.values()))[0])
    else:
        seat = rng.choice(match.acting)
        match.play(seat, rng.choice(match.legal_ids(seat)))


def random_plies(match: Match, rng: random.Random, limit: int = 100_000) -> Iterator[Match]:
    """The match at each ply of uniformly random play to its end."""
    for _ in range(limit):
        yield match
        if match.over:
            return
        random_step(match, rng)
