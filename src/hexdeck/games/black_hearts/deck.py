"""Black Hearts on paper, and tables of what is printed on its cards: the defaults of the options."""

from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.rulebook import PaperScores, Printed, PrintedCard, RulesTable
from hexdeck.engine.text import in_points, say
from hexdeck.games.black_hearts.bounds import most_rounds
from hexdeck.games.black_hearts.rules import OPTIONS, PLAYERS
from hexdeck.games.black_hearts.table import EFFECTS, codes_of
from hexdeck.games.black_hearts.values import GIFT_NAMES

NONE = "–"  # that many can't play with these cards


def printed_values():
    """What is printed: the defaults of the options."""
    return {option.name: option.default for option in OPTIONS}


def printed() -> Printed:
    """Its cards, its score sheet, and tables of what is printed on the cards."""
    values = printed_values()
    curse, points, fixed, copies, gifts = (
        _numbers(values[name])
        for name in ("curse_numbers", "curse_points", "fixed_numbers", "random_copies", "gift_copies")
    )
    worth = [in_points(value) for value in points]
    clock = [say("Two o'clock") if k == values["two_oclock"] else None for k in range(1, len(fixed) + 1)]
    signs = [f"gift-{gift.key.lower().replace(' ', '-')}" for gift in GIFT_NAMES]
    cards = (
        *(PrintedCard(f"card-C{number}", 1, text) for number, text in zip(curse, worth, strict=True)),
        *(PrintedCard(f"card-F{number}", 1, text) for number, text in zip(fixed, clock, strict=True)),
        *(PrintedCard(f"card-R{number}", value) for number, value in enumerate(copies, 1)),
        *(PrintedCard(sign, value, does) for sign, value, does in zip(signs, gifts, EFFECTS, strict=True)),
    )
    codes = codes_of(bytes(curse).ljust(6, b"\0"))[: len(curse)]
    columns, two_oclock = range(1, 7), fixed[values["two_oclock"] - 1]
    tables = {
        "curses": RulesTable(((say("Curse card"), *codes), (say("Points"), *points))),
        "numbers": RulesTable(
            (
                (say("Number"), *columns),
                (say("Curse cards, red"), *map(curse.count, columns)),
                (say("Fixed cards, blue"), *map(fixed.count, columns)),
                (say("of them Two o'clock"), *(int(number == two_oclock) for number in columns)),
                (say("Random cards, white"), *copies),
            )
        ),
        "gifts": RulesTable(((say("Gift card"), say("How many")), *zip(GIFT_NAMES, gifts, strict=True))),
        "players": _by_players(values),
    }
    return Printed(cards, PaperScores(say("Round"), 12), tables=tables)


def _by_players(values):
    """BH-4, BH-13: for each number of players, the Random cards in a round and the most rounds in a game."""
    columns = [(players, *_with(players, values)) for players in range(PLAYERS[0], PLAYERS[1] + 1)]
    heads = say("Players"), say("Random cards in a round"), say("Most rounds possible")
    return RulesTable(tuple((head, *row) for head, row in zip(heads, zip(*columns, strict=True), strict=True)))


def _with(players, values):
    """How many Random cards are dealt to that many players in a round, and the most rounds in a game."""
    try:
        chosen = GameSetup.named("black-hearts", players, **values)
    except BadOption:
        return NONE, NONE
    zones = Match(chosen, by_hand=True, backend="interpreted").view(-1).zones
    aside = sum(zone.hidden for zone in zones if zone.id == "aside")
    return sum(_numbers(values["random_copies"])) - aside, most_rounds(players, chosen.options)


def _numbers(joined: str) -> list[int]:
    return [int(number) for number in str(joined).split("-")]
