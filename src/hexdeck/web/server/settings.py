"""The settings of a server: where tables are stored, how it is reached, how much it allows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hexdeck.tables.runner import RETENTION, Retention

GOOGLE = "fcm.googleapis.com"  # Chrome, Edge on phones, Opera, Samsung
PUSH_SERVICES = GOOGLE, "updates.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"


@dataclass(frozen=True)
class PushServices:
    """The push services that messages are sent to.

    `hosts`: their names, with a port if it isn't the usual one; `*.` stands for what may come before. For tests:
    `anywhere`: they may be on this computer or its network; `authority`: a file of certificates to trust.
    """

    hosts: tuple[str, ...] = PUSH_SERVICES
    anywhere: bool = False
    authority: str = ""


SPARE_FILES = 64  # that a server has open beside its connections, or has for a moment


@dataclass(frozen=True)
class Limits:
    """How much is allowed: altogether, to one address, in one request.

    A rate is a number of requests a second that an address may keep up, and how many it may send at once.
    `head_seconds`, `body_seconds`: within which the head and the body of a request must have arrived. `unread_seconds`:
    within which a client must have read what was sent to it.
    """

    tables: int = 20_000  # that aren't over
    tables_part: int = 500  # one address may have this part of the room that others leave: 1 in so many
    streams: int = 6_000
    streams_each: int = 200  # of one address: a whole household, or a class behind one router
    streams_part: int = 20  # one address may have this part of the room that others leave: 1 in so many
    streams_at: int = 60  # of one address at one table
    spectators: int = 1_000  # streams of one table's spectators
    connections: int = 8_192  # where the system lets the process have as many files
    connections_each: int = 256  # of one address
    head: int = 16_384  # bytes
    headers: int = 100  # lines of a head
    body: int = 16_384  # bytes
    upload: int = 65_536  # bytes of the body that holds a shared variant, every letter of which may take three
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    unread_seconds: float = 60.0
    posts: tuple[float, int] = (12.0, 60)
    pages: tuple[float, int] = (40.0, 200)
    creates: tuple[float, int] = (0.2, 30)  # new tables
    joins: tuple[float, int] = (0.5, 30)  # invitations and carried seats that are tried
    codes: tuple[float, int] = (1 / 60, 10)  # codes of tables that are tried and wrong
    hints: tuple[float, int] = (0.5, 10)  # of one seat; analyses that an address asks for
    looks: int = 60  # pages of the workshop that are open
    measured: int = 16  # variants that are measured at once
    measured_each: int = 8  # that are looked at from one address

    def within(self, files: int) -> Limits:
        """These limits, lowered to what a process can keep that may have so many files open."""
        connections = max(1, min(self.connections, files - SPARE_FILES))
        return replace(
            self,
            connections=connections,
            connections_each=min(self.connections_each, max(1, connections // 4)),
            streams=min(self.streams, 3 * connections // 4),
        )


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    `prefix`: where the site begins below its host, "" or like "/cards". `hosts`: the names that it answers to besides
    its own (`Hosts`), in lower case. `proxies`: addresses and networks of proxies, which are believed when
    they say who asks. `lan_address`: its address for other devices on the network; "" when they can't reach it, or when
    it isn't known though they might. `for_lan`: the commands that would let them in; none where they are.
    `pause`: seconds that bots wait. `keep`: for how long tables are kept.
    `lang`: for readers whose browsers accept no language of ours.
    `metrics_token`: what opens `/metrics`, which tells what players may not know; "": nothing does. `push`: the push
    services by which people are called to their turn. `workshop`: whether visitors may measure variants of games.
    `puzzles`: files of puzzles besides those that come with the games. `forks`: the folder of the forks whose rules a
    browser on this computer may write; "": nobody may.
    """

    database: str
    prefix: str = ""
    lan_address: str = ""
    for_lan: tuple[str, ...] = ("hexdeck serve --lan", "make play ARGS=--lan")
    pause: float = 0.8
    keep: Retention = RETENTION
    lang: str = "en"
    metrics_token: str = field(default="", repr=False)
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    push: PushServices = field(default_factory=PushServices)
    workshop: bool = True
    puzzles: tuple[str, ...] = ()
    forks: str = ""
