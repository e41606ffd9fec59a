"""Plans of training: what to train and how, as it is stored with a run."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Any

from hexdeck.bots.nets.netfile import KINDS, POLICY, UNIT, layout
from hexdeck.bots.players.spoken_names import kept, spoken
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, _, say
from hexdeck.research.training.collect import GENTLE, HOUSE, RANDOM, SEARCH
from hexdeck.research.training.kept_state import is_amount, is_count

OPPONENTS = {"random": RANDOM, "house": HOUSE, "gentle": GENTLE, "search": SEARCH}
OPPONENT = re.compile(r"gentle|house|random|search(?::([1-9][0-9]{0,5}|1000000))?")
SIMULATIONS = 1000  # of a search, by default


@dataclass(frozen=True)
class Plan:
    """What to train and how. One of `steps` and `minutes` ends it; only steps give the same net again.

    A policy net plays itself, held near to a magnet: itself as it was a while ago (magnetic mirror descent: Sokota and
    others 2023). `opponents`: bots that sit on others' seats in `opponent_share` of the games, of `OPPONENTS`.
    """

    game: str
    players: tuple[int, ...]
    options: dict[str, Any]
    seed: int = 1
    steps: int = 0
    minutes: float = 0.0
    hidden: tuple[int, int] = (64, 64)  # neurons in the hidden layers
    batch: int = 16384  # decisions that a step learns from
    checkpoint_every: int = 50  # steps
    learning_rate: float = 2e-3  # at first; it falls to a tenth
    entropy: float = 0.1  # bonus coefficient at first
    entropy_floor: float = 0.02  # to which it falls: by the same part in each step
    magnet: float = 0.1  # weight of the KL divergence from the magnet
    magnet_every: int = 40  # steps after which the net becomes its own magnet again
    opponents: tuple[str, ...] = ()
    opponent_share: float = 0.5
    epochs: int = 2  # passes through each batch
    minibatch: int = 512  # decisions
    gae_lambda: float = 0.95  # of the advantages
    kind: str = POLICY  # of net, see `netfile.KINDS`
    imitate: str = ""  # the search whose choices are learned
    temperature: float = 0.1  # of play that value nets learn from, at first, in normalised utility; it falls to a 20th
    ema_decay: float = 0.99  # of the average of weights over steps, which is what checkpoints keep

    def layout(self) -> str:
        """A hash of what the inputs and outputs of the nets mean."""
        return layout(definition(self.game).rules)


def is_sound(plan: Plan) -> bool:
    """Whether a plan that was read from a file has what it must: numbers that can be learned by, and known names."""
    counts = plan.batch, plan.checkpoint_every, plan.magnet_every, plan.minibatch, plan.epochs
    parts = plan.opponent_share, plan.gae_lambda, plan.ema_decay
    amounts = plan.minutes, plan.learning_rate, plan.entropy, plan.entropy_floor, plan.magnet, plan.temperature
    names: tuple[Any, ...] = plan.game, plan.kind, plan.imitate, *plan.opponents
    seed: Any = plan.seed
    options: Any = plan.options
    hidden: Any = plan.hidden
    whole = (*plan.players, *plan.hidden, *counts, plan.steps)
    return (
        all(isinstance(name, str) for name in names) and plan.kind in KINDS and isinstance(options, dict)
        and type(seed) is int and seed >= 0 and all(map(is_count, whole)) and all(map(is_amount, (*parts, *amounts)))
        and min(counts) > 0 and max(parts) <= 1 and bool(plan.steps or plan.minutes) and len(plan.players) > 0
        and len(hidden) == 2 and min(hidden) > 0 and not any(each % UNIT for each in hidden)
    )  # fmt: skip


def no_opponent(name: str) -> Text:
    """The error text for a bot that can't be an opponent in training: the nearest name, and all that can."""
    near = [] if ":" in name else difflib.get_close_matches(name, map(spoken, OPPONENTS), 1)
    text = _("{name} can't be an opponent in training; {there} can.")
    if near:
        text = _("{name} can't be an opponent in training (did you mean {near}?); {there} can.")
    return say(text, name=name, near="".join(near), there="easy, house, random, search:100")


def opponent_codes(names: tuple[str, ...]) -> tuple[list[int], int]:
    """The codes of opponents in a lineup, and how many simulations a search makes.

    Raises BadOption for a bot that can't be an opponent in training.
    """
    codes, budgets = [], set()
    for name in map(kept, names):
        given = OPPONENT.fullmatch(name)
        if given is None:
            raise BadOption(no_opponent(spoken(name)))
        codes.append(OPPONENTS[name.partition(":")[0]])
        if name.startswith("search"):
            budgets.add(int(given[1] or SIMULATIONS))
    if len(budgets) > 1:
        these = ", ".join(f"search:{budget}" for budget in sorted(budgets))
        raise BadOption(say("All searches among the opponents must be the same; name one of {these}.", these=these))
    return codes, max(budgets, default=SIMULATIONS)
