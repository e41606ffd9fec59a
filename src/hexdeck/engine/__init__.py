"""The rules engine: structs, chance, machine code, matches, records. It knows no game."""
