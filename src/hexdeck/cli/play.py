"""`hexdeck play`: a match at the terminal."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
import textwrap
from collections.abc import Callable
from errno import EISDIR
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.bot_names import stored
from hexdeck.cli.command_line import chosen_seat, chosen_table, parsed_options, whole_name
from hexdeck.cli.compile import compile_meanwhile
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.errors import BadOption, UnknownBot, UnknownGame
from hexdeck.engine.options import GROUPS, switched_on
from hexdeck.engine.text import Catalogue, Text, say

if TYPE_CHECKING:
    from hexdeck.engine.options import Option
    from hexdeck.simulation.game import Game
    from hexdeck.terminal.session import Session


def run(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Play, or resume a match."""
    from rich.console import Console

    from hexdeck.bots.players.roster import unknown
    from hexdeck.terminal.dialogue import Left
    from hexdeck.terminal.session import ScreenSession, Session, possible

    console = Console(highlight=False, markup=False, emoji=False)
    kind = ScreenSession if not arguments.plain and possible(console) else Session
    if arguments.resume is not None:
        session = resumed(arguments, catalogue, console, kind)
    else:
        try:
            if arguments.game is None:
                if games := [name for name in arguments.bots or () if name in game_names()]:  # typed behind --bots
                    raise UnknownBot(unknown(games[0], []))
                arguments.game = ask_game(catalogue)
                arguments.players = arguments.players or ask_players(arguments, catalogue)
                ask_preset(arguments, catalogue)
                arguments.bots = arguments.bots or ([] if arguments.coach else ask_bots(arguments, catalogue))
        except Left:
            return 0
        session = started(arguments, catalogue, console, kind)
    if isinstance(session, ScreenSession):
        from hexdeck.terminal.app import play

        return play(session, arguments.theme)
    try:
        greet(session)
    except Left:
        return 0
    return session.run()


def started(arguments: argparse.Namespace, catalogue: Catalogue, console: Any, kind: type[Session]) -> Session:
    """A session of that kind with a new match."""
    from hexdeck.bots.players.levels import LEVELS, levels_of, usual_bot
    from hexdeck.engine.discovery.finding import game_words
    from hexdeck.terminal.session import chairs

    game = chosen_table(arguments)
    t, by_name = game_words(game.name, catalogue.lang).words, {option.name: option for option in game.rules.OPTIONS}
    typed = {name: by_name[name].read(value) for name, value in parsed_options(arguments.option).items()}
    for name in switched_on(game.rules.OPTIONS, typed):
        print(t(say("Switched on, too: {option}.", option=by_name[name].label)))
    check_writable(arguments.record)
    rival = LEVELS[0] if arguments.coach and LEVELS[0] in levels_of(game) else usual_bot(game)
    seat = chosen_seat(arguments.seat, game.players) or 0
    persons = arguments.hotseat, names_of(arguments), catalogue, rival, people_of(arguments)
    seats = chairs(game.players, seat, arguments.bots, *persons)
    if sys.stdin.isatty():
        compile_meanwhile([game.name])
    promised = arguments.seed is None  # it is dealt after the promise was shown
    names = [chair.name for chair in seats]
    match = game.match(arguments.seed, by_hand=promised, backend="interpreted", names=names)
    args = {"practice": arguments.practice, "coach": arguments.coach, "pause": arguments.pause, "seed": arguments.seed}
    args |= {"notes": {} if promised else {"seed": arguments.seed}, "record_to": arguments.record}
    args |= {"secret": secrets.token_bytes(32) if promised else b""}
    return kind(match, seats, game_words(game.name, catalogue.lang, names), console, **args)


def names_of(arguments: argparse.Namespace) -> list[str]:
    """The people's names; raises BadOption where two are the same."""
    names = [name for name in (arguments.names or "").split(",") if name.strip()]
    if twice := next((name for name in names if [*map(str.strip, names)].count(name.strip()) > 1), ""):
        raise BadOption(say("Two people can't both be called {name}.", name=twice.strip()))
    return names


def people_of(arguments: argparse.Namespace) -> int:
    """How many people share this screen, with bots on the other seats; 0 if not given. Raises BadOption."""
    name_count = 0 if arguments.hotseat else len(names_of(arguments))
    people: int = name_count if arguments.people is None else arguments.people
    if arguments.seat is not None and (arguments.hotseat or people > 1):
        raise BadOption(say("Several people at one screen take the first seats: leave out --seat."))
    return people if people > 1 else 0


def resumed(arguments: argparse.Namespace, catalogue: Catalogue, console: Any, kind: type[Session]) -> Session:
    """A session of that kind with a match from its record."""
    from hexdeck.engine.discovery.finding import find_game, game_words
    from hexdeck.engine.play.record import read
    from hexdeck.simulation.game import load
    from hexdeck.tables.fair import chance_key, proof_of
    from hexdeck.terminal.display import noted
    from hexdeck.terminal.session import chairs_of, unfinished

    check_writable(arguments.record)
    path = Path(arguments.resume) if arguments.resume else unfinished(arguments.game and find_game(arguments.game))
    record = read(path)
    match = load(record, backend="interpreted")
    if match.over:
        raise BadOption(say("That match is over: hexdeck replay {path} steps through it.", path=str(path)))
    seats = chairs_of(record.seats)
    match.names = tuple(chair.name for chair in seats)
    notes = dict(record.notes)
    practice = bool(notes.pop("practice", False)) or arguments.practice
    taught = notes.pop("coach", False)  # for everybody, or for some seats
    pupils = [seat for seat in taught if seat in range(len(seats))] if isinstance(taught, list) else bool(taught)
    asides = noted(notes.pop("asides", None))
    seed = notes.get("seed") if isinstance(notes.get("seed"), int) else None
    proof = proof_of(record) if "fair" in notes else None  # raises BadRecord
    match.let_chance(chance_key(proof.secret, proof.contributions) if proof else seed)
    args = {"practice": practice, "coach": arguments.coach or pupils, "pause": arguments.pause, "seed": seed}
    args |= {"notes": notes, "record_to": arguments.record, "save_to": path, "said": asides}
    return kind(match, seats, game_words(record.game, catalogue.lang, match.names), console, **args)


def check_writable(path: Path | None) -> None:
    """Raise BadOption when a record can't be written to a path."""
    from hexdeck.terminal.session import unwritable

    try:
        if path is not None and path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise BadOption(unwritable(path or Path(), error)) from None


def answer(t: Callable[[Text], str], question: Text, explained: Text) -> str:
    """What the person answers to a question; `?` explains it, and q leaves (raises Left)."""
    from hexdeck.terminal.dialogue import COMMANDS, Left

    while (typed := input(t(question)).strip()) == "?":
        explain(t, explained)
    if typed.lower() in ("q", "quit", t(COMMANDS["q"])):
        raise Left
    return typed


def explain(t: Callable[[Text], str], explained: Text) -> None:
    """Print what can be answered to a question."""
    print(*textwrap.wrap(t(explained), 79, break_on_hyphens=False), t(say("q leaves.")), sep="\n")


def ask_game(catalogue: Catalogue) -> str:
    """Ask for a game by number or name; the first is the default."""
    from hexdeck.engine.discovery.definition import definition, soonest_learned
    from hexdeck.engine.discovery.finding import find_game, game_words

    names = soonest_learned()
    titles = [game_words(name, catalogue.lang).words(definition(name).table.ABOUT.title) for name in names]
    for number, name in enumerate(names, 1):
        t = game_words(name, catalogue.lang).words
        table = definition(name).table
        head = f" {number}  {titles[number - 1]:<{max(map(len, titles))}} "
        print(*textwrap.wrap(t(table.ABOUT.text), 79, initial_indent=head, subsequent_indent=" " * len(head)), sep="\n")
    while True:
        explained = say("Type the number of a game, or its name. hexdeck rules GAME shows how it is played.")
        ask = say("Which game? A number or a name (Enter: 1): ")
        typed = answer(catalogue.words, ask, explained) or "1"
        if typed.isdecimal() and 1 <= int(typed) <= len(names):
            return names[int(typed) - 1]
        try:
            return find_game(whole_name(typed))
        except UnknownGame as error:
            print(*textwrap.wrap(catalogue.words(error.text), 79, break_on_hyphens=False), sep="\n")


def ask_players(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Ask how many play; the usual number, or that of the people at this screen, is the default."""
    game = chosen_table(arguments)
    low, high = game.rules.PLAYERS
    low = max(low, min(max(people_of(arguments), len(names_of(arguments))), high))
    usual = max(game.players, low)
    while True:
        ask = say("How many play? {low} to {high} (Enter: {usual}): ", low=low, high=high, usual=usual)
        explained = say(
            "Type a number from {low} to {high}: you and the bots together. For several people at this screen, leave "
            "and type: hexdeck play {game} --names Ann,Bo",
            low=low,
            high=high,
            game=game.name,
        )
        typed = answer(catalogue.words, ask, explained) or str(usual)
        if typed.isdecimal() and low <= int(typed[:9]) <= high:
            return int(typed)
        explain(catalogue.words, explained)


def ask_preset(arguments: argparse.Namespace, catalogue: Catalogue) -> None:
    """Ask which of the game's presets to play, unless it was given; the first is the default, and options come last."""
    from hexdeck.engine.discovery.definition import first_game, preset, presets
    from hexdeck.engine.discovery.finding import game_words

    game = chosen_table(arguments)
    t, preset_list = game_words(game.name, catalogue.lang).words, presets(game.name, game.players)
    if arguments.preset or arguments.option or not game.rules.OPTIONS:
        return
    usual = preset(game.name, first_game(game.name) if arguments.coach else "")
    options_number, names = str(len(preset_list) + 1), dict[str, str]()
    for number, entry in enumerate(preset_list, 1):
        names |= dict.fromkeys((str(number), entry.name, t(entry.title).lower()), entry.name)
        line = f" {number}  {t(entry.title)}: {t(entry.about)}"
        print(*textwrap.wrap(line, 79, subsequent_indent="    "), sep="\n")
    print(f" {options_number}  {t(say('More options'))}")
    ask = say("Which version? A number or a name (Enter: {usual}): ", usual=preset_list.index(usual) + 1)
    names |= {"": usual.name, options_number: usual.name}
    explained = say("Type a number from 1 to {last}; with {last} you change single rules.", last=options_number)
    while (typed := answer(t, ask, explained).lower()) not in names:
        explain(t, explained)
    arguments.preset = names[typed]
    if typed == options_number:
        ask_options(arguments, t)


def ask_options(arguments: argparse.Namespace, t: Any) -> None:
    """Show the options by their groups, as a form does, and ask for those that are to be as in no preset."""
    game, numbered = chosen_table(arguments), []
    for group, title in GROUPS.items():
        options = [option for option in game.rules.OPTIONS if option.shown_in == group]
        print(*[t(title)] * bool(options), sep="\n", end="\n" * bool(options))
        for option in options:
            numbered.append(option)
            print(*option_lines(len(numbered), option, game, t), sep="\n")
    ask = say("What do you change? A number (Enter: nothing more): ")
    explained = say(
        "Type a number from 1 to {last}, and then choose; Enter goes on with what you see.", last=len(numbered)
    )
    while typed := answer(t, ask, explained):
        number = int(typed) if typed.isdecimal() and len(typed) < 4 else 0
        value = ask_value(numbered[number - 1], t) if 1 <= number <= len(numbered) else ""
        if value:
            arguments.option.append(f"{numbered[number - 1].name}={value}")
            try:
                print(*option_lines(number, numbered[number - 1], chosen_table(arguments), t), sep="\n")
            except BadOption as error:
                arguments.option.pop()
                print(*textwrap.wrap(t(error.text), 79), sep="\n")


def ask_value(option: Option, t: Any) -> str:
    """Ask for the value of an option, by its number where a form has a list; returns it as it is typed, "" for none."""
    choices = dict(enumerate(option.choices().items(), 1))
    for number, (_value, label) in choices.items():
        print(*textwrap.wrap(t(label), 79, initial_indent=f"     {number}  ", subsequent_indent="        "), sep="\n")
    ask = say("A number (Enter: as it is): ") if choices else say("{what} (Enter: as it is): ", what=option.typeable())
    typed = answer(t, ask, option.typeable() if not choices else say("Type the number before what you want."))
    return choices[int(typed)][0] if typed.isdecimal() and int(typed[:9]) in choices else typed


def option_lines(number: int, option: Option, game: Game, t: Any) -> list[str]:
    """An option as it is now, in words."""
    line = f"{t(option.about)}: {t(option.in_words(game.options[option.name]))}"
    if option.needs:
        switched = next(rule.about for rule in game.rules.OPTIONS if rule.name == option.needs[0])
        line = t(say("{option}; it switches on “{other}”", option=line, other=switched))
    return textwrap.wrap(line, 79, initial_indent=f" {number:>2}  ", subsequent_indent="     ")


def ask_bots(arguments: argparse.Namespace, catalogue: Catalogue) -> list[str]:
    """Ask for a level, if bots play at all: by its number, its name or its title; the usual one is the default."""
    from hexdeck.bots.players.bot_names import TITLES
    from hexdeck.bots.players.levels import choices, usual_bot

    game = chosen_table(arguments)
    if arguments.hotseat or people_of(arguments) >= game.players:
        return []
    labels = choices(game)
    titles = {catalogue.words(TITLES[level]).lower(): level for level in labels if level in TITLES}
    for number, text in enumerate(labels.values(), 1):
        print(*textwrap.wrap(f" {number:<2} {catalogue.words(text)}", 79, subsequent_indent="    "), sep="\n")
    ask = say("Against whom? A number or a name (Enter: {usual}): ", usual=[*labels].index(usual_bot(game)) + 1)
    names = titles | {str(number): level for number, level in enumerate(labels, 1)} | {"": usual_bot(game)}
    while True:
        explained = say(
            "Type the number of a level; all bots play on it. A fair share is what equal players would have."
        )
        typed = answer(catalogue.words, ask, explained).lower()
        if (chosen := names.get(typed, stored(typed))) in {*labels, names[""]}:
            return [chosen]
        text = say("There is no level {typed}; there are {there}.", typed=typed[:20], there=", ".join(titles))
        print(catalogue.words(text))


def greet(session: Session) -> None:
    """Print what is played, who made it, and what to type; waits at an interactive terminal.

    Words that the person adds there to the promise change the deal.
    """
    from hexdeck.tables.errors import TableError

    table = session.match.game.table
    for text in (table.ABOUT.title, table.ABOUT.text, *session.match.game.definition.credits):
        session.console.print(session.say(text), style="bold" if text is table.ABOUT.title else "", soft_wrap=False)
    hint = say("? helps, h gives a hint, r shows the rules, q saves and leaves.")
    session.console.print(session.say(hint), style="dim")
    if session.promise:
        for text in session.promised:
            session.print(session.say(text))
    while session.interactive and session.promise:
        ask = say("Press Enter to have them dealt; words that you type first change the deal: ")
        explained = say(
            "The cards follow from a secret that was drawn before. Words of yours, whichever they are, make it deal "
            "other cards, so that nobody can have picked them. hexdeck verify checks that on the match's record."
        )
        typed = answer(session.say, ask, explained)
        try:
            session.deal(typed)
            return
        except TableError as error:
            session.print(session.say(error.text))
    if session.interactive and len(session.people) < 2:  # with several people, a curtain comes first
        input(session.say(say("Press Enter to see your cards. ")))
