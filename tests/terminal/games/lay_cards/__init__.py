"""A made-up game for two: cards on a board of nine cells. Ann holds 7h 10h Kd, Ben 7c 2s Ac."""
