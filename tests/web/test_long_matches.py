"""What is made of a whole match holds up nobody, however long the match is."""

import random
import threading

import pytest

import hexdeck
from hexdeck.engine.play.story import LATELY, stops_of, view_at
from hexdeck.web.routes import presenters, replays, site_pages
from tests.support import for_each
from tests.web.serving import Person, Program, Served, play_on


@pytest.fixture
def ann(site: Served) -> Program:
    ann = Program(site.base)
    ann.creates(game="cursed-hand", players=3, options={"losses": 1})
    play_on([ann], random.Random(4))
    return ann


@for_each(
    ("path", "part"),
    [
        ("/table/{}/record", (replays.Record, "of")),
        ("/api/tables/{}/record", (replays.Record, "of")),
        ("/table/{}/fair?check=1", (replays, "verify")),
        ("/table/{}/problem", (site_pages, "table_facts")),
        ("/replay/{}", (replays, "stops_of")),
    ],
)
def test_it_is_made_in_turn_with_bots_and_hints(
    site: Served, ann: Program, monkeypatch: pytest.MonkeyPatch, path: str, part: tuple[object, str]
) -> None:
    places, real = list[str](), getattr(*part)

    def noted(*args: object, **more: object) -> object:
        places.append(threading.current_thread().name)
        return real(*args, **more)

    monkeypatch.setattr(*part, noted)
    for _ in range(2):
        assert Person(site.base).get(path.format(ann.table)).status_code == 200
    assert {place.rpartition("-")[0] for place in places} == {"hexdeck-bot"}
    assert part[1] != "stops_of" or len(places) == 1, "a step of a replay walks through no match"


def test_of_a_long_log_a_report_and_the_api_have_the_last_lines(
    site: Served, ann: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((site_pages, "LAST_LINES"), (presenters, "LINES_SENT")):
        monkeypatch.setattr(module, name, 3)
    table, state = site.state.registry.tables[ann.table], ann.state()
    log, public = table.view(0).log, table.view(-1).log
    assert len(log) > 3 and state["view"]["log"] == [line.data() for line in log[-3:]]
    assert state["log_from"] == len(log) - 3
    said = Person(site.base).get(f"/table/{ann.table}/problem?file=1").text
    lines = said.partition(f"The log, without the first {len(public) - 3} lines:\n")[2].partition("\n\n")[0]
    assert len(lines.splitlines()) == 3


def test_a_view_of_the_past_has_the_last_of_the_log() -> None:
    match, rng = hexdeck.game("hawthorn", 3, deals=20).match(seed=1), random.Random(1)
    while not match.over:
        match.play(match.acting[0], rng.choice(list(match.legal_ids(match.acting[0]))))
    ply = stops_of(match)[-2]
    for seat, reader in ((0, 0), (None, -1)):
        view = view_at(match, ply, seat)
        assert ply > LATELY and view.log == tuple(match.facts(reader, ply - LATELY))
        assert 0 < len(view.log) < len(match.facts(reader))
