"""What a probe costs or gains: the same games with and without it, on the same cards, as a paired difference.

Restricted play (Jaffe et al., “Evaluating competitive game balance with restricted play”, 2012): one seat is bent, each
seat in turn, and everybody else plays as before.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.probe_lines import Clause, parsed
from hexdeck.engine.play.seating import POLICIES
from hexdeck.engine.text import Text, say
from hexdeck.lab.compare import surely
from hexdeck.lab.counts import borrowed, chunk_size, map_in_order, taken
from hexdeck.lab.kernels import APPLIED, CHANGED, LOG_FLAGS
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.simulation.seating import resolved_bot
from hexdeck.simulation.simulate import simulate
from hexdeck.stats import Estimate, PairedMoments, mean_share

LEAST, MOST, PART = 200, 2_000, 20  # pairs for a probe in a report: at least and at most, and the part of its games
Progress = Callable[[int], None]  # is told how many more games are done


@dataclass(frozen=True)
class Probe:
    """A way of playing: its name (that of a ready-made one, else none), what one does, its line, what the line says."""

    name: str
    doing: Text
    line: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class ProbeEffect:
    """What a probe does to the seat that plays so, in so many pairs of games.

    `gain`: the difference in utility; `place`: in its share of the place that decides.
    `changed`: the share of games in which it changed a choice of the bot; `applied` and `choices`: at how many choices
    in a game it ruled something out, and changed the bot's choice. `sure`: whether the gain is significant at 5 % for
    all probes together.
    """

    probe: Probe
    pairs: int
    gain: Estimate
    place: Estimate
    changed: Estimate
    applied: float
    choices: float
    sure: bool = False


# --- which probes -----------------------------------------------------------------------------------------------------
@functools.cache
def ready_made(game: GameSetup) -> tuple[Probe, ...]:
    """The probes that a game brings; those that name something which its options leave out can't be asked for."""
    return tuple(Probe(each.name, each.doing, each.line, parsed(each.line, game)) for each in game.hints.STUDY.probes)


def chosen(game: GameSetup, asked: Sequence[str]) -> list[Probe]:
    """The probes of these names or lines, each once, or all that are ready-made; raises BadOption."""
    known = {probe.name: probe for probe in ready_made(game)}
    if not asked and not known:
        text = say("{game} brings no probes; write one, such as {example}.", game=game.name,
                   example=f"--probe “{game.rules.ACTIONS[0]}”")  # fmt: skip
        raise BadOption(text)
    found = [known.get(each.strip()) or written(game, each.strip(), known) for each in asked or known]
    return [*{probe.line: probe for probe in found}.values()]


def written(game: GameSetup, line: str, known: Sequence[str] | dict[str, Probe]) -> Probe:
    """The probe of a line; raises BadOption, with the name of a ready-made probe that is near, if there is one."""
    near = difflib.get_close_matches(line, known, 1)
    try:
        return Probe("", say("“{line}”", line=line), line, parsed(line, game))
    except BadOption as error:
        if near:
            text = say("There is no probe {name} (did you mean {near}?); ready-made are {there}.", name=f"“{line}”",
                       near=near[0], there=", ".join(known))  # fmt: skip
            raise BadOption(text) from error
        raise


def check(setup: SimulationSetup) -> None:
    """Raise BadOption unless all bots can be bent, which those that play in compiled code can."""
    for name in setup.seated:
        if not can_be_bent(setup.game, name):
            text = say(
                "Probes bend the bots house, easy and random, which play in compiled code, not {name}.", name=name
            )
            raise BadOption(text)


def can_be_bent(game: GameSetup, name: str) -> bool:
    """Whether a bot plays in compiled code, where its choices can be forced."""
    return resolved_bot(game, name) in POLICIES


# --- what they do -----------------------------------------------------------------------------------------------------
def study_probes(
    setup: SimulationSetup, probes: Sequence[Probe], pairs: int, progress: Progress = lambda _done: None
) -> Iterator[ProbeEffect]:  # fmt: skip
    """The effect of each probe, one after another, on the same pairs; `sure` is said by `judged`, of all together."""
    check(setup)
    setup.check(pairs)
    game, seats = setup.game, np.arange(pairs) % setup.game.players
    whole = simulate(game, pairs, setup.bots, setup.seed, setup.threads, backend=setup.backend).returns
    progress(pairs)
    threads = setup.threads if setup.threads > 1 else 0
    idle = [Player(setup) for _ in range(setup.threads)]
    size = chunk_size(idle[0].bots.chunk, pairs)

    def play(probe: Probe, at: int) -> tuple[np.ndarray, np.ndarray]:
        with borrowed(idle) as player:
            return play_bent(player, probe.clauses, at, seats[at : at + size])

    for probe in probes:
        parts = []
        for part in map_in_order(functools.partial(play, probe), range(0, pairs, size), threads):
            parts.append(part)
            progress(len(part[0]))
        won, counts = (np.concatenate(each) for each in zip(*parts, strict=True))
        yield effect(probe, whole, won, counts, seats, int(one_loser(game)))


def probe_effects(setup: SimulationSetup, games: int) -> tuple[ProbeEffect, ...]:
    """The effects of a game's own probes, for a report on so many games; none where its bots can't be bent."""
    if not ready_made(setup.game) or not all(map(functools.partial(can_be_bent, setup.game), setup.seated)):
        return ()
    pairs = min(max(LEAST, games // PART), MOST, games)
    return tuple(judged([*study_probes(setup, ready_made(setup.game), pairs)]))


def effect(
    probe: Probe, whole: np.ndarray, won: np.ndarray, counts: np.ndarray, seats: np.ndarray, place: int
) -> ProbeEffect:
    """The effect of a probe on the bent seats, from results without it (`whole`) and with it, (games, seats) each."""
    at = np.arange(len(seats)), seats
    rows = np.stack([(won - whole)[at], (taken(won, place) - taken(whole, place))[at]], axis=1)
    moments = PairedMoments(2)
    moments.add(rows)
    return ProbeEffect(
        probe, len(seats), moments.difference(0), moments.difference(1, 1.0).within(-1, 1),
        mean_share((counts[:, 1] > 0).astype(float)), float(counts[:, 0].mean()),
        float(counts[:, 1].mean()),
    )  # fmt: skip


def judged(effects: Sequence[ProbeEffect]) -> list[ProbeEffect]:
    """The effects, with what is sure of all together."""
    sure = surely([each.gain for each in effects])
    return [replace(each, sure=found) for each, found in zip(effects, sure, strict=True)]


def play_bent(
    player: Player, clauses: Sequence[Clause], first: int, bent: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Play games numbered from `first` on, each with this seat bent: utilities, and what the clauses did.

    The latter is int64 (games, 2): at how many choices one ruled something out, and changed what the bot chose.
    """
    bend = bent.astype(np.int64), *arrays(clauses, len(player.game.rules.ACTIONS))
    won, did = [], []
    for log in player.logs(first, len(bent), bend):
        won.append(log.results)
        did.append(log.by_game((log.rows[:, LOG_FLAGS, None] & [APPLIED, CHANGED] != 0).astype(np.int64)))
    return np.concatenate(won), np.concatenate(did)


def arrays(clauses: Sequence[Clause], actions: int) -> tuple[np.ndarray, np.ndarray]:
    """Clauses as kernels take them: `terms` int64 (conditions, 6), `allowed` int8 (clauses, actions)."""
    allowed = np.zeros((len(clauses), actions), np.int8)
    terms = []
    for k, clause in enumerate(clauses):
        allowed[k, sorted(clause.allowed)] = 1
        terms += [(k, each.begin, each.end, each.low, each.high, each.holds) for each in clause.conditions]
    return np.array(terms, np.int64).reshape(-1, 6), allowed
