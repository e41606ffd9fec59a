"""What a person types for a move: a number, a card, a cell, or words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from hexdeck.engine.text import STANDARD_CARD, SYMBOLS, Cards, Catalogue
from hexdeck.engine.view import Move, Zone, cell_name

WHITE_SUITS = {"♧": "c", "♤": "s", "♡": "h", "♢": "d"}
PLAIN = str.maketrans({symbol: letter for letter, symbol in SYMBOLS.items()} | WHITE_SUITS | {"\ufe0f": None, ",": " "})
HIGHEST_RANK = 10  # of those written as numbers
REPEATED = 60  # characters of what was typed that an answer repeats
LONGEST_STEP = 12  # words of a move that another follows in the same line


def with_keys(moves: Sequence[Move]) -> list[tuple[str, Move]]:
    """The moves of the list, each with what to type for it: the code of its card, else a number.

    Moves onto cells aren't listed: their cells are typed.
    """
    unplaced = [move for move in moves if not move.cell]
    codes = [code for move in unplaced for code in codes_of(move)]
    if not codes:
        return [(str(number), move) for number, move in numbered(unplaced)]
    by_card = [(codes_[0], move) for move in unplaced if len(codes_ := codes_of(move)) == 1]
    if len({code for code, _ in by_card}) < len(codes):
        return [(str(number), move) for number, move in enumerate(unplaced, 1)]
    without = [move for move in unplaced if not codes_of(move)]
    return [*by_card, *((str(number), move) for number, move in enumerate(without, HIGHEST_RANK + 1))]


def codes_of(move: Move) -> list[str]:
    """The codes of a move's cards, unless they are plain numbers: from its name, else from its label."""
    labelled = [code for cards in move.label.args.values() if isinstance(cards, Cards) for code in cards.codes]
    return standard_cards(move.name) or [code for code in labelled if not code.isdecimal()]


def standard_cards(name: str) -> list[str]:
    """The codes of standard cards in an action's name."""
    return [word for word in name.split() if STANDARD_CARD.fullmatch(word)]


def numbered(moves: Sequence[Move]) -> list[tuple[int, Move]]:
    """The moves with their numbers: the one number in each name if that tells them apart (so "7" is the 7).

    Otherwise they count from 1; moves without a number come last.
    """
    own = [own_number(move.name) for move in moves]
    known_numbers = [number for number in own if number is not None]
    if len(set(known_numbers)) < len(known_numbers) or any(len(numbers(move.name)) > 1 for move in moves):
        return list(enumerate(moves, 1))
    after = max(known_numbers, default=0)
    out = []
    for number, move in zip(own, moves, strict=True):
        after += number is None
        out.append((after if number is None else number, move))
    return sorted(out, key=lambda pair: pair[0])


def numbers(name: str) -> list[int]:
    """The numbers in an action's name."""
    return [int(part) for part in re.findall(r"\d+", name)]


def own_number(name: str) -> int | None:
    """The number in an action's name, if there is exactly one."""
    all_numbers = numbers(name)
    return all_numbers[0] if len(all_numbers) == 1 else None


def example(moves: Sequence[Move], catalogue: Catalogue) -> str:
    """Words that name one of the moves: one of its label where that will do, one with its number, or all of them."""
    plain = replace(catalogue, suits=False)
    labels = [(move, plain.words(move.label).lower()) for move in moves]
    pairs = [(move, word) for move, label in labels for word in re.findall(r"[^\W\d_]{3,}", label)]
    tries = [word for _move, word in pairs] + [f"{word} {own_number(move.name)}" for move, word in pairs]
    tries += [" ".join(re.findall(r"\w+", label)) for _move, label in labels]
    return next((line for line in dict.fromkeys(tries) if len(matching_moves(line, moves, catalogue)) == 1), "…")


# --- what is typed ----------------------------------------------------------------------------------------------------
def words_of(typed: str) -> list[str]:
    """The words of what was typed, in lower case, with symbols of suits as letters."""
    return typed.lower().translate(PLAIN).split()


def matching_moves(typed: str, moves: Sequence[Move], catalogue: Catalogue) -> list[Move]:
    """The moves that what was typed can mean, by the first reading that fits any.

    The readings: its number in the list, its whole name, its cell, its cards, part of its name, the words of its label.
    """
    parts, plain = words_of(typed), replace(catalogue, suits=False)
    chosen = [move for key, move in with_keys(moves) if key == typed and key.isdecimal()]
    if chosen or not parts:
        return chosen
    for reading in READINGS:
        fitting = [move for move in moves if reading(parts, move, plain)]
        if fitting:
            return fitting
    return []


def in_label(parts: Sequence[str], move: Move, catalogue: Catalogue) -> bool:
    """Whether all words stand in the translated label; a cell must be typed, too."""
    label = re.findall(r"\w+", catalogue.words(move.label).lower())
    own = {str(number) for number in numbers(move.name)}  # other numbers in a label, such as points, don't name it
    if any(part.isdecimal() and part not in own for part in parts):
        return False
    return (not move.cell or move.cell in parts) and all_found(parts, label)


READINGS: tuple[Callable[[list[str], Move, Catalogue], bool], ...] = (
    lambda parts, move, _: parts == move.name.lower().split(),
    lambda parts, move, _: parts == [move.cell],
    lambda parts, move, _: not move.cell and all_found(parts, [code.lower() for code in standard_cards(move.name)]),
    lambda parts, move, _: not move.cell and all_found(parts, move.name.lower().split()),  # "add 7", "7 add", "3 7"
    in_label,
)


def all_found(parts: Sequence[str], target: Sequence[str]) -> bool:
    """Whether every part is found among the target's words, each used once."""
    unused = list(target)
    for part in sorted(parts, key=len, reverse=True):
        match = next((word for word in unused if is_word(part, word)), None)
        if match is None:
            return False
        unused.remove(match)
    return True


def is_word(part: str, word: str) -> bool:
    """Whether a part stands for a word: a whole number, a card's rank, the beginning of a word; "th" is the 10h."""
    rank = re.fullmatch(r"(10|[2-9ajqk])[cshd]", word)
    if rank and part in {rank[1], word, f"t{word[-1]}" if rank[1] == "10" else word}:
        return True
    return word == part if part.isdecimal() else word.startswith(part)


def actions_named(typed: str, actions: Sequence[str]) -> list[int]:
    """The ids of all actions that what was typed could name, legal or not."""
    parts = words_of(typed)
    return [id for id, name in enumerate(actions) if parts and all_found(parts, name.lower().split())]


def cell_actions(moves: Sequence[Move], zones: Sequence[Zone]) -> dict[str, str]:
    """The names of the actions onto each cell, legal or not, if the names of the legal ones count the cells."""
    names: dict[str, str] = {}
    for zone in zones:
        cells = {cell_name(k, zone.columns): k for k in range(len(zone.cards) if zone.columns else 0)}
        onto = [move for move in moves if move.zone == zone.id]
        stems = {(re.sub(r"\d+", "{}", move.name), (own_number(move.name) or 0) - cells[move.cell]) for move in onto}
        if len(stems) == 1:
            stem, first = stems.pop()
            names |= {cell: stem.format(first + k) for cell, k in cells.items()}
    return names


def splits(typed: str) -> list[tuple[str, str]]:
    """A line split in two after each of its words, the longest beginning first."""
    parts = words_of(typed)
    return [(" ".join(parts[:k]), " ".join(parts[k:])) for k in range(min(len(parts) - 1, LONGEST_STEP), 0, -1)]


def first_move_in(typed: str, moves: Sequence[Move], catalogue: Catalogue) -> tuple[str, str, Move] | None:
    """The longest beginning of a line that names exactly one move: it, the rest of the line, the move."""
    for head, tail in splits(typed):
        fitting = matching_moves(head, moves, catalogue)
        if len(fitting) == 1:
            return head, tail, fitting[0]
    return None
