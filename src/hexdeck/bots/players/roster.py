"""Bots by name, ready to sit at a match."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hexdeck.bots.bot import Bot, Candidate
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, fitting, has_net, load, shipped_net, shipped_nets
from hexdeck.bots.players import kinds
from hexdeck.bots.players.bot_names import BotName, bot_name, parted, spoken, stored
from hexdeck.bots.players.kinds import BY_SOLVER
from hexdeck.bots.players.levels import (
    LEVELS,
    can_play,
    data,
    levels_of,
    manner_named,
    manners_of,
    measured_options,
    tilt,
)
from hexdeck.bots.search.searcher import BY_NET, Rollouter, Searcher, whole_games
from hexdeck.engine.backends.cache import tell
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownBot
from hexdeck.engine.play.game import GameSetup, default_backend, is_quick
from hexdeck.engine.play.playouts import POLICIES as COMPILED
from hexdeck.engine.text import Text, _, say

__all__ = ["KINDS", "Bot", "Candidate", "bot", "bots_of"]

Maker = Callable[[GameSetup, BotName, int | bytes, str | None], Bot]  # of a name, a seed and a backend


def _rollout(game: GameSetup, name: BotName, seed: int | bytes, backend: str | None) -> Bot:
    policy, own, deals = _rollout_parts(game, name)
    player = Rollouter(game, name.games or 200, policy, seed, backend, own=own, deals=deals)
    for net in _rollout_nets(game, policy, own, deals):
        check_options(net, game)
    return player


def _rollout_parts(game: GameSetup, name: BotName) -> tuple[str, Net | None, Net | None]:
    """The policy of a rollout bot, and the policy's net and the deal net where files of the name hold them."""
    policy = name.policy or ("net" if can_play("net", game) else "house")
    policy_nets: list[Net] = []
    deal_nets: list[Net] = []
    for net in map(load, name.paths):
        kind = BY_NET.get(whole_games(policy))
        if kind and (policy in BY_NET or net.kind != DEALS):
            policy_nets.append(fitting(net, game, kind))
        else:
            deal_nets.append(fitting(net, game, DEALS))
    if len(policy_nets) > 1 or len(deal_nets) > 1:
        text = _("rollout:{policy} takes one net of a kind; {files} are several.")
        raise BadOption(say(text, policy=policy, files=", ".join(map(str, name.paths))))
    return policy, next(iter(policy_nets), None), next(iter(deal_nets), None)


def _rollout_nets(game: GameSetup, policy: str, own: Net | None, deals: Net | None) -> list[Net]:
    """The nets that a rollout bot plays by: those that are shipped with the game unless given."""
    kind = whole_games(policy)
    nets = [own or shipped_net(game, BY_NET[kind])] if kind in BY_NET else []
    return [*nets, *([deals or shipped_net(game, DEALS)] if kind != policy else [])]


def _net(game: GameSetup, name: BotName, seed: int | bytes, backend: str | None) -> Bot:
    nets = [kinds.NetBot(game, seed, backend, name.temperature, net) for net in _choosing(game, name)]
    return _one_of(nets, game, seed, backend)


def _think(game: GameSetup, name: BotName, seed: int | bytes, backend: str | None) -> Bot:
    games, own = name.games or 200, bool(name.files)
    nets = [kinds.ThinkingBot(game, games, seed, backend, net=net, own=own) for net in _choosing(game, name)]
    if not own and has_net(game, MIMIC):
        check_options(shipped_net(game, MIMIC), game)
    return _one_of(nets, game, seed, backend)


def _choosing(game: GameSetup, name: BotName) -> list[Net]:
    """The nets that choose for a bot, one of them in each match: of its own files, or shipped with the game."""
    nets = [fitting(net, game, POLICY) for net in map(load, name.paths)]
    if "nets" in (name.kind, name.policy):
        nets = shipped_nets(game)
        if not nets:
            text = _("There is no second trained net for {game} with {players} players; use the bot net.")
            raise HexdeckError(say(text, game=game.name, players=game.players))
    nets = nets or [shipped_net(game)]
    for net in nets:
        check_options(net, game)
    return nets


def _one_of(bots: Sequence[Bot], game: GameSetup, seed: int | bytes, backend: str | None) -> Bot:
    return kinds.DrawnBot(game, bots, seed, backend) if len(bots) > 1 else bots[0]


KINDS: dict[str, Maker] = {
    **dict.fromkeys(COMPILED, lambda game, name, seed, backend: kinds.StrategyBot(game, name.kind, seed, backend)),
    "net": _net,
    "nets": _net,
    "response": lambda game, _name, _seed, backend: kinds.BestResponseBot(game, backend),
    "rollout": _rollout,
    "search": lambda game, name, seed, backend: Searcher(
        game, name.games or 400, seed, backend, threads=name.threads, rollouts=COMPILED[name.policy or "random"]
    ),
    "solved": lambda game, _name, _seed, backend: kinds.SolvedBot(game, backend),
    "think": _think,
}
PLAY_OUT = ("rollout", "search", "think")
WITH_MANNER = frozenset(KINDS) - {"random"}  # they mix, or what they play can be compared with other moves


def bot(name: str, game: GameSetup, seed: int | bytes = 0, backend: str | None = None) -> Bot:
    """A bot by name for a game; raises UnknownBot, BadOption, or HexdeckError for a net that there is not.

    A level (`easy`, `medium`, `hard`, `best`) is the bot that the game's data names for it.

    `search:500` and `rollout:500` set how many games are played out for a decision (`rollout` plays at least about two
    for each legal action). `search:house:500` sets the policy that plays them out (by default `random`; for `rollout`
    the game's net, or the house bot without one), `search:500x2` the number of threads. In `rollout:mimic:500` the
    policy is a net that imitates searches. `rollout:house-deal:500` and `rollout:mimic-deal:500` play on to the end of
    the deal, and take the value of the next one from a deal net.

    `net:0.5` sets a net's temperature: 0 always plays the likeliest action, 1 (the default) follows its probabilities.

    `nets` is one of several nets of the game, drawn before each match, and told to nobody; where `net` and `think` name
    several files, one of those. `think:nets:200` thinks by it.

    `think:200` is a net that corrects its probabilities by 200 games for a decision, played on by the game's net that
    imitates searches, or by itself (see `ThinkingBot`).

    `solved` plays a game's solution. `response` plays best against others who play each turn as `solved` or as `house`,
    one of the two at random: it wins more from players who err, and loses to perfect ones.

    `net:FILE.net`, `think:200:FILE.net`, `rollout:net:500:FILE.net`, `rollout:mimic:500:FILE.net` and
    `rollout:house-deal:500:FILE.net` use a net that `hexdeck train` exported. `rollout:mimic-deal:500:FILE.net` uses it
    as the net of its kind, and `rollout:mimic-deal:500:ONE.net:OTHER.net` uses both.

    A net plays only for the numbers of players and with the options that its file says it learned for, where it does.

    A manner may follow the name of a level, or of a bot that mixes or compares values: `hard:bold`, `search:500:sly`
    (see `ManneredBot`); `hexdeck games GAME` lists those of a game's levels.
    """
    actual = resolved(name, game)
    parts = bot_name(actual)
    if parts.kind not in KINDS:
        raise UnknownBot(unknown(parts.kind, bots_of(game)))
    plain = KINDS[parts.kind](game, parts, seed, backend)
    if not parts.manner:
        return plain
    if parts.kind not in WITH_MANNER:
        own = [f"{level}:{manner}" for level in levels_of(game) for manner in manners_of(game, level)]
        text = _("{bot} has no manners in {game} with {players} players: write only {bot}.")
        if own:
            text = _("{bot} has no manners in {game} with {players} players: write {bot}, or {bots}.")
        bots = ", ".join(map(spoken, own))
        raise BadOption(say(text, bot=spoken(parted(name)[0]), game=game.name, players=game.players, bots=bots))
    manner, times = manner_named(game, parts.manner), tilt(game, actual)
    tilted = replace(manner, logit=times * manner.logit, utility=times * manner.utility)
    several = plain.bots if isinstance(plain, kinds.DrawnBot) else [plain]
    return _one_of([kinds.ManneredBot(game, one, tilted, seed, backend) for one in several], game, seed, backend)


def nets_of(name: str, game: GameSetup) -> list[Net]:
    """The nets that a bot of that name plays by: of its own files, or shipped with the game; raises what `bot` does."""
    parts = bot_name(resolved(name, game))
    if parts.kind == "rollout":
        return _rollout_nets(game, *_rollout_parts(game, parts))
    if parts.kind not in ("net", "nets", "think"):
        return []
    thinks = parts.kind == "think" and not parts.files and has_net(game, MIMIC)
    return [*_choosing(game, parts), *([shipped_net(game, MIMIC)] if thinks else [])]


# --- options ----------------------------------------------------------------------------------------------------------
def check_options(net: Net, game: GameSetup) -> None:
    """Raise BadOption when a net that knows its options learned with others than the game has.

    Options among the `net_options` of a game's levels may differ: its nets are known to bear them.
    """
    options, bears = net.about.get("options"), data(game).get("net_options", ())
    if options is None:
        return  # its file doesn't say
    own = {option.name: option.parse(options[option.name]) for option in game.rules.OPTIONS if option.name in options}
    learned = measured_options(game) | own
    differ = [
        option
        for option in game.rules.OPTIONS
        if option.name in learned and option.name not in bears and learned[option.name] != game.options[option.name]
    ]
    if differ:
        learned_values = ", ".join(f"{option.name}={option.spell(learned[option.name])}" for option in differ)
        values = ", ".join(f"{option.name}={option.spell(game.options[option.name])}" for option in differ)
        text = _("This net learned with {then}, not with {now}; use another bot, such as house.")
        raise BadOption(say(text, then=learned_values, now=values))


# --- names ------------------------------------------------------------------------------------------------------------
def can_have_manner(name: str) -> bool:
    """Whether a bot of that name can be given a manner."""
    return bot_name(name).kind in WITH_MANNER


def unknown(name: str, bots: list[str]) -> Text:
    """The error text for a bot that there is not: the nearest name, and all that exist, as people type them."""
    name, bots = spoken(name), sorted(map(spoken, bots))
    if name in game_names():
        return say("{name} is a game, not a bot; write it before the options.", name=name)
    near = difflib.get_close_matches(name, bots, 1) or difflib.get_close_matches(name.partition(":")[0], bots, 1)
    if not near and {*map(spoken, LEVELS)} <= {*bots}:
        text = _(
            "There is no bot {name}; the levels are easy, medium, hard and best, and hexdeck games GAME has all bots."
        )
        return say(text, name=name)
    if not near:
        return say("There is no bot {name}; there are {bots}.", name=name, bots=", ".join(bots))
    text = _("There is no bot {name} (did you mean {near}?); there are {bots}.")
    return say(text, name=name, near=near[0], bots=", ".join(bots))


def resolved(name: Any, game: GameSetup) -> Any:
    """The bot that a level stands for in a game, or the name itself; the house bot where solving it takes too long.

    What is no name, but a policy (see `policies`), stands for itself.
    """
    if not isinstance(name, str):
        return name
    plain, manner = parted(stored(name))
    actual = levels_of(game).get(plain, plain)
    if actual not in BY_SOLVER or is_quick(game):
        return f"{actual}:{manner}" if manner else actual
    tell(
        say("Without machine code it would take too long to solve {game}: the house bot plays instead.", game=game.name)
    )
    return "house"


def playing_now(name: str, game: GameSetup, backend: str) -> str:
    """The bot that plays now: until there is machine code, the house bot stands in for bots that play games out.

    It stands in for a net that doesn't know the options, too, at tables that were begun when such a net was let in.
    """
    actual = resolved(name, game)
    parts = bot_name(actual)
    if not parts.files and not can_play(actual, game):
        return "house"
    return "house" if backend == "interpreted" != default_backend() and parts.kind in PLAY_OUT else actual


def bots_of(game: GameSetup) -> list[str]:
    """The names of all bots that can play a game, its levels among them."""
    with_manners = (f"{level}:{manner}" for level in levels_of(game) for manner in manners_of(game, level))
    return sorted({*levels_of(game), *with_manners, *(kind for kind in KINDS if can_play(kind, game))})
