"""The site as an app: a manifest with existing icons, a worker that keeps nothing personal."""

import json
import re
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.serving import Person, Served, file_in, get, served


@pytest.fixture(scope="module", params=["", "/at/home"], ids=["at the root", "below a path"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:
    with served(file_in(tmp_path_factory.mktemp("place")), prefix=request.param) as found:
        yield found


def manifest(place: Served, lang: str = "en") -> dict[str, Any]:
    page = get(f"{place.base}{place.prefix}/", headers={"accept-language": lang}).text
    found = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert found
    answer = get(place.base + found[1])
    assert answer.headers["content-type"] == "application/manifest+json"
    return dict(answer.json())


def worker(place: Served, lang: str = "en") -> tuple[dict[str, Any], str]:
    code = get(f"{place.base}{place.prefix}/sw.js?lang={lang}").text
    first, _, rest = code.partition("\n")
    return json.loads(first.removeprefix("const SITE = ").removesuffix(";")), rest


def test_the_manifest_stays_on_the_site_and_its_icons_have_their_sizes(place: Served) -> None:
    listed = manifest(place)
    for address in (listed["id"], listed["scope"], listed["start_url"], *(cut["url"] for cut in listed["shortcuts"])):
        assert address.startswith(f"{place.prefix}/")
    assert {icon["purpose"] for icon in listed["icons"]} == {"any", "maskable"}
    for icon in listed["icons"]:
        answer = get(place.base + icon["src"])
        assert answer.headers["content-type"] == "image/png"
        width, height = struct.unpack(">II", answer.content[16:24])
        assert icon["sizes"] == f"{width}x{height}"


def test_manifest_and_page_without_connection_speak_the_readers_language(place: Served) -> None:
    assert manifest(place)["description"] != manifest(place, "nl")["description"]
    assert manifest(place, "nl")["lang"] == "nl"
    pages = [get(f"{place.base}{worker(place, lang)[0]['page']}").text for lang in ("en", "nl")]
    assert 'lang="en"' in pages[0] and 'lang="nl"' in pages[1]
    assert worker(place)[0]["kept"] != worker(place, "nl")[0]["kept"]


def test_the_worker_keeps_one_page_and_its_files_and_nothing_else(place: Served) -> None:
    setup, code = worker(place)
    assert code.count("addAll") == 1 and ".put(" not in code and ".add(" not in code
    assert setup["kept"].startswith(setup["prefix"])
    page = get(place.base + setup["page"])
    assert page.status_code == 200
    wanted = set(re.findall(r'(?:href|src)="(/[^"]+)"', page.text))
    assert wanted == set(setup["files"])
    assert all(get(place.base + file).status_code == 200 for file in wanted)


def test_the_page_that_is_kept_is_the_same_whoever_asks(place: Served) -> None:
    ann = Person(place.base)
    setup = worker(place)[0]
    before = ann.get(setup["page"]).text
    ann.post(f"{place.prefix}/play", {"game": "hawthorn", "name": "Ann"})
    assert ann.get(setup["page"]).text == before


def test_another_language_than_there_is_is_the_readers_own(site: Served) -> None:
    assert get(f"{site.base}/offline?lang=xx").status_code == 200
    assert get(f"{site.base}/manifest.webmanifest?lang=<script>").json()["lang"] == "en"
