"""People at tables, and programs: they think, click twice, leave, lose their network, sleep, and come back."""

import asyncio
import contextlib
import html
import json
import re
from random import Random
from typing import TYPE_CHECKING, Any

from tests.evenings.network import Answer, Line, Lost
from tests.evenings.oracle import MAIN

if TYPE_CHECKING:
    from tests.evenings.party import Party
    from tests.evenings.world import World

VERSION = re.compile(r'name="version" value="(\d+)"')
BUTTON = re.compile(r'name="move" value="([^"]*)"')
PICK = re.compile(r'type="checkbox" form="play" name="card" value="([^"]*)"')
DONE, REFUSED, AGAIN = {200, 201, 204, 303}, {400, 403, 404, 409, 410}, {503}


class Guest:
    """Somebody who looks at a table, or plays at it. `version`: of the table, as they were shown it last."""

    watches_only = False
    rng: Random
    line: Line

    def __init__(self, world: "World", name: str, party: "Party") -> None:
        self.world, self.name, self.party = world, name, party
        self.rng = Random(f"{world.seed} {name}")
        self.line = Line(world, name, f"198.51.100.{1 + len(world.guests)}")
        self.pace, self.version, self.looking_since = self.rng.choice([0.7, 3, 8]), -1, -1.0
        self.away, self.gone, self.turn = False, False, False
        self.whims: list[Any] = []
        world.guests.append(self)

    @property
    def table(self) -> str:
        return self.party.table

    @property
    def looks(self) -> bool:
        """Whether they have had a page open for a while."""
        return self.looking_since >= 0 and not self.line.down

    @property
    def seat(self) -> int:
        shadow = self.world.oracle.shadows.get(self.table)
        return self.world.oracle.entitled(self.line, shadow, 1 << 30) if shadow else -1

    async def nap(self, mean: float) -> None:
        """Wait about so long; less when the evening is nearly over."""
        await asyncio.sleep(self.rng.expovariate(1 / (min(mean, 1.0) if self.world.weather.calm else mean)))

    async def lives(self) -> None:
        """All that they do in an evening."""
        whims = self.world.loop.create_task(self._follow_whims())
        try:
            while not self.gone:
                try:
                    if self.away or not self.table:
                        await self.nap(2)
                    elif await self.is_there():
                        await self.look()
                    await self.nap(1)
                except Lost:
                    await self.nap(2)
        finally:
            whims.cancel()

    async def is_there(self) -> bool:
        """Sit down, or whatever comes before looking; returns whether that has been done."""
        return True

    async def look(self) -> None:
        self.looking_since = self.world.loop.time()
        self.version = -1
        try:
            await self._watch()
        finally:
            self.looking_since = -1.0

    async def _watch(self) -> None:
        raise NotImplementedError

    # --- whims --------------------------------------------------------------------------------------------------------
    async def _follow_whims(self) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / 25))
            if self.world.weather.calm:
                return
            try:
                await self.rng.choice([self.loses_network, self.leaves, *self.whims])()
            except Lost:
                continue

    async def loses_network(self) -> None:
        self.world.note(self.name, "loses the network")
        self.line.breaks()
        await self.nap(15)
        self.line.down = False

    async def leaves(self) -> None:
        self.world.note(self.name, "leaves")
        self.away = True
        for exchange in list(self.line.exchanges):
            exchange.leave()
        await self.nap(self.rng.choice([5, 30, 90]))
        self.away = False


class Spectator(Guest):
    """Somebody with the table's link: shown what the public knows."""

    tv = False

    async def _watch(self) -> None:
        at = f"/table/{self.table}{'/tv' if self.tv else ''}"
        answer = await self.line.get(at)
        if answer.status == 200:
            self.version = self.world.oracle.saw_page(self, self.table, answer.text)
        async for chunk in self.line.stream(f"{at}/stream"):
            self.sees(chunk.decode())

    def sees(self, text: str) -> bool:
        """Look at what a stream sent; returns whether it was a page."""
        _beats, found, page = text.rpartition("event: table\n")
        main = MAIN.search(page) if found else None
        if main is None:
            return False
        self.version = self.world.oracle.saw_page(self, self.table, page)
        self.turn = " data-turn" in main[0]
        return True


class Television(Spectator):
    """A screen that all look at."""

    tv = watches_only = True


class Person(Spectator):
    """Somebody with a browser, who takes a seat by a code or sets up the table."""

    def __init__(self, world: "World", name: str, party: "Party") -> None:
        super().__init__(world, name, party)
        self.clicks_twice = self.rng.random() < 0.5
        self.whims = [
            self.talks,
            self.is_renamed,
            self.lets_a_bot_play,
            self.carries,
            self.asks_for_calls,
            self.sends_an_old_form,
            self.takes_back,
            self.becomes_host,
            self.reads_about,
        ]
        self.form: dict[str, Any] = {}
        self.playing: asyncio.Task[None] | None = None

    async def is_there(self) -> bool:
        """Take a seat by the party's code, unless they have one or had one."""
        if self.seat >= 0 or self.away:
            return not self.away
        if self.rng.random() < 0.3 and self.line.token:
            return True  # with an old cookie, as a spectator
        code = self.party.code  # the host may change it meanwhile
        if not code:
            return False
        await self.line.get(f"/j/{code}")
        answer = await self.line.post(f"/j/{code}", name=self.name, contribution=self.rng.choice(["", "me"]))
        self.expects(answer)
        return True

    def expects(self, answer: Answer) -> bool:
        """Whether an answer says that it is done; anything but a refusal otherwise is a failure."""
        if answer.status not in DONE | REFUSED | AGAIN:
            self.world.fails(f"{self.name} got {answer.status}: {answer.text[-200:]}")
        return answer.status in DONE

    async def do(self, what: str, **fields: Any) -> bool:
        return self.expects(await self.line.post(f"/table/{self.table}/{what}", **fields))

    # --- playing ------------------------------------------------------------------------------------------------------
    async def _watch(self) -> None:
        answer = await self.line.get(f"/table/{self.table}")
        if answer.status in (404, 410):
            self.gone = True
            return
        if answer.status == 200:
            self.version = self.world.oracle.saw_page(self, self.table, answer.text)
        async for chunk in self.line.stream(f"/table/{self.table}/stream"):
            self.sees(chunk.decode())
            if self.turn and (self.playing is None or self.playing.done()):
                self.playing = self.world.loop.create_task(self.plays())

    async def plays(self) -> None:
        while self.turn and self.looks and not self.away:
            await self.nap(self.pace)
            with contextlib.suppress(Lost):
                await self.play()

    async def play(self) -> bool:
        """Make a move, if it is their turn still; returns whether that is done."""
        answer = await self.line.get(f"/table/{self.table}")
        if answer.status != 200:
            return False
        shown = self.world.oracle.saw_page(self, self.table, answer.text)
        self.form = self.choice(answer.text)
        if not self.form:
            self.turn = self.turn and shown < self.version
            return False
        if self.clicks_twice and self.rng.random() < 0.3:
            both = (self.line.post(f"/table/{self.table}/move", **self.form) for _ in range(2))
            answers = await asyncio.gather(*both, return_exceptions=True)
            return any(isinstance(each, Answer) and self.expects(each) for each in answers)
        return await self.do("move", **self.form)

    def choice(self, page: str) -> dict[str, Any]:
        """The fields of a move that a page offers; nothing where it offers none."""
        version, moves, cards = VERSION.search(page), BUTTON.findall(page), PICK.findall(page)
        if version is None or not (moves or cards):
            return {}
        if moves:
            return {"version": version[1], "move": html.unescape(self.rng.choice(moves))}
        return {"version": version[1], "card": self.rng.sample(cards, min(2, len(cards)))}

    # --- whims --------------------------------------------------------------------------------------------------------
    async def talks(self) -> None:
        if self.seat >= 0:
            await self.do("say", words=f"Good evening, says {self.name}.")

    async def is_renamed(self) -> None:
        if self.seat >= 0:
            await self.do("name", name=f"{self.name} {self.rng.randrange(10)}")

    async def lets_a_bot_play(self) -> None:
        if self.seat >= 0:
            await self.do(f"seat/{self.seat}/bot")
            await self.nap(20)
            await self.comes_back()

    async def comes_back(self) -> None:
        if self.seat >= 0:
            await self.do(f"seat/{self.seat}/back")

    async def carries(self) -> None:
        """Take the seat to another device, which has its own cookie, and go on there."""
        if self.seat < 0 or not await self.do("carry"):
            return
        link = f"/carry/{self.line.cookie('carry')}"
        phone = Line(self.world, f"{self.name}'s phone", self.line.address)
        await phone.get(link)
        if (await phone.post(link)).status == 303:
            both = [self.line, phone]
            self.line = self.rng.choice(both)

    async def asks_for_calls(self) -> None:
        """Want to be called to their turns by push messages."""
        if self.seat >= 0:
            browser = self.world.browser(self.name)
            await self.do("push", **browser)

    async def sends_an_old_form(self) -> None:
        """Press the button of a page that was open in another tab."""
        if self.form:
            await self.do("move", **self.form)

    async def takes_back(self) -> None:
        """Take back what was chosen, if the others still choose."""
        if self.seat >= 0 and self.version >= 0:
            await self.do("retract", version=self.version)

    async def becomes_host(self) -> None:
        if self.seat >= 0:
            await self.do("host")

    async def reads_about(self) -> None:
        """Look at pages that show the table in other ways."""
        page = self.rng.choice(["/tables", f"/table/{self.table}/fair", f"/table/{self.table}/turn", "/"])
        await self.line.get(page)

    # --- for good -----------------------------------------------------------------------------------------------------
    async def leaves_for_good(self) -> None:
        """Leave the table, and have deleted what they left there."""
        if self.seat >= 0:
            await self.do("leave")

    async def leaves_everything(self) -> None:
        self.expects(await self.line.post("/tables/leave"))

    async def deletes(self) -> None:
        """Delete the table, for everybody: nobody finds it any more."""
        if await self.do("delete") and (await self.line.get(f"/table/{self.table}")).status != 404:
            self.world.fails(f"{self.table} was deleted, and {self.name} still sees it")


class Host(Person):
    """Who sets the table up; now and then they take a seat from somebody."""

    def __init__(self, world: "World", name: str, party: "Party") -> None:
        super().__init__(world, name, party)
        self.whims += [self.frees_a_seat, self.deals]

    async def is_there(self) -> bool:
        return await super().is_there() if self.table else False

    async def sets_up(self) -> None:
        """Set up the party's table, until it is there."""
        while not self.table:
            try:
                answer = await self.line.post("/tables", name=self.name, **self.party.form)
            except Lost:
                await self.nap(1)
                continue
            if self.expects(answer):
                self.party.table = answer.header("location").rpartition("/table/")[2]
        while not self.party.code and self.party.has_open_seats:
            await self.reads_the_code()

    async def reads_the_code(self) -> None:
        """Look at the page of invitations for the party's code, a few times if need be."""
        for _try in range(20):
            try:
                invite = await self.line.get(f"/table/{self.table}/invite")
            except Lost:
                await self.nap(1)
                continue
            found = re.search(r'id="join-code">([A-Z]+)<', invite.text)
            self.party.invitations = sorted(set(re.findall(r"/join/([\w.-]+)", invite.text)))
            self.party.code = found[1] if found else ""
            if self.party.code:
                return
            await self.nap(1)

    async def frees_a_seat(self) -> None:
        """Take a seat from somebody: their cookie is worth nothing then."""
        shadow = self.world.oracle.shadows[self.table]
        others = [k for k, seat in enumerate(shadow.table.seats) if seat.owner and k != self.seat]
        if others and self.seat >= 0 and self.rng.random() < 0.5:
            try:
                await self.do(f"seat/{self.rng.choice(others)}/free")
            finally:
                self.party.code = ""  # whoever was removed knows the old one
                await self.reads_the_code()

    async def deals(self) -> None:
        """Have the cards dealt, if that is left to do; bots take the seats that are open."""
        if self.seat >= 0:
            await self.do("start")


class Program(Guest):
    """A program that plays by the API, from its stream of states."""

    async def is_there(self) -> bool:
        """Take a seat by an invitation."""
        if self.line.token:
            return True
        if not self.party.invitations:
            return False
        invitation = self.party.invitations.pop()
        answer = await self.line.post(
            f"/api/tables/{self.table}/join", invitation=invitation, name=self.name, bot="simulated"
        )
        if answer.status != 201:
            self.gone = answer.status in REFUSED
            return False
        self.line.bearer = answer.json["token"]
        return True

    async def _watch(self) -> None:
        rest = b""
        async for chunk in self.line.stream(f"/api/tables/{self.table}/stream"):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in filter(None, lines):
                state = json.loads(line)
                self.version = self.world.oracle.saw_state(self, state)
                await self._answers(state)
        if self.seat < 0:
            self.gone = True  # the host took the seat

    async def _answers(self, state: dict[str, Any]) -> None:
        while state["view"]["moves"]:
            await self.nap(self.pace / 4)
            move = self.rng.choice(state["view"]["moves"])["name"]
            answer = await self.line.post(f"/api/tables/{self.table}/move", move=move, version=state["version"])
            if answer.status in DONE | {409}:
                return
            if answer.status not in AGAIN:
                self.gone = answer.status == 403
                return
