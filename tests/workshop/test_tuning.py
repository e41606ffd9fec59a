"""Tuning in the workshop: the form, what is wrong said in a sentence, the rule sets with ways to open and play them."""

import html
import re
from urllib.parse import urlencode

import pytest

import hexdeck
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab import tuning
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.workshop import TUNING, Inquiry
from hexdeck.tables.errors import TooMany
from hexdeck.web.server.settings import Limits
from hexdeck.web.server.workshop import Workshop, read_tune_wish
from tests.loops import in_a_loop
from tests.support import until
from tests.web.serving import Person, Served, get

AIMED = [("players", "2"), ("aim", "minutes"), ("low", "8"), ("high", ""), ("end", ""), ("vary", "deals=2 deals=4")]
PAGE = "/workshop/hawthorn/tune"


def asked(*pairs: tuple[str, str]) -> str:
    return f"{PAGE}?{urlencode([*pairs, ('measure', '1')])}"


def test_rows_become_the_aims_of_the_command() -> None:
    rows = [("minutes", "15", "20", ""), ("seats", "", "1", ""), ("", "", "", ""), ("drama", "", "", "more")]
    fields = [pair for row in rows for pair in zip(("aim", "low", "high", "end"), row, strict=True)]
    wish = read_tune_wish("hawthorn", urlencode([*fields, ("vary", "deals"), ("vary", "chips=50 fold_price")]))
    assert wish.fault is None and wish.vary == ("deals", "chips=50", "fold_price")
    assert wish.aims == ("minutes 15 to 20", "seats at most 1", "drama more")
    (inquiry,) = wish.asked
    assert (inquiry.aims, inquiry.vary, inquiry.game) == (wish.aims, wish.vary, GameSetup.at_table("hawthorn", 4))


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("vary", "deals")], "Choose at least one measure that you want something of."),
        ([("aim", "seats"), ("high", "1")], "Choose at least one value to try."),
        ([("high", "1"), ("vary", "deals")], "Choose a measure."),
        ([("aim", "seats"), ("vary", "deals")], "Say what you want of it: limits, or"),
        ([("aim", "seats"), ("high", "few"), ("vary", "deals")], "Not a number: few."),
        ([("aim", "turns"), ("low", "9"), ("high", "3"), ("vary", "deals")], "At least (9) is above at most (3)."),
        ([("aim", "seats"), ("high", "-1"), ("vary", "deals")], "'seats at most -1' can't be met"),
        ([("aim", "seats"), ("high", "1"), ("end", "more"), ("vary", "deals")], "Say what you want of it: limits, or"),
        ([("aim", "settled"), ("end", "more"), ("vary", "deals")], "'settled more' says nothing of hawthorn."),
        ([("aim", "seats"), ("high", "1"), ("vary", "dealz")], "did you mean deals?"),
        ([("aim", "seats"), ("high", "1"), ("vary", "deals=0")], "can't be 0"),
        ([("aim", "seats"), ("high", "1"), ("vary", "deals"), ("option-chips", "0")], "can't be 0"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(site: Served, pairs: list[tuple[str, str]], why: str) -> None:
    answer = Person(site.base).get(asked(*pairs))
    (said,) = re.findall(r'<p class="fault" id="fault-aim[^>]*autofocus>([^<]*)</p>', html.unescape(answer.text))
    assert answer.status_code == 400 and why in said and said.endswith(".")
    assert 'id="headline"' not in answer.text and not site.app.state.workshop.looks


def test_rule_sets_are_those_of_the_command_each_to_be_opened_and_played(site: Served) -> None:
    ann = Person(site.base)
    assert 'id="headline"' not in ann.get(PAGE).text
    page = until(lambda: 'id="all"' in (text := ann.get(asked(*AIMED)).text) and html.unescape(text))
    found = tuning.tuned(
        tuning.tune(
            SimulationSetup(GameSetup.at_table("hawthorn", 2)),
            [tuning.Aim.read("minutes at least 8")],
            ["deals=2", "deals=4"],
            10_000,
        )
    )
    assert all(cell in page for section in found.tables for row in section.rows for cell in row)
    assert found.findings[0] in page and "hexdeck tune hawthorn --players 2" in page
    assert "/workshop/hawthorn?players=2&option-deals=4" in page
    promise = re.findall(r'name="promise"[^>]* value="([^"]*)"', page)[0]
    (variant,) = re.findall(r'name="variant" value="([^"]*deals=4)"', page)
    ann.begins({"variant": variant, "promise": promise}, "/workshop/hawthorn/play")
    assert site.state.registry.tables[ann.table].game == hexdeck.game("hawthorn", 2, deals=4)
    stream = get(f"{site.base}{PAGE}/stream?{urlencode(AIMED)}").text  # what was found is there at once
    assert "event: figures" in stream and 'id="all"' in stream and "event: done" in stream


@in_a_loop
async def test_a_tuning_counts_as_several_variants() -> None:
    place, game = Workshop(Limits(measured_each=TUNING), ("true",)), GameSetup.named("hawthorn", 2)

    def aimed(aim: str) -> Inquiry:
        return Inquiry(game, ("house",) * 2, aims=(aim,), vary=("deals",))

    with place.looking([aimed("turns more")], "here"):
        with pytest.raises(TooMany, match="at your address"):
            place.begin([aimed("turns less")], "here")
        with place.looking([aimed("turns less")], "there"):
            pass
    place.close()
