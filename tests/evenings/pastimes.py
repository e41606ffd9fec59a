"""What people do beside their matches, and after them: puzzles, deals of the day, their own page, looking back."""

import asyncio
import html
import re
from random import Random
from typing import TYPE_CHECKING, Any

from hexdeck.tables.entries import OVER, PLAYING
from tests.evenings.kept import words_of
from tests.evenings.network import Answer, Line
from tests.settings import GAMES

if TYPE_CHECKING:
    from tests.evenings.world import World

PUZZLE = re.compile(r'href="(/puzzles/[\d-]+/\d)"')
BUTTON = re.compile(r'name="move" value="([^"]*)"')
TRIES, MOVES = 40, 3  # looks at an analysis that is being made; moves in a deal of the day
QUESTIONS = "feedback", "again"  # pages for those who played


class Pastimes:
    """The part of a person that doesn't need the others."""

    world: "World"
    name: str
    rng: Random
    line: Line
    clicks_twice: bool
    expects: Any
    choice: Any
    do: Any
    nap: Any

    @property
    def table(self) -> str:
        """The table of their party."""
        raise NotImplementedError

    @property
    def seat(self) -> int:
        """Their seat there, or -1."""
        raise NotImplementedError

    async def passes_the_time(self) -> None:
        """Do something beside the match."""
        ways = [
            self.solves_a_puzzle,
            self.solves_a_puzzle,
            self.plays_a_deal,
            self.plays_a_deal,
            self.peeks,
            self.reads_own_page,
            self.takes_all_along,
            self.forgets_puzzles,
        ]
        await self.rng.choice(ways)()

    # --- beside a match -----------------------------------------------------------------------------------------------
    async def solves_a_puzzle(self) -> None:
        """Answer one of today's puzzles; with two buttons at once, now and then."""
        found = PUZZLE.findall((await self.line.get("/puzzles")).text)
        if not found:
            return
        path = self.rng.choice(found)
        page = await self.line.get(path)
        if page.status == 503:  # the server is closing
            return
        moves = [html.unescape(move) for move in BUTTON.findall(page.text)]
        if page.status != 200 or bool(moves) == ('id="why"' in page.text):
            self.world.fails(f"{self.name} sees what the moves of {path} bring, or can't answer: {page.status}")
        if not moves:
            return
        given = self.rng.sample(moves, 2 if self.clicks_twice and self.line.token else 1)
        answers = await asyncio.gather(*(self.line.post(path, move=move) for move in given), return_exceptions=True)
        done = [isinstance(each, Answer) and self.expects(each) for each in answers]
        again = await self.line.get(path)
        if any(done) and again.status == 200 and 'id="why"' not in again.text:
            self.world.fails(f"{self.name} isn't told what comes of the answer to {path}")

    async def forgets_puzzles(self) -> None:
        """Have all answers deleted."""
        self.expects(await self.line.post("/puzzles/forget"))

    async def plays_a_deal(self) -> None:
        """Begin a deal of the day, or go on with it, for a few moves."""
        path = f"/today/{self.rng.choice(GAMES)}"
        pressed = 2 if self.clicks_twice and self.line.token else 1
        each = [self.line.post(path, name=self.name) for _ in range(pressed)]
        answers = [found for found in await asyncio.gather(*each, return_exceptions=True) if isinstance(found, Answer)]
        tables = {found.header("location") for found in answers if self.expects(found) and found.status == 303}
        if len(tables) > 1:
            self.world.fails(f"{self.name} pressed a button twice and got {tables}")
        for at in tables:
            await self._moves(at)

    async def _moves(self, at: str) -> None:
        for _ in range(MOVES):
            page = await self.line.get(at)
            if page.status != 200:
                return
            self.world.oracle.saw_page(self, at.rpartition("/")[2], page.text)  # type: ignore[arg-type]
            form = self.choice(page.text)
            if form:
                self.expects(await self.line.post(f"{at}/move", **form))
            await self.nap(1)

    async def peeks(self) -> None:
        """Try to see what isn't theirs to see: others' deals of today, and what comes after a match before its end."""
        kept = self.world.oracle.kept
        for table in kept.others_deals(self.line)[:2]:
            allowed = kept.may_see(self.line, table)
            answer = await self.line.get(f"/table/{table}")
            if answer.status == 200 and not (allowed or kept.may_see(self.line, table)):
                self.world.fails(f"{self.name} sees the deal of the day at {table}, and can still be dealt it")
        shadow = self.world.oracle.shadows[self.table]
        page = self.rng.choice(["analysis", "turning", "compared", *QUESTIONS])
        answer = await self.line.get(f"/table/{self.table}/{page}")
        if answer.status == 200 and shadow.table.state == PLAYING:
            self.world.fails(f"{self.name} is shown {page} of {self.table}, where the match goes on")

    async def reads_own_page(self) -> None:
        """Look at what they played, and get all that is kept of them."""
        self.expects(await self.line.get("/me"))
        answer = await self.line.get("/me/file")
        if answer.status == 200:
            self.world.oracle.kept.saw_file(self.line, answer.json, self.name)

    async def takes_all_along(self) -> None:
        """Take all seats to another device, and look at them there; the link is good once."""
        if not self.expects(await self.line.post("/me/carry")):
            return
        link, phone = f"/bring/{self.line.cookies['bundle']}", Line(self.world, f"{self.name}'s phone", "198.51.100.9")
        both = await asyncio.gather(phone.get(link), phone.post(link), return_exceptions=True)
        if isinstance(both[1], Answer) and both[1].status == 303:
            mine = await phone.get("/me/file")
            self.world.oracle.kept.saw_file(phone, mine.json, self.name)
            if (await phone.post(link)).status == 303:
                self.world.fails(f"{self.name} used a link for all seats twice")

    # --- after a match ------------------------------------------------------------------------------------------------
    async def looks_back(self, *, closely: bool = True) -> None:
        """Say what they thought of a match that is over; `closely`: have it analysed, and choose again."""
        shadow = self.world.oracle.shadows.get(self.table)
        if self.seat < 0 or shadow is None or shadow.table.state != OVER:
            return
        await self.says_what_they_thought()
        if closely:
            await self.chooses_again()

    async def says_what_they_thought(self) -> None:
        """Answer the questions, twice now and then: the second answer is in the place of the first."""
        page = await self.line.get(f"/table/{self.table}/feedback")
        if page.status != 200:
            return
        for _ in range(self.rng.choice([1, 2])):
            await self.do(
                "feedback",
                fun=self.rng.randrange(1, 6),
                length=self.rng.randrange(-1, 2),
                fair=self.rng.randrange(1, 6),
                words=words_of(self.name),
            )

    async def chooses_again(self) -> None:
        """Have the match analysed, and try other moves where one cost something."""
        at = f"/table/{self.table}/again"
        for _ in range(TRIES):
            page = await self.line.get(at)
            if page.status != 303:
                break
            self.expects(await self.line.get(page.header("location")))  # the analysis, which is being made
            await asyncio.sleep(2)
        else:
            self.world.fails(f"the analysis of {self.table} is never done")
        moves = [html.unescape(move) for move in BUTTON.findall(page.text)]
        if moves:
            await self.do("again", number=1, move=self.rng.choice(moves))

    # --- for good -----------------------------------------------------------------------------------------------------
    async def leaves_for_good(self) -> None:
        """Leave the table, and have deleted what they left there."""
        if self.seat >= 0:
            await self.do("leave")

    async def leaves_everything(self) -> None:
        """The same at all tables, with their answers to puzzles."""
        self.expects(await self.line.post("/tables/leave"))

    async def deletes(self) -> None:
        """Delete the table, for everybody: nobody finds it any more."""
        if await self.do("delete") and (await self.line.get(f"/table/{self.table}")).status != 404:
            self.world.fails(f"{self.table} was deleted, and {self.name} still sees it")
