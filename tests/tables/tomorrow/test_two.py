"""Deals of the day at two processes on one PostgreSQL: one table for a person, one day's cards, one field."""

import threading
import time

from tests.web.serving import PATIENCE, Person, Process, hang_up, until
from tests.web.tomorrow.test_today import cards, finishes


def test_two_processes_deal_the_same_cards_once_and_agree_about_how_bots_fare(postgres: str) -> None:
    one, other = Process(postgres), Process(postgres)
    try:
        ann, ben, twin = Person(one.base), Person(other.base), Person(other.base)
        ann.post("/play", {"game": "hawthorn"})
        twin.http.cookies.set("hexdeck", ann.http.cookies["hexdeck"])
        led = list[str]()
        both = [threading.Thread(target=lambda who=who: led.append(who.sits_down(who.post("/today/cursed-hand"))))
                for who in (ann, twin)]  # fmt: skip
        for each in both:
            each.start()
        for each in both:
            each.join(PATIENCE)
        assert led == [ann.table] * 2
        ben.sits_down(ben.post("/today/cursed-hand", {"name": "Ben"}))
        assert cards(ann.page()) == cards(ben.page()) and ben.get(f"/table/{ann.table}").status_code == 403
        finishes(ann)
        assert until(lambda: twin.get("/today/cursed-hand").status_code == 200, 5)
        assert ben.get(f"/replay/{ann.table}").status_code == 403
        finishes(ben, 2)
        assert ben.get(f"/replay/{ann.table}").status_code == 200
        told, end = list[str](), time.monotonic() + PATIENCE
        while len(told) < 2 and time.monotonic() < end:
            found = [who.get(f"/table/{ann.table}/compared").json() for who in (ann, twin)]
            told = [each["compared"] for each in found if each["done"]]
        assert len(told) == 2 and told[0] == told[1]
    finally:
        hang_up()
        one.stop()
        other.stop()
