"""Slow, obvious reference implementations, written from the rules pages alone: the judges of the fast engines."""

PAIRS_DECK = list(range(1, 11))  # rank r appears r times, 1 to 10


def full_deck(copies: list[int] | None) -> list[int]:
    """Every card as its rank, in order; copies[0] is the number of aces, copies[1] of twos, and so on."""
    copies = PAIRS_DECK if copies is None else copies
    return [rank for rank, number in enumerate(copies, start=1) for _ in range(number)]


def card_weights(deck: list[int]) -> dict[str, int]:
    """The chance outcomes of turning the top card of a shuffled deck."""
    return {f"card {rank}": deck.count(rank) for rank in sorted(set(deck))}


def seat_weights(seats: list[int]) -> dict[str, int]:
    """The chance outcomes of picking one of these seats at random."""
    return {f"seat {seat}": 1 for seat in seats}


def number_in(name: str) -> int:
    """The number in a name such as "card 7" or "seat 0"."""
    return int(name.split()[1])


def require(condition: bool, message: str) -> None:
    """Raise ValueError unless the condition holds."""
    if not condition:
        raise ValueError(message)
