"""Computer players. They decide from what their seat knows, and from nothing else."""
