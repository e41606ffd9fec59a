"""A fake server for pages of the gallery: keeps what they send, and answers as it is told."""

import re
import time
from typing import Any
from urllib.parse import parse_qs

from tests.support import until


class FakeServer:
    """In place of the server: sends frames, keeps what is posted, answers as it is told."""

    def __init__(self, page: Any, frames: tuple[str, ...] = (), answer: dict[str, Any] | None = None) -> None:
        self.page = page
        self.posts: list[tuple[str, dict[str, list[str]]]] = []
        self.headers: list[dict[str, str]] = []
        self.frames, self.answer = list(frames), answer or {"status": 204}
        page.route(re.compile(r"/stream$"), self.stream)
        page.route("**/last", lambda route: route.fulfill(status=204))
        page.route(re.compile(r"/table/\w+/(move|explain|hint|coach|rematch|seat/.*|name)$"), self.post)

    def wait_for(self, count: int) -> None:
        until(lambda: self.page.wait_for_timeout(1) or len(self.posts) >= count)
        self.hear_all()

    def hear_all(self) -> None:
        """Hear all that the page has sent by now: what it asks for last is answered after the rest."""
        self.page.evaluate("() => fetch('/last').then(() => null)")

    def stream(self, route: Any) -> None:
        """All frames at once; when the browser comes back for more, there are none."""
        body = "".join(f"event: table\n{as_data(frame)}\n\n" for frame in self.frames)
        self.frames = []
        route.fulfill(content_type="text/event-stream", body=body or ": nothing\n\n")

    def post(self, route: Any) -> None:
        self.posts.append((route.request.url.rpartition("/")[2], parse_qs(route.request.post_data or "")))
        self.headers.append(route.request.headers)
        route.fulfill(**self.answer)


def as_data(html: str) -> str:
    return "\n".join(f"data: {line}" for line in html.splitlines())


def main_of(visit, name: str) -> str:
    html = (visit.folder / f"{name}.html").read_text(encoding="utf-8")
    return html.partition("<main")[2].partition("</main>")[0].join(("<main", "</main>"))


def newer(html: str, version: int = 9999) -> str:
    return re.sub(r'data-version="\d+"', f'data-version="{version}"', html)


def stop_clock(page: Any) -> None:
    """From before it is loaded, the page's time passes by `page.clock.run_for` alone."""
    now = time.time()
    page.clock.install(time=now)
    page.clock.pause_at(now + 1)


def fake_server(
    visit, name: str, *frames: str, answer: dict[str, Any] | None = None, **how: Any
) -> tuple[Any, FakeServer]:
    """A page with a fake server, and a clock of ours where it has scripts: nothing happens by itself."""
    made, scripts = [], how.get("java_script_enabled", True)

    def before(page: Any) -> None:
        if scripts:
            stop_clock(page)
        made.append(FakeServer(page, frames, answer))

    page = visit(name, before=before, **how)
    return page, made[0]
