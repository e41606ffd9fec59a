"""Words that readers stumble over stay out of the sentences, in English and in Dutch."""

import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

PACKAGE = Path(__file__).parents[2] / "src" / "hexdeck"
# What not to write, as a regular expression, and what to write instead.
ENGLISH = {
    r"Set (a|the) table\b": "Set up a table",
    r"\bset from your address|sets the table": "sets up the table",
    r"Nothing lies here": "Not found",
    r"Let talk again|\bsilence[sd]? (a|your) ": "mute, unmute",
    r"[Ww]hat stands (after|under)": "± is …, Under “…” are …",
    r"gone on with": "resumed",
    r"\brulings? weighs?\b": "how much each ruling matters",
    r"weighs? (heavily|little)\b": "dominates, matters little",
    r"handed round|handed on\b": "pass it round",
    r"[Ll]ooked? back\b|Looking back": "replay",
    r"long evenings": "tonight",
    r"[Tt]he coach is silent": "Explanations are off",
    r"\bmade anew each time": "compiled again each time",
    r"to go on with; start": "to resume",
    r"existed only as rule sheets": "made from their public rule sheets",
    r"keeps? (the table|it) from having chosen": "then the server cannot have picked the cards, unless …",
    r"anything that shows\b": "a measurable difference",
    r"\{points\} points (less|more) often": "percentage points",
    r"\bin the mean\b": "on average",
    r"pip install '?hexdeck\b": "pip install '.[EXTRA]' in Hexdeck's folder: the name is on no index",
}
DUTCH = {
    r"[Kk]loksgewijs": "met de klok mee",
    r"[Ww]antrouw": "omdraaien",
    r"\b[Ll]ukra": "willekeurig",
    r"\bgelote\b": "willekeurige",
    r"\b[Zz]aad\b|\bstartgetal\b": "seed",
    r"\b[Tt]oestel\b": "apparaat",
    r"\b[Gg]astheer\b": "host",
    r"zwijgen (op|gelegd)": "dempen",
    r"\b[Dd]ekt? (een|de) tafel|tafels gedekt": "een tafel maken",
    r"\b[Ww]ie gelijk staan": "spelers die gelijk staan",
    r"\b[Ll]ezing(en)?\b": "regelkeuze",
    r"[Kk]unde\b": "vaardigheid",
    r"Hier ligt niets": "Pagina niet gevonden",
    r"iets stuk\b": "Er ging iets mis",
    r"neem haar (eerst )?terug": "neem je plaats terug",
    r"\b[Dd]e keuze \{name\}|geen keuze \{name\}": "optie",
    r"\b[Aa]ls meer spelers\b|\b[Ww]aar meer mensen\b": "meerdere",
    r"\{points\} punten": "procentpunt",
    r"\b(uw|Uw)\b": "je, jouw",
    r"\bhints?\b": "tip",
    r"[Ss]peel nu\b|^Kopieer$|^Bewaar$|^Nodig uit$|^Kijk terug$": "buttons are infinitives",
}


def sentences(package: Path) -> Iterator[tuple[str, str, str]]:
    """Each sentence of the catalogues: its language, where it is said, and itself."""
    for file in sorted(package.rglob("messages.po")):
        for message in read_po(file.read_bytes().splitlines(), locale="nl"):
            places = ", ".join(place for place, _line in message.locations)
            for texts, lang in ((message.id, "en"), (message.string, "nl")):
                yield from ((lang, places, text) for text in ([texts] if isinstance(texts, str) else texts) if text)


def pages(root: Path) -> Iterator[tuple[str, str, str]]:
    """Each line of what is written for readers: README, changelog, documentation, rules pages."""
    docs = [file for file in (root / "docs").rglob("*.md") if not {"_build", "generated"} & set(file.parts)]
    for file in [*root.glob("*.md"), *docs, *(root / "src").rglob("rules.*.md"), *(root / "src").rglob("example.*.md")]:
        lang = "nl" if ".nl." in file.name or file.parent.name == "nl" else "en"
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            yield lang, f"{file.relative_to(root)}:{number}", line


def stumbles(said: Iterator[tuple[str, str, str]]) -> list[str]:
    """The sentences with a word that isn't to be written, each with what to write instead."""
    return [
        f"{places}: {text!r} has {found[0]!r}; write: {better}"
        for lang, places, text in said
        for pattern, better in (ENGLISH if lang == "en" else DUTCH).items()
        if (found := re.search(pattern, text))
    ]


def test_no_sentence_and_no_page_has_a_word_that_readers_stumble_over() -> None:
    found = [*stumbles(sentences(PACKAGE)), *stumbles(pages(PACKAGE.parents[1]))]
    assert found == [], "\n".join(found)


def test_such_a_word_would_be_found() -> None:
    said = [("en", "a.py", "Set a table"), ("nl", "b.py", "De gastheer is weg."), ("nl", "b.py", "Set a table")]
    assert stumbles(iter(said)) == [
        "a.py: 'Set a table' has 'Set a table'; write: Set up a table",
        "b.py: 'De gastheer is weg.' has 'gastheer'; write: host",
    ]
