"""Kernels that value and improve policies in the trees of `kernels_grow`: plain functions, interpreted or compiled."""

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.random import below
from hexdeck.research.exact.kernels_grow import OVER

UNIT = 1 << 30  # a random number below it says which choice is taken

ENTRIES = ("weigh_policy", "respond", "improve", "measure_subtrees", "sample")  # what Python calls
TYPES = {
    "actors": "int8[::1]",
    "average": "float64[::1]",
    "best": "int32[::1]",
    "deep": "int32[::1]",
    "edges": "int16[::1]",
    "ends": "float64[:, ::1]",
    "gains": "float64[::1]",
    "own": "float64[::1]",
    "order": "int32[::1]",
    "owners": "int32[::1]",
    "parents": "int32[::1]",
    "parts": "float64[::1]",
    "path": "int32[:, ::1]",
    "policy": "float64[::1]",
    "reach": "float64[::1]",
    "regrets": "float64[::1]",
    "seats": "int8[::1]",
    "sizes": "int32[::1]",
    "slots": "int32[::1]",
    "values": "float64[::1]",
    "weight": "float64",
    "worth": "float64[:, ::1]",
}


# --- values -----------------------------------------------------------------------------------------------------------
def probability(n, parents, actors, edges, parts, owners, slots, policy):
    """The probability that a node's parent leads to it."""
    parent = parents[n]
    if actors[parent] == CHANCE:
        return parts[n]
    return policy[slots[owners[parent]] + edges[n]]


def weigh_policy(parents, actors, edges, parts, owners, ends, slots, policy, values, seat):
    """What a seat gets when all play by a policy; `values`: a number for each node, written."""
    for n in range(parents.shape[0]):
        values[n] = ends[owners[n], seat] if actors[n] == OVER else 0.0
    for n in range(parents.shape[0] - 1, 0, -1):
        values[parents[n]] += values[n] * probability(n, parents, actors, edges, parts, owners, slots, policy)
    return values[0]


def reach_by_others(parents, actors, edges, parts, owners, slots, policy, reach, seat):
    """How likely all but one seat, and chance, let it come to each node."""
    reach[0] = 1.0
    for n in range(1, parents.shape[0]):
        reach[n] = reach[parents[n]]
        if actors[parents[n]] != seat:
            reach[n] *= probability(n, parents, actors, edges, parts, owners, slots, policy)


def respond(
    parents, actors, edges, parts, owners, ends, slots, policy, gains, best, reach, values, deep, order, sizes, seat
):
    """What a seat gets by its best response, while all others play by a policy.

    Nodes are taken by how many choices of its own the seat has made, the most first: it remembers them, so that all
    nodes of an information set come together. `gains`: for each choice what it brings, weighed by how likely others
    and chance let it come to that; `best`: the choice of each information set, the first of equal ones; the rest is
    for working: numbers for each node, and `sizes` for each number of choices.
    """
    level = by_own_choices(parents, actors, deep, order, sizes, seat)
    reach_by_others(parents, actors, edges, parts, owners, slots, policy, reach, seat)
    for slot in range(gains.shape[0]):
        gains[slot] = 0.0
    for n in range(parents.shape[0]):
        values[n] = ends[owners[n], seat] if actors[n] == OVER else 0.0
    end = later = parents.shape[0]
    while level >= 0:
        first = end - sizes[level]
        choose_best(actors, owners, slots, gains, best, order, seat, first, end)
        for k in range(end, later):  # what was chosen is what these choices are worth
            n = order[k]
            if actors[parents[n]] == seat and edges[n] == best[owners[parents[n]]]:
                values[parents[n]] = values[n]
        for k in range(end - 1, first - 1, -1):
            pass_up(order[k], parents, actors, edges, parts, owners, slots, policy, gains, reach, values, seat)
        end, later, level = first, end, level - 1
    return values[0]


def choose_best(actors, owners, slots, gains, best, order, seat, first, end):
    """The choice that brings most in each information set of a seat among some nodes."""
    for k in range(first, end):
        if actors[order[k]] == seat:
            number = owners[order[k]]
            begin = slots[number]
            best[number] = 0
            for slot in range(begin, slots[number + 1]):
                if gains[slot] > gains[begin + best[number]]:
                    best[number] = slot - begin


def pass_up(n, parents, actors, edges, parts, owners, slots, policy, gains, reach, values, seat):
    """Add what a node is worth to its parent, or to the choice of a seat's own that leads to it."""
    if n > 0:
        parent = parents[n]
        if actors[parent] == seat:
            gains[slots[owners[parent]] + edges[n]] += reach[n] * values[n]
        else:
            values[parent] += values[n] * probability(n, parents, actors, edges, parts, owners, slots, policy)


def by_own_choices(parents, actors, deep, order, sizes, seat):
    """Sort the nodes by how many choices of its own the seat has made, `sizes` of each number; returns the most."""
    most, first = 0, 0
    for k in range(sizes.shape[0]):
        sizes[k] = 0
    for n in range(parents.shape[0]):
        deep[n] = 0 if n == 0 else deep[parents[n]] + (actors[parents[n]] == seat)
        sizes[deep[n]] += 1
        most = max(most, deep[n])
    for k in range(most + 1):  # where each begins, while the nodes are put there
        size = sizes[k]
        sizes[k] = first
        first += size
    for n in range(parents.shape[0]):
        order[sizes[deep[n]]] = n
        sizes[deep[n]] += 1
    for k in range(most, 0, -1):
        sizes[k] -= sizes[k - 1]
    return most


# --- learning ---------------------------------------------------------------------------------------------------------
def improve(
    parents,
    actors,
    edges,
    parts,
    owners,
    ends,
    seats,
    slots,
    policy,
    regrets,
    average,
    gains,
    own,
    reach,
    values,
    weight,
    seat,
):
    """One step of CFR+ for a seat (Tammelin 2014): regrets that never fall below 0, averages that count later more.

    `own`: for each information set how likely its seat lets it come to that. `weight`: of this step in the average.
    """
    reach_by_others(parents, actors, edges, parts, owners, slots, policy, reach, seat)
    for slot in range(gains.shape[0]):
        gains[slot] = 0.0
    for n in range(parents.shape[0]):
        values[n] = ends[owners[n], seat] if actors[n] == OVER else 0.0
    for n in range(parents.shape[0] - 1, 0, -1):
        parent, part = parents[n], probability(n, parents, actors, edges, parts, owners, slots, policy)
        values[parent] += values[n] * part
        if actors[parent] == seat:
            gains[slots[owners[parent]] + edges[n]] += reach[n] * values[n]
    reach_by_oneself(parents, actors, edges, owners, slots, policy, own, values, seat)
    for number in range(seats.shape[0]):
        if seats[number] == seat:
            regret(slots[number], slots[number + 1], policy, regrets, average, gains, weight * own[number])


def reach_by_oneself(parents, actors, edges, owners, slots, policy, own, values, seat):
    """How likely a seat itself lets it come to each of its information sets."""
    values[0] = 1.0
    for n in range(parents.shape[0]):
        if n > 0:
            parent = parents[n]
            values[n] = values[parent]
            if actors[parent] == seat:
                values[n] *= policy[slots[owners[parent]] + edges[n]]
        if actors[n] == seat:
            own[owners[n]] = values[n]


def regret(first, end, policy, regrets, average, gains, weight):
    """Add what an information set regrets, and its policy to the average; then its policy follows its regrets."""
    usual, total = 0.0, 0.0
    for slot in range(first, end):
        usual += policy[slot] * gains[slot]
    for slot in range(first, end):
        average[slot] += weight * policy[slot]
        regrets[slot] = max(0.0, regrets[slot] + gains[slot] - usual)
        total += regrets[slot]
    for slot in range(first, end):
        policy[slot] = regrets[slot] / total if total > 0 else 1.0 / (end - first)


# --- sampling ---------------------------------------------------------------------------------------------------------
def measure_subtrees(parents, sizes):
    """Write how many nodes each subtree has."""
    for n in range(parents.shape[0]):
        sizes[n] = 1
    for n in range(parents.shape[0] - 1, 0, -1):
        sizes[parents[n]] += sizes[n]


def sample(
    parents, actors, edges, parts, owners, ends, slots, policy, regrets, average, sizes, path, worth, rng, seat, times
):
    """External sampling for a seat, so many times (Lanctot et al. 2009, with averages where others act).

    All choices of the seat are tried, one of everybody else's and of chance's. `path`: the node of each level, the
    child that is tried, and which it is; `worth`: what the choices on each level bring; both are for working.
    """
    for _ in range(times):
        d, going_down, value = 0, True, 0.0
        path[0, 0] = 0
        while d >= 0:
            n = path[d, 0]
            if going_down:
                if actors[n] == OVER:
                    value, going_down, d = ends[owners[n], seat], False, d - 1
                else:
                    path[d, 1], path[d, 2] = n + 1, 0
                    if actors[n] >= 0:
                        follow_regrets(slots[owners[n]], slots[owners[n] + 1], policy, regrets)
                    if actors[n] != seat:
                        path[d, 1] = drawn(n, parents, actors, edges, parts, owners, slots, policy, average, sizes, rng)
                    path[d + 1, 0], d = path[d, 1], d + 1
            elif actors[n] == seat:
                k = path[d, 2]
                worth[d, k] = value
                if k + 1 < slots[owners[n] + 1] - slots[owners[n]]:
                    path[d, 1], path[d, 2] = path[d, 1] + sizes[path[d, 1]], k + 1
                    path[d + 1, 0], d, going_down = path[d, 1], d + 1, True
                else:
                    value = regret_sampled(slots[owners[n]], slots[owners[n] + 1], policy, regrets, worth, d)
                    d -= 1
            else:
                d -= 1


def follow_regrets(first, end, policy, regrets):
    """The policy of an information set in proportion to its positive regrets."""
    total = 0.0
    for slot in range(first, end):
        total += max(0.0, regrets[slot])
    for slot in range(first, end):
        policy[slot] = max(0.0, regrets[slot]) / total if total > 0 else 1.0 / (end - first)


def drawn(n, parents, actors, edges, parts, owners, slots, policy, average, sizes, rng):
    """A child of a node, drawn by its probability; the policy of whoever acts is added to its average."""
    if actors[n] >= 0:
        for slot in range(slots[owners[n]], slots[owners[n] + 1]):
            average[slot] += policy[slot]
    remaining = (below(rng, UNIT) + 0.5) / UNIT
    child, end = n + 1, n + sizes[n]
    remaining -= probability(child, parents, actors, edges, parts, owners, slots, policy)
    while remaining > 0 and child + sizes[child] < end:
        child += sizes[child]
        remaining -= probability(child, parents, actors, edges, parts, owners, slots, policy)
    return child


def regret_sampled(first, end, policy, regrets, worth, d):
    """Add what an information set regrets, given what its choices were worth; returns what it was worth."""
    value = 0.0
    for slot in range(first, end):
        value += policy[slot] * worth[d, slot - first]
    for slot in range(first, end):
        regrets[slot] += worth[d, slot - first] - value
    return value
