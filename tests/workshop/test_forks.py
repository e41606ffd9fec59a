"""Rules that are written in the workshop: only on the designer's own computer, and only what can be played."""

import html
import json
import os
import re
import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import axe_playwright_python
import httpx
import pytest

from hexdeck.authoring import fork_game, forks
from hexdeck.cli import main, serve
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say
from hexdeck.web.html import rendering
from hexdeck.web.server.server import lan_address
from hexdeck.web.server.workshop import ENDLESS
from tests.support import PATIENCE, for_each, until
from tests.web.serving import Person, Served, file_in, served

WAYS = [f"/workshop/hawthorn/{way}" for way in ("fork", "check", "rule", "own", "names")]


@pytest.fixture(scope="module")
def designing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on which a fork of Hawthorn, my-own, is being written."""
    games = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(finding.PATH, str(games))
        forget()
        with served(file_in(tmp_path_factory.mktemp("site")), forks=str(games)) as server:
            answer = Person(server.base).post("/workshop/hawthorn/fork", {"name": "My Own"})
            assert answer.headers["location"] == "/workshop/my-own"
            yield server
    forget()
    rendering.forget_art()


def rules(server: Served) -> Path:
    return Path(server.state.settings.forks, "my_own", "rules.py")


def form(server: Served, function: str) -> dict[str, str]:
    """The form of a function, as the page has it."""
    page = Person(server.base).get(f"/workshop/my-own?players=2&rule={function}").text
    part = page[page.index(f'id="rule-{function}"') :]
    fields = {name: re.search(f'name="{name}" value="([^"]*)"', part) for name in ("function", "digest", "variant")}
    text = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", part, re.DOTALL)
    assert text and all(fields.values())
    return {"written": html.unescape(text[1])} | {k: html.unescape(m[1]) for k, m in fields.items() if m}


def test_nobody_writes_rules_on_a_server_that_was_not_begun_so(site: Served) -> None:
    ann = Person(site.base)
    assert 'id="fork"' not in ann.get("/workshop/hawthorn").text
    for path in WAYS:
        answer = ann.post(path, {"name": "my-own"})
        assert answer.status_code == 403 and "Rules are programs: only a browser on this computer" in answer.text


@for_each(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"sec-fetch-site": "cross-site"},
        {"x-forwarded-for": "203.0.113.7"},
        {"x-forwarded-host": "elsewhere.example"},
        {"host": "elsewhere.example"},
        {"host": "192.0.2.20:8400"},
        {"host": "printer.localhost"},
        {"host": socket.gethostname()},
        {"origin": "null"},
    ],
)
def test_nobody_else_writes_rules(designing: Served, headers: dict[str, str]) -> None:
    before = rules(designing).read_text(encoding="utf-8")
    fields = form(designing, "payment") | {"name": "another"}
    fields["written"] += "\n# mine\n"
    for path in (*WAYS, *(f"/workshop/my-own/{way}" for way in ("rule", "own", "check", "names"))):
        answer = httpx.post(f"{designing.base}{path}", data=fields, headers=headers, timeout=PATIENCE)
        assert answer.status_code in {403, 421}, path
    assert rules(designing).read_text(encoding="utf-8") == before
    assert [folder.name for folder in rules(designing).parents[1].iterdir()] == ["my_own"]


def test_the_page_that_phones_cannot_open_says_how_the_same_server_lets_them_in(monkeypatch: Any) -> None:
    begun = []

    def noted(arguments: Any) -> None:
        begun.extend(serve.for_lan(arguments))
        raise BadOption(say("Enough."))

    monkeypatch.setattr(serve, "check", noted)
    assert main(["serve", "--forks", "games", "--port", "0"]) == 2
    words = "--forks games --port 0 --lan"
    assert begun == [f"hexdeck serve {words}", f"make play ARGS='{words}'"]


def test_a_friend_on_another_device_plays_a_fork_and_reaches_no_way_to_write(designing: Served, tmp_path: Path) -> None:
    near, forks = lan_address(), designing.state.settings.forks
    if not near:
        pytest.skip("this computer is on no network")
    with served(file_in(tmp_path), host=serve.ANYWHERE[0], forks=forks, for_lan=()) as site:
        away = f"http://{near}:{site.port}"
        object.__setattr__(site.state.settings, "lan_address", away)
        fields, before = form(site, "payment") | {"name": "another"}, rules(site).read_text(encoding="utf-8")
        ann, ben = Person(site.base), Person(away)
        ann.begins({"game": "my-own", "players": "2", "seat-1": "open"})
        page = ann.get(f"/table/{ann.table}/invite").text
        assert "<svg" in page and 'id="unreachable"' not in page and f"{away}/join/" in page
        link = urlsplit(ann.invitations()[0])
        assert ben.sits_down(ben.post(link.path)) == ann.table and ben.get(f"/table/{ben.table}").status_code == 200
        for path in (*WAYS, *(f"/workshop/my-own/{way}" for way in ("rule", "own", "check", "names"))):
            for headers in ({}, {"host": f"localhost:{site.port}"}, {"x-forwarded-for": serve.THIS_COMPUTER}):
                answer = httpx.post(f"{away}{path}", data=fields, headers=headers, timeout=PATIENCE)
                assert answer.status_code == 403 and "Rules are programs" in answer.text, path
        page = ben.get("/workshop/my-own?players=2").text
        assert "whoever opens it needs the folder my_own" in html.unescape(page)
        assert "the folder" not in ben.get("/workshop/hawthorn?players=2").text
        assert "<textarea" not in page and 'id="fork"' not in page and 'id="own"' not in page
        assert rules(site).read_text(encoding="utf-8") == before
        with httpx.stream("GET", f"{away}/workshop/my-own/stream?players=2", timeout=PATIENCE) as answer:
            next(line for line in answer.iter_lines() if line == "event: figures")
        assert site.app.state.workshop.process is None  # figures of rules that change come from elsewhere


def test_a_game_that_is_no_fork_here_cannot_be_changed(designing: Served) -> None:
    ann = Person(designing.base)
    for path in WAYS[1:]:
        answer = ann.post(path, {"function": "payment"})
        assert answer.status_code == 403 and "hawthorn can't be changed here; fork it first." in html.unescape(
            answer.text
        )
    again = ann.post("/workshop/hawthorn/fork", {"name": "my-own", "variant": "players=3&option-fold_price=own"})
    assert again.status_code == 400
    assert re.search(r'id="fault-name">There is already a game called my-own', again.text)
    kept = r'id="players-3"[^>]* checked.*value="own"[^>]* (checked|selected).*id="name" name="name" value="my-own"'
    assert re.search(kept, again.text, re.DOTALL)
    page = ann.post("/workshop/hawthorn/fork", {"name": "my-third", "variant": "players=3"})
    assert page.headers["location"].endswith("/workshop/my-third?players=3")


def test_what_a_link_leads_to_is_not_written(designing: Served, tmp_path: Path) -> None:
    games, ann = rules(designing).parents[1], Person(designing.base)
    elsewhere = fork_game("hawthorn", "elsewhere", tmp_path)
    (games / "elsewhere").symlink_to(elsewhere)
    (games / "nowhere").symlink_to(tmp_path / "nothing")
    forget()
    kept = [(file, file.read_bytes()) for file in elsewhere.rglob("*.*")]
    assert ann.get("/workshop/elsewhere?players=2").status_code == 200
    for way in ("rule", "own", "names"):
        answer = ann.post(f"/workshop/elsewhere/{way}", {"players": "2", "name-7": "Crow"})
        assert answer.status_code == 403 and "elsewhere can't be changed here" in html.unescape(answer.text)
    answer = ann.post("/workshop/hawthorn/fork", {"name": "nowhere"})
    assert answer.status_code == 400 and "already exists" in answer.text and not (tmp_path / "nothing").exists()
    (elsewhere / "rules.py").rename(tmp_path / "rules.py")
    (elsewhere / "rules.py").symlink_to(tmp_path / "rules.py")
    forks.save(elsewhere, "rules.py", "new")
    assert (tmp_path / "rules.py").read_bytes() == dict(kept)[elsewhere / "rules.py"]
    for link in ("elsewhere", "nowhere"):
        (games / link).unlink()
    forget()


def test_rules_that_cannot_be_played_are_told_and_not_kept(designing: Served) -> None:
    before, ann = rules(designing).read_text(encoding="utf-8"), Person(designing.base)
    fields = form(designing, "payment")
    fields["written"] = fields["written"].replace("return min(amount", "return mine(amount")
    wrong = "Line 3 here: name 'mine' is not defined"
    told = ann.post("/workshop/my-own/check", fields).json()
    assert told["fault"].startswith(wrong)
    answer = ann.post("/workshop/my-own/rule", fields)
    page = html.unescape(answer.text)
    assert answer.status_code == 400 and wrong in page and "return mine(amount" in page
    assert rules(designing).read_text(encoding="utf-8") == before
    small = ann.post("/workshop/my-own/own", {"players": "2", "option-deck": "2-2-2-2-2-2"})
    assert small.status_code == 400 and "A deck of 12 cards can't give 3 players 5 cards each" in html.unescape(
        small.text
    )
    assert ann.get("/workshop/hawthorn").status_code == 200


def events(server: Served, until_in: str) -> str:
    """What the stream of the fork tells, until something is in it."""
    told: list[str] = []
    with httpx.stream("GET", f"{server.base}/workshop/my-own/stream?players=2", timeout=PATIENCE) as answer:
        for line in answer.iter_lines():
            told.append(line)
            if until_in in line:
                break
    return html.unescape("\n".join(told))


def test_a_rule_that_is_kept_is_compared_with_the_original_and_played(designing: Served) -> None:
    other = Person(designing.base).begins({"game": "hawthorn", "players": "2"}, "/play")
    assert "Compared with Hawthorn, on the same cards." in events(designing, "different result for somebody: 0")
    fields = form(designing, "pair_price")
    fields["written"] = fields["written"].replace("return r + 1", "return 2 * (r + 1)")
    assert Person(designing.base).post("/workshop/my-own/check", fields).json() == {"fault": ""}
    kept = Person(designing.base).post("/workshop/my-own/rule", fields)
    assert kept.headers["location"] == "/workshop/my-own?players=2&rule=pair_price#rule-pair_price"
    assert "return 2 * (r + 1)" in rules(designing).read_text(encoding="utf-8")
    page = Person(designing.base).get(kept.headers["location"].partition("#")[0]).text
    assert "Saved. Its rules page has no words for this yet" in page
    assert "different result for somebody: " in events(designing, "with a different winner: ")
    table = Person(designing.base).begins({"game": "my-own", "players": "2", "seat-1": "open"})
    invited = other.get(table.invitations()[0]).text
    assert 'href="/rules/my-own">This is a variant: what differs</a>' in invited
    assert "<span>This is a variant: what differs</span>" in table.page()
    stale = Person(designing.base).post("/workshop/my-own/rule", fields)
    assert stale.status_code == 400 and "pair_price was changed elsewhere meanwhile" in stale.text
    assert other.get(f"/table/{other.table}").status_code == 200
    assert designing.app.state.workshop.process is None  # what others measure has a process of its own


def test_a_designer_with_a_browser_is_told_while_typing(designing: Served, browser: Any) -> None:
    axe = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    try:
        page.goto(f"{designing.base}/workshop/my-own?players=2")
        page.locator("#rule-payment summary").click()
        area, said = page.locator("#rule-payment textarea"), page.locator("#fault-of-payment")
        text = area.input_value()
        area.fill(text.replace("return min(", "return min("[:-1]))
        said.filter(has_text="Line 3 here: ").wait_for()
        page.evaluate(axe)
        found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        area.fill(text.rstrip() + "  # as it was\n")
        said.filter(has_text="It plays. Save it").wait_for()
        page.evaluate("delete HTMLFormElement.prototype.requestSubmit")  # as in Safari 15
        area.press("Control+s")
        said.filter(has_text="Saved.").wait_for()
    finally:
        context.close()
    assert "  # as it was\n" in rules(designing).read_text(encoding="utf-8")


def test_a_trial_that_nobody_waits_for_is_stopped(designing: Served, tmp_path: Path) -> None:
    fields, other = form(designing, "payment"), form(designing, "price")

    def checked(fields: dict[str, str]) -> HTTPConnection:
        asking = HTTPConnection(serve.THIS_COMPUTER, designing.port, timeout=PATIENCE)
        body, kind = urlencode(fields), {"content-type": "application/x-www-form-urlencoded", "hexdeck": "1"}
        asking.request("POST", "/workshop/my-own/check", body, kind)
        return asking

    def begun(name: str) -> tuple[HTTPConnection, int]:
        """A change that is never tried to its end, and the process that tries it."""
        file = tmp_path / name
        never = f"\nimport os, time\nopen({str(file)!r}, 'w').write(f'{{os.getpid()}}.')\ntime.sleep(10**6)\n"
        asking = checked(fields | {"written": fields["written"] + never})
        return asking, int(until(lambda: file.is_file() and re.fullmatch(r"(\d+)\.", file.read_text()))[1])

    first, process = begun("a")
    second, newer = begun("b")
    answer = first.getresponse()
    assert answer.status == 409 and "written anew" in json.load(answer)["error"]
    waiting = checked(other)
    second.close()
    assert json.load(waiting.getresponse()) == {"fault": ""} and designing.app.state.trials.newest == {}
    first.close()
    waiting.close()
    for ended in (process, newer):
        with pytest.raises(ProcessLookupError):
            os.kill(ended, 0)


def test_rules_that_end_no_game_are_told_while_they_are_measured(designing: Served, monkeypatch: Any) -> None:
    drafts = designing.app.state.drafts
    fields = form(designing, "price")
    never = fields["written"].replace(
        "    cards = s.row[seat]\n", "    cards = s.row[seat]\n    s.pot > 12 and sum(iter(int, 1))\n"
    )
    before = rules(designing).read_text(encoding="utf-8")
    rules(designing).write_text(before.replace(fields["written"].rstrip(), never.rstrip()), encoding="utf-8")
    monkeypatch.setattr(drafts, "patience", 4.0)
    designing.state.registry.loop.call_soon_threadsafe(drafts.restart)
    assert ENDLESS in events(designing, "perhaps a rule has no end")
    until(lambda: drafts.process is None)
    rules(designing).write_text(before, encoding="utf-8")


@for_each(
    "other",
    ["--host 0.0.0.0", "--allow-host cards.example.org", "--proxy localhost", "--prefix /a", "--workshop on"],
)
def test_a_server_that_others_reach_lets_nobody_write_rules(
    other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "serve", lambda *_how: None)
    assert main(["serve", "--forks", str(tmp_path), *other.split()]) == 2
    assert "--forks" in capsys.readouterr().err


def test_a_fork_whose_folder_is_gone_is_no_game_and_its_tables_wait(designing: Served, tmp_path: Path) -> None:
    ann = Person(designing.base)
    ann.post("/workshop/hawthorn/fork", {"name": "gone"})
    ann.begins({"game": "gone", "players": "2", "seat-1": "bot:house"})
    folder = rules(designing).parents[1] / "gone"
    folder.rename(tmp_path / "gone")
    for answer in (
        ann.get("/workshop/gone"),
        ann.post("/workshop/gone/rule", form(designing, "price")),
        ann.post("/workshop/gone/names", {}),
        ann.get("/rules/gone"),
    ):
        assert answer.status_code == 404 and "There is no game gone" in html.unescape(answer.text)
    answer = ann.get(f"/table/{ann.table}")
    assert answer.status_code == 503 and "This table is waiting for its game: gone" in html.unescape(answer.text)
    for page in ("/", "/tables", "/workshop"):
        assert ann.get(page).status_code == 200, page
    (tmp_path / "gone").rename(folder)
    forget()
    assert ann.get(f"/table/{ann.table}").status_code == 200
