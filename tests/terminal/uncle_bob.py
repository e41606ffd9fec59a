"""High Handed with Uncle Bob, for tests of what people say of others beside their moves."""

from hexdeck.engine.play.match import Match
from hexdeck.games.high_handed.rules import ANSWER, ASK

OPTIONS = {"manual_draw": True, "uncle_bob_rule": True, "rows": 5, "columns": 5, "ranks": 6, "hand_cards": 3}


def next_move(match: Match, seat: int, sneaks: bool = False) -> str:
    """A move of somebody who asks for the cards that are due and accuses nobody; `sneaks`: and takes one too many."""
    ends = match.struct.phase == ASK and match.struct.due == 0 and not sneaks
    return match.legal(seat)[-1 if ends or match.struct.phase == ANSWER else 0].name


def play_until(match: Match, seat: int, turns: int = 1, sneaking: int = -1) -> None:
    """All play until a seat's turn begins after so many; only one of them ever takes a card too many."""
    while match.acting != (seat,) or match.struct.turns[seat] < turns or match.struct.turn != seat:
        for each in match.acting:
            match.play(each, next_move(match, each, each == sneaking))
