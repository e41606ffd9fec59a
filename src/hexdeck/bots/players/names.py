"""What bots are called: names for who sits there, and in words what kind of bot plays."""

from hexdeck.bots.players.levels import TITLES
from hexdeck.bots.players.manners import MANNER_TITLES, manner_title
from hexdeck.bots.players.spoken_names import parted
from hexdeck.engine.text import Text, _, say

BOT_NAMES = ("Ada", "Bram", "Cleo", "Dirk", "Elsa", "Finn", "Gwen", "Hugo", "Iris", "Joop")
KIND_NAMES = {
    "house": _("plays by habit"),
    "net": _("plays by instinct"),
    "random": _("plays at random"),
    "response": _("punishes mistakes"),
    "rollout": _("tries things out"),
    "search": _("thinks ahead"),
    "solved": _("plays perfectly"),
    "think": _("thinks twice"),
    "value": _("weighs the odds"),
}


def bot_text(bot: str) -> Text | None:
    """What kind of bot this is, in words; None for a program that isn't ours, whose name says it."""
    plain, manner = parted(bot)
    if plain in TITLES:
        return manner_title(plain, manner) if manner else TITLES[plain]
    key = KIND_NAMES.get(plain.partition(":")[0])
    if not key:
        return None
    return say("{kind}, {manner}", kind=say(key), manner=MANNER_TITLES[manner]) if manner else say(key)


def grade_text(bot: str) -> Text | None:
    """The level that a bot plays at, with its manner; None for bots that are no levels."""
    return bot_text(bot) if parted(bot)[0] in TITLES else None
