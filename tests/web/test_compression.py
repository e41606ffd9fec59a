"""Pages are gzipped where that is safe: never with a token in them, and with blurred lengths."""

import gzip
import re

import httpx
import pytest

from hexdeck.web.routes.requests import STEP, accepts_gzip, padded_gzip
from tests.support import for_each
from tests.web.serving import Person, Program, Served, carried_by


def raw(person: Person, path: str, encodings: str = "gzip, br") -> tuple[httpx.Headers, bytes]:
    with person.http.stream("GET", path, headers={"accept-encoding": encodings}) as answer:
        return answer.headers, b"".join(answer.iter_raw())


def seated(site: Served, other: str = "bot:house") -> Person:
    return Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": other})


def test_pages_are_packed_for_who_takes_that(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, promise = seated(site, "open"), site.state.registry.promise()
    Person(site.base).joins(ann)  # no bot, who would move meanwhile
    monkeypatch.setattr(site.state.registry, "promise", lambda _ticket="": promise)  # else no page is twice the same
    for path in ("/", f"/table/{ann.table}", "/tables", "/rules/hawthorn", "/new/hawthorn"):
        headers, body = raw(ann, path)
        assert headers["content-encoding"] == "gzip" and "accept-encoding" in headers["vary"], path
        plain_headers, plain = raw(ann, path, "identity")
        assert "content-encoding" not in plain_headers
        assert gzip.decompress(body) == plain and len(body) < len(plain), path
        assert len(body) % STEP == 0


def test_type_is_fetched_before_the_style_sheet_that_uses_it(site: Served) -> None:
    """Else words move on a page when it comes."""
    page = Person(site.base).get("/").text
    style = Person(site.base).get(re.search(r"/static/style\.\w+\.css", page)[0]).text
    used = re.findall(r"[\w.-]+\.woff2", style)
    ahead = re.findall(r'rel="preload" href="/static/([\w.-]+)" as="font"', page[: page.index("style.")])
    assert len(used) == 3 and ahead == used


def test_what_gives_a_seat_away_is_never_packed(site: Served) -> None:
    ann = seated(site, "open")
    ann.post(f"/table/{ann.table}/carry")
    link = ann.invitations()[0]
    carrying = next(part for part in carried_by(ann).split('"') if "/carry/" in part and "http" in part)
    secrets = {
        f"/table/{ann.table}": "/join/",
        f"/table/{ann.table}/invite": "/join/",
        link: link,
        f"/table/{ann.table}/carry": "/carry/",
        f"/carry/{carrying.rpartition('/')[2]}": "/carry/",
        f"/table/{ann.table}/record": "/join/",
    }
    tv = Person(site.base)
    made = tv.post("/tables", {"game": "hawthorn", "players": "2", "screen": "this", "seat-1": "open"})
    secrets[made.headers["location"]] = 'class="code"'
    for path, secret in secrets.items():
        headers, body = raw(Person(site.base) if path == link else ann, path)
        assert "content-encoding" not in headers and secret.encode() in body, path


def test_answers_to_programs_forms_and_streams_are_not_packed(site: Served) -> None:
    program, ann = Program(site.base), seated(site)
    answer = program.http.post("/tables", json={"game": "hawthorn", "seats": ["you", "open"], "players": 2})
    assert answer.json()["token"] and "content-encoding" not in answer.headers
    refused = ann.post(f"/table/{ann.table}/move", {"version": "0", "move": "nothing"})
    assert len(refused.content) > STEP and "content-encoding" not in refused.headers
    with ann.http.stream("GET", f"/table/{ann.table}/stream", headers={"accept-encoding": "gzip"}) as stream:
        assert "content-encoding" not in stream.headers
        assert next(stream.iter_raw()).startswith(b"event: table\n")


def test_a_length_does_not_tell_whether_a_guess_was_right() -> None:
    """A page has the same length however often it is loaded, and a right guess can't be told from wrong ones."""
    page = "".join(f"<li>{hash(k * 7919)} of {k}</li>" for k in range(300)) + "data-code=7h"
    assert padded_gzip(page.encode()) == padded_gzip(page.encode())
    lengths = [{len(padded_gzip(f"{page}<b>{guess}{k}</b>".encode())) for k in range(200)} for guess in ("=7h", "=3k")]
    assert lengths[0] == lengths[1] and len(lengths[0]) > 1


@for_each(
    ("encodings", "takes"),
    [
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("*", True),
        ("GZIP", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("identity", False),
    ],
)
def test_who_takes_gzip(encodings: str, takes: bool) -> None:
    assert accepts_gzip(encodings) == takes
