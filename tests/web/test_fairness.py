"""The page on fair cards: the promise before, the secret and all words after, and a check that finds changes."""

import random
from collections.abc import Callable
from dataclasses import replace

from hexdeck.engine.play.record import Record
from hexdeck.tables.fair import commitment
from hexdeck.tables.live import LiveTable
from hexdeck.web.routes import replays
from hexdeck.web.routes.replays import recorder
from tests.web.serving import Person, Served


def two_sit_down(site: Served) -> tuple[Person, Person]:
    """A host, and a guest who adds words to the shuffle."""
    ann, ben = Person(site.base), Person(site.base)
    ann.begins({"game": "blackstone", "players": "2", "seat-1": "open", "hold": "yes"})
    (link,) = ann.invitations()
    promised = site.state.registry.tables[ann.table].commitment
    assert promised in ben.get(link).text  # who adds has seen the promise before
    ben.begins({"contribution": "ravens <b>"}, link)
    ann.post(f"/table/{ann.table}/start", {"contribution": "seven of hearts"})
    return ann, ben


def test_the_promise_is_kept_and_everybody_sees_only_their_own_addition_until_the_end(site, monkeypatch) -> None:
    ann, ben = two_sit_down(site)
    watcher, path, table = Person(site.base), f"/table/{ann.table}/fair", site.state.registry.tables[ann.table]
    pages = [who.get(f"{path}?check=1").text for who in (ann, ben, watcher)]
    assert ["seven of hearts" in page for page in pages] == [True, False, False]
    assert ["ravens &lt;b&gt;" in page for page in pages] == [False, True, False]
    assert all(table.commitment in page and table.secret.hex() not in page for page in pages)
    rng = random.Random(3)
    while table.state == "playing":
        ann.plays(rng), ben.plays(rng)
    page = watcher.get(path).text
    assert all(each in page for each in ("seven of hearts", "ravens &lt;b&gt;", table.secret.hex(), "Check the cards"))
    assert commitment(table.secret) == table.commitment
    assert "draws follow from the secret, as they were dealt." in watcher.get(f"{path}?check=1").text
    assert "trekkingen volgen uit het geheim" in watcher.get(f"{path}?check=1", "nl").text

    def changed(table: LiveTable) -> Callable[[], Record]:
        table.seats = (table.seats[0], replace(table.seats[1], contribution="crows"))
        return recorder(table)

    monkeypatch.setattr(replays, "recorder", changed)
    assert "The cards were changed: event " in watcher.get(f"{path}?check=1").text


def test_who_may_not_watch_may_not_see_it_either(site: Served) -> None:
    ann, stranger = Person(site.base), Person(site.base)
    ann.begins({"game": "blackstone", "players": "2", "watch": "no"})
    assert ann.get(f"/table/{ann.table}/fair").status_code == 200
    assert stranger.get(f"/table/{ann.table}/fair").status_code == 403
