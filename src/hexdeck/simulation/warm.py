"""Ahead-of-time compilation of everything that playing and simulating a game uses."""

import time

from hexdeck.bots.advice.hints import adviser
from hexdeck.bots.nets.netfile import has_net
from hexdeck.bots.players.roster import KINDS, bot, bots_of
from hexdeck.engine.backends import library
from hexdeck.engine.play.game import mark_compiled, usual_backend
from hexdeck.simulation.game import game

GENERIC = ("hexdeck.engine.backends.kernels",), ("hexdeck.engine.backends.kernels_games",)  # what all games run by
OTHERS = (
    "hexdeck.bots.players.scripted",
    "hexdeck.engine.backends.kernels_batch",
    "hexdeck.bots.search.rollout",
    "hexdeck.bots.search.tree",
    "hexdeck.bots.nets.inference",
)
SHORT = {
    "rollout": "rollout:2",
    "search": "search:20",
    "think": "think:2",
}  # as short as possible: it is only to compile


def warm(name: str) -> float:
    """Compile a game for its usual backend, by using it; returns the seconds it took."""
    began = time.perf_counter()
    chosen = game(name)
    used = usual_backend(chosen.definition)
    if used == "fast":
        library.load_together([chosen.definition.owners, *GENERIC, *((module,) for module in OTHERS)])
    chosen.simulate(2, ["house"] + ["random"] * (chosen.players - 1), seed=1)
    low, high = chosen.rules.PLAYERS
    for played in [sized for players in range(low, high + 1) if has_net(sized := game(name, players))][:1]:
        played.simulate(2, "net", seed=1, backend=used)
        played.batch(1, backend=used, bots=[None, *["net"] * (played.players - 1)]).close()
        trial = played.match(seed=1, backend=used)
        bot("net", played, 1, used).choose(trial.concealed(trial.actor), trial.actor)
    match = chosen.match(seed=1, backend=used)
    seat = match.actor
    for kind in set(bots_of(chosen)) & set(KINDS):
        bot(SHORT.get(kind, kind), chosen, 1, used).choose(match.concealed(seat), seat)
    adviser(chosen, 1, used, 20).choose(match.concealed(seat), seat)
    match.key(seat), match.observation(seat), match.resample(seat, 1), match.chances()
    match.play(seat, match.legal_ids(seat)[0])
    match.go(0)
    match.go(match.length)
    match.view(seat)
    with chosen.batch(2, backend=used) as batch:
        batch.step(batch.random())
    if chosen.driver(used).compiled:
        mark_compiled(chosen.definition)
    return time.perf_counter() - began
