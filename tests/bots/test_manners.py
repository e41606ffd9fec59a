"""Manners: what tilts a bot's choices, which levels are offered with one, and what is said of them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import manners as manner_study
import numpy as np
import pytest
from manners import Played, told, told_apart

import hexdeck
from hexdeck.bots.bot import Candidate
from hexdeck.bots.players import levels
from hexdeck.bots.players.bot_names import MANNERS, bot_text, grade_text, parted, spoken, stored
from hexdeck.bots.players.kinds import ManneredBot, preferred
from hexdeck.bots.players.roster import bot, can_have_manner, resolved
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.probe_lines import parsed
from hexdeck.engine.study import Manner
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game
from hexdeck.tables.commands import TableSetup, checked, seats_for
from tests.settings import GAMES
from tests.support import for_each

ODDS = "call", "accept"


class Fixed:
    """A bot whose candidates are given: the legal actions in order, with these probabilities and values."""

    name = "fixed"

    def __init__(self, probabilities: list[float], values: list[float | None]) -> None:
        self.probabilities, self.values = probabilities, values

    def begin(self, number: int) -> None:
        """It has no generator."""

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        answers = [hexdeck.game("cursed-hand", 2).rules.ACTIONS.index(name) for name in ODDS]
        each = zip(answers, self.probabilities, self.values, strict=True)
        return [Candidate(action, probability, value, None) for action, probability, value in each]


def answering() -> Match:
    match = hexdeck.game("cursed-hand", 2).match(seed=3, backend="interpreted")
    while match.rules.ACTIONS[match.legal_ids(match.actor)[0]] != "call":
        match.play(match.actor, match.legal_ids(match.actor)[0])
    return match


def tilted(line: str, probabilities: list[float], values: list[float | None], **tilt: float) -> dict[str, float]:
    match, given = answering(), {"logit": 0.0, "utility": 0.0, **tilt}
    bent = ManneredBot(match.game, Fixed(probabilities, values), Manner("bold", "", line, **given), 1, "interpreted")
    found = bent.candidates(match.concealed(match.actor), match.actor, 0)
    return {match.rules.ACTIONS[each.action]: round(each.probability, 6) for each in found}


@for_each("name", GAMES)
def test_every_game_has_two_or_three_manners_in_both_languages(name: str) -> None:
    game = hexdeck.game(name)
    found = game.definition.hints.STUDY.manners
    assert 2 <= len(found) <= 3 and len({each.name for each in found}) == len(found)
    for each in found:
        assert each.name in MANNERS and parsed(each.line, game) and each.logit * each.utility > 0
        said = {lang: game_words(name, lang).words(say(each.phrase, often="1.6")) for lang in ("en", "nl")}
        assert "1.6" in said["en"] and "1.6" in said["nl"] and said["en"] != said["nl"]


@for_each("name", GAMES)
def test_what_is_kept_of_manners_is_of_today_and_none_is_offered_that_nobody_watched(name: str) -> None:
    for players, there in levels.read(levels.manners_file(hexdeck.game(name))).get("measured", {}).items():
        game = hexdeck.game(name, int(players))
        for row in there["contests"]:
            level, manner = row["one"].split(":")
            assert levels.measured_manner(game, level, manner) == row and row["groups"] >= levels.LEAST, row["one"]
            assert row["command"].startswith(f"python tools/manners.py {name} --players {players} ")
            assert "apart" in row or manner not in levels.manners_of(game, level)


@for_each(
    ("apart", "gains", "offered"),
    [
        ((0.8, 0.8, 0.8), (0.0, 0.0, 0.0), ["bold", "careful", "sly"]),
        ((0.8, 0.74, 0.8), (0.0, 0.0, 0.0), ["bold", "careful"]),
        ((0.74, 0.74, 0.8), (0.0, 0.0, 0.0), ["careful", "sly"]),
        ((0.74, 0.74, 0.74), (0.0, 0.0, 0.0), []),
        ((0.8, 0.8, 0.8), (0.0, -0.1, 0.0), ["bold", "sly"]),
        ((0.8, 0.8, 0.8), (-0.1, -0.1, 0.0), []),
        ((0.8, 0.8, 0.8), (-0.1, -0.1, -0.1), []),
    ],
)
def test_as_many_manners_are_offered_as_are_told_apart_and_keep_the_strength(
    apart, gains, offered, monkeypatch
) -> None:
    game, pairs = (
        hexdeck.game("cursed-hand", 2),
        dict(zip(("bold careful", "bold sly", "careful sly"), apart, strict=True)),
    )

    def measured(_game: Game, level: str, manner: str) -> dict[str, Any]:
        told = {other: share for pair, share in pairs.items() if manner in pair.split() for other in pair.split()}
        return {
            "others": level,
            "groups": 10_000,
            "gain": [dict(zip(MANNERS, gains, strict=True))[manner], 0.01],
            "apart": told,
        }

    monkeypatch.setattr(levels, "measured_manner", measured)
    assert levels.manners_of(game, "best") == offered
    assert levels.company(game, "best", 2) == ([f"best:{each}" for each in offered] or ["best"] * 2)[:2]


def test_a_manner_that_nobody_watched_is_not_told_apart() -> None:
    assert not levels.told_apart({"times": [4.0, 0.1]}, "sly") and levels.told_apart({"apart": {"sly": 0.75}}, "sly")


@for_each(
    ("times", "english", "dutch"),
    [
        (1.71, "1.7 times as often", "1,7 keer zo vaak"),
        (1.2, "20\u00a0% more often", "20\u00a0% vaker"),
        (0.076, "92\u00a0% less often", "92\u00a0% minder vaak"),
    ],
)
def test_how_much_more_often_is_told_as_people_say_it(times: float, english: str, dutch: str) -> None:
    assert str(levels.often(times)) == english and game_words("hawthorn", "nl").words(levels.often(times)) == dutch


def deals(*words: str) -> list[list[Counter[str]]]:
    return [[Counter(each.split())] for each in words]


def test_who_watches_tells_what_differs_and_only_that() -> None:
    calls, passes = deals(*["call call pass"] * 20), deals(*["pass pass call"] * 20)
    assert told_apart(calls, passes, 1) == 1.0
    assert told_apart(calls, calls, 1) == pytest.approx(0.5)


def test_a_watcher_learns_from_no_deal_of_which_it_guesses() -> None:
    """Each match has a word of its own: whoever had seen it would know."""
    one, two = deals(*(f"one{k}" for k in range(40))), deals(*(f"two{k}" for k in range(40)))
    assert told_apart(one, two, 1) == pytest.approx(0.5)


def test_who_watches_hears_what_the_public_is_told_of_a_seat_and_no_more() -> None:
    match = answering()
    heard = sum(told(match, [match.length], 1 - match.actor), Counter())
    assert heard and not any("{cards}" in word for word in heard)  # what was passed on, only two know
    assert sum(told(match, [match.length], match.actor), Counter()) != heard


def test_too_few_games_tell_nothing_of_how_often() -> None:
    played = Played([], [0.5, -0.5], [np.zeros(3), np.zeros(3)])
    assert manner_study.summary(hexdeck.game("hawthorn", 2), "best", "bold", played, {})["times"] is None


def test_how_much_more_often_has_an_interval_by_students_t() -> None:
    counts = [np.array([4, n, 1.0]) for n in (2, 1, 3)]
    row = manner_study.summary(
        hexdeck.game("hawthorn", 2), "best", "bold", Played([], [1.0, 0.0, -1.0], counts), {"careful": 0.8}
    )
    assert row["times"] == [2.0, pytest.approx(4.302653 / 3**0.5, abs=1e-3)]
    assert (row["gain"], row["groups"], row["others"]) == ([0.0, pytest.approx(1.96 / 3**0.5, abs=1e-3)], 3, "best")
    assert row["apart"] == {"careful": 0.8}


def test_a_bot_that_mixes_has_its_odds_multiplied() -> None:
    unsure: list[float | None] = [None, None]
    assert tilted("call", [0.5, 0.5], unsure, logit=float(np.log(3))) == {"call": 0.75, "accept": 0.25}
    assert tilted("call", [0.5, 0.5], unsure, logit=-float(np.log(3))) == {"call": 0.25, "accept": 0.75}
    assert tilted("call when ghost_size >= 99", [0.5, 0.5], unsure, logit=9.0) == {"call": 0.5, "accept": 0.5}
    assert tilted("call or accept", [0.5, 0.5], unsure, logit=9.0) == {"call": 0.5, "accept": 0.5}


def test_a_bot_that_compares_values_gives_up_no_more_than_it_may() -> None:
    assert tilted("call", [0.0, 1.0], [0.4, 0.5], utility=0.11)["call"] == 1
    assert tilted("call", [0.0, 1.0], [0.4, 0.5], utility=0.09)["call"] == 0
    assert tilted("accept", [0.0, 1.0], [0.4, 0.5], utility=-0.11)["call"] == 1
    assert tilted("accept", [0.0, 1.0], [None, 0.5], utility=-9.0)["call"] == 0
    tied = [Candidate(1, 1.0, None, None), Candidate(2, 0.0, 9.0, None)]
    assert preferred(tied[0], tied, {2}, 5.0) == 1


def test_the_house_bot_tries_its_moves_and_keeps_mixing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = answering()
    plain = bot("house", match.game, 1, "fast")
    monkeypatch.setattr(plain, "candidates", Fixed([0.4, 0.6], [0.5, 0.45]).candidates)
    for utility, often in ((0.01, 1.0), (-0.04, 0.4), (-0.06, 0.0)):
        bent = ManneredBot(match.game, plain, Manner("bold", "", "call", utility, utility), 1, "fast")
        found = {each.action: each.probability for each in bent.candidates(match.concealed(match.actor), match.actor)}
        assert found[match.rules.ACTIONS.index("call")] == pytest.approx(often)


def test_the_gentle_bot_follows_its_manner_on_a_whim() -> None:
    match = answering()
    call, seat = match.rules.ACTIONS.index("call"), match.actor
    often = []
    for logit in (-4.0, 0.001, 4.0):
        manner = Manner("bold", "", "call", logit, logit)
        bent = ManneredBot(match.game, bot("gentle", match.game, 1, "interpreted"), manner, 1, "interpreted")
        often.append(
            next(each.probability for each in bent.candidates(match.concealed(seat), seat) if each.action == call)
        )
    assert often[0] < 0.1 < often[1] < 0.6
    assert often[2] > 0.85


def test_choices_follow_from_the_match_and_are_counted() -> None:
    match = answering()
    bent = ManneredBot(match.game, Fixed([0.25, 0.75], [None, None]), Manner("bold", "", "call", 1.0, 0.1), 1, None)
    known, chosen = match.concealed(match.actor), []
    for _ in range(2):
        bent.begin(7)
        chosen.append([bent.choose(known, match.actor) for _ in range(20)])
    assert chosen[0] == chosen[1] and len(set(chosen[0])) == 2
    call = match.rules.ACTIONS.index("call")
    assert bent.counts.tolist() == [40, sum(each.count(call) for each in chosen), 10.0]


def test_a_manner_follows_the_name_of_a_level_or_of_a_bot_that_can_have_one() -> None:
    game = hexdeck.game("cursed-hand", 2)
    assert resolved("hard:bold", game) == "rollout:house:12:bold" and spoken("sharp:bold") == "hard:bold"
    assert parted("search:100:sly") == ("search:100", "sly") and parted("run:a:bold") == ("run:a:bold", "")
    assert isinstance(bot("hard:bold", game, backend="interpreted"), ManneredBot) and stored("best:sly") == "best:sly"
    assert can_have_manner("house") and not can_have_manner("random")
    with pytest.raises(BadOption, match=r"random has no manners in cursed-hand with 2 players: write random, or easy"):
        bot("random:bold", game, backend="interpreted")
    none = hexdeck.game("black-hearts", 4)
    with pytest.raises(BadOption, match=r"random has no manners in black-hearts with 4 players: write only random\."):
        bot("random:bold", none, backend="interpreted")
    with pytest.raises(BadOption, match=r"In hawthorn there is no manner sly; there are bold, careful"):
        bot("best:sly", hexdeck.game("hawthorn", 2), backend="interpreted")
    with pytest.raises(UnknownBot, match="There is no bot best:bold"):
        bot("best:bold:sly", game, backend="interpreted")


@for_each("name", ["net:0:bold", "net:0.001:sly", "net:0.04:bold"])
def test_a_net_too_cool_to_mix_has_no_manner(name: str) -> None:
    game = hexdeck.game("cursed-hand", 2)
    with pytest.raises(BadOption, match=r"so low has no manner: give it one of 0\.05 or more"):
        bot(name, game, backend="interpreted")
    cool = bot("net:0.05:bold", game, backend="interpreted")
    match = game.match(1, backend="interpreted")
    probabilities = [each.probability for each in cool.candidates(match.concealed(match.actor), match.actor, 0)]
    assert sum(probabilities) == pytest.approx(1)


def test_what_a_bot_is_called_says_its_manner_in_both_languages() -> None:
    assert str(bot_text("sharp:bold")) == str(grade_text("sharp:bold")) == "Hard, bold"
    assert str(bot_text("search:100:sly")) == "thinks ahead, sly" and grade_text("search:100:sly") is None
    assert game_words("hawthorn", "nl").words(bot_text("sharp:careful") or "") == "Moeilijk, voorzichtig"


def test_a_menu_offers_manners_with_what_was_measured_and_a_table_takes_them() -> None:
    game = hexdeck.game("cursed-hand", 4)
    offered = levels.choices(game)
    assert next(iter(offered)) == "gentle" and set(levels.LEVELS) < set(offered)
    name = next(each for each in offered if ":" in each)
    times = (levels.measured_manner(game, *name.split(":")) or {})["times"][0]
    assert str(levels.often(times)) in str(offered[name])
    setup = checked(TableSetup(game, ("you", *[name] * 3)))
    assert seats_for(setup)[1].level == name


def test_other_options_are_offered_no_manners_that_were_not_measured_with_them() -> None:
    assert not any(":" in name for name in levels.choices(hexdeck.game("cursed-hand", 2, losses=3)))
    assert not any(":" in name for name in levels.choices(hexdeck.game("hawthorn", 2, deals=3)))  # another bot


def test_strength_counts_only_where_it_is_known_well_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("cursed-hand", 2)
    pairs = ("steady", "gentle", 0.2), ("sharp", "steady", 0.1), ("best", "sharp", 0.3)
    rows = [{"one": one, "others": others, "gain": [gain, 0.0]} for one, others, gain in pairs]
    monkeypatch.setattr(levels, "data", lambda _game: {"measured": {"2": {"contests": rows}}})
    for level, gain, half, holds in (
        ("steady", -0.06, 0.1, True),
        ("steady", -0.07, 0.01, False),  # more than a third
        ("steady", -0.06, 0.15, False),  # perhaps as weak as the level below
        ("steady", 0.09, 0.02, True),
        ("steady", 0.11, 0.02, False),  # as strong as the level above
        ("best", 0.11, 0.02, True),
    ):
        assert levels.keeps_strength(game, {"others": level, "gain": [gain, half], "groups": 10_000}) is holds


def test_a_manner_is_as_strong_as_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("hawthorn", 2)
    monkeypatch.setattr(levels, "manners_file", lambda _game: tmp_path / "manners.json")
    monkeypatch.setattr(manner_study, "manners_file", lambda _game: tmp_path / "manners.json")
    manner_study.keep(game, [manner_study.trial(game, "best", "bold", 3.0)], "")
    (bold,) = (each for each in game.definition.hints.STUDY.manners if each.name == "bold")
    for name, times in (("best:bold", 3), ("net:0.4:bold", 3), ("best:careful", 1), ("hard:bold", 1)):
        found = bot(name, game, backend="interpreted").manner  # type: ignore[attr-defined]
        assert name.endswith("careful") or (found.logit, found.utility) == (times * bold.logit, times * bold.utility)
    played = Played([], [1.0, 0.0], [np.ones(3), np.ones(3)])
    manner_study.keep(
        game, [manner_study.summary(game, "best", "bold", played, {})], "python tools/manners.py hawthorn"
    )
    row = json.loads((tmp_path / "manners.json").read_text())["measured"]["2"]["contests"][0]
    assert (row["one"], row["bot"], row["tilt"], row["groups"]) == ("best:bold", "net:0.4:bold", 3.0, 2)
    assert row["line"] == "fold" and row["command"] == "python tools/manners.py hawthorn"
