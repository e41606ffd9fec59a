"""The best and the worst result of a match of High Handed, how long it can last, and what its numbers can be."""

from collections.abc import Iterator, Mapping
from typing import Any

from hexdeck.engine.study import Bounds, Limits, absent, chosen, exactly, on_turn, row_sums, within
from hexdeck.games.high_handed import rules, scoring


def bounds(players: int, options: Mapping[str, Any]) -> Bounds:
    """The least and the greatest utility of a seat, and the sum of all if it is fixed (HH-20): 0 for two sides."""
    total = 0.0 if (options["teams"] or players) == 2 else None
    if options["length"] == "first_to_two":
        return Bounds(-2.0, 2.0, total, *lengths(players, options), limits)
    penalties = rules.FINE * _questions(players, options)
    if options["uncle_bob"] == "watch":  # each of a team may be wrong
        penalties *= players // (options["teams"] or players)
    lead = float(_games(players, options) * (_scored(players, options) + penalties))
    return Bounds(-lead, lead, total, *lengths(players, options), limits)


def lengths(players: int, options: Mapping[str, Any]) -> tuple[int, int]:
    """The greatest number of decisions, and of chance events (HH-4 to HH-10, HH-17, HH-19).

    Decisions are a card and its cell; to leave a Two Timer, or a Thief that may lie alone, as it is; a pile for each
    draw, or asking for it and ending the turn; answers about a card too many, which chance may then take. A lot is
    once.
    """
    played, drawn = _played(players, options), _drawn(players, options)
    decisions = 2 * played + rules.in_play(players, options["two_timers"])
    if options["lone_special"] == "anywhere":
        decisions += rules.in_play(players, options["thieves"])
    if options["manual_draw"]:
        decisions += drawn + played
    elif options["choose_pile"]:
        decisions += drawn
    decisions += _questions(players, options) * (players - 1)
    chances = played + drawn * options["uncle_bob_rule"]
    games = _games(players, options)
    return games * decisions, games * chances + (options["first"] == "lot")


def _games(players: int, options: Mapping[str, Any]) -> int:
    """HH-17: the greatest number of games; in each of them some side wins."""
    sides: int = options["teams"] or players
    games: dict[str, int] = {"regular": 1, "double": 2, "first_to_two": sides + 1}
    return games[options["length"]]


def _played(players: int, options: Mapping[str, Any]) -> int:
    """The number of cards that come into hands in a game: all but the blind hand."""
    specials = rules.in_play(players, options["two_timers"]) + rules.in_play(players, options["thieves"])
    return int(options["ranks"] * options["suits"] + specials - options["blind"])


def _questions(players: int, options: Mapping[str, Any]) -> int:
    """HH-19: how often all may be asked about a card too many: after each turn, or after those with a draw."""
    if not options["uncle_bob_rule"]:
        return 0
    return _played(players, options) if options["uncle_bob"] == "watch" else _drawn(players, options)


def _drawn(players: int, options: Mapping[str, Any]) -> int:
    """The number of them that are drawn rather than dealt."""
    dealt: int = players * rules.hand_size(players, options["hand_cards"])
    return _played(players, options) - dealt


def _scored(players: int, options: Mapping[str, Any]) -> int:
    """An upper bound on the points of all hands in a game (HH-12 to HH-15).

    In a line the first card brings nothing, the second at most a pair, and so on; straight flushes are so rare that
    they are counted separately. A Thief lets one more card score in each line of a cell; Two Timers in one stack
    double a card repeatedly.
    """
    caps, lines = _caps(options), _lines(options["rows"], options["columns"])
    plain = sum(sum(caps[: cells + 1]) for cells in lines)
    best = scoring.DIRECTIONS * (caps[-1] + (1 + (options["line_hands"] == "two")) * max(scoring.POINTS))
    timers = rules.in_play(players, options["two_timers"])
    stack = min(timers, options["specials"])
    stacks, single = divmod(timers, stack) if stack else (0, 0)
    doubled = stacks * (2**stack - 1) + 2**single - 1
    return int(plain + _straight_flushes(options) + best * (rules.in_play(players, options["thieves"]) + doubled))


def _lines(rows: int, columns: int) -> Iterator[int]:
    """The number of cells in each row, column and diagonal."""
    yield from [columns] * rows
    yield from [rows] * columns
    for k in range(rows + columns - 1):
        yield from [min(k + 1, rows, columns, rows + columns - 1 - k)] * 2


def _caps(options: Mapping[str, Any]) -> list[int]:
    """The most points, without straight flushes, that a card brings in a line, by the number of cards then in it."""
    ranks, suits = options["ranks"], options["suits"]
    several, pair, three, five = ranks >= 2, suits >= 2, suits >= 3, ranks >= 5
    needs = (False, pair, pair and several, three, three and several, suits >= 4, five, five)  # of what the deck has
    hands = [(scoring.SIZES[category], scoring.POINTS[category]) for category, can_be in enumerate(needs) if can_be]
    pairs = [(a + b - 1, p + q) for a, p in hands for b, q in hands] if options["line_hands"] == "two" else []
    longest = max(options["rows"], options["columns"])
    return [max((points for size, points in hands + pairs if size <= k), default=0) for k in range(longest + 1)]


def _straight_flushes(options: Mapping[str, Any]) -> int:
    """What straight flushes bring beyond flushes: any five cards make theirs only once."""
    if options["ranks"] < 5:
        return 0
    straight, royal = (
        scoring.POINTS[category] - scoring.POINTS[scoring.FLUSH]
        for category in (scoring.STRAIGHT_FLUSH, scoring.ROYAL_FLUSH)
    )
    return int(options["suits"] * ((options["ranks"] - 4) * straight + (options["ranks"] == scoring.RANKS) * royal))


def limits(s: Any) -> Limits:
    """Between what the numbers of a whole position lie: seats that there are, cards, and what is counted twice."""
    cells = s.rows * s.columns
    for seat in (s.turn, s.starter):
        yield seat, 0, s.seats - 1
    if s.phase == rules.ANSWER:
        yield from exactly(s.acting & 1 << s.turn, 0)
    else:
        yield from on_turn(s)
    yield s.picked, rules.NONE, rules.KINDS - 1 if s.phase == rules.CELL else rules.NONE
    yield s.cell, 0 if s.stacked else rules.NONE, cells - 1 if s.stacked else rules.NONE
    yield s.under, 0, rules.KINDS if s.stacked else 0
    yield s.due, 0, 0 if s.phase in {rules.CARD, rules.CELL, rules.STACK} else rules.KINDS
    for flag in (s.from_pile, s.late, s.extra, s.left):
        yield flag, 0, 1
    yield s.stacked, s.phase == rules.STACK, 0 if s.phase in {rules.CARD, rules.CELL} else s.used_x[0] + s.used_x[1]
    yield s.doubled, 0, s.stacked
    for numbers, limit in (
        (s.won, 2),
        (s.turns, 2),
        (s.forgot, rules.KINDS),
        (s.pile, rules.KINDS),
        (s.made, 32767),
        (s.hands, 0),
        (s.suspect, 2 * s.uncle_bob),
    ):
        yield from within(numbers, 0, limit)
    for k in range(rules.CELLS):
        yield s.board[k], 0, rules.KINDS if k < cells else 0
    for p in range(rules.SEATS):
        yield s.sneaked[p], -s.uncle_bob * (p < s.seats), (1 + s.choose_pile) * s.uncle_bob * (p < s.seats)
    yield from chosen(s, s.phase == rules.ANSWER, s.choice, 1)
    for hands in (s.hand, s.taken):
        yield from within(hands, 0, (1 << rules.REGULAR) - 1)
    yield from absent(s.seats, 0, s.hand, s.taken, s.hand_x, s.taken_x, s.score, s.won, s.turns, s.forgot, s.suspect)
    if s.phase not in {rules.DEAL, rules.LOT}:
        owed = sum(s.sneaked[p] > 0 and not s.suspect[p] for p in range(rules.SEATS))
        yield from exactly(s.pile[0] + s.pile[1] + owed, s.bag.bit_count() + s.bag_x[0] + s.bag_x[1] - s.blind)
    held, missing = row_sums(s.hand_x), row_sums(s.taken_x)
    for p in range(rules.SEATS):
        yield from exactly(s.held[p], s.hand[p].bit_count() + held[p])
        yield from exactly(s.missing[p], s.taken[p].bit_count() + missing[p])
