"""The playtest lab: what happens in many games of a game, what a change of a rule does, and how sure that is."""
