"""Bots by name: strategies, nets, solvers, levels; and bots on the seats of simulations and batches."""
