"""The rules of a game, from the text in its folder."""

from __future__ import annotations

import re
from pathlib import Path


def rules_text(folder: Path, lang: str) -> str:
    """The rules in a language, else in English."""
    own = folder / f"rules.{lang}.md"
    return (own if own.is_file() else folder / "rules.en.md").read_text(encoding="utf-8")


def passages(folder: Path, lang: str, rule: str) -> list[str]:
    """The paragraphs of the rules that cite a rule id."""
    blocks = re.split(r"\n\s*\n|\n(?=[-*] |\d+\. )", rules_text(folder, lang))
    cites = re.compile(rf"\[[^\]]*\b{re.escape(rule)}\b[^\]]*\]")
    found = [re.sub(r"\s+", " ", block) for block in blocks if cites.search(block)]
    return [re.sub(r"^(?:[-*]|\d+\.) +|[*`]", "", block) for block in found]
