"""What bots are called: names for who sits there, and in words what kind of bot plays."""

from hexdeck.bots.players.levels import TITLES
from hexdeck.engine.text import Text, _, say

BOT_NAMES = ("Ada", "Bram", "Cleo", "Dirk", "Elsa", "Finn", "Gwen", "Hugo", "Iris", "Joop")
KIND_NAMES = {
    "house": _("plays by habit"),
    "net": _("plays by instinct"),
    "random": _("plays at random"),
    "rollout": _("tries things out"),
    "search": _("thinks ahead"),
    "solved": _("plays perfectly"),
    "think": _("thinks twice"),
    "value": _("weighs the odds"),
}


def bot_text(bot: str) -> Text | None:
    """What kind of bot this is, in words; None for a program that isn't ours, whose name says it."""
    if bot in TITLES:
        return TITLES[bot]
    key = KIND_NAMES.get(bot.partition(":")[0])
    return say(key) if key else None
