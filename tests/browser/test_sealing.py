"""A browser seals words for the shuffle, and shows them when every seat is taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.serving import Person, Served, until


@pytest.fixture
def someone(browser: Any, site: Served) -> Iterator[Callable[[], Any]]:
    """Makes people with a browser of their own each."""
    contexts = []

    def made() -> Any:
        contexts.append(browser.new_context(base_url=site.base, reduced_motion="reduce"))
        return contexts[-1].new_page()

    yield made
    for context in contexts:
        context.close()


def test_two_browsers_seal_words_and_show_them_when_both_sit(someone: Callable[[], Any], site: Served) -> None:
    ann, ben = someone(), someone()
    ann.goto("/new/hawthorn?players=2")
    ann.locator("#seat-1").select_option("open")
    ann.locator(".adding summary").last.click()
    ann.locator("#contribution").last.press_sequentially("rye")
    ann.locator("form:has(#seat-1) button.button").last.click()
    ann.wait_for_url("**/table/*")
    table = site.state.registry.tables[ann.url.rpartition("/")[2]]
    assert re.fullmatch("[0-9a-f]{64}", table.seats[0].sealed) and not table.seats[0].contribution
    ben.goto(ann.locator("#link-1").input_value())
    ben.locator(".adding summary").click()
    ben.locator("#contribution").press_sequentially("barley")
    ben.get_by_role("button", name="Take this seat").click()
    ben.wait_for_url("**/table/*")
    until(lambda: table.state == "playing")
    assert [re.sub(" [0-9a-f]{32}$", "", seat.contribution) for seat in table.seats] == ["rye", "barley"]
    assert all(seat.sealed for seat in table.seats)
    assert [ann.evaluate("localStorage.length && Object.keys(localStorage).filter(k => k.startsWith('sealed')).length"),
            ben.evaluate("Object.keys(localStorage).filter(k => k.startsWith('sealed')).length")] == [0, 0]  # fmt: skip
    page = Person(site.base).get(f"/table/{table.id}/fair").text
    assert all(seat.sealed in page and seat.contribution not in page for seat in table.seats)
