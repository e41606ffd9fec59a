"""Score sheets, teams and rematches over HTTP."""

import html
import random
import re

import pytest

from hexdeck.tables import commands
from hexdeck.tables.commands import finished_matches
from tests.web.serving import Person, Served


def table_of(page: str, caption: str) -> list[list[str]]:
    """The rows of a table of a page, by its caption: the text of every cell."""
    tables = re.findall(r"<table.*?</table>", html.unescape(page), re.DOTALL)
    found = next(each for each in tables if f"<caption>{caption}<" in each)
    rows = re.findall(r"<tr>(.*?)</tr>", found, re.DOTALL)
    cells = (re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in rows)
    return [[re.sub(r"<[^>]*>", " ", cell).strip() for cell in row] for row in cells]


def ann_plays(site: Served, game: str, players: int, **options: str) -> Person:
    ann, bots = Person(site.base), {f"seat-{number}": "bot:random" for number in range(1, players)}
    given = {"game": game, "players": str(players), "name": "Ann", **bots}
    ann.begins(given | {f"option-{key}": value for key, value in options.items()})
    return ann


def to_the_end(site: Served, person: Person, rng: random.Random) -> None:
    while site.state.registry.tables[person.table].state != "over":
        person.plays(rng)


def test_the_sheet_has_a_row_for_each_deal_and_its_totals_are_the_chips(site: Served) -> None:
    ann = ann_plays(site, "hawthorn", 3, deals="4")
    assert "tally" not in ann.page()
    to_the_end(site, ann, random.Random(1))
    head, *rows, total = table_of(ann.page(), "Chips")
    assert head[:2] == ["Deal", "Ann"] and [row[0] for row in rows] == ["1", "2", "3", "4"]
    live = site.state.registry.tables[ann.table]
    chips = [zone.count for zone in live.view(-1).zones if zone.id.startswith("chips-")]
    assert total == ["Total", *map(str, chips)]


def test_a_sheet_is_made_once_for_each_deal(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    honest = commands.score_sheet
    monkeypatch.setattr(commands, "score_sheet", lambda match, *more: made.append(match.ply) or honest(match, *more))
    ann, rng, pages = ann_plays(site, "hawthorn", 2, deals="6"), random.Random(2), 0
    while site.state.registry.tables[ann.table].state != "over":
        ann.plays(rng)
        pages += 1
    assert 0 < len(made) <= 7 < pages


def test_an_evening_counts_matches_won_and_everybody_keeps_what_is_theirs(site: Served) -> None:
    ann, rng, won, names = ann_plays(site, "hawthorn", 3, deals="1"), random.Random(3), {}, set()
    chips: list[dict[str, str]] = []
    for match in range(1, 4):
        to_the_end(site, ann, rng)
        live = site.state.registry.tables[ann.table]
        assert live.match is not None
        returns = live.match.returns()
        for name, each in zip(live.names, returns, strict=True):
            won[name] = won.get(name, 0) + (each == max(returns))
        names.add(live.names)
        finished = finished_matches(live)
        assert len(finished) == match
        chips.append(dict(zip(live.names, map(str, finished[-1].totals[0]), strict=True)))
        if match < 3:
            ann.sits_down(ann.post(f"/table/{ann.table}/rematch"))
    head, *rows, total = table_of(ann.page(), "All matches of this group")
    assert len(names) == 3 and head[0] == "Match"
    assert [dict(zip(head[1:], row[1:], strict=True)) for row in rows] == chips
    assert dict(zip(head[1:], map(int, total[1:]), strict=True)) == won


def test_an_evening_survives_a_restart(site: Served) -> None:
    ann, rng = ann_plays(site, "hawthorn", 2, deals="1"), random.Random(4)
    for _ in range(2):
        to_the_end(site, ann, rng)
        ann.sits_down(ann.post(f"/table/{ann.table}/rematch"))
    before = ann.page()
    site.state.registry.forget(ann.table)
    assert table_of(ann.page(), "All matches of this group") == table_of(before, "All matches of this group")
    assert len(table_of(before, "All matches of this group")) == 4


def test_teams_are_seen_before_the_deal_and_counted_together(site: Served) -> None:
    ann = Person(site.base)
    given = {
        "game": "high-handed",
        "players": "4",
        "name": "Ann",
        "option-teams": "2",
        "seat-1": "open",
        "option-ranks": "6",
        "option-rows": "5",
        "option-columns": "5",
        "option-hand_cards": "4",
    }
    ann.begins(given | {"seat-2": "bot:random", "seat-3": "bot:random"})
    teams = re.findall(r"<li><small>(Team \d)</small>(.*?)</li>", ann.page())
    assert [team for team, _ in teams] == ["Team 1", "Team 2"]
    assert "Ann" in teams[0][1] and teams[1][1].startswith("<i>open</i> &") and "Cleo" in teams[0][1]
    ann.post(f"/table/{ann.table}/start")
    to_the_end(site, ann, random.Random(5))
    head, *_rows, total = table_of(ann.page(), "Points")
    assert re.sub(r"\s+", " ", head[1]) == "Team 1 Ann & Cleo" and len(total) == 3
    assert "<small>Team 2</small>" in ann.page()


def test_without_teams_none_are_shown(site: Served) -> None:
    assert "Team" not in ann_plays(site, "hawthorn", 4).page()
    assert "Team" not in ann_plays(site, "high-handed", 4).page()


def test_everybody_else_is_asked_for_a_rematch_and_finds_a_seat_there(site: Served) -> None:
    ann, ben = Person(site.base), Person(site.base)
    given = {"game": "hawthorn", "players": "3", "name": "Ann", "option-deals": "1", "seat-1": "open"}
    ann.begins(given | {"seat-2": "bot:random"})
    ben.joins(ann, {"name": "Ben"})
    rng, live = random.Random(6), site.state.registry.tables[ann.table]
    while live.state != "over":
        rng.choice((ann, ben)).plays(rng)
    ann.sits_down(ann.post(f"/table/{ann.table}/rematch"))
    asked = ben.page()
    assert 'class="asked" role="status"><b>Ann</b>' in asked and f'id="to-rematch" href="/table/{ann.table}"' in asked
    assert ben.sits_down(ben.post(f"/table/{ben.table}/rematch")) == ann.table  # pressed too: the same table
    again = site.state.registry.tables[ann.table]
    assert [seat.kind for seat in again.seats] == ["bot", "person", "person"] and again.names[1:] == ("Ann", "Ben")
    assert again.game.options["deals"] == 1 and "Ben" in ben.page()
