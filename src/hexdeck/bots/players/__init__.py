"""Bots by name: strategies, nets, solvers, levels of play."""
