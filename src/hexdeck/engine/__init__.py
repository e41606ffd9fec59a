"""The rules engine: structs, chance, compiled code, matches and records. It knows no particular game."""
