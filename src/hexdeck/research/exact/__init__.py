"""Exact game theory on whole trees of small games: best responses, NashConv, CFR+ and external sampling."""

from hexdeck.research.exact.sizing import Size, sized, sizes
from hexdeck.research.exact.tree import GameTree, Policy

__all__ = ["GameTree", "Policy", "Size", "sized", "sizes"]
