"""Models behind an HTTP endpoint that speaks the chat-completions format."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say

PREFIX = "chat:"
KEY = "HEXDECK_CHAT_KEY"  # the environment variable with the key, sent as a bearer token
RETRIES = 4  # requests for an answer where the endpoint is busy or out of reach
WAIT = 0.5  # seconds before the second; each next one waits twice as long
LONGEST = 1 << 20  # bytes of a response that are read
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
        address, _mark, self.model = name.removeprefix(PREFIX).partition("#")
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
                return answer_in(self._sent(rules, question, remaining))
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in PASSING:
                        raise self._refusal(error.code) from None
            except (OSError, ValueError, LookupError, TypeError):  # out of reach, or not such a response
                pass
            time.sleep(max(0.0, min(WAIT * 2**number, end - time.monotonic())))
        return None

    def close(self) -> None:
        """Do nothing: no connection stays open."""

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
        if size > LONGEST:
            raise ValueError
        if time.monotonic() > end:
            raise TimeoutError
    return b"".join(parts)


def answer_in(body: bytes) -> str:
    """The text of the first choice of a response; raises ValueError, LookupError or TypeError if it has none."""
    content = json.loads(body)["choices"][0]["message"]["content"]
    return "" if content is None else str(content)


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
    return f"{PREFIX}…@{after}" if at and before else name
