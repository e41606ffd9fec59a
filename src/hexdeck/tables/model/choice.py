"""What a person can choose: the move that cards or a cell mean, whether there is a choice at all, and asides.

Where a person has only one legal move, the table makes it for them, after a delay. A game's table says where that is so
(`nobody_decides`). The move is an event like any other, and bots, programs, records and simulations make it as usual.

An aside is what a person may say of another seat while the game goes on (`asides` of a game's table), such as an
accusation. It is kept beside the seat, so that nothing changes for others; when the rules ask for it, the table makes
the move at once, for all who are asked alike: what they said, or else what silence means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Cards
from hexdeck.engine.view import Aside, Move, View, Zone, cell_name

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match

FEWEST = 2  # cards that are chosen together


def codes_of(move: Move) -> tuple[str, ...]:
    """The codes of the cards that a move's label names."""
    return tuple(code for value in move.label.args.values() if isinstance(value, Cards) for code in value.codes)


def hand_of(view: View, zones: Sequence[Zone] | None = None) -> Zone | None:
    """The hand of the viewer: the first fan among its own zones; `zones`: as they are at a beat."""
    visible = view.zones if zones is None else zones
    return next((zone for zone in visible if zone.seat == view.seat and zone.shape == "fan"), None)


def hand_counts(view: View) -> Counter[str]:
    """How often each card code is in the hand."""
    hand = hand_of(view)
    return Counter(hand.cards if hand else ())


def moves_by_card(view: View) -> dict[str, Move]:
    """The move of each card of the hand that can be played by itself; cards with several moves are left out."""
    if not view.moves:
        return {}
    hand, moves, several = hand_counts(view), dict[str, Move](), set[str]()
    for move in view.moves:
        codes = () if move.cell else codes_of(move)
        if len(codes) == 1 and codes[0] in hand:
            several |= moves.keys() & {codes[0]}
            moves[codes[0]] = move
    return {code: move for code, move in moves.items() if code not in several}


def moves_by_cards(view: View) -> dict[tuple[str, ...], Move]:
    """The moves of several cards of the hand at once, by their sorted codes."""
    if not view.moves:
        return {}
    hand, moves = hand_counts(view), dict[tuple[str, ...], Move]()
    for move in view.moves:
        codes = () if move.cell else codes_of(move)
        if len(codes) >= FEWEST and Counter(codes) <= hand:
            moves[tuple(sorted(codes))] = move
    return moves


def moves_by_cell(view: View, zone: Zone) -> dict[str, Move]:
    """The moves onto the cells of a board, by the cell's name."""
    return {move.cell: move for move in view.moves if move.zone == zone.id}


def other_moves(view: View, alone: Mapping[str, Move], several: Mapping[tuple[str, ...], Move]) -> list[Move]:
    """The moves that are neither in `moves_by_card` nor in `moves_by_cards`, nor onto a cell."""
    listed_ids = {move.id for move in (*alone.values(), *several.values())}
    boards = {zone.id for zone in view.zones if zone.shape == "board"}
    return [move for move in view.moves if move.id not in listed_ids and move.zone not in boards]


def find_move(view: View, move: str, cards: Sequence[str] = ()) -> Move | None:
    """The legal move of a name, else of cards chosen together; None where there is none."""
    if move:
        return next((option for option in view.moves if option.name == move), None)
    return moves_by_cards(view).get(tuple(sorted(cards)))


def actions_meant(match: Match, seat: int, card: str = "", cell: str = "") -> list[int]:
    """The ids of actions that a card of the hand or a cell could mean, legal or not, the likeliest first.

    Likely are actions of a kind that is legal now (the first word of their names). Only names are compared, since games
    have labels for nothing but legal moves.
    """
    view, actions = match.view(seat), match.game.rules.ACTIONS
    names = {card.lower()} if card else set(cell_words(view, cell))
    ids = [id for id, name in enumerate(actions) if names & words_in_action(name)]
    likely = {move.name.split()[0] for move in view.moves}
    return sorted(ids, key=lambda id: actions[id].split()[0] not in likely)


def words_in_action(name: str) -> set[str]:
    """The words of an action's name after the first, with "curse-7" also as "c7"."""
    parts = name.lower().split()[1:]
    return {*parts, *(re.sub(r"([a-z])[a-z]*-(\w+)", r"\1\2", word) for word in parts)}


def cell_words(view: View, cell: str) -> list[str]:
    """How actions may name a cell: by its name, or by its number."""
    for zone in view.zones:
        if zone.shape == "board":
            names = [cell_name(k, zone.columns) for k in range(len(zone.cards))]
            return [cell, str(names.index(cell) + 1)] if cell in names else []
    return []


def nobody_decides(match: Match, seat: int, viewer: int | None = None) -> bool:
    """Whether a seat has only one legal move, as far as it, or another viewer (-1: the public), can tell."""
    if seat not in match.acting:
        return False
    views = match.seat_views
    return bool(views.table.nobody_decides(views.known(seat if viewer is None else viewer), seat))


def asides(match: Match, seat: int) -> tuple[Aside, ...]:
    """What a seat may say of others now."""
    views = match.seat_views
    aside_list: tuple[Aside, ...] = views.table.asides(views.known(seat), seat)
    return aside_list


def asked_aside(match: Match, seat: int) -> Aside | None:
    """The aside that the rules ask a seat for now."""
    if seat not in match.acting:
        return None
    return next((aside for aside in asides(match, seat) if aside.asked), None)
