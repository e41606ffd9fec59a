"""Every command: what it prints, in English and Dutch."""

import json
import re
from pathlib import Path

import pytest

import hexdeck
from hexdeck.bots.players.bot_names import spoken
from hexdeck.cli.command_line import COMMANDS, build_parser
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import definition, presets, soonest_learned
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.playouts import POLICIES
from hexdeck.engine.text import Catalogue
from tests.people import ANY_MOVES, Room, has_result
from tests.settings import GAMES, every_game, much
from tests.support import for_each


def lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


# --- listings ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", ["en", "nl"])
def test_hexdeck_alone_explains_itself_on_one_screen(lang: str, room: Room) -> None:
    said = room.hexdeck("--lang", lang)
    assert (said.status, said.err) == (0, "")
    assert len(lines(said.out)) <= 23 and max(map(len, lines(said.out))) <= 80
    for name in GAMES:
        assert name in said.out
    for command in ("serve", "play", "rules", "replay", "simulate", "games", "--help"):
        assert f"hexdeck {command}" in said.out or f" {command} " in said.out


@pytest.mark.parametrize("lang", ["en", "nl"])
@for_each("words", [["--help"], *[[command, "--help"] for command in COMMANDS]])
def test_help_is_there_for_every_command(words: list[str], lang: str, room: Room) -> None:
    said = room.hexdeck(*words, env_lang(lang, room))
    assert (said.status, said.err) == (0, "") and max(map(len, lines(said.out))) <= 80
    assert said.out.startswith("usage: hexdeck" if lang == "en" else "gebruik: hexdeck") and "%%" not in said.out


def env_lang(lang: str, room: Room) -> str:
    room.monkeypatch.setenv("HEXDECK_LANG", lang)
    return f"--lang={lang}"


def test_help_names_every_bot_to_simulate_with(room: Room) -> None:
    printed = room.hexdeck("simulate", "--help").out
    assert all(spoken(name) in printed.split("--bots NAME", 2)[-1] for name in POLICIES)


@for_each(
    ("words", "field", "whole"),
    [
        ("compare hawthorn --a chips=50 --a fold_price=own", "a", "chips=50 fold_price=own"),
        ("compare hawthorn --probe never-fold --probe fold", "probe", "never-fold fold"),
        ("simulate hawthorn --bots random easy --bots house", "bots", "random gentle house"),
        ("report hawthorn --players 3 --players 4 5", "players", "3 4 5"),
    ],
)
def test_what_is_given_again_is_added(words: str, field: str, whole: str) -> None:
    for _again in range(2):  # a default isn't changed by what was given
        given = getattr(build_parser(Catalogue("en")).parse_args(words.split()), field)
        assert list(map(str, given)) == whole.split()


def test_the_version_is_that_of_the_package_and_of_the_checkout(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for described, shown in (("", ""), ("1a2b3c+", ", commit 1a2b3c+")):
        monkeypatch.setattr(finding, "commit", lambda described=described: described)
        for flag in ("--version", "-V"):
            assert room.hexdeck(flag).out == f"hexdeck {hexdeck.__version__}{shown}\n"
    monkeypatch.undo()
    monkeypatch.setattr(finding, "CHECKOUT", finding.OWN)
    assert finding.commit.__wrapped__() == ""


@pytest.mark.parametrize("lang", ["en", "nl"])
@every_game
def test_games_lists_players_designers_and_every_option(name: str, lang: str, room: Room) -> None:
    room.monkeypatch.setenv("HEXDECK_LANG", lang)
    said, whole = room.hexdeck("games", name), room.hexdeck("games")
    assert said.status == 0 and len(lines(whole.out)) == len(GAMES) + 2 and f"{name} " in whole.out
    rules = definition(name).rules
    credit = game_words(name, lang).words(definition(name).table.ABOUT.credit)
    assert said.out.startswith(name) and credit in " ".join(said.out.split())
    for option in rules.OPTIONS:
        assert f"  --option {option.name}=" in said.out and f"[{option.rule}]" not in said.out
    assert max(map(len, lines(said.out + whole.out))) <= 80


@every_game
def test_the_options_that_games_lists_as_tables_play_can_be_typed(name: str, room: Room) -> None:
    listed = re.findall(r"--option (\S+?):", room.hexdeck("games", name).out)
    assert len(listed) == len(definition(name).rules.OPTIONS)
    said = room.hexdeck("play", name, "--seed", "1", *[part for pair in listed for part in ("--option", pair)])
    assert said.status == 0
    (left,) = room.saved()
    at_tables = definition(name).table.PRESETS[0].options
    assert json.loads(left.read_text())["options"] == dict(hexdeck.game(name).options) | dict(at_tables)


@every_game
def test_rules_are_told_with_an_example_in_both_languages(name: str, room: Room) -> None:
    english, dutch = room.hexdeck("rules", name), room.hexdeck("rules", name, "--lang", "nl")
    for said in (english, dutch):
        assert said.status == 0 and said.err == "" and max(map(len, lines(said.out))) <= 80
        assert len(lines(said.out)) > 50
    assert "example" in english.out.lower() and "voorbeeld" in dutch.out.lower()
    assert not any(re.search(r"\[[A-Z]{2}-\d", said.out) for said in (english, dutch))
    cited = [
        set(re.findall(r"[A-Z]{2}-\d+", room.hexdeck("rules", name, "--codes", "--lang", lang).out))
        for lang in ("en", "nl")
    ]
    assert cited[0] == cited[1] >= {reason.rule for reason in definition(name).table.REASONS}
    told = [room.hexdeck("rules", name, "--example", *more).out for more in ([], ["--codes"])]
    assert [bool(re.search(r"\[[A-Z]{2}-\d", each)) for each in told] == [False, True]


# --- languages --------------------------------------------------------------------------------------------------------
@for_each(
    ("variables", "dutch"),
    [
        ({"LANG": "nl_NL.UTF-8"}, True),
        ({"LC_ALL": "nl_BE.UTF-8", "LANG": "en_GB"}, True),
        ({"LC_ALL": "C", "LANG": "nl_NL.UTF-8"}, False),
        ({"HEXDECK_LANG": "nl", "LC_ALL": "en_US.UTF-8"}, True),
        ({"LANG": "fr_FR.UTF-8"}, False),
        ({"LANG": ""}, False),
        ({"LC_ALL": "", "LANG": "nl_NL"}, True),
        ({"LC_MESSAGES": "nl_NL", "LANG": "fr_FR"}, True),
    ],
)
def test_the_environment_decides_the_language(variables: dict[str, str], dutch: bool, room: Room) -> None:
    with room.monkeypatch.context() as patch:
        for name, value in {"LANG": "", **variables}.items():
            patch.setenv(name, value)
        assert ("noemt de bots" in room.hexdeck("games").out) == dutch


def test_the_language_stands_before_or_after_the_command(room: Room) -> None:
    dutch = room.hexdeck("games", "--lang", "nl").out
    assert room.hexdeck("--lang", "nl", "games").out == dutch != room.hexdeck("games").out
    room.monkeypatch.setenv("LANG", "nl_NL.UTF-8")
    assert room.hexdeck("games").out == dutch != room.hexdeck("games", "--lang=en").out


# --- play -------------------------------------------------------------------------------------------------------------
def test_play_asks_which_game_and_takes_a_number_a_name_or_nothing(room: Room) -> None:
    soonest = soonest_learned()
    for typed, name in (("", soonest[0]), ("2", soonest[1]), ("High Handed", "high-handed")):
        before = set(room.saved())
        room.hexdeck("play", "--seed", "1", typed=[typed, "", "", ""])
        assert [json.loads(path.read_text())["game"] for path in set(room.saved()) - before] == [name]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        *((f"blackstone {how}", {"rounds": 5}) for how in ("", "--practice", "--coach", "--hotseat", "--plain")),
        ("blackstone --option rounds=1", {"rounds": 1}),
        ("blackstone -o rounds=7 -o chips=50", {"rounds": 7, "chips": 50}),
        ("hawthorn", {"deals": 3}),
        ("hawthorn --practice --option deals=1", {"deals": 1}),
        ("cursed-hand", {}),
    ],
)
def test_a_session_is_as_long_as_at_tables_unless_somebody_chooses_otherwise(given, options, room) -> None:
    assert room.hexdeck("play", *given.split(), "--seed", "1").status == 0
    (left,) = room.saved()
    assert json.loads(left.read_text())["options"] == hexdeck.game(given.split(maxsplit=1)[0], **options).options


def test_values_are_told_as_they_are_typed_in_dutch_too(room: Room) -> None:
    said = " ".join(room.hexdeck("--lang", "nl", "games", "high-handed").out.split())
    assert "mogen liggen: no of yes" in said and "first_seat (de speler op de eerste plaats)" in said


def test_games_tells_what_tables_play_and_what_simulations(room: Room) -> None:
    said = " ".join(" ".join(room.hexdeck("games", name).out for name in GAMES).split())
    assert "(a whole number from 1 to 1,000); in simulations 1 " in said and said.count("; in simulations ") == 4
    for name in GAMES:
        told = " ".join(room.hexdeck("games", name).out.split())
        assert all(f"--preset {each.name}: {each.title}. {each.about}" in told for each in presets(name))
        data = json.loads(room.hexdeck("games", name, "--json").out)["games"][0]
        assert [each["name"] for each in data["presets"]] == [each.name for each in presets(name)]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("cursed-hand --preset ext", {"losses": 3}),
        ("black-hearts --coach", {"gifts": False}),
        ("black-hearts --coach --preset with-gifts", {}),
        ("cursed-hand --preset ext -o losses=2", {"losses": 2}),
    ],
)
def test_a_preset_is_played_and_options_count_more(given: str, options: dict[str, int], room: Room) -> None:
    assert room.hexdeck("play", *given.split(), "--seed", "1").status == 0
    (left,) = room.saved()
    assert json.loads(left.read_text())["options"] == hexdeck.game(given.split(maxsplit=1)[0], **options).options


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        (["2"], {"losses": 3}),
        (["Extended Variation"], {"losses": 3}),
        (["nothing", "as-the-sheet"], {"tied_losers": "one_at_random"}),
        (["4", "1", "10", "1", "4", ""], {"losses": 4}),
    ],
)
def test_play_asks_for_a_preset_before_single_options(typed: list[str], options: dict[str, int], room: Room) -> None:
    said = room.hexdeck("play", "--seed", "1", typed=["cursed-hand", "", *typed, ""])
    found = json.loads(room.saved()[0].read_text())["options"]
    assert {key: found[key] for key in options} == options
    assert " 2  Extended Variation: The first to lose three games loses the match.\n" in said.out
    assert ("House rules\n" in said.out) == (typed[0] == "4") == ("(losses) can't be 10" in said.out)


def test_play_says_what_an_option_switches_on(room: Room) -> None:
    said = room.hexdeck("play", "high-handed", "--option", "uncle_bob_rule=on", "--seed", "1").out
    assert "Switched on, too: “Players must ask for their cards, and may forget to” (manual_draw)." in " ".join(
        said.split()
    )


@pytest.mark.parametrize(("typed", "bot"), [("", "steady"), ("1", "gentle"), ("Best", "best")])
def test_play_asks_against_whom_and_takes_a_number_a_name_or_nothing(typed: str, bot: str, room: Room) -> None:
    said = room.hexdeck("play", "--seed", "1", typed=["hawthorn", "", "", "clever", typed])
    assert "There is no level clever" in said.out and "1  Easy: plays simply" in said.out
    assert {seat.get("bot") for seat in json.loads(room.saved()[0].read_text())["seats"]} == {None, bot}


def test_bots_are_steady_unless_somebody_says_otherwise(room: Room) -> None:
    room.hexdeck("play", "hawthorn", "--seed", "1")
    assert {seat.get("bot") for seat in json.loads(room.saved()[0].read_text())["seats"]} == {None, "steady"}


def test_the_strength_of_levels_is_told_for_each_number_of_players(room: Room) -> None:
    for players, words in ((4, ()), (3, ("--players", "3"))):
        said = room.hexdeck("games", "cursed-hand", *words).out
        assert f"  {players} players:\n" in said and max(map(len, lines(said))) <= 80
        for level in ("easy", "medium", "hard", "best"):
            assert said.count(f"--bots {level}: {level.title()}: ") == said.count(" players:") == 1
        assert len(re.findall(r"loses\s+\d+ of\s+100", said)) == 3


def test_games_are_listed_for_a_number_of_players(room: Room) -> None:
    listed = lines(room.hexdeck("games", "--players", "8").out)
    assert {line.split()[0] for line in listed if "–" in line} == {"blackstone", "hawthorn", "wolf-mans-curse"}
    assert room.hexdeck("games", "--players", "11").err.endswith("players, not 11.\n")


def test_nobody_is_asked_about_bots_where_none_play(room: Room) -> None:
    assert "Against whom?" in room.hexdeck("play", "-n", "3", "--people", "2", typed=["1", "", ""]).out
    for given in (["--people", "3"], ["--names", "Ann,Ben,Cas"], ["--hotseat"]):
        assert "Against whom?" not in room.hexdeck("play", "-n", "3", *given, typed=["1"]).out


@pytest.mark.parametrize("typed", ["[/bold]", "[red]", ":smile:"])
def test_nothing_typed_or_named_is_taken_for_markup(typed: str, room: Room) -> None:
    said = room.hexdeck("play", "cursed-hand", "--seed", "1", "--hotseat", "--names", typed, typed=[typed])
    assert said.status == 0 and f"> {typed}\n{typed} is not a move here" in said.out
    assert f"Pass the screen to {typed}, then press Enter." in said.out
    assert typed in room.hexdeck("replay", str(room.saved()[0]), "--seat", "1").out


@every_game
def test_play_credits_the_designer_and_says_what_can_be_typed(name: str, room: Room) -> None:
    said = room.hexdeck("play", name)
    head = " ".join(said.out[: said.out.index("──")].split())
    assert str(definition(name).table.ABOUT.credit) in head and "Unofficial: made from public rules." in head
    assert "? helps, h gives a hint, r shows the rules, q saves and leaves." in head


# --- replay -----------------------------------------------------------------------------------------------------------
def recorded(room: Room, name: str) -> Path:
    room.hexdeck("play", name, "--seed", "4", "-n", "3", "--bots", "house", typed=ANY_MOVES)
    return room.saved("finished")[-1]


@every_game
def test_replay_tells_all_that_the_public_was_told_and_the_end(name: str, room: Room) -> None:
    path = recorded(room, name)
    before = path.read_bytes()
    said = room.hexdeck("replay", str(path))
    assert path.read_bytes() == before
    match = hexdeck.load(path, backend="interpreted")
    numbers = re.findall(r"^ *(\d+)  \S", said.out, re.MULTILINE)
    assert (said.status, said.err) == (0, "")
    public = [fact for facts in match.narration() for fact in facts if fact.heard_by(-1)]
    assert len(numbers) >= len(public) and int(numbers[0]) >= 1
    assert has_result(said.out)
    assert "You are dealt" not in said.out


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_replay_shows_one_position(lang: str, room: Room) -> None:
    path = recorded(room, "cursed-hand")
    match = hexdeck.load(path, backend="interpreted")
    for ply in (0, match.length // 2, match.length):
        said = room.hexdeck("replay", str(path), "--ply", str(ply), "--seat", "1", "--lang", lang)
        assert said.status == 0 and len(lines(said.out)) <= 24
        assert has_result(said.out) == (ply == match.length)


# --- simulate, compile, bench -----------------------------------------------------------------------------------------
@every_game
def test_simulate_shows_a_table_with_a_row_for_each_seat(name: str, room: Room) -> None:
    games = much(6, 30)
    said = room.hexdeck(
        "simulate", name, "--games", str(games), "-n", "3", "--bots", "house", "random", "random", "--threads", "2"
    )
    assert (said.status, said.err) == (0, "")
    rows = re.findall(r"│ Seat (\d), (\w+) bot +│ +([^│]+?) +│ +([\d.]+)([^│]*)│", said.out)
    assert [row[:2] for row in rows] == [("1", "house"), ("2", "random"), ("3", "random")]
    results = hexdeck.game(name, 3).simulate(games, ["house", "random", "random"], seed=0, backend="interpreted")
    assert sum(float(row[3]) for row in rows) == pytest.approx(100, abs=2)  # of first place, or of last
    measure = hexdeck.game(name, 3).measure
    for row, mean in zip(rows, results.means(), strict=True):
        told = float(row[2].split()[0].replace("\N{MINUS SIGN}", "-"))
        assert told == pytest.approx(measure.shift + measure.scale * mean, abs=0.6)
    printed = " ".join(said.out.split())
    (length,) = re.findall(r"│ decisions +│ +([\d.]+)", said.out)
    assert float(length) == pytest.approx(results.moves.mean(), abs=0.6)
    ended = dict(zip(results.reasons, hexdeck.game(name).endings, strict=True))
    assert all(str(ended[reason]) in printed for reason in results.ended())


def test_simulate_takes_seed_and_options(room: Room) -> None:
    given = ["simulate", "cursed-hand", "--games", "20", "-n", "2"]
    tables = [
        room.hexdeck(*given, *more).out.partition("games a second")[0].rpartition(".\n")[0]
        for more in (["--seed", "1"], ["--seed", "1"], ["--seed", "2"], ["--seed", "1", "--option", "losses=3"])
    ]
    assert tables[0] == tables[1] and len(set(tables)) == 3


def test_one_game_can_be_simulated_without_a_warning(room: Room) -> None:
    said = room.hexdeck("simulate", "cursed-hand", "--games", "1")
    assert said.status == 0 and "nan" not in said.out and said.err == ""


def test_nothing_is_compiled_for_the_interpreted_backend(room: Room) -> None:
    said = room.hexdeck("compile", "cursed-hand")
    assert said.status == 2 and said.err.count("\n") == 1 and "HEXDECK_BACKEND is interpreted" in said.err


@pytest.mark.long
def test_compile_makes_machine_code_and_says_how_long_it_took(room: Room) -> None:
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    said = room.hexdeck("compile", "cursed-hand")
    assert re.fullmatch(r"cursed-hand: \d+\.\d s\n", said.out) and said.err == ""


@for_each(
    "line",
    [
        "games cursed-hand",
        "help play",
        "simulate hawthorn --games 4 --bots easy medium easy easy",
        "play hawthorn --bots clever",
        "train hawthorn --steps 1 --opponents clever",
        "play hawthorn --bots search:clever:20",
    ],
)
def test_people_read_easy_medium_and_hard(line: str, room: Room) -> None:
    """Files keep older names for levels; what is printed has the names that people type."""
    said = room.hexdeck(*line.split())
    text = said.out + said.err
    assert re.search(r"\b(easy|medium|hard)\b", text) and not re.search(r"\b(gentle|steady|sharp)\b", text)
