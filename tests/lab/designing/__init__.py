"""A designer's questions: the shape of a match, luck and skill, what if."""
