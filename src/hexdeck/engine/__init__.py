"""The engine: structs, chance, backends, records and the objects people use. It knows no game."""
