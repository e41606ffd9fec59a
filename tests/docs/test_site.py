"""The documentation site: its snippets run, its links lead somewhere, and it tells of everything that there is."""

import argparse
import hashlib
import os
import re
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import docs_pages
import pytest
import samples

from hexdeck.cli.command_line import Parser, build_parser
from hexdeck.engine.text import Catalogue
from hexdeck.web.routes.api import document
from tests.people import Room
from tests.settings import GAMES
from tests.support import for_each, ran_apart

from .blocks import FENCED, ROOT, Block, blocks, of, run_commands, run_python, to_run

DOCS = ROOT / "docs"
ELSEWHERE = {"docs/tutorials/your_own_game.md", "docs/reference/protocol.md"}  # run by tests of their own
WRITTEN = sorted(path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md") if "generated" not in path.parts)
PAGES = ["README.md", "CONTRIBUTING.md", *(page for page in WRITTEN if page not in ELSEWHERE)]
LINK = re.compile(r"(?<!\\)\]\(([^)#\s]*)(?:#[^)\s]*)?\)")


ACTIVATE = "source .venv/bin/activate\n"


# --- snippets ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("block", to_run(of(PAGES, "python"), ""))
def test_python_runs_and_prints_what_its_comments_say(block: Block, room: Room) -> None:
    run_python(block, room)


@pytest.mark.parametrize("block", to_run(of(PAGES, "sh"), "run"))
def test_commands_run(block: Block, room: Room) -> None:
    run_commands(block, room)


TYPED = "README.md", "docs/tutorials/first_playtest.md", "docs/tutorials/first_agent.md"


@pytest.mark.parametrize("page", [*TYPED, "docs/tutorials/your_own_game.md"])
def test_a_page_makes_hexdeck_a_command_before_it_is_typed(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert 0 < text.index(ACTIVATE.strip()) < text.index("\nhexdeck ")


@pytest.mark.long
@pytest.mark.parametrize("page", TYPED)
def test_what_a_page_types_works_in_a_fresh_shell(page: str, tmp_path: Path) -> None:
    typed = [block for block in of([page], "sh") if not block.mark.startswith("not run")]
    lines = [line for block in typed for line in block.body.splitlines() if not line.startswith("pip ")]  # it is there
    for name, place in {".venv": sys.prefix, "examples": ROOT / "examples"}.items():
        (tmp_path / name).symlink_to(place)
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("HEXDECK_", "PYTHON", "VIRTUAL"))
    }
    ran = ran_apart(["bash", "-e", "-c", "\n".join(lines)], cwd=tmp_path, env={**clean, "PATH": "/usr/bin:/bin"})
    assert ran.returncode == 0, ran.stderr


def test_every_snippet_is_run_or_says_why_not() -> None:
    for block in blocks(PAGES):
        assert block.lang in {"python", "sh", "text", "json", "toml"}, f"{block} would be run by nothing"
        if block.body == ACTIVATE:
            continue
        runs = {"sh": {"run", "long"}, "python": {"", "long"}}.get(block.lang, {block.mark})
        assert block.mark in runs or re.fullmatch(r"not run: \w.+", block.mark), f"{block}: {block.mark}"


def test_the_pages_are_few_enough_to_be_read() -> None:
    made = {f"docs/reference/{name}" for name in ("data.md", "transcripts.md", *docs_pages.committed())}
    read = [page for page in WRITTEN if page not in made and page.split("/")[1] not in {"games", "notebook"}]
    assert sum(len((ROOT / page).read_text(encoding="utf-8").split()) for page in read) <= 40_000


# --- both languages ---------------------------------------------------------------------------------------------------
IN_DUTCH = {
    "tutorials/first_evening": "eerste_avond",
    "samples": "zo_gaat_het",
    "howto/at_a_table": "aan_tafel",
    "howto/on_your_own": "in_je_eentje",
    "howto/play_on_the_television": "op_de_televisie",
    "howto/play_at_the_terminal": "in_de_terminal",
    "howto/fair_cards": "eerlijke_kaarten",
    "howto/own_cards": "eigen_kaarten",
    "howto/print_a_game": "afdrukken",
    "howto/install": "installeren",
    "howto/which_game": "welk_spel",
    "howto/it_does_not_work": "het_werkt_niet",
}


def test_what_players_read_is_there_in_dutch_too() -> None:
    index = (DOCS / "nl" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\w+$", index, re.MULTILINE)
    assert sorted(listed) == sorted(IN_DUTCH.values()) and "../generated/rules/nl/index\n" in index
    for english, dutch in IN_DUTCH.items():
        texts = [(DOCS / f"{page}.md").read_text(encoding="utf-8") for page in (english, f"nl/{dutch}")]
        ours, theirs = ((text.count("\n## "), text.count("```"), text.count("\n![")) for text in texts)
        assert ours == theirs or english == "howto/install", dutch  # its English page is for researchers too


def paragraphs(english: str) -> dict[str, str]:
    """The paragraphs of an English page by a short hash of each, however its lines are broken."""
    text = (DOCS / f"{english}.md").read_text(encoding="utf-8").strip()
    parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]
    return {hashlib.sha256(part.encode()).hexdigest()[:6]: part for part in parts}


def test_a_dutch_page_follows_each_paragraph_of_its_english_one() -> None:
    for english, dutch in IN_DUTCH.items():
        now, text = paragraphs(english), (DOCS / "nl" / f"{dutch}.md").read_text(encoding="utf-8")
        comment = f"<!-- translates {english}.md: {' '.join(now)} -->"
        end = "\n".join(textwrap.wrap(comment, 120, break_on_hyphens=False))
        new = [part for digest, part in now.items() if digest not in text.rpartition("<!-- translates ")[2]]
        assert text.endswith(f"\n{end}\n"), f"bring nl/{dutch}.md after {english}.md: {new}\nand end it with\n{end}"


# --- links ------------------------------------------------------------------------------------------------------------
def dead_links(page: str, text: str) -> list[str]:
    checkout = re.sub(r"<!-- on the site:.*?\s-->", "", FENCED.sub("", text), flags=re.DOTALL)
    targets = [*LINK.findall(checkout), *re.findall(r'<a href="([^"#]*)', checkout)]
    files = [(ROOT / page).parent / target for target in targets if target and ":" not in target]
    return [str(file) for file in files if not file.exists()]


def test_no_link_is_dead() -> None:
    texts = {
        page: (ROOT / page).read_text(encoding="utf-8")
        for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *WRITTEN)
    }
    assert {page: found for page, text in texts.items() if (found := dead_links(page, text))} == {}


def test_a_dead_link_would_be_found() -> None:
    text = (
        "[a](index.md) [b](https://example.org) [c](#here) [d](missing.md#part) [f](../gone.md)"
        ' <a href="lost.html">g</a>'
    )
    found = dead_links("docs/index.md", f"{text} <!-- on the site: [e](generated/x.md) -->")
    assert [Path(each).name for each in found] == ["missing.md", "gone.md", "lost.html"]


# --- what follows from the code ---------------------------------------------------------------------------------------
@for_each("name", docs_pages.committed())
def test_the_reference_is_as_the_code_says(name: str) -> None:
    text = (DOCS / "reference" / name).read_text(encoding="utf-8")
    assert text == docs_pages.committed()[name], "python tools/docs_pages.py writes it"


def test_every_command_has_a_page_with_each_of_its_flags_that_ends_with_its_examples(room: Room) -> None:
    made, listed = docs_pages.pages(), docs_pages.commands_page()
    for name in build_parser(Catalogue("en")).commands:
        file = docs_pages.file_of(name)
        page = made[f"commands/{file}.md"]
        flags = set(re.findall(r"(?<!\w)--[a-z-]+", room.hexdeck(*name.split(), "--help", "--lang", "en").out))
        assert flags <= set(re.findall(r"(?<!\w)--[a-z-]+", page)), name
        assert f"/{file}.md)" in listed and f"\n../generated/commands/{file}\n" in listed
        _, _, examples = page.partition("## Examples")
        assert re.search(rf"^hexdeck .*\b{name}\b", examples, re.MULTILINE), name


def test_defaults_and_choices_are_on_the_page() -> None:
    parser = Parser(prog="hexdeck try", description="try it")
    parser.add_argument("--deals", type=int, default=20, metavar="N", help="how many | deals (%(default)s at first)")
    parser.add_argument("--level", choices=("low", "high"), metavar="LEVEL", help="how much")
    parser.add_argument("--old", help=argparse.SUPPRESS)
    page = docs_pages.command_page("try", parser)
    assert "| `--deals N` | how many \\| deals (20 at first) |" in page
    assert "| `--level LEVEL` | how much (`low`, `high`) |" in page
    assert "Try it." in page and "--old" not in page


def test_every_address_of_the_api_is_told() -> None:
    page = docs_pages.http_page()
    for path, methods in document()["paths"].items():
        for method in set(methods) - {"parameters"}:
            assert f"### {method.upper()} {path}\n" in page
    headings = {title.lower() for title in re.findall(r"^### (\w+)$", page, re.MULTILINE)}
    assert headings >= {*re.findall(r"\]\(#(\w+)\)", page)} != set()


def test_rules_of_every_game_are_there_in_both_languages() -> None:
    made = docs_pages.pages()
    for name in GAMES:
        for lang in ("en", "nl"):
            page = made[f"rules/{lang}/{name}.md"]
            ids = re.findall(r'<span id="([A-Z]{2}-\d+)">', page)
            assert ids and len(ids) == len(set(ids)) and "](cards:" not in page and "](board:" not in page
        assert f"## {docs_pages.definition(name).table.ABOUT.title}\n" in made["levels.md"]


def test_every_variable_of_the_environment_is_told() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = set(re.findall(r'"(HEXDECK_[A-Z_]+)"', code))
    page = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")
    assert named == set(re.findall(r"^\| `(HEXDECK_\w+)`", page, re.MULTILINE))


# --- the site itself --------------------------------------------------------------------------------------------------
@pytest.mark.long
def test_the_site_builds_without_a_warning_and_asks_for_nothing_from_elsewhere(tmp_path: Path) -> None:
    assert find_spec("sphinx"), "make test-all installs it"
    line = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-E", "-d", str(tmp_path / "kept")]
    built = ran_apart([*line, "docs", str(tmp_path / "site")], cwd=ROOT)
    assert built.returncode == 0, built.stderr
    pages = [*(tmp_path / "site").rglob("*.html")]
    assert len(pages) > 70 and (tmp_path / "site" / "searchindex.js").is_file()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        asked = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="((?:https?:)?//[^"]+)"', text)
        assert not asked, f"{page}: {asked}"


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_a_sample_to_step_through_has_its_type_and_pictures_in_it(lang: str) -> None:
    page = samples.replay("hawthorn", lang)
    assert page.count("data:font/woff2;base64,") == 3 and ".woff2" not in page
    asked = re.findall(r"""(?:src|href)=\\?["']([^"'\\]*)|url\("?([^")]*)""", page)
    assert {(plain or url).partition(":")[0][:1] for plain, url in asked} == {"#", "d"}
    assert f'<html lang="{lang}"' in page and ("Terug" in page) == (lang == "nl")
