"""Manners: what tilts a bot's choices, which levels are offered with one, and what is said of them."""

import json
from pathlib import Path

import manners as manner_study
import numpy as np
import pytest

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
from hexdeck.lab.counts import ABOVE
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.pairs import GAIN, MANNER_TIMES, TOUCHED, Effect, Shift, probe_of, study_manners
from hexdeck.simulation.simulate import simulate
from hexdeck.stats import UNKNOWN, Estimate, ratio
from hexdeck.tables.commands import TableSetup, checked, seats_for
from tests.compiled import warm
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
def test_what_is_kept_of_manners_is_of_today_and_one_is_offered_at_least(name: str) -> None:
    offered = []
    for players, there in levels.read(levels.manners_file(hexdeck.game(name))).get("measured", {}).items():
        game = hexdeck.game(name, int(players))
        for row in there["contests"]:
            level, manner = row["one"].split(":")
            assert levels.measured_manner(game, level, manner) == row and row["groups"] >= levels.LEAST, row["one"]
            assert row["command"].startswith(f"python tools/manners.py {name} --players {players} ")
            offered += [(level, manner)] * (manner in levels.manners_of(game, level))
    assert offered


def test_a_manner_that_does_not_show_is_not_offered() -> None:
    assert levels.shows({"times": [1.2, 0.1]}) and levels.shows({"times": [0.7, 0.1]})
    assert not levels.shows({"times": [1.2, 0.3]}) and not levels.shows({"times": [1.07, 0.01]})


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


def of_bold(times: Estimate, gain: Estimate = UNKNOWN) -> Effect:
    return Effect("bold", 9, {ABOVE: Shift(0.0, gain), MANNER_TIMES: Shift(1.0, times)})


@for_each("times", [UNKNOWN, ratio(np.ones(9), np.ones(9)), ratio(np.ones(1), np.ones(1))])
def test_too_few_games_tell_nothing_of_a_manner(times: Estimate) -> None:
    row = manner_study.summary(hexdeck.game("hawthorn", 2), "best", of_bold(times))
    assert row["times"] is None and not levels.shows(row)


def test_how_much_more_often_has_an_interval_by_students_t() -> None:
    times = ratio(np.array([2.0, 1.0, 3.0]), np.ones(3))
    row = manner_study.summary(hexdeck.game("hawthorn", 2), "best", of_bold(times, Estimate(0.12345, 0.1, 0.14, 9)))
    assert row["times"] == [2.0, pytest.approx(4.302653 / 3**0.5, abs=1e-3)]
    assert (row["gain"], row["groups"], row["others"]) == ([0.1235, 0.02], 9, "best")


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
    assert preferred(tied, {2}, 5.0) == 1


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
    assert can_have_manner("net:1") and not can_have_manner("house")
    with pytest.raises(BadOption, match=r"medium has no manners .* with 2 players: write medium, or best:bold"):
        bot("medium:bold", game, backend="interpreted")
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
    game = hexdeck.game("cursed-hand", 2)
    offered = levels.choices(game)
    assert [*offered][:2] == ["gentle", "steady"] and set(levels.LEVELS) < set(offered)
    name = next(each for each in offered if ":" in each)
    times = (levels.measured_manner(game, *name.split(":")) or {})["times"][0]
    assert str(levels.often(times)) in str(offered[name])
    setup = checked(TableSetup(game, ("you", name)))
    assert seats_for(setup)[1].level == name


def test_other_options_are_offered_no_manners_that_were_not_measured_with_them() -> None:
    assert not any(":" in name for name in levels.choices(hexdeck.game("cursed-hand", 2, losses=3)))
    assert not any(":" in name for name in levels.choices(hexdeck.game("hawthorn", 2, deals=3)))  # another bot


def test_strength_counts_only_where_it_is_known_well_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("cursed-hand", 2)
    rows = {"measured": {"2": {"contests": [{"one": "best", "others": "sharp", "gain": [0.2, 0.0]}]}}}
    monkeypatch.setattr(levels, "data", lambda _game: rows)
    for gain, half, holds in ((0.0, 0.09, True), (0.0, 0.11, False), (0.03, 0.02, False), (0.03, 0.04, True)):
        assert levels.keeps_strength(game, {"others": "best", "gain": [gain, half], "groups": 10_000}) is holds


def test_a_manner_is_an_effect_on_the_same_cards_and_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm("hawthorn", "fast")
    monkeypatch.setattr(manner_study, "manners_file", lambda _game: tmp_path / "manners.json")
    setup = SimulationSetup(hexdeck.game("hawthorn", 2), "best", 3, backend="fast")
    (found,) = study_manners(setup, [probe_of(setup.game, "bold")], 60)
    plain = simulate(setup.game, 60, "best", 3, backend="fast").returns
    mannered = [
        simulate(setup.game, 30, bots, 3, first=30 * k, backend="fast").returns
        for k, bots in enumerate((["best:bold", "best"], ["best", "best:bold"]))
    ]
    seats = np.repeat([0, 1], 30)
    gains = np.concatenate(mannered)[np.arange(60), seats] - plain[np.arange(60), seats]
    assert found.shifts[GAIN].difference.value == pytest.approx(gains.mean()) and gains.any()
    changed = found.shifts[TOUCHED].difference.value
    assert (gains != 0).mean() <= changed < 0.6 and found.shifts[MANNER_TIMES].difference.value < 1  # it folds less
    manner_study.keep(setup.game, [manner_study.summary(setup.game, "best", found)], "python tools/manners.py hawthorn")
    kept_row = json.loads((tmp_path / "manners.json").read_text())["measured"]["2"]["contests"][0]
    assert (kept_row["one"], kept_row["bot"], kept_row["groups"]) == ("best:bold", "net:0.4:bold", 60)
    assert kept_row["line"] == "fold" and kept_row["command"] == "python tools/manners.py hawthorn"
