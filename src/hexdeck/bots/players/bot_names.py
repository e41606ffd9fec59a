"""Names of bots: as people type and read them, as files keep them, and their grammar.

Files call the levels `easy`, `medium` and `hard` by other names: `gentle`, `steady` and `sharp`. A name is a kind, what
that kind takes, and perhaps a manner: `net:0.5`, `search:house:500x2`, `rollout:mimic:500:FILE.net`, `hard:bold`.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, _, say

SPOKEN = {"easy": "gentle", "medium": "steady", "hard": "sharp"}  # as people say it, as files keep it
STORED = {name: word for word, name in SPOKEN.items()}
OUTSIDE = ("run:", "prompt:", "chat:", "python:", "onnx:")  # not ours: the rest of their names stays as it is
MANNERS = "bold", "careful", "sly"  # what may follow a bot's name, such as hard:bold
STRATEGIES = "gentle", "house", "random"
BY_NET = "house-deal", "mimic", "mimic-deal", "net"  # policies that play games on by nets, which a file may hold


def stored(name: str) -> str:
    """A bot's name as files keep it: `gentle` for `easy`, `search:gentle:20` for `search:easy:20`."""
    return _word_by_word(name, SPOKEN)


def spoken(name: str) -> str:
    """A bot's name as people type and read it: `easy` for `gentle`."""
    return _word_by_word(name, STORED)


def parted(name: str) -> tuple[str, str]:
    """A bot's name without its manner, and the manner; that is empty where it has none."""
    plain, _colon, manner = name.rpartition(":")
    return (plain, manner) if manner in MANNERS and not name.startswith(OUTSIDE) else (name, "")


def _word_by_word(name: str, mapping: dict[str, str]) -> str:
    """A bot's name with some words replaced; that of a program or model (`run:…`) stays as it is."""
    return name if name.startswith(OUTSIDE) else ":".join(mapping.get(word, word) for word in name.split(":"))


# --- the grammar ------------------------------------------------------------------------------------------------------
class NameForm(NamedTuple):
    """What may follow a kind and a colon: a pattern; how such names are written, and of which values, for people."""

    pattern: str
    written: str
    values: str


TEMPERATURE = r"(?P<temperature>[0-9](\.[0-9]{1,3})?|10)"
GAMES, FILES = r"(?P<games>[1-9][0-9]{0,5}|1000000)", r"(?P<files>.+\.net)"
FORMS = {
    "net": NameForm(
        rf"{TEMPERATURE}|{FILES}", "net, net:TEMPERATURE, net:FILE.net, net:FILE.net:FILE.net", "TEMPERATURE 0–10"
    ),
    "nets": NameForm(TEMPERATURE, "nets, nets:TEMPERATURE", "TEMPERATURE 0–10"),
    "rollout": NameForm(
        rf"((?P<policy>{'|'.join((*STRATEGIES, *BY_NET))}):)?{GAMES}(:{FILES})?",
        "rollout, rollout:GAMES, rollout:POLICY:GAMES, rollout:POLICY:GAMES:FILE.net",
        f"GAMES 1–1000000, POLICY {', '.join(map(spoken, (*STRATEGIES, *BY_NET)))}",
    ),
    "search": NameForm(
        rf"((?P<policy>{'|'.join(STRATEGIES)}):)?{GAMES}(x(?P<threads>[1-9]|[1-5][0-9]|6[0-4]))?",
        "search, search:GAMES, search:POLICY:GAMES, search:GAMESxTHREADS",
        f"GAMES 1–1000000, POLICY {', '.join(map(spoken, STRATEGIES))}, THREADS 1–64",
    ),
    "think": NameForm(
        rf"((?P<policy>nets):)?{GAMES}(?(policy)|(:{FILES})?)",
        "think, think:GAMES, think:nets:GAMES, think:GAMES:FILE.net",
        "GAMES 1–1000000",
    ),
}


@dataclass(frozen=True)
class BotName:
    """The parts of a bot's name. `games` is 0 where the name says none; `files`: of nets, joined by colons.

    A `kind` that takes nothing is the whole name, but for its manner.
    """

    kind: str
    policy: str = ""
    games: int = 0
    threads: int = 1
    temperature: float = 1.0
    files: str = ""
    manner: str = ""

    @property
    def paths(self) -> list[Path]:
        """The files of nets."""
        files = [self.files] if Path(self.files).is_file() else re.split(r"(?<=\.net):", self.files)
        return [Path(file) for file in files if file]


def bot_name(name: str) -> BotName:
    """The parts of a name, as people type it or as files keep it; raises BadOption where it isn't well formed."""
    plain, manner = parted(stored(name))
    kind, colon, tail = plain.partition(":")
    if kind not in FORMS or name.startswith(OUTSIDE):
        return BotName(plain, manner=manner)
    parts = re.fullmatch(FORMS[kind].pattern, tail) if colon else re.fullmatch("", "")
    values = {key: value for key, value in parts.groupdict().items() if value} if parts else {}
    by_net = kind != "rollout" or values.get("policy") in BY_NET
    if parts is None or ("files" in values and not by_net):
        text = _("{name} can't be read as a bot; write {forms} ({values}).")
        form = FORMS[kind]
        raise BadOption(say(text, name=spoken(plain)[:80], forms=form.written, values=form.values))
    numbers = {"games": int, "threads": int, "temperature": float}
    typed: dict[str, Any] = {key: numbers.get(key, str)(value) for key, value in values.items()}
    return BotName(kind, manner=manner, **typed)


# --- as people read them ----------------------------------------------------------------------------------------------
TITLES = {"gentle": say("Easy"), "steady": say("Medium"), "sharp": say("Hard"), "best": say("Best")}  # to people
MANNER_TITLES = {"bold": say("bold"), "careful": say("careful"), "sly": say("sly")}
KIND_NAMES = {
    "house": _("plays by habit"),
    "net": _("plays by instinct"),
    "nets": _("plays by instinct"),
    "random": _("plays at random"),
    "response": _("punishes mistakes"),
    "rollout": _("tries things out"),
    "search": _("thinks ahead"),
    "solved": _("plays perfectly"),
    "think": _("thinks twice"),
}


def manner_title(level: str, manner: str) -> Text:
    """A level with a manner by name, such as “Hard, bold”."""
    return say("{level}, {manner}", level=TITLES[level], manner=MANNER_TITLES[manner])


def bot_text(bot: str) -> Text | None:
    """What kind of bot this is, in words; None for a program that isn't ours, whose name says it."""
    plain, manner = parted(bot)
    if plain in TITLES:
        return manner_title(plain, manner) if manner else TITLES[plain]
    key = KIND_NAMES.get(plain.partition(":")[0])
    if not key:
        return None
    return say("{kind}, {manner}", kind=say(key), manner=MANNER_TITLES[manner]) if manner else say(key)


def grade_text(bot: str) -> Text | None:
    """The level that a bot plays at, with its manner; None for bots that are no levels."""
    return bot_text(bot) if parted(bot)[0] in TITLES else None
