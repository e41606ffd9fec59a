"""The site as an app in a real browser: it can be installed, and says so when there is no connection."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.settings import much
from tests.web.serving import BACKEND, Served, file_in, served, until

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) for (const one of await (await caches.open(name)).keys()) found.push(one.url);
  return found;
}"""


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def ready(page: Any) -> None:
    """Wait until the worker controls the page."""
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


@pytest.mark.parametrize(("lang", "said"), much(SAID[:1], SAID))
def test_without_a_connection_it_says_so_and_then_goes_on_to_the_table(
    browser: Any, tmp_path: Any, lang: str, said: str
) -> None:
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


CALLS = (
    "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => [one.title, one.tag])"
)


@pytest.mark.parametrize(
    ("lang", "said"), much([("en", "It's your turn.")], [("en", "It's your turn."), ("nl", "Je bent aan de beurt.")])
)
def test_a_push_shows_a_call_to_the_table_that_goes_where_the_turn_is_over(
    browser: Any, tmp_path: Any, lang: str, said: str
) -> None:
    with served(file_in(tmp_path)) as site:
        context = browser.new_context(base_url=site.base, locale=lang, permissions=["notifications"])
        page = context.new_page()
        ready(page)
        driver, found = context.new_cdp_session(page), list[Any]()
        driver.on("ServiceWorker.workerRegistrationUpdated", lambda news: found.extend(news["registrations"]))
        driver.send("ServiceWorker.enable")
        until(lambda: page.wait_for_timeout(20) or found)

        def pushed(table: str) -> None:
            how = {
                "origin": site.base,
                "registrationId": found[0]["registrationId"],
                "data": json.dumps({"table": table}),
            }
            driver.send("ServiceWorker.deliverPushMessage", how)

        page.locator("#play-hawthorn").click()
        page.wait_for_selector("#prompt")
        mine = page.url.rpartition("/")[2]
        page.goto("/new/hawthorn?players=2&seat-1=open")
        page.locator(".set button").click()
        page.wait_for_selector("main.waiting")
        others = page.url.rpartition("/")[2]
        page.goto("/about")
        pushed(mine)
        until(lambda: page.wait_for_timeout(50) or page.evaluate(CALLS) == [[said, mine]])
        pushed(others)  # where nobody is to move
        page.wait_for_timeout(600)
        assert page.evaluate(CALLS) == [[said, mine]]
        page.evaluate(
            "async () => (await (await navigator.serviceWorker.ready).getNotifications()).forEach((one) => one.close())"
        )
        page.goto(f"/table/{mine}")
        page.wait_for_selector("#bell:visible")
        pushed(mine)  # whoever looks at it isn't called
        page.wait_for_timeout(600)
        assert page.evaluate(CALLS) == []
        context.close()


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
