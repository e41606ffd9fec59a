"""What steps change is shown part by part: after them a page shows what lies on the table at the last."""

import random
import re

from hexdeck.tables.live import beats_for
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site
from hexdeck.web.routes import presenters
from tests.settings import every_game, much
from tests.web.serving import Served
from tests.web.test_secrecy import PLAYERS, sat_down

STEP, FELT = re.compile(r"<template .*?</template>", re.DOTALL), '<div class="felt'
PART = re.compile(r'(?=<\w+ (?:class="(?:seat plate|counts facts|middle|held)|role="group" class="zone board))')
ID = re.compile(r'id="([^"]+)"')


def parts(step: str) -> dict[str, str]:
    return {ID.search(part)[1]: part.removesuffix("</template>").rstrip() for part in PART.split(step)[1:]}  # type: ignore[index]


@every_game
def test_a_part_is_sent_with_the_step_that_changes_it(name: str, site: Served) -> None:
    """The first step has the whole felt; what later ones change of it makes it what the last one would draw anew."""
    rng, tables, later = random.Random(name), 0, 0
    while tables < much(2, 20):
        table, tables = sat_down(site, name, rng), tables + 1
        for _ in range(30):
            live = table.live
            for seat in range(-1, PLAYERS):
                version = live.version_for(seat)
                beats = beats_for(live, seat, version - 1)
                if not beats:
                    continue
                page = presenters.table_page(site.state, Site("en"), live, seat)
                first, *others = STEP.findall(table_page.steps(page, beats, version - 1))
                assert FELT in first
                shown = parts(first)
                for step in others:
                    shown = parts(step) if FELT in step else shown | parts(step)
                (last,) = STEP.findall(table_page.steps(page, beats[-1:], version - 1))
                drawn = parts(last)
                assert drawn.keys() == shown.keys() and all(drawn[id].startswith(part) for id, part in shown.items())
                later += len(others)
            if not table.move(rng):
                break
    assert later
