"""Rings and marks of cards, cells and seats differ in shape: colours may look the same to who sees them."""

import io
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from tests.support import until

KINDS = {
    ".hand .card": ["legal", "legal armed", "legal advised", "idle", "marked", "lit"],
    ".cell.taken": ["taken", "taken latest-cell", "taken lit", "taken armed", "taken advised"],
    "#seats > .plate": ["seat", "seat acting", "seat lit", "seat away"],
    ".moves .button": ["plain", "plain advised"],
}
SHOW = """([selector, name]) => {
  const node = document.querySelector(selector);
  if (!node) return null;
  const all = ["legal", "armed", "advised", "idle", "latest-cell", "lit", "marked", "acting", "away"];
  node.dataset.plain ??= [...node.classList].filter((each) => !all.includes(each)).join(" ");
  node.className = `${node.dataset.plain} ${name}`;
  const { x, y, width, height } = node.getBoundingClientRect(), wide = node.matches(".plate") ? 0 : 12;
  return { x: Math.max(0, x - wide), y: Math.max(0, y - 18), width: width + 2 * wide, height: height + 30 };
}"""
SPRITE_IS_THERE = (
    "performance.getEntriesByType('resource').some((each) => /sprite/.test(each.name) && each.responseEnd)"
)
STYLE = "css => document.head.append(Object.assign(document.createElement('style'), { textContent: css }))"
DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
LEVELS, PART = 32, 0.006  # of 256: a difference in lightness that is seen; the part of the pixels that must have one


ONLY_HUE = """.hand .card { transform: none !important } .hand .card .art { box-shadow: 0 0 0 4px #c04040 !important }
  .hand .card.armed .art { outline: none !important; box-shadow: 0 0 0 4px #2f7a52 !important }"""


def opened(visit: Any, name: str, sight: str) -> Any:
    """A page as somebody with a colour blindness sees it; without its script, which takes marks away again."""
    page = visit(name, viewport={"width": 390, "height": 844}, reduced_motion="reduce", java_script_enabled=False)
    page.wait_for_load_state("networkidle")
    until(lambda: page.wait_for_timeout(10) or page.evaluate(SPRITE_IS_THERE))  # faces and cards are drawn from it
    page.evaluate(STYLE, "* { transition: none !important }")
    page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
    return page


def at_rest(page: Any, clip: dict[str, float]) -> bytes:
    """A picture of a part of the page, once all of it is drawn: it is as the one before."""
    shots = [page.screenshot(clip=clip)]
    until(lambda: shots.append(page.screenshot(clip=clip)) or shots[-1] == shots[-2])
    return bytes(shots[-1])


def pictures(page: Any, selector: str) -> dict[str, Image.Image]:
    found = {}
    for name in KINDS[selector]:
        clip = page.evaluate(SHOW, [selector, name])
        if clip:
            found[name] = Image.open(io.BytesIO(at_rest(page, clip))).convert("L")
    return found


def differ(one: Image.Image, other: Image.Image) -> float:
    small = min(one.width, other.width), min(one.height, other.height)
    there = ImageChops.difference(one.crop((0, 0, *small)), other.crop((0, 0, *small)))
    return sum(there.histogram()[LEVELS:]) / (small[0] * small[1])


@pytest.mark.parametrize(("name", "kinds"), [("wolf-mans-curse-middle", 2), ("high-handed-middle", 3), ("hinted", 2)])
def test_rings_and_marks_are_told_apart_with_each_colour_blindness(visit, name, kinds):
    for theme, sight in zip(("light", "dark", "light", "dark"), DEFICIENCIES, strict=True):
        page = opened(visit, f"{name}-{theme}", sight)
        shown = {selector: found for selector in KINDS if (found := pictures(page, selector))}
        assert len(shown) >= kinds, shown
        alike = {
            (selector, a, b): round(part, 4)
            for selector, found in shown.items()
            for a, b in combinations(found, 2)
            if (part := differ(found[a], found[b])) < PART
        }
        assert alike == {}, (theme, sight)


def test_marks_that_only_differ_in_hue_are_found(visit):
    page = opened(visit, "wolf-mans-curse-middle-light", "achromatopsia")
    page.evaluate(STYLE, ONLY_HUE)
    found = pictures(page, ".hand .card")
    assert differ(found["legal"], found["legal armed"]) < PART <= differ(found["legal"], found["marked"])
