"""Tournaments: bots on the same deals in all seatings, with ratings and a crosstable.

On each deal the bots are seated in every way that has two different ones at the table; where those are too many, each
alone among each other on every seat, and all of them in turn round the table. A bot that forfeits comes last in that
game with all of its seats, and all others first. A language model doesn't forfeit: see `language_bots`. A game depends
only on its deal and seating, not on the other entrants or on games before it (except for what external programs
remember).
"""

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.players.bot_names import OUTSIDE
from hexdeck.bots.players.policies import any_bot, fingerprint
from hexdeck.bots.players.programs import PREFIX, Forfeit, Loss, Program
from hexdeck.bots.players.roster import resolved
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text, from_data, say
from hexdeck.files import ResumableFile
from hexdeck.lab.counts import map_in_order
from hexdeck.lab.store import code_hash
from hexdeck.research.models import ModelBot, Transcripts, is_model, model_counts
from hexdeck.research.prompt import TRIES, ModelCounts
from hexdeck.research.rating import COLUMNS, Contest, bradley_terry, check_differ, resampled_ratings, result_row
from hexdeck.stats import Estimate, Moments

MOST = 100  # up to so many seatings, all are played on each deal
AHEAD = COLUMNS.index("ahead")
Pair = tuple[str, str]
Seating = tuple[str, ...]  # the bot of each seat


@dataclass(frozen=True)
class TournamentSetup:
    """The game, the bots that take part, the seed, and the seconds that a program may think for a move.

    A bot `run:COMMAND` is an external program; `prompt:COMMAND` and `chat:URL#MODEL` are language models, which have
    `tries` answers to a question before a random move is made.
    """

    game: GameSetup
    bots: tuple[str, ...]
    seed: int = 1
    think: float = 10.0
    tries: int = TRIES

    def check(self, deals: int) -> None:
        """Raise BadOption for fewer than two bots or deals, or a bot named twice; UnknownBot for an unknown one."""
        check_differ(self.bots)
        if deals < 2:
            raise BadOption(say("A tournament needs at least two deals."))
        for name in self.bots:
            player_named(name, self)


class OwnBot:
    """One of our bots as a player."""

    def __init__(self, name: str, game: GameSetup, seed: int | bytes) -> None:
        self.name, self._bot = name, any_bot(name, game, seed)

    def choose(self, match: Match, seat: int) -> int:
        """The bot's action, from what the seat knows."""
        return self._bot.choose(match.concealed(seat), seat)


Player = OwnBot | Program | ModelBot


@dataclass(frozen=True)
class GameRecord:
    """A game: its deal, its seating, and the utilities; None where seat `loser` forfeited, and `why`.

    `models`: what each language model was asked in it, as `ModelCounts.data` has it.
    """

    deal: int
    seating: Seating
    returns: tuple[float, ...] | None
    loser: int = -1
    why: Text | None = None
    models: dict[str, dict[str, Any]] = field(default_factory=dict)

    def results(self) -> np.ndarray:
        """The utilities; after a forfeit, -1 for each seat of the bot that did and 0 for all others."""
        if self.returns is not None:
            return np.array(self.returns)
        lost = self.seating[self.loser]
        return np.array([-1.0 if name == lost else 0.0 for name in self.seating])

    def data(self) -> dict[str, Any]:
        """The game as data: what differs from the defaults of a game without forfeit and models is left out."""
        out: dict[str, Any] = {"deal": self.deal, "seating": list(self.seating), "returns": self.returns}
        if self.why is not None:
            out |= {"forfeit": self.loser, "why": self.why.data()}
        return out | ({"models": self.models} if self.models else {})


def game_from(row: dict[str, Any]) -> GameRecord:
    """The game of a row; raises KeyError, TypeError or ValueError for anything else."""
    returns, why = row["returns"], row.get("why")
    seating, loser = tuple(row["seating"]), row.get("forfeit", -1)
    return GameRecord(
        row["deal"], seating, returns and tuple(returns), loser, why and from_data(why), row.get("models", {})
    )


@dataclass
class Tournament:
    """The games played so far; `deals`: how many deals were played in every seating."""

    setup: TournamentSetup
    games: list[GameRecord] = field(default_factory=list)
    deals: int = 0

    def scores(self, bot: str, rival: str) -> np.ndarray:
        """The mean score of `bot` against `rival` on each deal (1 ahead, 1/2 tied, 0 behind): float64 (deals)."""
        out: list[list[float]] = [[] for _deal in range(self.deals)]
        for game in self.games:
            if game.deal < self.deals and {bot, rival} <= set(game.seating):
                out[game.deal] += scores_of(game, bot, rival)
        return np.array([np.mean(row) for row in out])

    def crosstable(self) -> dict[Pair, Estimate]:
        """The mean score of each bot against each other, deals being independent."""
        pairs = [(a, b) for a in self.setup.bots for b in self.setup.bots if a != b]
        return {pair: share_of(self.scores(*pair)) for pair in pairs}

    def ratings(self, seed: int = 1) -> list[Estimate]:
        """The Bradley-Terry rating of each bot, relative to the first; intervals by a bootstrap over deals."""
        bots = self.setup.bots
        pairs = [*combinations(reversed(bots), 2)]
        rng, smoothed = np.random.default_rng(seed), [self._smoothed(*pair) for pair in pairs]
        low, high = np.quantile(resampled_ratings(bots, smoothed, rng), [0.025, 0.975], axis=0)
        strengths = bradley_terry(bots, [self._contest(*pair) for pair in pairs])
        ends = np.minimum(low, strengths), np.maximum(high, strengths)
        return [Estimate(*row, self.deals) for row in zip(strengths, *ends, strict=True)]

    def _contest(self, bot: str, rival: str) -> Contest:
        groups = np.zeros((self.deals, len(COLUMNS)))
        groups[:, AHEAD] = self.scores(bot, rival)
        return Contest(bot, rival, groups)

    def _smoothed(self, bot: str, rival: str) -> Contest:
        """The contest with one more deal won and one lost, so that an unbeaten bot's interval has a width."""
        contest = self._contest(bot, rival)
        draws = np.zeros((2, len(COLUMNS)))
        draws[0, AHEAD] = 1.0
        return Contest(bot, rival, np.concatenate([contest.groups, draws]))

    def means(self, name: str) -> Estimate:
        """A bot's mean share of first places over its seats."""
        rows: list[list[float]] = [[] for _deal in range(self.deals)]
        for game in self.games:
            if game.deal < self.deals:
                seats = [seat for seat, bot in enumerate(game.seating) if bot == name]
                rows[game.deal] += [result_row(game.results(), seat)[COLUMNS.index("first")] for seat in seats]
        return share_of(np.array([np.mean(row) for row in rows]))

    def forfeits(self, name: str) -> list[GameRecord]:
        """The games that a bot forfeited."""
        return [game for game in self.games if game.loser >= 0 and game.seating[game.loser] == name]

    def counts_of(self, name: str) -> ModelCounts:
        """What a language model was asked in the deals that were played in every seating."""
        out = ModelCounts()
        for game in self.games:
            if game.deal < self.deals and name in game.models:
                out.add(game.models[name])
        return out


def share_of(scores: np.ndarray) -> Estimate:
    """The mean of scores from 0 to 1, deals being independent; its interval has a width even if all scores agree."""
    moments = Moments(1)
    moments.add(scores.reshape(-1, 1))
    share = moments.share(0)
    return Estimate(share.value, max(0.0, share.low), min(1.0, share.high), share.count)


def scores_of(game: GameRecord, bot: str, rival: str) -> list[float]:
    """The score of each seat of one bot against each of the other: 1 ahead, 1/2 tied, 0 behind."""
    results = game.results()
    seats = [[results[seat] for seat, player in enumerate(game.seating) if player == name] for name in (bot, rival)]
    return [float(a > b) + 0.5 * float(a == b) for a, b in product(*seats)]


def seatings(players: int, bots: Sequence[str]) -> list[Seating]:
    """The seatings of a deal: all with two different bots or, where those are more than MOST, a balanced selection."""
    if count_seatings(players, bots) <= MOST:
        return [seating for seating in product(bots, repeat=players) if len(set(seating)) > 1]
    lone = [
        tuple(bot if p == seat else rival for p in range(players))
        for pair in combinations(bots, 2)
        for bot, rival in (pair, pair[::-1])
        for seat in range(players)
    ]
    turns = [tuple(bots[(seat + turn) % len(bots)] for seat in range(players)) for turn in range(len(bots))]
    return list(dict.fromkeys([*lone, *turns]))


def count_seatings(players: int, bots: Sequence[str]) -> int:
    """How many seatings have two different bots."""
    return int(len(bots) ** players) - len(bots)


@dataclass
class PlayerPool:
    """The players of one game at a time; programs keep running, a process a seat, so that none sees two hands."""

    setup: TournamentSetup
    programs: dict[tuple[str, int], Program] = field(default_factory=dict)

    def players(self, seating: Seating, deal: int) -> list[Player]:
        """The players of a seating; the dice of our bots follow from seed, deal, seating and seat."""
        out: list[Player] = []
        for seat, name in enumerate(seating):
            dice = hashlib.sha256(repr((self.setup.seed, deal, seating, seat)).encode()).digest()
            player = self.programs.get((name, seat)) or player_named(name, self.setup, dice)
            if isinstance(player, Program):
                self.programs[name, seat] = player
            out.append(player)
        return out

    def close(self) -> None:
        """End all programs."""
        for program in self.programs.values():
            program.close()


def tournament(
    setup: TournamentSetup,
    deals: int,
    progress: Callable[[int], None] = lambda _done: None,
    *,
    file: ResumableFile | None = None,
    jobs: int = 1,
    transcripts: Transcripts | None = None,
) -> Tournament:
    """Play so many deals; after an interrupt (KeyboardInterrupt) return those that were finished, if at least two.

    `file`: its resumable file, to which each game is added; those in it aren't played again. `jobs`: how many games are
    played at the same time, each with its own programs; results don't depend on it. `transcripts` has all that models
    are asked. Raises BadOption, UnknownBot, or HexdeckError where an endpoint refuses for good.
    """
    setup.check(deals)
    out, tables = Tournament(setup), seatings(setup.game.players, setup.bots)
    earlier = {(record.deal, record.seating): record for record in (games_in(file) if file else [])}
    pools = [PlayerPool(setup) for _job in range(jobs)]
    games = played(setup, earlier, pools, range(deals * len(tables)), tables, transcripts)
    try:
        with closing(games):
            for record in games:
                if file and (record.deal, record.seating) not in earlier:
                    file.add(record.data())
                out.games.append(record)
                progress(1)
                if len(out.games) % len(tables) == 0:
                    out.deals = record.deal + 1
    except KeyboardInterrupt:
        if out.deals < 2:
            raise
    finally:
        for pool in pools:
            pool.close()
    return out


def played(
    setup: TournamentSetup,
    earlier: Mapping[tuple[int, Seating], GameRecord],
    pools: list[PlayerPool],
    numbers: range,
    tables: Sequence[Seating],
    transcripts: Transcripts | None = None,
) -> Generator[GameRecord]:
    """The games in order, one in each pool at a time; games of an earlier run aren't played again."""
    free = list(pools)

    def run(number: int) -> GameRecord:
        deal, table = divmod(number, len(tables))
        earlier_game = earlier.get((deal, tables[table]))
        if earlier_game is not None:
            return earlier_game
        pool = free.pop()
        try:
            players = pool.players(tables[table], deal)
            record = play(setup, players, tables[table], deal)
            if transcripts is not None:
                transcripts.add(deal, tables[table], players)
            return record
        finally:
            free.append(pool)

    yield from map_in_order(run, numbers, len(pools) if len(pools) > 1 else 0)


def player_named(name: str, setup: TournamentSetup, dice: int | bytes = 0) -> Player:
    """A player by name, who draws from `dice`; raises UnknownBot or BadOption."""
    if name.startswith(PREFIX):
        return Program(name.removeprefix(PREFIX), setup.think)
    if is_model(name):
        return ModelBot(name, setup.think, setup.tries, dice)
    return OwnBot(name, setup.game, dice)


def play(setup: TournamentSetup, players: Sequence[Player], seating: Seating, deal: int) -> GameRecord:
    """Play one game on the cards of a deal."""
    match = Match(setup.game, setup.seed, number=deal)
    lost: Loss | None = None
    while not match.over:
        seat = match.actor
        legal = match.legal_ids(seat)
        try:
            match.play(seat, legal[0] if len(legal) == 1 else players[seat].choose(match, seat))
        except Forfeit as forfeit:
            lost = Loss(seat, forfeit.text)
            break
    for seat, player in enumerate(players):
        if isinstance(player, Program):  # nobody else keeps anything from one game to the next
            player.over(match, seat, lost)
    if lost is None:
        return GameRecord(deal, seating, match.returns(), models=model_counts([*players]))
    return GameRecord(deal, seating, None, lost.seat, lost.why, model_counts([*players]))


# --- the file ---------------------------------------------------------------------------------------------------------
def tournament_file(path: Path | None, setup: TournamentSetup) -> ResumableFile:
    """The resumable file of a tournament."""
    game = setup.game
    names = [name if name.startswith(OUTSIDE) else resolved(name, game) for name in setup.bots]
    about: dict[str, Any] = {"game": game.name, "version": code_hash(game), "players": game.players}
    about |= {"options": dict(game.options), "bots": list(setup.bots)}
    about |= {"resolved": [name + fingerprint(name) for name in names]}
    about |= {"seed": setup.seed, "think": setup.think, "seatings": MOST}
    tries = {"tries": setup.tries} if any(map(is_model, setup.bots)) else {}
    return ResumableFile(path, "tournament", about | tries)


def games_in(file: ResumableFile) -> list[GameRecord]:
    """The games in a file; raises HexdeckError where it is damaged."""
    out = list[GameRecord]()
    for number, row in enumerate(file.rows):
        try:
            out.append(game_from(row))
        except (AttributeError, KeyError, TypeError, ValueError):
            raise file.damaged(number) from None
    return out
