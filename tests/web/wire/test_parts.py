"""A stream sends a page whole at first, and then only the parts that its reader hasn't."""

import pytest

from hexdeck.web.live.parts import NOTHING, Parts

PAGE = "|<main id=table data-version=1>|<h1>H</h1>|<p id=a>1</p>|<ul>|<li id=b>2</li>||<li id=c>3</li>|</ul></main>"


def parts(text: str) -> Parts:
    """A page with its edges drawn."""
    return Parts(text.split("|"), "table")


def sent(html: str) -> bytes:
    """An event of a stream."""
    return f"event: table\ndata: {html}\n\n".encode()


def test_the_first_page_is_whole_and_the_next_only_what_has_changed() -> None:
    first = parts(PAGE)
    assert first.since(NOTHING) == sent(PAGE.replace("|", ""))
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
