"""`hexdeck serve`, the card table in the browser, and `hexdeck tables`, which checks, copies and deletes its tables."""

from __future__ import annotations

import argparse
import ipaddress
import os
import re
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from shlex import join, quote
from typing import TYPE_CHECKING, Any

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.cli.compile import compile_meanwhile
from hexdeck.cli.output import CommandResult, bars, head, tell
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, _, say, say_n

if TYPE_CHECKING:
    from hexdeck.tables.archive import CheckLine
    from hexdeck.tables.runner import Retention
    from hexdeck.web.server.settings import Settings

METRICS_TOKEN, TOKEN = "HEXDECK_METRICS_TOKEN", re.compile(r"[A-Za-z0-9._~+/=-]{16,64}")
NEXT_TO_US = "localhost"  # a proxy on this computer
ANYWHERE = (str(ipaddress.IPv4Address(socket.INADDR_ANY)), "::")  # what --lan listens on, and its IPv6 equivalent


# --- hexdeck serve ----------------------------------------------------------------------------------------------------
def run(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Serve until stopped."""
    check(arguments)
    from hexdeck.web.app import create_app
    from hexdeck.web.server.middleware import to_stderr
    from hexdeck.web.server.server import Server, listening_socket

    to_stderr(arguments.log)
    host = arguments.host or (ANYWHERE[0] if arguments.lan else THIS_COMPUTER)
    listener = listening_socket(host, arguments.port)
    port = listener.getsockname()[1]
    settings = settings_of(arguments, host, port, catalogue.lang)
    with listener:
        app = create_app(settings)
        own = f"http://{bracketed(THIS_COMPUTER if host in ANYWHERE else host)}:{port}{settings.prefix}/"
        near, database = settings.lan_address, app.state.server.registry.database.place
        open_port = port if host in ANYWHERE else 0
        app.state.server.registry.database.serve_at(own)
        taken = arguments.port if arguments.port not in (0, port) else 0
        for text in greeting(own, near and near + settings.prefix, database, open_port, settings.for_lan, taken):
            tell(catalogue.words(text))
        serve(Server(app), listener, None if arguments.no_browser else own)
    return 0


def settings_of(arguments: argparse.Namespace, host: str, port: int, lang: str) -> Settings:
    """The settings of a server that listens on a host and a port."""
    from hexdeck.tables.database import default_url
    from hexdeck.web.server.server import fitting_limits
    from hexdeck.web.server.settings import Limits, Settings

    return Settings(
        arguments.database or default_url(),
        prefix=arguments.prefix.rstrip("/"),
        lan_address=reached_at(host, port),
        for_lan=() if host in ANYWHERE else for_lan(arguments),
        pause=arguments.pause,
        lang=lang,
        keep=retention_of(arguments),
        hosts=tuple(name.lower() for name in (*arguments.allow_host, *filter(None, [arguments.host]))),
        proxies=tuple(address for proxy in arguments.proxy for address in addresses_of(proxy)),
        limits=fitting_limits(Limits()),
        metrics_token=os.environ.get(METRICS_TOKEN, ""),
        workshop=has_workshop(arguments),
        puzzles=tuple(arguments.puzzles),
        forks=forks_in(arguments.forks),
    )


def for_lan(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The commands that begin the same server again, for other devices on the network, too."""
    from hexdeck.web.server.settings import Settings

    if arguments.host is not None:
        return Settings.for_lan
    typed = [*arguments.typed, "--lan"]
    by_make = [f"make play ARGS={quote(join(typed[1:]))}"] if typed[0] == "serve" else []
    return f"hexdeck {join(typed)}", *by_make


def forks_in(folder: str | None) -> str:
    """The folder of forks, made and looked in for games; "" for none."""
    from hexdeck.testing import look_in

    if folder is None:
        return ""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=folder, why=error.strerror or "")) from None
    look_in(folder)
    return folder


def retention_of(arguments: argparse.Namespace) -> Retention:
    """For how long tables are kept: at home an invitation for tonight waits; a public server would fill up."""
    from hexdeck.tables.runner import Retention

    unused = arguments.keep_unused
    if unused is None:
        unused = 1.0 if arguments.allow_host else 0.0
    return Retention(unused, arguments.keep_days or 0, arguments.keep_finished)


def has_workshop(arguments: argparse.Namespace) -> bool:
    """Whether the workshop is open: at home it is, on a public server only if that is asked for."""
    return not arguments.allow_host if arguments.workshop is None else bool(arguments.workshop == "on")


def serve(server: Any, listener: socket.socket, address: str | None) -> None:
    """Run the server; meanwhile games are compiled, for which nobody has to wait, and the browser is opened."""
    from hexdeck.engine.backends.cache import MAKING, TOLD
    from hexdeck.engine.discovery.definition import playable

    TOLD.add(str(MAKING))
    compiler = compile_meanwhile(playable())
    signal.signal(signal.SIGTERM, ended)  # uvicorn stops, then raises the signal again
    signal.signal(signal.SIGINT, unheard)
    if address:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    try:
        server.run(sockets=[listener])
    finally:
        if compiler:
            compiler.terminate()
            compiler.wait()


def ended(number: int, _frame: object) -> None:
    """Exit with the status of a process that a signal ended, after all cleaning up."""
    raise SystemExit(128 + number)


def unheard(_number: int, _frame: object) -> None:
    """Do nothing at Ctrl-C: uvicorn hears the first one, and while it ends another interrupts nothing."""


def greeting(
    own: str, near: str, database: str, port: int = 0, for_lan: Sequence[str] = (), taken: int = 0
) -> list[Text]:
    """The sentences at the start: where the site is, who can reach it, where the tables are.

    `port`: where it listens for every device, 0 if it doesn't; then `near` may be unknown, as without a router.
    `for_lan`: the commands that would let in other devices, if only this computer can reach it. `taken`: the port that
    was wanted, if another program has it.
    """
    if near:
        text = _("Guests join with a code at {join}; a television shows the table to all from {screen}")
        reach = [
            say("Other devices on your network reach it at {address}", address=f"{near}/"),
            say(text, join=f"{near}/j", screen=f"{near}/tv"),
        ]
    elif port:
        text = _("Other devices may reach it at this computer's address on their network, port {port}.")
        reach = [say(text, port=str(port))]
    else:
        text = _("Only this computer can reach it. To let in phones and other devices on your network: {command}")
        reach = [say(text, command=for_lan[0] + "".join(f" ({command})" for command in for_lan[1:]))]
    first = [say("Port {port} is taken; this is the next free one.", port=str(taken))] if taken else []
    return [
        *first,
        say("The card table is at {address}", address=own),
        *reach,
        say("The tables are kept in {place}; they go on when you start again. Ctrl-C stops.", place=database),
    ]


def reached_at(host: str, port: int) -> str:
    """The address for other devices on the network, or "" when they can't reach it."""
    from hexdeck.web.server.server import lan_address

    if host in ANYWHERE:
        address = lan_address()
        return f"http://{address}:{port}" if address and not ipaddress.ip_address(address).is_loopback else ""
    try:
        alone = ipaddress.ip_address(host).is_loopback
    except ValueError:
        alone = host == "localhost"
    return "" if alone else f"http://{bracketed(host)}:{port}"


def bracketed(host: str) -> str:
    """A host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOption for options that make no sense, HexdeckError for a file that can't be used."""
    from hexdeck.puzzles import load

    if not TOKEN.fullmatch(os.environ.get(METRICS_TOKEN, "0" * 16)):
        text = _("{variable} must be 16 to 64 letters, digits or any of . _ ~ + / = -.")
        raise BadOption(say(text, variable=METRICS_TOKEN))
    check_proxies(arguments.prefix, arguments.proxy)
    for file in arguments.puzzles:
        load(Path(file))
    for name in arguments.allow_host:
        if not re.fullmatch(r"[A-Za-z0-9.:-]+", name) or not name.strip(".:-"):
            raise BadOption(say("{name} isn't the name of a server; give it without http:// and port.", name=name[:80]))


def check_proxies(prefix: str, proxies: list[str]) -> None:
    """Raise BadOption for an invalid prefix, or an invalid address of a proxy."""
    if prefix and not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?", prefix):
        text = _("{prefix} can't be where the site begins; give a path like /cards, in plain letters and digits.")
        raise BadOption(say(text, prefix=prefix[:80]))
    for proxy in proxies:
        try:
            addresses_of(proxy)
        except ValueError:
            text = _(
                "{proxy} isn't the address of a proxy; give one like 192.0.2.2, a network like 192.0.2.0/24 or "
                "localhost."
            )
            raise BadOption(say(text, proxy=proxy[:80])) from None


def addresses_of(proxy: str) -> tuple[str, ...]:
    """The addresses or networks of a proxy; raises ValueError."""
    if proxy == NEXT_TO_US:
        return THIS_COMPUTER, str(ipaddress.IPv6Address(1))
    return (str(ipaddress.ip_network(proxy)),)


# --- hexdeck tables ---------------------------------------------------------------------------------------------------
MARKS = {"ok": say("ok"), "note": say("note"), "wrong": say("WRONG")}  # how it is, as a person reads it
PARTS = _("versions"), _("files"), _("disk"), _("database"), _("schema"), _("keys"), _("entries"), _("matches")
TABLE = re.compile(r"(?:.*/(?:table|replay)/)?([A-Za-z0-9_-]{12})(?:[/?#].*)?")


def check_tables(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Print a line for each thing that was looked at; the status is 1 where anything is wrong."""
    from hexdeck.tables.archive import WRONG, examine
    from hexdeck.tables.database import default_url

    findings = []
    for finding in examine(arguments.database or default_url(), bar(catalogue)):
        findings.append(finding)
        if not arguments.json:
            tell(line_of(finding, catalogue))
    well = all(finding.state != WRONG for finding in findings)

    def data() -> dict[str, Any]:
        checks = [asdict(finding) | {"text": catalogue.words(finding.text)} for finding in findings]
        return head("tables") | {"well": well, "checks": checks}

    return CommandResult(catalogue, lambda: None, data, status=0 if well else 1)


def line_of(finding: CheckLine, catalogue: Catalogue) -> str:
    """What was looked at, as a line in columns."""
    marks = {mark: catalogue.words(text) for mark, text in MARKS.items()}
    parts = {part: catalogue.words(say(part)) for part in PARTS}
    mark, part = (max(map(len, names.values())) for names in (marks, parts))
    return f"{marks[finding.state]:<{mark + 1}}{parts[finding.what]:<{part + 2}}{catalogue.words(finding.text)}"


def bar(catalogue: Catalogue) -> Callable[[int, int], None]:
    """A progress bar that is there while matches are replayed."""
    progress = bars(catalogue)
    task = progress.add_task(catalogue.words(say("Matches")), total=None)

    def tick(completed: int, of: int) -> None:
        if completed == 1:
            progress.start()
        progress.update(task, completed=completed, total=of)
        if completed == of:
            progress.stop()

    return tick


def backup(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Copy, check, and say how many tables there are; raises BadStore."""
    from hexdeck.tables.database import back_up, default_url

    count = back_up(arguments.database or default_url(), arguments.file)
    tell_count(catalogue, count, arguments.file)
    return 0


def restore_backup(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Check, copy, bring up to date, and say how many tables there are; raises BadStore."""
    from hexdeck.tables.database import default_url, file_of, restore

    url = arguments.database or default_url()
    count = restore(url, arguments.file)
    tell_count(catalogue, count, file_of(url))
    return 0


def tell_count(catalogue: Catalogue, count: int, file: Any) -> None:
    """Say how many tables a file holds."""
    tell(catalogue.words(say_n("{n} table is in {file}.", "{n} tables are in {file}.", count, file=str(file))))


def delete(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Delete them, or nothing where one isn't there; raises BadOption, or BadStore while a server has the file."""
    ids = [*dict.fromkeys(map(id_of, arguments.tables))]
    from hexdeck.tables.database import Database, default_url
    from hexdeck.tables.rows import delete_tables, missing

    database = Database(arguments.database or default_url())
    try:
        with database.engine.begin() as connection:
            for id in missing(connection, ids):
                raise BadOption(say("There is no table {table} in {place}.", table=id, place=database.place))
            count = delete_tables(connection, ids)
    finally:
        database.close()
    text = say_n(
        "{n} table is deleted; copies made before still hold it.",
        "{n} tables are deleted; copies made before still hold them.",
        count,
    )
    tell(catalogue.words(text))
    return 0


def id_of(typed: str) -> str:
    """The id of a table, by its address; raises BadOption."""
    match = TABLE.fullmatch(typed)
    if match is None:
        raise BadOption(
            say(
                "{given} isn't the address of a table; those look like http://HOST/table/Ab3dEf6hIj9k.",
                given=typed[:80],
            )
        )
    return match[1]
