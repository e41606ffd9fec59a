"""Language models as players of a tournament: programs that read a prompt, and chat endpoints; and their transcripts.

`prompt:COMMAND` is started for each question: it reads the prompt on its standard input, to the end, and writes its
answer. `chat:URL#MODEL` is an endpoint that speaks the chat-completions format. Neither can lose a game by what it
answers: after some refused answers a random legal move is made, and counted.
"""

import contextlib
import json
import os
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from hexdeck.bots.players import programs
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say
from hexdeck.files import append_lines
from hexdeck.research.prompt import TRIES, ModelCounts, ModelPlayer

PREFIX = "prompt:"
LONGEST = 100_000  # bytes of an answer that are kept


class PromptProgram:
    """A program that answers prompts: `name` is `prompt:COMMAND`, `think` the seconds for an answer."""

    def __init__(self, name: str, think: float) -> None:
        command = name.removeprefix(PREFIX)
        try:
            self.words = programs.command_words(command)
        except BadOption:
            text = _("{command} is not a command; write prompt:PROGRAM, such as 'prompt:python3 model.py'.")
            raise BadOption(say(text, command=name)) from None
        self.think = think

    def __call__(self, rules: str, question: str) -> str | None:
        """The program's answer; None if it can't be started, fails without a word, or takes too long."""
        try:
            process = subprocess.Popen(  # noqa: S603 - a program that the user named
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            text = _("{command} can't be started: {why}.")
            raise HexdeckError(say(text, command=self.words[0], why=error.strerror or "")) from None
        with process:
            try:
                answer = talked(process, f"{rules}\n\n{question}\n".encode(), self.think)
            finally:
                programs.kill(process)
        failed = answer is None or (process.returncode and not answer.strip())
        return None if answer is None or failed else answer.decode(errors="replace")


def talked(process: subprocess.Popen[bytes], question: bytes, seconds: float) -> bytes | None:
    """What a program writes when it is asked something, up to LONGEST bytes; None if that takes too long."""
    into, out = cast("Any", process.stdin), cast("Any", process.stdout)
    answers: list[bytes] = []

    def write() -> None:
        with contextlib.suppress(OSError, ValueError), into:
            into.write(question)

    def read() -> None:
        answers.append(out.read(LONGEST))

    writer, reader = (threading.Thread(target=task, daemon=True) for task in (write, read))
    writer.start()
    reader.start()
    end = time.monotonic() + seconds
    reader.join(seconds)
    if answers and len(answers[0]) < LONGEST:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, end - time.monotonic()))
    answer = answers[0] if answers else None
    programs.kill(process)  # ends both threads
    writer.join()
    reader.join()
    return answer


# --- endpoints --------------------------------------------------------------------------------------------------------
CHAT = "chat:"
KEY = "HEXDECK_CHAT_KEY"  # the environment variable with the key, sent as a bearer token
RETRIES = 4  # requests for an answer where the endpoint is busy or out of reach
WAIT = 0.5  # seconds before the second; each next one waits twice as long
LONGEST_RESPONSE = 1 << 20  # bytes that are read
PASSING = {408, 409, 425, 429, 500, 502, 503, 504}  # statuses worth another request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Redirects aren't followed: they would take the key elsewhere."""

    def redirect_request(self, *_given: Any) -> None:
        """Follow no redirect."""


class ChatEndpoint:
    """Asks a model for answers: `name` is `chat:URL#MODEL`; `think`: seconds for an answer, retries included.

    Raises BadOption for an address that isn't http or https, or has a name and password in it.
    """

    def __init__(self, name: str, think: float) -> None:
        address, _mark, self.model = name.removeprefix(CHAT).partition("#")
        if not is_address(address) or not self.model:
            text = _(
                "{name} is not an endpoint; write chat:URL#MODEL, such as chat:https://HOST/v1/chat/completions#M."
            )
            raise BadOption(say(text, name=shown_name(name)))
        self.address, self.think = address, think
        self._opener = urllib.request.build_opener(NoRedirect)

    def __call__(self, rules: str, question: str) -> str | None:
        """The model's answer; None if there is none in time. Raises HexdeckError where the endpoint refuses for good.

        A busy endpoint, and one out of reach, is asked again, a few times, after a while.
        """
        end = time.monotonic() + self.think
        for number in range(RETRIES):
            remaining = end - time.monotonic()
            if remaining <= 0:
                break
            try:
                response = json.loads(self._sent(rules, question, remaining))
                content = response["choices"][0]["message"]["content"]
                return "" if content is None else str(content)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in PASSING:
                        raise self._refusal(error.code) from None
            except (OSError, ValueError, LookupError, TypeError):  # out of reach, or not such a response
                pass
            time.sleep(max(0.0, min(WAIT * 2**number, end - time.monotonic())))
        return None

    def _sent(self, rules: str, question: str, seconds: float) -> bytes:
        messages = [{"role": "system", "content": rules}, {"role": "user", "content": question}]
        body = json.dumps({"model": self.model, "messages": messages}).encode()
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(KEY, "").strip():
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self.address, body, headers)  # noqa: S310 - http or https: see is_address
        with self._opener.open(request, timeout=seconds) as response:
            return read_until(response, time.monotonic() + seconds)

    def _refusal(self, status: int) -> HexdeckError:
        text = _(
            "{address} refuses the request (HTTP {status}); check the address, the model and the key in {variable}."
        )
        return HexdeckError(say(text, address=self.address, status=status, variable=KEY))


def read_until(response: Any, end: float) -> bytes:
    """The body of a response; raises ValueError if it is too long, TimeoutError if it takes too long."""
    parts, size = [], 0
    while part := response.read1(65536):
        parts.append(part)
        size += len(part)
        if size > LONGEST_RESPONSE:
            raise ValueError
        if time.monotonic() > end:
            raise TimeoutError
    return b"".join(parts)


def is_address(address: str) -> bool:
    """Whether an address is one of http or https with a host, and without a name or password in it."""
    try:
        parts = urlsplit(address)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


def shown_name(name: str) -> str:
    """An endpoint's name as a message shows it: without what may be a name and password."""
    before, at, after = name.rpartition("@")
    return f"{CHAT}…@{after}" if at and before else name


# --- in a tournament --------------------------------------------------------------------------------------------------
def is_model(name: str) -> bool:
    """Whether a bot's name is that of a language model."""
    return name.startswith((PREFIX, CHAT))


class ModelBot(ModelPlayer):
    """A language model on one seat of a tournament; raises BadOption for a name that is no command or endpoint."""

    def __init__(self, name: str, think: float, tries: int = TRIES, seed: int | bytes = 0) -> None:
        self.name = name
        super().__init__((ChatEndpoint if name.startswith(CHAT) else PromptProgram)(name, think), tries, seed)


def model_counts(players: list[Any]) -> dict[str, dict[str, Any]]:
    """What the models among a game's players were asked, by name."""
    out: dict[str, ModelCounts] = {}
    for player in players:
        if isinstance(player, ModelBot):
            out.setdefault(player.name, ModelCounts()).add(player.counts.data())
    return {name: counts.data() for name, counts in out.items()}


class Transcripts:
    """A file with a line of JSON for each question that a model was asked; a game's lines are written at its end.

    Raises HexdeckError if it can't be written.
    """

    def __init__(self, file: Path | None) -> None:
        self.file, self._lock = file, threading.Lock()

    def add(self, deal: int, seating: tuple[str, ...], players: list[Any]) -> None:
        """Add what was asked and answered in a game, in the order of play."""
        entries: list[dict[str, Any]] = [
            {"deal": deal, "seating": list(seating), "bot": player.name} | line
            for player in players
            if isinstance(player, ModelBot)
            for line in player.transcript
        ]
        if self.file is None or not entries:
            return
        with self._lock:
            append_lines(self.file, sorted(entries, key=lambda line: line["ply"]))
