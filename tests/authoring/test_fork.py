"""A fork of a game: it plays as the original does until somebody changes it."""

import random
import re
from pathlib import Path

import pytest

import hexdeck
from hexdeck.authoring import fork_game
from hexdeck.cli import main
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import FORK, forget
from hexdeck.simulation.game import Game
from tests.settings import every_game


@pytest.fixture
def forks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where games are looked for, interpreted."""
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    return tmp_path


def results(game: Game, seed: int) -> tuple[list[int], list[float]]:
    """The moves of a random match, and its results."""
    match, dice, moves = game.match(seed), random.Random(seed), []
    while not match.over:
        moves.append(dice.choice(match.legal_ids(match.actor)))
        match.play(match.actor, moves[-1])
    return moves, list(match.returns())


@every_game
def test_it_plays_as_the_original_does(name: str, forks: Path) -> None:
    folder = fork_game(name, "my-own", forks)
    forget()
    ours, theirs = hexdeck.game(name), hexdeck.game("my-own")
    assert results(theirs, 7) == results(ours, 7)
    assert str(theirs.definition.table.ABOUT.title) == "My Own"
    assert theirs.definition.coach and theirs.definition.bounds and theirs.definition.file("hints.py")
    page = (folder / "rules.en.md").read_text(encoding="utf-8")
    assert page.startswith("# My Own\n") and f"hexdeck print {name}" not in page
    assert not [
        file.name for file in folder.glob("*.py") if finding.GAMES + "." + name.replace("-", "_") in file.read_text()
    ]


def test_a_fork_of_a_fork_has_its_deck(forks: Path) -> None:
    folder = fork_game("hawthorn", "my-own", forks)
    (folder / FORK).write_text('of = "hawthorn"\n\n[options]\ndeck = "0-8-8-8-8-8-8"\n', encoding="utf-8")
    forget()
    fork_game("my-own", "my-other", forks)
    forget()
    assert (
        hexdeck.game("my-other").options["deck"] == "0-8-8-8-8-8-8"
        and hexdeck.game("my-other").definition.original == "my-own"
    )


def test_a_rule_changed_as_the_guide_says_changes_nothing_of_the_original(forks: Path) -> None:
    guide = " ".join((Path(__file__).parents[2] / "docs/howto/test_a_rule.md").read_text(encoding="utf-8").split())
    change = re.search(r"below `(?P<where>def [^`]+)`, change `(?P<old>[^`]+)` to `(?P<new>[^`]+)`", guide)
    assert change
    before = [results(hexdeck.game("hawthorn"), seed) for seed in range(6)]
    rules = fork_game("hawthorn", "my-own", forks) / "rules.py"
    text = rules.read_text(encoding="utf-8")
    above, below = text.split(change["where"])
    assert change["old"] in below.partition("\ndef ")[0]
    rules.write_text(above + change["where"] + below.replace(change["old"], change["new"], 1))
    forget()
    assert [results(hexdeck.game("my-own"), seed) for seed in range(6)] != before
    assert [results(hexdeck.game("hawthorn"), seed) for seed in range(6)] == before


def test_it_is_compared_with_its_original_on_the_same_cards(forks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fork_game("hawthorn", "my-own", forks)
    forget()
    compared = "compare", "hawthorn", "--fork", "my-own", "--games", "40", "--players", "2"
    assert main(compared) == 0
    assert "Pairs that go differently: 0 %" in " ".join(capsys.readouterr().out.split())
    assert main([*compared, "--b", "hand_cards=3", "--page", str(forks / "page.html")]) == 0
    again = f"hexdeck --game-path {forks} compare hawthorn --players 2 "
    assert again in (forks / "page.html").read_text(encoding="utf-8")
    text = " ".join(capsys.readouterr().out.split())
    assert "After (my-own hand_cards=3): " in text and "After: my-own hand_cards=3." in text


def test_games_with_other_moves_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "hawthorn", "--fork", "blackstone"]) == 2
    assert "blackstone can't be compared with hawthorn: they have different ACTIONS" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "name", "sentence"),
    [
        ("hawthorn", "blackstone", "There is already a game called blackstone; choose another name."),
        ("hawthorn", "class", "'class' is a word of Python; choose another name."),
        ("hawthorn", "my game!", "with a hyphen between words, not 'my-game!'."),
        ("hawthorn", "my--own", "with a hyphen between words, not 'my--own'."),
        ("hawthorn", "x-", "with a hyphen between words, not 'x-'."),
        ("hawthorn", "_x", "with a hyphen between words, not '-x'."),
        ("poker", "my-own", "There is no game poker; there are "),
        ("hawthorn", "there", "there already exists; choose another name."),
    ],
)
def test_a_fork_that_cannot_be_made_is_refused(
    game: str, name: str, sentence: str, forks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (forks / "there").mkdir()
    assert main(["game", "fork", game, name, "--folder", str(forks)]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in forks.iterdir()] == ["there"]
