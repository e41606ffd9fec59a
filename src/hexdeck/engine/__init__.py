"""The engine: structs, chance, lanes, records and the objects people use. It knows no game."""
