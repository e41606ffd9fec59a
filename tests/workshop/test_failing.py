"""A rule of a fork that fails while people play it: they read one sentence, and nothing else is touched."""

import html
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexdeck.authoring import fork_game, forks
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.bounded_loading import guarded
from hexdeck.engine.discovery.definition import definition, forget
from hexdeck.tables.entries import CHOICE, HALT
from hexdeck.tables.live import LiveTable
from tests.support import until
from tests.web.serving import Person, Served, file_in, served
from tests.workshop.test_forks import form

FAILS = "    while (s.deals, seat) in ((7, 0), (8, 1)): pass\n"
FIRST = '    """Apply a legal move."""\n'


@pytest.fixture(name="site", scope="module", params=["interpreted", pytest.param("checked", marks=pytest.mark.long)])
def _site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Served]:
    games = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(finding.PATH, str(games))
        patch.setenv("HEXDECK_BACKEND", request.param)
        file = fork_game("hawthorn", "my-own", games) / "rules.py"
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(FIRST, FIRST + FAILS), encoding="utf-8")
        forget()
        with served(file_in(tmp_path_factory.mktemp("site")), forks=str(games)) as server:
            yield server
    forget()


def told(site: Served) -> str:
    lines = Path(site.state.settings.forks, "my_own", "rules.py").read_text(encoding="utf-8").splitlines(keepends=True)
    place = f"apply_action in rules.py, line {lines.index(FAILS) + 1}"
    return f"my-own: {place}, fails: this loop didn't end after 20,000 turns."


def begun(site: Served, deals: int) -> Person:
    fields = {"game": "my-own", "players": "2", "option-deals": str(deals), "seat-1": "bot:house"}
    return Person(site.base).begins(fields)


def table_of(site: Served, person: Person) -> LiveTable:
    return site.state.registry.tables[person.table]


def halts(site: Served, person: Person) -> int:
    return sum(entry.kind == HALT for entry in table_of(site, person).entries)


def test_a_move_that_fails_is_refused_with_the_place_and_others_play_on(site: Served) -> None:
    other = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "bot:house"})
    ann, sentence = begun(site, 7), told(site)
    table = table_of(site, ann)
    until(lambda: any(entry.kind == CHOICE for entry in table.entries))  # the bot's
    for _ in range(2):
        before, struct = len(table.entries), table.stored_struct
        page = ann.page()
        move, version = (page.partition(f'name="{name}" value="')[2].partition('"')[0] for name in ("move", "version"))
        answer = ann.post(f"/table/{ann.table}/move", {"move": move, "version": version})
        assert answer.status_code == 400 and sentence in html.unescape(answer.text)
        assert table.match and (len(table.entries), bytes(table.match.struct.row_)) == (before, struct)
    moved = table_of(site, other).version
    other.plays(random.Random(1))
    until(lambda: table_of(site, other).version > moved)


def test_a_bot_whose_move_fails_waits_and_goes_on_when_the_rule_is_mended(
    site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughts = list[str]()
    monkeypatch.setattr(site.state.runner, "timed", lambda table, _seconds: thoughts.append(table.id))
    ben, sentence = begun(site, 8), told(site)
    until(lambda: f"A bot can't move: {sentence}" in html.unescape(ben.page()))
    until(lambda: ben.table not in site.state.runner._thinking)
    assert halts(site, ben) == 1
    ben.plays(random.Random(1))  # the bot tries once more
    until(lambda: halts(site, ben) == 2 and ben.table not in site.state.runner._thinking)
    assert thoughts.count(ben.table) == 2

    async def fine(*_how: object) -> None:
        """Nothing is wrong."""

    fields = form(site, "apply_action")
    assert FAILS in fields["written"]
    fields["written"] = fields["written"].replace(FAILS, "")
    monkeypatch.setattr(forks, "fault", fine)
    moves = table_of(site, ben).version
    assert Person(site.base).post("/workshop/my-own/rule", fields).status_code == 303
    until(lambda: ben.table in site.state.registry.tables and table_of(site, ben).version > moves + 1)
    assert "The rules of this game were changed; the match goes on" in html.unescape(ben.page())
    assert halts(site, ben) == 2


def test_a_hint_whose_reason_fails_is_refused_with_the_place(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    game = definition("my-own")

    def because(*_: object) -> int:
        return 1 // 0

    monkeypatch.setattr(game.hints, "because", guarded(because, "my-own", Path(__file__).parent))
    ann = begun(site, 3)
    answer = ann.post(f"/table/{ann.table}/hint", {})
    assert answer.status_code == 400 and "because in test_failing.py" in html.unescape(answer.text)
