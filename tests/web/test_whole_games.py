"""Whole games over HTTP: by forms alone, by the API, with bots of the server and over the network."""

import random
import threading

import hexdeck
import hexdeck.engine.play.record
from hexdeck.cli import main
from tests.settings import data, every_game
from tests.support import PATIENCE, until
from tests.web.serving import Person, Program, Served, play_on


@every_game
def test_a_person_plays_a_whole_game_by_forms_alone(name: str, site: Served) -> None:
    ann, rng = Person(site.base), random.Random(name)
    small = {f"option-{key}": str(value).lower() for key, value in data(name).get("small", {}).items()}
    game = hexdeck.game(name)
    seats = {f"seat-{number}": "bot:random" for number in range(1, game.players)}
    ann.begins({"game": name, "players": str(game.players), "name": "Ann", **seats, **small})
    for _ in range(3000):
        if ann.plays(rng):
            break
    page = ann.page()
    assert "/record" in page and "Ann" in page
    assert ann.get(f"/table/{ann.table}/record").status_code == 200
    assert ann.get(f"/replay/{ann.table}?ply=3&seat=1").status_code == 200


def test_a_page_without_a_script_looks_again_until_its_reader_is_to_move(site: Served) -> None:
    def looks_again() -> list[bool]:
        return ['<noscript><meta http-equiv="refresh"' in person.page() for person in (ann, ben)]

    ann, ben, rng = Person(site.base), Person(site.base), random.Random(1)
    ann.begins({"game": "hawthorn", "players": "3", "seat-1": "open", "seat-2": "open"})
    ben.joins(ann, {"name": "Ben"})
    assert looks_again() == [True, True]
    ann.post(f"/table/{ann.table}/start")
    assert looks_again() == [False, False], "both are to show a card"
    ann.plays(rng)
    assert looks_again() == [True, False]
    assert f'<a href="/table/{ann.table}?still=1">' in ann.page(), "whoever writes something can stop it"
    stopped = ann.get(f"/table/{ann.table}?still=1").text
    assert 'http-equiv="refresh"' not in stopped and f'<a href="/table/{ann.table}">' in stopped
    for _ in range(400):
        if ann.plays(rng) or ben.plays(rng):
            break
    assert looks_again() == [False, False], "nothing changes any more"


@every_game
def test_two_programs_and_bots_play_a_whole_game(name: str, site: Served) -> None:
    ann, ben, rng = Program(site.base), Program(site.base), random.Random(name)
    players = hexdeck.game(name).players
    begun = ann.creates(
        game=name, seats=["you", "open", *["house"] * (players - 2)], options=data(name).get("small", {})
    )
    assert begun["state"] == "waiting" and begun["struct"] is None
    ben.joins(begun["invitations"]["1"], name="Ben")
    end = play_on([ann, ben], rng)
    assert end["state"] == "over" and len(end["view"]["outcomes"]) == players
    record = ann.get("/record").json()
    match = hexdeck.load(record)
    assert match.over and [str(text) for text in match.view(-1).outcome_texts]
    assert record["notes"]["fair"]["commitment"] == begun["commitment"]


def test_one_of_our_bots_takes_a_seat_at_a_table_on_another_server(site, capsys) -> None:
    ann = Program(site.base)
    begun = ann.creates(game="blackstone", players=3, seats=["you", "open", "random"])
    link = f"{site.base}/join/{begun['invitations']['1']}"
    status: list[int] = []
    robot = threading.Thread(target=lambda: status.append(main(["connect", link, "--bot", "house", "--name", "Robo"])))
    robot.start()
    until(lambda: ann.state()["state"] == "playing")
    seat = ann.state()["seats"][1]
    assert (seat["name"], seat["kind"], seat["level"], seat["remote"]) == ("Robo", "bot", "house", True)
    play_on([ann], random.Random(2))
    robot.join(PATIENCE)
    assert status == [0]
    printed = capsys.readouterr().out
    assert "Robo (house) sits at blackstone, seat 2." in printed and "Robo: " in printed


def test_a_stream_begins_with_the_whole_view_and_goes_on_with_the_newest(site: Served) -> None:
    ann, rng = Program(site.base), random.Random(4)
    ann.creates(game="cursed-hand", players=3, options={"losses": 1})
    watching: list[dict[str, object]] = []
    reader = threading.Thread(target=lambda: watching.extend(_until_over(Program(site.base, ann.token), ann.table)))
    reader.start()
    play_on([ann], rng)
    reader.join(PATIENCE)
    versions = [state["version"] for state in watching]
    assert watching[0]["log_from"] == 0 and versions == sorted(versions) and watching[-1]["state"] == "over"
    lines: list[object] = []
    for state in watching:
        view = state["view"]
        assert isinstance(view, dict)
        lines[state["log_from"] :] = view["log"]  # type: ignore[misc]
    assert lines == ann.state()["view"]["log"]


def _until_over(program: Program, table: str) -> list[dict[str, object]]:
    program.table, out = table, []
    for state in program.frames():
        out.append(state)
        if state["state"] == "over":
            break
    return out
