"""The files of the project: a changelog, a licence, and nothing about anybody's machine."""

import re
import tomllib
from pathlib import Path

import pytest

import hexdeck
from tests.support import for_each, ran_apart

ROOT = Path(__file__).parents[2]
PRIVATE = {
    "a path of somebody's machine": r"(?<![\w.])/(?:home|Users|root|work|tmp|mnt|opt|var)/\w",
    "a Windows path": r"\b[A-Z]:\\\\?[A-Za-z]",
    "an address": r"\b(?:127\.0\.0\.1|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+)\b",
    "a package index": r"(?:extra-|--)index[-]url|\bpypi\.org|\b(?:artifactory|nexus|devpi|mirrors?)\.[a-z]",
    "a key": r"-----BEGIN|\b(?:ghp|github_pat|sk|AKIA)[_-]?[A-Za-z0-9]{16,}",
}


def test_every_exported_name_can_be_imported() -> None:
    for name in hexdeck.__all__:
        assert getattr(hexdeck, name).__doc__, name
    assert set(hexdeck.__all__) <= set(dir(hexdeck))


# --- pages ------------------------------------------------------------------------------------------------------------
def project() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def test_the_changelog_tells_of_this_version_or_of_what_comes() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## \[?(Unreleased|\d+\.\d+\.\d+)\]?", text, re.MULTILINE)
    assert sections and sections[0] in {"Unreleased", hexdeck.__version__}
    newest = text.split("\n## ")[1]
    assert len(newest.split()) <= 400  # one screen
    assert re.search(r"^### \S.*\n\n- \S", newest, re.MULTILINE)


def test_there_is_one_version() -> None:
    where = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["version"]
    assert project()["dynamic"] == ["version"] and where == {"path": "src/hexdeck/__init__.py"}


def test_the_licence_is_mit() -> None:
    assert project()["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_the_readme_credits_the_designers_and_says_that_this_is_unofficial() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for words in ("unofficial", "public rules", "Cheapass Games", "James Ernest", "Paul Peterson"):
        assert words in text, words


# --- nothing about anybody's machine ----------------------------------------------------------------------------------
def tracked() -> list[Path]:
    listed = ran_apart(["git", "ls-files", "-z"], cwd=ROOT)
    if listed.returncode:
        pytest.skip("not a checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


def private(text: str) -> list[str]:
    lines = [(what, found) for what, pattern in PRIVATE.items() for found in re.finditer(pattern, text)]
    return [f"{text.count(chr(10), 0, found.start()) + 1}: {what}: {found[0]}" for what, found in lines]


def test_no_file_tells_of_anybodys_machine() -> None:
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in tracked() if path != Path(__file__)}
    assert {path: found for path, text in texts.items() if (found := private(text))} == {}


@for_each(
    ("what", "line"),
    [
        ("a path of somebody's machine", 'open("/home/ada/x")'),
        ("a Windows path", r"C:\\Users\\ada"),
        ("an address", "http://127.0.0.1:80"),
        ("a package index", "https://" + "pypi.org"),
        ("a key", "-----BEGIN PRIVATE KEY"),
    ],
)
def test_such_a_line_would_be_found(what: str, line: str) -> None:
    (found,) = private(f"a\n{line}\n")
    assert found.startswith(f"2: {what}: ")
