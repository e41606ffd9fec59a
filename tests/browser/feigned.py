"""A server that is feigned, for pages of the gallery: what they send is kept, what they get is told."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs


class Feigned:
    """In the place of the server: sends frames, keeps what is posted, answers as told."""

    def __init__(self, page: Any, frames: tuple[str, ...] = (), answer: dict[str, Any] | None = None) -> None:
        self.posts: list[tuple[str, dict[str, list[str]]]] = []
        self.headers: list[dict[str, str]] = []
        self.frames, self.answer = list(frames), answer or {"status": 204}
        page.route(re.compile(r"/stream$"), self.stream)
        page.route(re.compile(r"/table/\w+/(move|explain|hint|coach|rematch|seat/.*|name)$"), self.post)

    def stream(self, route: Any) -> None:
        """All frames at once; the browser comes back for more, and there is none."""
        body = "".join(f"event: table\n{as_data(frame)}\n\n" for frame in self.frames)
        self.frames = []
        route.fulfill(content_type="text/event-stream", body=body or ": nothing\n\n")

    def post(self, route: Any) -> None:
        """Keep it."""
        self.posts.append((route.request.url.rpartition("/")[2], parse_qs(route.request.post_data or "")))
        self.headers.append(route.request.headers)
        route.fulfill(**self.answer)


def as_data(html: str) -> str:
    """A text as lines of an event."""
    return "\n".join(f"data: {line}" for line in html.splitlines())


def main_of(visit, name: str) -> str:
    """The main element of a page of the gallery."""
    html = (visit.folder / f"{name}.html").read_text(encoding="utf-8")
    return html.partition("<main")[2].partition("</main>")[0].join(("<main", "</main>"))


def newer(html: str, version: int = 9999) -> str:
    """The same at a later version."""
    return re.sub(r'data-version="\d+"', f'data-version="{version}"', html)


def feign(visit, name: str, *frames: str, answer: dict[str, Any] | None = None, **how: Any) -> tuple[Any, Feigned]:
    """A page with a feigned server."""
    made = []
    page = visit(name, before=lambda page: made.append(Feigned(page, frames, answer)), **how)
    return page, made[0]
