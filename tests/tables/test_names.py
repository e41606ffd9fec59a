"""Names as people type them: what is invisible goes, signs stay whole, and nobody sits beside a double."""
# ruff: noqa: RUF001 - letters that pass for others are what it is about

import pytest

from hexdeck.engine.errors import BadOption
from hexdeck.tables.player_names import (
    LIKE,
    LONGEST_NAME,
    appearances,
    checked_name,
    cleaned_name,
    free_name,
    one_line,
    signs,
)
from hexdeck.web.html.rendering import likeness_of

FAMILY, WALES, DUTCH, HEART = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "\U0001f1f3\U0001f1f1",
    "\u2764\ufe0f\u200d\U0001f525",
)
WAVE, ONE = "\U0001f44b\U0001f3fd", "1\ufe0f\u20e3"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Anna\u00a0 Lisa ", "Anna Lisa"),
        ("An\u200bn\u2060a\ufe0f\u202e", "Anna"),  # no space, joiner, selector or direction that can't be seen
        ("\u3164\u115f\u2800\u034f", ""),
        ("\u0301\u0301\u0301", ""),
        ("a" + "\u0301" * 9, "a\u0301\u0301"),
        (f"Bo {FAMILY}", f"Bo {FAMILY}"),
        (WALES, WALES),
        (HEART + DUTCH + WAVE + ONE, HEART + DUTCH + WAVE + ONE),
        (f"{FAMILY}\u200d", FAMILY),
        ("Annabel Lee " + FAMILY, "Annabel Lee"),  # whole or not at all
        ("x" + WALES[:-1] + "\u2764\ufe0f\ufe0f", "x\U0001f3f4\u2764\ufe0f"),  # parts that belong to nothing
        ("\U0001d159\ufffc\u303f", ""),
        (None, ""),
    ],
)
def test_a_name_has_nothing_invisible_and_only_whole_signs(typed: str | None, name: str) -> None:
    assert cleaned_name(typed) == name
    assert len(name) <= LONGEST_NAME


def test_a_message_has_the_same_marks_as_a_name() -> None:
    assert one_line(f"a\u200bb {FAMILY} \u3164") == f"ab {FAMILY}"


def test_signs_are_told_apart_as_readers_see_them() -> None:
    assert list(signs("e\u0301" + FAMILY + DUTCH + DUTCH + WAVE + "x")) == ["e\u0301", FAMILY, DUTCH, DUTCH, WAVE, "x"]
    assert likeness_of(FAMILY + "x", bot=False).initial == FAMILY


@pytest.mark.parametrize(
    "double",
    [
        "anna",
        "\u0410nn\u0430",  # in Cyrillic letters
        "\u0391nna",  # in Greek ones
        "\uff21\uff4e\uff4e\uff41",  # wide ones
        "\ua4ee\ua4e0\ua4e0\ua4ee",  # Lisu ones
        "\u13aa\u039d\u039d\u13aa",  # Cherokee ones
        "\ua4ee\u144e\u144e\u15c5",  # Canadian ones
        "\u1d00\u0274\u0274\u1d00",  # small capitals
        "A\u0301nna",
        "A n.n a",
    ],
)
def test_names_that_look_alike_dont_sit_together(double: str) -> None:
    assert free_name(double, ["Bert", "Anna"], 2) == f"{double} 2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0lga", "Olga"),
        ("BilI", "Bill"),
        ("Marn", "Mam"),
        ("lvvan", "Iwan"),
        ("B\u0131ll", "Bill"),
        ("\u13d4ol\ua4d6", "Wolg"),
        ("\ua4ee\ua4e1\uab7c\ua4eb", "alex"),
        ("\U0001f600", "\U0001f600\ufe0f"),
        ("...", "\u2026"),
    ],
)
def test_signs_that_look_alike_are_one(one: str, other: str) -> None:
    assert appearances(one) & appearances(other)


ALPHABETS = {  # letters that pass for Latin ones, in the order of those
    "Greek": ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲανουρχγκτω", "abezhikmnoptyxcavoupxyktw"),
    "Cyrillic": ("АВЕЅІЈКМНОРСТУХаесорѕіјухԁԛԝһӏгпѵү", "abesijkmhopctyxaecopsijyxdqwhlrnvy"),
    "Armenian": ("ՏօսհցզոյԼ", "souhgqnjl"),
    "Lisu": ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "abcdefghijklmnoprstuvwxyz"),
    "Cherokee": ("ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃ", "abcdeghijklmprstvwyz"),
    "Canadian": ("ᗅᗷᑕᗞᗴᖴᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ᙭ᙆ", "abcdefhjlmnprsuvwxz"),
    "Coptic": ("ⲀⲂⲤⲎⲒⲔⲘⲚⲞⲢⲦⲬⲨ", "abchikmnoptxy"),
    "small capitals": ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
    "squares": ("".join(chr(0x1F170 + k) for k in range(26)), "abcdefghijklmnopqrstuvwxyz"),
    "hooks and strokes": ("ɑƀƈđɇƒɠħɨɉƙłɱɲøƥɋɍʂŧʉʋⱳɏƶıɡſ", "abcdefghijklmnopqrstuvwyzigs"),
    "digits": ("٠١٢٣०१२३", "01230123"),
    "bars": ("|ǀ∣│׀丨", "llllll"),
}


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_letters_that_pass_for_latin_ones_are_those(alphabet: str) -> None:
    letters, latin = ALPHABETS[alphabet]
    for letter, like in zip(letters, latin, strict=True):
        assert appearances(f"ab{letter}cd") & appearances(f"ab{like}cd"), (letter, like)


def test_everything_that_is_listed_as_alike_is() -> None:
    for group in LIKE.split():
        for other in group[1:]:
            assert appearances(f"ab{other}cd") & appearances(f"ab{group[0]}cd"), (group[0], other)


@pytest.mark.parametrize(
    ("one", "other"), [("-", "\u2013"), ("\u2010", "-"), ("\u2212", "-"), ("Ανν", "ΑΝΝ"), ("An\u02c8na\u01c3", "Anna")]
)
def test_dashes_capitals_and_modifiers_make_no_other_name(one: str, other: str) -> None:
    assert free_name(one, [other], 0) != one


@pytest.mark.parametrize(
    "name",
    [
        "\u0410nna",
        "Ann\u03b1",
        "B\u05d0ll",
        "B\u0627ll",
        "Se\ua4e0",
        "\u13aa\u039d\u039d",
        "K\u1d2fot\u0436",
        "\u2135nna",
    ],
)
def test_letters_of_two_alphabets_arent_mixed_in_a_name(name: str) -> None:
    with pytest.raises(BadOption, match="two alphabets"):
        checked_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Zoë Łuk",
        "Анна 2",
        "Ελένη",
        "健 Ken ひろ ー 〆",
        "김 Kim",
        "Anna \U0001f600",
        "\u01c0Xam",
        "ʻOkina",
        "שרה",
        "Саша №1",
        "\uff21nna",
    ],
)
def test_other_letters_and_signs_stand_together(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize(("one", "other"), [("Anna", "Hanna"), ("Bert", "Bart"), (FAMILY, WAVE), ("Anna", "Anna 2")])
def test_other_names_sit_together(one: str, other: str) -> None:
    assert free_name(one, [other], 0) == one


def test_a_double_of_a_double_gets_the_next_number_and_stays_short() -> None:
    names: list[str] = []
    for _ in range(9):
        names.append(free_name(cleaned_name("Wolfgang Amadeus " + FAMILY), names, 0))
    assert len(set(names)) == 9 and max(map(len, names)) <= LONGEST_NAME
