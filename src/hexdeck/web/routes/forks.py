"""The addresses at which a designer forks games and writes their rules: on this computer alone, where it was asked for.

Rules are programs that the server runs: whoever writes them can do with it whatever its keeper can. So the server was
started with `--forks`, and what comes from another computer, through a proxy or under another name is refused. Others
may play what was written.
"""

import asyncio
import contextlib
import json
from pathlib import Path

from starlette.responses import Response

from hexdeck.authoring import fork_game, forks
from hexdeck.engine.discovery.definition import FORK, definition, forget, literal
from hexdeck.engine.discovery.finding import find_game, name_of
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.rule_changes import RULES
from hexdeck.engine.text import CARD_NAMES, say
from hexdeck.tables import commands
from hexdeck.tables.entries import PLAYING
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.player_names import cleaned_name
from hexdeck.web.html import workshop as page
from hexdeck.web.html.rendering import forget_art
from hexdeck.web.routes import site_pages
from hexdeck.web.routes.requests import Fields, SiteRequest
from hexdeck.web.routes.workshop import is_draft, may_write, shown, workshop_of
from hexdeck.web.server.workshop import read_wish


def require_designer(request: SiteRequest) -> None:
    """Raise NotYours but on a computer of which its keeper asked that games be forked there."""
    workshop_of(request)
    if not may_write(request):
        raise NotYours(
            say("Rules are programs: only a browser on this computer writes them, at localhost, with --forks.")
        )


def own_fork(request: SiteRequest) -> tuple[str, Path]:
    """The fork of the path and its folder; raises NotYours for any other game."""
    require_designer(request)
    name = find_game(request.path_params["game"])
    if not is_draft(request, name):
        raise NotYours(say("{game} can't be changed here; fork it first.", game=name))
    return name, definition(name).folder


async def fork(request: SiteRequest) -> Response:
    """Fork the game of the path, and show the fork."""
    require_designer(request)
    name, fields = find_game(request.path_params["game"]), await request.read_form()
    own, query = fields.text("name").strip(), fields.text("variant")
    try:
        folder = fork_game(name, own, Path(request.server.settings.forks))
    except HexdeckError as error:
        return await shown(request, read_wish(name, query), status=400, fork=(own, str(error)))
    forget(name_of(folder.name))
    await asyncio.to_thread(definition, name_of(folder.name))  # it plays a few games, which takes a while
    forget_art()
    return request.redirect(f"/workshop/{name_of(folder.name)}{'?' * bool(query)}{query}")


async def check(request: SiteRequest) -> dict[str, object]:
    """What is wrong with a function as it is being written, for a script."""
    _name, folder = own_fork(request)
    fields = await request.read_form()
    return {"fault": (await tried_function(request, folder, fields, newest=fields.text("function")))[1]}


async def rewrite(request: SiteRequest) -> Response:
    """Keep a function that was written, if the game can be played with it."""
    name, folder = own_fork(request)
    fields = await request.read_form()
    function, query = fields.text("function"), fields.text("variant")
    text, wrong = await tried_function(request, folder, fields)
    if wrong:
        draft = page.RuleDraft(function, fields.text("written"), wrong)
        return await shown(request, read_wish(name, query), draft, status=400)
    await save(request, folder, RULES, text)
    return request.redirect(f"/workshop/{name}?{query}&rule={function}#rule-{function}")


async def keep(request: SiteRequest) -> Response:
    """Keep the options of the form as those that the fork has where nobody sets them: its deck, most of all."""
    name, folder = own_fork(request)
    wish = read_wish(name, (await request.read_body()).decode(errors="replace"))
    if wish.variant is None:
        return await shown(request, wish, status=400)
    text = forks.defaults(name, wish.variant.game.options)
    if fault := await tried(request, folder, FORK, text):
        return await shown(request, wish, notice=literal(fault.text), status=400)
    await save(request, folder, FORK, text)
    return request.redirect(f"/workshop/{name}?players={wish.players}")


async def rename(request: SiteRequest) -> Response:
    """Keep the names of the form for the cards of the fork."""
    name, folder = own_fork(request)
    fields = await request.read_form()
    names = {code: cleaned_name(fields.text(f"name-{code}")) for code in page.nameable(name)}
    lines = [f"{json.dumps(code)} = {json.dumps(each, ensure_ascii=False)}\n" for code, each in names.items() if each]
    await save(request, folder, f"locale/{CARD_NAMES}", "".join(lines))
    return request.redirect(f"/workshop/{name}?{fields.text('variant')}#names")


class Trials:
    """The changes that a server tries, one at a time; by fork and function, what is tried while that is written."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.newest: dict[tuple[Path, str], asyncio.Task[forks.Fault | None]] = {}

    async def fault(self, folder: Path, file: str, text: str) -> forks.Fault | None:
        """What is wrong with a fork if a file is changed."""
        async with self.turn:
            return await forks.fault(folder, file, text)


async def tried(request: SiteRequest, folder: Path, file: str, text: str, newest: str = "") -> forks.Fault | None:
    """What is wrong with a fork if a file is changed.

    The trial ends where whoever asked is gone, and raises Stale where `newest`, a function, is written anew meanwhile.
    """
    trials: Trials = request.app.state.trials
    trial, gone = asyncio.create_task(trials.fault(folder, file, text)), asyncio.create_task(left(request))
    key = folder, newest
    if newest:
        if key in trials.newest:
            trials.newest[key].cancel()
        trials.newest[key] = trial
    try:
        await asyncio.wait((trial, gone), return_when=asyncio.FIRST_COMPLETED)
    finally:
        trial.cancel()
        gone.cancel()
        await asyncio.wait((trial,))
        if trials.newest.get(key) is trial:
            del trials.newest[key]
    if trial.cancelled():
        raise Stale(say("It is written anew, and that is tried."))
    return trial.result()


async def left(request: SiteRequest) -> None:
    """Wait until whoever asked waits no more; all that was sent is read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def tried_function(request: SiteRequest, folder: Path, fields: Fields, newest: str = "") -> tuple[str, str]:
    """The rules with the function that was written, and what is wrong with them, "" for nothing; see `tried`."""
    rules, written = (folder / RULES).read_text(encoding="utf-8"), fields.text("written")
    try:
        text, before = forks.with_function(rules, fields.text("function"), fields.text("digest"), written)
    except BadOption as error:
        return rules, str(error)
    fault = await tried(request, folder, RULES, text, newest)
    return text, page.fault_text(fault, before, written) if fault else ""


async def save(request: SiteRequest, folder: Path, file: str, text: str) -> None:
    """Change a file of a fork, and measure it anew."""
    forks.save(folder, file, text)
    name, registry = name_of(folder.name), request.server.registry
    await asyncio.to_thread(definition, name)
    await request.server.analyses.forget(name)
    for table in [table for table in registry.tables.values() if table.game.name == name]:
        registry.forget(table.id)  # its match is played again by the new rules, or ends with a sentence
        if table.state == PLAYING:
            with contextlib.suppress(HexdeckError):
                await registry.change(table.id, commands.change_rules(registry.clock()))
        registry.on_change(table)
    site_pages.printed.cache_clear()
    request.app.state.drafts.restart()
