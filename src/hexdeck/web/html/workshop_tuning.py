"""The page of the workshop that tunes: aims and what to vary, then the rule sets that come nearest; in English."""

import shlex
from collections.abc import Sequence
from typing import Any

from hexdeck.engine.discovery.finding import path_options
from hexdeck.engine.options import Option
from hexdeck.engine.text import Text
from hexdeck.lab.effects import trials
from hexdeck.lab.tuning import FRONT, MOST, SHOWS, TUNED, Front, measurable
from hexdeck.web.html.games import game_info
from hexdeck.web.html.rendering import DealPromise, Site, game_catalogue, render, safe
from hexdeck.web.html.workshop import pairs, variant_words
from hexdeck.web.server.workshop import FigureJob
from hexdeck.web.server.workshop_tuning import MOST_AIMS, AimRow, TuneWish

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
        command=command(wish),
    )


def command(wish: TuneWish) -> str:
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
