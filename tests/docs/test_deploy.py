"""A systemd unit and containers for servers elsewhere: by their text, they are closed as far as they can be."""

import argparse
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from hexdeck.cli import serve
from hexdeck.cli.options import build_parser
from hexdeck.engine.text import Catalogue
from tests.support import for_each

ROOT = Path(__file__).parents[2]
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
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
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
