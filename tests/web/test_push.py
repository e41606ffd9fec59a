"""Calls to one's turn, by a push service of our own: encrypted, once a turn, to who is away; what services may do."""

import asyncio
import base64
import contextlib
import itertools
import json
import random
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import trustme
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.tables.database import subscriptions
from hexdeck.tables.errors import TableError
from hexdeck.tables.rows import PARTS_OF_TABLE
from hexdeck.web.server import push
from hexdeck.web.server.push import endpoint_of, is_public
from hexdeck.web.server.settings import PushServices
from tests.loops import alone
from tests.support import PATIENCE, for_each, until
from tests.web.serving import Person, Process, Served, file_in, hang_up, metrics, served

plain, unplain = push.plain, push.unplain
NAMES = map(str, itertools.count())  # of browsers
LATER = 1e6  # seconds: a grace that doesn't end


# --- a push service, and browsers -------------------------------------------------------------------------------------
@dataclass
class Service:
    """A push service on this computer that keeps what it gets. `status`: its answer, once it `may` answer."""

    folder: Path
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    status: int = 201
    may: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "Service":
        service, authority = self, trustme.CA()
        service.may.set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.got.append((self.path, headers, self.rfile.read(int(headers["content-length"]))))
                service.may.wait()
                self.send_response(service.status)
                self.send_header("location", f"https://{service.place}/elsewhere")
                self.end_headers()

            def log_message(self, *_said: object) -> None:
                pass

        self.server = ThreadingHTTPServer((THIS_COMPUTER, 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(context)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        authority.cert_pem.write_to_path(str(self.folder / "authority.pem"))
        self.place = f"localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def settings(self) -> PushServices:
        return PushServices((self.place,), anywhere=True, authority=str(self.folder / "authority.pem"))


class Browser:
    """A browser's subscription."""

    def __init__(self, service: Service) -> None:
        self.path = f"/push/{next(NAMES)}"
        self.address = f"https://{service.place}{self.path}"
        self.key, self.secret = ec.generate_private_key(push.CURVE), random.randbytes(push.SECRET)
        self.service = service

    @property
    def fields(self) -> dict[str, str]:
        return {"endpoint": self.address, "p256dh": plain(push.public_of(self.key)), "auth": plain(self.secret)}

    def asks(self, person: Person, **more: str) -> int:
        """It wants to be told of a person's turns; returns the status of the answer."""
        return person.post(f"/table/{person.table}/push", self.fields | more, headers={"hexdeck": "1"}).status_code

    @property
    def got(self) -> list[tuple[dict[str, str], bytes]]:
        """What came for it: headers and body of each message."""
        return [(headers, body) for path, headers, body in list(self.service.got) if path == self.path]

    @property
    def read(self) -> list[Any]:
        return [json.loads(decrypted(body, self.key, self.secret)) for _, body in self.got]


def decrypted(body: bytes, key: push.Key, secret: bytes) -> bytes:
    salt, sender, sealed = body[:16], body[21:86], body[86:]
    assert body[16:21] == (4096).to_bytes(4) + b"\x41"
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(push.CURVE, sender))
    cipher, nonce = push.derived(shared, secret, salt, push.public_of(key), sender)
    return cipher.decrypt(nonce, sealed, None).removesuffix(b"\2")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service")) as found:
        yield found


@pytest.fixture(scope="module")
def place(service: Service, tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:
    with served(file_in(tmp_path_factory.mktemp("place")), push=service.settings) as found:
        yield found


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "GRACE", 0)


def seated(base: str, **setup: str) -> tuple[Person, Person]:
    """Two people at a table, of High Handed by default: there only a move of the one brings a turn of the other."""
    ann = Person(base).begins({"game": "high-handed", "players": "2", "seat-1": "open", **setup})
    ben = Person(base).joins(ann)
    return ann, ben


def is_turn(person: Person) -> bool:
    return bool(person.get(f"/table/{person.table}/turn").json()["turn"])


def turn_of_ben(ann: Person, ben: Person, seed: int = 1) -> None:
    """Play until a move of Ann's has brought Ben's turn."""
    rng = random.Random(seed)
    for _ in range(40):
        if is_turn(ben):
            ben.plays(rng)
            continue
        ann.plays(rng)
        if is_turn(ben):
            return
    raise AssertionError("it never was")


def weighed(place: Served, table: str) -> None:
    """Wait until the server has weighed whether to call Ben to the turn that has begun, and has done so."""
    calls, registry = place.state.calls, place.state.registry
    until(lambda: calls._seen.get((table, 1), -1) > push.last_move(registry.tables[table], 1))
    answered(place)


def answered(place: Served) -> None:
    """Wait until every call that has begun was answered."""

    async def all_answered() -> None:
        for _ in range(3):  # the loop goes round, and so comes to what was to be done at once
            await asyncio.sleep(0)
        while calls := [task for task in asyncio.all_tasks() if "Calls." in repr(task.get_coro())]:
            await asyncio.wait(calls)

    asyncio.run_coroutine_threadsafe(all_answered(), place.state.registry.loop).result(PATIENCE)


def kept(place: Served, table: str) -> list[Any]:
    asked = subscriptions.select().where(subscriptions.c.table == table)
    return list(place.state.registry.store.submit(lambda job: list(job.execute(asked))).result(PATIENCE))


def called(browser: Browser, count: int = 1) -> None:
    until(lambda: len(browser.got) >= count)
    assert browser.read == count * [browser.read[0]]
    assert len(browser.got) == count


# --- what is sent -----------------------------------------------------------------------------------------------------
def test_a_message_is_encrypted_as_the_example_of_rfc_8291() -> None:
    public = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    own = push.key_of(unplain("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    secret, salt = unplain("BTBZMqHH6r4Tts7J_aSIgg"), unplain("DGv6ra1nlYgDCS1FRnbzlw")
    body = push.encrypted(b"When I grow up, I want to be a watermelon", unplain(public), secret, own, salt)
    assert plain(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    reader = push.key_of(unplain("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    assert decrypted(body, reader, secret) == b"When I grow up, I want to be a watermelon"


def test_who_sends_it_is_signed_as_rfc_8292_says() -> None:
    key = push.key_of(push.fresh_key())
    header = push.signed(key, "https://push.example", "https://cards.example", 1e9)
    token, public = header.removeprefix("vapid t=").split(", k=")
    text, _, signature = token.rpartition(".")
    head, claims = (json.loads(unplain(part)) for part in text.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"} and unplain(public) == push.public_of(key)
    assert claims == {"aud": "https://push.example", "exp": 10**9 + 12 * 3600, "sub": "https://cards.example"}
    raw = unplain(signature)
    whole = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key.public_key().verify(whole, text.encode(), ec.ECDSA(SHA256()))  # raises if it doesn't hold


def test_a_call_says_which_table_and_nothing_else(place: Served, service: Service) -> None:
    (ann, ben), browser = seated(place.base), Browser(service)
    assert browser.asks(ben) == 204
    turn_of_ben(ann, ben)
    called(browser)
    assert browser.read == [{"table": ben.table}]
    ((headers, body),) = browser.got
    assert ben.table.encode() not in body and not any(ben.table in value for value in headers.values())
    sent = "authorization connection content-encoding content-length content-type host topic ttl urgency"
    assert " ".join(sorted(headers)) == sent
    assert headers["ttl"] == "86400" and len(headers["topic"]) == 32 and headers["content-encoding"] == "aes128gcm"
    until(lambda: 'hexdeck_calls_total{status="201"}' in metrics(place.base))


def test_a_call_is_kept_by_its_service_no_longer_than_the_clock_runs(place: Served) -> None:
    ann, ben = seated(place.base, clock="relaxed")
    turn_of_ben(ann, ben)
    live, now = place.state.registry.tables[ben.table], 1e9
    assert push.seconds_left(live, now) == push.LONGEST_KEPT  # the clock has been running for long
    assert live.due is not None and push.seconds_left(live, live.due - 90.5) == 90
    assert push.seconds_left(live, live.due + 1) == 0


def test_a_newer_call_replaces_only_that_of_the_same_seat() -> None:
    assert push.topic("t", 0) == push.topic("t", 0)
    assert len({push.topic(table, seat) for table in "tu" for seat in range(6)}) == 12


# --- when it is sent --------------------------------------------------------------------------------------------------
def test_each_turn_is_told_once_and_the_one_that_they_see_not_at_all(place: Served, service: Service) -> None:
    (ann, ben), browser = seated(place.base), Browser(service)
    turn_of_ben(ann, ben)
    browser.asks(ben)  # it is Ben's turn now
    ben.post(f"/table/{ben.table}/name", {"name": "Benjamin"})
    turn_of_ben(ann, ben)
    weighed(place, ben.table)
    called(browser)
    for name in ("Ben", "Benny"):
        ann.post(f"/table/{ann.table}/name", {"name": name})
        browser.asks(ben)  # his page was opened again
    answered(place)
    called(browser)
    turn_of_ben(ann, ben, 2)
    weighed(place, ben.table)
    called(browser, 2)


def test_who_has_the_page_open_is_not_called(place: Served, service: Service) -> None:
    (ann, ben), browser, streams = seated(place.base), Browser(service), place.state.streams
    browser.asks(ben)
    with ben.http.stream("GET", f"/table/{ben.table}/stream") as answer:
        frames = answer.iter_raw()  # the page is closed when it goes
        assert next(frames)
        other = Person(place.base)
        other.table = ben.table
        other.http.cookies.update(ben.http.cookies)
        turn_of_ben(ann, other)
        weighed(place, ben.table)
        assert browser.got == []
    until(lambda: not streams.present(ben.table, 1))
    turn_of_ben(ann, ben, 2)
    called(browser)


def test_a_turn_that_is_over_before_is_not_told(place, service, monkeypatch) -> None:
    (ann, ben), browser, made = seated(place.base), Browser(service), place.state.calls
    browser.asks(ben)
    monkeypatch.setattr(push, "GRACE", LATER)
    turn_of_ben(ann, ben)
    ben.post(f"/table/{ben.table}/seat/1/bot")
    late = made._call(ben.table, 1, made._seen[ben.table, 1])
    asyncio.run_coroutine_threadsafe(late, place.state.registry.loop).result()
    answered(place)
    assert browser.got == []
    monkeypatch.setattr(push, "GRACE", 0)
    assert ben.post(f"/table/{ben.table}/seat/1/back").status_code == 303
    turn_of_ben(ann, ben, 2)
    called(browser)


def test_what_began_before_a_stop_is_told_after_the_start_but_nothing_twice(service, tmp_path, monkeypatch) -> None:
    browser = Browser(service)
    monkeypatch.setattr(push, "GRACE", LATER)
    with served(file_in(tmp_path), push=service.settings) as first:
        ann, ben = seated(first.base)
        browser.asks(ben)
        turn_of_ben(ann, ben)
        key = first.state.calls.public_key
    monkeypatch.setattr(push, "GRACE", 0)
    with served(file_in(tmp_path), push=service.settings) as second:
        assert second.state.calls.public_key == key  # or browsers would have to ask anew
        called(browser)
    with served(file_in(tmp_path), push=service.settings) as third:
        turn_of_ben(at(third.base, ann), at(third.base, ben), 2)
        weighed(third, ben.table)
        called(browser, 2)


def at(base: str, person: Person) -> Person:
    found = Person(base)
    found.table = person.table
    found.takes(person.token)
    return found


@pytest.mark.long
def test_a_turn_is_told_once_though_servers_are_killed_before_and_after(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        first = Process(file_in(tmp_path), push=service.settings)
        (ann, ben), browser = seated(first.base), Browser(service)
        browser.asks(ben)
        turn_of_ben(ann, ben)
        first.kill()
        hang_up()
        assert service.got == []
        second = Process(file_in(tmp_path), push=service.settings)
        called(browser)
        second.kill()
        third = Process(file_in(tmp_path), push=service.settings)
        turn_of_ben(at(third.base, ann), at(third.base, ben), 2)
        called(browser, 2)
        third.stop()


def test_the_browsers_of_a_table_are_told_of_its_rematch(place: Served, service: Service) -> None:
    setup = {"game": "hawthorn", "option-deals": "1"}
    (ann, ben), browser, rng = seated(place.base, **setup), Browser(service), random.Random(3)
    browser.asks(ben)
    while not ann.plays(rng):
        ben.plays(rng)
    ann.sits_down(ann.post(f"/table/{ann.table}/rematch"))
    until(lambda: {"table": ann.table} in browser.read)


def test_a_page_that_asks_whose_turn_it_is_starts_no_clock_and_a_stranger_has_none(place: Served) -> None:
    ann, ben = seated(place.base, game="hawthorn", clock="brisk", watch="no")  # both choose a card at first
    for _ in range(3):
        assert is_turn(ben)
    ann.post(f"/table/{ann.table}/name", {"name": "Annabel"})  # a change, which comes after what was begun before
    seat = place.state.registry.tables[ben.table].seats[1]
    assert seat.awaited is True
    assert Person(place.base).get(f"/table/{ann.table}/turn").status_code == 403
    open_to_all, _ = seated(place.base)
    assert Person(place.base).get(f"/table/{open_to_all.table}/turn").json() == {"turn": False, "over": False}
    assert Person(place.base).get("/table/nothing/turn").status_code == 404


# --- what is kept -----------------------------------------------------------------------------------------------------
def test_of_each_seat_the_newest_browsers_are_kept_and_one_can_leave(place: Served, service: Service) -> None:
    _, ben = seated(place.base)
    browsers = [Browser(service) for _ in range(8)]
    for browser in browsers:
        assert browser.asks(ben) == 204
    assert {row.endpoint for row in kept(place, ben.table)} == {browser.address for browser in browsers[3:]}
    assert browsers[5].asks(ben, on="no") == 204
    left = [row.endpoint for row in kept(place, ben.table)]
    assert browsers[5].address not in left and len(left) == 4


def test_they_go_with_the_seat_and_with_the_table(place: Served, service: Service) -> None:
    ann, ben = seated(place.base)
    for person in (ann, ben):
        Browser(service).asks(person)
    ann.post(f"/table/{ann.table}/seat/1/free")
    assert [row.seat for row in kept(place, ann.table)] == [0] and subscriptions in PARTS_OF_TABLE


def test_whoever_asks_what_is_kept_reads_where_calls_go_and_no_key(place: Served, service: Service) -> None:
    _ann, ben = seated(place.base)
    Browser(service).asks(ben)
    (told,) = ben.get("/me/file").json()["tables"][0]["told_of_turns"]
    assert told.keys() == {"endpoint", "site", "made", "told"}


@for_each(("status", "stays"), [(404, 0), (410, 0), (500, 1), (403, 1), (302, 1), (429, 1)])
def test_a_browser_that_is_gone_is_forgotten_and_nobody_is_followed_elsewhere(
    place: Served, service: Service, monkeypatch: pytest.MonkeyPatch, status: int, stays: int
) -> None:
    (ann, ben), browser = seated(place.base), Browser(service)
    monkeypatch.setattr(service, "status", status)
    browser.asks(ben)
    turn_of_ben(ann, ben)
    until(lambda: f'hexdeck_calls_total{{status="{status}"}}' in metrics(place.base))
    until(lambda: len(kept(place, ben.table)) == stays)
    assert {path.rpartition("/")[0] for path, *_ in service.got} == {"/push"} and len(browser.got) == 1


def test_a_service_that_hangs_is_left_after_a_while_and_play_goes_on(place, service, monkeypatch) -> None:
    monkeypatch.setattr(push, "PATIENCE", 0.3)
    (ann, ben), browser = seated(place.base), Browser(service)

    def unanswered() -> list[str]:
        return [line for line in metrics(place.base).splitlines() if 'calls_total{status="none"}' in line]

    before = unanswered()
    browser.asks(ben)
    service.may.clear()
    turn_of_ben(ann, ben)
    until(lambda: unanswered() != before)
    service.may.set()
    assert ben.page() and len(kept(place, ben.table)) == 1


# --- whom it is sent to -----------------------------------------------------------------------------------------------
GOOD = (
    "https://fcm.googleapis.com/fcm/send/a:b-c_d",
    "https://web.push.apple.com/Qx",
    "https://wns2.notify.windows.com/w/?token=a%2b",
)
BAD = (
    "http://fcm.googleapis.com/fcm/send/a",
    "https://fcm.googleapis.com.evil.example/a",
    "https://evil.example/a",
    "https://fcm.googleapis.com@evil.example/a",
    "https://push.apple.com.evil.example/a",
    "https://localhost/a",
    "https://fcm.googleapis.com:8443/a",
    "https://fcm.googleapis.com/a b",
    "https://fcm.googleapis.com/a\r\nHost: evil",
    "https://fcm.googleapis.com",
    "https://notify.windows.com/a",
    "https://xpush.apple.com/a",
    "ftp://x",
    "",
    "https://fcm.googleapis.com/" + "a" * 1100,
    "https://[::1]/a",
    "https://FCM.googleapis.com/a#\x00",
)


def test_messages_go_to_known_push_services_only() -> None:
    for address in GOOD:
        endpoint = endpoint_of(address, PushServices())
        assert f"https://{endpoint.place}{endpoint.path}" == address
    for address in BAD:
        with pytest.raises(TableError, match="push service"):
            endpoint_of(address, PushServices())


def test_a_known_name_that_leads_to_a_private_network_is_not_followed(service: Service) -> None:
    here = PushServices(service.settings.hosts, authority=service.settings.authority)

    async def sent(services: PushServices) -> int:
        return await push.Post(services).send(endpoint_of(Browser(service).address, services), {}, b"x")

    before = len(service.got)
    assert alone(sent(here)) == 0 and len(service.got) == before
    assert alone(sent(service.settings)) == 201
    untrusted = PushServices(service.settings.hosts, anywhere=True)
    assert alone(sent(untrusted)) == 0 and len(service.got) == before + 1
    assert is_public("2606:4700::1111") and is_public("8.8.8.8")
    for octets in (
        (10, 0, 0, 1),
        (127, 0, 0, 1),
        (169, 254, 169, 254),
        (192, 168, 1, 1),
        (224, 0, 0, 1),
        (100, 64, 0, 1),
    ):
        dotted = ".".join(map(str, octets))
        assert not is_public(dotted) and not is_public(f"::ffff:{dotted}"), dotted


@for_each(
    "wrong",
    [{"endpoint": "https://evil.example/a"}, {"p256dh": "x" * 87}, {"p256dh": ""}, {"auth": "AA"}, {"auth": "é"}],
)
def test_what_is_no_subscription_is_refused(place: Served, service: Service, wrong: dict[str, str]) -> None:
    _, ben = seated(place.base)
    assert Browser(service).asks(ben, **wrong) == 400 and kept(place, ben.table) == []


def test_only_who_has_a_seat_is_told_of_its_turns(place: Served, service: Service) -> None:
    ann, _ = seated(place.base)
    stranger = Person(place.base)
    stranger.table = ann.table
    assert Browser(service).asks(stranger) == 403 and kept(place, ann.table) == []
    key = place.state.calls.public_key
    assert f'data-push-key="{key}"' in ann.page() and "data-push-key" not in stranger.page()
    assert len(base64.urlsafe_b64decode(key + "=")) == 65


def test_without_its_packages_a_server_calls_nobody_and_the_rest_works(tmp_path, service, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(push, "IS_POSSIBLE", False)
        with served(file_in(tmp_path), push=service.settings) as site, contextlib.closing(site.state.calls):
            ann, ben = seated(site.base)
            assert Browser(service).asks(ben) == 404 and "data-push-key" not in ben.page()
            turn_of_ben(ann, ben)
