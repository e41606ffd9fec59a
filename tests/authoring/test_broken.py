"""A game that is unfinished, that crashes or that lies is told as broken, in one sentence; nothing else is touched."""

import builtins
import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.discovery import bounded_loading, finding
from hexdeck.engine.discovery.definition import definition, playable, wrong_with
from hexdeck.web.html import pages
from hexdeck.web.html.rendering import DealPromise, Site
from tests.settings import GAMES
from tests.support import ran_apart

Spoil = Callable[[Path], object]


def change(file: str, old: str, new: str) -> Spoil:
    def spoil(folder: Path) -> None:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")

    return spoil


def without(file: str) -> Spoil:
    return lambda folder: (folder / file).unlink()


def also(file: str, text: str) -> Spoil:
    return lambda folder: (folder / file).write_text(text, encoding="utf-8")


def also_table(text: str) -> Spoil:
    return change("table.py", "def zones", f"{text}\n\ndef zones")


def chooses(action: str) -> Spoil:
    return also("strategy.py", f"def choose(s, seat, actions, count, rng):\n    return {action}\n")


def data(file: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("= {", encoding="utf-8")

    return spoil


PRESET = "from hexdeck.engine.options import Preset\n\nPRESETS = (Preset('a', say('A'), say('B'), {{'{}': 3}}),)\n"
TOTAL = "def chance_total(s):\n    return {}\n\n\n"
PAIR = TOTAL + "def chance_outcome(s, u):\n    return {}\n\n\ndef apply_chance"

BROKEN: dict[str, tuple[Spoil, str]] = {
    "only rules": (without("table.py"), "table.py is missing."),
    "only a table": (without("rules.py"), "rules.py is missing."),
    "half a line": (change("rules.py", "PLAYERS, SEATS", "PLAYERS = ("), "rules.py can't be loaded: "),
    "it imports what isn't there": (change("rules.py", "import new_deal", "import old_deal"), "old_deal"),
    "it stops at once": (change("table.py", "def zones", "1 / 0\ndef zones"), "division by zero (line 7)."),
    "no zones": (change("table.py", "def zones", "def places"), "table.py defines no zones."),
    "no start": (change("rules.py", "def start", "def begin"), "rules.py defines no start."),
    "other arguments": (change("table.py", "label(s, seat, action)", "label(s, action)"),
                        "label in table.py must be a function of 3 arguments."),
    "no conceal": (change("rules.py", "def conceal", "def hide"),
                   "in rules.py conceal and resample go together; a game without secrets has neither."),
    "odd players": (change("rules.py", "(2, 4), 4, 3, 4, -1", "(2, 40), 40, 3, 4, -1"), "PLAYERS must be"),
    "slices that are none": (change("rules.py", "AT = starts(SLICES)", "AT = starts(SLICES)\nSLICES = 7"),
                             "SLICES in rules.py must be a dict, not 7."),
    "it leaves": (change("table.py", "def zones", "raise SystemExit\ndef zones"), "table.py can't be loaded: "),
    "two moves of one name": (change("rules.py", 'f"{what} {r + 1}"', "what"), "ACTIONS must be different names"),
    "reasons without words": (also_table("REASONS = ('not asked', 'not held')\n"),
                              "REASONS in table.py must be Reasons"),
    "it crashes while it is played": (change("rules.py", "s.bid[seat] = action", "s.bid[seat] = action + 1000"),
                                      "apply_action in rules.py, line "),
    "zones crash": (change("table.py", "s.held[p]", "s.kept[p]"), "zones in table.py, line "),
    "it lists what it forbids": (change("rules.py", "return 0 if", "return 1 if"), "which legal_actions lists."),
    "nobody may move": (change("rules.py", "return list_cards(s, seat, 0, actions, 0) if", "return 0 if"),
                        "legal_actions finds 0 moves for a seat that is to act."),
    "chance is out of cards": (change("rules.py", "return counted(s.deck)", "return counted(s.deck) + 1"),
                              "its weights add up to"),
    "half a pair": (change("rules.py", "def apply_chance", TOTAL.format(0) + "def apply_chance"),
                    "chance_total and chance_outcome go together."),
    "a total of its own": (change("rules.py", "def apply_chance", PAIR.format("counted(s.deck) + 1", 0)),
                           "chance_total gives 31, and chance_weights 30."),
    "an outcome of its own": (change("rules.py", "def apply_chance", PAIR.format("counted(s.deck)", "u % RANKS")),
                              "for unit 2, which chance_weights gives to 0."),
    "a strategy without choose": (also("strategy.py", "def gentle(s, seat, actions, count, rng):\n    return 0\n"),
                                  "strategy.py defines no choose."),
    "it leaves while it is played": (change("rules.py", "s.bid[seat] = action", "raise SystemExit"),
                                     "apply_action in rules.py, line "),
    "a study that is none": (also("hints.py", "STUDY = 'chips'\n"), "STUDY in hints.py must be a Study, not 'chips'."),
    "a label that is no text": (change("table.py", 'return say("Bid the {card}", card=Cards((str(action + 1),)))',
                                       "return str(action)"), "label must return a Text, not "),
    "a caption that is none": (also_table("def caption(stop, seat):\n    return 'moved'\n"),
                               "caption must return a Caption, not "),
    "a score sheet that crashes": (also_table("def tallies(s):\n    return s.nothing\n"), "tallies in table.py, line "),
    "presets that are none": (also_table("PRESETS = ({'bids': 3},)\n"), "must be one Preset or more"),
    "options that aren't there": (also_table(PRESET.format("nothing")), "no option nothing; this game has none."),
    "a bot that dreams": (chooses("77"), "strategy.py: choose chooses 77, which isn't listed."),
    "a bot that crashes": (chooses("actions[count + 100]"), "choose in strategy.py, line "),
    "weights that aren't written": (change("rules.py", "weights[r] = s.deck[r]", "weights[0] = s.deck[r]"),
                                    "chance_weights writes no weight for card 2"),
    "versions": (data("versions.toml"), "versions.toml can't be read: "),
    "levels": (data("levels.json"), "levels.json can't be read: "),
    "Dutch": (data("locale/nl/LC_MESSAGES/messages.po"), "messages.po can't be read: "),
    "bounds that crash": (also("bounds.py", "def bounds(players, options):\n    return 1 / 0\n"),
                          "bounds in bounds.py, line 2"),
    "bounds that are none": (also("bounds.py", "def bounds(players, options):\n    return 0, 1, None\n"),
                             "bounds.py: bounds must return a Bounds, not (0, 1, None)."),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_is_said_in_one_sentence_and_no_other_game_is_touched(what: str, begun: Path) -> None:
    spoil, sentence = BROKEN[what]
    spoil(begun)
    with pytest.raises(hexdeck.BrokenGame) as raised:
        hexdeck.game("high-bid")
    said = str(raised.value)
    assert said.startswith("high-bid: ") and sentence in said and "\n" not in said and said.endswith(".")
    assert wrong_with("high-bid") == raised.value.text
    assert playable() == GAMES and "high-bid" in hexdeck.game_names() and all(definition(name).own for name in GAMES)


def waiting_while(condition: str) -> Spoil:
    """A loop that hears no exception, at the start of a match."""
    loop = f"    while {condition}:\n        try:\n            1 / 0\n        except Exception:\n            pass\n"
    return change("rules.py", "    new_deal(s)\n", f"    new_deal(s)\n{loop}")


def test_a_game_that_never_gets_on_is_told_too(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change("rules.py", "    new_deal(s)\n", "    new_deal(s)\n    any(map(lambda _: 0, iter(int, 1)))\n")(begun)
    with monkeypatch.context() as impatient:
        impatient.setattr(bounded_loading, "SECONDS", 0.6)
        said = str(wrong_with("high-bid"))
    assert " in rules.py, line " in said and "it takes more than 1 seconds; perhaps a loop has no end" in said
    assert str(wrong_with("high-bid")) == said


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a file may be open when time is up
def test_a_busy_computer_breaks_no_game(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a game waits for by the clock counts little, and is no verdict that is kept."""
    looks = itertools.count()
    monkeypatch.setattr(bounded_loading, "LOOKS", 0.001)
    monkeypatch.setattr(bounded_loading, "SECONDS", 0.001)
    monkeypatch.setattr(bounded_loading, "thread_clock", lambda: lambda: 0.0 * next(looks))
    monkeypatch.setattr(builtins, "is_busy", lambda: True, raising=False)
    waiting_while("is_busy()")(begun)
    with monkeypatch.context() as impatient:
        impatient.setattr(bounded_loading, "PATIENCE", 0.0)
        said = str(wrong_with("high-bid"))
        assert "it isn't done after 0 seconds; perhaps this computer is" in said
    monkeypatch.setattr(builtins, "is_busy", lambda: next(looks) < 10_000)
    assert wrong_with("high-bid") is None


def test_a_folder_that_python_can_t_import_is_said_so(begun, monkeypatch, capsys) -> None:
    named = begun.rename(begun.with_name("high-bid"))
    monkeypatch.setenv(finding.PATH, str(named))
    assert main(["games"]) == 2
    assert "as in high_bid, not high-bid." in capsys.readouterr().err


def test_commands_go_on_beside_a_broken_game(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (begun / "table.py").unlink()
    assert main(["games"]) == 0
    listed = capsys.readouterr().out
    assert "high-bid · broken\n  high-bid: " in listed and "cursed-hand      2–6 " in listed
    assert main([]) == 0 and "high-bid" not in capsys.readouterr().out
    for command in ("play", "simulate", "rules", "game check", "report", "compile"):
        assert main([*command.split(), "high-bid"]) == 2, command
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "table.py is missing." in said


COMPILING = """
import sys
from hexdeck.cli import main
from hexdeck.cli import compile as lab
from hexdeck.simulation import warm
really, lab.is_warm = warm.warm, lambda backend: True
warm.warm = lambda name: really(name) if name == "high-bid" else 0.25
sys.exit(main(["compile", "blackstone", "high-bid", "hawthorn"]))
"""


@pytest.mark.long
def test_a_game_that_numba_refuses_keeps_no_other_from_being_compiled(begun: Path) -> None:
    change("rules.py", "    s.bid[seat] = action\n", "    import math\n    s.bid[seat] = action\n")(begun)
    env = os.environ | {"HEXDECK_BACKEND": "fast"}
    ran = ran_apart([sys.executable, "-c", COMPILING], env=env)
    assert (ran.returncode, ran.stdout) == (1, "blackstone: 0.2 s\nhawthorn: 0.2 s\n")
    said = [line for line in ran.stderr.splitlines() if "Compiling;" not in line]
    line = (begun / "rules.py").read_text(encoding="utf-8").splitlines().index("    import math") + 1
    why = f"apply_action can't be compiled: Use of unsupported opcode (IMPORT_NAME) found (rules.py, line {line})."
    assert said == [f"hexdeck: high-bid: {why}"]


def start_page(lang: str = "en") -> str:
    return pages.start(Site(lang=lang), DealPromise("", ""))


def test_the_start_page_says_what_is_wrong_with_a_game_from_outside_as_plain_words(begun: Path) -> None:
    (begun / "table.py").write_text("raise ValueError('<b>bad</b>')\n", encoding="utf-8")
    page = start_page()
    assert page.count("can't be played yet.".replace("'", "&#39;")) == 1
    assert "high-bid: high_bid/table.py can&#39;t be loaded: &lt;b&gt;bad&lt;/b&gt; (line 1)." in page
    assert str(begun.parent) not in page and "<b>bad" not in page and 'id="play-hawthorn"' in page
    assert "Dit spel kan nog niet gespeeld worden." in start_page("nl")


def test_unspoilt_it_works_and_the_start_page_says_nothing_of_it(begun: Path) -> None:
    assert wrong_with("high-bid") is None and "high-bid" in playable() and not definition("high-bid").own
    assert "be played yet." not in start_page() and 'id="play-high-bid"' in start_page()


ENVIRONMENTS = """
import warnings
warnings.simplefilter("ignore")
import hexdeck.envs.gymnasium, hexdeck.envs.pettingzoo, gymnasium
from hexdeck.envs.pettingzoo import hawthorn_v2
hawthorn_v2.env().reset(seed=1)
gymnasium.make("hexdeck/Hawthorn-v2", bots="random").reset(seed=1)
import hexdeck.envs.open_spiel, pyspiel
pyspiel.load_game("python_hexdeck_hawthorn")
print("fine")
"""


def test_environments_go_on_beside_a_broken_game(begun: Path) -> None:
    (begun / "table.py").unlink()
    env = os.environ | {"HEXDECK_BACKEND": "interpreted"}
    ran = ran_apart([sys.executable, "-c", ENVIRONMENTS], env=env)
    assert ran.stdout == "fine\n", ran.stderr


def test_a_folder_that_is_not_there_is_said_so(monkeypatch, capsys) -> None:
    monkeypatch.setenv(finding.PATH, "")
    assert main(["--game-path", "/nowhere/at/all", "games"]) == 2
    assert capsys.readouterr().err == "hexdeck: There is no folder /nowhere/at/all to look for games in.\n"
