"""Versions of environments: nothing that a learner meets changes without a new number."""

import pytest

from hexdeck.engine.game import game_module
from hexdeck.envs import versions
from tests.settings import every_game


@every_game
def test_the_newest_version_is_what_is_played(name: str) -> None:
    newest = versions.history(name)[-1]
    told = f"{name} differs from version {newest['number']}: python tools/versions.py 'what has changed'"
    assert {key: newest[key] for key in versions.fingerprints(name)} == versions.fingerprints(name), told


@every_game
def test_versions_are_counted_from_nought_and_say_what_has_changed(name: str) -> None:
    history = versions.history(name)
    assert [version["number"] for version in history] == list(range(len(history)))
    assert all(version["changes"].strip() for version in history)


@every_game
def test_a_change_of_actions_observations_or_rewards_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, before = game_module(name, "rules"), versions.fingerprints(name)
    with monkeypatch.context() as patch:
        patch.setattr(rules, "ACTIONS", (*rules.ACTIONS[:-1], "another"))
        assert versions.fingerprints(name)["actions"] != before["actions"]
    with monkeypatch.context() as patch:
        patch.setattr(rules, "SLICES", {f"{key} ": part for key, part in rules.SLICES.items()})
        assert versions.fingerprints(name)["observations"] != before["observations"]
    with monkeypatch.context() as patch:
        patch.setattr("hexdeck.engine.match.Match.returns", lambda match: (1.0,) * match.game.players)
        assert versions.fingerprints(name)["play"] != before["play"]


def test_names_follow_the_version() -> None:
    assert versions.module_name("cursed-hand") == f"cursed_hand_v{versions.version('cursed-hand')}"
    assert versions.camel_name("wolf-mans-curse") == f"WolfMansCurse-v{versions.version('wolf-mans-curse')}"
