"""A whole match by ear and by keys: what a screen reader is told, and Tab, arrows, digits, Space and Enter, alone."""

import itertools
import random
import re
from collections import Counter
from typing import Any, NamedTuple

import hexdeck
from hexdeck.web.html.table_page import ABOUT
from tests.browser.test_live import set_table, site, someone  # noqa: F401 - fixtures
from tests.settings import every_game

TABS = 90  # presses of Tab after which a cell must have been found
PLACED = re.compile(r"\bat [a-z]\d+\b", re.IGNORECASE)
SECOND = 1_000  # milliseconds


class Heard(NamedTuple):
    """What a screen reader says of an element."""

    role: str
    name: str


class Reader:
    """Somebody who hears the page and has only keys."""

    def __init__(self, page: Any, seed: int) -> None:
        self.page, self.rng = page, random.Random(seed)
        self.wire = page.context.new_cdp_session(page)

    def tree(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.wire.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in found if not node.get("ignored")]

    def hears(self, role: str, name: str) -> bool:
        return any(heard(node) == Heard(role, name) for node in self.tree())

    def focus(self) -> Heard:
        return next((heard(node) for node in self.tree() if is_focused(node)), Heard("", ""))

    def press(self, key: str) -> Heard:
        """Press a key; what has the focus then."""
        self.page.keyboard.press(key)
        return self.focus()

    def asks(self, key: str) -> str:
        """Ask about the table by a key; what a polite live region says then that none said before.

        A key that only skipped what was being shown is pressed again.
        """
        before = self.said()
        for look in itertools.count():
            if look % 40 == 0:
                self.page.keyboard.press(key)
            self.page.wait_for_timeout(SECOND / 20)
            if new := self.said() - before:
                break
        return next(iter(new))

    def said(self) -> Counter[str]:
        nodes = {node["nodeId"]: node for node in self.tree()}
        polite = [node for node in nodes.values() if heard(node).role == "status" and has(node, "live", "polite")]
        return Counter(filter(None, (words_below(node, nodes) for node in polite)))

    @property
    def over(self) -> bool:
        """Whether the match has ended: the page leads to the replay then."""
        return self.hears("link", "Watch replay")

    def decides(self) -> bool:
        """Make a decision, if there is one; whether there was."""
        if self.places():
            return True
        focus = self.press(str(self.rng.randint(1, 4)))
        if focus.role not in {"button", "checkbox"}:
            focus = self.press("1")
        if focus.role == "checkbox":
            return self.puts_together()
        if focus.role == "button":
            self.press("Enter")
        return focus.role == "button"

    def puts_together(self) -> bool:
        """Choose cards with Space until a button plays them together."""
        for digit in "".join(self.rng.sample("1234", 4)):
            if self.press(digit).role == "checkbox":
                self.press("Space")
            buttons = [heard(node) for node in self.tree() if heard(node).role == "button" and not is_disabled(node)]
            found = next((name for _, name in buttons if re.match(r"Pass .* and ", name)), "")
            for _ in range(TABS if found else 0):
                if self.press("Tab").name == found:
                    self.press("Enter")
                    return True
        return False

    def places(self) -> bool:
        """Go to a cell of the board where something can be put, and put it there."""
        cells = [heard(node).name for node in self.tree() if heard(node).role == "button"]
        if not any(PLACED.search(name) for name in cells):
            return False
        steps = self.rng.randint(0, 3)
        for _ in range(TABS):
            if PLACED.search(self.press("Tab").name):
                for _ in range(steps):
                    self.press("ArrowRight")
                self.press("Enter")
                return True
        return False


def heard(node: dict[str, Any]) -> Heard:
    return Heard(str(node.get("role", {}).get("value", "")), str(node.get("name", {}).get("value", "")))


def is_focused(node: dict[str, Any]) -> bool:
    return heard(node).role != "RootWebArea" and has(node, "focused")


def is_disabled(node: dict[str, Any]) -> bool:
    return has(node, "disabled")


def has(node: dict[str, Any], name: str, value: Any = True) -> bool:
    return any(each["name"] == name and each["value"].get("value") == value for each in node.get("properties", ()))


def words_below(node: dict[str, Any], nodes: dict[str, dict[str, Any]]) -> str:
    below = [words_below(nodes[child], nodes) for child in node.get("childIds", ()) if child in nodes]
    return " ".join(filter(None, below)) or (heard(node).name if heard(node).role == "StaticText" else "")


@every_game
def test_a_match_is_played_by_ear_and_keys(someone: Any, name: str) -> None:  # noqa: F811
    page = someone()
    set_table(page, name, [], min(hexdeck.game(name).rules.PLAYERS))
    reader, decided = Reader(page, 3), 0
    page.wait_for_load_state("load")
    assert reader.asks("w").startswith(page.locator("#prompt").inner_text())
    while not reader.over:
        decided += reader.decides()
        page.wait_for_timeout(SECOND / 10)
    assert decided
    assert len({reader.asks(key) for key, _name in ABOUT.values()}) == len(ABOUT)
