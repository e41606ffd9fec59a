"""Versions of environments: nothing that a learner meets changes without a new number."""

import functools
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
import versions

from hexdeck import envs
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.match import Match
from hexdeck.envs import gymnasium as _registered  # noqa: F401 - it registers
from hexdeck.envs import pettingzoo
from hexdeck.envs.histories import Workspace
from hexdeck.simulation.game import Game, game
from tests.settings import every_game


@every_game
def test_the_newest_version_is_what_is_played(name: str) -> None:
    newest = envs.history(name)[-1]
    advice = f"{name} differs from version {newest['number']}: python tools/versions.py 'what has changed'"
    assert {key: newest[key] for key in versions.fingerprints(game(name))} == versions.fingerprints(game(name)), advice


@every_game
def test_versions_are_counted_from_nought_and_say_what_has_changed(name: str) -> None:
    history = envs.history(name)
    assert [version["number"] for version in history] == list(range(len(history)))
    assert all(version["changes"].strip() for version in history)


@every_game
def test_a_change_of_names_or_slices_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, newest = definition(name).rules, envs.history(name)[-1]
    monkeypatch.setattr(versions, "variants", lambda _usual: [])
    monkeypatch.setattr(rules, "ACTIONS", (*rules.ACTIONS[:-1], "another"))
    monkeypatch.setattr(rules, "OUTCOMES", (*rules.OUTCOMES[:-1], "another"))
    monkeypatch.setattr(rules, "SLICES", {f"{key} ": part for key, part in rules.SLICES.items()})
    now = versions.fingerprints(game(name))
    assert all(now[key] != newest[key] for key in ("actions", "outcomes", "observations"))


def changed(name: str, monkeypatch: pytest.MonkeyPatch, method: str, when: Callable[[Game], bool]) -> bool:
    """Whether it is noticed that a method of `Match` tells something else in some of the games."""
    plain, matches = getattr(Match, method), played(name)

    def other(match: Match, *given: Any) -> Any:
        numbers = plain(match, *given)
        return np.add(numbers, 1) if when(match.game) else numbers

    with monkeypatch.context() as patch:
        patch.setattr(Match, method, other)
        return any(versions.play(chosen, 0) != before for chosen, before in matches)


@functools.cache
def played(name: str) -> list[tuple[Game, str]]:
    return [(chosen, versions.play(chosen, 0)) for chosen in versions.variants(game(name))]


@pytest.mark.parametrize("method", ["observation", "returns"])
@every_game
def test_a_change_for_one_number_of_players_is_noticed(name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = definition(name).rules.PLAYERS
    for players in range(low, high + 1):
        only = game(name, players)
        assert changed(name, monkeypatch, method, lambda chosen, only=only: chosen == only)  # type: ignore[misc]
    assert not changed(name, monkeypatch, method, lambda chosen: False)


@every_game
def test_a_change_under_one_value_of_an_option_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = game(name).options
    for option in definition(name).rules.OPTIONS:
        key = option.name
        assert changed(name, monkeypatch, "observation", lambda chosen, key=key: chosen.options[key] != usual[key])  # type: ignore[misc]


@every_game
def test_a_change_of_words_or_of_the_house_bot_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = envs.history(name)[-1]
    monkeypatch.setattr(versions, "variants", lambda _usual: [])
    simulate, learnt = Game.simulate, Workspace.learnt
    with monkeypatch.context() as patch:
        patch.setattr(Game, "simulate", lambda chosen, games, bots, **how: simulate(chosen, games, "gentle", **how))
        now = versions.fingerprints(game(name))
        assert now["words"] == newest["words"] and now["opponents"] != newest["opponents"]
    with monkeypatch.context() as patch:
        patch.setattr(
            Workspace,
            "learnt",
            lambda workspace, *given: learnt(workspace, *given) + "!" * (workspace.game.players == 4),
        )
        now = versions.fingerprints(game(name))
        assert now["words"] != newest["words"] and now["opponents"] == newest["opponents"]


def test_names_follow_the_version() -> None:
    assert envs.module_name("cursed-hand") == f"cursed_hand_v{envs.version('cursed-hand')}"
    assert envs.camel_name("wolf-mans-curse") == f"WolfMansCurse-v{envs.version('wolf-mans-curse')}"


RELEASED = {  # with 0.1.0: the newest version of each game's environments
    "0.1.0": (
        "black_hearts_v1",
        "blackstone_v2",
        "cursed_hand_v2",
        "hawthorn_v1",
        "high_handed_v4",
        "wolf_mans_curse_v1",
    ),
}


@pytest.mark.parametrize("release", RELEASED)
def test_what_a_release_had_can_be_imported_for_good(release: str) -> None:
    for name in RELEASED[release]:
        assert getattr(pettingzoo, name).env().possible_agents, name


def test_a_version_with_other_words_alone_is_made_as_the_newest() -> None:
    assert envs.alike("cursed-hand") == [2, 3] and envs.alike("hawthorn") == [0, 1, 2]
    for old, new in (("CursedHand-v2", "CursedHand-v3"), ("Hawthorn-v1", "Hawthorn-v2")):
        with pytest.warns(DeprecationWarning, match="out of date"):  # Gymnasium's
            first = gymnasium.make(f"hexdeck/{old}").reset(seed=3)[0]["observation"]
        assert (first == gymnasium.make(f"hexdeck/{new}").reset(seed=3)[0]["observation"]).all()
