"""People who want to play together: which game, how many of them, and with what terms."""

from random import Random
from typing import TYPE_CHECKING, Any

import hexdeck
from hexdeck.tables.entries import CLOCKS
from tests.evenings.people import Guest, Host, Person, Program, Spectator, Television
from tests.settings import GAMES, data

if TYPE_CHECKING:
    from tests.evenings.world import World


class Party:
    """A table to be: its game, its seats, and who comes."""

    def __init__(self, world: "World", number: int) -> None:
        rng = Random(f"{world.seed} party {number}")
        self.table, self.code, self.invitations = "", "", list[str]()
        self.game = rng.choice(GAMES)
        low, _ = hexdeck.game(self.game).rules.PLAYERS
        players = max(low, rng.choice([2, 3, 3, 4]))
        chairs = ["you", *(rng.choice(["open", "open", "bot:steady"]) for _ in range(players - 1))]
        self.clock = rng.choice([*CLOCKS, "none", "none"])
        small = {f"option-{name}": value for name, value in data(self.game).get("small", {}).items()}
        self.form: dict[str, Any] = {
            "game": self.game,
            "players": players,
            "clock": self.clock,
            "hold": rng.choice(["", "", "yes"]),
            **{f"seat-{number}": chair for number, chair in enumerate(chairs)},
            **as_typed(small),
        }
        if rng.random() < 0.3:
            self.form["screen"] = "another"
        self.open = chairs.count("open")
        self.host = Host(world, f"Host {number}", self)
        self.guests: list[Guest] = [self.host]
        for k in range(self.open):
            kind = Program if rng.random() < 0.25 else Person
            self.guests.append(kind(world, f"{kind.__name__} {number}.{k}", self))
        for looker in (Spectator, Television):
            if rng.random() < 0.3:
                self.guests.append(looker(world, f"{looker.__name__} {number}", self))

    @property
    def has_open_seats(self) -> bool:
        return self.open > 0


def as_typed(options: dict[str, Any]) -> dict[str, Any]:
    return {name: ("yes" if value else "no") if isinstance(value, bool) else value for name, value in options.items()}
