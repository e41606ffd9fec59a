"""People who talk, share a device and keep score, in a real browser."""

from typing import Any

import pytest

from tests.browser.test_live import join, set_table, site, someone  # noqa: F401 - fixtures

PHONE = {"viewport": {"width": 390, "height": 844}}
HAND = ".hand .card"


def cards(page: Any) -> list[str]:
    return page.locator(HAND).evaluate_all("all => all.map((node) => node.dataset.code)")


def test_what_is_said_comes_to_the_other_page_and_what_is_being_typed_stays(someone: Any) -> None:  # noqa: F811
    ann, ben = someone(**PHONE), someone()
    set_table(ann, "hawthorn", ["open"], players=2)
    join(ben, ann.locator(".invites input").first.input_value(), "Ben")
    ann.locator("#beside > summary").click()
    ann.locator("#talk summary").click()
    ann.fill("#words", "half a sen")
    ben.locator("#beside > summary").click()
    ben.locator("#talk summary").click()
    ben.locator("#phrase-luck").click()
    ann.wait_for_selector("#said-0")
    assert ann.locator("#said").evaluate("node => getComputedStyle(node).opacity") == "1"
    assert ann.input_value("#words") == "half a sen"
    ann.locator("#words").press("Enter")
    ben.wait_for_selector("#said-1")
    assert ben.locator("#said-1 span").inner_text() == "half a sen"
    ann.wait_for_function("() => document.getElementById('words').value === ''")


def test_what_is_said_is_seen_where_the_talk_is_folded(someone: Any) -> None:  # noqa: F811
    ann, ben = someone(**PHONE), someone()
    set_table(ann, "hawthorn", ["open"], players=2)
    join(ben, ann.locator(".invites input").first.input_value(), "Ben")
    ben.locator("#beside > summary").click()
    ben.locator("#talk summary").click()
    ben.locator("#phrase-luck").click()
    ann.locator("#bubble span", has_text="Ben: Good luck!").wait_for()
    assert not ann.locator("#words").is_visible()


@pytest.mark.usual
def test_between_two_people_on_a_device_the_page_holds_no_hand_and_going_back_brings_none(
    someone: Any,  # noqa: F811
) -> None:
    page = someone(**PHONE)
    page.goto("/new/hawthorn?players=2")
    page.fill("#name", "Anna")
    assert not page.locator("#name-1").is_visible()
    page.select_option("#seat-1", "here")
    page.fill("#name-1", "Bram")
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_selector("#take-0")
    assert cards(page) == []
    page.locator("#take-0").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(HAND)
    first = page.locator(".legal").first
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#take-1")
    assert "Bram" in page.locator("h1").inner_text() and cards(page) == []
    page.get_by_role("link", name="My tables").click()
    page.wait_for_url("**/tables")
    page.go_back()
    page.wait_for_selector("#take-1")
    assert cards(page) == []
    page.locator("#take-1").click()
    page.wait_for_selector(HAND)
    page.locator("#cover-cards").click()
    page.wait_for_selector("#take-1")
    assert cards(page) == []
