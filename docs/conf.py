"""Settings of the docs site: `make docs` builds it into docs/_build, strictly, to be read from files."""

import re
import sys
from pathlib import Path

from hexdeck import __version__

HERE = Path(__file__).parent

project = "Hexdeck"
author = copyright = "The Hexdeck authors"  # noqa: A001 (Sphinx's name)
release = version = __version__
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
nitpicky = True
smartquotes_action = "qe"  # quotes and ellipses; two dashes begin a flag

html_theme = "furo"
html_title = "Hexdeck"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # a browser doesn't let a page that is read from a file fetch others

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # in a rules page a picture may stand where a heading would


MADE = (  # a link to a file of the sources, and the page that the site makes of it
    (r"src/hexdeck/games/(\w+)/rules\.(\w+)\.md", r"docs/generated/rules/\2/\1.md"),
    (r"src/hexdeck/games/(\w+)/example\.(\w+)\.md", r"docs/generated/rules/\2/\1.md#an-example"),
)


def for_the_site(_app: object, page: str, source: list[str]) -> None:
    """Lead to pages that the site makes, and show what only the site has: a checkout's links lead to files in it."""
    text = re.sub(r"<!-- on the site:((?:(?!-->).)*)\s-->(?=[\w\[])", r"\1 ", source[0], flags=re.DOTALL)
    text = re.sub(r"<!-- on the site:(.*?)\s-->", r"\1", text, flags=re.DOTALL)
    up = "../" * page.count("/")
    for pattern, made in MADE:

        def link(found: re.Match[str], made: str = made) -> str:
            path = found.expand(made).removeprefix("docs/")
            name, dot, rest = path.partition(".")
            return f"]({up}{name.replace('_', '-') if 'rules/' in name else name}{dot}{rest})"

        text = re.sub(rf"\]\((?:\.\./)+{pattern}\)", link, text)
    text = re.sub(r"\[(\w+\.md)\]\((?:\.\./)+\1\)", r"`\1`", text)  # it is in a checkout, not on the site
    # a number stays with its % and ±, but for what stands in code
    source[0] = re.sub(
        r"(```.*?```|`[^`]*`)|(?<=\d) (?=[%±])", lambda found: found[1] or "\u00a0", text, flags=re.DOTALL
    )


def in_its_language(_app: object, page: str, _template: str, context: dict[str, object], _tree: object) -> None:
    """Say which language a page is in, so that browsers read it aloud and hyphenate it rightly."""
    if page.startswith("nl/") or "/rules/nl/" in page:
        context["language"] = "nl"


def setup(app: object) -> None:
    """Write the pages that follow from the code, before they are looked for."""
    sys.path.insert(0, str(HERE.parent / "tools"))
    import docs_pages

    docs_pages.write(HERE / "generated")
    app.connect("source-read", for_the_site)  # type: ignore[attr-defined]
    app.connect("html-page-context", in_its_language)  # type: ignore[attr-defined]
