"""Shared variants: the same file and link, opened again; what another version or a broken file is told; agreement."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.authoring import fork_game
from hexdeck.cli import main
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab import workshop
from hexdeck.lab.sharing import SharedVariant, agreement, from_file, from_link
from hexdeck.lab.workshop import Figures, Inquiry, Measurement, figures_of
from hexdeck.web.server.workshop import shared_wish
from tests.compiled import warm
from tests.support import for_each

HAWTHORN = hexdeck.game("hawthorn").at_table("hawthorn", 3)
ASKED = Inquiry(HAWTHORN.variant(fold_price="own"), ("house",) * 3, HAWTHORN, 7, 300, 2)


@pytest.fixture(scope="module")
def shared() -> Any:
    warm("hawthorn", "fast")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", "fast")
        yield SharedVariant.of(ASKED, measured(ASKED))


def measured(asked: Inquiry) -> Figures:
    with ThreadPoolExecutor(2) as pool:
        measurement = Measurement(asked, 2, pool)
        while not measurement.done:
            measurement.step()
        return figures_of(measurement)


def test_a_file_and_a_link_hold_the_same_and_make_the_same_figures(
    shared: SharedVariant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "ENOUGH", 1.0)  # it plays on all the same
    opened = from_file(shared.text)
    assert opened == from_link(f"https://cards.example/shared?it={shared.token}")
    assert opened == from_link(shared.token)
    assert (opened.again, opened.hexdeck, opened.text) == (ASKED, hexdeck.__version__, shared.text)
    assert (shared.figures.games, shared.figures.matches) == (300, 2)
    assert (
        agreement(opened, measured(opened.again)) == f"They agree: all {len(opened.figures.rows)} figures are the same."
    )


def changed(shared: SharedVariant, **fields: Any) -> str:
    return json.dumps(shared.data | fields)


def test_figures_of_other_sources_agree_but_for_chance_or_do_not(shared: SharedVariant) -> None:
    other = from_file(changed(shared, code="0" * 16))
    assert "its figures may differ" in other.origin and "the same" in shared.origin
    again = measured(replace(ASKED, seed=8))
    assert agreement(other, again).startswith("They agree but for chance: the sources are others")
    assert agreement(shared, again).startswith("They don't agree, though the same program")
    far = measured(replace(ASKED, game=HAWTHORN.variant(deals=3)))
    assert agreement(other, far).startswith("They don't agree, and the sources are others: ")
    fewer = measured(replace(ASKED, games=200))
    assert agreement(shared, fewer).startswith("They agree but for chance: there was time for 200 games")


@for_each(
    ("fields", "why"),
    [
        ({"format": 2}, "in another form than version"),
        ({"format": True}, "is damaged"),
        ({"players": True}, "is damaged"),
        ({"options": {"chips": True}}, "can't be True; it takes a whole number"),
        ({"code": "x" * 20_000}, "it has more than 20,000 bytes"),
        ({"what": "compare"}, "is damaged"),
        ({"game": "my-hawthorn"}, "There is no game my-hawthorn here"),
        ({"game": ["x"]}, "is damaged"),
        ({"players": 99}, "hawthorn is for 2 to 8 players, not 99"),
        ({"options": {"pairs": "double"}}, "can't be played by the program here, which is version"),
        ({"options": {"name": 1}}, "is damaged"),
        ({"bots": ["python:x.py"] * 3}, "no such bots"),
        ({"bots": ["house"]}, "no such bots"),
        ({"seed": -1}, "is damaged"),
        ({"figures": {}}, "is damaged"),
        ({"hexdeck": "\ud800"}, "is damaged"),
        ({"hexdeck": "\x1b]0;a title\x07"}, "is damaged"),
        ({"figures": {"unit": "\u202e"}}, "is damaged"),
    ],
)
def test_what_cannot_be_opened_says_why_in_one_sentence(shared: SharedVariant, fields: Any, why: str) -> None:
    with pytest.raises(HexdeckError) as refused:
        from_file(changed(shared, **fields))
    assert why in str(refused.value) and "\n" not in str(refused.value)


def test_an_address_that_is_none_is_no_shared_variant() -> None:
    with pytest.raises(HexdeckError, match="no shared variant"):
        from_link("http://[x/?it=1")


@for_each("field", ["games", "matches", "margin", "fair", "place", "unit", "found", "rows", "done"])
@for_each("value", [None, True, 1.5, -1, 10**400, "x" * 1000, [1], {"a": 1}, [{"group": "shares"}]])
def test_broken_figures_are_refused(shared: SharedVariant, field: str, value: Any) -> None:
    if (field, value) in (
        ("margin", None),
        ("margin", -1),
        ("margin", 1.5),
        ("fair", -1),
        ("fair", 1.5),
        ("done", True),
    ):
        return
    with pytest.raises(HexdeckError, match="is damaged"):
        from_file(changed(shared, figures=shared.data["figures"] | {field: value}))


@for_each(
    "row",
    [
        {"value": 3},
        {"ends": [1, 2]},
        {"ends": [1, 2, "x"]},
        {"group": "x"},
        {"sure": "x"},
        {"sure": 1},
        {"title": "x" * 601},
    ],
)
def test_a_broken_row_is_refused(shared: SharedVariant, row: Any) -> None:
    figures = shared.data["figures"]
    rows = [figures["rows"][0] | row, *figures["rows"][1:]]
    with pytest.raises(HexdeckError, match="is damaged"):
        from_file(changed(shared, figures=figures | {"rows": rows}))


@for_each("text", ["", "{", "[]", "null", "[" * 15_000, "\0", '{"what": "variant"}'])
def test_a_broken_file_or_link_is_refused(text: str) -> None:
    for read in (from_file, from_link):
        with pytest.raises(HexdeckError, match="is damaged"):
            read(text)


def test_a_link_that_holds_too_much_is_refused(shared: SharedVariant) -> None:
    with pytest.raises(HexdeckError, match="more than 20,000 bytes"):
        from_link(replace(shared, code="x" * 20_000).token)


def test_commands_share_and_open(shared: SharedVariant, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.json"
    typed = ["hawthorn", str(file), "-n", "3", "-o", "fold_price=own", "--games", "300", "--sample", "2", "--seed", "7"]
    assert main(["share", *typed]) == 0
    assert file.read_text() == shared.text
    capsys.readouterr()
    assert main(["open", str(file), "--again"]) == 0
    told = capsys.readouterr().out
    assert "Beside it, on the same cards: the game as tables play it, deals=3." in " ".join(told.split())
    assert "seed 7: 300 games." in told and "They agree: all" in told
    assert "hexdeck play hawthorn --players 3 --option fold_price=own" in told
    assert "hexdeck print hawthorn --players 3 --option deals=3 --option fold_price=own" in told
    file.write_text(shared.text.replace('"value": "', '"value": "9'))
    assert main(["open", str(file), "--again"]) == 1
    assert "They don't agree" in capsys.readouterr().out
    assert main(["open", str(tmp_path / "none.json")]) == main(["share", *typed, "--bots", "search:9"]) == 2
    assert "There is no file" in (told := capsys.readouterr().err) and "is played by one of house, random" in told


def test_a_fork_is_shared_without_its_rules_as_is_said_where_one_shares_and_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    file, folder = tmp_path / "fork.json", fork_game("hawthorn", "my-own", tmp_path)
    forget()
    typed = ["my-own", str(file), "-n", "2", "-o", "chips=20", "--games", "20", "--sample", "1"]
    assert main(["share", *typed]) == 0
    apart = "Its rules, a program, aren't in what is shared: whoever opens it needs the folder my_own, too."
    assert apart in " ".join(capsys.readouterr().out.split())
    opened = from_file(file.read_text())
    assert opened.inquiry.against == GameSetup.at_table("hawthorn", 2)  # what it was made from
    assert main(["open", str(file), "--again"]) == 0 and "They agree" in capsys.readouterr().out
    at_table = Inquiry(hexdeck.game("my-own", 2), ("house",) * 2, GameSetup.at_table("hawthorn", 2))
    wish = shared_wish(from_file(replace(opened, inquiry=at_table).text).inquiry)
    assert wish.against == "" and wish.base == at_table.against
    rules = (folder / "rules.py").read_text(encoding="utf-8")
    (folder / "rules.py").write_text(rules.replace("return r + 1", "return 2 * (r + 1)"), encoding="utf-8")
    assert main(["open", str(file), "--again"]) == 2
    assert "its rules here are others than those that were shared" in capsys.readouterr().err
    folder.rename(tmp_path / "other")
    forget()
    assert main(["open", str(file)]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith("hexdeck: There is no game my-own here: its rules, a program, aren't in what was shared;")
    forget()
