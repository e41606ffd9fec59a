"""What is released: a wheel and a source archive with what belongs in them, and a wheel that plays where it is put."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import hexdeck
from tests.people import ANY_MOVES

ROOT = Path(__file__).parents[2]


def ran(*words: str, **more: object) -> str:
    """What a command says; it must succeed."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source archive."""
    folder = tmp_path_factory.mktemp("dist")
    clean = {key: value for key, value in os.environ.items() if key != "HEXDECK_LIBRARIES"}
    ran("-m", "hatchling", "build", "-d", str(folder), "-t", "wheel", "-t", "sdist", cwd=ROOT, env=clean)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def test_the_version_stands_in_one_place() -> None:
    kept = ["pyproject.toml", "CITATION.cff", "README.md", "Containerfile", "compose.yaml"]
    assert not [
        name
        for name in kept
        if re.search(r"(?<![\d.])" + re.escape(hexdeck.__version__) + r"(?![\d.])", (ROOT / name).read_text())
    ]


@pytest.mark.long
def test_what_is_in_the_wheel_and_in_the_source_archive(archives: tuple[Path, Path]) -> None:
    wheel, source = archives
    inside = zipfile.ZipFile(wheel).namelist()
    assert f"hexdeck-{hexdeck.__version__}" in wheel.name and f"hexdeck-{hexdeck.__version__}" in source.name
    assert not [name for name in inside if "/tests/" in name or name.endswith((".pyc", ".map"))]
    for part in (
        "locale/nl/LC_MESSAGES/messages.mo",
        "games/hawthorn/rules.nl.md",
        "web/templates/base.html",
        "py.typed",
    ):
        assert f"hexdeck/{part}" in inside
    assert [name for name in inside if name.endswith("licenses/LICENSE")]
    with tarfile.open(source) as archive:
        archived = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "CHANGELOG.md", "hatch_build.py", "tests/docs/test_release.py"} <= archived
    assert not [name for name in archived if name.endswith(".pyc") or "_build/" in name]
    ran("-m", "twine", "check", "--strict", str(wheel), str(source))


@pytest.mark.long
def test_the_wheel_plays_where_it_is_put(archives: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, _ = archives
    ran("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path / "put"), str(wheel))
    there = os.environ | {"PYTHONPATH": str(tmp_path / "put"), "HEXDECK_BACKEND": "interpreted", "HOME": str(tmp_path)}
    where = ran("-c", "import hexdeck; print(hexdeck.__file__)", cwd=tmp_path, env=there)
    assert where.startswith(str(tmp_path / "put"))
    said = ran("-m", "hexdeck", "play", "hawthorn", "--plain", "--seed", "1", "--pause", "0", "--option", "deals=1",
               cwd=tmp_path, env=there, input="\n".join(ANY_MOVES))  # fmt: skip
    assert "The game is over." in said or "won" in said
