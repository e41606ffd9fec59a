"""What a person types and what is answered: moves, refusals with their rules, commands."""

import re
from collections.abc import Sequence

import pytest

import hexdeck
from hexdeck.bots.advice import hints
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.match import Match
from hexdeck.engine.rulebook import passages, rules_text
from hexdeck.terminal import typed_moves
from tests.people import Table, play, table
from tests.settings import every_game
from tests.support import for_each, stage


def seated(match: Match, monkeypatch: pytest.MonkeyPatch, typed: Sequence[str], lang: str = "en") -> Table:
    match.names = ("Ann", *[f"Bot {seat}" for seat in range(1, match.game.players)])
    at = table(match.game, ["Ann"], lang=lang)
    match.let_chance(1)
    at.session.match = match
    at.session.dialogue.display = at.session
    play(at, typed, monkeypatch)
    return at


def burying() -> Match:
    return stage("cursed-hand", 2, "card 7, card 2, card 3, card 9, card 10, card 9, card 7, card 4", hand_cards=4)


def starting() -> Match:
    match = burying()
    match.play(1, "grave 4")
    match.play(0, "grave 10")
    match.deal("card 8")
    return match


def answering() -> Match:
    match = burying()
    match.play(1, "grave 9")
    match.play(0, "grave 3")
    match.deal("card 8")
    match.play(1, "pair 2 8")
    return match


def moved(at: Table, before: int) -> list[str]:
    return [event.name for event in at.session.match.events[before:] if event.seat == 0]


def blackstone() -> Match:
    return stage("blackstone", 2, "card 3, card 5")


@for_each(
    ("staged", "typed", "played"),
    [
        (burying, "7", "grave 7"),
        (starting, "1", "pair 3 7"),
        (answering, "Call the ghost hand", "call"),
        (answering, "1", "call"),
        (blackstone, "2", "fold"),
    ],
)
def test_a_move_is_chosen_by_number_or_words(staged, typed, played, monkeypatch) -> None:
    match = staged()
    before = match.length
    assert moved(seated(match, monkeypatch, [typed]), before)[:1] == [played]


@for_each(("typed", "played"), [("omdraaien", "call"), ("aannemen", "accept"), ("Omdr", "call")])
def test_dutch_words_are_understood_in_dutch(typed: str, played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answering().length
    assert moved(seated(answering(), monkeypatch, [typed], "nl"), before)[:1] == [played]
    assert moved(seated(answering(), monkeypatch, [typed], "en"), before) == []


# --- refusals ---------------------------------------------------------------------------------------------------------
def test_a_refusal_says_why_changes_nothing_and_a_question_mark_then_shows_the_rule(monkeypatch) -> None:
    match = burying()
    before = match.length
    at = seated(match, monkeypatch, ["5", "?", "?"])
    assert at.screen(1) == "> 5\nThat card isn't in your hand. (? shows the rule)\n"
    assert match.length == before
    rule = at.screen(2)
    assert "Secretly pick one card" in rule and "CH-" not in rule
    assert "? help" in at.screen(3) and "Secretly" not in at.screen(3)
    at = seated(burying(), monkeypatch, ["5", "?"], "nl")
    assert "? toont de regel" in at.screen(1) and "isn't" not in at.screen(1)
    assert "kerkhof" in at.screen(2) and "CH-" not in at.screen(2)


def test_the_question_mark_alone_explains_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    at = seated(burying(), monkeypatch, ["?", "help", "HELP"])
    assert len({at.screen(k).partition("\n")[2] for k in (1, 2, 3)}) == 1
    for key in ("? help", "h hint", "t table", "l log", "r rules", "u undo", "q save and leave"):
        assert key in at.screen(1)


def hinted(match: Match, monkeypatch: pytest.MonkeyPatch, typed: str, lang: str = "en") -> str:
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    monkeypatch.setattr(hints, "GAMES", {"interpreted": 12})
    before = match.length
    at = seated(match, monkeypatch, [typed], lang)
    assert moved(at, before) == []
    return at.screen(1)


def test_a_hint_lists_the_best_moves_with_what_to_type_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = hinted(burying(), monkeypatch, "h")
    assert shown.startswith("> h\nThe best moves, judging only by what you know:\n")
    found = re.findall(
        r"^ *(\d+)  Start your graveyard with the (\d+) · stays safe in about \d+\s% \(±\d+\)$", shown, re.MULTILINE
    )
    assert {key for key, _ in found} == {"3", "7", "10"} and all(key == card for key, card in found)
    assert (
        len(re.findall(r"^     Another player also holds a card with this number in \d+ of 100", shown, re.MULTILINE))
        == 3
    )
    assert max(map(len, shown.splitlines())) <= 80
    assert hinted(burying(), monkeypatch, "hint").partition("\n")[2] == shown.partition("\n")[2]


def test_a_hint_in_dutch_is_a_tip(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = " ".join(hinted(answering(), monkeypatch, "tip", "nl").split())
    assert "De beste zetten" in shown and "blijft in ongeveer" in shown
    assert shown.count("van de 100 mogelijke verdelingen vervloekt") == 1, shown  # of both moves


def test_where_there_is_no_choice_a_hint_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    match = stage("cursed-hand", 2, "card 7, card 2", hand_cards=1)
    assert "There is only one thing to do: Start your graveyard with the 7." in hinted(match, monkeypatch, "h")


def test_while_a_game_is_being_compiled_there_is_no_hint_and_without_a_compiler_a_rough_one(monkeypatch) -> None:
    assert "A rough guess" not in hinted(answering(), monkeypatch, "h")
    monkeypatch.setattr(hints, "quickest_backend", lambda _game: "interpreted")
    monkeypatch.setattr(hints, "default_backend", lambda: "fast")
    early = "> h\nNo hint yet: the bots are still being prepared. Ask again in a minute."
    assert " ".join(hinted(answering(), monkeypatch, "h").split()) == " ".join(early.split())
    monkeypatch.setattr(hints, "can_build", lambda: False)
    assert "A rough guess" in hinted(answering(), monkeypatch, "h")


def test_a_refusal_never_blames_a_move_that_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    at = seated(starting(), monkeypatch, ["10", "7"])
    assert "Those two cards aren't both in your hand. (? shows the rule)" in at.screen(1)
    assert "That could mean several moves: " in at.screen(2)
    assert "This can be done." not in at.output.getvalue()


@for_each("typed", ["fly", "77", "[/bold]", "[red]", ":smile:", "{seat}", "\\", "%s", "é", "x" * 5000, "9" * 5000])
def test_what_is_no_move_is_said_to_be_none(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = burying()
    before = match.length
    at = seated(match, monkeypatch, [typed])
    assert f"> {typed}\n" in at.screen(1) or len(typed) > 100
    assert f"{typed[:60]} is not a move here;" in " ".join(at.screen(1).split())
    assert match.length == before


def test_a_number_that_is_not_in_the_list_is_no_card_from_another_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at = seated(answering(), monkeypatch, ["6", "add 6", ""])
    assert "6 is not a move here" in at.screen(1)
    assert "Accept the ghost hand first; then add a card. (? shows" in at.screen(2)
    assert "Type the key before a move, or its words; ? explains." in at.screen(3)


def test_what_could_be_several_moves_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = starting()
    before = match.length
    at = seated(match, monkeypatch, ["pass 3", "pass", "pair 9 9", "?"])
    assert "That could mean several moves: Pass 3 and 7; Pass 3 and 8. Which one?" in at.screen(1)
    assert "several" in at.screen(2) and "Pass 7 and 8. Which one?" in " ".join(at.screen(2).split())
    assert match.length == before
    assert all(len(line) <= 80 for k in (1, 2, 3, 4) for line in at.screen(k).splitlines())


# --- commands ---------------------------------------------------------------------------------------------------------
@for_each("typed", ["l", "log", "LOG"])
def test_the_log_tells_everything_so_far(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = answering()
    at = seated(match, monkeypatch, [typed])
    shown = " ".join(at.screen(1).replace("·", "").split())
    assert shown == f"> {typed} " + " ".join(at.session.say(fact) for fact in match.facts(0))


def test_the_table_is_drawn_again_and_the_rules_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    at = seated(answering(), monkeypatch, ["t", "table", "r", "rules"])
    drawn, (short, rules) = ([at.screen(k).partition("\n")[2] for k in pair] for pair in ((1, 2), (3, 4)))
    assert drawn == [at.screen(0)] * 2
    assert "90 seconds" in short and "House rules" not in short and "r again" in short
    assert "CH-14" not in rules and "Cheapass Games" in rules
    assert all(len(line) <= 80 for line in rules.splitlines())


@for_each("typed", ["q", "quit"])
def test_leaving_saves(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = seated(answering(), monkeypatch, [typed, "call"])
    assert "To continue: hexdeck play cursed-hand --resume\n" in at.output.getvalue()
    assert not [event for event in at.session.match.events if event.name == "call"]
    assert at.session.save_to is not None and "pytest" in str(at.session.save_to)  # not among somebody's matches
    assert hexdeck.load(at.session.save_to, backend="interpreted").game.name == "cursed-hand"


def test_nothing_public_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    match = answering()
    before = match.length
    at = seated(match, monkeypatch, ["u", "undo"])
    assert "There is nothing left for you to take back" in at.screen(1) and match.length == before


# --- the rulebook -----------------------------------------------------------------------------------------------------
@every_game
def test_every_rule_that_can_refuse_a_move_is_found_in_both_languages(name: str) -> None:
    for lang in ("en", "nl"):
        for rule in sorted({reason.rule for reason in definition(name).table.REASONS}):
            found = passages(name, lang, rule)
            assert found and not any(rule in passage for passage in found), rule
            assert sum(map(len, found)) < 1800, rule  # characters: they fit a screen
    cited = [set(re.findall(r"\b[A-Z]{2}-\d+\b", rules_text(name, lang))) for lang in ("en", "nl")]
    assert cited[0] == cited[1] and len(cited[0]) > 10
    prefix = definition(name).reason(1).rule.partition("-")[0]
    one, ten = (passages(name, "en", f"{prefix}-{number}") for number in (1, 10))
    assert one and ten and not {*one} & {*ten}


# --- words that fit the moves -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", ["en", "nl"])
@pytest.mark.parametrize(
    "name", ["hawthorn", "blackstone", "cursed-hand", "black-hearts", "high-handed", "wolf-mans-curse"]
)
def test_help_names_words_that_would_play_a_move(name: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game(name, 3).match(seed=4)
    at = seated(match, monkeypatch, ["?"], lang)
    words = re.search(r"(?:words|woorden) \(([^)]+)\)", " ".join(at.screen(1).split()))
    assert words and len(typed_moves.matching_moves(words[1], match.legal(0), at.session.words)) == 1


def test_a_refusal_names_the_moves_where_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game("blackstone", 3).match(seed=4)
    at = seated(match, monkeypatch, ["5"])
    moves = [str(move.label) for move in match.legal(0)]
    assert len(moves) == 2
    wanted = f"5 is not a move here; type 1 ({moves[0]}), 2 ({moves[1]}), or ? for help."
    assert wanted in " ".join(at.screen(1).split())
