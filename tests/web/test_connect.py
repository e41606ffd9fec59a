"""`hexdeck connect` against a server of ours: also when that is busy, or a bot has taken the seat over."""

import random
import threading
from base64 import b64encode
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.cli import connect, main
from hexdeck.cli.connect import Client, Refused
from tests.support import PATIENCE, for_each, until
from tests.web.serving import Program, Served, play_on


@pytest.fixture
def robot(site: Served, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Starts a table with a program on seat 1; returns its host, and a function that waits for the program's status."""
    monkeypatch.setattr(connect, "WAIT", 0.01)

    def begun() -> tuple[Program, Any]:
        ann, status = Program(site.base), []  # type: ignore[var-annotated]
        table = ann.creates(game="blackstone", players=2, seats=["you", "open"])
        link = f"{site.base}/join/{table['invitations']['1']}"
        thread = threading.Thread(target=lambda: status.append(main(["connect", link, "--bot", "house"])))
        thread.start()
        until(lambda: ann.state()["state"] == "playing")

        def ended() -> list[int]:
            thread.join(PATIENCE)
            return status

        return ann, ended

    return begun


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(robot: Any, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []

    def busy(name: str) -> Any:
        honest = getattr(Client, name)

        def asked(self: Client, *given: Any) -> Any:
            if refused.count(name) < 3:
                refused.append(name)
                raise Refused(status, "Wait a moment.")
            return honest(self, *given)

        return asked

    for name in ("move", "watch"):
        monkeypatch.setattr(Client, name, busy(name))
    ann, ended = robot()
    play_on([ann], random.Random(1))
    assert ended() == [0] and sorted(refused) == ["move"] * 3 + ["watch"] * 3


def test_other_refusals_end_it(robot: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def gone(*_: Any) -> Any:
        raise Refused(404, "There is no such table.")

    monkeypatch.setattr(Client, "watch", gone)
    _, ended = robot()
    assert ended() == [2] and "There is no such table." in capsys.readouterr().err


def test_it_takes_its_seat_back_from_a_bot_of_the_server(robot: Any) -> None:
    ann, ended = robot()
    assert ann.post("/seats/1/bot").status_code == 200

    def seat() -> Any:
        return ann.state()["seats"][1]

    until(lambda: seat()["remote"])
    assert (seat()["kind"], seat()["level"], seat()["owner"]) == ("bot", "house", True)
    play_on([ann], random.Random(2))
    assert ended() == [0]


@for_each(
    "link",
    [
        "http://[/join/x",
        "http://h:abc/join/x",
        "http://h:99999/join/x",
        "http://h:0/join/x",
        "http://a b/join/x",
        "http://h/join/a b",
        "http://h/join/",
        "http://h/join/ü",
        "http://h/j/",
        "http://h/j/a.b",
        "ftp://h/join/x",
        "/join/x",
        "http:///join/x",
    ],
)
def test_what_is_no_invitation_is_said_in_a_sentence(link: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", link]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and ("is not an invitation" in said or "is not the address of a table" in said)


@pytest.mark.parametrize("change", [-1, 1])
def test_a_server_of_another_version_is_named_even_where_it_has_other_options(change: int) -> None:
    version = hexdeck.game("blackstone").definition.struct_version
    state = {"game": "blackstone", "seats": [{}, {}], "options": {"wild": 1}, "rules": version + change}
    with pytest.raises(hexdeck.BadOption, match=f"plays version {version + change} of blackstone, and .* {version}: "):
        connect.ready(state, "house")


def test_a_position_of_a_server_that_contradicts_itself_is_refused() -> None:
    match = hexdeck.game("cursed-hand", 2).match(1)
    for _ in range(5):
        match.play(match.actor, match.legal_ids(match.actor)[0])
    seat, sent = match.actor, list[int]()
    told = np.frombuffer(bytearray(match.concealed(seat)), match.game.rules.STRUCT).copy()
    state: dict[str, Any] = {
        "game": "cursed-hand",
        "seats": [{"kind": "remote", "remote": True}] * 2,
        "options": {},
        "seat": seat,
        "table": "t",
        "version": 1,
        "view": {"moves": [1]},
        "rules": match.game.definition.struct_version,
    }
    client: Any = SimpleNamespace(move=lambda _table, action, _version: sent.append(action))

    def asked() -> None:
        connect.act(client, {**state, "struct": b64encode(told.tobytes()).decode()}, connect.ready(state, "house"), "")

    asked()
    assert len(sent) == 1
    told["held"][0, 1 - seat] = 40
    with pytest.raises(hexdeck.HexdeckError, match="What the seat knows of this position contradicts itself"):
        asked()
    with pytest.raises(hexdeck.HexdeckError, match="The server doesn't say what the seat knows"):
        connect.act(client, {**state, "struct": None}, connect.ready(state, "house"), "")
    assert len(sent) == 1
