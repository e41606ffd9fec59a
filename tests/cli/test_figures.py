"""`--json`: strict JSON alone on standard output, or in a file beside what is printed; and one way to write numbers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.cli.command_line import LOCALE
from hexdeck.cli.output import finite
from hexdeck.engine.text import Catalogue, number, say
from hexdeck.lab.reporting.figures import FORMAT
from tests.compiled import warm
from tests.people import ANY_MOVES, Room

FEW = ["-n", "2", "--seed", "3"]
PRINTING = {  # the words of each command that prints figures, and a field of them
    "simulation": (["simulate", "hawthorn", "--games", "20", *FEW], "measures"),
    "comparison": (["compare", "hawthorn", "--b", "fold_price=own", "--games", "20", *FEW], "parts"),
    "sweep": (["compare", "hawthorn", "--vary", "fold_price", "--games", "10", "--sample", "2", *FEW], "effects"),
    "probe": (["compare", "hawthorn", "--probe", "--games", "10", *FEW], "probes"),
    "tune": (["tune", "hawthorn", "--want", "turns more", "--vary", "deals=2", "--games", "200", *FEW], "rule_sets"),
    "tournament": (["tournament", "hawthorn", "house", "random", "--deals", "2", *FEW], "ratings"),
    "ladder": (["tournament", "hawthorn", "random", "house", "--ladder", "--deals", "3", *FEW], "contests"),
    "exploit": (["exploit", "hawthorn", "--bot", "random", "--steps", "1", "--deals", "10", *FEW], "mean"),
    "replay": (["replay", "hawthorn", "--number", "1", *FEW], "narration"),
    "solution": (["solve", "blackstone", "-n", "2"], "sheets"),
}


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    warm("hawthorn", "fast")
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")


def strict(text: str) -> dict[str, Any]:
    def never(word: str) -> None:
        raise ValueError(word)

    found: dict[str, Any] = json.loads(text, parse_constant=never)
    return found


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from numbers(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


@pytest.mark.parametrize("what", PRINTING)
def test_only_json_is_printed_where_it_is_asked_for(what: str, room: Room) -> None:
    words, field = PRINTING[what]
    if what == "solution":
        room.monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    said = room.hexdeck(*words, "--json")
    assert said.status == 0, said.err
    found = strict(said.out)
    version = FORMAT if what in {"comparison", "sweep", "probe", "tune"} else 1
    assert (found["what"], found["format"], found["interrupted"]) == (what, version, False)
    assert found["game"] == words[1] and found[field] is not None and [*numbers(found)]
    told = (Path(__file__).parents[2] / "docs" / "reference" / "data.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in told for key in found), set(found)


def test_with_a_file_tables_are_printed_beside_it(room: Room, tmp_path: Path) -> None:
    words, _field = PRINTING["comparison"]
    said = room.hexdeck(*words, "--data", str(tmp_path / "f.json"))
    assert said.status == 0 and said.out == room.hexdeck(*words).out and "f.json" in said.err.replace("\n", "")
    assert strict((tmp_path / "f.json").read_text(encoding="utf-8"))["parts"]
    assert room.hexdeck(*words, "--data", str(tmp_path / "no" / "f.json")).status == 2


def test_figures_of_a_simulation_are_its_results(room: Room) -> None:
    found = strict(room.hexdeck(*PRINTING["simulation"][0], "--json").out)
    results = hexdeck.game("hawthorn", 2).simulate(20, ["house", "house"], seed=3)
    values = {(each["measure"], each["of"]): each["value"] for each in found["measures"]}
    assert [values["result", seat] for seat in (0, 1)] == pytest.approx(list(results.means()))  # data count from 0
    assert values["first", 0] + values["first", 1] == pytest.approx(1)
    assert sum(value for (measure, _of), value in values.items() if measure == "ended") == pytest.approx(1)
    assert values["decisions", None] == pytest.approx(results.moves.mean())


def test_figures_of_an_analysis_are_its_decisions(room: Room) -> None:
    room.monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    room.hexdeck("play", "hawthorn", "--seed", "3", "-n", "2", "--bots", "house", typed=ANY_MOVES)
    (path,) = room.saved("finished")
    found = strict(room.hexdeck("analyse", str(path), "--games", "2", "--seat", "1", "--json").out)
    assert found["seat"] == 0 and found["decisions"]
    assert {"ply", "prompt", "played", "best", "best_value", "cost", "margin"} <= set(found["decisions"][0])


def test_games_are_listed_as_data(room: Room) -> None:
    found = strict(room.hexdeck("games", "high-handed", "--json", "--lang", "nl").out)
    (game,) = found["games"]
    options = {each["name"]: each for each in game["options"]}
    assert (found["what"], game["name"], game["players"]) == ("games", "high-handed", [2, 6])
    assert options["manual_draw"]["default"] == "off" and "van 1 tot en met 6" in options["grandpa_rule"]["allowed"]
    assert set(game["levels"]) == set("23456") and "best" in game["levels"]["4"]
    names = [each["name"] for each in strict(room.hexdeck("games", "--json").out)["games"]]
    assert sorted(names) == [*hexdeck.game_names()] and names[0] == "cursed-hand"  # the soonest learned


def test_a_replay_as_data_tells_only_what_the_seat_saw(room: Room) -> None:
    words = [*PRINTING["replay"][0], "--ply", "12", "--json", "--seat", "2"]
    found = strict(room.hexdeck(*words).out)
    hands = {zone["id"]: zone["cards"] for zone in found["view"]["zones"] if zone["id"].startswith("hand-")}
    assert (found["seat"], found["ply"], len(found["narration"])) == (1, 12, 12)
    assert hands["hand-1"] and not hands["hand-0"] and found["view"]["seat"] == 1


def test_what_one_seat_is_told_is_in_no_replay_of_another(room: Room) -> None:
    words = ["replay", "cursed-hand", "--number", "1", *FEW, "--json", "--seat"]
    one, other = ({*sum(strict(room.hexdeck(*words, seat).out)["narration"], [])} for seat in "12")
    assert one - other and other - one and one & other


def test_what_is_no_number_is_null() -> None:
    assert finite({"a": float("inf"), "b": [float("nan"), 1.5], "c": (True, None, "x")}) == {
        "a": None,
        "b": [None, 1.5],
        "c": [True, None, "x"],
    }


# --- the page ---------------------------------------------------------------------------------------------------------
def test_a_comparison_without_a_file_says_where_the_rest_is_and_can_show_it(room: Room, tmp_path: Path) -> None:
    words, shown = PRINTING["comparison"][0], []
    room.monkeypatch.setattr("webbrowser.open", shown.append)
    assert "--open shows it, --page FILE writes it" in " ".join(room.hexdeck(*words).err.split())
    said = room.hexdeck(*words, "--open")
    assert said.status == 0 and "--open shows it" not in said.err
    (address,) = shown
    assert "<html" in Path(address.removeprefix("file://")).read_text(encoding="utf-8")
    room.hexdeck(*words, "--open", "--page", str(tmp_path / "page.html"))
    assert shown[1] == (tmp_path / "page.html").as_uri()


# --- numbers ----------------------------------------------------------------------------------------------------------
def test_numbers_are_written_as_the_language_writes_them() -> None:
    english, dutch = Catalogue(), Catalogue("nl", (LOCALE,))
    for value, digits, shown in ((12345.678, 2, "12,345.68"), (0.25, 2, "0.25"), (12000, 0, "12,000")):
        written = say("{value}", value=number(value, digits))
        assert english.words(written) == shown
        assert dutch.words(written) == shown.translate(str.maketrans(",.", ".,"))
