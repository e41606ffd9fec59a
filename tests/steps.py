"""What is seen of events step by step, as text that tests compare; `python -m tests.steps` writes it anew."""

import functools
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import beats
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Beat, Zone

from .settings import GAMES, folder_of_tests, module_of_tests
from .support import play, random_plies


def after(match: Match, *events: str, seat: int = -1) -> str:
    since, zones = match.length, match.view(seat).zones
    return steps(play(match, *events), since, zones, seat)


def steps(match: Match, since: int, zones: Sequence[Zone], seat: int = -1) -> str:
    """A line for each beat: cue, milliseconds, what is lit, `@` the seats, the sentence, `"what they say"`, and in
    braces what lies otherwise than a beat before; at the last one the table is as the view shows it."""
    told, found = [], beats(match, seat, since)
    for beat in found:
        told.append(one_step(beat, zones, last=beat is found[-1]))
        zones = beat.zones
    assert zones == match.view(seat).zones
    return "\n".join(told)


def one_step(beat: Beat, zones: Sequence[Zone], last: bool) -> str:
    words = Catalogue("en").words
    parts = [f"{beat.cue} {beat.hold}", ", ".join(beat.light), "@" + ",".join(map(str, beat.seats))]
    parts += [words(beat.line) if beat.line else "", f'"{words(beat.said)}"' if beat.said else ""]
    before = {zone.id: lies(zone) for zone in zones}
    moved = [f"{zone.id}: {lies(zone)}" for zone in beat.zones if lies(zone) != before.get(zone.id)]
    parts += ["{" + "; ".join(moved) + "}"] if moved and not last else []
    return " ".join(part for part in parts if part not in ("", "@"))


def lies(zone: Zone) -> str:
    """What lies in a zone: cards (a dot for none, but not at the end), how many face down, a count, a note."""
    cards = " ".join(card or "." for card in zone.cards).rstrip(" .")
    parts = [cards, f"+{zone.hidden}" if zone.hidden else ""]
    parts += ["" if zone.count is None else f"={zone.count}", f"({zone.note})" if zone.note else ""]
    return " ".join(part for part in parts if part)


def seen(scene: Callable[[], str]) -> Callable[[], None]:
    """A test of what is seen: the function returns it, and a text in `steps/` beside its file has how it was."""

    @functools.wraps(scene)
    def test() -> None:
        assert scene() == golden(text_of(scene)).get(scene.__name__)

    test.scene = test.__wrapped__  # type: ignore[attr-defined]
    del test.__wrapped__  # type: ignore[attr-defined]
    return test


def text_of(scene: Callable[[], str]) -> Path:
    """The file of what is seen in the scenes of a file of tests."""
    file = Path(scene.__code__.co_filename)
    return file.parent / "steps" / f"{file.stem}.txt"


@functools.cache
def golden(file: Path) -> dict[str, str]:
    parts = (part.partition("\n") for part in file.read_text(encoding="utf-8").split("== ")[1:])
    return {name: text.strip("\n") for name, _, text in parts}


def write() -> None:
    """Write what is seen anew, for all games: look at the difference before you commit it."""
    for name in GAMES:
        scenes: dict[Path, list[Callable[[], str]]] = {}
        for file in sorted(folder_of_tests(name).glob("test_*.py")):
            for test in vars(module_of_tests(name, file.stem)).values():
                if hasattr(test, "scene"):
                    scenes.setdefault(text_of(test.scene), []).append(test.scene)
        for text, own in scenes.items():
            text.parent.mkdir(exist_ok=True)
            text.write_text("\n".join(f"== {scene.__name__}\n{scene()}\n" for scene in own), encoding="utf-8")


def assert_all_see_the_same_steps(match: Match, cards: int, chips: int = 0) -> None:
    """Through a random match all see the same steps, and no card or chip comes or goes between them."""
    last = 0
    for _ in random_plies(match, random.Random(match.game.players)):
        each = [beats(match, seat, last) for seat in range(-1, match.game.players)]
        shown = {tuple((b.hold, b.cue, b.light, b.seats, str(b.said)) for b in found) for found in each}
        assert len(shown) == 1
        for beat in (beat for found in each for beat in found):
            assert sum(len(zone.cards) + zone.hidden for zone in beat.zones) == cards
            money = [zone.count or 0 for zone in beat.zones if zone.id.startswith(("pot", "chips", "stake"))]
            assert (not chips or sum(money) == chips) and beat.light and beat.line
        last = match.length


if __name__ == "__main__":
    write()
