"""Each check of `hexdeck.testing` passes a sound game and finds the fault that it is there for."""

import re
from pathlib import Path
from typing import Any, NamedTuple
from unittest import SkipTest

import pytest

import hexdeck
from hexdeck import testing
from hexdeck.cli import main
from hexdeck.engine.discovery import bounded_loading
from hexdeck.engine.discovery.definition import definition, forget
from hexdeck.engine.play.story import Storyteller, moments
from tests.authoring.test_broken import Spoil, also, change
from tests.settings import every_game, much

BOUNDS = """from hexdeck.engine.study import Bounds


def bounds(players, options):
    return Bounds({}, {})
"""
CAPTION = """

def caption(stop, seat):
    return Caption(say("So it is."), HOW)
"""
INVENTORY = """def inventory(s):
    return in_counts(s.deck, s.hand, s.bids, s.prizes)


"""
FEWER = "s.bids[p, s.bid[p]] -= 1; s.prizes[s.bid[p]] += 2"
CHOSEN = """    chosen = [Zone(f"bid-{p}", say("Bid"), p, "count", count=s.bid[p]) for p in range(s.seats)]
    return out + chosen
"""
FILLED = """hands from cards it can't see, then hidden bids from these.\"\"\"
"""
CONCEALED = "    conceal(s, seat)\n"
COMPILES = ("backends",)  # takes a quarter of a minute
OPEN_HANDS = """            s.bid[p] = 0
            for r in range(RANKS):
                s.deck[r], s.hand[p, r] = s.deck[r] + s.hand[p, r], 0
"""


def rules(old: str, new: str) -> Spoil:
    return change("rules.py", old, new)


def bounded(bounds: str, lengths: str) -> Spoil:
    return also("bounds.py", BOUNDS.format(bounds, lengths))


def stopping(kind: str, captions: bool = True) -> Spoil:
    """Mark a stop of some kind when somebody bids, and tell of it."""

    def spoil(folder: Path) -> None:
        rules("from hexdeck.engine.layout import", "from hexdeck.engine.layout import stop,")(folder)
        rules("    s.bid[seat] = action\n", f"    s.bid[seat] = action\n    stop(s, {kind})\n")(folder)
        if captions:
            shown("500")(folder)

    return spoil


def shown(how: str) -> Spoil:
    """Let every event be one step that is held for so long and lights so much."""

    def plant(folder: Path) -> None:
        imported = "from hexdeck.engine.view import Caption\nfrom hexdeck.engine.text"
        change("table.py", "from hexdeck.engine.text", imported)(folder)
        text = (folder / "table.py").read_text(encoding="utf-8") + CAPTION.replace("HOW", how)
        (folder / "table.py").write_text(text, encoding="utf-8")

    return plant


def listing(old: str = "", new: str = "") -> Spoil:
    """Let the rules list all cards, with something else written into them besides."""

    def spoil(folder: Path) -> None:
        if old:
            rules(old, new)(folder)
        rules("from hexdeck.engine.layout", "from hexdeck.engine.cards import in_counts\nfrom hexdeck.engine.layout")(
            folder
        )
        rules('    ("points", "i2"', '    ("prizes", "i1", (RANKS,)),\n    ("points", "i2"')(folder)
        rules("        s.prize = outcome", "        s.prizes[outcome] += 1\n        s.prize = outcome")(folder)
        rules("def conceal(", INVENTORY + "def conceal(")(folder)

    return spoil


class Fault(NamedTuple):
    """A fault: the check that finds it, how it is planted, and what is said of it."""

    check: str
    plant: Spoil
    sentence: str


TWICE = "return list_cards(s, seat, 0, actions, list_cards(s, seat, 0, actions, 0)) if"
FAULTS = {
    "a move is listed twice": Fault(
        "rules", rules("return list_cards(s, seat, 0, actions, 0) if", TWICE), "legal_actions lists ["
    ),
    "who isn't asked may move": Fault(
        "rules", rules("if (s.acting >> seat) & 1 and s.hand", "if s.hand"), "illegal_reason allows ["
    ),
    "results are no numbers": Fault(
        "rules", rules("        for q in", "        out[p] = 1e308 * 10\n        for q in"), "returns gives [inf"
    ),
    "the first to choose has a say": Fault(
        "commits",
        rules("    s.bid[seat] = action\n", "    s.bid[seat] = action\n    s.prize += seat * (s.acting == 3)\n"),
        "The order in which seats choose makes a difference",
    ),
    "a secret choice can't be taken back": Fault(
        "commits", rules("def clear_hidden_choices", "def clear_choices"), "which nobody has seen yet."
    ),
    "a hand is hidden by halves": Fault(
        "knowledge",
        rules("s.deck[r] + s.hand[p, r], 0", "s.deck[r] + s.hand[p, r] + (p == 0), 0"),
        "done twice, changes more",
    ),
    "a world has another hand of one's own": Fault(
        "knowledge",
        rules("        if p != seat:\n            for _ in", "        if p >= 0:\n            for _ in"),
        "makes a world that it can tell from the true one",
    ),
    "a world is made from the truth": Fault(
        "knowledge", rules(FILLED + CONCEALED, FILLED), "depends on what that seat doesn't know"
    ),
    "no world is another": Fault(
        "knowledge",
        rules(FILLED + CONCEALED, FILLED + "    return\n"),
        "resample for the public depends on what that seat doesn't know",
    ),
    "nothing is hidden": Fault("secrecy", rules(OPEN_HANDS, "            pass\n"), "depends on what it doesn't know"),
    "a stop by what was bid in secret": Fault("secrecy", stopping("1 + action % 2"), "shows the public what it"),
    "a stop more for a high bid": Fault("secrecy", stopping("1)\n    if action > 4: stop(s, 1"), "shows the public "),
    "a stop about whom only the bid says": Fault("secrecy", stopping("1, action % 2"), "shows the public what it"),
    "a step without end": Fault("stops", shown("1801"), "a step must be held for 1 to 1800 milliseconds"),
    "a step of luck": Fault("stops", shown("__import__('random').randrange(1, 1800)"), "asked twice, gives something"),
    "a light where nothing lies": Fault("stops", shown("500, ('moon',)"), "lights moon, which isn't on the table then"),
    "words of nobody": Fault("stops", shown("500, said=say('Me!')"), "lights no seat that says it"),
    "a card vanishes": Fault(
        "conservation", listing("        s.bids[p, s.bid[p]] += 1\n", ""), "when the match begins, and 2 after bid "
    ),
    "a card is doubled": Fault(
        "conservation", listing("% s.seats, outcome] += 1", "% s.seats, outcome] += 2"), "and 4 after card "
    ),
    "fewer cards than none": Fault(
        "conservation", listing("s.bids[p, s.bid[p]] += 1", FEWER), "inventory lists -1 of "
    ),
    "a world has another card": Fault(
        "conservation",
        listing(FILLED + CONCEALED, FILLED + CONCEALED + "    s.deck[0] += 1\n"),
        "in a world that resample makes.",
    ),
    "more than the most": Fault("results", bounded("-1, 1, None", "100, 100"), "isn't from -1 to 1"),
    "another sum": Fault("results", bounded("-99, 99, 7.0", "100, 100"), "doesn't add up to 7.0"),
    "longer than the longest": Fault("results", bounded("-99, 99, 0.0", "3, 100"), "are most"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_check(fault: str, begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_loading, "SEEDS", much(1, bounded_loading.SEEDS))  # test_broken.py is of trials
    check, plant, sentence = FAULTS[fault]
    plant(begun)
    with pytest.raises(AssertionError, match=re.escape(sentence)):
        testing.run(check, "high-bid")


def test_a_sound_game_passes(begun: Path) -> None:
    for check in (check for check in testing.CHECKS if check not in (*much(COMPILES, ()), "conservation")):
        testing.run(check, "high-bid", matches=much(4, testing.MATCHES))


def test_the_results_of_a_match_are_its_own(begun: Path) -> None:
    """Its rules add up in an array that other matches used before."""
    game = hexdeck.game("high-bid", 3)
    played = game.simulate(30, "random", seed=1, backend="interpreted").returns
    assert abs(played.sum(axis=1)).max() < 1e-9 and abs(played).max() <= 40
    batch, ends = game.batch(4, seed=1, backend="interpreted"), 0
    while ends < 20:
        arrays = batch.step(batch.random())
        ends += arrays.ends.sum()
        assert abs(arrays.rewards.sum(axis=1)).max() < 1e-4 and abs(arrays.rewards).max() <= 40


def test_the_cards_of_a_game_are_counted_where_it_lists_them(begun: Path) -> None:
    with pytest.raises(SkipTest, match="defines no inventory"):
        testing.run("conservation", "high-bid")
    listing()(begun)
    forget()
    testing.run("conservation", "high-bid")


@pytest.mark.parametrize(("name", "function"), [("hawthorn", "_go_out"), ("blackstone", "_fold")])
def test_a_chip_too_many_is_found(name: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = definition(name).rules
    original = getattr(module, function)

    def generous(s: Any, *arguments: int) -> None:
        s.pot += 1
        original(s, *arguments)

    monkeypatch.setattr(module, function, generous)
    with pytest.raises(AssertionError, match="of 'chips' when the match begins, and "):
        testing.run("conservation", name)


@every_game
def test_our_games_pass(name: str) -> None:
    for check in ("rules", "commits", "knowledge", "secrecy", "stops", "conservation", "results"):
        testing.run(check, name, matches=30 if check == "knowledge" and name == "blackstone" else 2)


def test_a_log_of_zones_is_made_from_what_each_seat_knows(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change("table.py", "    return out\n", CHOSEN)(begun)
    testing.run("secrecy", "high-bid", matches=much(5, 12))
    monkeypatch.setattr(Storyteller, "concealed", lambda teller, struct, viewer: teller.driver.snapshot(bytes(struct)))
    with pytest.raises(AssertionError, match=r"Stop \d of .* shows "):
        testing.run("secrecy", "high-bid", matches=much(5, 12))


def test_a_game_with_stops_but_no_captions_tells_each_event_in_one_step(begun: Path) -> None:
    def log() -> list[str]:
        match = hexdeck.game("high-bid", 3).match(seed=1, backend="interpreted")
        while not match.over:
            match.play(match.actor, match.legal_ids(match.actor)[0])
        return [str(text) for text in match.facts(-1)]

    without = log()
    stopping("1", captions=False)(begun)
    forget()
    assert log() == without and len(without) > 5


def test_a_game_without_stops_tells_each_event_in_one_step_by_the_label_of_its_move(begun: Path) -> None:
    assert "stop(" not in (begun / "rules.py").read_text(encoding="utf-8")
    match = hexdeck.game("high-bid", 3).match(seed=1, backend="interpreted")
    teller, events = Storyteller(match.game, match.driver), 0
    while not match.over:
        seat, move, ply = match.actor, match.legal(match.actor)[0], match.length
        match.play(seat, move.id)
        for moment in moments(match, ply):
            events += 1
            assert len(moment.marks) == 1
            for viewer in range(-1, 3):
                (caption,) = teller.captions(moment, viewer)
                assert len(teller.beats(moment, viewer)) <= 1
                if moment.seat >= 0:
                    wanted = f"You: {move.label}" if viewer == seat else f"Seat {seat} has moved."
                    assert caption is not None and str(caption.lines[0]) == wanted
    assert events > 5


def test_a_game_where_nothing_is_unknown_says_so(begun: Path) -> None:
    for old in ("def conceal(s, seat):", "def resample(s, seat, rng):"):
        rules(old, f"{old}\n    return")(begun)
    with pytest.raises(AssertionError, match="resample never changes anything; a game without secrets has neither"):
        testing.run("knowledge", "high-bid")


def test_a_game_without_secrets_has_nothing_to_conceal_and_moves_are_told(begun: Path) -> None:
    text = (begun / "rules.py").read_text(encoding="utf-8")
    start, end = text.index("def conceal("), text.index("def clear_hidden_choices(")
    (begun / "rules.py").write_text(text[:start] + text[end:], encoding="utf-8")
    match = hexdeck.game("high-bid", 2).match(1, backend="interpreted")
    for _seat in range(2):
        match.play(match.actor, match.legal_ids(match.actor)[0])
    testing.run("knowledge", "high-bid", matches=1)
    assert "{seat}: {move}" in {fact.key for fact in match.view(-1).log}


def test_with_an_empty_conceal_it_does_not_play_as_it_should(begun, capsys, monkeypatch) -> None:
    monkeypatch.setitem(testing.CHECKS, "backends", lambda _walks: None)  # it takes a compiler
    FAULTS["nothing is hidden"].plant(begun)
    assert main(["game", "check", "high-bid"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "FAILS check secrecy" in printed and "depends on what it doesn't know" in printed
    assert printed.endswith("high-bid doesn't play as it should yet.")


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    for check in testing.CHECKS.keys() - {"conservation"}:
        monkeypatch.setitem(testing.CHECKS, check, lambda _walks: None)


def test_how_far_a_game_is(begun: Path, capsys: pytest.CaptureFixture[str], unchecked: None) -> None:
    assert main(["game", "check", "high-bid"]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("high-bid: plays.\n") and "FAILS" not in printed
    assert (
        "missing   choose(s, seat, actions, count, rng) in strategy.py" in printed
        and "missing   check conservation" in printed
    )
    also("strategy.py", "def choose(s, seat, actions, count, rng):\n    return actions[0]\n")(begun)
    also("hints.py", "from hexdeck.engine.study import CHIPS, Study\n\nSTUDY = Study(CHIPS)\n")(begun)
    forget()
    assert main(["game", "check", "high-bid"]) == 0
    assert capsys.readouterr().out.endswith("high-bid: studied.\n")


@every_game
def test_ours_are_published(name: str, capsys: pytest.CaptureFixture[str], unchecked: None) -> None:
    assert main(["game", "check", name]) == 0
    assert capsys.readouterr().out.endswith(f"{name}: published.\n")
