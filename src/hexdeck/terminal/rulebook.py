"""The rules of a game on the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from hexdeck.engine.rulebook import rules_text


def show_rules(console: Console, folder: Path, lang: str) -> None:
    """Print the rules, formatted."""
    from rich.markdown import Markdown

    console.print(Markdown(rules_text(folder, lang)), width=min(console.width, 80))
