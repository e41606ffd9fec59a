"""The API does what its OpenAPI document says: schemathesis tries whatever the document allows, and more."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from hexdeck.web.routes.api import document, routes
from hexdeck.web.routes.requests import SEAT
from tests.settings import much
from tests.web.serving import Process, Program, file_in

CHECKS = ["status_code_conformance", "content_type_conformance", "response_schema_conformance"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server in a process of its own: in Python 3.11, ast.parse (Hypothesis, Numba) fails in two threads at once."""
    server = Process(file_in(tmp_path_factory.mktemp("site")))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def operations(site: Process) -> dict[str, Any]:
    import schemathesis

    schema = schemathesis.openapi.from_dict(document())
    schema.config.base_url = site.base
    return {each.ok().definition.raw["operationId"]: each.ok() for each in schema.get_all_operations()}


@pytest.fixture(scope="module")
def seated(site: Process) -> Program:
    ann = Program(site.base)
    ann.creates(game="hawthorn", players=2, seats=["you", "open"])
    return ann


def test_every_route_is_described_and_every_description_is_a_route() -> None:
    (api,) = routes()
    there = {f"/api{route.path}".replace(SEAT, "{seat}") for route in api.routes}  # type: ignore[attr-defined]
    assert there - {"/api/openapi.json"} == set(document()["paths"])


def test_the_calls_on_its_page_do_what_it_says(site: Process) -> None:
    page = Path("docs/reference/http_api.md").read_text(encoding="utf-8")
    setup, move = (json.loads(sent) for sent in re.findall(r"--json '(.*?)'$", page, re.MULTILINE))
    shown, http = json.loads(re.findall(r"^```json\n(.*?)\n```", page, re.MULTILINE)[0]), Program(site.base).http
    table = http.post("/tables", json=setup).json()
    assert shown.keys() <= table.keys() and table["version"] == move["version"] == shown["version"]
    sent = {"move": table["view"]["moves"][0]["name"], "version": table["version"]}
    headers = {"Authorization": f"Bearer {table['token']}"}
    assert http.post(f"/tables/{table['table']}/move", json=sent, headers=headers).status_code == 200


def test_the_document_is_served(site: Process) -> None:
    served = Program(site.base).http.get("/openapi.json").json()
    assert served == document() and served["openapi"].startswith("3.1")


@pytest.mark.parametrize(
    "operation",
    [
        "games",
        "create",
        "table",
        "record",
        "join",
        "join_by_code",
        "start",
        "move",
        "retract",
        "hint",
        "lesson",
        "analysis",
        "beats",
        "promise",
        "add",
        "rematch",
        "host",
        "free",
        "bot",
        "back",
    ],
)
def test_answers_are_as_described_whatever_is_asked(operation, operations, seated) -> None:
    from schemathesis import checks

    checks.load_all_checks()
    wanted = [checks.not_a_server_error, *checks.CHECKS.get_by_names(CHECKS)]
    found, asked = operations[operation], []

    @settings(max_examples=much(12, 40), deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=found.as_strategy(), here=some.booleans())
    def ask(case: Any, here: bool) -> None:
        if here and "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = seated.table
        answer = case.call(headers={"Authorization": f"Bearer {seated.token}"})
        case.validate_response(answer, checks=wanted)
        asked.append(answer.status_code)

    ask()
    assert len(asked) > 5 or operation in {"games", "promise", "keys"}
