"""What compose.yaml describes, without containers: its processes on one PostgreSQL, a proxy with TLS, and a game."""

import contextlib
import os
import random
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.web.app import create_app
from hexdeck.web.server.settings import Settings
from tests.support import PATIENCE, until
from tests.web.proxy import proxied
from tests.web.serving import CLIENTS, Program, get, hang_up, play_on

ROOT = Path(__file__).parents[2]
COMPOSED: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
TABLES = [name for name, service in COMPOSED["services"].items() if service.get("image") == "hexdeck"]


def filled(text: str) -> str:
    return re.sub(r"\$\{\w+(?::-([^}]*)|:\?[^}]*)\}", lambda found: found[1] or "secret", text)


def command(service: str, database: str) -> list[str]:
    """A service's command, with this computer's address, a free port and the tests' database."""
    changed = {"--host": THIS_COMPUTER, "--port": "0", "--database": database}
    parts = [filled(part) for part in COMPOSED["services"][service]["command"]]
    options = [part.partition("=") for part in parts]
    assert set(changed) <= {name for name, _, _ in options}
    return [f"{name}{equals}{changed.get(name, value)}" for name, equals, value in options]


@contextlib.contextmanager
def running(service: str, database: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A service as a process of its own, and its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hexdeck", *command(service, database)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HEXDECK_BACKEND": "interpreted"},
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        port = re.search(r":(\d+)/", said)
        assert port, said
        yield process, int(port[1])
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.stdout.close()


@pytest.fixture
def processes(postgres: str) -> Iterator[list[tuple[subprocess.Popen[str], int]]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(running(name, postgres)) for name in TABLES]
        hang_up()


class Patient(httpx.HTTPTransport):
    """Whoever asked more often than one address may asks again a little later."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        while (answer := super().handle_request(request)).status_code == 429:
            answer.close()
            time.sleep(0.1)
        return answer


def program(base: str, trusted: ssl.SSLContext | bool) -> Program:
    found = Program(base)
    found.http = httpx.Client(base_url=f"{base}/api", timeout=PATIENCE, transport=Patient(verify=trusted))
    CLIENTS.append(found.http)
    return found


def plays(base: str, trusted: ssl.SSLContext | bool, killed: subprocess.Popen[str]) -> None:
    """Two people play a game while one of the processes dies."""
    ann, ben, rng = program(base, trusted), program(base, trusted), random.Random(3)
    begun = ann.creates(game="cursed-hand", players=3, seats=["you", "open", "random"], options={"losses": 1})
    ben.joins(begun["invitations"]["1"], name="Ben")
    play_on([ann, ben], rng, 8)
    killed.kill()
    killed.wait(PATIENCE)
    until(lambda: all(one.get().status_code == 200 for one in (ann, ben) for _ in range(4)))  # the proxy has noticed
    assert play_on([ann, ben], rng)["state"] == "over"


@pytest.mark.long
def test_two_processes_behind_a_proxy_serve_one_game_and_one_of_them_may_die(processes: Any) -> None:
    assert len(processes) == 2
    ports = [port for _, port in processes]
    with proxied(*ports) as proxy:
        base = proxy.base.replace(THIS_COMPUTER, "localhost")
        plays(base, proxy.trusted, processes[0][0])


@pytest.mark.long
@pytest.mark.parametrize("service", TABLES)
def test_they_answer_only_to_their_name(service: str, postgres: str) -> None:
    with running(service, postgres) as (_, port):
        assert get(f"http://{THIS_COMPUTER}:{port}/", headers={"host": "evil.example"}).status_code == 421
        assert get(f"http://localhost:{port}/").status_code == 200
        assert get(f"http://{THIS_COMPUTER}:{port}/healthz").status_code == 200


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((THIS_COMPUTER, 0))
        return int(probe.getsockname()[1])


@pytest.mark.skipif(not shutil.which("caddy"), reason="the proxy of deploy/Caddyfile isn't installed here")
@pytest.mark.long
def test_the_proxy_that_is_configured_does_the_same(processes: Any, tmp_path: Path) -> None:
    port = free_port()
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "HEXDECK_HTTP_PORT": str(free_port()),
        "HEXDECK_HTTPS_PORT": str(port),
        "CADDY_ADMIN": "off",
        "HEXDECK_TABLES": " ".join(f"localhost:{port}" for _, port in processes),
    }
    asked = ["caddy", "run", "--adapter", "caddyfile", "--config", str(ROOT / "deploy" / "Caddyfile")]
    caddy = subprocess.Popen(asked, env=environment, stderr=subprocess.DEVNULL)
    try:
        authority = tmp_path / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        until(authority.is_file)
        trusted = ssl.create_default_context(cafile=str(authority))
        until(lambda: answers(f"https://localhost:{port}/healthz", trusted))
        plays(f"https://localhost:{port}", trusted, processes[1][0])
    finally:
        caddy.terminate()
        caddy.wait(PATIENCE)


def answers(address: str, trusted: ssl.SSLContext) -> bool:
    try:
        return httpx.get(address, verify=trusted).status_code == 200
    except httpx.TransportError:
        return False


def test_the_container_runs_as_nobody_special_what_is_locked() -> None:
    recipe = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert "USER hexdeck" in recipe and "--require-hashes" in recipe
    for name in re.findall(r"^COPY (?!--from)(.*) \S+$", recipe, re.MULTILINE):
        assert all((ROOT / part).exists() for part in name.split())
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    needed = {part for name in re.findall(r"^COPY (?!--from)(.*) \S+$", recipe, re.MULTILINE) for part in name.split()}
    assert needed == {line[1:] for line in ignored if line.startswith("!")}


def test_all_that_concerns_a_table_goes_to_one_process(tmp_path: Path) -> None:
    written = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    found = re.search(r"@table path_regexp table (\S+)\n\s*request_header @table X-Table \{re\.table\.1\}\n", written)
    assert found and "lb_policy header X-Table\n" in written
    app = create_app(Settings(f"sqlite:///{tmp_path}/t.db"))
    paths = [path for path in paths_of(app.routes) if "{table}" in path]
    assert len(paths) > 40
    for path in paths:
        told = re.search(found[1], re.sub(r"\{table(:\w+)?\}", "aBc-_012", path))
        assert told and told[1] == "aBc-_012", path


def paths_of(routes: Any, before: str = "") -> Iterator[str]:
    for route in routes:
        if getattr(route, "routes", None):
            yield from paths_of(route.routes, before + getattr(route, "path", ""))
        else:
            yield before + getattr(route, "path", "")
