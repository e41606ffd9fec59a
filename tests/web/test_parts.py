"""A stream sends a page whole at first, and then only the parts that its reader hasn't."""

import random
import re
from dataclasses import dataclass, field

import pytest

from hexdeck.web.html.models import Site
from hexdeck.web.live.streams import NOTHING, Frame, Known, Parts, server_sent_event
from hexdeck.web.routes import presenters
from tests.settings import every_game, much
from tests.web.serving import Served
from tests.web.test_secrecy import PLAYERS, Table, sat_down

PAGE = "|<main id=table data-version=1>|<h1>H</h1>|<p id=a>1</p>|<ul>|<li id=b>2</li>||<li id=c>3</li>|</ul></main>"


def parts(text: str) -> Parts:
    """A page with its edges drawn."""
    return Parts(text.split("|"), "table")


def sent(html: str) -> bytes:
    """An event of a stream."""
    return f"event: table\ndata: {html}\n\n".encode()


def test_the_first_page_is_whole_and_the_next_only_what_has_changed() -> None:
    first = parts(PAGE)
    assert first.since(()) == sent(PAGE.replace("|", ""))
    later = parts(PAGE.replace("version=1", "version=2").replace("2</li>", "two</li>"))
    news = "<main data-parts id=table data-version=2><li id=b>two</li></main>"
    assert later.since(first.marks) == sent(news)
    assert parts(PAGE).marks == first.marks != later.marks


@pytest.mark.parametrize("other", [
    PAGE.replace("<h1>H", "<h1>Another"),
    PAGE.replace("|<li id=c>3</li>|", ""),
    PAGE.replace("<ul>", "|<p id=d>4</p>|<ul>"),
    "<main id=table data-version=2>Covered</main>",
])  # fmt: skip
def test_a_page_with_other_parts_is_sent_whole(other: str) -> None:
    whole = sent(other.replace("|", ""))
    assert parts(other).since(parts(PAGE).marks) == whole
    assert parts(PAGE).since(parts(other).marks) == sent(PAGE.replace("|", ""))


# --- steps of what happened ---
LAID = re.compile(r'\bid="(plate-\d+|zone-[^"]*|facts|middle|held)"')  # the parts that steps change


@dataclass
class Page:
    """A page that reads a stream: what it knows, what lies on it by id, and how many parts steps have left out."""

    known: Known = NOTHING
    lying: dict[str, str] = field(default_factory=dict)
    left_out: int = 0

    def reads(self, frame: Frame, rng: random.Random) -> None:
        """Read a frame, and show its steps; the newest view is shown after them, unless more is read first."""
        body, after = frame.sent(self.known)
        if frame.told:
            self.shows_steps(frame, body)
        elif frame.version != self.known.version:
            self.lying = parts_laid(frame.view.parts)
        self.known = after
        if rng.random() < 0.5:
            self.lying = parts_laid(frame.view.parts)

    def shows_steps(self, frame: Frame, body: bytes) -> None:
        """Each part of the first step is sent, or lies on the page already; nothing else is left there."""
        assert frame.told
        steps = frame.told.steps
        first = parts_laid(steps.first[1::2])
        if steps.fits and self.known.view[:1] == frame.view.marks[:1]:
            assert first.keys() == self.lying.keys()
        for id, part in first.items():
            if server_sent_event("", part).removeprefix(b"event: \ndata: ").strip() not in body:
                assert self.lying[id] == part
                self.left_out += 1
        self.lying = parts_laid(steps.last) or first


def parts_laid(parts: tuple[str, ...]) -> dict[str, str]:
    """The parts among these that steps change, by id."""
    found = [(LAID.search(part.split(">", 1)[0]), part) for part in parts]
    return {id[1]: part for id, part in found if id}


def frames(table: Table, pages: dict[int, Page], rng: random.Random, patch: pytest.MonkeyPatch) -> None:
    """The next frame for some of the pages, with others at the table or gone."""
    live, server = table.live, table.site.state
    live.cache.clear()
    live.pace = 1.0  # while pages are made: nothing waits until they have shown it
    here = frozenset(rng.sample(range(PLAYERS), rng.randint(1, PLAYERS)))
    with patch.context() as changed:
        changed.setattr(server.streams, "viewed", lambda _table: here)
        for seat, page in pages.items():
            if rng.random() < 0.8:
                page.reads(presenters.stream_frame(server, live, seat, Site("en"), page.known.version), rng)
    live.pace = 0.0


@every_game
def test_what_a_step_leaves_out_lies_on_the_page(name: str, site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the page shows the newest view then, or still the last step."""
    rng, left_out, tables = random.Random(name), 0, 0
    while tables < much(2, 20):
        table, pages = sat_down(site, name, rng), {seat: Page() for seat in range(-1, PLAYERS)}
        tables += 1
        for _ in range(60):
            frames(table, pages, rng, monkeypatch)
            if not table.move(rng):
                break
        left_out += sum(page.left_out for page in pages.values())
    assert left_out > 20
