"""The pages about games as environments."""

import re

from specs import FOLDER, page

from tests.settings import every_game


def without_values(text: str) -> str:
    """A page without the last cell of each small configuration, which takes long to reckon."""
    head, small, rest = re.split(r"(?=## Small|## Versions)", text)
    return head + re.sub(r"\|[^|\n]*\|$", "|", small, flags=re.MULTILINE) + rest


@every_game
def test_the_page_of_a_game_is_as_it_would_be_made(name: str) -> None:
    written = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert without_values(written) == without_values(page(name, lambda chosen, decisions: "")), "python tools/specs.py"
