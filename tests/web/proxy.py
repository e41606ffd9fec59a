"""A reverse proxy for tests: TLS, with the site below a path of its host, as Caddy or nginx would serve it."""

import asyncio
import contextlib
import ssl
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator, Sequence

import trustme

from hexdeck.cli.command_line import THIS_COMPUTER

HEAD_END = b"\r\n\r\n"


class Proxy:
    """Takes requests over TLS and passes them on; `strips`: without the path below which the site is."""

    def __init__(self, ports: Sequence[int], prefix: str, *, strips: bool) -> None:
        self.ports, self.prefix, self.strips, self.base = list(ports), prefix.encode(), strips, ""
        self.taken: list[StreamWriter] = []
        authority = trustme.CA()
        self.tls, self.trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
        authority.issue_cert("localhost", THIS_COMPUTER).configure_cert(self.tls)
        authority.configure_trust(self.trusted)

    async def serve(self, opened: threading.Event) -> None:
        """Pass requests on, until `stop`."""
        self.loop, self.ended = asyncio.get_running_loop(), asyncio.Event()
        self.loop.set_exception_handler(lambda *_: None)  # of connections that browsers dropped
        server = await asyncio.start_server(self.take, THIS_COMPUTER, 0, ssl=self.tls)
        self.base = f"https://{THIS_COMPUTER}:{server.sockets[0].getsockname()[1]}"
        opened.set()
        await self.ended.wait()
        server.close()
        for writer in self.taken:
            with contextlib.suppress(AttributeError):  # some versions of Python can't abort what has ended
                writer.transport.abort()  # a goodbye over TLS would outlast the loop
        for _ in range(3):  # an aborted connection is closed in the loop's next rounds
            await asyncio.sleep(0)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.ended.set)

    async def take(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Handle one connection: a request, and its answer as it comes."""
        self.taken.append(writer)
        with contextlib.suppress(OSError, EOFError), contextlib.closing(writer):
            head = await reader.readuntil(HEAD_END)
            far_reader, far_writer = await self.opened()
            with contextlib.closing(far_writer):
                far_writer.write(self.passed(head.removesuffix(HEAD_END), writer.get_extra_info("peername")[0]))
                asked, answered = (
                    asyncio.ensure_future(piped(*ends)) for ends in ((reader, far_writer), (far_reader, writer))
                )
                await asyncio.wait([asked, answered], return_when=asyncio.FIRST_COMPLETED)
                asked.cancel(), answered.cancel()

    async def opened(self) -> tuple[StreamReader, StreamWriter]:
        """A connection to the next server; one that doesn't answer is left out from then on."""
        while True:
            self.ports.append(self.ports.pop(0))
            try:
                return await asyncio.open_connection(THIS_COMPUTER, self.ports[-1])
            except OSError:
                self.ports.pop()
                if not self.ports:
                    raise

    def passed(self, head: bytes, client: str) -> bytes:
        """The head of a request as it is passed on: what the proxy knows of the client is added, claims are removed."""
        first, *lines = head.split(b"\r\n")
        method, path, version = first.split(b" ")
        if self.strips and path.startswith(self.prefix):
            path = path[len(self.prefix) :] or b"/"
        kept = [line for line in lines if not line.lower().startswith((b"connection:", b"x-forwarded-"))]
        added = [b"X-Forwarded-For: " + client.encode(), b"X-Forwarded-Proto: https", b"Connection: close"]
        return b"\r\n".join([b" ".join([method, path, version]), *kept, *added]) + HEAD_END


async def piped(reader: StreamReader, writer: StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while some := await reader.read(65536):
            writer.write(some)
            await writer.drain()


@contextlib.contextmanager
def proxied(*ports: int, prefix: str = "", strips: bool = False) -> Iterator[Proxy]:
    """A running proxy, in a thread with a loop of its own."""
    proxy, opened = Proxy(ports, prefix, strips=strips), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(proxy.serve(opened)))
    thread.start()
    opened.wait()
    try:
        yield proxy
    finally:
        proxy.stop()
        thread.join()
