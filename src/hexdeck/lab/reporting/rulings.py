"""The ledger of rulings: every rule that can be read or played another way, and what that was measured to weigh.

It is kept in `rulings.json` of a game's folder, by number of players: the command that measured it, and a row for each
other value of an option that stands for a rule. Nothing here needs more than the package itself.
"""

from __future__ import annotations

import functools
import json
import os
from dataclasses import asdict, dataclass, replace
from typing import Any

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.definition import definition, measured_with
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.discovery.rulebook import rules_with_tables
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import Choice, Option, Switch
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.counting.stats import Estimate
from hexdeck.lab.reporting import number_format as words
from hexdeck.simulation.game import game

FILE = "rulings.json"
STARTER = -1


@dataclass(frozen=True)
class Weight:
    """What one other reading of a rule does, in `pairs` of games that differ in nothing else.

    Estimates as (value, low, high): `differs`, the share of games that go differently; `result`, of those in which
    somebody's result is another; `place`, of those with another winner (or loser); `gain`, the change of the share of
    first (or last) place of `who`, the seat whose share it changes most (STARTER: who chooses first), with an interval
    for everybody's together; `decisions`, how many more there are. `sure`: whether that gain surely isn't 0, for all of
    all readings together; `last`: whether it is last place that decides; `beside`: the option, as it is typed, that
    both games of a pair have besides, where this reading can't be played without it.
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
        """One of the estimates."""
        value, low, high = getattr(self, what)
        return Estimate(value, low, high, self.pairs)


def readings(name: str) -> list[tuple[Option, str]]:
    """The options of a game that stand for a rule, each with a value that isn't the usual one, as it is typed."""
    out: list[tuple[Option, str]] = []
    for option in definition(name).rules.OPTIONS:
        if option.rule and isinstance(option, Choice):
            out += [(option, value) for value in option.values if value != option.default]
        elif option.rule and isinstance(option, Switch):
            out.append((option, "off" if option.default else "on"))
    return out


def beside(of: GameSetup, option: Option, value: str) -> tuple[Option, str] | None:
    """Another reading without which one can't be played in a game with its options; None if there is none."""
    for other, theirs in readings(of.name):
        if other.name != option.name:
            try:
                game(of.name, of.players, **{**of.options, other.name: theirs, option.name: value})
            except BadOption:
                continue
            return other, theirs
    return None


def value_text(name: str, option: Option, value: str) -> Text:
    """A value of an option in words."""
    if isinstance(option, Choice):
        named: Text = definition(name).table.VALUES[value]
        return named
    return say("switched on") if value == "on" else say("switched off")


@functools.cache
def kept(name: str) -> dict[str, Any]:
    """What is kept of a game, by number of players."""
    path = game_folder(name) / FILE
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return loaded


def weights(name: str, players: int | None = None) -> list[Weight]:
    """The weights kept of a game with so many players; without a number, with the one that comes first."""
    there = kept(name)
    key = str(players) if players is not None else next(iter(there), "")
    return [weight_of(row) for row in there.get(key, {}).get("rulings", [])]


def weight_of(row: dict[str, Any]) -> Weight:
    """A weight from its row."""
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return Weight(**fields)


def keep(name: str, players: int, command: str, found: list[Weight]) -> None:
    """Write weights into the game's folder, in the place of what was there for so many players."""
    rows = [json.dumps(rounded(weight)) for weight in found]
    there = {**kept(name), str(players): {"command": command, "rulings": rows}}
    parts = []
    for key, part in there.items():
        listed = [row if isinstance(row, str) else json.dumps(row) for row in part["rulings"]]
        lines = ",\n   ".join(listed)
        about = json.dumps(part["command"])
        parts.append(f' {json.dumps(key)}: {{\n  "command": {about},\n  "rulings": [\n   {lines}\n  ]\n }}')
    try:
        (game_folder(name) / FILE).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=str(game_folder(name) / FILE), why=error.strerror or "")) from None
    kept.cache_clear()


def check_writable(name: str) -> None:
    """Raise HexdeckError where weights can't be kept, before anything is measured."""
    file = game_folder(name) / FILE
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        text = _("{file} can't be written; leave out --save, or work in a copy of your own.")
        raise HexdeckError(say(text, file=str(file)))


def rounded(weight: Weight) -> dict[str, Any]:
    """A weight as it is kept."""
    kept = {key: value for key, value in asdict(weight).items() if key != "beside" or value}
    return {key: [round(x, 5) for x in value] if isinstance(value, tuple) else value for key, value in kept.items()}


# --- in words -----------------------------------------------------------------------------------------------------
def manual(name: str, lang: str) -> str:
    """The rules of a game as Markdown, with what each ruling weighs."""
    return rules_with_tables(name, lang) + chapter(name, lang)


def chapter(name: str, lang: str) -> str:
    """A chapter of the rules about what each ruling weighs, as Markdown; empty where nothing was measured."""
    found, own = weights(name), game_words(name, lang)
    if not found:
        return ""
    players = next(iter(kept(name)))
    head = own.words(say("What each ruling weighs"))
    about = own.words(say("Measured with {players} players between house bots, on {pairs} pairs of games with the same "
                          "cards. Each line is an option of the game that isn't the usual one.", players=players,
                          pairs=min(each.pairs for each in found)))  # fmt: skip
    if any(option.default != measured_with(name)[option.name] for option in definition(name).rules.OPTIONS):
        about += " " + own.words(say("The cards were those that came with the program: yours have other values."))
    measured = {(each.option, each.value): each for each in found}
    lines = [
        f"- {own.words(said(name, option, value, measured.get((option.name, value))))} [{option.rule}]"
        for option, value in readings(name)
    ]
    return f"\n\n## {head}\n\n{about}\n\n" + "\n".join(lines) + "\n"


def said(name: str, option: Option, value: str, weight: Weight | None) -> Text:
    """One ruling in a sentence or two: the other reading, the usual one, what it weighs, where that was measured."""
    other, usual = value_text(name, option, value), value_text(name, option, usual_value(option))
    key = _("{about}: {value} (`{option}`); usually: {usual}. {weight}")
    return say(key, about=option.about, value=other, usual=usual, option=f"{option.name}={value}",
               weight=heavy(weight) if weight else alone(name, option, value))  # fmt: skip


def usual_value(option: Option) -> str:
    """What an option is if nothing is chosen, as it is typed."""
    return str(option.default) if isinstance(option, Choice) else "on" if option.default else "off"


def alone(name: str, option: Option, value: str) -> Text:
    """Why a reading wasn't measured by itself."""
    try:
        game(name, next(iter(map(int, kept(name))), None), **{option.name: value})
    except BadOption as error:
        return say("Not measured by itself: {why}", why=error.text)
    return say("It was not measured yet.")


def heavy(weight: Weight) -> Text:
    """What a ruling weighs."""
    if weight.beside:
        text = _("It goes only with `{option}`, which both games of a pair have then. {weight}")
        return say(text, option=weight.beside, weight=heavy(replace(weight, beside="")))
    differs = weight.estimate("differs")
    if not differs.value:
        return say("It never came up: at most {share} % of games go differently.",
                   share=words.number(100 * differs.high, 2))  # fmt: skip
    texts = (
        _("Games that go differently: {differs}; with another result for somebody: {result}; with another winner: "
          "{place}; {decisions}; {gain}."),
        _("Games that go differently: {differs}; with another result for somebody: {result}; with another loser: "
          "{place}; {decisions}; {gain}."),
    )  # fmt: skip
    shares = {what: words.percent(weight.estimate(what)) for what in ("differs", "result", "place")}
    return say(texts[weight.last], **shares, decisions=longer(weight), gain=gained(weight))


def longer(weight: Weight) -> Text:
    """How many decisions more a game has."""
    more = weight.estimate("decisions")
    if not more.value:
        return say("as many decisions")
    if more.low <= 0 <= more.high:
        return say("as many decisions, to ±{margin}", margin=words.number(more.margin, words.digits_for(more.margin)))
    key = _("{number} decisions more") if more.value > 0 else _("{number} decisions fewer")
    return say(key, number=words.plain(Estimate(abs(more.value), *words.ends(more), more.count)))


def gained(weight: Weight) -> Text:
    """Whom it favours, if anybody."""
    gain = weight.estimate("gain")
    if not weight.sure:
        most = 100 * max(abs(gain.low), abs(gain.high))
        key = (
            _("nobody's share of losses changes by more than {points} points")
            if weight.last
            else _("nobody's share of first places changes by more than {points} points")
        )
        return say(key, points=words.number(most, words.digits_for(most)))
    who = say("who chooses first") if weight.who == STARTER else say("seat {number}", number=weight.who)
    return say(GAINS[weight.last, gain.value > 0], who=who, points=words.points(gain))


GAINS = {
    (False, True): _("{who} comes first {points} points more often"),
    (False, False): _("{who} comes first {points} points less often"),
    (True, True): _("{who} loses {points} points more often"),
    (True, False): _("{who} loses {points} points less often"),
}
