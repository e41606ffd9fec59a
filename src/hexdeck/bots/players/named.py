"""Bots by name, ready to sit at a match."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection
from pathlib import Path

from hexdeck.bots.bot import Bot, Candidate
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, VALUES, Net, fitting, has_net, load, shipped_net
from hexdeck.bots.players.learned import check_options
from hexdeck.bots.players.levels import can_play, levels_of, nets_apply
from hexdeck.bots.players.mannered import ManneredBot
from hexdeck.bots.players.manners import manner_named, manners_of
from hexdeck.bots.players.netbot import NetBot
from hexdeck.bots.players.solved import BY_SOLVER, BestResponse, Solved, has_response, is_quick, is_solved
from hexdeck.bots.players.spoken_names import kept, parted, spoken
from hexdeck.bots.players.strategies import StrategyBot
from hexdeck.bots.players.thinkingbot import ThinkingBot
from hexdeck.bots.players.valuebot import ValueBot
from hexdeck.bots.search.rollouter import Rollouter
from hexdeck.bots.search.searcher import Searcher
from hexdeck.bots.search.workspace import BY_NET, POLICIES, whole_games
from hexdeck.engine.backends.notices import tell
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownBot
from hexdeck.engine.play.driver import default_backend
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import POLICIES as COMPILED
from hexdeck.engine.text import Text, _, say

__all__ = ["KINDS", "Bot", "Candidate", "bot", "bots_of"]

# What follows the colon of a bot's name: a policy, games, threads; a policy with games, then files of nets; a number.
BUDGET = re.compile(r"(?:([a-z-]+):)?([1-9][0-9]{0,5}|1000000)(?:x([1-9]|[1-5][0-9]|6[0-4]))?")
OWN_NETS = re.compile(r"((?:net|mimic|[a-z]+-deal):[0-9]+):(.+\.net)")
THOUGHT_NET = re.compile(r"([0-9]+):(.+\.net)")
NEXT_FILE = re.compile(r"(?<=\.net):")
TEMPERATURE = re.compile(r"[0-9](?:\.[0-9]{1,3})?|10")
UTILITY = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})?")

Maker = Callable[[GameSetup, str | None, int | bytes, str | None], Bot]  # of what follows the colon, seed, backend


def _strategy(name: str) -> Maker:
    return lambda game, _, seed, backend: StrategyBot(game, name, seed, backend)


def _search(game: GameSetup, budget: str | None, seed: int | bytes, backend: str | None) -> Bot:
    policy, games, threads = _budget("search", "400" if budget is None else budget, COMPILED)
    return Searcher(game, games, seed, backend, threads=threads, rollouts=COMPILED[policy or "random"])


def _rollout(game: GameSetup, budget: str | None, seed: int | bytes, backend: str | None) -> Bot:
    policy, games, own, deals = _rollout_parts(game, budget)
    found = Rollouter(game, games, policy, seed, backend, own=own, deals=deals)
    for net in _rollout_nets(game, policy, own, deals):
        check_options(net, game)
    return found


def _rollout_parts(game: GameSetup, budget: str | None) -> tuple[str, int, Net | None, Net | None]:
    """The policy of a rollout bot, its games for a decision, and the policy's net and the deal net, of own files."""
    given = OWN_NETS.fullmatch(budget or "")
    policy, games, _threads = _budget("rollout", given[1] if given else "200" if budget is None else budget, POLICIES)
    policy = policy or ("net" if can_play("net", game) else "house")
    own, deals = _own_nets(game, f"rollout:{budget}", policy, given[2]) if given else (None, None)
    return policy, games, own, deals


def _rollout_nets(game: GameSetup, policy: str, own: Net | None, deals: Net | None) -> list[Net]:
    """The nets that a rollout bot plays by: those that are shipped with the game unless given."""
    kind = whole_games(policy)
    found = [own or shipped_net(game, BY_NET[kind])] if kind in BY_NET else []
    return [*found, *([deals or shipped_net(game, DEALS)] if kind != policy else [])]


def _own_nets(game: GameSetup, name: str, policy: str, files: str) -> tuple[Net | None, Net | None]:
    """The policy's net and the deal net, from the files behind a bot's name."""
    policy_nets: list[Net] = []
    deal_nets: list[Net] = []
    kind = whole_games(policy)
    for net in map(load, map(Path, [files] if Path(files).is_file() else NEXT_FILE.split(files))):
        if kind in BY_NET and (policy in BY_NET or net.kind != DEALS):
            policy_nets.append(fitting(net, game, BY_NET[kind]))
        else:
            deal_nets.append(fitting(net, game, DEALS))
    if len(policy_nets) > 1 or len(deal_nets) > 1:
        raise BadOption(say("{name} names several nets for the same job; name one.", name=name))
    return next(iter(policy_nets), None), next(iter(deal_nets), None)


def _net(game: GameSetup, given: str | None, seed: int | bytes, backend: str | None) -> Bot:
    if is_file(given):
        return _with_its_options(NetBot(game, seed, backend, net=load(Path(given or ""))))
    if given is not None and not TEMPERATURE.fullmatch(given):
        text = _("The bot {name} needs a temperature from 0 to 10, such as net:0.5.")
        raise BadOption(say(text, name=f"net:{given}"))
    return _with_its_options(NetBot(game, seed, backend, float(given or 1)))


def _value(game: GameSetup, given: str | None, seed: int | bytes, backend: str | None) -> Bot:
    if is_file(given):
        return _with_its_options(ValueBot(game, seed, backend, net=load(Path(given or ""))))
    if given is not None and not UTILITY.fullmatch(given):
        text = _("The bot {name} needs a temperature in units of utility, from 0 to 999, such as value:0.5.")
        raise BadOption(say(text, name=f"value:{given}"))
    return _with_its_options(ValueBot(game, seed, backend, float(given or 0)))


def _with_its_options(found: NetBot | ValueBot) -> Bot:
    """The bot itself; raises BadOption where its net learned with other options."""
    check_options(found.net, found.game)
    return found


def _think(game: GameSetup, given: str | None, seed: int | bytes, backend: str | None) -> Bot:
    with_net = THOUGHT_NET.fullmatch(given or "")
    _policy, games, _threads = _budget("think", with_net[1] if with_net else "200" if given is None else given, ())
    own = load(Path(with_net[2])) if with_net else None
    found = ThinkingBot(game, games, seed, backend, net=own)
    check_options(own or shipped_net(game), game)
    if own is None and has_net(game, MIMIC):
        check_options(shipped_net(game, MIMIC), game)
    return found


def is_file(given: str | None) -> bool:
    """Whether what follows the colon of a bot's name names a file with a net."""
    return given is not None and given.endswith(".net")


def _solved(game: GameSetup, _: str | None, _seed: int | bytes, backend: str | None) -> Bot:
    return Solved(game, backend)


def _response(game: GameSetup, _: str | None, _seed: int | bytes, backend: str | None) -> Bot:
    return BestResponse(game, backend)


KINDS: dict[str, Maker] = {
    "gentle": _strategy("gentle"),
    "house": _strategy("house"),
    "net": _net,
    "random": _strategy("random"),
    "response": _response,
    "rollout": _rollout,
    "search": _search,
    "solved": _solved,
    "think": _think,
    "value": _value,
}
PLAY_OUT = ("rollout", "search", "think")
WITH_BUDGET = ("net", "rollout", "search", "think", "value")
WITH_MANNER = ("net", "response", "rollout", "search", "solved", "think")  # they mix, or compare values


def bot(name: str, game: GameSetup, seed: int | bytes = 0, backend: str | None = None) -> Bot:
    """A bot by name for a game; raises UnknownBot, BadOption, or HexdeckError for a net that there is not.

    A level (`easy`, `medium`, `hard`, `best`) is the bot that the game's data names for it.

    `search:500` and `rollout:500` set how many games are played out for a decision (`rollout` plays at least about two
    for each legal action). `search:house:500` sets the policy that plays them out (by default `random`; for `rollout`
    the game's net, or the house bot without one), `search:500x2` the number of threads. In `rollout:mimic:500` the
    policy is a net that imitates searches. `rollout:house-deal:500`, `rollout:net-deal:500` and
    `rollout:mimic-deal:500` play on to the end of the deal, and take the value of the next one from a deal net.

    `net:0.5` sets a net's temperature: 0 always plays the likeliest action, 1 (the default) follows its probabilities.
    `value:0.5` sets that of a value net, in units of utility (default 0: the action of the highest value).

    `think:200` is a net that corrects its probabilities by 200 games for a decision, played on by the game's net that
    imitates searches, or by itself (see `ThinkingBot`).

    `solved` plays a game's solution. `response` plays best against others who play each turn as `solved` or as `house`,
    one of the two at random: it wins more from players who err, and loses to perfect ones.

    `net:FILE.net`, `think:200:FILE.net`, `value:FILE.net`, `rollout:net:500:FILE.net`, `rollout:mimic:500:FILE.net` and
    `rollout:house-deal:500:FILE.net` use a net that `hexdeck train` exported. `rollout:mimic-deal:500:FILE.net` uses it
    as the net of its kind, and `rollout:mimic-deal:500:ONE.net:OTHER.net` uses both.

    A net plays only for the numbers of players and with the options that its file says it learned for, where it does.

    A manner may follow the name of a level, or of a bot that mixes or compares values: `hard:bold`, `search:500:sly`
    (see `ManneredBot`); `hexdeck games GAME` lists those of a game's levels.
    """
    plain, manner = parted(resolved(name, game))
    kind, colon, budget = plain.partition(":")
    if parted(plain)[1]:
        check_manner(plain)
    if kind not in KINDS or (colon and kind not in WITH_BUDGET):
        raise UnknownBot(unknown(plain, bots_of(game)))
    found = KINDS[kind](game, budget if colon else None, seed, backend)
    if not manner:
        return found
    check_manner(plain)
    return ManneredBot(game, found, manner_named(game, manner), seed, backend)


def nets_of(name: str, game: GameSetup) -> list[Net]:
    """The nets that a bot of that name plays by: of its own files, or shipped with the game; raises what `bot` does."""
    kind, colon, given = parted(resolved(name, game))[0].partition(":")
    if kind in ("net", "value"):
        return [load(Path(given)) if is_file(given) else shipped_net(game, VALUES if kind == "value" else POLICY)]
    if kind == "rollout":
        policy, _games, own, deals = _rollout_parts(game, given if colon else None)
        return _rollout_nets(game, policy, own, deals)
    if kind != "think":
        return []
    file = THOUGHT_NET.fullmatch(given)
    return (
        [load(Path(file[2]))] if file else [shipped_net(game, each) for each in (POLICY, MIMIC) if has_net(game, each)]
    )


def check_manner(name: str) -> None:
    """Raise BadOption where a bot of that name, which has none yet, can't be given a manner."""
    if parted(name)[1]:
        raise BadOption(say("The bot {name} has a manner already; give it one only.", name=spoken(name)))
    if not can_have_manner(name):
        text = _("{bot} has no manners; bots that have: {there}.")
        raise BadOption(say(text, bot=spoken(name), there=", ".join(WITH_MANNER)))


def can_have_manner(name: str) -> bool:
    """Whether a bot of that name can be given a manner."""
    return name.partition(":")[0] in WITH_MANNER


def unknown(name: str, there: list[str]) -> Text:
    """The error text for a bot that there is not: the nearest name, and all that exist, as people type them."""
    name, there = spoken(name), sorted(map(spoken, there))
    near = difflib.get_close_matches(name, there, 1) or difflib.get_close_matches(name.partition(":")[0], there, 1)
    if not near:
        return say("There is no bot {name}; there are {there}.", name=name, there=", ".join(there))
    text = _("There is no bot {name} (did you mean {near}?); there are {there}.")
    return say(text, name=name, near=near[0], there=", ".join(there))


def resolved(name: str, game: GameSetup) -> str:
    """The bot that a level stands for in a game, or the name itself; the house bot where solving it takes too long."""
    plain, manner = parted(kept(name))
    actual = levels_of(game).get(plain, plain)
    if actual not in BY_SOLVER or is_quick(game):
        return f"{actual}:{manner}" if manner else actual
    tell(say("Without machine code it would take too long to solve {game}: the house bot plays instead.",
             game=game.name))  # fmt: skip
    return "house"


def playing_now(name: str, game: GameSetup, backend: str) -> str:
    """The bot that plays now: until there is machine code, the house bot stands in for bots that play games out.

    It stands in for a net that doesn't know the options, too, at tables that were begun when such a net was let in.
    """
    actual = resolved(name, game)
    if not is_file(actual) and not can_play(actual, game):
        return "house"
    slow = backend == "interpreted" != default_backend() and actual.partition(":")[0] in PLAY_OUT
    return "house" if slow else actual


def bots_of(game: GameSetup) -> list[str]:
    """The names of all bots that can play a game, its levels among them."""
    there = {"net": can_play("net", game), "think": can_play("think", game),
             "value": has_net(game, VALUES) and nets_apply(game), "solved": is_solved(game),
             "response": has_response(game)}  # fmt: skip
    with_manners = (f"{level}:{manner}" for level in levels_of(game) for manner in manners_of(game, level))
    return sorted({*levels_of(game), *with_manners, *(name for name in KINDS if there.get(name, True))})


def budget_of(name: str) -> tuple[int, int]:
    """How many games a bot by that name plays out for a decision, and on how many threads; 0 and 1 by default."""
    given = BUDGET.fullmatch(parted(name)[0].partition(":")[2])
    return (int(given[2]), int(given[3] or 1)) if given else (0, 1)


def _budget(kind: str, budget: str, policies: Collection[str]) -> tuple[str | None, int, int]:
    """The policy that plays on, how many games, and on how many threads."""
    given = BUDGET.fullmatch(budget)
    if given is None or (given[3] and kind != "search"):
        raise _bad_budget(kind, budget)
    if given[1] and not policies:
        raise _bad_budget(kind, budget)
    if given[1] and given[1] not in policies:
        text = _("{name} can't use {policy} to play the games out; use one of {there}.")
        there = ", ".join(sorted(map(spoken, policies)))
        raise BadOption(say(text, name=spoken(f"{kind}:{budget}"), policy=spoken(given[1]), there=there))
    return given[1], int(given[2]), int(given[3] or 1)


def _bad_budget(kind: str, budget: str) -> HexdeckError:
    """The error for what follows a bot's name where a budget is needed."""
    if is_file(budget) and kind != "think":
        text = _("{name} can't load a net from a file; bots that can: {there}.")
        there = "net:FILE.net, think:200:FILE.net, value:FILE.net, rollout:net:500:FILE.net, "
        there += "rollout:mimic:500:FILE.net, rollout:house-deal:500:FILE.net"
        return BadOption(say(text, name=f"{kind}:{budget}", there=there))
    text = _("The bot {name} needs a number of simulations from 1 to 1000000, such as {example}.")
    return BadOption(say(text, name=f"{kind}:{budget}", example=f"{kind}:500"))
