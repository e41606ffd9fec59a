"""Black Hearts with other values on its cards: what is said of a game holds for these, or is derived from them."""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.rulebook import rules_text
from hexdeck.games.black_hearts import bounds, deck, rules, values
from hexdeck.simulation.game import Game
from tests.compiled import warm
from tests.settings import much

from .staging import NAME

ASIDE = re.compile(
    r"""(?msx) ^\#\#\ (?:An\ example|Een\ voorbeeld)$ .*? (?=^\#\#\ )
    | [^.]* (?:that\s+came\s+with\s+the\s+program|die\s+bij\s+het\s+programma\s+horen): [^.]* \.
    | !\[[^\]]*\]\([^)]*\) | `[^`]*` | \[BH-[^\]]*\] | (?:About|Ongeveer)\ \d+\ minut\w+[^.]*\."""
)
ASSUMED = re.compile(
    r"""(?ix) .{0,40} (?: \b (?:[CFR][1-6]|six|zes|eighteen|achttien|8|18) \b
    | 13\ (?:points\ in\ all|together|punten\ in\ totaal) | 4,\ 5,\ 6 | lang\ duurt | takes\ long ) .{0,40}"""
)
FOLLOWS = """
import json, pathlib, re, sys
from hexdeck.games.black_hearts import values
values.printed.__defaults__ = (pathlib.Path(sys.argv[1]),)
import hexdeck
from hexdeck.bots.players import levels
from hexdeck.engine.rulebook import steps
from hexdeck.games.black_hearts import table
from hexdeck.engine.rulebook import rules_with_tables
game, page = hexdeck.game("black-hearts", 4), rules_with_tables("black-hearts", "en")
print(json.dumps({
    "points": game.options["curse_points"], "minutes": table.ABOUT.minutes,
    "rounds": next(line for line in page.splitlines() if line.startswith("| Most rounds possible")),
    "told": re.findall(r"About [^.]*", page)[0],
    "example": "yours have other values." in steps("black-hearts", "en")[0].passage,
    "nets": levels.nets_apply(game), "measured": levels.measured(game, "best", "sharp"),
}))
"""


def any_cards(dice: random.Random) -> dict[str, Any]:
    """Values that an owner may write, many of them with few points."""
    curses, fixed, most = dice.randint(1, 6), dice.randint(1, 6), dice.choice((1, 3, 20))
    return {
        "curse_numbers": [dice.randint(1, 6) for _ in range(curses)],
        "curse_points": [dice.randint(0, most) for _ in range(curses)],
        "fixed_numbers": [dice.randint(1, 6) for _ in range(fixed)],
        "two_oclock": dice.randint(1, fixed),
        "random_copies": [dice.randint(0, 9) for _ in range(6)],
        "gift_copies": [dice.randint(0, dice.choice((1, 9))) for _ in range(5)],
    }


def possible(players: int, options: dict[str, Any]) -> Game | None:
    try:
        return hexdeck.game(NAME, players, **options)
    except hexdeck.BadOption:
        return None


@pytest.mark.rule("BH-13")
def test_no_game_has_more_rounds_than_bounds_say_whatever_is_printed_and_some_come_near() -> None:
    warm(NAME, "fast")
    dice, played, nearest = random.Random(1), 0, 0.0
    for number in range(much(100, 300)):
        options, players = any_cards(dice) | {"gifts": dice.random() < 0.8}, dice.randint(3, 6)
        chosen = possible(players, options)
        if chosen is not None:
            found, most = chosen.simulate(2, seed=number, backend="fast"), bounds.most_rounds(players, chosen.options)
            limit = bounds.bounds(players, chosen.options)
            rounds = int(found.moves.max()) // (6 * players)  # each passes cards once and plays five
            assert rounds <= most and found.moves.max() <= limit.moves and found.chances.max() <= limit.chances, chosen
            played, nearest = played + 1, max(nearest, rounds / most if most > 5 else 0)
    assert played > 50 and nearest > 0.7


@pytest.mark.rule("BH-4", "BH-13")
def test_the_table_of_players_on_the_rules_page_is_right_whatever_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    dice, checked = random.Random(3), 0
    for options in (any_cards(dice) for _ in range(12)):
        if possible(3, options) is None:
            continue
        in_force = {key: value if type(value) is int else values.joined(value) for key, value in options.items()}
        monkeypatch.setattr(deck, "printed_values", lambda now=in_force: now)
        _, *columns = zip(*deck.printed().tables["players"].rows, strict=True)
        for players, dealt, rounds in columns:
            chosen = possible(players, options)
            expected: tuple[Any, Any] = "–", "–"
            if chosen is not None:
                hands = chosen.match(1, backend="interpreted").struct.hand
                kinds = [(seat, kind) for seat in range(players) for kind in range(rules.RANDOM, rules.KINDS)]
                expected = sum(hands[each] for each in kinds), bounds.most_rounds(players, chosen.options)
                checked += 1
            assert (dealt, rounds) == expected, options
    assert checked > 12


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_the_text_of_the_rules_page_assumes_no_values_but_where_it_says_so(lang: str) -> None:
    assert ASSUMED.findall(" ".join(ASIDE.sub("", rules_text("black-hearts", lang)).split())) == []


def test_all_that_is_told_of_the_game_follows_an_edited_file(tmp_path: Path) -> None:
    file, points = tmp_path / "cards.toml", "points = [1, 1, 2, 2, 3, 4]"
    text = values.FILE.read_text(encoding="utf-8")
    assert points in text
    file.write_text(text.replace(points, "points = [0, 0, 0, 0, 0, 1]"), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", FOLLOWS, str(file)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HEXDECK_BACKEND": "interpreted"},
    )
    assert json.loads(ran.stdout) == {
        "points": "0-0-0-0-0-1",
        "minutes": [80, 150],
        "told": "About 80 minutes on screen, 150 with cards",
        "rounds": "| Most rounds possible | 38 | 50 | 62 | 74 |",
        "example": True,
        "nets": False,
        "measured": None,
    }
