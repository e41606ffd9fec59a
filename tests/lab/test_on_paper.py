"""Matches from paper: read from files, set beside a report's; what can't be read is refused in a sentence."""

import json
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.errors import BadOption
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting.people import PAPER, paper_place, read_matches, remarks, with_matches
from hexdeck.lab.reporting.report import PaperMatch, Plan, Report, part_of
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


ROW, READ = "2,1 2,3 5,9,{}\n", PaperMatch((3, 5), 9, "ha ha")
FORMS = {
    "quoted names": ('"players","seats","Points","minutes","remarks"\n' + ROW.format("ha ha")).encode(),
    "blank lines first": ("\r\n,,,,\r\n" + HEAD + ROW.format("ha ha")).encode(),
    "a byte order mark": ("\ufeff" + HEAD + ROW.format("ha ha")).encode(),
    "semicolons": f"{HEAD}2,1 2,3 5,9,ha ha\n".replace(",", ";").encode(),
    "semicolons, and a name with a comma": (HEAD[:-1] + ",a, b\n").replace(",", ";", 5).encode()
    + b"2;1 2;3 5;9;ha ha\n",
    "a separator that is named": b"SEP=;\r\n" + f"{HEAD}2,1 2,3 5,9,ha ha\n".replace(",", ";").encode(),
    "tabs": f"{HEAD}2,1 2,3 5,9,ha ha\n".replace(",", "\t").encode(),
    "a separator of lines": (HEAD + ROW.format("ha\u2028ha")).encode(),
    "a vertical tab": (HEAD + ROW.format("ha\x0bha")).encode(),
    "an escape": (HEAD + ROW.format("ha \x1bha")).encode(),
    "lines of Windows": (HEAD + ROW.format('"ha\r\nha"')).replace("\n", "\r\n").replace("\r\r", "\r").encode(),
    "lines of an old Macintosh": (HEAD + ROW.format("ha ha")).replace("\n", "\r").encode(),
    "no end of the last line": (HEAD + ROW.format("ha ha")).encode().rstrip(),
    "empty fields beyond": (HEAD + ROW.format("ha ha,,")).encode(),
    "a row that ends early": (HEAD + ROW.format("ha ha") + "2,1 2,3 5,9").encode(),
}


@for_each("case", FORMS)
def test_files_of_many_programs_are_read(tmp_path: Path, case: str) -> None:
    (tmp_path / "a.CSV").write_bytes(FORMS[case])
    first, *more = read_matches(tmp_path)
    assert (first, more) == (READ, [PaperMatch((3, 5), 9)] if "early" in case else [])


def test_commas_in_minutes_are_read_between_semicolons_or_quotes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(HEAD.replace(",", ";") + "2;1 2;−1,5 2;12,5;\n", encoding="utf-8")  # noqa: RUF001
    (tmp_path / "b.csv").write_text(HEAD + '2,1 2,"-1,5 2","12,5",\n', encoding="utf-8")
    (tmp_path / ".hidden.csv").write_bytes(b"\xff")
    assert read_matches(tmp_path) == [PaperMatch((-1.5, 2), 12.5)] * 2


def test_minutes_and_remarks_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("players,seats,points\n2,2 1,5 -1\n", encoding="utf-8")
    assert read_matches(tmp_path) == [PaperMatch((-1, 5), None)]


WRONG = {
    "no column": (
        "players,seats,minutes,remarks\n3,1 2 3,9,\n",
        "line 1: it lacks the column points; the columns are players, seats, points, minutes, remarks, of which",
    ),
    "nothing": ("", "line 1: it lacks the column players;"),
    "a column twice": (
        HEAD[:-1] + ",Points\n2,1 2,1 2,9,,3 4\n",
        "line 1: it has 2 columns points; leave one of them.",
    ),
    "a row first": ("\n2,1 2,1 2,9,\n", "a.csv, line 2: it lacks the column players;"),
    "no matches": (HEAD, "There are no matches in"),
    "an open quote": (HEAD + '2,1 2,1 2,9,\n2,1 2,1 2,9,"ha\n2,1 2,1 2,9,\n', "a.csv, line 3: the quotes don't match."),
    "a quote within": (HEAD + '2,1 2,1 2,9,"ha" ha\n', "line 2: the quotes don't match."),
    "a huge field": (HEAD + ROW.format("x" * 200_000), "line 2: a field has more than 131,072 letters."),
    "a huge number": (HEAD + f"2,1 2,1 {'2' * 999},9,\n", "line 2: points takes numbers such as 1200 or -0.5, not 22"),
    "commas in minutes": (HEAD + "2,1 2,1 2,12,5,\n", "line 2: a field in which there is a , needs quotes."),
    "commas in remarks": (HEAD + ROW.format("ha, ha"), "line 2: a field in which there is a , needs quotes."),
    "a row in two lines": (HEAD + '2,1 2,1 2,9,"ha\nha"\n2,1 2,1 x,9,\n', "a.csv, line 4: points takes numbers"),
    "points in words": (HEAD + "2,1 2,1 2,9,\n2,1 2,one 2,9,\n", "a.csv, line 3: points takes numbers such as 1200 or"),
    "endless points": (HEAD + "2,1 2,1 inf,9,\n", "line 2: points takes numbers such as 1200 or -0.5, not inf."),
    "thousands": (HEAD + "2,1 2,1 1.200,9,\n", "-0.5, not 1.200."),
    "a seat out of range": (HEAD + "3,1 2 4,1 2 3,9,\n", "seats must name each of the seats 1 to 3 once, not 1 2 4."),
    "a seat twice": (HEAD + "2,1 1,1 2,9,\n", "once, not 1 1."),
    "too few seats": (HEAD + "3,1 2,1 2,9,\n", "once, not 1 2."),
    "no seats": (HEAD + "0,,,9,\n", "once, not –."),
    "too few points": (HEAD + "2,1 2,1,9,\n", "there are 2 seats, but 1 points."),
    "no minutes": (HEAD + "2,1 2,1 2,-3,\n", "minutes can't be -3."),
    "a short row": (HEAD + "2\n", "once, not –."),
    "another encoding": (HEAD.encode() + b"2,1 2,1 2,9,z\xf3\n", "a.csv, line 2: this isn't text in UTF-8"),
    "a huge file": (HEAD.encode() + b"\n" * (1 << 20), "a.csv has more than 1,048,576 bytes."),
}


@for_each("case", WRONG)
def test_what_is_wrong_is_told_by_file_and_line(tmp_path: Path, case: str) -> None:
    text, why = WRONG[case]
    (tmp_path / "a.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadOption) as caught:
        read_matches(tmp_path)
    assert why in str(caught.value) and str(tmp_path) in str(caught.value), caught.value


def test_a_folder_without_such_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(HEAD, encoding="utf-8")
    with pytest.raises(BadOption, match=r"No file in .* has a name that ends in \.csv"):
        read_matches(tmp_path)
    with pytest.raises(BadOption, match=r"There is no file"):
        read_matches(tmp_path / "a.csv")


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
    assert (
        said.status == 2
        and "line 2: points takes numbers such as 1200 or -0.5, not x." in said.err
        and not page.exists()
    )
    file.write_text(HEAD + "2,1 2,5 3,9,<b>Good\n", encoding="utf-8")
    assert room.hexdeck(*words, "--page", str(page), "--data", str(tmp_path / "figures.json")).status == 0
    assert "On paper" in (text := page.read_text(encoding="utf-8")) and "“&lt;b&gt;Good”" in text
    measures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))["parts"][0]["measures"]
    assert [each["value"] for each in measures if each["measure"] == "paper_points"] == [5, 3]
