"""The rules of a game on the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from hexdeck.engine.rulebook import rules_text


def show_rules(console: Console, folder: Path, lang: str) -> None:
    """Print the rules, formatted, and what each ruling was measured to weigh."""
    from rich.markdown import Markdown

    from hexdeck.lab.rulings import chapter

    text = rules_text(folder, lang) + chapter(folder.name.replace("_", "-"), lang)
    console.print(Markdown(text), width=min(console.width, 80))
