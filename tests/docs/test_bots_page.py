"""How strong the bots are: what that page copies from files is what they say."""

import json
import re
from pathlib import Path

import hunts
import pytest

import hexdeck
from hexdeck.bots.nets.netfile import load, shipped
from hexdeck.bots.players.levels import levels_of, manners_of
from hexdeck.bots.players.names import spoken
from tests.settings import GAMES

PAGE = (Path(__file__).parents[2] / "docs" / "notebook" / "bots.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    table = PAGE.partition(f"{head}\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[1:]]


def test_the_minutes_and_the_step_of_each_net_are_those_of_its_file() -> None:
    told = [(cells[-2], cells[-1]) for cells in rows("| game | players | command | minutes | chosen |")]
    nets = [load(path).about["chosen"] for name in GAMES for path in shipped(hexdeck.game(name))]
    wanted = [(f"{chosen['seconds'] / 60:.1f}", f"step {chosen['step']:,}") for chosen in nets]
    assert sorted(told) == sorted(wanted)


def test_the_manners_are_told_where_they_are_offered() -> None:
    told, offered = {}, {}
    for title, players, names in rows("| game | players | offered |"):
        told[title, players] = re.findall(r"`([a-z:]+)`", names)
    for name in GAMES:
        low, high = hexdeck.game(name).rules.PLAYERS
        for players in range(low, high + 1):
            game = hexdeck.game(name, players)
            there = [f"{spoken(level)}:{manner}" for level in levels_of(game) for manner in manners_of(game, level)]
            offered |= {(str(game.table.ABOUT.title), str(players)): there} if there else {}
    assert {at: names for at, names in told.items() if names} == offered
    assert {title for title, _players in told} == {str(hexdeck.game(name).table.ABOUT.title) for name in GAMES}


def test_gains_are_those_of_the_files_and_the_pictures_are_drawn_from_them() -> None:
    told = {name: gain for name, _loses, gain in hunts.rows(PAGE)}
    for file, (bot, _name) in hunts.HUNTED.items():
        found = json.loads((hunts.LEARNING / f"exploit-{file}.json").read_text(encoding="utf-8"))
        assert told.pop(bot) == pytest.approx((found["mean"], found["margin"]), abs=0.00051), bot
    assert not told
    for name, drawn in hunts.PICTURES.items():
        assert (hunts.FOLDER / name).read_text(encoding="utf-8") == drawn(), f"python tools/hunts.py draws {name} anew"


def test_chips_are_in_no_column_of_shares() -> None:
    shares = rows("| game | players | `best` | deals | wins | a fair share |")
    assert shares and all(cells[-2].endswith("%") and cells[-1].endswith("%") for cells in shares)
