"""The page of the benchmark: tables and curves of all results, in Markdown with pictures beside it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from statistics import median

import numpy as np

from hexdeck.engine.discovery.definition import definition, playable
from hexdeck.engine.text import Text, say
from hexdeck.files import write_atomically
from hexdeck.research.benchmark.algorithms import MOST, OURS, ours
from hexdeck.research.benchmark.running import GAMES, BenchmarkResult
from hexdeck.research.exact.tree import sizes
from hexdeck.stats import bootstrap

Setting = tuple[str, int]  # a size, and how many play
ORDER = ("tiny", "small", "mid", "full")
FULL = ORDER.index("full")
GOOD = 0.01  # of the utility range
ALIKE = 1e-5  # of the utility range: who gives away less is no better
ENOUGH, SAMPLES = 5, 10_000  # seeds for an interval, and bootstrap samples
FEW = 2  # sizes that are named as the only ones
THINKERS = {"ismcts", "pimc", "house"}  # learn nothing
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)[^)\s]*\)")
ANCHOR = "leduc-poker/"  # a game from outside
ABOUT = Path(__file__).with_name("about.md")  # how the page begins


def write_page(page: Path, results: Sequence[BenchmarkResult]) -> list[Path]:
    """Write the page, and its pictures into a folder beside it that is named alike; returns all files.

    Links to what doesn't lie beside the page become plain words.
    """
    results = shown(results)
    folder, files = page.with_suffix(""), [page]
    names = [*OURS, *sorted({result.algorithm for result in results} - set(OURS))]
    parts = [introduction(results)]
    if any(result.histories for result in results):
        parts.append(overview(results, names))
    for setting in settings_of(results):
        runs = [result for result in results if (result.size, result.players) == setting]
        parts.append(f"## {heading(setting)}\n\n{about(runs)}")
        if kind(setting) == FULL:
            parts.append(whole_table(runs))
            continue
        if any(result.points and not result.failed for result in runs):
            file = folder / f"{setting[0].replace('/', '-')}-{setting[1]}.svg"
            write_atomically(file, picture(heading(setting), runs, names).encode())
            files.append(file)
            parts.append(f"![Curves of NashConv on {heading(setting)}]({folder.name}/{file.name})\n")
        parts += [table(group, names) for group in by_budget(runs)]
    parts += [not_run(results), recipes(results, names), made_with(results)]

    def linked(match: re.Match[str]) -> str:
        return match[0] if (page.parent / match[2]).exists() or match[2].startswith(folder.name) else match[1]

    write_atomically(page, LINK.sub(linked, "\n".join(parts)).encode())
    return files


def introduction(results: Sequence[BenchmarkResult]) -> str:
    """How the page begins: who is best, what was measured, and of how many results the algorithms have changed since.

    What the page has nothing of isn't explained.
    """
    text = ABOUT.read_text(encoding="utf-8").format(most=MOST, seeds=ENOUGH, best=best_learners(results))
    there = {result.algorithm for result in results}
    shows = {
        "Budgets": any(result.budget for result in results),
        "Leduc poker": any(result.size.startswith(ANCHOR) for result in results),
        "Rows": len(there & {*OURS}) > 1,
        "The policy": bool(there & {*OURS} - THINKERS),
        "Search": bool(there & THINKERS),
        "Entropy": bool(there & {"ppo", "mirror_descent_net", "trainer"}),
        "More than two": any(result.players > 2 for result in results),
    }
    for begins in [begins for begins, shown in shows.items() if not shown]:
        text = re.sub(rf"(?ms)^- \*\*{begins}.*?(?=^- |^$)", "", text)
    text = text.replace("\n\n\n", "\n\n")
    old = sum(map(is_older, results))
    if not old:
        return text
    warning = (
        f"**{old:,} of {len(results):,} runs are by earlier versions of their algorithms, most with other settings: "
        "compare no new learner with them.** Each size says which rows they are."
    )
    return text.replace("\n- **", f"\n{warning}\n\n- **", 1)


def is_older(result: BenchmarkResult) -> bool:
    """Whether an algorithm of ours made a result in an older version."""
    return result.algorithm in OURS and result.versions["algorithm"] != ours(result.algorithm).version


def shown(results: Sequence[BenchmarkResult]) -> list[BenchmarkResult]:
    """The results without those by seconds, on sizes that have results by decisions."""
    counted = {(result.size, result.players) for result in results if result.budget}
    return [result for result in results if result.budget or (result.size, result.players) not in counted]


def settings_of(results: Sequence[BenchmarkResult]) -> list[Setting]:
    """The sizes that there are results of: two players before more, small before large."""
    histories = {(result.size, result.players): result.histories for result in results}
    return sorted(histories, key=lambda setting: (kind(setting), setting[1], setting[0]))


def by_budget(runs: Sequence[BenchmarkResult]) -> list[list[BenchmarkResult]]:
    """The results of each budget of decisions, the least first."""
    return [[run for run in runs if run.budget == budget] for budget in sorted({run.budget for run in runs})]


def kind(setting: Setting) -> int:
    """How large a size is, by its name."""
    return ORDER.index(setting[0].rpartition("/")[2])


def heading(setting: Setting) -> str:
    """A size with its number of players."""
    return f"{setting[0]}, {setting[1]} players"


def about(runs: Sequence[BenchmarkResult]) -> str:
    """How large a size is, and how bad uniform play is there."""
    first = runs[0]
    if kind((first.size, first.players)) == FULL:
        return (
            "The game as printed. No figure is exact here. An exploiter learned to beat each bot, from "
            f"{games_each(runs)} matches; it begins as the bot's net where it has one. All seats together gain "
            "at least so much utility a match from the bot (± half the 95 % interval). A bot that thinks was hunted "
            f"through a net that imitates it. Learners had {times(runs)}; the best net and the "
            "house bot come with Hexdeck, and learned nothing here. Under the name of a bot stands what the bot of the "
            f"row gets against it; the number after a name is its seed.{outdated(runs)}\n"
        )
    return (
        f"{first.histories:,} histories; the utility range is {first.scale:g}; uniform play has NashConv "
        f"{share(first.uniform / first.scale)}.{outdated(runs)}\n"
    )


def outdated(runs: Sequence[BenchmarkResult]) -> str:
    """Which of our algorithms made results in older versions."""
    old = {run.title for run in runs if is_older(run)}
    return f" Rows of older versions: {'; '.join(sorted(old))}." if old else ""


def games_each(runs: Sequence[BenchmarkResult]) -> str:
    """From how many matches an exploiter learned: one number, or the least and the most."""
    numbers = sorted({round(GAMES * result.seconds) for result in runs})
    return " to ".join(f"{result:,}" for result in dict.fromkeys((numbers[0], numbers[-1])))


def share(value: float | None) -> str:
    """A part of the utility range in percent."""
    if value is None:
        return "–"
    percent = max(0.0, 100 * value)
    return "< 0.001 %" if percent < 100 * ALIKE else f"{percent:.3g} %"


def of(results: Sequence[BenchmarkResult], name: str) -> list[BenchmarkResult]:
    """The results of an algorithm that came to an end."""
    return [result for result in results if result.algorithm == name and result.points and not result.failed]


def overview(results: Sequence[BenchmarkResult], names: Sequence[str]) -> str:
    """NashConv at the end, of all algorithms on all sizes: the median over seeds."""
    columns = [name for name in names if any(result.algorithm == name and result.histories for result in results)]
    every = [setting for setting in settings_of(results) if kind(setting) != FULL]
    rare = {name: rare_in for name in columns if name in OURS and (rare_in := seldom(results, name, every))}
    columns = [name for name in columns if name not in rare]
    titles = {result.algorithm: result.title for result in results}
    lines = [
        "## All at a glance\n",
        "NashConv at the end of learning, median over seeds; the best of each row is **bold**. – is not run."
        + "".join(f" {titles[name]} ran on {place} only." for name, place in rare.items())
        + "\n",
        f"| size | players | budget | uniform | {' | '.join(titles[name] for name in columns)} |",
        f"|---|---|---|---|{'---|' * len(columns)}",
    ]
    for setting in every:
        for runs in by_budget([result for result in results if (result.size, result.players) == setting]):
            ends = medians(runs, columns)
            best = max(ALIKE, min(ends.values(), default=0.0))
            cells = [cell(ends[name], best) if name in ends else failure(runs, name) for name in columns]
            uniform = share(runs[0].uniform / runs[0].scale)
            lines.append(f"| `{setting[0]}` | {setting[1]} | {times(runs)} | {uniform} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def medians(runs: Sequence[BenchmarkResult], names: Sequence[str]) -> dict[str, float]:
    """NashConv at the end, of the utility range, of each algorithm that came to an end: the median over seeds."""
    return {name: median(result.end or 0.0 for result in of(runs, name)) for name in names if of(runs, name)}


def cell(end: float, best: float) -> str:
    """A figure of the overview, in bold where none is less."""
    return f"**{share(end)}**" if end <= best else share(end)


def seldom(results: Sequence[BenchmarkResult], name: str, every: Sequence[Setting]) -> str:
    """Where an algorithm ran, if that is a single size of many; else nothing."""
    there = {(result.size, result.players) for result in results if result.algorithm == name and result.histories}
    return spelled(*there) if len(there) == 1 and len(every) > FEW else ""


def best_learners(results: Sequence[BenchmarkResult]) -> str:
    """Who gives away least, on how many sizes of each kind: how the page begins. Nothing where nobody is compared."""
    groups: dict[tuple[str, int], list[Sequence[BenchmarkResult]]] = {}
    for setting in settings_of(results):
        for runs in by_budget([result for result in results if (result.size, result.players) == setting]):
            learners = {run.algorithm for run in runs if run.points and not run.failed} - THINKERS
            if kind(setting) != FULL and len(learners) > 1:
                groups.setdefault((times(runs), kind(setting)), []).append(runs)
    lines = [least(group, spent, ORDER[size]) for (spent, size), group in groups.items()]
    if lines and not any(kind(setting) == FULL for setting in settings_of(results)):
        lines.append("- No game as printed has been run.")
    return "\n".join(["Which learner gives away least, by the median over seeds?\n", *lines, ""]) if lines else ""


def least(group: Sequence[Sequence[BenchmarkResult]], spent: str, size: str) -> str:
    """On how many of these sizes each learner gives away least, and on how many a search less still."""
    won, searched = Counter[str](), 0
    for runs in group:
        ends = {name: max(ALIKE, end) for name, end in medians(runs, [run.algorithm for run in runs]).items()}
        best = min(end for name, end in ends.items() if name not in THINKERS)
        won.update({run.title for run in runs if ends.get(run.algorithm) == best and run.algorithm not in THINKERS})
        searched += min(ends.values()) < best
    leaders = listed([f"*{title}* on {n}" for title, n in sorted(won.items(), key=lambda pair: (-pair[1], pair[0]))])
    more = f"; search or the house bot gives away less still on {searched}" if searched else ""
    return f"- After {spent}, of {len(group)} `{size}` {'size' if len(group) == 1 else 'sizes'}: {leaders}{more}."


def times(runs: Sequence[BenchmarkResult]) -> str:
    """How many decisions runs of one budget had to learn; else how many seconds, or the least and the most."""
    if runs[0].budget:
        return f"{runs[0].budget:,} decisions"
    shortest, longest = min(result.seconds for result in runs), max(result.seconds for result in runs)
    return f"{longest:g} s" if shortest == longest else f"{shortest:g} – {longest:g} s"


def failure(runs: Sequence[BenchmarkResult], name: str) -> str:
    """What stands in place of a figure: that an algorithm failed, or that it wasn't run."""
    return "failed" if any(result.algorithm == name for result in runs) else "–"


def table(runs: Sequence[BenchmarkResult], names: Sequence[str]) -> str:
    """What each algorithm came to on a size with a budget, the best first; then those that failed."""
    places_of = ranks({name: interval(of(runs, name)) for name in names if of(runs, name)})
    ranked = set(places_of.values()) != {"–"}  # else too few seeds for any interval
    heads = ["algorithm", "seeds", *["rank"] * ranked, "NashConv at the end", "least – most"]
    heads += [*["95 % of the mean"] * ranked, "below 1 % after", "work"]
    lines = [
        *([f"After {times(runs)}:", ""] if runs[0].budget else []),
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
    ]
    rows = [(median(group.end or 0.0 for group in of(runs, name)), of(runs, name)) for name in names if of(runs, name)]
    for middle, group in sorted(rows, key=lambda pair: pair[0]):
        ends, soon = [result.end or 0.0 for result in group], [below(result) for result in group]
        after = "not" if None in soon else f"{median(result for result in soon if result is not None):,.2g} s"
        if group[0].budget and None not in soon:
            after = f"{median(result for result in soon if result is not None):,.0f}"
        work = f"{round(median(result.points[-1][0] for result in group)):,} {group[0].work}"
        cells = [group[0].title, str(len(group)), *[places_of[group[0].algorithm]] * ranked, share(middle)]
        mean = interval(group)
        cells += [between(min(ends), max(ends)), *["–" if mean is None else between(*mean)] * ranked, after, work]
        lines.append(f"| {' | '.join(cells)} |")
    if not runs[0].budget and len({group.seconds for group in runs}) > 1:
        by_title = {group.title: f"{group.title} {group.seconds:g} s" for group in runs}
        lines += ["", f"They had different times to learn in: {', '.join(by_title.values())}."]
    broken = [f"{group.title}, seed {group.seed}: {escaped(group.failed)}" for group in runs if group.failed]
    if broken:
        lines += ["", f"{len(broken)} of {len(runs)} runs failed: {'; '.join(broken)}."]
    return "\n".join([*lines, ""])


def between(low: float, high: float) -> str:
    """Two parts of the utility range, or one where they look alike."""
    return " – ".join(dict.fromkeys((share(low), share(high))))


def interval(group: Sequence[BenchmarkResult]) -> tuple[float, float] | None:
    """The 95 % interval of the mean over seeds, by a bootstrap; one figure where no seed changes anything.

    None of fewer than `ENOUGH` seeds: nothing can be told from them.
    """
    ends, name = np.array([result.end or 0.0 for result in group]), group[0].algorithm
    if not (ours(name).draws if name in OURS else group[0].draws):
        return float(ends[0]), float(ends[0])
    if len(ends) < ENOUGH:
        return None
    means = bootstrap([ends], lambda samples: samples[0].mean(), np.random.default_rng(1), SAMPLES)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def ranks(intervals: Mapping[str, tuple[float, float] | None]) -> dict[str, str]:
    """The place of each algorithm, the least NashConv first, as far as intervals part; – of one that has no interval.

    Those without one take no place from the others.
    """
    out = dict.fromkeys(intervals, "–")
    known = {name: (max(ALIKE, each[0]), max(ALIKE, each[1])) for name, each in intervals.items() if each is not None}
    measured = list(known.values())
    for name, (low, high) in known.items():
        first, last = 1 + sum(end < low for _, end in measured), sum(start <= high for start, _ in measured)
        out[name] = str(first) if first == last else f"{first}–{last}"
    return out


def whole_table(runs: Sequence[BenchmarkResult]) -> str:
    """What exploiters gain from each bot of a whole game at least, and what each gets against the others."""
    ranked = sorted((result for result in runs if result.points), key=lambda result: result.points[-1][2])
    heads = [f"{result.title} {result.seed}" for result in ranked]
    lines = [f"| bot, seed | gained from it | {' | '.join(heads)} |", f"|---|---|{'---|' * len(ranked)}"]
    for result, head in zip(ranked, heads, strict=True):
        cells = [against(result, rival) for rival in ranked]
        gain = signed(result.points[-1][2], result.margin)
        lines.append(f"| {head} | {gain} | {' | '.join(cells)} |")
    broken = [f"{result.title}, seed {result.seed}: {escaped(result.failed)}" for result in runs if result.failed]
    return "\n".join([*lines, "", *([f"{len(broken)} runs failed: {'; '.join(broken)}.", ""] if broken else [])])


def against(result: BenchmarkResult, rival: BenchmarkResult) -> str:
    """What one bot gets against another: of two, that is what the other loses."""
    direct, back = (
        result.against.get(f"{rival.algorithm}/{rival.seed}"),
        rival.against.get(f"{result.algorithm}/{result.seed}"),
    )
    if direct is None and back is not None and result.players == 2:
        direct = -back[0], back[1]
    return "–" if direct is None else signed(*direct)


def signed(mean: float, margin: float) -> str:
    """A mean with its margin."""
    return f"{mean:.3f} ± {margin:.3f}".replace("-", "\u2212")


def below(result: BenchmarkResult) -> float | None:
    """The decisions, else seconds, after which NashConv stayed below 1 % of the range; None where it never was."""
    after = None
    for spent, gain in curve(result):
        if gain >= GOOD:
            after = None
        elif after is None:
            after = spent
    return after


def curve(result: BenchmarkResult) -> list[tuple[float, float]]:
    """NashConv, of the utility range, after how many decisions; where there was no budget of them, seconds."""
    each = result.decisions / result.points[-1][0] if result.budget and result.points else 0
    return [(work * each or seconds, gain / result.scale) for work, seconds, gain in result.points]


def escaped(text: str) -> str:
    """A stranger's words as Markdown shows them: in code, on one line."""
    return "`" + text.replace("`", "'").replace("|", "/") + "`"


def not_run(results: Sequence[BenchmarkResult]) -> str:
    """The sizes that no algorithm was run on, and those where some runs are missing."""
    settings = set(settings_of(results))
    every = {(size.name, size.game.players) for game in playable() for size in sizes(game)}
    missing = [f"`{name}` for {players}" for name, players in sorted(every - settings)]
    if not any(kind(setting) == FULL for setting in settings):
        missing.append("any game as printed")
    sentences = [f"There are no runs yet on {', '.join(missing)}."] if missing else []
    sentences += [f"Fewer runs than elsewhere: {listed(titles)}, on {places}." for titles, places in partly(results)]
    return "\n\n".join(["## Not run", *sentences]) + "\n" if sentences else ""


def partly(results: Sequence[BenchmarkResult]) -> list[tuple[tuple[str, ...], str]]:
    """The algorithms that have fewer runs on a size than elsewhere, and where; those of whole games aside."""
    seeds = {
        (result.size, result.players, result.algorithm, result.seed)
        for result in results
        if result.algorithm in OURS and result.histories
    }
    counts = Counter(run[:3] for run in seeds)
    every, by_place = [*dict.fromkeys(setting[:2] for setting in sorted(counts))], dict[str, tuple[str, ...]]()
    for name in OURS:
        largest = max((n for (*_, algorithm), n in counts.items() if algorithm == name), default=0)
        fewer = [setting for setting in every if counts[*setting, name] < largest]
        if fewer:
            place = on_sizes(fewer, every)
            by_place[place] = (*by_place.get(place, ()), ours(name).title)
    return [(titles, place) for place, titles in by_place.items()]


def on_sizes(some: Sequence[Setting], every: Sequence[Setting]) -> str:
    """Some of all sizes in few words: all of a kind by its name, or all but a few."""
    rest = [setting for setting in every if setting not in some]
    if len(rest) <= FEW < len(some):
        return f"all sizes but {listed([spelled(setting) for setting in rest])}"
    number_of = Counter(ORDER[kind(setting)] for setting in some)
    whole = [each for each in ORDER if number_of[each] > 1 and each not in kinds(rest)]
    single = [spelled(setting) for setting in some if not kinds([setting]) & {*whole}]
    named = [f"all {listed([f'`{each}`' for each in whole])} sizes"] * bool(whole)
    return listed([*named, *single])


def kinds(settings: Iterable[Setting]) -> set[str]:
    """How large sizes are, by their names."""
    return {ORDER[kind(setting)] for setting in settings}


def spelled(setting: Setting) -> str:
    """A size with its number of players, within a sentence."""
    return f"`{setting[0]}` for {setting[1]}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: a, b and c."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def recipes(results: Sequence[BenchmarkResult], names: Sequence[str]) -> str:
    """What each algorithm is, with its settings, and where it ran with them if they weren't the same everywhere."""
    rows: list[tuple[list[str], str]] = []  # cells, and in which rows of the tables those settings are
    for name in names:
        runs = [result for result in results if result.algorithm == name]
        by_settings: dict[str, list[BenchmarkResult]] = {}
        for run in runs:
            settings = " ".join(f"`{key}={value}`" for key, value in run.settings.items())
            by_settings.setdefault(settings, []).append(run)
        for settings, group in by_settings.items():
            paper = ours(name).paper if name in OURS else group[-1].paper or "in a file of its own"
            rows.append(([f"{group[-1].title} (`{name}`)", paper, settings], where(group, runs)))
    apart = {place for _cells, place in rows} > {"all rows"}  # an algorithm had different settings
    table = [[*cells, *[place] * apart] for cells, place in [(["algorithm", "paper", "settings"], "in"), *rows]]
    lines = [f"| {' | '.join(cells)} |" for cells in table]
    return "\n".join(["## Algorithms and settings\n", lines[0], f"|{'---|' * len(table[0])}", *lines[1:], ""])


def where(group: Sequence[BenchmarkResult], runs: Sequence[BenchmarkResult]) -> str:
    """Which runs of an algorithm a group of them is: all, those by decisions or by seconds, or on which sizes."""
    if len(group) == len(runs):
        return "all rows"
    alike = [run for run in runs if bool(run.budget) == bool(group[0].budget)]
    if len(group) == len(alike):
        return "rows by decisions" if group[0].budget else "rows by seconds"
    return ", ".join(f"`{size}` for {players}" for size, players in settings_of(group))


def made_with(results: Sequence[BenchmarkResult]) -> str:
    """Versions, processors and hours, and how many results of which algorithms are by older versions of them."""
    versions = ", ".join(sorted({str(result.versions.get("hexdeck")) for result in results}))
    processors = ", ".join(sorted({result.processor for result in results} - {""}))
    commits = Counter(f"`{result.commit[:12]}`" if result.commit else "an unknown commit" for result in results)
    at = ", ".join(f"{n:,} at {name}" for name, n in commits.most_common())
    took = sum(result.took for result in results)
    spent = f"{took / 3600:.2g} hours" if took >= 360 else f"{took:.2g} seconds"
    text = (
        f"{len(results):,} runs, {spent} of processor time, measuring included; made with hexdeck {versions}, {at} "
        f"({processors or 'on an unknown processor'}). Each line of the file of results has the curve of a run, with "
        "its settings, seed, versions, commit and seconds."
    )
    lines = ["## Versions and hours\n", text, ""]
    structs = {name: definition(name).struct_version for name in playable()}
    games = [result.size.partition("/")[0] for result in results]
    changed = [
        name for name, result in zip(games, results, strict=True) if result.versions["struct"] != structs.get(name)
    ]
    old = [result.title for result in results if is_older(result)], [name for name in changed if name in structs]
    for of_what, names in zip(("algorithms", "games"), old, strict=True):
        if names:
            counts = "; ".join(f"{name} {n}" for name, n in Counter(names).items())
            lines += [f"Runs by earlier versions of their {of_what}: {counts}. `--renew` makes them anew.", ""]
    return "\n".join(lines)


def remark(result: BenchmarkResult) -> Text:
    """With which versions a result was made."""
    versions = ", ".join(f"{part} {version}" for part, version in result.versions.items())
    return say("made with {versions}", versions=versions)


# --- curves -----------------------------------------------------------------------------------------------------------
WIDE, HIGH = 820, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 262, 56, 48  # margins
LEAST = 1e-6  # of the utility range: what is less is drawn there
COLORS = (
    "#1b6ca8",
    "#d1495b",
    "#2e933c",
    "#7b4fa3",
    "#c47f00",
    "#00868b",
    "#8a5a44",
    "#b83b9e",
    "#5a6d7c",
    "#6b8e00",
    "#111111",
)
FONT = 'font-size="12" font-family="system-ui, \'DejaVu Sans\', sans-serif"'
DASHES = ("", "7 3", "2 3")


class Axes:
    """Where a time and a gain stand in the picture; `times` and `gains`: the powers of ten that it shows."""

    def __init__(self, times: Sequence[float], gains: Sequence[float]) -> None:
        self.times = power(min(times), floor), power(max(times) / 1.2, ceil)  # a little over the end is no new decade
        self.gains = power(min(gains), floor), power(max(gains), ceil)

    def x(self, time: float) -> float:
        """Where a time stands."""
        first, last = self.times
        return LEFT + (log10(time) - first) / max(1, last - first) * (WIDE - LEFT - RIGHT)

    def y(self, gain: float) -> float:
        """Where a gain stands."""
        first, last = self.gains
        return HIGH - BOTTOM - (log10(max(gain, LEAST)) - first) / max(1, last - first) * (HIGH - TOP - BOTTOM)


def power(value: float, rounded: object) -> int:
    """The power of ten at or beyond a value."""
    return int(rounded(round(log10(max(value, LEAST)), 9)))  # type: ignore[operator]


def picture(title: str, results: Sequence[BenchmarkResult], names: Sequence[str]) -> str:
    """The curves of all seeds of algorithms on one size, with the most decisions; by `names` each keeps its colour."""
    drawn = [result for result in by_budget(results)[-1] if result.points and not result.failed]
    of = {result.algorithm: result for result in drawn}
    axes = Axes(*zip(*(point for result in drawn for point in curve(result) if point[0] > 0), strict=True))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" {FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="600" fill="#222">{escape(title)}</text>',
        *grid(axes, "decisions" if drawn[0].budget else "processor seconds of learning"),
    ]
    ends = {
        name: median(result.end or 0.0 for result in drawn if result.algorithm == name) for name in names if name in of
    }
    for result in drawn:
        coordinates = [f"{axes.x(spent):.1f},{axes.y(gain):.1f}" for spent, gain in curve(result) if spent > 0]
        lines.append(line(coordinates, names.index(result.algorithm)))
    for rank, name in enumerate(sorted(ends, key=lambda name: -ends[name])):
        y, number = TOP + 14 + 22 * rank, names.index(name)
        first, last = f"{WIDE - RIGHT + 24},{y - 4}", f"{WIDE - RIGHT + 50},{y - 4}"
        lines += [
            line([first, last] if len(of[name].points) > 1 else [f"{WIDE - RIGHT + 37},{y - 4}"], number),
            f'<text x="{WIDE - RIGHT + 58}" y="{y}" fill="#222">{escape(of[name].title)}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def line(points: Sequence[str], number: int) -> str:
    """A curve, or a dot where there is one place only."""
    color, dashes = COLORS[number % len(COLORS)], DASHES[number // len(COLORS) % len(DASHES)]
    if len(points) == 1:
        x, y = points[0].split(",")
        return f'<circle cx="{x}" cy="{y}" r="4" fill="{color}"/>'
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<polyline points="{" ".join(points)}" fill="none" stroke="{color}" stroke-width="1.8" opacity="0.85"'
        f' stroke-linejoin="round"{dashed}/>'
    )


def grid(axes: Axes, across: str) -> list[str]:
    """Lines at powers of ten, with what they stand for, and what the axes are; `across`: what grows to the right."""
    lines = []
    for exponent in range(axes.times[0], axes.times[1] + 1):
        x = axes.x(10.0**exponent)
        lines += [rule(x, TOP, x, HIGH - BOTTOM), label(x, HIGH - BOTTOM + 16, f"{10.0**exponent:,.9g}", "middle")]
    for exponent in range(axes.gains[0], axes.gains[1] + 1):
        y = axes.y(10.0**exponent)
        lines += [rule(LEFT, y, WIDE - RIGHT, y), label(LEFT - 6, y + 4, f"{100 * 10.0**exponent:g} %", "end")]
    lines.append(label((LEFT + WIDE - RIGHT) / 2, HIGH - 10, across, "middle"))
    lines.append(label(LEFT, TOP - 12, "NashConv, of the utility range", "start"))
    return lines


def rule(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of the grid."""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#ddd" fill="none"/>'


def label(x: float, y: float, text: str, anchor: str) -> str:
    """A text of the grid."""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="#555" font-size="11" text-anchor="{anchor}">{escape(text)}</text>'
