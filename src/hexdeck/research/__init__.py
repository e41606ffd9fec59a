"""Research: exact solving, a benchmark of learners, training, rating, language models, and tournaments of them all."""
