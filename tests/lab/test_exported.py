"""The figures for other programs are those of the page, every field is told, and the file is strict JSON."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from schemas import FIELDS

import hexdeck
from hexdeck.lab import tension
from hexdeck.lab.counts import ENDED, collect
from hexdeck.lab.effects import MEASURE
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.pairs import compare
from hexdeck.lab.reporting.report import part_of
from hexdeck.lab.reporting.tables import estimate_fields
from hexdeck.stats import Estimate
from tests.people import Room
from tests.settings import much
from tests.support import for_each

INNER = {name for meaning in FIELDS.values() for name in re.findall(r"`(\w+)`", meaning)}  # told with what has them


def fields(value: Any) -> set[str]:
    """All keys in a file; what options are called is the game's own business."""
    if isinstance(value, list):
        return {key for each in value for key in fields(each)}
    if not isinstance(value, dict):
        return set()
    inner = {key for name, each in value.items() if name != "options" for key in fields(each)}
    return {*value, *inner}


def read(file: Path) -> dict[str, Any]:
    def never(word: str) -> None:
        raise ValueError(word)

    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"), parse_constant=never)
    return found


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """With machine code, whatever the environment says."""
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setattr("hexdeck.lab.reporting.report.DEALS", 4)
    for what, few in (("MOMENTS", 3), ("WORLDS", 4), ("FRESH", 8), ("TRIALS", 4)):
        monkeypatch.setattr(f"hexdeck.lab.tension.{what}", much(few, getattr(tension, what)))


def test_a_report_has_all_measures_of_each_part(room: Room, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    players = much([2], [2, 3])
    words = "--games 30 --seed 5 --sample 1 --option fold_price=own --data"
    said = room.hexdeck("report", "hawthorn", "-n", *map(str, players), *words.split(), str(file))
    assert said.status == 0, said.err
    found = read(file)
    assert fields(found) <= {*FIELDS, *INNER}
    assert (found["what"], found["game"], found["seed"]) == ("report", "hawthorn", 5)
    assert [part["players"] for part in found["parts"]] == players
    for part in found["parts"]:
        game = hexdeck.game("hawthorn", part["players"], fold_price="own")
        assert part["options"] == dict(game.options)
        counted = collect(SimulationSetup(game, "house", 5), 30)
        rows = {(row["measure"], row["of"]): row for row in part["measures"]}
        assert len(rows) == len(part["measures"])
        for name in counted.names:
            row = rows[name[0], MEASURE[name[0]].of.keys(part_of(SimulationSetup(game)))[name[1] - (name[0] == ENDED)]]
            assert {key: row[key] for key in ("value", "low", "high", "count")} == estimate_fields(counted[name])
        assert rows["lead_50", None]["usual"] > 0.5 and "usual" not in rows["turns", None]
        assert (part["start"]["how"], part["start"]["games"]) == ("earned", 30)
        assert part["minutes"]["cards"]["total"] > part["minutes"]["screen"]["total"] > 0
        (account,) = part["accounts"]
        for seat, total in enumerate(account["total"]):
            assert sum(each["seats"][seat]["value"] for each in account["sources"]) == pytest.approx(total["value"])
        cards = [row for row in part["measures"] if row["measure"] == "held"]
        assert account["unit"] == "chips" and [row["of"] for row in cards] == [str(k) for k in range(1, 11)]
        endings = [row["of"] for row in part["measures"] if row["measure"] == "ended"]
        assert endings == list(game.rules.ENDINGS[1:])
        assert rows["swing", None]["value"] is None and rows["swing", None]["count"] == 0  # one game: unknown


def test_a_comparison_has_both_variants_and_the_difference(room: Room, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    words = ["compare", "hawthorn", "-n", "2", "--b", "fold_price=own", "--games", "60", "--sample", "10"]
    assert room.hexdeck(*words, "--data", str(file)).status == 0
    found = read(file)
    (part,) = found["parts"]
    assert fields(found) <= {*FIELDS, *INNER} and found["what"] == "comparison" and found["findings"]
    assert part["options"]["before"] | {"fold_price": "own"} == part["options"]["after"] != part["options"]["before"]
    a, b = (hexdeck.game("hawthorn", 2, **options) for options in ({}, {"fold_price": "own"}))
    same = compare(SimulationSetup(a), b, most=60)
    assert part["games"] == len(same) and part["bots"] == ["house"] * 2
    for row, name in zip(part["measures"], same.compared, strict=False):
        assert row["measure"] == name[0] and row["difference"] == estimate_fields(same.change(name).difference)
    beside = {row["measure"]: row for row in part["measures"][len(same.compared) :]}
    assert beside.keys() >= {"lead_changes", "drama", "duel_lots"} and part["looked_at"] == 10
    assert beside["drama"]["before"]["count"] == 10 and 0 < beside["duel_lots"]["after"]["value"] < 1


def test_what_is_not_known_is_null() -> None:
    assert estimate_fields(Estimate(float("nan"), float("-inf"), float("inf"), 0)) == {
        "value": None,
        "low": None,
        "high": None,
        "count": 0,
    }


@for_each("words", [["report", "hawthorn"], ["compare", "hawthorn", "--b", "fold_price=own"]])
def test_page_and_figures_are_two_files(room: Room, tmp_path: Path, words: list[str]) -> None:
    said = room.hexdeck(*words, "--page", str(tmp_path / "one"), "--data", str(tmp_path / "." / "one"))
    assert said.status == 2 and "--page and --data can't be the same file" in said.err and not [*tmp_path.iterdir()]
