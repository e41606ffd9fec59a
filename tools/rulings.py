"""`python tools/rulings.py GAME [--players N] [--games N] [--seed N]`: how much every ruling of a game matters.

Each rule that can be read or played another way is measured on pairs of games, and stored in `rulings.json` of the
game's folder, by number of players: the command that measured it, and a row for each other value of an option that
stands for a rule. `tools/specs.py` writes them into the game's page of the documentation.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import hexdeck
from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.discovery.definition import GameDefinition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import Choice, Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.effects import SEATS, OptionTrial, Sweeper, readings
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.pairs import STARTER, Effect
from hexdeck.lab.reporting import wording
from hexdeck.stats import Estimate

FILE = "rulings.json"


@dataclass(frozen=True)
class RulingEffect:
    """The effect of another reading of a rule, in `pairs` of games that differ in nothing else.

    Estimates as (value, low, high): `differs`, the share of games that go differently; `result`, of those in which a
    seat's result differs; `place`, of those with another winner (or loser); `gain`, the change of the share of first
    (or last) place of `who`, the seat whose share changes most (STARTER: the starter), with an interval simultaneous
    for all; `decisions`, the change of the number of decisions. `sure`: whether the gain is significant, tested for all
    readings together. `last`: whether last place decides. `beside`: the option, as `key=value`, that both games of a
    pair need for this reading. The fields are the keys of the stored rows.
    """

    rule: str
    option: str
    value: str
    pairs: int
    differs: tuple[float, float, float]
    result: tuple[float, float, float]
    place: tuple[float, float, float]
    gain: tuple[float, float, float]
    decisions: tuple[float, float, float]
    who: int
    last: bool
    sure: bool
    beside: str = ""

    def estimate(self, what: str) -> Estimate:
        """One of the estimates, by its field."""
        value, low, high = getattr(self, what)
        return Estimate(value, low, high, self.pairs)


def value_text(definition: GameDefinition, option: Option, value: str) -> Text:
    """A value of an option in words."""
    if isinstance(option, Choice):
        named: Text = definition.table.WORDS[value]
        return named
    return say("switched on") if value == "on" else say("switched off")


# --- the file -------------------------------------------------------------------------------------------------------
def file_of(definition: GameDefinition) -> Path:
    """The file that holds a game's ledger."""
    return definition.folder / FILE


@functools.cache
def stored(definition: GameDefinition) -> dict[str, Any]:
    """What a game's file holds, by number of players; empty where there is no file."""
    path = file_of(definition)
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return loaded


def effects(definition: GameDefinition, players: int | None = None) -> list[RulingEffect]:
    """The stored effects for so many players; without a number, for the first in the file."""
    there = stored(definition)
    key = str(players) if players is not None else next(iter(there), "")
    return [from_row(row) for row in there.get(key, {}).get("rulings", [])]


def from_row(row: dict[str, Any]) -> RulingEffect:
    """An effect from its stored row."""
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return RulingEffect(**fields)


def measured(game: GameSetup, pairs: int, seed: int) -> list[RulingEffect]:
    """The effect of each other reading, on so many pairs of games; those that can't be played are left out."""
    asked = readings(game)
    sweeper = Sweeper(SimulationSetup(game, "house", seed), pairs, 0)
    out = []
    for option, value in asked:
        trial = OptionTrial(option, option.read(value))
        (effect,) = sweeper.sweep([trial], len(asked))
        if isinstance(effect, Effect):
            effect = beside_another(sweeper, trial, effect, len(asked)) or effect
            out.append(ruling_effect(option, value, effect, int(one_loser(game))))
        print(effect.change, file=sys.stderr)
    return out


def beside_another(sweeper: Sweeper, trial: OptionTrial, effect: Effect, tests: int) -> Effect | None:
    """The effect of a reading beside another option, or None if there is none.

    One that changes nothing alone is tried beside another reading of its rule; one that changes no result, in the match
    that tables play.
    """
    game, shifts = sweeper.setup.game, effect.shifts
    others: dict[str, Any] = {
        option.name: value
        for option, value in readings(game)
        if option.rule == trial.option.rule and option != trial.option
    }
    measure = "differs"
    if shifts[measure].difference.value:
        measure, others = "result_differs", dict(game.definition.table.PRESETS[0].options)
    for name, value in others.items() if not shifts[measure].difference.value else ():
        setup = replace(sweeper.setup, game=game.variant(None, **{name: value}))
        other = Sweeper(setup, sweeper.pairs, 0).measure(trial, tests, lambda _done: None)
        if other.shifts[measure].difference.value:
            return replace(other, beside=f"{name}={value}")
    return None


def ruling_effect(option: Option, value: str, effect: Effect, place: int) -> RulingEffect:
    """An effect of a sweep as it is stored."""

    def ends(name: str) -> tuple[float, float, float]:
        found = effect.shifts[name].difference
        return found.value, found.low, found.high

    return RulingEffect(
        option.rule,
        option.name,
        value,
        effect.pairs,
        ends("differs"),
        ends("result_differs"),
        ends("place_differs"),
        ends(SEATS),
        ends("decisions"),
        effect.who,
        bool(place),
        effect.sure,
        effect.beside,
    )


def store(definition: GameDefinition, players: int, command: str, found: list[RulingEffect]) -> None:
    """Write effects into the game's file, in place of those for as many players."""
    there = {**stored(definition), str(players): {"command": command, "rulings": [row_of(effect) for effect in found]}}
    parts = []
    for key, part in there.items():
        lines = ",\n   ".join(json.dumps(row) for row in part["rulings"])
        about = json.dumps(part["command"])
        parts.append(f' {json.dumps(key)}: {{\n  "command": {about},\n  "rulings": [\n   {lines}\n  ]\n }}')
    file_of(definition).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    stored.cache_clear()


def row_of(effect: RulingEffect) -> dict[str, Any]:
    """The row to store for an effect, rounded to five digits."""
    fields = {key: value for key, value in asdict(effect).items() if key != "beside" or value}
    return {key: [round(x, 5) for x in value] if isinstance(value, tuple) else value for key, value in fields.items()}


# --- in words -----------------------------------------------------------------------------------------------------
def chapter(name: str) -> str:
    """The chapter on the effects of rulings, as Markdown; empty where nothing was measured."""
    usual = GameSetup.named(name)
    definition, catalogue = usual.definition, game_words(usual.name, "en")
    found = effects(definition)
    if not found:
        return ""
    players = next(iter(stored(definition)))
    head = catalogue.words(say("How much each ruling matters"))
    about = catalogue.words(
        say(
            "Measured with {players} house bots, on {pairs} pairs of games with the same cards and the default "
            "options, not those of tables, by `{command}`. Each line changes one option of the game.",
            players=players,
            pairs=min(each.pairs for each in found),
            command=stored(definition)[players]["command"],
        )
    )
    measured = {(each.option, each.value): each for each in found}
    lines = [
        f"- {catalogue.words(ruling_text(usual, option, value, measured.get((option.name, value))))} [{option.rule}]"
        for option, value in readings(usual)
    ]
    return f"## {head}\n\n{about}\n\n" + "\n".join(lines)


def ruling_text(game: GameSetup, option: Option, value: str, effect: RulingEffect | None) -> Text:
    """One ruling in a sentence or two: the other reading, the usual one, and the effect or why it wasn't measured."""
    other, default = (value_text(game.definition, option, each) for each in (value, default_value(option)))
    key = _("{about}: {value} (`{option}`); usually: {usual}. {weight}")
    return say(
        key,
        about=option.about,
        value=other,
        usual=default,
        option=f"{option.name}={value}",
        weight=effect_text(effect) if effect else why_unmeasured(game, option, value),
    )


def default_value(option: Option) -> str:
    """The default of an option, as it is typed."""
    return str(option.default) if isinstance(option, Choice) else "on" if option.default else "off"


def why_unmeasured(game: GameSetup, option: Option, value: str) -> Text:
    """Why a reading wasn't measured by itself."""
    try:
        game.variant(next(iter(map(int, stored(game.definition))), None)).variant(None, **{option.name: value})
    except BadOption as error:
        return say("Not measured by itself: {why}", why=error.text)
    return say("Not measured yet.")


def effect_text(effect: RulingEffect) -> Text:
    """An effect in words."""
    if effect.beside:
        text = _("It only matters together with `{option}`, so both games of a pair have that. {weight}")
        return say(text, option=effect.beside, weight=effect_text(replace(effect, beside="")))
    differs = effect.estimate("differs")
    if not differs.value:
        return say(
            "It never mattered: at most {share} % of games go differently.", share=wording.number(100 * differs.high, 2)
        )
    texts = (
        _(
            "Games that go differently: {differs}; with a different result for somebody: {result}; with a "
            "different winner: {place}; {decisions}; {gain}."
        ),
        _(
            "Games that go differently: {differs}; with a different result for somebody: {result}; with a "
            "different loser: {place}; {decisions}; {gain}."
        ),
    )
    names = "differs", "result", "place"
    shares = {what: wording.percent(effect.estimate(what)).replace(" %", "\u00a0%") for what in names}
    return say(texts[effect.last], **shares, decisions=length_text(effect), gain=gain_text(effect))


def length_text(effect: RulingEffect) -> Text:
    """The change of the number of decisions in words."""
    more = effect.estimate("decisions")
    if not more.value:
        return say("just as many decisions")
    if more.low <= 0 <= more.high:
        return say(
            "just as many decisions, to within ±{margin}",
            margin=wording.number(more.margin, wording.digits_for(more.margin)),
        )
    key = _("{number} decisions more") if more.value > 0 else _("{number} decisions fewer")
    return say(key, number=wording.plain(wording.absolute(more)))


def gain_text(effect: RulingEffect) -> Text:
    """Whom a ruling favours, if anybody, in words."""
    gain = effect.estimate("gain")
    if not effect.sure:
        most = 100 * max(abs(gain.low), abs(gain.high))
        key = (
            _("nobody's share of losses changes by more than {points} percentage points")
            if effect.last
            else _("nobody's share of first places changes by more than {points} percentage points")
        )
        return say(key, points=wording.number(most, wording.digits_for(most)))
    who = say("who starts") if effect.who == STARTER else say("seat {number}", number=effect.who + 1)
    return say(GAINS[effect.last, gain.value > 0], who=who, points=wording.points(gain))


GAINS = {
    (False, True): _("{who} comes first more often, by {points} percentage points"),
    (False, False): _("{who} comes first less often, by {points} percentage points"),
    (True, True): _("{who} loses more often, by {points} percentage points"),
    (True, False): _("{who} loses less often, by {points} percentage points"),
}


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    game = hexdeck.game(given.game, given.players)
    command = f"python tools/rulings.py {game.name} --players {game.players} --games {given.games} --seed {given.seed}"
    store(game.definition, game.players, command, measured(game, given.games, given.seed))


if __name__ == "__main__":
    main()
