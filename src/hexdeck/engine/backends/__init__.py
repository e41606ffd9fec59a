"""How rules run: as machine code, or interpreted with every index checked."""
