"""Black Hearts, the file of what is printed on the cards: its values are defaults, and each mistake gets a sentence."""

import re
from pathlib import Path

import pytest

import hexdeck
from hexdeck.games.black_hearts import rules, values
from tests.support import stage

from .staging import NAME

NAMES = ("curse_numbers", "curse_points", "fixed_numbers", "two_oclock", "random_copies", "gift_copies")

COPIES, POINTS = "copies = [3, 3, 3, 3, 3, 3]", "points = [1, 1, 2, 2, 3, 4]"


def edited(folder: Path, old: str, new: str) -> Path:
    text, file = values.FILE.read_text(encoding="utf-8"), folder / "cards.toml"
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def refused(file: Path) -> str:
    with pytest.raises(values.BadCards) as error:
        values.printed(file)
    assert isinstance(error.value, hexdeck.HexdeckError) and str(error.value.text) == str(error.value)
    return str(error.value)


@pytest.mark.rule("BH-1", "BH-2", "BH-3", "BH-7")
def test_the_file_has_the_values_of_the_rules_page() -> None:
    assert values.printed() == {
        "curse_numbers": "1-2-3-4-5-6",
        "curse_points": "1-1-2-2-3-4",
        "fixed_numbers": "1-2-3-4-5-6",
        "two_oclock": 2,
        "random_copies": "3-3-3-3-3-3",
        "gift_copies": "2-1-1-1-1",
    }


@pytest.mark.rule("BH-2")
def test_its_values_are_the_defaults_of_options() -> None:
    assert {option.name: option.default for option in rules.OPTIONS if option.name in NAMES} == values.printed()
    assert set(NAMES) <= stage(NAME, 3).record().data()["options"].keys()  # so that a record never needs the file


@pytest.mark.rule("BH-2", "BH-13")
def test_an_owner_may_change_them(tmp_path: Path) -> None:
    file = edited(tmp_path, POINTS, "points = [0, 20, 0, 1, 0, 3]")
    assert values.printed(file)["curse_points"] == "0-20-0-1-0-3"
    file.write_text(file.read_text(encoding="utf-8").replace("mercy = 1", "mercy = 9"), encoding="utf-8")
    assert values.printed(file)["gift_copies"] == "2-1-1-1-9"
    assert values.printed(edited(tmp_path, "two_oclock = 2", "two_oclock = 1"))["two_oclock"] == 1
    assert values.printed(edited(tmp_path, "upside-down = 2", "upside-down = 0"))["gift_copies"] == "0-1-1-1-1"


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("curse_numbers", values.NUMBERS),
        ("curse_points", values.POINTS),
        ("fixed_numbers", values.NUMBERS),
        ("random_copies", values.COPIES),
    ],
)
def test_the_file_takes_what_the_options_take(name: str, entry: values.EntryShape) -> None:
    option = next(option for option in rules.OPTIONS if option.name == name)
    for number in (-1, 0, 1, 6, 7, 9, 10, 20, 21):
        for length in range(8):
            try:
                taken = bool(option.parse([number] * length))
            except hexdeck.BadOption:
                taken = False
            assert entry.takes([number] * length) == taken


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[curse]", "[curse", "cards.toml can't be read: "),
        ("two_oclock = 2", "two_oclock = 2\nthree = 3", "unknown entry, fixed.three; the entries are fixed."),
        ("[gifts]", "[presents]", "unknown entry, presents; the entries are curse, fixed, random, gifts."),
        ("mercy = 1", "", "cards.toml lacks gifts.mercy; it must have gifts.upside-down, gifts.early-bird,"),
        (COPIES, "", "cards.toml lacks random.copies; it must have random.copies."),
        (
            COPIES,
            "copies = [3, 3, 3, 3, 3]",
            "In cards.toml, random.copies can't be [3, 3, 3, 3, 3]; it must be a list of 6 whole numbers from 0 to 9.",
        ),
        (COPIES, "copies = [3, 3, 3, 3, 3, 10]", "it must be a list of 6 whole numbers from 0 to 9."),
        (COPIES, "copies = 3", "random.copies can't be 3; it must be a list of 6 whole"),
        (
            POINTS,
            "points = [1, 1, 2, 2, 3, 21]",
            "curse.points can't be [1, 1, 2, 2, 3, 21]; it must be a list of 1 to 6 whole numbers from 0 to 20.",
        ),
        (POINTS, "points = [1, 1, 2, 2, 3, -1]", "from 0 to 20."),
        (POINTS, "points = [1, 1, 2, 2, 3, true]", "from 0 to 20."),
        (POINTS, 'points = "1-1-2-2-3-4"', "curse.points can't be '1-1-2-2-3-4'; it must be a list"),
        (
            POINTS,
            "points = [0, 0, 0, 0, 0, 0]",
            "cards.toml: the Curse cards carry no points; together they need at least 1.",
        ),
        (POINTS, "points = [1]", "cards.toml: there are 6 Curse cards, but points for 1; each card needs its own."),
        ("two_oclock = 2", "two_oclock = 7", "In cards.toml, fixed.two_oclock can't be 7; it must be a whole number"),
        ("two_oclock = 2", "two_oclock = 0", "it must be a whole number from 1 to 6."),
        ("two_oclock = 2", "two_oclock = 2.0", "fixed.two_oclock can't be 2.0; it must be a whole number from 1 to 6."),
        ("two_oclock = 2", "two_oclock = true", "fixed.two_oclock can't be True; it must be"),
        ("second = 1", "second = 10", "gifts.second can't be 10; it must be a whole number from 0 to 9."),
    ],
)
def test_a_mistake_in_the_file_gets_one_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    said = refused(edited(tmp_path, old, new))
    assert sentence in said and said.endswith(".") and "\n" not in said


def test_a_section_must_be_a_section_and_two_oclock_one_of_the_cards(tmp_path: Path) -> None:
    text, file = values.FILE.read_text(encoding="utf-8"), tmp_path / "cards.toml"
    file.write_text("random = 3\n" + re.sub(r"(?ms)^\[random\].*?(?=^\[)", "", text), encoding="utf-8")
    assert refused(file) == "In cards.toml, random must be a section: [random]."
    fixed = "numbers = [1, 2, 3, 4, 5, 6]\ntwo_oclock = 2"
    file = edited(tmp_path, fixed, "numbers = [6]\ntwo_oclock = 2")
    assert refused(file) == "cards.toml: Two o'clock can't be Fixed card 2; there are 1 of them."


def test_a_file_that_is_missing_or_no_text_is_told_of(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.toml").startswith("none.toml can't be read: ")
    (tmp_path / "cards.toml").write_bytes(b"\xff\xfe\x00")
    assert refused(tmp_path / "cards.toml").startswith("cards.toml can't be read: ")
