"""Rings and marks of cards and cells are told apart by their shape: colours may look the same to who sees them."""

from __future__ import annotations

import pytest

SHAPES = """() => {
  const blank = (style) => style.replace(/rgba?\\([^)]*\\)|color\\([^)]*\\)/g, "colour");
  const shape = (node) => {
    const art = node.querySelector(".art") ?? node, own = getComputedStyle(node), drawn = getComputedStyle(art);
    const all = [own.outlineStyle, own.boxShadow, drawn.outlineStyle, drawn.boxShadow];
    return blank([...all, getComputedStyle(node, "::after").content].join(" | "));
  };
  const found = {}, first = (selector) => document.querySelector(selector);
  for (const [node, names] of [[first(".hand .card"), KINDS.card], [first(".cell.taken"), KINDS.cell]]) {
    if (!node) continue;
    const all = ["legal", "idle", "latest-cell", "lit", "marked"];
    const plain = [...node.classList].filter((name) => !all.includes(name));
    for (const name of names) {
      node.className = [...plain, ...name.split(" ")].join(" ");
      found[`${node.matches(".cell") ? "cell" : "card"} ${name}`] = shape(node);
    }
  }
  return found;
}"""
KINDS = {"card": ["legal", "legal armed", "idle", "marked", "lit"], "cell": ["taken", "latest-cell", "lit", "armed"]}


@pytest.mark.parametrize(("page", "marks"), [("wolf-mans-curse-middle", 5), ("high-handed-middle", 9)])
def test_rings_and_marks_differ_in_shape(visit, page, marks):
    for theme in ("light", "dark"):
        found = visit(f"{page}-{theme}", java_script_enabled=True).evaluate(SHAPES.replace("KINDS", f"({KINDS})"))
        for kind in ("card", "cell"):
            shapes = [shape for name, shape in found.items() if name.startswith(kind)]
            assert len(set(shapes)) == len(shapes), found
        assert len(found) == marks
