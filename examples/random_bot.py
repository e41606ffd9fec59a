"""A program for `hexdeck tournament GAME house 'run:python3 examples/random_bot.py'`: any legal move, any game."""

import json
import random
import sys

for line in sys.stdin:
    table = json.loads(line)
    if table["state"] == "playing":
        move = random.choice(table["view"]["moves"])
        print(json.dumps({"move": move["id"], "version": table["version"]}), flush=True)
