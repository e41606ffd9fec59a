"""The page of the benchmark: tables and curves of all results, in Markdown with pictures beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from hexdeck.bots.files import write_atomically
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.text import Text, say
from hexdeck.research.benchmark.algorithm import OURS, ours
from hexdeck.research.benchmark.curves import picture
from hexdeck.research.benchmark.results import Result
from hexdeck.research.benchmark.task import MOST
from hexdeck.research.benchmark.whole import GAMES
from hexdeck.research.exact.sizing import sizes

Place = tuple[str, int]  # a size, and how many play
ORDER = ("tiny", "small", "mid", "full")
FULL = ORDER.index("full")
GOOD = 0.01  # of the span of utility
ABOUT = """# Benchmark: learners on frozen sizes

How far from an equilibrium are the policies of well-known algorithms, and how soon do they come near? NashConv is the
sum of what all seats gain by their best responses while the others keep to the policy, and 0 exactly at an equilibrium;
with two seats, half of it is called exploitability. It is computed exactly for the policy that is measured, and stands
here as a part of the span of utility, from the least that a seat can get in the game to the most.

- **Sizes** are named and frozen; [their options are listed](sizes.md).
- **Time** is processor time of one run on one core of a small, busy server, without that of building the tree and of
  measuring. A run ends when its time is over, or by itself. Elsewhere seconds differ; work doesn't.
- **Budgets are short.** The tables compare what is reached in so many seconds, not what an algorithm comes to in the
  end. Learners with nets follow a schedule that ends with the time they are given: a short run isn't the beginning of a
  long one.
- **Rows aren't equals.** Tabular algorithms have the whole tree, and exact values of actions or samples of them. PPO,
  mirror descent with a net and Hexdeck's trainer learn a net of two layers from matches. Search and the house bot learn
  nothing. All use NumPy and compiled code alone, with the same settings on all sizes; other settings may do better.
- **The policy that is measured** is the average of the iterations for CFR+, predictive CFR+, MCCFR and fictitious play;
  the newest for both kinds of mirror descent, R-NaD and PPO; that of averaged weights for the trainer.
- **Trees** hold each order of the same events as a history of its own, up to {most:,} histories. In larger games, deals
  that only differ in the order of events are one deal, with the sum of their probabilities: no value changes by it, and
  no size has more than 60 million histories left.
- **Search and the house bot** are asked several times in each information set (`runs` and `asked` below), and what they
  chose is their policy here. NashConv is exact for that estimate; on average, it makes a policy that mixes look worse.
- **Seeds**: each algorithm that draws anything runs from several seeds; one that draws nothing runs once. Tables have
  the median, the least and the most; *below 1 % after* is the median of the seconds after which NashConv stayed below
  1 %, or *not* where a run never did.
- **More than two seats**: equilibria can't be learned there with any guarantee; NashConv says how far a policy is from
  one. It is a sum over all seats, so that figures of two and of three seats can't be compared.

Make the page anew, or add an algorithm of yours: [Measure what your policy gives
away](../howto/measure_exploitability.md#the-benchmark).
"""


def write_page(page: Path, results: Sequence[Result], old: Sequence[Result] = ()) -> list[Path]:
    """Write the page, and its pictures into a folder beside it that is named alike; returns all files.

    `old`: results that were made with other versions, which the page says.
    """
    folder, files = page.with_suffix(""), [page]
    names = [*OURS, *sorted({each.algorithm for each in results} - set(OURS))]
    parts = [ABOUT.format(most=MOST)]
    if any(each.histories for each in results):
        parts.append(overview(results, names))
    for place in places(results):
        here = [each for each in results if (each.size, each.players) == place]
        parts.append(f"## {heading(place)}\n\n{about(here)}")
        if kind(place) == FULL:
            parts.append(whole_table(here))
            continue
        if any(each.points and not each.failed for each in here):
            folder.mkdir(exist_ok=True)
            file = folder / f"{place[0].replace('/', '-')}-{place[1]}.svg"
            write_atomically(file, picture(heading(place), here, names).encode())
            files.append(file)
            parts.append(f"![Curves of NashConv on {heading(place)}]({folder.name}/{file.name})\n")
        parts.append(table(here, names))
    parts += [not_run(results), recipes(results, names), made_with(results, old)]
    write_atomically(page, "\n".join(parts).encode())
    return files


def places(results: Sequence[Result]) -> list[Place]:
    """The sizes that there are results of: two players before more, small before large."""
    found = {(each.size, each.players): each.histories for each in results}
    return sorted(found, key=lambda place: (kind(place), place[1], place[0]))


def kind(place: Place) -> int:
    """How large a size is, by its name."""
    return ORDER.index(place[0].rpartition("/")[2])


def heading(place: Place) -> str:
    """A size with its number of players."""
    return f"{place[0]}, {place[1]} players"


def about(here: Sequence[Result]) -> str:
    """How large a size is, and how bad uniform play is there."""
    one = here[0]
    if kind((one.size, one.players)) == FULL:
        return (
            "The game as printed. No figure is exact here. An exploiter learned to beat each bot, from "
            f"{games_each(here)} matches; it begins as the bot's net where it has one. All seats together gain "
            "at least so much utility a match from the bot (± half the 95 % interval). A bot that thinks was hunted "
            f"through a net that imitates it. Learners had {times(here)} seconds; the best net and the "
            "house bot come with Hexdeck, and learned nothing here. Under the name of a bot stands what the bot of the "
            "row gets against it; the number after a name is its seed.\n"
        )
    return (
        f"{one.histories:,} histories; the span of utility is {one.scale:g}; uniform play has NashConv "
        f"{share(one.uniform / one.scale)}.\n"
    )


def games_each(here: Sequence[Result]) -> str:
    """From how many matches an exploiter learned: one number, or the least and the most."""
    found = sorted({round(GAMES * each.seconds) for each in here})
    return " to ".join(f"{each:,}" for each in dict.fromkeys((found[0], found[-1])))


def share(value: float | None) -> str:
    """A part of the span of utility in percent."""
    if value is None:
        return "–"
    percent = max(0.0, 100 * value)
    return "< 0.001 %" if percent < 0.001 else f"{percent:.3g} %"


def of(results: Sequence[Result], name: str) -> list[Result]:
    """The results of an algorithm that came to an end."""
    return [each for each in results if each.algorithm == name and each.points and not each.failed]


def overview(results: Sequence[Result], names: Sequence[str]) -> str:
    """NashConv at the end, of all algorithms on all sizes: the median over seeds."""
    shown = [name for name in names if any(each.algorithm == name and each.histories for each in results)]
    titles = {each.algorithm: each.title for each in results}
    lines = [
        "## All at a glance\n",
        "NashConv at the end of learning, median over seeds. – is not run.\n",
        f"| size | players | seconds | uniform | {' | '.join(titles[name] for name in shown)} |",
        f"|---|---|---|---|{'---|' * len(shown)}",
    ]
    for place in places(results):
        here = [each for each in results if (each.size, each.players) == place]
        if kind(place) == FULL:
            continue
        ends = [[each.end or 0.0 for each in of(here, name)] for name in shown]
        cells = [share(median(each)) if each else failure(here, name) for each, name in zip(ends, shown, strict=True)]
        uniform = share(here[0].uniform / here[0].scale)
        lines.append(f"| `{place[0]}` | {place[1]} | {times(here)} | {uniform} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def times(here: Sequence[Result]) -> str:
    """How many seconds runs learned: one number, or the least and the most."""
    least, most = min(each.seconds for each in here), max(each.seconds for each in here)
    return f"{most:g}" if least == most else f"{least:g} – {most:g}"


def failure(here: Sequence[Result], name: str) -> str:
    """What stands in place of a figure: that an algorithm failed, or that it wasn't run."""
    return "failed" if any(each.algorithm == name for each in here) else "–"


def table(here: Sequence[Result], names: Sequence[str]) -> str:
    """What each algorithm came to on a size, the best first; then those that failed."""
    lines = [
        "| algorithm | seeds | NashConv at the end | least – most | below 1 % after | work |",
        "|---|---|---|---|---|---|",
    ]
    found = [(median(each.end or 0.0 for each in of(here, name)), of(here, name)) for name in names if of(here, name)]
    for middle, each in sorted(found, key=lambda pair: pair[0]):
        ends, soon = [one.end or 0.0 for one in each], [below(one) for one in each]
        after = f"{median(one for one in soon if one is not None):.2g} s" if None not in soon else "not"
        work = f"{round(median(one.points[-1][0] for one in each)):,} {each[0].work}"
        cells = each[0].title, len(each), share(middle), f"{share(min(ends))} – {share(max(ends))}", after, work
        lines.append(f"| {' | '.join(map(str, cells))} |")
    if len({each.seconds for each in here}) > 1:
        by_title = {each.title: f"{each.title} {each.seconds:g} s" for each in here}
        lines += ["", f"They had different times to learn in: {', '.join(by_title.values())}."]
    broken = [f"{each.title}, seed {each.seed}: {escaped(each.failed)}" for each in here if each.failed]
    if broken:
        lines += ["", f"{len(broken)} of {len(here)} runs failed: {'; '.join(broken)}."]
    return "\n".join([*lines, ""])


def whole_table(here: Sequence[Result]) -> str:
    """What exploiters gain from each bot of a whole game at least, and what each gets against the others."""
    there = sorted((each for each in here if each.points), key=lambda each: each.points[-1][2])
    heads = [f"{each.title} {each.seed}" for each in there]
    lines = [f"| bot, seed | gained from it | {' | '.join(heads)} |", f"|---|---|{'---|' * len(there)}"]
    for each, head in zip(there, heads, strict=True):
        cells = [against(each, other) for other in there]
        gain = signed(each.points[-1][2], each.margin)
        lines.append(f"| {head} | {gain} | {' | '.join(cells)} |")
    broken = [f"{each.title}, seed {each.seed}: {escaped(each.failed)}" for each in here if each.failed]
    return "\n".join([*lines, "", *([f"{len(broken)} runs failed: {'; '.join(broken)}.", ""] if broken else [])])


def against(one: Result, other: Result) -> str:
    """What one bot gets against another: of two, that is what the other loses."""
    found, back = one.against.get(f"{other.algorithm}/{other.seed}"), other.against.get(f"{one.algorithm}/{one.seed}")
    if found is None and back is not None and one.players == 2:
        found = -back[0], back[1]
    return "–" if found is None else signed(*found)


def signed(mean: float, margin: float) -> str:
    """A mean with its margin."""
    return f"{mean:.3f} ± {margin:.3f}".replace("-", "\u2212")


def below(result: Result) -> float | None:
    """The processor seconds after which NashConv was, and stayed, below 1 % of the span; None where it never was."""
    after = None
    for _, seconds, gain in result.points:
        if gain / result.scale >= GOOD:
            after = None
        elif after is None:
            after = seconds
    return after


def escaped(text: str) -> str:
    """A stranger's words as Markdown shows them: in code, on one line."""
    return "`" + text.replace("`", "'").replace("|", "/") + "`"


def not_run(results: Sequence[Result]) -> str:
    """The sizes that no algorithm was run on, and those where some runs are missing."""
    there = set(places(results))
    every = {(size.name, size.game.players) for game in playable() for size in sizes(game)}
    missing = [f"`{name}` for {players}" for name, players in sorted(every - there)]
    if not any(kind(place) == FULL for place in there):
        missing.append("any game as printed")
    said = [f"There are no runs yet on {', '.join(missing)}."] if missing else []
    for titles, where in partly(results):
        said.append(f"Fewer runs than elsewhere: {'; '.join(titles)} on {', '.join(where)}.")
    return "\n\n".join(["## Not run", *said]) + "\n" if said else ""


def partly(results: Sequence[Result]) -> list[tuple[tuple[str, ...], list[str]]]:
    """The algorithms that have fewer runs on a size than elsewhere, and where; those of whole games aside."""
    counts = Counter(
        (each.size, each.players, each.algorithm) for each in results if each.algorithm in OURS and each.histories
    )
    most = {name: max((n for (*_, one), n in counts.items() if one == name), default=0) for name in OURS}
    found: dict[tuple[str, ...], list[str]] = {}
    for size, players in sorted({place[:2] for place in counts}):
        fewer = tuple(ours(name).title for name in OURS if counts[size, players, name] < most[name])
        if fewer:
            found.setdefault(fewer, []).append(f"`{size}` for {players}")
    return list(found.items())


def recipes(results: Sequence[Result], names: Sequence[str]) -> str:
    """What each algorithm is, and its settings."""
    lines = ["## Algorithms and settings\n", "| algorithm | paper | settings |", "|---|---|---|"]
    for name in names:
        one = next((each for each in results if each.algorithm == name), None)
        if one is not None:
            settings = " ".join(f"`{key}={value}`" for key, value in one.settings.items())
            paper = ours(name).paper if name in OURS else one.paper or "in a file of its own"
            lines.append(f"| {one.title} (`{name}`) | {paper} | {settings} |")
    return "\n".join([*lines, ""])


def made_with(results: Sequence[Result], old: Sequence[Result]) -> str:
    """Versions, hours, and what was made with other versions."""
    versions = ", ".join(sorted({str(each.versions.get("hexdeck")) for each in results}))
    took = sum(each.took for each in results)
    spent = f"{took / 3600:.2g} hours" if took >= 360 else f"{took:.2g} seconds"
    text = (
        f"{len(results)} runs, {spent} of processor time, measuring included; made with hexdeck {versions}. "
        "Each line of the file of results has the curve of a run, with its settings, seed, versions and seconds."
    )
    lines = ["## Versions and hours\n", text, ""]
    for how, many in Counter(str(remark(each)) for each in old).items():
        were = "was" if many == 1 else "were"
        lines += [f"{many} of them {were} {how}, which differs from this version: `--again` makes such runs anew.", ""]
    return "\n".join([*lines, ""])


def remark(result: Result) -> Text:
    """With which versions a result was made."""
    versions = ", ".join(f"{part} {version}" for part, version in result.versions.items())
    return say("made with {versions}", versions=versions)
