"""What High Handed is played with (HH-1, HH-2): options, struct, actions, outcomes, reasons and slices."""

from hexdeck.engine.cards import STANDARD
from hexdeck.engine.layout import slices, starts, struct
from hexdeck.engine.options import THE_CARDS, THE_MATCH, Choice, Number, Seats, Switch
from hexdeck.engine.text import _, out_of, say
from hexdeck.games.high_handed.lines import CATEGORIES

PLAYERS = (2, 6)
SEATS = 6
STRUCT_VERSION = 3
ADDED = {  # fields of the struct, by the version that added them, and what an option was before if not the default
    2: ("first", "two_thieves", "lone_special", "starter"),
    3: {"uncle_bob": "ask", "suspect": None, "sneaked": None},
}
NONE = -1
CELLS = 64
REGULAR, KINDS = 52, 54
TIMER, THIEF = 52, 53

OPTIONS = (
    Number("rows", 8, "HH-2", say("Rows of the board"), 1, CELLS, group=THE_CARDS),
    Number("columns", 8, "HH-2", say("Columns of the board"), 1, CELLS, group=THE_CARDS),
    Number("two_timers", 2, "HH-1", say("Two Timers (one fewer with two or three players)"), 0, 4,
           group=THE_CARDS),
    Number("thieves", 2, "HH-1", say("Thieves (one fewer with two or three players)"), 0, 4,
           group=THE_CARDS),
    Choice("first", "first_seat", "HH-3", say("Who begins the first game"), ("first_seat", "lot")),
    Number("specials", 2, "HH-6", say("The most specials before the regular card in a turn"), 0, 3),
    Switch("two_thieves", False, "HH-8", say("A second Thief may go on the first in the same turn")),
    Choice("lone_special", "empty", "HH-9", say("Where a special may be played by itself"), ("empty", "anywhere")),
    Choice("strangers", "no", "HH-11", say("Whether other cards may lie between those of a poker hand"), ("no", "yes")),
    Choice("line_hands", "one", "HH-13", say("How many poker hands a card can score in one line"), ("one", "two")),
    Choice("new_hand", "overlap", "HH-14", say("When an older hand of the same kind stops a new one from scoring"),
           ("overlap", "line")),
    Switch("choose_pile", False, "HH-10", say("Players choose a pile each time they draw")),
    Choice("length", "regular", "HH-17", say("How long a match is"), ("regular", "double", "first_to_two"),
           group=THE_MATCH),
    Number("teams", 0, "HH-18", say("Number of teams (0: everyone plays alone)"), 0, 3, group=THE_MATCH),
    Switch("manual_draw", False, "HH-19", say("Players must ask for their cards, and may forget to")),
    Seats("grandpa_rule", "none", "HH-19", say("Seats that draw forgotten first-turn cards before their second turn"),
          SEATS, needs=("manual_draw", True)),
    Switch("uncle_bob_rule", False, "HH-19", say("Players may draw a card too many, and be accused of it"),
           needs=("manual_draw", True)),
    Choice("uncle_bob", "watch", "HH-19", say("When players are asked about a card too many"), ("ask", "watch")),
    Number("ranks", 13, "", say("Ranks in the deck, from the ace up, for study"), 1, 13),
    Number("suits", 4, "", say("Suits in the deck, for study"), 1, 4),
    Number("hand_cards", 0, "", say("Cards dealt to each player (0: as in the rules)"), 0, 7),
    Number("blind", 5, "HH-3", say("Cards in the blind hand"), 0, 5, group=THE_CARDS),
)  # fmt: skip
SINGLE, DOUBLE, FIRST_TO_TWO = 0, 1, 2
WATCH = 1

STRUCT = struct(
    OPTIONS,
    ("turn", "i8"),  # the seat whose turn it is; while dealing, the one that gets the next card
    ("picked", "i8"),  # the card whose cell is being chosen; hidden from the others
    ("cell", "i8"),  # where this turn's stack of cards is
    ("under", "i8"),  # what lay there before the turn, coded as on the board
    ("due", "i8"),  # cards still to be dealt or drawn
    ("bag", "i8"),  # regular cards that nobody has seen; concealed: all that the seat hasn't seen
    ("out", "i8"),  # regular cards under a special, out of the game
    ("hand", "i8", (SEATS,)),
    ("taken", "i8", (SEATS,)),  # regular cards taken from a hand unseen (HH-19)
    ("score", "i2", (SEATS,)),
    ("made", "i2", (CATEGORIES + 1,)),  # the number of hands of each category that have scored
    ("bag_x", "i1", (2,)),
    ("used_x", "i1", (2,)),  # specials that were played
    ("hand_x", "i1", (SEATS, 2)),
    ("taken_x", "i1", (SEATS, 2)),
    ("held", "i1", (SEATS,)),  # cards in each hand
    ("missing", "i1", (SEATS,)),  # cards taken from each hand unseen
    ("won", "i1", (SEATS,)),  # games won
    ("starter", "i1"),  # the seat that begins the first game (HH-3)
    ("turns", "i1", (SEATS,)),  # turns in this game: 0, 1, or 2 for two or more
    ("forgot", "i1", (SEATS,)),  # forgotten cards, to be drawn before the second turn (HH-19)
    ("choice", "i1", (SEATS,)),  # secret answers to a card too many
    ("pile", "i1", (2,)),  # cards in each pile
    ("board", "i1", (CELLS,)),  # the top card of each cell, as its number + 1; 0: empty
    ("phase", "i1"),
    ("stacked", "i1"),  # specials played in this turn
    ("doubled", "i1"),  # Two Timers among them
    ("from_pile", "i1"),
    ("late", "i1"),  # whether the cards due were forgotten in the first turn
    ("extra", "i1"),  # whether a card too many was drawn in this turn; under "watch": and was found out (HH-19)
    ("suspect", "i1", (SEATS,)),  # whether the seat's last turn is to be asked about before its next (HH-19, "watch")
    ("sneaked", "i1", (SEATS,)),  # 1 + the pile of a card too many, which lies face down until the next turn; 0: none
)
DEAL, CARD, CELL, STACK, PILE, ASK, DRAW, ANSWER, LOSE, DONE, LOT = range(11)

AT_CELL = KINDS
LEAVE = AT_CELL + CELLS
ASKED, FIRST_PILE, END, ACCUSE, LET_BE = LEAVE + 1, LEAVE + 2, LEAVE + 4, LEAVE + 5, LEAVE + 6
CARDS = (*STANDARD, "two-timer", "thief")
ACTIONS = (
    *(f"play {card}" for card in CARDS),
    *(f"cell {k + 1}" for k in range(CELLS)),
    "leave",
    "draw",
    "pile 1",
    "pile 2",
    "end turn",
    "accuse",
    "let be",
)
AT_SEAT = KINDS
OUTCOMES = (*(f"card {card}" for card in CARDS), *(f"seat {p}" for p in range(SEATS)))
# stops
BEGINS, DEALT, LAID, COVERED, ADDED_ON, LEFT, PLACED, DOUBLED, SCORED = range(1, 10)
DRAWN, FORGOT, ANSWERED, KEPT, ACCUSED, ACCUSED_TOO, FINED, LOST_CARD = range(10, 18)
GAME_OVER, GAME_WON, TURNED_UP, WON, GATHERED, TURN_OVER, WRONG, SEEN, CAUGHT = range(18, 27)
LIFTED = 27  # before it is covered by a Two Timer; LIFTED + 1: by a Thief
HAND = 29  # and so on: the hands that a card makes
ENDINGS = ("", "played out", "two games won")
PLAYED_OUT, TWO_WON = 1, 2

REASONS = ("", "HH-6", "HH-6", "HH-6", "HH-8", "HH-6", "HH-2", "HH-6", "HH-8", "HH-9", "HH-19", "HH-10", "HH-10",
           "HH-19", "HH-19", "HH-6", "HH-8", "HH-8", "HH-6", "HH-9")  # fmt: skip
(NO_CARD, NOT_HELD, TOO_MANY, THIEF_FIRST, NO_CELL, NOT_THERE, NOT_EMPTY, NO_COVER, NO_LEAVE, NO_DRAW, WHICH_PILE,
 NO_PILE, NO_END, NO_ANSWER, NEEDS_CARD, ONE_THIEF, TWO_THIEVES, TAKEN, TOO_FEW) = range(1, 20)  # fmt: skip

# Scores are written in base 100, the higher digit first, rounded down: 123 as 1 23, -5 as -1 95.
SLICES = slices(
    hand=KINDS, unseen=KINDS, ranks=CELLS, suits=CELLS, picked=KINDS, taken=KINDS, forgot=SEATS, game=1, held=SEATS,
    scores=2 * SEATS, won=SEATS, missing=SEATS, acting=SEATS, turn=SEATS, begins=SEATS, own_choice=2, phase=11,
    piles=2, stack=4, due=1, late=1, extra=1, rows=1, columns=1, options=13, suspect=SEATS, sneaked=1,
)  # fmt: skip
AT = starts(SLICES)


def refuse(players, options):
    """Why these options can't be combined, or None."""
    each, blind = hand_size(players, options["hand_cards"]), options["blind"]
    cards = options["ranks"] * options["suits"]
    cards += in_play(players, options["two_timers"]) + in_play(players, options["thieves"])
    cells, teams = options["rows"] * options["columns"], options["teams"]
    if cards < players * each + blind:
        return say("{cards} cards can't give {players} players {each} cards each and leave {blind} for the blind "
                   "hand; deal fewer.",
                   cards=cards, players=players, each=each, blind=blind)  # fmt: skip
    if not cards - blind <= cells <= CELLS:
        return say("A board can't have {cells} cells; rows times columns must be from {low} to {high}.",
                   cells=cells, low=cards - blind, high=CELLS)  # fmt: skip
    if teams == 1 or (teams and (players % teams or players == teams)):
        text = _("{option} can't be {teams} with {players} players; four form 2, six form 2 or 3.")
        return say(text, option=_option("teams").label, players=players, teams=teams)
    elders = [int(seat) for seat in options["grandpa_rule"].split("-") if seat != "none"]
    if max(elders, default=0) >= players:
        text = _("{option} names a seat that isn't there: there are {players} players.")
        return say(text, option=_option("grandpa_rule").label, players=players)
    return _refuse_specials(players, options)


def _refuse_specials(players, options):
    """HH-8, HH-9: a second Thief needs two Thieves and two specials a turn; a lone special needs a special in play."""
    timers, thieves = (in_play(players, options[each]) for each in ("two_timers", "thieves"))
    if options["lone_special"] != "empty" and timers + thieves == 0:
        text = _("{option} can't be {value} without a special in play: there is no Two Timer and no Thief.")
        return say(text, option=_option("lone_special").label, value=options["lone_special"])
    specials = options["specials"]
    if not options["two_thieves"] or (thieves > 1 and specials > 1):
        return None
    text = _("{option} needs at least 2 Thieves in play (here {thieves}; with two or three players one is taken out) "
             "and at least 2 specials in a turn (here {specials}).")  # fmt: skip
    return say(text, option=_option("two_thieves").label, thieves=thieves, specials=specials)


def game_number(s, deal):
    """HH-17: which game it is, and of how many where that is certain."""
    return out_of(deal, 2 if s.length == DOUBLE else 1)


def _option(name):
    """The option with that name."""
    return next(option for option in OPTIONS if option.name == name)


def hand_size(players, wanted):
    """HH-4: 7 cards each, 5 with five or six players; or a chosen number for tiny decks."""
    if wanted:
        return wanted
    return 7 if players < 5 else 5


def in_play(players, specials):
    """HH-1: with two or three players one special of each kind is taken out."""
    return max(0, specials - (players < 4))


def sides(s):
    """HH-18: the number of sides."""
    return s.teams or s.seats


def side_of(s, seat):
    """HH-18: the side of a seat."""
    return seat % s.teams if s.teams else seat
