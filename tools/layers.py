"""Draw the packages of hexdeck and their layers into docs/explanation/layers.svg, from the code itself.

Layers are those that import-linter enforces (pyproject.toml), sentences are packages' docstrings, and what a package
imports is what its modules import. With `--check`: change nothing, and exit 1 if the picture is not what it would be.
"""

import ast
import sys
import textwrap
import tomllib
from html import escape
from pathlib import Path

import grimp  # import-linter stands on it

ROOT = Path(__file__).resolve().parent.parent
SOURCE, PICTURE = ROOT / "src" / "hexdeck", ROOT / "docs" / "explanation" / "layers.svg"
WIDTH, GAP, PAD, LINE, ROOM = 1000, 14, 14, 19, 34  # pixels; ROOM is the height of a room's row
STYLE = (
    "text{font:14px system-ui,sans-serif;fill:#1d2733}.name{font-weight:700;font-size:17px}.quiet{fill:#5b6b7c}"
    ".box{fill:#f4f7fa;stroke:#8fa3b8}.room{fill:#fff;stroke:#c3cfdb}.page{fill:#fff}"
)


def layers() -> list[list[str]]:
    """The packages of each layer, from the top down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = next(
        each["layers"] for each in settings["tool"]["importlinter"]["contracts"] if each["containers"] == ["hexdeck"]
    )
    return [[name.strip(" ()") for name in layer.split("|")] for layer in found]


def summary(package: str) -> str:
    """The first paragraph of a package's or a module's docstring."""
    path = SOURCE.joinpath(*package.split("."))
    module = path.with_suffix(".py")  # beside it a folder of kept bytecode may be left from a package of that name
    file = module if module.is_file() else path / "__init__.py"
    doc = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(doc.partition("\n\n")[0].replace("`", "").split())


def rooms(package: str) -> list[str]:
    """The packages inside a package, but for games and migrations."""
    inside = sorted(file.parent.name for file in (SOURCE / package).glob("*/__init__.py"))
    return [] if package == "games" else [name for name in inside if name != "migrations"]


def imports(graph: grimp.ImportGraph, package: str, among: list[str]) -> list[str]:
    """Which of the other packages a package imports from."""

    def forms(name: str) -> list[str]:
        return [f"hexdeck.{name}", f"hexdeck.{name}.**"]

    return [
        other
        for other in among
        if other != package
        and any(
            graph.find_matching_direct_imports(import_expression=f"{mine} -> {theirs}")
            for mine in forms(package)
            for theirs in forms(other)
        )
    ]


def text(x: float, y: float, words: str, kind: str = "told") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A rounded box."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" class="{kind}"/>'


def lines_of(package: str, below: list[str], width: float) -> list[tuple[str, str]]:
    """What is said of a package, in lines that fit: the words and their kind."""
    fits = int((width - 2 * PAD) / 7.6)
    lines = [(line, "told") for line in textwrap.wrap(summary(package), fits)]
    return lines + [(line, "quiet") for line in textwrap.wrap(f"imports {', '.join(below)}" if below else "", fits)]


def drawn(package: str, below: list[str], x: float, y: float, width: float) -> tuple[list[str], float]:
    """A package as SVG, and how high it is."""
    lines, inside = lines_of(package, below, width), rooms(package)
    parts, at = [text(x + PAD, y + 25, package, "name")], y + 25
    for words, kind in lines:
        at += LINE
        parts.append(text(x + PAD, at, words, kind))
    at += 10
    for name in inside:
        words, fits = summary(f"{package}.{name}"), int((width - 4 * PAD - 90) / 6.4)
        parts += [
            box(x + PAD, at, width - 2 * PAD, ROOM - 6, "room"),
            text(x + 2 * PAD, at + LINE, name),
            text(x + 2 * PAD + 90, at + LINE, textwrap.shorten(words, fits, placeholder=" …"), "quiet"),
        ]
        at += ROOM
    return parts, at + PAD - y


def picture() -> str:
    """The whole picture as SVG: a layer below what imports it."""
    graph, found = grimp.build_graph("hexdeck"), layers()
    among, parts, y = [name for layer in found for name in layer], list[str](), float(GAP)
    for layer in found:
        width = (WIDTH - GAP * (len(layer) + 1)) / len(layer)
        made = [
            drawn(name, imports(graph, name, among), GAP + k * (width + GAP), y, width) for k, name in enumerate(layer)
        ]
        height = max(high for _, high in made)
        for k, (inside, _) in enumerate(made):
            parts += [box(GAP + k * (width + GAP), y, width, height, "box"), *inside]
        y += height + GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" role="img"'
        f' aria-label="The packages of hexdeck: each imports only from those below it">'
    )
    return "\n".join([head, f"<style>{STYLE}</style>", box(0, 0, WIDTH, y, "page"), *parts, "</svg>", ""])


def main() -> int:
    """Write the picture, or compare it."""
    made = picture()
    if "--check" not in sys.argv:
        PICTURE.write_text(made, encoding="utf-8")
    elif not PICTURE.is_file() or PICTURE.read_text(encoding="utf-8") != made:
        print("docs/explanation/layers.svg is not as the code is now: make fix draws it anew.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
