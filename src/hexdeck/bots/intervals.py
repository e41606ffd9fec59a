"""95 % intervals of means over deals: Student's t, and never of width 0."""

from __future__ import annotations

NORMAL = 1.96  # standard errors, where deals are many
STUDENT = (float("inf"), 12.706, 4.303, 3.182)  # by degrees of freedom: the series below is too rough for these
SHARES = ("first", "last", "ahead")  # columns of a contest that can't leave 0 to 1


def student(freedom: int) -> float:
    """Half the 95 % interval in standard errors, by Student's t (Cornish and Fisher's series)."""
    if freedom < len(STUDENT):
        return STUDENT[freedom]
    z, n = NORMAL, freedom
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + float(sum(term / float(n) ** (k + 1) for k, term in enumerate(terms)))


def margin(column: str, mean: float, half: float, deals: int) -> float:
    """Half the 95 % interval of a column's mean over `deals`; `half`: 1.96 standard errors, as contests are kept.

    Where all deals were alike, the opposite may still come in 3 of so many deals (the rule of three); where nothing was
    won or lost in any, a whole match, chip or point.
    """
    if deals < 2:
        return float("inf")
    if half:
        return half * student(deals - 1) / NORMAL
    return min(1.0, 3 / deals) * (1.0 if column in SHARES else 2 * abs(mean) or 1.0)


def share_ends(mean: float, half: float, deals: int) -> tuple[float, float]:
    """The ends of the 95 % interval of a share, from 0 to 1, of so many deals; `half` as in `margin`.

    Wilson's interval with Student's quantile, for as many independent hits and misses as vary as much as the deals do;
    where all deals were alike, the rule of three.
    """
    if deals < 2:
        return 0.0, 1.0
    error = half / NORMAL
    if not error:
        off = min(1.0, 3 / deals)
        return max(0.0, mean - off), min(1.0, mean + off)
    z, hits = student(deals - 1), max(mean * (1 - mean) / error**2, 1.0)
    middle = (mean + z * z / (2 * hits)) / (1 + z * z / hits)
    width = z / (1 + z * z / hits) * (mean * (1 - mean) / hits + z * z / (4 * hits * hits)) ** 0.5
    return max(0.0, middle - width), min(1.0, middle + width)
