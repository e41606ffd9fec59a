"""What candidates of policies bring: the mean of games in re-dealt worlds, all seats going on as the bot does."""

import itertools

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.named import bot
from hexdeck.bots.players.solved import Solved
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.engine.play.match import Match
from tests.compiled import warm as compiled
from tests.settings import GAMES, much, small_game
from tests.support import for_each

pytestmark = pytest.mark.usefixtures("small_games_for_nets")
BACKEND = "interpreted"
POLICIES = ("gentle", "house", "random")


def first_choice(match: Match) -> tuple[bytes, int]:
    """What the first seat that has a choice knows, and the seat."""
    while len(match.legal_ids(match.actor)) < 2:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    return match.concealed(match.actor), match.actor


@pytest.mark.parametrize(
    ("name", "kind"), much(list(zip(GAMES, itertools.cycle(POLICIES))), list(itertools.product(GAMES, POLICIES)))
)  # fmt: skip
def test_every_move_of_a_policy_has_a_result_with_its_interval(name: str, kind: str) -> None:
    game = small_game(name)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))
    found = bot(kind, game, 1, BACKEND).candidates(known, seat, 3)
    assert all(each.value is not None and each.margin is not None for each in found)
    weighed = PairedEvaluator(game, 0, BACKEND, kind).evaluate(known, seat, sorted(each.action for each in found), 3)
    given = {each.action: (each.value, each.margin) for each in found}
    assert given == {action: weighed.value(action) for action in weighed.actions}
    assert sum(each.probability for each in found) == pytest.approx(1)


def test_a_net_goes_on_as_itself() -> None:
    """With its own weights and temperature, not those of the package's net."""
    compiled("cursed-hand", "fast")
    game = hexdeck.game("cursed-hand", 2, hand_cards=3)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))
    cold, warm = (bot(name, game, 1, "fast") for name in ("net:0", "net:5"))
    results = [{each.action: each.value for each in one.candidates(known, seat, 4)} for one in (cold, warm)]
    assert results[0] != results[1]
    other = cold.net.__class__(game.name, cold.net.sizes, -cold.net.weights, {}, {})  # type: ignore[attr-defined]
    ones = [PairedEvaluator(game, 0, "fast", "net", 0.0, net) for net in (None, other)]
    actions = sorted(results[0])
    first, second = (one.evaluate(known, seat, actions, 4) for one in ones)
    assert {action: first.value(action)[0] for action in actions} == results[0]
    assert not np.array_equal(first.utilities, second.utilities)


@for_each("kind", [*POLICIES, "net", "search:3", "rollout:6"])
def test_the_same_knowledge_gives_the_same_results_and_asking_changes_no_choice(kind: str) -> None:
    game = hexdeck.game("cursed-hand", 2, hand_cards=4)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))

    def results(one: Bot) -> dict[int, float | None]:
        return {each.action: each.value for each in one.candidates(known, seat, 4)}

    compiled("cursed-hand", "fast")
    asked, plain = bot(kind, game, 1, "fast"), bot(kind, game, 1, "fast")
    found = results(asked)
    assert None not in found.values()
    if kind in ("net", "random"):  # candidates of others throw the bot's dice anyway
        assert results(asked) == found
        assert [asked.choose(known, seat) for _ in range(20)] == [plain.choose(known, seat) for _ in range(20)]


@for_each("kind", ["house", "net", "search:3"])
def test_both_backends_expect_the_same(kind: str) -> None:
    game = hexdeck.game("cursed-hand", 2, hand_cards=3)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))
    interpreted, fast = (bot(kind, game, 1, backend).candidates(known, seat, 2) for backend in (BACKEND, "fast"))
    assert interpreted == fast
    assert kind != "house" or {each.value for each in bot(kind, game, 1, BACKEND).candidates(known, seat)} == {None}
    assert None not in {each.value for each in bot(kind, game, 1, "fast").candidates(known, seat)}


def test_a_forced_move_has_a_result_too() -> None:
    game = hexdeck.game("cursed-hand", 2, hand_cards=2)
    match = game.match(seed=1, backend=BACKEND)
    while len(match.legal_ids(match.actor)) > 1:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    known, seat = match.concealed(match.actor), match.actor
    for kind in ("net", "house", "search:3", "rollout:6"):
        (only,) = bot(kind, game, 1, BACKEND).candidates(known, seat, 5)
        assert only.probability == 1 and only.value is not None


def test_a_solution_that_is_not_exact_expects_what_house_bots_bring() -> None:
    game = hexdeck.game("blackstone", 2, rounds=3)
    known, seat = first_choice(game.match(seed=3, backend="fast"))
    player = Solved(game, "fast")
    blank, valued = player.candidates(known, seat, 0), player.candidates(known, seat, 40)
    assert {each.value for each in blank} == {None} and blank[0].action == valued[0].action == player.choose(
        known, seat
    )
    assert all(each.value is not None and each.margin for each in valued)
