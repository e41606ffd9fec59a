"""The page of probes."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.measure import Measure
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, Text, _, say
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.probes import ProbeEffect
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.measures import Section
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.page import made_with, rendered, table_context
from hexdeck.lab.reporting.report import measure_of, part_of
from hexdeck.lab.reporting.tables import PROBES
from hexdeck.lab.reporting.words import bots_text

AGAINST = _("A probe says what a way of playing brings against these bots; against people it may bring something else.")


@dataclass(frozen=True)
class Probed:
    """What was tried: the game with its bots and seed, how many pairs of games, and what each probe does."""

    setup: SimulationSetup
    pairs: int
    effects: tuple[ProbeEffect, ...]
    interrupted: bool = False

    @property
    def game(self) -> GameSetup:
        """The game."""
        return self.setup.game

    @property
    def measure(self) -> Measure:
        """The unit in which people read its results."""
        return measure_of(self.game)

    @property
    def intro(self) -> list[Text]:
        """What was played."""
        lines = [
            say("{players} players; each probe on {pairs} pairs of games between bots ({bots}), seed {seed}.",
                players=self.game.players, pairs=numbers.count(self.pairs), bots=bots_text(self.setup.seated),
                seed=str(self.setup.seed)),
        ]  # fmt: skip
        options = changed_options(self.game)
        return [*lines, *([say("Options: {options}.", options=", ".join(options))] if options else [])]


def sentences(found: Probed) -> list[Text]:
    """A sentence for each probe."""
    said = [sentence(each, found.measure) for each in found.effects]
    return [numbers.INTERRUPTED, *said] if found.interrupted else said


def sentence(effect: ProbeEffect, unit: Measure) -> Text:
    """What a probe brings, in a sentence."""
    doing = effect.probe.doing
    if not effect.applied:
        return say("{doing} never came up.", doing=doing)
    if not effect.choices:
        return say("{doing} changes nothing: the bot plays so already.", doing=doing)
    if not effect.sure:
        return say("{doing} makes no sure difference: {gap}.", doing=doing, gap=numbers.gap_signed(effect.gain, unit))
    text = _("{doing} gains {gap}.") if effect.gain.value > 0 else _("{doing} costs {gap}.")
    return say(text, doing=doing, gap=numbers.gap(effect.gain, unit))


def tables(found: Probed) -> list[Section]:
    """The table, if anything was found."""
    return [*PROBES.sections(part_of(found.setup, probes=found.effects))]


def probe_page(found: Probed, command: str, catalogue: Catalogue) -> str:
    """The page in a catalogue's language; `command` makes it again."""
    words, game = catalogue.words, found.game
    part = {
        "players": game.players, "title": words(say("{players} players", players=game.players)),
        "tables": [table_context(each, catalogue) for each in tables(found)], "command": "",
    }  # fmt: skip
    return rendered(
        catalogue, title=words(say("Probes: {title}", title=game.table.TITLE)),
        intro=[words(line) for line in (game.table.ABOUT.text, *found.intro)], heading=words(say("Findings")),
        findings=[words(each) for each in sentences(found)], nothing="", heading_parts="", parts=[part],
        closing=[words(say(AGAINST)), words(made_with(command)), words(game.table.ABOUT.credit)],
    )  # fmt: skip
