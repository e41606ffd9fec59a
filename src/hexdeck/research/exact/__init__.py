"""Exact game theory on whole trees of small games: best responses, NashConv, CFR+ and external sampling."""

from hexdeck.research.exact.tree import GameTree, Policy, Size, sized, sizes

__all__ = ["GameTree", "Policy", "Size", "sized", "sizes"]
