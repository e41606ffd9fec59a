"""Research: bots, programs and language models on the same deals."""
