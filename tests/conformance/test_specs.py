"""The pages about games as environments."""

import re
from typing import Any

import docs_pages
import pytest
from specs import FOLDER, INDEX, about, ceiled, index, page, solved

from hexdeck.engine.discovery.definition import definition
from hexdeck.envs import open_spiel
from hexdeck.envs.open_spiel import load, short_name
from hexdeck.simulation.game import game
from tests.settings import GAMES, data, every_game, soonest

TOOL = "python tools/specs.py"


def without_values(text: str) -> str:
    """A page without the last three cells of each small configuration, which take long to reckon."""
    head, small, rest = re.split(r"(?=## Small|## Versions)", text)
    return head + re.sub(r"(\|[^|\n]*){3}\|$", "|", small, flags=re.MULTILINE) + rest


def written(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


@every_game
def test_the_page_of_a_game_is_as_it_would_be_made(name: str) -> None:
    assert without_values(written(name)) == without_values(page(name, lambda chosen: ("", "", ""))), TOOL


def test_the_first_page_leads_to_all() -> None:
    assert (FOLDER / INDEX).read_text(encoding="utf-8") == index(), TOOL
    assert {path.name for path in FOLDER.iterdir()} == {INDEX, *(f"{name}.md" for name in GAMES)}
    assert all(f"({name}.md)" in index() for name in GAMES)


@every_game
def test_the_page_of_a_game_leads_to_its_rules_example_replay_report_and_bots(name: str) -> None:
    made, text = docs_pages.pages(), written(name)
    links = dict(re.findall(r"\[([^\]]+)\]\(((?:\.\./)+(?:generated|src)/[^)]+)\)", text))
    folder = f"../../src/hexdeck/games/{name.replace('-', '_')}"
    assert links == {
        "The rules": f"{folder}/rules.en.md",
        "in Dutch": f"{folder}/rules.nl.md",
        "an example of play": f"{folder}/example.en.md",
        "how strong the bots are": f"../generated/levels.md#{name}",
    }
    assert {f"rules/en/{name}.md", f"rules/nl/{name}.md", "levels.md"} <= made.keys()  # where these lead on the site
    assert "\n## An example\n" in made[f"rules/en/{name}.md"]
    assert f"\n## {definition(name).table.ABOUT.title}\n" in made["levels.md"]
    for sample in ("replay", "report"):
        assert f'<a href="../samples/{sample}-{name}.html">' in text


@every_game
def test_every_slice_has_a_meaning_and_every_action_its_number(name: str) -> None:
    rules, text = definition(name).rules, written(name)
    assert list(about(name)["slices"]) == list(rules.SLICES)
    assert about(name).keys() - {"measured"} == {"reward", "knowledge", "ours", "slices"}
    listed = [" ".join(block.split()) for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL)]
    for names, block in zip((rules.ACTIONS, rules.OUTCOMES), listed, strict=True):
        assert block == ", ".join(f"{k} {each}" for k, each in enumerate(names))


@every_game
def test_the_parameters_on_a_page_are_those_that_openspiel_takes(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rows = re.findall(r"`(python_hexdeck_\w+\((.*?)\))`", written(name))
    tinies = data(name)["tiny"]
    assert len(rows) == 1 + len(tinies)
    for (text, _), tiny in zip(rows[1:], tinies, strict=True):
        assert pyspiel.load_game(text).setup == game(name, tiny["players"], **tiny["options"])
    for option in definition(name).rules.OPTIONS:
        parameter = f"{option.name}={open_spiel.written(option.default)}"
        assert pyspiel.load_game(f"{short_name(name)}({parameter})").setup == game(name)


def smallest(name: str) -> tuple[Any, list[str]]:
    """The configuration of a game with the fewest decisions, and its row on the page."""
    tinies = data(name)["tiny"]
    k = min(range(len(tinies)), key=lambda k: tinies[k]["histories"]["decision"])
    row = [line for line in written(name).splitlines() if line.startswith("| `python_")][k]
    return game(name, tinies[k]["players"], **tinies[k]["options"]), [cell.strip() for cell in row.split("|")[1:-1]]


@every_game
def test_the_values_of_the_smallest_configuration_are_those_reckoned_now(name: str) -> None:
    chosen, row = smallest(name)
    assert tuple(row[4:]) == solved(chosen), TOOL


@soonest("blackstone", "hawthorn")
def test_what_could_be_gained_is_the_same_on_the_game_itself(name: str) -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    chosen, row = smallest(name)
    game = load(chosen)
    assert ceiled(exploitability.nash_conv(game, policy.UniformRandomPolicy(game))) == row[4]


@every_game
def test_every_configuration_is_solved_to_less_than_random_play_leaves(name: str) -> None:
    rows = [line.split("|")[1:-1] for line in written(name).splitlines() if line.startswith("| `python_")]
    for *_, at_random, found, _ in rows:
        assert 0 <= float(found) <= max(0.02, float(at_random) / 4)


def test_what_could_be_gained_is_rounded_up() -> None:
    assert " ".join(map(ceiled, (0, -1e-17, 0.0001, 0.0005, 0.001, 1.2341))) == "0.000 0.000 0.001 0.001 0.001 1.235"
