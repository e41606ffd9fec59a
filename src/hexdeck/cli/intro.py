"""What `hexdeck` prints without a command."""

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.definition import definition, playable
from hexdeck.engine.text import Catalogue, say


def intro(words: Catalogue) -> str:
    """An introduction of one screen: what this is, the games, and commands to try."""
    t = words.words
    lines = [t(say("Hexdeck: card games for people and bots, at your terminal.")), ""]
    for name in playable():
        rules, table = definition(name).rules, definition(name).table
        low, high = rules.PLAYERS
        about = game_words(name, words.lang).words(table.ABOUT.tagline)
        lines.append(f"  {name:<17}{f'{low}–{high}':<6}{about}")
    lines += ["", t(say("Try one:"))]
    for command, about in examples(words):
        lines.append(f"  {command:<45}{about}")
    return "\n".join([*lines, "", t(say("hexdeck --help lists all commands, hexdeck help COMMAND explains one."))])


def examples(words: Catalogue) -> list[tuple[str, str]]:
    """Commands to try, and what each does."""
    t = words.words
    first = playable()[0]
    return [
        ("hexdeck play", t(say("pick a game and play against bots"))),
        (f"hexdeck play {first} --players 3", t(say("this one, three at the table"))),
        (f"hexdeck play {first} --hotseat", t(say("pass one screen around"))),
        (f"hexdeck rules {first}", t(say("how it is played, with an example"))),
        (t(say("hexdeck replay FILE")), t(say("step through a match again"))),
        (f"hexdeck simulate {first} --games 10000", t(say("let bots play, and see who wins"))),
        ("hexdeck games", t(say("all games and their options"))),
    ]
