"""`python tools/schemas.py [FILE]`: write `docs/reference/data.md`, the schemas of the files that `hexdeck` writes."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from hexdeck.files import FORMAT
from hexdeck.lab import store
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting.measures import MATCH, Measure
from hexdeck.lab.reporting.tables import MEASURES
from hexdeck.lab.tuning import ANALYSED, COUNTED
from hexdeck.simulation.game import game

FILE = Path(__file__).parents[1] / "docs" / "reference" / "data.md"
FOLDER = """\
# Files that commands write

For whoever reads figures with programs of their own: every file, column by column. The meanings are in the files too,
as metadata of each column (`meaning`). `tools/schemas.py` makes this page.

## A folder of simulated games

`hexdeck simulate GAME --games N --data FOLDER` writes

| path | what |
|---|---|
| `about.json` | what decides the rows: the game with its players and options, bots, seed, and the code that played |
| `games/part-000000.parquet` | a row for each game of the first shard, and so on: {shard:,} games a shard |
| `decisions/part-000000.parquet` | a row for each decision of the same games |

A shard depends only on its number and on `about.json`: threads, machines, interrupts and `--shards` change no byte. A
file is complete or doesn't exist. The same command resumes where it was interrupted, writes again what is missing or
damaged, and refuses a folder whose `about.json` differs; with a larger `--games` it adds to the folder. `version` is a
hash of all sources that decide rows (the engine, the bots, the game, the counting): another version of hexdeck doesn't
continue the folder.

`hexdeck.lab.read(FOLDER)` gives the games as a data frame, `lab.read(FOLDER, "decisions")` the decisions; any Parquet
reader works too. The column `game` joins the two. `hexdeck replay GAME --number K` with the same players, options, bots
and seed replays game K.
"""
RESUMABLE = """\
## A resumable file

With `--resume FILE` a long job keeps a file, and the same command resumes from it: after Ctrl-C, after a crash, or with
a larger budget. The file is lines of JSON. The first says what it is of: `format` (`{format}`), `job`, and
all else that decides the rows, such as `game`, `version` (a hash of the code, and of nets), `players`, `options` and
`seed`. A command that would make other rows refuses the file and leaves it as it is. Each other line is a row.

| command | `job` | a row |
|---|---|---|
{jobs}

A row is added as soon as it is there; a last line that a crash cut off is left out. `train` and `exploit` replace their
row, whole or not at all. `simulate --data FOLDER` resumes from the folder that it writes.
"""
FIELDS = {
    "format": "of this file: 3",
    "what": "`report`, `played` (matches from tables) or `comparison`",
    "hexdeck": "the version that made it",
    "game": "stable name of the game",
    "seed": "of the games; not with `played`",
    "interrupted": "whether it was stopped before it was done",
    "findings": "the findings in words",
    "answers": "with `report` and `played`: the answers of its first page, for each `question` (`fair`, `long`, "
    "`luck`, `dead`, `runaway`, with `played` `confusing`) and number of players the `verdict` (`fine`, `look`, "
    "`unsure`), the sentence (`text`), and an estimate: percentage points, minutes (from `low` to `high` in nine games "
    "of ten), games until the house bot is ahead, cards and kinds of moves, percent of games, of those who answered; "
    "`usual`: what it is beside, or null",
    "parts": "a list: for each number of players (with `played`: and options) what was measured",
    "players": "of a part: how many played",
    "options": "of a part: the game's options, all of them; with `comparison` `before` and `after`",
    "bots": "of a part: the bot of each seat; not with `played`",
    "games": "of a part: how many games, or pairs of games, were counted",
    "changed_bots": "of a part of a comparison: the bot of each seat in the second variant",
    "looked_at": "of a part: how many games were analysed move by move",
    "measures": "of a part: a list of estimates",
    "measure": "of an estimate: what was measured, see below",
    "of": "of an estimate: the seat (number), ending, kind of move, card … (stable names) it is about; or null",
    "value": "the estimate; null where nothing is known",
    "low": "lower end of its 95 % interval; null where there is none",
    "high": "upper end of its 95 % interval; null where there is none",
    "count": "number of independent observations",
    "usual": "of an estimate: what it is read beside; left out where there is nothing",
    "start": "of a part: `how` the starter is chosen (`assigned`, `lot`, `dealt`, `earned`, `unsaid`); if chance "
    "sometimes decides it, how many `games` were looked into, and how many of them chance `decided`",
    "minutes": "of a part: how long a match takes people, by a model: at a table of hexdeck (`screen`) and at a real "
    "one (`cards`) the minutes of `choices`, `moves`, `dealing`, `scoring`, `talk`, the `total`, and the seconds of "
    "`wait` between one's own turns",
    "accounts": "of a part: where points come from, each with its `title`, `unit`, `sources`, what is counted `beside` "
    "(each with its name, `source`) and the `total`, as estimates for each seat (`seats`)",
    "before": "of a measure of a comparison: the estimate in the first variant",
    "after": "of a measure of a comparison: the estimate in the second variant",
    "difference": "of a measure of a comparison: the estimate of the difference, pair by pair",
    "times": "of a manner: how many times as often as without it a bot does what the manner likes",
    "saved": "of a measure of a comparison: how many times the games it takes without pairs; null: no pair differs",
    "pairs": "of a comparison: estimates of the share of pairs that `differ`, `result_differs`, `place_differs`",
}
GAME_ROW = (
    "a game: `deal`, `seating` (the bot of each seat), `returns` (the utility of each seat, null where a bot lost by "
    "rule); then `forfeit` (its seat) and `why`; with language models `models`: what each was asked"
)
DEAL_ROW = (
    "a deal of a pair: both bots, number of the deal; utility, shares of first and last places, share of players "
    "beaten, gain, milliseconds a decision"
)
JOBS = {  # by command: the job, and what a row is
    "compare --vary, --probe": ("effects", "an effect: of a value of an option, or of a probe"),
    "tournament": ("tournament", GAME_ROW),
    "tournament --ladder": ("ladder", DEAL_ROW),
    "benchmark": ("benchmark", "the result of a run, as below; of other versions too"),
    "train": ("train", "one: `facts`, `arrays` (type, shape, numbers in zlib and base64) and a `checksum`"),
    "exploit": ("exploit", "one, as with `train`"),
}
FIGURES = """\
## The figures of a report or a comparison

`hexdeck report GAME --json`, with `--database` too, and `hexdeck compare GAME … --json` print one JSON object and
nothing else; with `--data FILE` they write it there, and print the usual text. Shares are from 0 to 1
and results are utilities: numbers aren't rounded, or converted to the units that people read. Seats count from 0, as in
all data.
"""
MEASURED = """\
### What is measured

The names that a `measure` of a report has, each with what it is and what it is of. A comparison has those that are
counted in every game. *The place that decides* is the first, or the last in a game that one player loses; whoever takes
it is the *taker*, and a player *succeeds* by coming first, or by not coming last. The
last column says whether more or less is better, where it is. `hexdeck tune` can aim at what has words in the column
`--want`, such as `--want "lead changes at least 3"`.

| measure | meaning | `--want` | of | better |
|---|---|---|---|---|
"""
OTHERS = """\

## The figures of other commands

`--json` does the same with every command that prints figures. Each object has `format`, `what`, `hexdeck`,
`interrupted` and, unless it is about several games, `game`, `players` and `options`; estimates are as above. A
number that isn't finite is null.

| command | `what` | other fields |
|---|---|---|
"""
SIMULATED = (
    "`bots`, `seed`, `games`, `seconds`, `measures` (of results, length, endings, moves, evenings, as in a report)"
)
SWEPT = (
    "`bots`, `seed`, `pairs` (of games, for each value), `sample` (games analysed), `effects` (`option`, `value`, "
    "`beside`, `pairs`, `who` and `whose`: the seat of `seats` and of `results`, -1: whoever starts; `shifts` by "
    "measure, `seats`, `results`, `minutes`, `turns`, `lead_changes` and so on, each with `before` and the "
    "estimate `difference`), `refused` (`change`, `why`), "
    "`findings` (in words)"
)
PROBED = (
    "`bots`, `seed`, `pairs` (of games, for each probe), `probes` (`probe`: its name, or null; its `line`, `pairs`, "
    "the estimates `gain`, `place` and `changed`, measured as in a report; whether the gain is `sure`; at how "
    "many choices of a game it `applied`, and how many `choices` it changed), `findings` (in words)"
)
TUNED = (
    "`bots`, `seed`, `pairs` (further games of each), `aims` (`aim` as typed, `measure`), `tried` (rule sets), "
    "`rule_sets`, the nearest first (`options`; of each aim `values` and `verdicts`), `findings` (in words)"
)
RATED = (
    "`seed`, `deals`, `ratings` (`bot`, estimates `rating` and `first`, `forfeits`), "
    "`crosstable` (`bot`, `among`, the estimate `ahead`), `models`: what each language model was asked, `games` (as "
    "rows of the resumable file)"
)
CLIMBED = (
    "`ratings` (`bot`, `rating`, `margin`), `contests` (`bot`, `among`, `deals`, `ms`; `utility`, `first`, `last`, "
    "`ahead`, `gain`, each with `mean` and `margin`)"
)
DECIDED = (
    "`seat`, `decisions` (`ply`, `prompt`, `played`, `best`, `reason`, `same`, `best_value`, `played_value`, `cost`,"
    " `margin`)"
)
LISTED = (
    "`games` (`name`, `title`, `about`, `players`: least and most, `bots`, `options` with values as they are typed, "
    "`levels` by number of players; `wrong` where a game doesn't work)"
)
REPLAYED = (
    "`seat` (null: the public), `ply`, `length`, `over`, `returns` at the end, `narration` of each event, and `view`: "
    "all as that seat saw it"
)
BENCHED = (
    "`results`, of each run: `algorithm`, `title`, `paper`, `size`, `players`, `seed`, `seconds` that it was to "
    "learn, `histories`, `scale` (the utility range), `uniform` (NashConv of uniform play), `work` "
    "(what is counted), `settings`, `versions`, `points` (work, processor seconds, NashConv), `took` "
    "(processor seconds, measuring included), `budget` (the decisions that it was to spend, 0 where it had seconds), "
    "`decisions` that it spent (0 where they aren't counted), `commit` of the code, `processor`, "
    '`draws` (whether seeds change anything), `failed` (its error, or ""); on whole games `bot`, the '
    "`margin` of what exploiters gain at least, and `against`, what it gets against others, with margins"
)
PRINTED = {  # by command: `what`, and the other fields
    "simulate": ("simulation", SIMULATED),
    "compare --vary": ("sweep", SWEPT),
    "compare --probe": ("probe", PROBED),
    "tune": ("tune", TUNED),
    "tournament": ("tournament", RATED),
    "tournament --ladder": ("ladder", CLIMBED),
    "exploit": (
        "exploit",
        (
            "`bot`, `mean` and `margin` of the gain, `groups`, `seed` and `temperature` of the best learner, `games`, "
            "`seconds`, `curves`: of each learner its trials (`games`, `seconds`, `mean`, `margin`), `rising`: whether "
            "any learner's gain still rose, `trends`: of each learner `rising`, `level`, `unclear` or `few` (too few "
            "trials), `agreement` and `likeliest`: how well a bot that thinks was imitated"
        ),
    ),
    "benchmark": ("benchmark", BENCHED),
    "train": ("training", "`game`, `step`, `checkpoints` (the rows of the run's curve)"),
    "solve": ("solution", "`pot`, `title`, `sheets` (`title`, `heads`, `rows`, `note`), `notes`: in words"),
    "analyse": ("analysis", DECIDED),
    "games": ("games", LISTED),
    "replay": ("replay", REPLAYED),
    "speed": ("speed", "`tables` (`title`, `columns`, `rows`: numbers a second, seconds or microseconds)"),
    "tables check": (
        "tables",
        "`well`; `checks` (`what`, `state`: `ok`, `note` or `wrong`, `text`, `tables`: the ids of wrong ones)",
    ),
}


def page() -> str:
    """The text of the page."""
    chosen, jobs = game("blackstone", 2), [f"| `{name}` | `{job}` | {row} |" for name, (job, row) in JOBS.items()]
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        store.write(SimulationSetup(chosen, "random", backend="interpreted"), 1, folder)
        games, made = (folder / table / "part-000000.parquet" for table in ("games", "decisions"))
        parts = [
            FOLDER.format(shard=store.SHARD),
            "### Games\n",
            *rows(games, store.GAMES),
            "\n### Decisions\n",
            *rows(made, store.MADE),
            "",
            RESUMABLE.format(format=FORMAT, jobs="\n".join(jobs)),
            FIGURES,
            "| field | meaning |\n|---|---|",
            *(f"| `{name}` | {meaning} |" for name, meaning in FIELDS.items()),
            "",
            MEASURED.rstrip(),
            *map(measured, MEASURES),
            OTHERS.rstrip(),
            *(f"| `{name}` | `{what}` | {fields} |" for name, (what, fields) in PRINTED.items()),
        ]
    return "\n".join(parts) + "\n"


def measured(each: Measure) -> str:
    """The row of a measure."""
    of, better = "null" if each.of is MATCH else each.of.title, ("", "more", "less")[each.better]
    counted = {name: word for word, name in COUNTED.items()} | {"tied": "ties"}
    want = counted.get(each.name, each.name.replace("_", " ") if each.name in ANALYSED else "")
    return f"| `{each.name}` | {each.meaning} | {want} | {of} | {better} |"


def rows(file: Path, meanings: dict[str, str]) -> Iterator[str]:
    """The rows of the table of a file's columns: name, type and meaning; a column of each seat is told once."""
    yield "| column | type | meaning |\n|---|---|---|"
    schema, named = pq.read_schema(file), set()
    for field in schema:
        name = general(field.name, meanings)
        if name not in named:
            named.add(name)
            yield f"| `{name}` | {typed(field.type)} | {meanings[name]} |"


def general(name: str, meanings: dict[str, str]) -> str:
    """A column's name with K in place of a seat's number."""
    return name if name in meanings else f"{name.rpartition('_')[0]}_K"


def typed(kind: Any) -> str:
    """A type in words."""
    return "text (dictionary)" if str(kind).startswith("dictionary") else {"string": "text"}.get(str(kind), str(kind))


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE).write_text(page(), encoding="utf-8")
