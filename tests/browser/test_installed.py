"""The site as an app in a real browser: it can be installed, and says so when there is no connection."""

import re
from typing import Any

import pytest

from hexdeck.web.routes.site_pages import worker_script
from tests.support import until
from tests.web.serving import BACKEND, Served, file_in, served

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) for (const one of await (await caches.open(name)).keys()) found.push(one.url);
  return found;
}"""


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def ready(page: Any) -> None:
    page.goto("./")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


@pytest.mark.parametrize("prefix", ["", "/at/home"])
def test_it_can_be_installed(browser: Any, tmp_path: Any, prefix: str) -> None:
    with served(file_in(tmp_path), prefix=prefix) as site:
        context = browser.new_context(base_url=f"{site.base}{prefix}/")
        page = context.new_page()
        ready(page)
        asked = context.new_cdp_session(page)
        found = asked.send("Page.getAppManifest")
        assert found["errors"] == [] and found["url"].startswith(f"{site.base}{prefix}/manifest.webmanifest")
        wrong = [one["errorId"] for one in asked.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        assert [one for one in wrong if one != "in-incognito"] == []
        context.close()


SAID = [("nl", "Geen verbinding"), ("en", "No connection to the server")]


@pytest.mark.parametrize(("lang", "said"), SAID)
def test_without_a_connection_it_says_so_and_then_goes_on_to_the_table(browser, tmp_path, lang, said) -> None:
    first = Served(file_in(tmp_path))
    context = browser.new_context(base_url=first.base, locale=lang)
    page = context.new_page()
    ready(page)
    page.locator("#play-hawthorn").click()
    page.wait_for_selector("#prompt")
    address = page.url
    first.stop()
    page.goto(address)
    assert said in page.locator("h1").inner_text() and page.url == address
    assert not page.locator(".hand").count()
    second = Served(file_in(tmp_path), port=first.port)
    try:
        page.wait_for_selector("#prompt")
        assert page.url == address
        assert all(re.search(r"/offline\?lang=|/static/", one) for one in page.evaluate(KEPT))
    finally:
        context.close()
        second.stop()


STUBS = """async ({ code, windows, turn }) => {
  const heard = {}, kinds = ["addEventListener", "registration", "clients", "fetch"];
  window.shown = []; window.asked = []; window.opened = [];
  const without = (tag) => () => { shown = shown.filter((each) => each.tag !== tag); };
  const registration = { scope: "https://cards.example/at/",
    async showNotification(title, how) { shown.push({ title, ...how, close: without(how.tag) }); },
    async getNotifications({ tag }) { return shown.filter((each) => each.tag === tag); } };
  const page = (each) => ({ ...each, focus() { opened.push(`to ${each.url}`); } });
  const clients = { async matchAll() { return windows.map(page); },
    async openWindow(address) { opened.push(address); } };
  const answer = async (address) => { asked.push(address); if (turn === null) throw new TypeError("no connection");
    return { ok: true, json: async () => ({ turn }) }; };
  new Function(...kinds, code)((name, act) => { heard[name] = act; }, registration, clients, answer);
  const told = async (name, event) => { let done;
    heard[name]({ ...event, waitUntil(work) { done = work; } }); await done; };
  await told("push", { data: { json: () => ({ table: "abc" }) } });
  const calls = shown.map(({ title, tag, icon }) => [title, tag, icon.split("/").pop().split(".")[0]]);
  if (shown.length) await told("notificationclick", { notification: shown[0] });
  return { calls, asked, opened, left: shown.length };
}"""
TABLE = "https://cards.example/at/table/abc"
CALL = ["It's your turn.", "abc", "icon-192"]


def pushed(browser: Any, lang: str = "en", windows: tuple[tuple[str, str], ...] = (), turn: bool | None = True) -> Any:
    """What the worker does with a push, then with a tap on the call; `windows`: open pages, and whether each is seen.

    Its browser is stubbed: without a head, a browser shows no calls. `turn`: what the server says; None: nothing.
    """
    page = browser.new_page()
    there = [{"url": url, "visibilityState": seen} for url, seen in windows]
    try:
        return page.evaluate(STUBS, {"code": worker_script("/at", lang), "windows": there, "turn": turn})
    finally:
        page.close()


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_a_push_shows_a_call_that_leads_to_its_table(browser: Any, lang: str) -> None:
    said = pushed(browser, lang)
    assert said["calls"] == [CALL if lang == "en" else ["Je bent aan de beurt.", *CALL[1:]]]
    assert said["opened"] == [TABLE] and said["asked"] == [f"{TABLE}/turn"] and said["left"] == 0


def test_a_call_leads_to_a_page_of_the_table_that_is_open_already(browser: Any) -> None:
    windows = ("https://cards.example/at/tables", "visible"), (f"{TABLE}?x=1", "hidden")
    assert pushed(browser, windows=windows)["opened"] == [f"to {TABLE}?x=1"]


def test_whoever_looks_at_the_table_is_not_called(browser: Any) -> None:
    assert pushed(browser, windows=((TABLE, "visible"),))["calls"] == []


def test_a_call_that_comes_too_late_goes_at_once_and_one_without_connection_stays(browser: Any) -> None:
    late, alone = pushed(browser, turn=False), pushed(browser, turn=None)
    assert late["calls"] == [] and late["asked"] and alone["calls"] == [CALL]


def test_another_language_replaces_what_is_kept(browser: Any, tmp_path: Any) -> None:
    with served(file_in(tmp_path)) as site:
        context = browser.new_context(base_url=site.base)
        page = context.new_page()
        ready(page)
        context.add_cookies([{"name": "lang", "value": "nl", "url": site.base}])
        page.goto("/")
        until(lambda: [" nl " in name for name in page.evaluate("() => caches.keys()")] == [True])
        assert len(page.evaluate(KEPT)) == 4
        context.close()
