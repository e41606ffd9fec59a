"""The contract of a game, once: every name that its files may define, and what compiled code calls of it.

`PARTS` is the table. `discovery/definition.py` validates a game by it and fills in what the game leaves out, trial
matches check what its functions give, `hexdeck game check` says what the next level needs, and the reference page of
the documentation lists it. Each compiled part is a function here, too, as generic code calls it: `g` is a game in a
backend, `s` one of its structs. Interpreted, `g` is an `InterpretedGame` and `s` a proxy that checks every index and
every write. A compiled backend replaces these functions by compiled ones of the same names: there `g` is an array of
function addresses, and `s` an address in memory.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexdeck.engine.layout import hash_words
from hexdeck.engine.options import AS_USUAL
from hexdeck.engine.text import _

PLAYS, STUDIED, RESEARCHED, PUBLISHED = "plays", "studied", "researched", "published"
NEEDED = object()  # there is no default: the file must define it
PLAIN = object()  # the default is the function of the same name in `defaults`, or in `definition.DEFAULTS`
MADE = object()  # the default is made of the game's modules, by the function of that name in `definition.DEFAULTS`


@dataclass(frozen=True)
class Part:
    """Something that a game's file may define: a function, or a value.

    `takes`: the arguments of a function, None for a value; `gives`: what it returns, or the type of the value (a number
    unless said otherwise); `level`: which needs it, or first uses it; `default`: what is used where it is left out, or
    the name of another part, which then takes its place; `asked`: why the level isn't reached where it is left out,
    empty if it is; `compiled`: machine code calls it.
    """

    file: str
    name: str
    takes: str | None
    gives: str
    about: str
    users: str
    level: str = PLAYS
    default: Any = NEEDED
    asked: str = ""
    compiled: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return tuple(self.takes.split(", ")) if self.takes else ()

    @property
    def written(self) -> str:
        """How it is written: its name, and its arguments if it is a function."""
        return self.name if self.takes is None else f"{self.name}({self.takes})"


def rule(name: str, takes: str, gives: str, about: str, users: str, **more: Any) -> Part:
    """A function of the rules that machine code calls."""
    return Part("rules", name, takes, gives, about, users, **{"compiled": True, **more})


def bot(name: str, takes: str, about: str, users: str, **more: Any) -> Part:
    """A function of the strategy, which machine code calls."""
    return Part("strategy", name, takes, "number", about, users, STUDIED, compiled=True, **more)


PARTS = (
    # --- rules.py: the kernel ---
    Part("rules", "PLAYERS", None, "pair", "the least and the most players", "everything"),
    Part("rules", "OPTIONS", None, "tuple of Option", "what can be chosen about the rules", "everything", default=()),
    Part("rules", "STRUCT", None, "dtype", "the record of a position and its version, made by `engine.layout.struct`",
         "everything"),
    Part("rules", "ACTIONS", None, "tuple of str", "the names of all moves, by id", "everything"),
    Part("rules", "OUTCOMES", None, "tuple of str", "the names of all outcomes of chance, by id", "everything"),
    Part("rules", "SLICES", None, "dict", "the named slices of an observation", "nets, environments"),
    Part("rules", "ENDINGS", None, "tuple of str", "the names of what ends a match, by the number in `s.ending`",
         "reports, simulations", default=("", "over")),
    Part("rules", "refuse", "players, options", "Text or None", "why these options can't be combined", "everything",
         default=PLAIN),
    rule("start", "s", "", "sets up a match in a struct that holds options and seats and is zero otherwise",
         "everything"),
    rule("chance_weights", "s, weights", "number", "writes the integer weight of every outcome; gives their sum",
         "everything"),
    rule("chance_total", "s", "number", "the sum of the weights, sooner", "everything", default=None, compiled=False),
    rule("chance_outcome", "s, u", "number", "the outcome that unit u of the sum falls on", "everything",
         default=None, compiled=False),
    rule("sample_chance", "s, rng", "", "chance acts once or more, sooner, with the same numbers of the generator",
         "playouts of bots", default=None, compiled=False),
    rule("apply_chance", "s, outcome", "", "applies an outcome of chance", "everything"),
    rule("legal_actions", "s, seat, actions", "number",
         "writes the seat's legal action ids in ascending order; gives how many there are", "everything"),
    rule("illegal_reason", "s, seat, action", "number", "0 if the action is legal, else the number of a reason",
         "everything"),
    rule("apply_action", "s, seat, action", "", "applies a legal action of the seat", "everything"),
    rule("returns", "s, utilities", "", "writes the utility of each seat of a match that is over; the rest is 0",
         "everything"),
    rule("conceal", "s, seat", "", "removes, in place, what the seat doesn't know; seat -1 is the public; with "
         "`resample`, or neither", "everything", default=PLAIN),
    rule("observe", "s, seat, numbers", "", "writes a concealed struct as int8 slices; the rest is 0",
         "nets, environments"),
    rule("resample", "s, seat, rng", "", "fills in at random, in place, what the seat doesn't know", "bots, hints",
         default=PLAIN),
    rule("clear_hidden_choices", "s, seat", "",
         "undoes simultaneous choices of other seats that nobody has seen, so that they choose again", "bots",
         default=PLAIN),
    rule("take_back", "s", "number", "undoes the last move in a whole struct where that tells what it was; gives its "
         "action, or -1: `history` and `draws` stay", "bots", default=PLAIN),
    Part("rules", "inventory", "s", "list", "every card and chip: pairs of a kind and how many there are",
         "checks", RESEARCHED, default=None),
    # --- table.py: what seats see and are told ---
    Part("table", "ABOUT", None, "About", "its name, the game in a sentence, who designed it, how long it takes",
         "screens", default=MADE),
    Part("table", "WORDS", None, "dict", "names in words: values of options, ENDINGS, cards whose codes don't tell",
         "screens, reports", default=MADE),
    Part("table", "REASONS", None, "tuple", "the rules that forbid a move, each a Reason, numbered from 1", "refusals",
         default=MADE),
    Part("table", "PRESETS", None, "tuple of Preset", "named sets of options; the first is the default at a table",
         "tables", default=(AS_USUAL,)),
    Part("table", "zones", "s, seat", "list of Zone", "what the seat sees, from a concealed struct", "screens"),
    Part("table", "label", "s, seat, action", "Text", "a move in words; `on_board` of `engine.view` adds its cell",
         "screens"),
    Part("table", "prompt", "s, seat", "Text", "what the table is waiting for", "screens",
         default=PLAIN),
    Part("table", "caption", "stop, seat", "Caption or None", "what the seat is told and shown at a stop",
         "logs, screens", default=MADE),
    Part("table", "outcome", "s, seat", "Outcome", "how the match ended for each seat, and by what",
         "screens", default=MADE),
    Part("table", "tallies", "s", "list", "the score sheet, and who plays in a team", "score sheets", default=PLAIN),
    Part("table", "nobody_decides", "s, seat", "bool", "whether the rules leave the seat only one move, as it knows",
         "tables", default=PLAIN),
    Part("table", "asides", "s, seat", "list of Aside", "what the seat may say of others beside its moves", "tables",
         default=PLAIN),
    # --- strategy.py: bots ---
    bot("choose", "s, seat, actions, count, rng",
        "the house bot: one of `count` legal actions, from a concealed struct", "bots",
        asked=_("a house bot: what sensible players do, not what chance does")),
    bot("gentle", "s, seat, actions, count, rng", "the easiest bot, likewise", "bots", default="choose"),
    bot("surprises", "s, seat", "how many hidden things in a whole struct would surprise the seat, going by what "
        "others did", "hints", default=PLAIN),
    # --- hints.py: results and reasons in words ---
    Part("hints", "STUDY", None, "Study", "what results are counted in, how the starter is chosen, where points "
         "come from, named ways of playing", "hints, bots, reports", STUDIED, default=MADE,
         asked=_("names of results")),
    Part("hints", "because", "s, seat, action, worlds", "Text or None", "why a move is good", "hints", PUBLISHED,
         default=PLAIN, asked=_("hints that say why")),
    # --- bounds.py: what is possible ---
    Part("bounds", "bounds", "players, options", "Bounds", "the best and the worst result, the longest match, and "
         "what the numbers of a position can be", "environments, positions of other servers", RESEARCHED,
         asked=_("the best and the worst result, and how long a match can last: OpenSpiel asks for it")),
    # --- coach.py: lessons ---
    Part("coach", "COURSE", None, "Course", "the aim of the game, lessons by kind of decision, how a match was scored",
         "the coach", PUBLISHED, asked=_("lessons for a first match")),
    # --- solver.py: exact best play ---
    Part("solver", "SOLVER", None, "Solver", "solves the game, and says for which players and options", "bots",
         PUBLISHED),
    # --- deck.py: on paper ---
    Part("deck", "printed", "", "Printed", "its cards, score sheet, board and tables for its rules page", "paper",
         PUBLISHED),
)  # fmt: skip
FILES = tuple(dict.fromkeys(part.file for part in PARTS))
NAMED = {part.name: part for part in PARTS}
COMPILED = tuple(part for part in PARTS if part.compiled)
TOGETHER = {"sample_chance": 2, "draw_chance": 3, "play_out": 3, "play_random": 8}  # of `kernels`, compiled with a game
# name: (index in the table of compiled functions, number of int64 arguments after the struct)
TABLE = {
    name: (position, count)
    for position, (name, count) in enumerate(
        [*((part.name, len(part.arguments) - 1) for part in COMPILED), *TOGETHER.items()]
    )
}
ARRAYS = "weights", "actions", "rng", "utilities", "numbers"  # arguments that are arrays
CLEARED = "utilities", "numbers"  # of which the game finds zeros
CALLS = repr(([(part.name, part.takes, part.gives) for part in COMPILED], TABLE, ARRAYS, CLEARED))  # for machine code


def of_file(file: str) -> tuple[Part, ...]:
    """The parts of a file, by its name without `.py`."""
    return tuple(part for part in PARTS if part.file == file)


def written(
    text: Callable[[Part], str], file: str, space: dict[str, Any], parts: tuple[Part, ...] = COMPILED
) -> dict[str, Any]:
    """A function for each of these parts, made from its text in a namespace, as if it were written in that file."""
    for part in parts:
        exec(compile(text(part), file, "exec"), space)  # noqa: S102 - our own text
    return {part.name: space[part.name] for part in parts}


def zeros(part: Part, name: str = "{}") -> str:
    """The lines that put zeros where a game finds them, in arrays of these names."""
    arrays = [name.format(argument) for argument in part.arguments if argument in CLEARED]
    return "".join(f"    for k in range({argument}.shape[0]):\n        {argument}[k] = 0\n" for argument in arrays)


def call(part: Part) -> str:
    """The text of the function that calls a part of an interpreted game."""
    takes = part.takes
    return f'def {part.name}(g, {takes}):\n    """{part.about}"""\n{zeros(part)}    return g.{part.name}({takes})'


if TYPE_CHECKING:

    def __getattr__(_name: str) -> Any: ...  # the functions below, by the names of their parts


written(call, __file__, globals())


def struct(g, rows, i):
    """The struct in row i. `rows` is a uint8 array (rows, bytes) when compiled, an `interpreted.Rows` otherwise."""
    return rows.structs[i]


def copy_row(rows, to, source):
    """Copy a whole struct from row `source` to row `to`."""
    rows.array[to] = rows.array[source]


def chance_total(g, s, weights):
    """The sum of the weights of all outcomes; they are written if the game has no other way to choose by them."""
    return g.chance_total(s, weights)


def chance_outcome(g, s, weights, u):
    """The outcome that unit u of the sum falls on, from 0 on; just after `chance_total`."""
    return g.chance_outcome(s, weights, u)


def information_key(rows, i):
    """A 63-bit hash of the bytes of row i: the information-set key if the row is concealed."""
    return hash_words(rows.words[i], rows.words[i].shape[0])
