"""Keep the catalogues of messages in step with the sources: one shared catalogue, and one in each game's folder.

Without arguments: collect the messages of `say`, `say_n` and `_` and update every `messages.po`. A new message is left
untranslated, or given the translation of a similar old one, marked fuzzy.
With `--check`: change nothing; print what is wrong, one line each, and exit 1 if anything is.
"""

import argparse
import io
import re
import string
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = "nl"
SAME = "locale/same_in_dutch.txt"
KEYWORDS = {"say": (1,), "say_n": (1, 2), "_": (1,)}


def commands(file: BinaryIO, *_rest: Any, **_options: Any) -> Iterator[tuple[int, str, str, list[str]]]:
    """The messages of a table of commands, as Babel's extractors give them: help, names of values that are words."""
    table = tomllib.load(file)
    for options in (table.pop("options"), *(command.get("options", {}) for command in table.values())):
        for option in options.values():
            texts = option.get("help"), option.get("metavar"), option.get("section")
            yield from ((1, "say", text, []) for text in texts if text and re.search("[A-Z]{3}|[a-z]", text))
    for command in table.values():
        captions = (
            *(caption for caption, _typed in command.get("examples", ())),
            *dict(command.get("bots", ())).values(),
        )
        yield from ((1, "say", text, []) for text in (command["about"], *captions))


ENGLISH = re.compile(  # what only designers and researchers read is in English alone
    r"(lab|research)/|envs/mcp_server|bots/players/(policies|programs)\.py|cli/(report|simulate|compare|share|tournament|train|solve|benchmark)\.py|web/(html|server|templates)/workshop|authoring/forks|web/routes/forks"
)
METHODS: Any = [("**.py", "python"), ("**.html", "jinja2"), ("cli/commands.toml", commands)]


class Plain(Catalog):
    """A catalogue whose header holds no dates, names or versions: the same messages give the same bytes."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The header, as names and values."""
        return [
            ("Language", LANGUAGE),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", get_plural(LANGUAGE).plural_forms),
        ]


@dataclass(frozen=True)
class Domain:
    """A folder of sources and the catalogue of their messages; `shared` leaves out the folders of games."""

    folder: Path
    shared: bool = False

    @property
    def po(self) -> Path:
        """What translators edit."""
        return self.folder / "locale" / LANGUAGE / "LC_MESSAGES" / "messages.po"

    def wanted(self, folder: str) -> bool:
        """Whether messages in this folder of sources are ours."""
        path = Path(folder)
        return path.name != "tests" and not (self.shared and path.parent == self.folder / "games")

    def extracted(self) -> Catalog:
        """The messages in the sources."""
        catalog = Catalog()
        found = extract_from_dir(self.folder, METHODS, keywords=KEYWORDS, directory_filter=self.wanted)
        for file, line, message, *_ in sorted(found, key=lambda item: item[:2]):
            if self.shared and ENGLISH.match(file):
                continue
            catalog.add(message, locations=[(file, line)])
        return catalog

    def stored(self) -> Catalog:
        """The messages in the `.po` file."""
        if not self.po.is_file():
            return Catalog(locale=LANGUAGE)
        with self.po.open("rb") as stream:
            return read_po(stream, locale=LANGUAGE)


def domains(package: Path) -> list[Domain]:
    """The shared domain, and one for each game."""
    games = sorted(p for p in (package / "games").glob("*") if (p / "__init__.py").is_file())
    return [Domain(package, shared=True), *map(Domain, games)]


def messages(catalog: Catalog) -> list[Message]:
    """The messages without the header."""
    return [message for message in catalog if message.id]


def written(catalog: Catalog) -> bytes:
    """The `.po` file of a catalogue."""
    plain, po = Plain(locale=LANGUAGE, header_comment="", fuzzy=False), io.BytesIO()
    for message in messages(catalog):
        plain[message.id] = message
    write_po(po, plain, width=120, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return po.getvalue().strip() + b"\n"


def update(domain: Domain) -> None:
    """Bring the `.po` file in step with the sources."""
    catalog, extracted = domain.stored(), domain.extracted()
    if not messages(catalog) and not messages(extracted):
        return
    catalog.update(extracted, update_header_comment=False)
    domain.po.parent.mkdir(parents=True, exist_ok=True)
    data = written(catalog)
    if not domain.po.is_file() or domain.po.read_bytes() != data:
        domain.po.write_bytes(data)
        print(f"updated {shown(domain.po)}")


def shown(file: Path) -> str:
    """A path as people type it."""
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


def forms(message: Message) -> list[tuple[str, str]]:
    """Each form of the translation, beside the English it translates: the singular for the first, else the plural."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string or ""))]
    one, many = message.id
    return [(many if k else one, translated) for k, translated in enumerate(message.string or ("",))]


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def has_words(text: str) -> bool:
    """Whether anything but placeholders and punctuation is there to translate."""
    return any(c.isalpha() for literal, *_ in string.Formatter().parse(text) for c in literal)


def wrong_form(english: str, translated: str, same: set[str]) -> str:
    """What is wrong with one form of a translation; empty if nothing is."""
    if not translated:
        return "is not translated"
    try:
        if placeholders(english) != placeholders(translated):
            return f"has other placeholders in its translation {translated!r}"
    except ValueError:
        return f"has unbalanced braces, or its translation {translated!r} has"
    if english == translated and has_words(english) and english not in same:
        return f"is the same in Dutch and not listed in {SAME}"
    return ""


def wrong(domain: Domain, same: set[str]) -> Iterator[str]:
    """Everything that is wrong with one domain, as lines."""
    extracted, stored = domain.extracted(), domain.stored()
    for message in messages(extracted):
        if stored.get(message.id) is None:
            yield f"lacks {message.id!r}"
    for message in messages(stored):
        if extracted.get(message.id) is None:
            yield f"{message.id!r} is obsolete: no source says it"
        elif message.fuzzy:
            yield f"{message.id!r} is fuzzy: check the translation and remove the mark"
        else:
            faults = (wrong_form(*form, same) for form in forms(message))
            yield from (f"{message.id!r} {fault}" for fault in dict.fromkeys(faults) if fault)


def check(all_domains: list[Domain], same: set[str]) -> list[str]:
    """Everything that is wrong, as lines."""
    lines = [f"{shown(domain.po)}: {line}" for domain in all_domains for line in wrong(domain, same)]
    known = {
        english for domain in all_domains for message in messages(domain.stored()) for english, _ in forms(message)
    }
    return lines + [f"{SAME}: {entry!r} is in no catalogue" for entry in sorted(same - known)]


def main(arguments: list[str] | None = None) -> int:
    """Update or check every catalogue."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, tell what is wrong")
    parser.add_argument("--package", type=Path, default=ROOT / "src" / "hexdeck", help="folder of the package")
    options = parser.parse_args(arguments)
    found = domains(options.package.resolve())
    if not options.check:
        for domain in found:
            update(domain)
        return 0
    files = sorted(options.package.rglob(SAME))
    entries = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    lines = check(found, {entry for entry in entries if entry and not entry.startswith("#")})
    print(*lines, sep="\n", end="\n" if lines else "", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
