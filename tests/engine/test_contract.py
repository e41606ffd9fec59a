"""What every kernel promises: the shape of its declarations, and what holds at every position that is reached."""

import itertools
import random
import re

import numpy as np
import pytest

from hexdeck.engine.discovery.definition import definition, preset, presets
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.errors import BadOption
from hexdeck.engine.layout import HEADER
from hexdeck.simulation.game import Game, game
from tests.settings import GAMES, every_game, every_setting, much, random_game
from tests.support import for_each

from .bench import Bench, Event


@every_game
def test_declarations(name: str) -> None:
    rules = definition(name).rules
    low, high = rules.PLAYERS
    assert 2 <= low <= high <= rules.SEATS
    assert rules.STRUCT.itemsize < 1024 and rules.STRUCT.itemsize % 8 == 0 and definition(name).struct_version >= 1
    assert rules.STRUCT.names[: len(HEADER.names)] == HEADER.names
    assert all(rules.STRUCT.fields[field] == HEADER.fields[field] for field in HEADER.names)
    for listed in (rules.ACTIONS, rules.OUTCOMES, rules.ENDINGS, [option.name for option in rules.OPTIONS]):
        assert len(set(listed)) == len(listed)


@every_game
def test_what_tables_play_can_be_played_by_any_number(name: str) -> None:
    low, high = definition(name).rules.PLAYERS
    for players in range(low, high + 1):
        assert presets(name, players)[0] == preset(name), "the default is for any number"
        assert Game.at_table(name, players) == game(name, players, **preset(name).options)
    names = [each.name for each in presets(name)]
    assert len({*names}) == len(names) and set(names) == {
        each.name for players in range(low, high + 1) for each in presets(name, players)
    }
    assert len({str(each.title) for each in presets(name)}) == len(names)


@for_each("name", GAMES)
def test_presets_are_those_of_the_rules_page(name: str) -> None:
    """Each is typed as the sheet calls it, and is a game of its own."""
    found = [Game.at_table(name, 4, each.name) for each in presets(name)]
    assert len({*found}) == len(found)
    for each in presets(name):
        assert each.name == "-".join(str(each.title).lower().split())


def test_a_preset_is_named_by_its_beginning() -> None:
    assert preset("cursed-hand", "ext") is preset("cursed-hand", "extended-variation")
    for wrong in ("nothing", "o"):
        with pytest.raises(BadOption, match=f"^There is no preset {wrong}; there are quick-game, extended-variation, "):
            preset("cursed-hand", wrong)


def test_an_option_gives_another_the_value_it_needs_unless_that_was_set_otherwise() -> None:
    for given in ({"grandpa_rule": "0"}, {"uncle_bob_rule": True}):
        assert (
            game("high-handed", **given).options["manual_draw"]
            and game("high-handed").variant(**given).options["manual_draw"]
        )
        with pytest.raises(BadOption, match=r"needs “Players must ask .*” \(manual_draw\) to be on\.$"):
            game("high-handed", **given, manual_draw=False)
    asked = game("high-handed", uncle_bob="ask").options
    assert asked["uncle_bob_rule"] and asked["manual_draw"], "and what that needs"
    assert Game.at_table("black-hearts", preset="first", reversed_ties="earliest").options["gifts"]
    assert not game("high-handed", grandpa_rule="none").options["manual_draw"]
    assert Game.at_table("blackstone", preset="five", stakes="open").options["sit_out"]


def test_points_of_the_curses_are_named_by_their_sum_where_there_is_more_than_one() -> None:
    for given, wanted in (("8", "1-1-1-1-2-2"), (13, "1-1-2-2-3-4"), ("5-0-0-0-0-1", "5-0-0-0-0-1")):
        assert game("black-hearts", curse_points=given).options["curse_points"] == wanted
    one = game("black-hearts", 3, curse_numbers="3", curse_points="8", random_copies="5-5-5-5-5-5")
    assert one.options["curse_points"] == "8", "as records have it"


@every_game
def test_slices_follow_one_another(name: str) -> None:
    slices = list(definition(name).rules.SLICES.values())
    assert slices[0][0] == 0 and slices[-1][1] <= 512
    assert all(end == begin for (_, end), (begin, _) in itertools.pairwise(slices))
    assert all(begin < end for begin, end in slices)


@every_game
def test_reasons_and_options_cite_rules_of_the_rules_page(name: str) -> None:
    rules, page = definition(name).rules, (game_folder(name) / "rules.en.md").read_text(encoding="utf-8")
    ids = set(re.findall(r"\[([A-Z]+-\d+)\]", page))
    assert {reason.rule for reason in definition(name).table.REASONS} <= ids
    assert {option.rule for option in rules.OPTIONS if option.rule} <= ids


@for_each("name", GAMES)
def test_an_action_is_forbidden_exactly_where_it_is_not_listed(name: str) -> None:
    for seed in range(much(2, 12)):
        rng = random.Random(seed)
        bench = Bench(random_game(name, rng), "fast")
        for _ in bench.random_game(rng):
            for seat in range(bench.setting.players):
                allowed = [k for k in range(len(bench.rules.ACTIONS)) if not bench.illegal_reason(seat, k)]
                assert bench.legal_actions(seat) == allowed, (bench.setting, seat)


@every_setting
def test_seats_or_chance_act_until_the_end(setting: Game) -> None:
    bench, rng = Bench(setting, "fast"), random.Random(1)
    for _ in range(3):
        for _ in bench.random_game(rng):
            (total, weights), acting = bench.chances(), bench.acting()
            assert bench.struct.acting == sum(1 << seat for seat in acting)
            assert bench.struct.over in (0, 1) and bool(acting) + bool(total) + bench.struct.over == 1
            assert sum(weights) == total and min(weights, default=0) >= 0
            assert [seat for seat in range(setting.players) if bench.legal_actions(seat)] == acting
        assert 0 < bench.struct.ending < len(bench.rules.ENDINGS)
        utilities = bench.results()
        assert not any(utilities[setting.players :])
        assert all(np.isfinite(value) for value in utilities[: setting.players])


def sequence(bench: Bench, world: bytes, seat: int, rng: random.Random) -> list[Event]:
    """All that one seat does, from a position where others act too, until it acts no more."""
    bench.put(world)
    events = []
    while seat in bench.acting():
        event = (seat, rng.choice(bench.legal_actions(seat)))
        bench.step(event)
        events.append(event)
    return events


def interleaved(sequences: list[list[Event]], rng: random.Random) -> list[Event]:
    order = [k for k, events in enumerate(sequences) for _ in events]
    rng.shuffle(order)
    queues = [iter(events) for events in sequences]
    return [next(queues[k]) for k in order]


@every_setting
def test_the_order_of_simultaneous_commits_changes_no_byte(setting: Game) -> None:
    bench, other, rng = Bench(setting, "fast"), Bench(setting, "fast"), random.Random(2)
    for _ in range(4):
        for _ in bench.random_game(rng):
            acting, world = bench.acting(), bench.world()
            if len(acting) < 2:
                continue
            sequences = [sequence(other, world, seat, rng) for seat in acting]
            ends, public = set(), []
            for _ in range(6):
                other.put(world)
                *events, last = interleaved(sequences, rng)
                for event in events:
                    other.step(event)
                public.append((last[0], other.concealed(-1)))
                other.step(last)
                ends.add(other.world())
            assert len(ends) == 1
            assert len(set(public)) == len({seat for seat, _ in public})


@every_setting
def test_nothing_but_who_has_chosen_shows_before_the_last_choice(setting: Game) -> None:
    bench, other, rng = Bench(setting, "fast"), Bench(setting, "fast"), random.Random(3)
    for _ in range(4):
        for _ in bench.random_game(rng):
            acting, world = bench.acting(), bench.world()
            for seat in acting if len(acting) > 1 else []:
                observers = [p for p in range(-1, setting.players) if p != seat]
                seen = set()
                for action in bench.legal_actions(seat):
                    other.put(world)
                    other.step((seat, action))
                    if seat in other.acting():  # the first step of a choice in several: nothing shows at all
                        assert [other.concealed(p) for p in observers] == [bench.concealed(p) for p in observers]
                    else:
                        seen.add(tuple(other.concealed(p) for p in observers))
                assert len(seen) <= 1
