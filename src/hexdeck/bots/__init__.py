"""Bots: they decide from a concealed struct and from nothing else."""
