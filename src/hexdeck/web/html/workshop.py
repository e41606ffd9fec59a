"""The page of the workshop, with small plots of intervals; in English, as reports are."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from hexdeck.authoring.forks import Fault
from hexdeck.engine import rulebook
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import path_options
from hexdeck.engine.options import MAX_COPIES, MAX_DECK, Deck, Number, Numbers, Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.rule_changes import RULES, RuleFunction, changes_of, functions
from hexdeck.engine.text import Text, _, card_names, card_text, count, number, say, signed
from hexdeck.lab.effects import trials
from hexdeck.lab.reporting.wording import bot_text, digits_for
from hexdeck.lab.sharing import SharedVariant, agreement, rules_apart
from hexdeck.lab.tuning import FRONT, MOST, SHOWS, TUNED, Front, measurable
from hexdeck.lab.workshop import GROUPS, FigureRow, Figures, bots_for
from hexdeck.web.html.games import OptionField, game_info, option_field
from hexdeck.web.html.pages import PRINTS
from hexdeck.web.html.rendering import DealPromise, Site, game_catalogue, render, safe
from hexdeck.web.server.workshop import MOST_AIMS, MOST_PINS, AimRow, FigureJob, TuneWish, Variant, Wish

# --- plots ------------------------------------------------------------------------------------------------------------
WIDE, ROW, TEXT = 420, 32, 14  # pixels: the picture, narrow enough for a phone; a row; its words
LEFT, RIGHT = 84, 310  # where the scale begins and ends
CELL, HIGH = 84, 22  # pixels: the picture in a cell of a table
LEAST = 1.0  # the scale reaches at least so far to either side of the middle


@dataclass(frozen=True)
class IntervalMark:
    """A value with the ends of its interval, seen from the middle; its name, how it is written, whether it is sure."""

    name: str
    value: float
    low: float
    high: float
    shown: str
    sure: bool


def reach(marks: Sequence[IntervalMark], least: float = LEAST) -> float:
    """How far the scale goes to either side: to the furthest end of an interval, in steps, so that it seldom moves."""
    furthest = max((max(abs(mark.low), abs(mark.high)) for mark in marks), default=0.0)
    out = least
    while out < furthest:
        out *= 2
    return out


def plot_rows(marks: Sequence[IntervalMark], title: str, middle: str, ends: tuple[str, str]) -> str:
    """A row for each mark, around `middle`; `ends` is written at the ends of the scale. `title` tells what it shows."""
    high, centre, scale = ROW * len(marks) + 22, (LEFT + RIGHT) / 2, (RIGHT - LEFT) / 2 / reach(marks)
    label = escape(f"{title}: " + "; ".join(f"{mark.name} {mark.shown}" for mark in marks), quote=True)
    foot = "".join(
        f'<text class="faint" x="{x:g}" y="{high - 4}" text-anchor="middle">{escape(word)}</text>'
        for x, word in ((LEFT, ends[0]), (centre, middle), (RIGHT, ends[1]))
    )
    rows = "".join(row(mark, ROW * k + ROW / 2, centre, scale) for k, mark in enumerate(marks))
    axis = f'<line class="axis" x1="{centre:g}" y1="0" x2="{centre:g}" y2="{high - 20}"/>'
    return (
        f'<svg class="intervals" viewBox="0 0 {WIDE} {high}" role="img" aria-label="{label}" font-size="{TEXT}">'
        f"{axis}{rows}{foot}</svg>"
    )


def row(mark: IntervalMark, y: float, centre: float, scale: float) -> str:
    """A mark between its name and its number."""
    return (
        f'<text x="0" y="{y + 5:g}">{escape(mark.name)}</text>{drawn(mark, y, centre, scale)}'
        f'<text x="{WIDE}" y="{y + 5:g}" text-anchor="end">{escape(mark.shown)}</text>'
    )


def drawn(mark: IntervalMark, y: float, centre: float, scale: float) -> str:
    """The dot and the line of a mark."""
    low, at, high = (centre + x * scale for x in (mark.low, mark.value, mark.high))
    kind = "sure" if mark.sure else "open"
    return (
        f'<line class="range {kind}" x1="{low:.1f}" y1="{y:g}" x2="{high:.1f}" y2="{y:g}"/>'
        f'<circle class="dot {kind}" cx="{at:.1f}" cy="{y:g}" r="5"/>'
    )


def cell(mark: IntervalMark, far: float) -> str:
    """A mark in a cell, on a scale that reaches `far`; what it tells stands beside it."""
    centre = CELL / 2
    axis = f'<line class="axis" x1="{centre:g}" y1="0" x2="{centre:g}" y2="{HIGH}"/>'
    inside = drawn(mark, HIGH / 2, centre, (centre - 6) / far)
    return f'<svg class="cell" viewBox="0 0 {CELL} {HIGH}" aria-hidden="true">{axis}{inside}</svg>'


LETTERS = "ABC"  # of the pins
SLIDES = 4  # a slider goes at most so many times as far as the usual value, where an option's range is long
LONG = 100  # values, beyond which a range is long
TITLES = {
    "shares": ("Comes first", "Loses"),
    "length": ("Length",) * 2,
    "tension": ("Tension",) * 2,
    "more": ("Also",) * 2,
}


@dataclass(frozen=True)
class Knob:
    """An option's field: with a slider from `low` to `high`, or with a cell for each of several numbers.

    `names`: what is written over each cell, where that isn't its number. `fault`: what is wrong with it. `changed`:
    whether it isn't as usual; `usual`: how that is written.
    """

    field: OptionField
    cells: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    slider: tuple[int, int] | None = None
    allowed: str = ""
    low: int = 0
    high: int = 0
    fault: str = ""
    changed: bool = False
    usual: str = ""


@dataclass(frozen=True)
class RuleDraft:
    """What is written of a fork: the function that is open, its text if it isn't kept, and what is wrong with it."""

    function: str
    text: str | None = None
    fault: str = ""


# --- pages ------------------------------------------------------------------------------------------------------------
def workshop_page(
    site: Site,
    wish: Wish,
    jobs: Sequence[FigureJob],
    promise: DealPromise,
    *,
    measured: bool,
    draft: RuleDraft | None = None,
    forks: bool = False,
    fork: tuple[str, str] = ("", ""),
    unprintable: str = "",
) -> str:
    """The page of a game; `measured`: whether a reader without a script asked for figures.

    `draft`: of a fork whose rules may be written. `forks`: whether the game may be forked; `fork`: a name for that, and
    what is wrong with it. `unprintable`: signs in names of cards that the type for paper lacks.
    """
    info = game_info(wish.name, site.lang)
    knobs = [knob(wish, option, site.lang) for option in definition(wish.name).rules.OPTIONS]
    knobs.sort(key=lambda field: field.field.rare)
    game = wish.variant.game if wish.variant else GameSetup.at_table(wish.name, wish.players)
    bots = [(name, bot_text(name)) for name in bots_for(game)]
    waits = measured and not all(job.done for job in jobs)
    main = [knob for knob in knobs if not knob.field.rare]
    rules = definition(wish.name).folder / RULES
    names = card_names(rules.parent / "locale")
    return render(
        "workshop.html",
        site,
        game_catalogue(site, wish.name),
        info=info,
        draft=draft,
        forks=forks,
        fork=fork,
        original=base_words(replace(wish, against="")),
        rules_file=str(rules),
        unprintable=unprintable,
        cards=[(card_text(code, suits=True), code, names.get(code, "")) for code in nameable(wish.name)]
        if draft
        else (),
        functions=sorted(functions(rules.read_text("utf-8")), key=lambda each: not each.rules) if draft else (),
        unsaid={change.unsaid for change in changes_of(definition(wish.name), {})} if draft else (),
        wish=wish,
        knobs=knobs,
        bots=bots,
        promise=promise,
        waits=waits,
        figures=safe(figures_part(site, wish, jobs)),
        few=len(main) <= 3,
        fault=next(iter(wish.faults), ""),  # the field that the page sends the reader to
        bot_fault=str(wish.faults["bot"]) if "bot" in wish.faults else "",
        players_fault=str(wish.faults["players"]) if "players" in wish.faults else "",
    )


def nameable(game: str) -> tuple[str, ...]:
    """The codes of the cards of a game that have pictures of their own."""
    cards = rulebook.printed(definition(game)).cards
    return tuple(card.code for card in cards if card.symbol.startswith("card-"))


def figures_part(site: Site, wish: Wish, jobs: Sequence[FigureJob]) -> str:
    """The part of the page that changes as figures come in; `jobs`: the variant's, then those of its pins."""
    info = game_info(wish.name, site.lang)
    job = jobs[0] if jobs else FigureJob()
    figures = job.figures
    pins = [pin_context(wish, k, pin) for k, pin in enumerate(jobs[1:])]
    return render(
        "workshop_figures.html",
        site,
        game_catalogue(site, wish.name),
        info=info,
        wish=wish,
        variant=wish.variant,
        job=job,
        found=figures,
        pins=pins,
        most_pins=MOST_PINS,
        printable=PRINTS,
        title=variant_words(wish.variant) if wish.variant else "",
        base=base_words(wish),
        rules_apart=rules_apart(wish.variant.game) if wish.variant else "",
        **(found_context(wish, figures, pins) if figures else {}),
    )


def shared_page(site: Site, wish: Wish, shared: SharedVariant, job: FigureJob | None, promise: DealPromise) -> str:
    """The page of a shared variant; `job`: its figures, made again."""
    assert wish.variant
    info, again = game_info(wish.name, site.lang), ""
    if job is not None:
        games = count(job.figures.games if job.figures else 0), count(shared.figures.games)
        again = job.refused or "Made again: {} of {} games …".format(*games)
        if job.figures and job.figures.done:
            again = agreement(shared, job.figures)
    return render(
        "workshop_shared.html",
        site,
        game_catalogue(site, wish.name),
        info=info,
        wish=wish,
        shared=shared,
        found=shared.figures,
        pins=[],
        again=again,
        waits=job is not None and not job.done,
        promise=promise,
        printable=PRINTS,
        variant=wish.variant,
        title=variant_words(wish.variant),
        base=variant_words(wish.pins[0]) if wish.pins else base_words(wish),
        apart=again.startswith("They don't"),
        **found_context(wish, shared.figures, []),
    )


def fault_text(fault: Fault, before: RuleFunction, written: str) -> str:
    """What is wrong where a function was rewritten; the line as its writer counts it."""
    line = 0 if fault.line is None else fault.line - before.line + 1
    if not 0 < line <= len(written.splitlines()):
        return str(fault.text)
    why = re.sub(rf"^.*?{RULES}(, line \d+, fails| can't be loaded): | \({RULES}, line \d+\)", "", str(fault.text))
    return f"Line {line} here: {why}"


# --- the form ---------------------------------------------------------------------------------------------------------
def knob(wish: Wish, option: Option, lang: str) -> Knob:
    """The field of an option."""
    field, usual = option_field(wish.name, option, lang, wish.given), option_field(wish.name, option, lang, {}).value
    fault = str(wish.faults[option.name]) if option.name in wish.faults else ""
    changed = wish.variant is not None and option.name in wish.variant.changed
    title = dict(field.values).get(usual, usual)
    common: dict[str, Any] = {"fault": fault, "changed": changed or bool(fault), "usual": title}
    if isinstance(option, Deck):
        allowed = say("at most {copies} of a number, {cards} in all", copies=MAX_COPIES, cards=MAX_DECK)
        counts = dict(option.named).get(field.value)
        typed = [str(count) for count in counts] if counts else field.value.split("-")
        cells = tuple((typed + ["0"] * 10)[:10])  # the copies of each number, or what was typed where that is no deck
        return Knob(field, cells, allowed=str(allowed), high=MAX_COPIES, **common)
    if isinstance(option, Numbers):
        text = (
            _("each from {low} to {high}; for fewer, leave some empty")
            if option.least < option.most
            else _("each from {low} to {high}")
        )
        allowed = say(text, low=option.low, high=option.high)
        cells = tuple((field.value.split("-") + [""] * option.most)[: option.most])
        names = tuple(map(str, option.names))
        return Knob(field, cells, names, allowed=str(allowed), low=option.low, high=option.high, **common)
    return Knob(field, slider=slider(option, usual) if isinstance(option, Number) else None, **common)


def slider(option: Number, usual: str) -> tuple[int, int]:
    """From where to where a number's slider goes."""
    if option.high - option.low <= LONG:
        return option.low, option.high
    return option.low, min(option.high, max(SLIDES * int(usual), option.low + LONG))


# --- figures ----------------------------------------------------------------------------------------------------------
def found_context(wish: Wish, figures: Figures, pins: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the template shows of figures."""
    percent = None if figures.margin is None else 100 * figures.margin
    margin = "" if percent is None else str(number(percent, digits_for(percent)))
    headline, *findings = figures.found or ("The first figures are in; more games make them certain.",)
    return {
        "headline": headline,
        "rest": findings,
        "plot": safe(plot(wish, figures)),
        "groups": [group(wish, figures, name, pins) for name in GROUPS if of_group(figures, name)],
        "games": str(count(figures.games)),
        "margin": margin,
        "command": command(wish, figures),
    }


def of_group(figures: Figures, name: str) -> list[FigureRow]:
    """The rows of a group."""
    return [row for row in figures.rows if row.group == name]


def plot(wish: Wish, figures: Figures) -> str:
    """The seats' shares around a fair one, or how they change."""
    compared, marks = wish.base is not None, []
    for row in of_group(figures, "shares"):
        ends = row.shift if compared else row.ends
        if ends is not None:
            value, low, high = (end - (0.0 if compared else figures.fair) for end in ends)
            label = row.difference if compared else row.value
            marks.append(IntervalMark(row.title, value, low, high, label, row.sure))
    if not marks:
        return ""
    middle = "no change" if compared else f"fair: {number(figures.fair, 1)} %"
    far = reach(marks)
    return plot_rows(marks, TITLES["shares"][figures.place], middle, (str(signed(-far, 0)), str(signed(far, 0))))


def group(wish: Wish, figures: Figures, name: str, pins: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The rows of a group, with those of the pins beside them."""
    rows = of_group(figures, name)
    title = f"Mean result, {figures.unit}" if name == "results" else TITLES[name][figures.place]
    return {"title": title, "lines": [line(wish, row, pins) for row in rows]}


def line(wish: Wish, row: FigureRow, pins: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A row as the template shows it."""
    pinned_rows = [pin["rows"].get(row.name) for pin in pins]
    cells = [pinned.value if pinned else "–" for pinned in pinned_rows]
    out = {
        "title": row.title,
        "value": row.value,
        "sure": row.sure,
        "plot": "",
        "difference": row.difference,
        "pins": cells,
    }
    if wish.base is not None and row.shift is not None:
        value, low, high = row.shift
        mark = IntervalMark("", value, low, high, "", row.sure)
        out["plot"] = safe(cell(mark, reach([mark], 0.01)))
    return out


def pin_context(wish: Wish, k: int, job: FigureJob) -> dict[str, Any]:
    """A pinned variant as a column."""
    pin, figures = wish.pins[k], job.figures
    pins = [rival for rival in wish.pins if rival is not pin]
    return {
        "letter": LETTERS[k],
        "title": variant_words(pin),
        "query": pin.query,
        "current": wish.against == str(k),
        "rows": {row.name: row for row in figures.rows} if figures else {},
        "games": str(count(figures.games)) if figures else "",
        "comparable": wish.comparable(pin) and pin != wish.variant,
        "without": wish.query(pins=pins, against=""),
        "against": wish.query(against=str(k)),
    }


def variant_words(variant: Variant) -> str:
    """A variant in words: what is changed, with how many players."""
    game, parts = variant.game, list[str]()
    for option in game.rules.OPTIONS:
        if option.name in variant.changed:
            typed = variant.changed[option.name]
            value = dict(option_field(game.name, option, "en", {}).values).get(typed)
            value = value or option.explained(option.read(typed)) or typed
            parts.append(f"{option.about}: {value}")
    set_here = ", ".join(pairs(game))  # options that tables set, which a report leaves at their defaults
    unchanged = f"the game as tables play it ({set_here})" if set_here else "the game as it is"
    return " · ".join([f"{game.players} players", *(parts or [unchanged])])


def base_words(wish: Wish) -> str:
    """What the variant is compared with, in words."""
    if wish.base is None:
        return ""
    if wish.against:
        return f"variant {LETTERS[int(wish.against)]}"
    return "the game as it is" if wish.base.name == wish.name else game_info(wish.base.name, "en").title


def command(wish: Wish, figures: Figures) -> str:
    """The command that plays the same games."""
    assert wish.variant
    variant, base = wish.variant, wish.base
    bots = f" --bots {' '.join(variant.bots)}" if set(variant.bots) != {"house"} else ""
    ends, program = f"{bots} --games {figures.games}", shlex.join(["hexdeck", *path_options(wish.name)])
    if base is None:
        options = "".join(f" --option {pair}" for pair in pairs(variant.game))
        return f"{program} simulate {wish.name} --players {variant.game.players}{options}{ends}"
    a, b = (
        f" --{side} {' '.join(changes)}" if (changes := pairs(game)) else ""
        for side, game in (("a", base), ("b", variant.game))
    )
    fork = f" --fork {wish.name}" if base.name != wish.name else ""
    return f"{program} compare {base.name}{fork} --players {variant.game.players}{a}{b}{ends} --precision 0.01"


def pairs(game: GameSetup) -> list[str]:
    """The options of a game that a command needs, as `key=value`."""
    return [
        f"{option.name}={option.spell(game.options[option.name])}"
        for option in game.rules.OPTIONS
        if game.options[option.name] != option.default
    ]


# --- tuning -----------------------------------------------------------------------------------------------------------
ROWS = 3  # of aims, at least, that are on the page


def tune_page(
    site: Site, wish: TuneWish, jobs: Sequence[FigureJob], promise: DealPromise, *, measured: bool, fault: Text | None
) -> str:
    """The page; `measured`: whether the address says to tune, `fault`: why it can't be."""
    info, variant = game_info(wish.base.name, site.lang), wish.base.variant
    aims = [row for row in wish.rows if row.typed]
    aims += [AimRow()] * min(max(1, ROWS - len(aims)), MOST_AIMS - len(aims))
    options = [offer(wish, option) for option in wish.game.rules.OPTIONS]
    offered = {value for option in options for value, _label, _ticked in option["values"]}
    return render(
        "workshop_tune.html",
        site,
        game_catalogue(site, wish.base.name),
        info=info,
        wish=wish,
        title=variant_words(variant) if variant else "",
        base=variant,
        aims=aims,
        measures=[*measurable(wish.game).items()],
        options=[option for option in options if option["values"]],
        typed=" ".join(word for word in wish.vary if word not in offered),
        numbers=(FRONT, MOST, TUNED),
        promise=promise,
        waits=measured and not all(job.done for job in jobs),
        measured=measured,
        fault=fault,
        front=safe(front_part(site, wish, jobs)) if measured else "",
    )


def offer(wish: TuneWish, option: Option) -> dict[str, Any]:
    """An option with the values that can be ticked: as they are typed, in words, and whether they are."""
    names, cases = option.choices(), trials(wish.game, [option.name])
    values = [
        (trial.change, names.get(trial.change.partition("=")[2], trial.change.partition("=")[2])) for trial in cases
    ]
    ticked = {*wish.vary}
    return {
        "about": option.about,
        "name": option.name,
        "values": [(change, text, change in ticked or option.name in ticked) for change, text in values],
    }


def front_part(site: Site, wish: TuneWish, jobs: Sequence[FigureJob]) -> str:
    """The part of the page that changes: how far it is, then the rule sets."""
    job = jobs[0] if jobs else FigureJob()
    front = job.front or Front("", [], [], [], [], done=False)
    rule_sets = [(wish.variant(options), cells) for options, cells in front.rows]
    return render(
        "workshop_front.html",
        site,
        game_catalogue(site, wish.base.name),
        info=game_info(wish.base.name, site.lang),
        job=job,
        front=front,
        rule_sets=[(variant.query, cells) for variant, cells in rule_sets],
        shows=SHOWS,
        command=tune_command(wish),
    )


def tune_command(wish: TuneWish) -> str:
    """The command that finds the same."""
    game = wish.game
    options = [word for pair in pairs(game) for word in ("--option", pair)]
    aims = [word for aim in wish.aims for word in ("--want", aim)]
    return shlex.join(
        [
            "hexdeck",
            *path_options(game.name),
            "tune",
            game.name,
            "--players",
            str(game.players),
            *options,
            *aims,
            "--vary",
            *wish.vary,
        ]
    )
