"""`hexdeck benchmark`: learners side by side on frozen sizes, with exact NashConv; tables and curves as a page."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hexdeck.cli.output import CommandResult, aside, head, span, tell
from hexdeck.engine.errors import HexdeckError, one_of
from hexdeck.engine.text import Catalogue, Text, _, count, number, say, say_n

if TYPE_CHECKING:
    from hexdeck.research.benchmark.algorithms import Algorithm
    from hexdeck.research.benchmark.running import BenchmarkResult, BenchmarkResults, BenchmarkRun

SIZES = "tiny", "small"
MANY = 1_000_000  # histories of the largest tree in which it is reckoned how far off asking is


def run(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Say how long it takes, run what isn't there yet, then write the page."""
    if arguments.again is not None:
        return run_again(arguments, catalogue)
    from hexdeck.research.benchmark.results_page import write_page
    from hexdeck.research.benchmark.running import BenchmarkResults, run_all, runs_to_make

    runs, results = planned_runs(arguments), BenchmarkResults(arguments.resume)
    todo, old = runs_to_make(runs, results, again=arguments.renew)
    stream = aside(arguments)

    def report(text: Text) -> None:
        tell(catalogue.words(text), stream)

    for text in outlook(runs, todo, old, results):
        report(text)
    new_results: list[BenchmarkResult] = []
    interrupted = False
    try:
        for result in run_all([] if arguments.no_runs else todo, results):
            if not result.failed or result.failed not in {each.failed for each in new_results}:
                report(progress(result))
            new_results.append(result)
    except KeyboardInterrupt:
        interrupted = True
    failed = [result for result in new_results if result.failed]
    if failed and not interrupted:
        report(failures(failed, len(new_results)))
    for text in [] if interrupted else readings(new_results):
        report(text)
    if arguments.page and not interrupted:
        files = write_page(arguments.page, list(results.found.values()))
        n, file = len(files) - 1, str(arguments.page)
        report(say_n("Written: {file} and a picture.", "Written: {file} and {n} pictures.", n, file=file))
    return CommandResult(
        catalogue,
        lambda: None,
        lambda: figures(results, interrupted=interrupted),
        interrupted=interrupted,
        status=1 if failed else 0,
    )


def run_again(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Run the result of a row again, and say whether it agrees."""
    from hexdeck.research.benchmark.algorithms import OURS, ours
    from hexdeck.research.benchmark.running import BenchmarkResults, repeat

    rows = BenchmarkResults(arguments.resume).rows
    if arguments.again > len(rows):
        text = _("{file} has {n} rows; there is no row {row}.")
        raise HexdeckError(say(text, file=str(arguments.resume), n=len(rows), row=arguments.again))
    row = rows[arguments.again - 1]
    own = {each.name: each for each in map(algorithm, arguments.algorithms or ())}
    if row.algorithm not in own and row.algorithm not in OURS:
        raise HexdeckError(say("{name} is in a file of its own; name that with --algorithms.", name=row.algorithm))
    repetition = repeat(row, own.get(row.algorithm) or ours(row.algorithm))
    values = {
        "then": f"{repetition.then:.7f}",
        "now": f"{repetition.now:.7f}",
        "work": count(row.points[-1][0]),
        "unit": row.work,
    }
    agrees = _("It agrees: NashConv is {now} after {work} {unit}, as in the row.")
    differs = _("It differs: NashConv is {now} after {work} {unit}, and {then} in the row.")
    texts = [say(agrees if repetition.agrees else differs, **values)]
    if repetition.differences:
        texts.append(say("The row was made with other versions of {parts}.", parts=", ".join(repetition.differences)))
    data = head("benchmark") | {"results": [asdict(row)], "again": repetition.now, "agrees": repetition.agrees}
    return CommandResult(
        catalogue,
        lambda: tell(" ".join(catalogue.words(text) for text in texts)),
        lambda: data,
        status=0 if repetition.agrees else 1,
    )


def figures(results: BenchmarkResults, *, interrupted: bool = False) -> dict[str, Any]:
    """All results as data."""
    rows = [asdict(result) for result in results.found.values()]
    return head("benchmark", interrupted=interrupted) | {"results": rows}


def planned_runs(arguments: argparse.Namespace) -> list[BenchmarkRun]:
    """All runs that the arguments ask for; raises BadOption or HexdeckError."""
    from hexdeck.engine.discovery.definition import playable
    from hexdeck.research.benchmark.running import named_sizes, planned

    learners = algorithms(arguments)
    chosen = named_sizes(arguments.sizes or SIZES, playable(), arguments.players)
    sizes = ", ".join(arguments.sizes or SIZES)
    if not chosen:
        text = _("There is no size of {sizes} for {players} players; there are for {there}.")
        there = sorted({size.game.players for size in named_sizes(arguments.sizes or SIZES, playable(), ())})
        values = {"players": ", ".join(map(str, arguments.players)), "there": one_of(there)}
        raise HexdeckError(say(text, sizes=sizes, **values))
    runs = planned(chosen, learners, arguments.seeds, arguments.seconds, arguments.decisions or 0)
    if not runs:
        text = _(
            "None of these algorithms runs on {sizes}: whole games need a function bot, other sizes a function learn."
        )
        raise HexdeckError(say(text, sizes=sizes))
    return runs


def algorithm(name: str) -> Algorithm:
    """One of ours by its name, or one in a file, or a bot."""
    from hexdeck.bots.players.bot_names import SPOKEN
    from hexdeck.bots.players.roster import KINDS
    from hexdeck.research.benchmark.algorithms import OURS, brought, ours

    is_outside = name.endswith(".py") or ":" in name or name in {*KINDS, *SPOKEN} - {*OURS}
    return brought(name) if is_outside else ours(name)


def algorithms(arguments: argparse.Namespace) -> list[Algorithm]:
    """The algorithms of the arguments."""
    from hexdeck.research.benchmark.algorithms import OURS

    names: Sequence[str] = arguments.algorithms or OURS
    algorithm_list = [*map(algorithm, dict.fromkeys(names))]
    ((name, times),) = Counter(each.name for each in algorithm_list).most_common(1)
    if times > 1:  # results are kept by this name
        raise HexdeckError(say("There are two algorithms {name}; name each file differently.", name=name))
    return algorithm_list


def outlook(
    runs: list[BenchmarkRun], todo: list[BenchmarkRun], old: list[BenchmarkResult], results: BenchmarkResults
) -> list[Text]:
    """What there is to run, how long it takes, what was made with other versions, and what failed before.

    What failed isn't run again, but what it lacked may be there by now.
    """
    from hexdeck.research.benchmark.results_page import remark
    from hexdeck.research.benchmark.running import seconds_of

    text = _("{todo} of {all} runs are to be made; that takes about {time} of one processor core.")
    texts = [say(text, todo=count(len(todo)), all=count(len(runs)), time=span(seconds_of(todo)))]
    counted = {key[:4] for key in results.found if key[4]}
    others = sum(run.key[:4] in counted for run in todo if not run.budget)
    if others:
        singular = _("{n} of them has a result by decisions, which --decisions asks for; these are by seconds.")
        plural = _("{n} of them have results by decisions, which --decisions asks for; these are by seconds.")
        texts.append(say_n(singular, plural, others))
    if old:
        singular = _("{n} result was {how} and stays as it is; --renew makes it anew.")
        plural = _("{n} results stay as they are, the first {how}; --renew makes them anew.")
        texts.append(say_n(singular, plural, len(old), how=remark(old[0])))
    if results.cut:
        texts.append(say("The last line of the file of results was cut off; that run is made again."))
    now = {run.key for run in todo}
    failed = [result for run in runs if run.key not in now and (result := results.found[run.key]).failed]
    if failed:
        singular = _("{n} run failed before and stays as it is: {names}; --renew makes it anew.")
        plural = _("{n} runs failed before and stay as they are: {names}; --renew makes them anew.")
        texts.append(say_n(singular, plural, len(failed), names=", ".join(dict.fromkeys(run.title for run in failed))))
    return texts


def progress(result: BenchmarkResult) -> Text:
    """What is told of a run when it ends."""
    from hexdeck.research.benchmark.algorithms import PLAYS

    values: dict[str, Any] = {name: getattr(result, name) for name in ("size", "players", "title")}
    values["seed"] = str(result.seed)
    if result.failed:
        text = _("{size} for {players}, {title}, seed {seed}: failed ({why})")
        return say(text, **values, why=result.failed)
    _work, seconds, gain = result.points[-1]
    if result.bot:
        text = _(
            "{size} for {players}, {title}, seed {seed}: exploiters gain at least {gain} ± {margin} utility a match"
        )
        return say(text, **values, gain=number(gain, 3), margin=number(result.margin, 3))
    time = say("as it plays") if result.paper == PLAYS else say("after {seconds} s", seconds=number(seconds, 1))
    text = _("{size} for {players}, {title}, seed {seed}: NashConv {part} % of the utility range ({gain}) {when}")
    part = number(100 * max(0.0, result.end or 0.0), 3)
    return say(text, **values, part=part, gain=number(max(0.0, gain), 3), when=time)


def readings(results: list[BenchmarkResult]) -> Iterator[Text]:
    """What an equilibrium reads, on each size not too large, if it is asked as often as the bots of results were."""
    import hexdeck
    from hexdeck.research.benchmark.algorithms import PLAYS
    from hexdeck.research.exact.tree import GameTree, reading

    asked = {
        (result.size, result.players, result.scale, result.settings["asked"])
        for result in results
        if result.paper == PLAYS and "asked" in result.settings and 0 < result.histories <= MANY and not result.failed
    }
    for size, players, scale, times in sorted(asked):
        text = _(
            "{size} for {players}: asked {n} times in each information set, a policy near an equilibrium reads "
            "{part} %."
        )
        part = number(100 * reading(GameTree(hexdeck.game(size, players)), times) / scale, 2)
        yield say(text, size=size, players=players, n=times, part=part)


def failures(failed: list[BenchmarkResult], all_runs: int) -> Text:
    """Which algorithms failed, and how often."""
    names = ", ".join(dict.fromkeys(run.title for run in failed))
    text = _("{failed} of {all} runs failed: {names}.")
    return say(text, failed=count(len(failed)), all=count(all_runs), names=names)
