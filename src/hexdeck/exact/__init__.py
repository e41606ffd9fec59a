"""Exact game theory on whole trees of small games: best responses, NashConv, CFR+ and external sampling."""

from hexdeck.exact.sizing import Size, sized, sizes
from hexdeck.exact.tree import GameTree, Policy

__all__ = ["GameTree", "Policy", "Size", "sized", "sizes"]
