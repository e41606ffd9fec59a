"""Nets: what they say, what nothing leaks into, their files, and where they may play."""

import dataclasses
import json
import random
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import (
    DEALS,
    DRAWN,
    MIMIC,
    POLICY,
    Net,
    has_net,
    is_net_of,
    layout,
    load,
    net_sizes,
    save,
    shipped,
    shipped_net,
)
from hexdeck.bots.players.kinds import DrawnBot, NetBot
from hexdeck.bots.players.levels import in_chips, levels_of
from hexdeck.bots.players.roster import bot, bots_of, nets_of, playing_now
from hexdeck.bots.players.simulation_bots import seated
from hexdeck.cli import main
from hexdeck.cli.command_line import build_parser
from hexdeck.engine.text import Catalogue
from hexdeck.research.exact import GameTree, sized
from hexdeck.research.exact.tree import bot_policy
from hexdeck.research.training.arena import KINDS, Arena
from hexdeck.research.training.collect import HOUSE
from hexdeck.research.training.trainer import TrainingPlan, utility_scaling
from hexdeck.simulation.game import Game
from hexdeck.tables.commands import checked_bot
from tests.bots.made import any_net, by_the_book
from tests.compiled import warm
from tests.settings import GAMES, all_settings, every_game, much
from tests.support import for_each, random_plies

SHIPPED = [path for name in GAMES for path in shipped(hexdeck.game(name))]
BACKEND = "interpreted"


# --- inference --------------------------------------------------------------------------------------------------------
def test_a_net_is_two_layers_of_rectified_sums() -> None:
    game, net = hexdeck.game("hawthorn"), any_net("hawthorn")
    seen, inputs = net.sizes[:2]
    match = game.match(1, backend=BACKEND)
    x = np.zeros(inputs)
    x[:seen], x[seen + 4 - 1] = match.observation(0), 1
    output = by_the_book(net.sizes, net.weights, x)
    legal = match.legal_ids(0)
    wanted = np.exp(output[legal]) / np.exp(output[legal]).sum()
    player = NetBot(game, 1, BACKEND, 1.0, net)
    given = {each.action: each.probability for each in player.candidates(match.concealed(0), 0)}
    assert [given[action] for action in legal] == pytest.approx(wanted.tolist())
    assert player.value(match.concealed(0), 0) == pytest.approx(0.5 + 2 * output[-1])


def test_greedy_plays_the_likeliest_and_a_cold_net_nearly_always() -> None:
    game, net = hexdeck.game("hawthorn"), any_net("hawthorn")
    known = game.match(1, backend=BACKEND).concealed(0)
    best = NetBot(game, 1, BACKEND, 1.0, net).candidates(known, 0)[0].action
    greedy = NetBot(game, 1, BACKEND, 0.0, net)
    first, *others = (each.probability for each in greedy.candidates(known, 0))
    assert first == 1 and not any(others)
    assert {greedy.choose(known, 0) for _ in range(20)} == {best}
    assert {NetBot(game, seed, BACKEND, 1e-3, net).choose(known, 0) for seed in range(20)} == {best}


def test_sampled_play_throws_by_the_chances() -> None:
    game = hexdeck.game("hawthorn")
    player = NetBot(game, 1, "fast", 1.0, any_net("hawthorn"))
    known = game.match(1, backend=BACKEND).concealed(0)
    chances = {each.action: each.probability for each in player.candidates(known, 0)}
    chosen = [player.choose(known, 0) for _ in range(600)]
    for action, chance in chances.items():
        assert abs(chosen.count(action) / 600 - chance) < 4 * np.sqrt(chance / 600)


# --- files ------------------------------------------------------------------------------------------------------------
def test_a_net_is_read_as_it_was_written(tmp_path: Path) -> None:
    net = any_net("hawthorn")
    save(net, tmp_path / "a" / "some.net")
    again = load(tmp_path / "a" / "some.net")
    assert (again.weights == net.weights.astype(np.float16)).all() and (again.sizes == net.sizes).all()
    assert again.game == "hawthorn" and again.utility_scale == net.utility_scale


def test_a_net_of_another_layout_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(any_net("hawthorn"), tmp_path / "some.net")
    rules = hexdeck.game("hawthorn").rules
    monkeypatch.setattr(rules, "SLICES", {**rules.SLICES, "hand": (0, 9)})
    with pytest.raises(hexdeck.HexdeckError, match="was trained for another version of hawthorn; train it again"):
        load(tmp_path / "some.net")


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """A change of the header of a net's file."""

    def damage(content: bytes) -> bytes:
        first, _, rest = content.partition(b"\n")
        header = json.loads(first)
        change(header)
        return json.dumps(header).encode() + b"\n" + rest

    return damage


@for_each(
    "damage",
    [
        *(
            lambda _content, other=other: other
            for other in (b"", b"{}\n", b"no net", b"[]\n12", b"[" * 100_000 + b"\n")
        ),
        lambda content: content[:-1],
        changed(lambda header: header.pop("layout")),
        changed(lambda header: header.update(layout=5)),
        changed(lambda header: header.update(sizes=[10**12] * 5)),
        changed(lambda header: header.update(sizes=[[1, 2, 4, 4, 5]])),
        changed(lambda header: header.update(sizes=[*map(float, header["sizes"])])),
        changed(lambda header: header.update(players="4")),
        changed(lambda header: header.update(players=["4"])),
        changed(lambda header: header.update(options=[])),
    ],
)
def test_what_is_no_net_is_refused(damage, tmp_path, recwarn) -> None:
    path = tmp_path / "some.net"
    save(any_net("hawthorn"), path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(hexdeck.HexdeckError, match=r"some\.net is not a net of hexdeck, or it is damaged"):
        load(path)
    assert is_net_of(path, "hawthorn") in (True, False) and not recwarn.list


@for_each("hidden", [(0, 0), (3, 4), (4, 6), (2, 8)])
def test_hidden_layers_that_inference_would_cut_are_refused(hidden: tuple[int, int], tmp_path: Path) -> None:
    """It sums four neurons at a time: of any others the last would be left out, or memory beyond them read."""
    sizes = net_sizes(hexdeck.game("hawthorn").rules, *hidden)
    save(Net("hawthorn", sizes, np.zeros(length(sizes)), {2: (0.0, 1.0)}, {}), tmp_path / "some.net")
    with pytest.raises(hexdeck.HexdeckError, match=r"some\.net is not a net of hexdeck, or it is damaged"):
        load(tmp_path / "some.net")


def test_a_net_in_a_file_plays_under_its_name(tmp_path: Path) -> None:
    path, game = tmp_path / "mine.net", hexdeck.game("hawthorn")
    save(any_net("hawthorn"), path)
    player, same = bot(f"net:{path}", game, 1, BACKEND), NetBot(game, 1, BACKEND, net=load(path))
    for _, here in zip(range(20), random_plies(game.match(1, backend=BACKEND), random.Random(1)), strict=False):
        if (seat := here.actor) < 0:
            continue
        known = here.concealed(seat)
        assert player.candidates(known, seat) == same.candidates(known, seat)
    with pytest.raises(hexdeck.HexdeckError, match="A net for hawthorn can't play cursed-hand"):
        bot(f"net:{path}", hexdeck.game("cursed-hand"), 1, BACKEND)
    with pytest.raises(hexdeck.HexdeckError, match=r"There is no file .*none\.net\."):
        bot(f"net:{tmp_path / 'none.net'}", game, 1, BACKEND)


def test_nobody_at_a_table_names_files_of_the_server(tmp_path: Path) -> None:
    save(any_net("hawthorn"), tmp_path / "mine.net")
    with pytest.raises(hexdeck.UnknownBot, match="A bot that loads a file can't play at a table"):
        checked_bot(hexdeck.game("hawthorn"), f"net:{tmp_path / 'mine.net'}")


@for_each(("name", "kind"), [("net", "net"), ("rollout:house-deal:10", "deal net")])
def test_a_game_without_a_net_says_so(name: str, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: tmp_path / "net")
    with pytest.raises(hexdeck.HexdeckError, match=f"no trained {kind} for black-hearts with 4 players"):
        bot(name, hexdeck.game("black-hearts", 4), 1, BACKEND)


# --- one of several nets ----------------------------------------------------------------------------------------------
@pytest.fixture
def several(tmp_path: Path) -> list[Path]:
    """Files of nets that choose in different ways."""
    paths = [tmp_path / f"{seed}.net" for seed in range(1, 4)]
    for seed, path in enumerate(paths):
        save(any_net("cursed-hand", players=2, seed=seed), path)
    return paths


@for_each("name", ["net:{}", "think:4:{}"])
def test_one_of_several_nets_is_drawn_before_each_match_by_its_number_and_seed(name: str, several: list[Path]) -> None:
    game, drawn = hexdeck.game("cursed-hand", 2), list[int]()
    known = game.match(1, backend=BACKEND).concealed(0)
    alone = [bot(name.format(path), game, 1, BACKEND) for path in several]
    together = [bot(name.format(":".join(map(str, several))), game, seed, BACKEND) for seed in (1, 1, 2)]
    assert together[0].name == alone[0].name
    for number in range(40):
        for each in (*alone, *together):
            each.begin(number)
        said, again, elsewhere = (each.candidates(known, 0, 0) for each in together)
        drawn.append([each.candidates(known, 0, 0) for each in alone].index(said))
        assert said == again and together[0].choose(known, 0) == alone[drawn[-1]].choose(known, 0)
        drawn[-1] += 3 * (said != elsewhere)
    assert min(drawn.count(k) + drawn.count(k + 3) for k in range(3)) > 4 and max(drawn) > 2


def test_of_shipped_nets_one_is_drawn_where_there_are_several(monkeypatch, tmp_path, several: list[Path]) -> None:
    game, folder = hexdeck.game("cursed-hand", 2), tmp_path / "net"
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: folder)
    save(any_net("cursed-hand", players=2), folder / "two.net")
    for name in ("nets", "think:nets:4"):
        assert name.partition(":")[0] == "think" or name not in bots_of(game)
        with pytest.raises(hexdeck.HexdeckError, match="There is no second trained net for cursed-hand with 2 players"):
            bot(name, game, 1, BACKEND)
    folder = tmp_path / "more"
    save(any_net("cursed-hand", players=2), folder / "two.net")
    for path in several:
        save(load(path), folder / DRAWN / path.name)
    chosen = {name: bot(name, game, 1, BACKEND) for name in ("nets", "nets:0.5", "think:nets:4", "nets:0.5:bold")}
    assert {len(each.bots) for each in chosen.values() if isinstance(each, DrawnBot)} == {4}
    assert "nets" in bots_of(game) and len(nets_of("nets", game)) == 4 and checked_bot(game, "nets") == "nets"
    assert isinstance(bot("net", game, 1, BACKEND), NetBot)
    with pytest.raises(hexdeck.BadOption, match="draws a net before each match, so it is no policy in a tree"):
        bot_policy(GameTree(sized("cursed-hand/tiny")), chosen["nets"])


def test_simulations_draw_as_matches_do(several: list[Path]) -> None:
    game, name = hexdeck.game("cursed-hand", 2, hand_cards=4), "net:" + ":".join(map(str, several))
    found = game.simulate(12, name, seed=3, first=7, backend="fast")
    with game.batch(12, seed=3, backend="fast", bots=[None, name]) as batch:
        assert batch.step(batch.random())
    for k in range(12):
        match, there = game.match(3, number=7 + k, backend="fast"), seated(game, [name, name], 3, "fast")
        for player in there:
            player.begin(7 + k)
        while not match.over:
            seat, legal = match.actor, match.legal_ids(match.actor)
            match.play(seat, there[seat].choose(match.concealed(seat), seat) if len(legal) > 1 else legal[0])
        assert tuple(found.returns[k]) == match.returns()


# --- the package's nets -----------------------------------------------------------------------------------------------
def test_the_net_for_fewest_numbers_of_players_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda name: tmp_path / "net")
    for name, counts in (("a", (2, 3, 4)), ("b", (3,)), ("c", (4, 5))):
        scale = dict.fromkeys(counts, (0.0, 1.0))
        net = dataclasses.replace(any_net("hawthorn"), utility_scale=scale, about={"is": name})
        save(net, tmp_path / "net" / f"{name}.net")
    found = {n: shipped_net(hexdeck.game("hawthorn", n)).about["is"] for n in (2, 3, 4, 5)}
    assert found == {2: "a", 3: "b", 4: "c", 5: "c"} and not has_net(hexdeck.game("hawthorn", 6))


@for_each("path", SHIPPED)
def test_a_shipped_net_fits_the_game_and_tells_truly_how_it_was_made(path: Path) -> None:
    net = load(path)
    players, usual = net.about["players"], dict(hexdeck.game(net.game, net.about["players"][0]).options)
    assert players and sorted(players) == sorted(net.utility_scale)
    assert net.about["options"] in ({}, usual)  # older files name only what differs
    commands = [shlex.split(command) for command in net.about["command"].split(" && ")]
    for words in commands:
        assert words[:3] == ["hexdeck", "train", net.game] and not any(word.startswith(("/", "~")) for word in words)
        if "note" not in net.about:  # which says that the command no longer makes these weights
            assert build_parser(Catalogue("en")).parse_args(words[1:]).command == "train"
    named = " ".join(commands[0]).partition("--players ")[2].partition(" --")[0].split()
    assert [*map(int, named)] == players and "--option" not in commands[0]
    assert Path(commands[-1][commands[-1].index("--export") + 1]).name == path.name
    if path.parent.name == DRAWN:
        assert (
            net.kind == POLICY
            and net.about["chosen"]["step"] == net.about["steps"]
            and "last step" in net.about["note"]
        )
    else:
        best = max(net.about["league"], key=lambda each: each["mean"])
        assert net.about["chosen"]["step"] == best["entry"]
    assert path.with_suffix(".csv").read_text().count("\n") > 5


@for_each("path", [path for path in SHIPPED if much("cursed_hand" in path.parts, True)])
def test_a_shipped_net_says_whether_its_command_makes_it_again(path: Path) -> None:
    """Units scale all that a net learns from, and follow the house bot; the trainer of today learns with a magnet."""
    net = load(path)
    if "magnet" not in net.about:
        assert "earlier version" in net.about["note"]
        return
    warm(net.game, "fast")
    about, games = net.about, {players: hexdeck.game(net.game, players) for players in net.utility_scale}
    plan = TrainingPlan(net.game, tuple(games), about["options"], about["seed"], gae_lambda=about["gae_lambda"])
    today = {players: tuple(utility_scaling(game, plan)[:2]) for players, game in games.items()}
    same = all(today[players] == pytest.approx(net.utility_scale[players], abs=1e-12) for players in games)
    assert ("earlier version" in net.about.get("note", "")) != same


def test_the_shipped_nets_are_small() -> None:
    assert SHIPPED
    assert sum(file.stat().st_size for path in SHIPPED for file in (path, path.with_suffix(".csv"))) < 2_000_000


@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in SHIPPED if load(path).kind in (DEALS, MIMIC)], ids=str)
def test_a_shipped_net_foresees_what_it_says(path: Path) -> None:
    net, word = load(path), {DEALS: "explained", MIMIC: "foreseen"}
    chosen, simulations = net.about["chosen"], int(net.about.get("imitate", ":0").partition(":")[2])
    for players, units in net.utility_scale.items():
        game = hexdeck.game(net.game, players)
        arena = KINDS[net.kind].arena(game, net.sizes, 7, "fast", np.array([*units, 1.0]), simulations)
        part, margin = arena.scored(net.weights, 1000 if net.kind == DEALS else 800, 0)
        assert part - margin > 0.08
        said, spread = chosen[f"{word[net.kind]} {players}"], chosen[f"± {players}"]
        assert part == pytest.approx(said, abs=margin + spread)


@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in SHIPPED if load(path).kind == POLICY], ids=str)
def test_a_shipped_net_at_its_best_beats_the_house_bot(path: Path) -> None:
    net, ahead = load(path), []
    for players, (middle, unit) in net.utility_scale.items():
        game = hexdeck.game(net.game, players)
        groups, temperature = (6000, best_temperature(game)) if in_chips(game) else (300, 0.0)
        mean, margin = Arena(game, net.sizes, 7, "fast").against(net.weights, temperature, groups, HOUSE)
        ahead.append((mean - middle) / unit)
        assert mean - margin > middle or not in_chips(game)
        assert mean + margin > middle, f"{players} players"
    assert np.mean(ahead) > (0.02 if in_chips(game) else 0.1)  # chips go far up and down by luck alone


def best_temperature(game: Game) -> float:
    kind, _, temperature = levels_of(game)["best"].partition(":")
    assert kind == "net"
    return float(temperature)


def test_the_layout_names_slices_seats_and_actions() -> None:
    layouts = {layout(hexdeck.game(name).definition) for name in GAMES}
    assert len(layouts) == len(GAMES)


FEW = hexdeck.game("cursed-hand", 4, hand_cards=5)


def some_net(**about: object) -> Net:
    return dataclasses.replace(any_net("cursed-hand"), about=about)


@for_each("weight", [np.nan, np.inf, -np.inf])
def test_a_net_with_weights_that_are_no_numbers_is_refused(tmp_path: Path, weight: float) -> None:
    net, path = some_net(), tmp_path / "some.net"
    net.weights[7] = weight
    save(net, path)
    with pytest.raises(hexdeck.HexdeckError, match=r"The net some\.net is damaged: some of its weights are infinite"):
        load(path)
    save(dataclasses.replace(some_net(), utility_scale={4: (0.5, weight)}), path)
    with pytest.raises(hexdeck.HexdeckError, match=r"The net some\.net is damaged"):
        load(path)


@for_each("options", [{"hand_cards": "many"}, {"nosuch": 1}])
def test_a_net_of_options_that_the_game_has_not_is_one_of_another_version(tmp_path, options) -> None:
    save(some_net(options=options), tmp_path / "some.net")
    with pytest.raises(hexdeck.HexdeckError, match=r"some\.net was trained for another version of cursed-hand"):
        load(tmp_path / "some.net")


# --- players ----------------------------------------------------------------------------------------------------------
def test_a_net_plays_for_the_numbers_of_players_that_it_learned_for(tmp_path: Path) -> None:
    path = tmp_path / "some.net"
    save(some_net(players=[5, 3]), path)
    for kind in (f"net:{path}", f"think:4:{path}", f"rollout:net:4:{path}"):
        assert bot(kind, hexdeck.game("cursed-hand", 3), 1, BACKEND)
        with pytest.raises(hexdeck.HexdeckError, match="This net learned for 3, 5 players, not for 4"):
            bot(kind, hexdeck.game("cursed-hand", 4), 1, BACKEND)
    save(some_net(), path)  # as older files are: nothing says for how many it learned
    assert bot(f"net:{path}", hexdeck.game("cursed-hand", 6), 1, BACKEND)


def test_the_command_refuses_a_net_for_two_at_a_table_of_four(capsys: pytest.CaptureFixture[str]) -> None:
    two = next(path for path in SHIPPED if path.parts[-3:] == ("cursed_hand", "net", "two.net"))
    assert main(["tournament", "cursed-hand", "house", f"net:{two}", "--ladder", "-n", "4", "--deals", "2"]) == 2
    assert "This net learned for 2 players, not for 4." in capsys.readouterr().err


# --- options ----------------------------------------------------------------------------------------------------------
def test_where_no_net_applies_none_is_offered_and_others_play() -> None:
    assert bot("net", hexdeck.game("cursed-hand", 4, losses=3, tied_losers="one_at_random"), 1, BACKEND)
    assert {"net", "think"}.isdisjoint(bots_of(FEW)) and {"net", "think"} <= set(bots_of(FEW.usual()))
    assert levels_of(FEW)["best"] == "rollout:house:1000" and bot("best", FEW, 1, BACKEND).name == "rollout"
    assert bot("rollout:4", FEW, 1, BACKEND).name == "rollout"
    assert playing_now("net:1", FEW, BACKEND) == "house"  # at a table that was begun when it was let in


def test_a_net_of_ones_own_plays_the_options_that_it_learned(tmp_path: Path) -> None:
    path = tmp_path / "some.net"
    save(some_net(players=[4], options={"hand_cards": 5}), path)
    assert bot(f"net:{path}", FEW, 1, BACKEND)
    with pytest.raises(hexdeck.BadOption, match="This net learned with hand_cards=5, not with hand_cards="):
        bot(f"net:{path}", FEW.usual(), 1, BACKEND)
    save(some_net(players=[4]), path)  # as older files are: nothing says which options it learned with
    assert bot(f"net:{path}", FEW, 1, BACKEND) and NetBot(FEW, 1, BACKEND, net=load(path)).net.kind == POLICY


@every_game
def test_every_level_can_play_under_all_settings(name: str) -> None:
    for setting in all_settings(name):
        for level in {*levels_of(setting).values()}:
            if level.startswith(("net", "think", "rollout")):
                assert bot(level, setting, 1, BACKEND)


def test_a_net_of_an_unknown_kind_or_of_wrong_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.net"
    save(dataclasses.replace(any_net("hawthorn", DEALS), kind="dreams"), path)
    with pytest.raises(hexdeck.HexdeckError, match="is not a net of hexdeck"):
        load(path)
    save(dataclasses.replace(any_net("hawthorn", DEALS), kind=POLICY), path)
    with pytest.raises(hexdeck.HexdeckError, match="train it again"):
        load(path)
