"""The games as text, for language models: prompts, a lenient reader of answers, and a player that counts refusals.

    import hexdeck
    from hexdeck.envs.text import ModelPlayer, prompt_of, read_answer

    match = hexdeck.game("cursed-hand", 3).match(7)
    question = prompt_of(match, match.actor)  # question.text: rules, what happened, what the seat sees, its moves
    answer = read_answer("I'll take number 1.", question.moves)  # answer.action, or answer.refused says why not

A prompt is made from what its seat knows, and nothing else. Where prompts are alike, observations are too.
"""

from hexdeck.research.prompt import (
    HISTORY,
    REASONS,
    TRIES,
    Ask,
    ModelAnswer,
    ModelCounts,
    ModelPlayer,
    Prompt,
    prompt_of,
    read_answer,
    rules_text,
    table_text,
)

__all__ = [
    "HISTORY",
    "REASONS",
    "TRIES",
    "Ask",
    "ModelAnswer",
    "ModelCounts",
    "ModelPlayer",
    "Prompt",
    "prompt_of",
    "read_answer",
    "rules_text",
    "table_text",
]
