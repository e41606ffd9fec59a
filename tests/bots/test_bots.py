"""Bots choose legally, by their seed, from concealed bytes alone; and they play better than dice."""

import itertools
import random
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.bot import ranked
from hexdeck.bots.nets.netfile import POLICY
from hexdeck.bots.players.kinds import NetBot, SolvedBot
from hexdeck.bots.players.roster import Bot, bot
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.simulation.game import Game
from tests.bots.made import any_net
from tests.compiled import warm
from tests.settings import GAMES, data, every_game, much, random_game, small_game
from tests.support import for_each, random_plies, stage

BACKEND = "interpreted"
KINDS = ("gentle", "house", "random", "rollout:3", "search:3")
LEARNED = {POLICY: NetBot}  # bots that play by a net, here of random weights


def seated(kind: str, game: Game, seed: int) -> Bot:
    """A bot; searchers and nets think in compiled code."""
    backend = "fast" if ":" in kind or kind in LEARNED else BACKEND
    if backend == "fast":
        warm(game.name, backend)
    return made(kind, game, seed, backend)


def made(kind: str, game: Game, seed: int, backend: str) -> Bot:
    if kind in LEARNED:
        return LEARNED[kind](game, seed, backend, 1.0, any_net(game.name, kind, game.players))
    return bot(kind, game, seed, backend)


def decisions(game: Game, seed: int, most: int = 100_000) -> Iterator[tuple[Match, int]]:
    """A match of random moves, before each of them, with the seat that is to choose."""
    match, rng = game.match(seed, backend=BACKEND), random.Random(seed)
    for _ in range(most):
        if match.over:
            return
        seat = rng.choice(match.acting)
        yield match, seat
        match.play(seat, rng.choice(match.legal_ids(seat)))


def choices(game: Game, kind: str, seed: int, matches: int = 2) -> list[int]:
    player = seated(kind, game, seed)
    return [
        player.choose(match.concealed(seat), seat)
        for number in range(matches)
        for match, seat in decisions(game, number, most=8)
    ]


@for_each("kind", ["gentle", "house", "random", "net", "rollout:house:3", "search:3", "think:4"])
def test_what_is_not_the_bots_is_refused_in_a_sentence(kind: str) -> None:
    match = hexdeck.game("cursed-hand", 3).match(1, backend=BACKEND)
    player = bot(kind, match.game, 1, BACKEND)
    match.play(0, match.legal_ids(0)[0])
    assert match.acting == (1, 2)
    known, right = match.concealed(0), match.concealed(1)
    for asked in (player.choose, partial(player.candidates, worlds=0)):
        for seat in (0, 9, -1):
            with pytest.raises(hexdeck.HexdeckError, match=f"asked to move for seat {seat}, whose turn it isn't"):
                asked(known, seat)
        for wrong in (right[:-1], right + b"0", b""):
            with pytest.raises(hexdeck.HexdeckError, match=f"bytes long, not {len(wrong)}"):
                asked(wrong, 1)
        assert asked(right, 1)


@pytest.mark.parametrize("kind", ["gentle", "house", "random", "rollout:3", "search:3"])
@every_game
def test_who_is_handed_more_than_the_seat_knows_says_so(name: str, kind: str) -> None:
    """The whole struct, or what another seat knows."""
    match = hexdeck.game(name, 3, **data(name)["hiding"][0]).match(1, backend=BACKEND)
    player, refusals = bot(kind, match.game, 1, BACKEND), 0
    for here in random_plies(match, random.Random(1)):
        seat, known = here.actor, here.concealed(here.actor)
        others = [raw(here.rows)[0].tobytes(), *(here.concealed(p) for p in range(3) if p != seat)]
        for more in {each for each in others if each != known}:
            with pytest.raises(
                hexdeck.HexdeckError, match=rf"these bytes hold more: pass it match\.concealed\({seat}\)"
            ):
                player.choose(more, seat)
            refusals += 1
        if refusals > 20:
            break
    assert refusals


def test_the_solution_refuses_what_is_not_its_own() -> None:
    match = hexdeck.game("blackstone", 2).match(1, backend=BACKEND)
    with pytest.raises(hexdeck.HexdeckError, match="asked to move for seat 1, whose turn it isn't"):
        SolvedBot(match.game).choose(match.concealed(1), 1)


# --- what a bot may do ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [*KINDS, *LEARNED])
@for_each("number", range(3))
@every_game
def test_every_choice_is_legal_and_changes_nothing(name: str, kind: str, number: int) -> None:
    game = random_game(name, random.Random(f"{name} {number}"))
    player = seated(kind, game, number)
    for match, seat in decisions(game, number, most=6 if ":" in kind else 25):
        before, known = raw(match.rows)[0].tobytes(), match.concealed(seat)
        assert player.choose(known, seat) in match.legal_ids(seat)
        found = player.candidates(known, seat, 0)
        assert sorted(each.action for each in found) == match.legal_ids(seat)
        assert sum(each.probability for each in found) == pytest.approx(1) and (
            found == ranked(found) or kind == "random"
        )
        if ":" in kind and game.definition.hints.STUDY.guess is None:  # which decides some choices without a search
            fresh, same = (seated(kind, game, number) for _ in range(2))
            assert fresh.candidates(known, seat)[0].action == same.choose(known, seat)
        assert raw(match.rows)[0].tobytes() == before and match.concealed(seat) == known


@pytest.mark.parametrize("kind", KINDS)
@every_game
def test_the_seed_decides_every_choice(name: str, kind: str) -> None:
    game = hexdeck.game(name)
    assert choices(game, kind, 1) == choices(game, kind, 1)


STRATEGIES, THINKERS = ("gentle", "house", "random", *LEARNED), ("search:6", "search:house:6", "rollout:house:6")
IN_TURN = [(name, kind) for k, name in enumerate(GAMES) for kind in (*STRATEGIES, THINKERS[k % len(THINKERS)])]


@pytest.mark.parametrize(("name", "kind"), much(IN_TURN, list(itertools.product(GAMES, (*STRATEGIES, *THINKERS)))))
def test_both_backends_choose_alike(name: str, kind: str) -> None:
    warm(name, "fast")
    game, thinks = small_game(name), ":" in kind
    judge, fast, compared = made(kind, game, 5, BACKEND), made(kind, game, 5, "fast"), 0
    for match, seat in decisions(game, 6):
        if len(match.legal_ids(seat)) > 1 and compared < (2 if thinks else much(8, 20)):
            known, compared = match.concealed(seat), compared + 1
            assert judge.candidates(known, seat, 0) == fast.candidates(known, seat, 0)
            assert thinks or judge.choose(known, seat) == fast.choose(known, seat)
            assert kind != POLICY or judge.value(known, seat) == fast.value(known, seat)  # type: ignore[attr-defined]
    assert compared > 1


@every_game
def test_another_seed_throws_other_dice(name: str) -> None:
    game = hexdeck.game(name)
    assert len({tuple(choices(game, "random", seed, 4)) for seed in range(5)}) > 1


@every_game
def test_random_chooses_every_legal_move_about_equally_often(name: str) -> None:
    game = hexdeck.game(name)
    match = game.match(seed=1, backend=BACKEND)
    while len(match.legal_ids(match.actor)) < 2:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    legal, player = match.legal_ids(match.actor), bot("random", game, 1, BACKEND)
    times, away = much((60, 42), (200, 75))  # more than five standard deviations
    chosen = [player.choose(match.concealed(match.actor), match.actor) for _ in range(times * len(legal))]
    assert set(chosen) == set(legal)
    assert all(abs(chosen.count(move) - times) < away for move in legal)


# --- what a bot may know ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [*KINDS, *LEARNED])
@every_game
def test_the_choice_is_the_same_in_every_world_the_seat_thinks_possible(name: str, kind: str) -> None:
    game, changed = hexdeck.game(name), 0
    for number, (match, seat) in enumerate(decisions(game, 3, most=much(4, 6) if ":" in kind else much(8, 12))):
        chosen = seated(kind, game, number).choose(match.concealed(seat), seat)
        for world in range(3):
            other = match.resample(seat, world)
            changed += raw(other.rows)[0].tobytes() != raw(match.rows)[0].tobytes()
            assert seated(kind, game, number).choose(other.concealed(seat), seat) == chosen
    assert changed or data(name)["changed_worlds"] < 0.5


# --- how well they play -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "fewest"),
    much(list(zip(GAMES, itertools.cycle((True, False)))), list(itertools.product(GAMES, (True, False)))),
)
def test_house_beats_random_on_every_seat(name: str, fewest: bool) -> None:
    players = hexdeck.game(name).rules.PLAYERS[0] if fewest else 4
    game = hexdeck.game(name, players)
    for seat in range(players):
        bots = ["random"] * players
        bots[seat] = "house"
        returns = game.simulate(1000, bots, seed=1, backend="fast").returns
        ahead = returns[:, seat] - (returns.sum(axis=1) - returns[:, seat]) / (players - 1)
        lead = ahead.mean() - 4 * ahead.std() / np.sqrt(len(ahead))
        assert lead > 0.1 * float(np.abs(ahead).mean()), f"seat {seat}"


@every_game
def test_search_beats_random(name: str) -> None:
    players = max(2, hexdeck.game(name).rules.PLAYERS[0])
    game = hexdeck.game(name, players, **data(name).get("small", {}))
    bots: list[Bot] = [bot("random", game, seat, "fast") for seat in range(players)]
    bots[0] = bot("search:60", game, 1, "fast")
    won = []
    for number in range(60):
        match = game.match(seed=5, number=number, backend="fast")
        while not match.over:
            seat = match.actor
            match.play(seat, bots[(seat + number) % players].choose(match.concealed(seat), seat))
        returns, searcher = match.returns(), -number % players
        won.append(returns[searcher] - (sum(returns) - returns[searcher]) / (players - 1))
    assert np.mean(won) > 1.64 * np.std(won) / np.sqrt(len(won))


def cursed_for_certain() -> Match:
    """Seat 0 put two tens into the ghost hand, which has come back to it with one card more."""
    hands = "card 10, card 1, card 10, card 2, card 9, card 3"
    match = stage("cursed-hand", 2, hands, "0: grave 9, 1: grave 2, card 4", hand_cards=3)
    match.play(0, "pair 10 10")
    match.play(1, "accept")
    match.play(1, "add 3")
    return match


@pytest.mark.parametrize("kind", ["house", "search:60"])
def test_a_ghost_hand_known_to_be_cursed_is_called(kind: str) -> None:
    match = cursed_for_certain()
    chosen = bot(kind, match.game, 1, BACKEND).choose(match.concealed(0), 0)
    assert match.game.rules.ACTIONS[chosen] == "call"


def test_more_simulations_give_search_more_thought() -> None:
    game = hexdeck.game("cursed-hand", 2)
    match = game.match(seed=1, backend=BACKEND)
    seat = match.actor
    searchers = [bot(f"search:{budget}", game, 1, BACKEND) for budget in (1, 12)]
    for searcher in searchers:
        searcher.choose(match.concealed(seat), seat)
    visits = [int(searcher.trees[0].visits[1:].sum()) for searcher in searchers]  # type: ignore[attr-defined]
    assert 0 < visits[0] < visits[1]


# --- names ------------------------------------------------------------------------------------------------------------
FIRST, FEW = hexdeck.game(GAMES[0]), hexdeck.game("cursed-hand", 4, hand_cards=5)
BUDGETS = "0", "x", "-1", "1000001", "5:5", "1.5", "", "9" * 5000, "50x0", "50x65", "5x"
UNREADABLE = r"can't be read as a bot; write {kind}, {kind}:\S+, .*{values}"


@for_each(
    ("game", "names", "said"),
    [
        (
            FIRST,
            ("", "hous", "House", "search-5", "house:3", "random:", ":", "sea:5"),
            "There is no bot .*(there are best, easy, hard, h|the levels are easy, medium, hard and best)",
        ),
        *(
            (FIRST, [f"{kind}:{n}" for n in BUDGETS], UNREADABLE.format(kind=kind, values="GAMES 1–1000000"))
            for kind in ("search", "rollout", "think")
        ),
        (FIRST, ("net:", "net:x", "net:11", "net:-1"), UNREADABLE.format(kind="net", values="TEMPERATURE 0–10")),
        (FIRST, ("value", "value:0.5"), "There is no bot value"),
        (
            FIRST,
            ("rollout:net-deal:5", "rollout:x:5", "rollout:house:5:a.net"),
            "POLICY easy, house, random, house-deal",
        ),
        (FIRST, ("search:net:5", "search:5:a.net"), "POLICY easy, house, random, THREADS 1–64"),
        (
            FEW,
            ("net", "net:0.5", "think:4", "rollout:net:4"),
            r"This net learned with hand_cards=\S+, not with hand_cards=5; use another bot, such as house\.",
        ),
        (
            hexdeck.game("black-hearts", 4, gifts=False),
            ("rollout:mimic:4", "rollout:house-deal:4", "rollout:mimic-deal:4"),
            "This net learned with gifts=on, not with gifts=off",
        ),
    ],
)
def test_a_name_that_nobody_can_play_by_is_refused(game: Game, names: tuple[str, ...], said: str) -> None:
    for name in names:
        with pytest.raises((hexdeck.BadOption, hexdeck.UnknownBot), match=said):
            bot(name, game, backend=BACKEND)


def test_every_bot_tells_its_name() -> None:
    for name in KINDS:
        assert bot(name, hexdeck.game(GAMES[0]), backend=BACKEND).name == name.partition(":")[0]
