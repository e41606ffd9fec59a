"""The list of a reader's tables; cached pages; how many tables there may be; the host names a server answers to."""

import random
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexdeck.authoring import new_game
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.engine.play.match import Match
from hexdeck.tables import rows
from hexdeck.tables.live import LiveTable
from hexdeck.web.html.rendering import Site
from hexdeck.web.routes import presenters, seats
from hexdeck.web.server.settings import Limits
from hexdeck.web.server.state import StreamFrame, server_sent_event
from tests.support import PATIENCE
from tests.web.serving import PLENTY, Person, Program, Served, file_in, served


def line_of(person: Person, lang: str = "en") -> str:
    return person.get("/tables", lang).text


def test_my_tables_say_how_each_stands(site: Served) -> None:
    ann, said = Person(site.base), []
    for chairs in ("open", "bot:house"):
        ann.begins({"game": "hawthorn", "players": "2", "seat-1": chairs})
        said.append(line_of(ann))
    assert "waiting for players" in said[0] and "Guest · 1 open seat" in said[0] and "Your turn" not in said[0]
    assert "Your turn" in said[1]
    ben = Person(site.base).begins({}, _with_open_seat(site, 2))
    ben.post(f"/table/{ben.table}/seat/1/bot")
    assert "a bot plays for you" in line_of(ben) and "een bot speelt voor jou" in line_of(ben, "nl")


def test_where_it_is_ones_turn_comes_first(site: Served) -> None:
    ann = Person(site.base)
    for chairs in ("bot:house", "open", "open"):
        ann.begins({"game": "hawthorn", "players": "2", "seat-1": chairs, "clock": "daily"})
    said = re.findall(r"<small>(?:<strong>)?([^<·]+)", line_of(ann))
    assert said == ["Your turn", "waiting for players ", "waiting for players "]


def test_of_many_tables_none_is_left_out_where_it_is_ones_turn(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "LISTED", 2)
    ann = Person(site.base)
    for chairs in ("bot:house", "open", "open"):
        ann.begins({"game": "hawthorn", "players": "2", "seat-1": chairs})
    assert "Your turn" in line_of(ann)


def _with_open_seat(site: Served, players: int) -> str:
    host = Program(site.base)
    begun = host.creates(game="hawthorn", players=players, seats=["you", "open"])
    return f"/join/{begun['invitations']['1']}"


def test_lists_load_no_table_and_tell_of_those_that_cannot_go_on(tmp_path: Path) -> None:
    with served(file_in(tmp_path)) as site:
        ann = Person(site.base)
        for _ in range(3):
            ann.begins({"game": "hawthorn", "players": "2", "seat-1": "open"})
        token = ann.token

        def end(connection: Any) -> None:
            connection.exec_driver_sql("UPDATE tables SET state = 'ended' WHERE id = ?", (ann.table,))

        site.state.registry.store.submit(end).result(PATIENCE)
    with served(file_in(tmp_path)) as site:
        again = Person(site.base)
        again.takes(token)
        page = line_of(again)
        assert page.count('href="/table/') == 3 and "can&#39;t be resumed" in page
        assert "Continue: 2 tables are waiting" in again.get("/").text
        assert not site.state.registry.tables


def test_of_each_page_of_a_table_only_the_newest_is_kept(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Program(site.base)
    ann.creates(game="hawthorn", players=2, seats=["you", "open"], clock="relaxed")
    table = site.state.registry.tables[ann.table]
    for seen in range(30):
        for lang in ("en", "nl"):
            monkeypatch.setattr(site.state.registry, "clock", lambda seen=seen: 1e9 + 10 * seen)
            for seat in (-1, 0):
                presenters.stream_frame(site.state, table, seat, Site(lang, base=f"http://host{seen}"), -1)
    assert len(table.cache) < 8

    def frame(seat: int, host: str = "") -> StreamFrame:
        return presenters.stream_frame(site.state, table, seat, Site("en", base=host), -1)

    assert frame(-1) is frame(-1)
    assert b"host29" in frame(0, "http://host29").view


@pytest.mark.parametrize("watch", ["", "no"])
def test_a_replay_says_who_can_open_its_link(site: Served, watch: str) -> None:
    ann = Person(site.base).begins({"game": "blackstone", "players": "2", "seat-1": "bot:random", "watch": watch})
    rng = random.Random(1)
    while not ann.plays(rng):
        pass
    page = ann.get(f"/replay/{ann.table}").text
    assert ("Only players at this table can open it." in page) == (watch == "no")
    assert Person(site.base).get(f"/replay/{ann.table}").status_code == (403 if watch else 200)


def test_a_match_is_replayed_in_another_thread_than_moves_are_answered_in(site, monkeypatch) -> None:
    ann, rng, threads, replayer = Person(site.base), random.Random(1), list[threading.Thread](), LiveTable.replayer

    def noted(table: LiveTable) -> Callable[[], Match]:
        return lambda: threads.append(threading.current_thread()) or replayer(table)()

    monkeypatch.setattr(LiveTable, "replayer", noted)
    ann.begins({"game": "blackstone", "players": "2", "seat-1": "bot:random"})
    while not ann.plays(rng):
        pass
    for _ in range(2):
        assert ann.get(f"/replay/{ann.table}").status_code == 200
    assert len(threads) == 1 and threads[0] is not site.thread


def test_tables_are_counted_now_and_then_not_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted, count = [], rows.unfinished
    monkeypatch.setattr(rows, "unfinished", lambda connection: counted.append(1) or count(connection))
    with served(file_in(tmp_path), Limits(tables=12, tables_part=1, creates=PLENTY.creates)) as site:
        ann = Program(site.base)
        for _ in range(12):
            ann.creates(game="hawthorn", players=2, seats=["you", "open"])
        assert len(counted) == 1
        assert ann.http.post("/tables", json={"game": "hawthorn"}).status_code == 429
        end = "UPDATE tables SET state = 'over'"
        site.state.registry.store.submit(lambda connection: connection.exec_driver_sql(end)).result(PATIENCE)
        ann.creates(game="hawthorn", players=2, seats=["you", "open"])  # there is room again


def test_an_event_of_a_stream_holds_no_line_that_is_none_of_its_own() -> None:
    got = server_sent_event("table", "<p>a\u2028b\rc\r\n\nd</p>\n").decode()
    assert got == "event: table\ndata: <p>a\u2028b\ndata: c\ndata: \ndata: d</p>\n\n"


SPOILT: dict[str, Callable[[Path], object]] = {
    "missing": lambda folder: folder.rename(folder.parent / "not-a-game"),
    "broken": lambda folder: (folder / "table.py").unlink(),
}


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = new_game("high-bid", tmp_path / "games")
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(tmp_path / "games"))
        forget()
        yield folder
    forget()


@pytest.mark.parametrize("how", SPOILT)
def test_a_table_of_a_missing_or_broken_game_has_a_line_and_the_others_are_listed(begun, tmp_path, how) -> None:
    with served(file_in(tmp_path)) as site:
        ann = Person(site.base)
        for game in ("high-bid", "hawthorn"):
            ann.begins({"game": game, "players": "2", "seat-1": "bot:random"})
        assert "High Bid" in line_of(ann) and "Hawthorn" in line_of(ann)
        SPOILT[how](begun)
        forget()
        said, dutch = line_of(ann), line_of(ann, "nl")
        assert said.count("Your turn") == 1 and "<b>Hawthorn</b>" in said and "<b>high-bid</b>" in said
        assert "waiting for its game, which can&#39;t be played on this server just now" in said
        assert "wacht op zijn spel, dat op deze server nu niet gespeeld kan worden" in dutch
        assert ann.get("/").status_code == 200


def test_no_page_shows_where_the_games_of_the_server_lie(begun: Path, tmp_path: Path) -> None:
    (begun / "table.py").write_text("TITLE = (\n", encoding="utf-8")
    forget()
    with served(file_in(tmp_path)) as site:
        ann = Person(site.base)
        answers = [
            *(
                ann.get(page)
                for page in ("/", "/tables", "/new/high-bid", "/rules/high-bid", "/rules/high-bid/example")
            ),
            *(ann.post(page, {"game": "high-bid", "players": "2"}) for page in ("/play", "/tables")),
            Program(site.base).http.post(
                "/tables", json={"game": "high-bid", "seats": ["you", "random"], "players": 2}
            ),
            Program(site.base).http.get("/games/high-bid"),
        ]
    assert sum("high_bid/table.py" in answer.text for answer in answers) >= 6
    assert not [answer.url for answer in answers if str(tmp_path) in answer.text]
