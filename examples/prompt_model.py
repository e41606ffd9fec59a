"""A player for `prompt:`, in the place of a language model: reads a prompt and answers with a random move, in prose.

hexdeck tournament hawthorn easy hard 'prompt:python3 examples/prompt_model.py' --players 2 --deals 4
"""

import random
import re
import sys

prompt = sys.stdin.read()
moves = re.findall(r"^\d+\. (.+)$", prompt.partition("# Your moves")[2], re.MULTILINE)
print(f"It is hard to say, but I choose:\n{random.choice(moves)}")
