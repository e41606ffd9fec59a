"""What is released: a wheel and a source archive with what belongs in them, and a wheel that plays where it is put."""

import argparse
import json
import os
import re
import shlex
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_string
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

import hexdeck
from hexdeck.cli import serve
from hexdeck.cli.command_line import build_parser
from hexdeck.engine.text import Catalogue
from tests.people import ANY_MOVES
from tests.support import for_each, ran_apart

ROOT = Path(__file__).parents[2]


def ran(*words: str, **more: object) -> str:
    """What a command says; it must succeed."""
    done = ran_apart([sys.executable, *words], **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("dist")
    clean = {key: value for key, value in os.environ.items() if key != "HEXDECK_LIBRARIES"}
    ran("-m", "hatchling", "build", "-d", str(folder), "-t", "wheel", "-t", "sdist", cwd=ROOT, env=clean)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def test_the_version_stands_in_one_place_and_where_it_is_cited() -> None:
    cited = [(ROOT / name).read_text(encoding="utf-8") for name in ("CITATION.cff", "docs/explanation/to_cite.md")]
    assert f"\nversion: {hexdeck.__version__}\n" in cited[0] and f"version = {{{hexdeck.__version__}}}" in cited[1]
    kept = ["pyproject.toml", "README.md", "Containerfile", "compose.yaml"]
    version = re.compile(r"(?<![\d.])" + re.escape(hexdeck.__version__) + r"(?![\d.])")
    assert not [name for name in kept if version.search((ROOT / name).read_text(encoding="utf-8"))]


@pytest.mark.long
def test_what_is_in_the_wheel_and_in_the_source_archive(archives: tuple[Path, Path]) -> None:
    wheel, source = archives
    inside = zipfile.ZipFile(wheel).namelist()
    assert f"hexdeck-{hexdeck.__version__}" in wheel.name and f"hexdeck-{hexdeck.__version__}" in source.name
    assert not [name for name in inside if "/tests/" in name or name.endswith((".pyc", ".map"))]
    parts = ("locale/nl/LC_MESSAGES/messages.po", "games/hawthorn/rules.nl.md", "web/templates/base.html", "py.typed")
    assert {f"hexdeck/{part}" for part in parts} <= {*inside}
    assert [name for name in inside if name.endswith("licenses/LICENSE")]
    with tarfile.open(source) as archive:
        archived = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "CHANGELOG.md", "hatch_build.py", "tests/docs/test_release.py"} <= archived
    assert not [name for name in archived if name.endswith(".pyc") or "_build/" in name]
    ran("-m", "twine", "check", "--strict", str(wheel), str(source))


def needed(requirements: Iterable[str] | None) -> Iterator[Distribution]:
    """The installed packages that requirements ask for here, and those that they need in turn."""
    for each in map(Requirement, requirements or ()):
        if each.marker is None or each.marker.evaluate({"extra": ""}):
            found = distribution(each.name)
            yield found
            yield from needed(found.requires)


def packed(found: Distribution, folder: Path) -> None:
    tag = re.search(r"^Tag: (\S+)", str(found.read_text("WHEEL")), re.MULTILINE)
    files = [file for file in found.files or () if ".." not in file.parts and file.suffix != ".pyc"]
    assert tag is not None and files
    name = f"{re.sub(r'[-_.]+', '_', found.name)}-{found.version}-{tag[1]}.whl"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        for file in files:
            wheel.write(str(file.locate()), str(file))


@pytest.mark.long
def test_the_wheel_brings_what_it_needs_into_an_empty_environment(archives: tuple[Path, Path], tmp_path: Path) -> None:
    """Without a network: pip finds the packages that are installed here, packed again, and nothing else."""
    (house := tmp_path / "house").mkdir()
    ours = archives[0]
    with zipfile.ZipFile(ours) as wheel:
        (about,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        asked = message_from_string(wheel.read(about).decode()).get_all("Requires-Dist")
    for found in {each.name: each for each in needed(asked)}.values():
        packed(found, house)
    ran("-m", "venv", "--without-pip", str(tmp_path / "fresh"))
    python, clean = tmp_path / "fresh" / "bin" / "python", {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    ran("-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--find-links", str(house), str(ours))
    done = ran_apart(
        [python.with_name("hexdeck"), "play", "hawthorn", "--plain", "--seed", "1", "--pause", "0", "-o", "deals=1"],
        input="\n".join(ANY_MOVES),
        cwd=tmp_path,
        env=clean | {"HEXDECK_BACKEND": "interpreted"},
    )
    assert done.returncode == 0, done.stderr
    assert "The game is over." in done.stdout or "won" in done.stdout


# --- A systemd unit and containers for servers elsewhere --------------------------------------------------------------
UNIT = ROOT / "deploy" / "hexdeck.service"
IMAGE = (ROOT / "Containerfile").read_text(encoding="utf-8")
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
MOST_EXPOSED = 15  # of 100, by the reckoning of systemd


def parsed(words: list[str]) -> argparse.Namespace:
    assert words[0] == "serve"
    arguments: argparse.Namespace = build_parser(Catalogue("en"), "serve").parse_args(words)
    serve.check(arguments)
    return arguments


def test_the_unit_starts_a_server_behind_a_proxy_on_this_computer() -> None:
    (command,) = re.findall(r"^ExecStart=(.*)", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    program, *words = shlex.split(command)
    arguments = parsed(words)
    assert program.endswith("/bin/hexdeck") and arguments.proxy == ["localhost"] and arguments.allow_host
    assert arguments.database.startswith("%S/hexdeck/") and not arguments.lan and arguments.no_browser


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_finds_little_that_the_unit_leaves_open() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED}", str(UNIT)]
    ran = ran_apart(command)
    if "Unknown" in ran.stderr or "unrecognized" in ran.stderr:
        pytest.skip("this systemd can't look at a file")
    assert ran.returncode == 0, ran.stdout[-300:] + ran.stderr


@for_each("name", SERVICES)
def test_a_container_can_write_nowhere_do_nothing_that_it_needn_t_and_only_tables_reach_the_database(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] and service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["pids_limit"] and service["mem_limit"] and service["logging"]["options"]["max-size"]
    powers = {"database": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}, "proxy": {"NET_BIND_SERVICE"}}
    assert set(service.get("cap_add", [])) == powers.get(name, set())
    assert ("ports" in service) == (name == "proxy")  # nobody reaches the others past the proxy
    reach = set(service.get("networks", ["default"]))
    assert {"database": reach == {"tables"}, "proxy": "tables" not in reach}.get(name, True)
    assert yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["networks"]["tables"]["internal"]


def test_the_image_runs_as_nobody_and_holds_nothing_that_builds() -> None:
    build, _, run = IMAGE.rpartition("\nFROM ")
    assert run.startswith("python:3.13-slim\n") and re.search(r"^USER hexdeck$", run, re.MULTILINE)
    words = next(line for line in run.splitlines() if line.startswith("CMD ")).removeprefix("CMD ")
    assert parsed(json.loads(words)).database.startswith("/hexdeck/data/")
    (removed,) = re.findall(r"pip uninstall --yes ((?:[\w-]+ ?)+)", build)
    assert set(removed.split()) == {*only_for("hatchling"), "hatchling", "pip"} and "pip uninstall --yes pip" in run


def only_for(builder: str) -> set[str]:
    """What is in the image's list of packages for the sake of another, and nothing else."""
    text = (ROOT / "requirements-serve.lock").read_text(encoding="utf-8")
    found = re.findall(r"^([\w-]+)==[^#]*# via\n((?:    #   .*\n?)+)", text, re.MULTILINE)
    wants = {name: set(re.findall(r"#   (?!-c)(\S+)", via)) for name, via in found}
    return {name for name, via in wants.items() if via == {builder}}
