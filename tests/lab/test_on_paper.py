"""Matches from paper: read from files, set beside a report's; what can't be read is refused in a sentence."""

import json
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.errors import BadOption
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting.on_paper import PAPER, PaperMatch, paper_place, read_matches, remarks, with_matches
from hexdeck.lab.reporting.report import Plan, Report, part_of
from tests.people import Room
from tests.support import for_each

HEAD = "players,seats,points,minutes,remarks\n"


def test_a_folder_is_read_file_by_file_and_points_go_to_their_seats(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(HEAD + '3,2 1 3,5 7 -1.5,40,"Bram, who won,\nlaughed"\n\n', encoding="utf-8-sig")
    (tmp_path / "b.csv").write_text(
        "Remarks;Points;Place;Seats;Players;Minutes\nzó leuk;1,5 2;home;1 2;2;\n", encoding="utf-8"
    )
    (tmp_path / "notes.txt").write_text("no matches", encoding="utf-8")
    assert read_matches(tmp_path) == [
        PaperMatch((7, 5, -1.5), 40, "Bram, who won, laughed"),
        PaperMatch((1.5, 2), None, "zó leuk"),
    ]


WRONG = {
    "no column": ("players,seats,points,minutes\n3,1 2 3,1 2 3,9\n", "lacks the column remarks; its first line names"),
    "nothing": ("", "lacks the column players"),
    "no matches": (HEAD, "There are no matches in"),
    "points in words": (HEAD + "2,1 2,1 2,9,\n2,1 2,one 2,9,\n", "a.csv, line 3: points takes numbers, not one."),
    "endless points": (HEAD + "2,1 2,1 inf,9,\n", "line 2: points takes numbers, not inf."),
    "a seat out of range": (HEAD + "3,1 2 4,1 2 3,9,\n", "seats must name each of the seats 1 to 3 once, not 1 2 4."),
    "a seat twice": (HEAD + "2,1 1,1 2,9,\n", "once, not 1 1."),
    "too few seats": (HEAD + "3,1 2,1 2,9,\n", "once, not 1 2."),
    "no seats": (HEAD + "0,,,9,\n", "once, not –."),
    "too few points": (HEAD + "2,1 2,1,9,\n", "there are 2 seats, but 1 points."),
    "no minutes": (HEAD + "2,1 2,1 2,-3,\n", "minutes can't be -3."),
    "a short row": (HEAD + "2\n", "once, not –."),
    "another encoding": (b"\xff\xfe", "isn't text in UTF-8."),
}


@for_each("case", WRONG)
def test_what_is_wrong_is_told_by_file_and_line(tmp_path: Path, case: str) -> None:
    text, why = WRONG[case]
    (tmp_path / "a.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadOption) as caught:
        read_matches(tmp_path)
    assert why in str(caught.value) and str(tmp_path) in str(caught.value), caught.value


def test_matches_are_beside_the_part_with_as_many_players_and_the_rest_is_told() -> None:
    parts = tuple(part_of(SimulationSetup(hexdeck.game("hawthorn", players))) for players in (2, 3))
    matches = [PaperMatch((1, 4, 1), 20), PaperMatch((0, 2, 2), None, "too long"), PaperMatch((1, 2, 3, 4))]
    report = with_matches(Report(Plan(), parts), matches)
    assert [len(part.paper) for part in report.parts] == [0, 2]
    assert report.left == ("Left out: 1 match on paper with numbers of players that this report doesn't have.",)
    (paper,), (said,) = PAPER.sections(report.parts[1]), remarks(report.parts[1])
    assert [row[1].split(" ")[0] for row in paper.rows] == ["0.5", "3", "1.5"]
    assert [paper_place.of_part(report.parts[1], seat).value for seat in range(3)] == [0, 0.75, 0.25]
    assert paper.note and "2 matches with real cards" in paper.note and "20" in paper.note
    assert said.rows == (("match 2", "“too long”"),)


def test_the_command_shows_them_and_writes_nothing_where_they_are_wrong(room: Room, tmp_path: Path) -> None:
    file, page = tmp_path / "a.csv", tmp_path / "page.html"
    file.write_text(HEAD + "2,1 2,5 x,9,\n", encoding="utf-8")
    words = "report", "hawthorn", "--players", "2", "--games", "20", "--sample", "1", "--on-paper", str(file)
    said = room.hexdeck(*words, "--page", str(page))
    assert said.status == 2 and "line 2: points takes numbers, not x." in said.err and not page.exists()
    file.write_text(HEAD + "2,1 2,5 3,9,<b>Good\n", encoding="utf-8")
    assert room.hexdeck(*words, "--page", str(page), "--data", str(tmp_path / "figures.json")).status == 0
    assert "On paper" in (text := page.read_text(encoding="utf-8")) and "“&lt;b&gt;Good”" in text
    measures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))["parts"][0]["measures"]
    assert [each["value"] for each in measures if each["measure"] == "paper_points"] == [5, 3]
