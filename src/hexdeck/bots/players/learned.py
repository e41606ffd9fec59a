"""Whether a net learned under the options that it is to play with."""

from __future__ import annotations

from typing import Any

from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.players.levels import data, measured_options
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say


def check_options(net: Net, game: GameSetup) -> None:
    """Raise BadOption when a net that knows its options learned with others than the game has.

    Options among the `net_options` of a game's levels may differ: its nets are known to bear them.
    """
    learned, bears = learned_options(net, game), data(game).get("net_options", ())
    differ = [
        each
        for each in game.rules.OPTIONS
        if each.name in learned and each.name not in bears and learned[each.name] != game.options[each.name]
    ]
    if differ:
        then = ", ".join(f"{each.name}={each.spell(learned[each.name])}" for each in differ)
        now = ", ".join(f"{each.name}={each.spell(game.options[each.name])}" for each in differ)
        text = _("This net learned with {then}, not with {now}; use another bot, such as house.")
        raise BadOption(say(text, then=then, now=now))


def learned_options(net: Net, game: GameSetup) -> dict[str, Any]:
    """The options that a net learned with; empty where its file doesn't say."""
    given = net.about.get("options")
    if given is None:
        return {}
    parsed = {each.name: each.parse(given[each.name]) for each in game.rules.OPTIONS if each.name in given}
    return measured_options(game) | parsed
