"""What the docs site shows of each game, made from the program: a report, and a match to step through without a server.

    python tools/samples.py FOLDER [--games hawthorn …]

Writes `report-GAME.html`, `replay-GAME.html` and, in Dutch, `replay-GAME.nl.html`: single files, with their type and
pictures in them, that ask nothing of any server.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import io
import json
import re
from pathlib import Path

from gallery import NAMES, as_at_tables

import hexdeck
from hexdeck.bots.players.roster import bot
from hexdeck.cli import main as run_command
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import facts_between, stops_of, view_at
from hexdeck.web.html import pages, rendering
from hexdeck.web.html.rendering import Site

PLAYERS, SEED, GAMES, SAMPLE = 4, 11, 4_000, 15
STYLES = "style.css", "felt.css"
TYPE = re.compile(r"([a-z0-9-]+)\.[0-9a-f]{12}\.woff2")
WORDS = {
    "en": {"about": "a match to step through", "back": "Back", "on": "Next", "step": "Step"},
    "nl": {"about": "een partij om te bekijken", "back": "Terug", "on": "Verder", "step": "Stap"},
}
PAGE = """<!DOCTYPE html>
<html lang="{lang}" data-theme="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}: {about}</title><style>{style}
.walk {{ position: fixed; inset: auto 0 0; display: flex; gap: .75rem; align-items: center; justify-content: center;
  padding: .75rem; background: #0e1426; color: #fff; }} .walk input {{ flex: 0 1 30rem; min-width: 3rem; }}
.walk button {{ padding: .4rem 1rem; border-radius: .5rem; color: #111; background: #f0c869; }}
.room {{ padding-bottom: 4rem; }} .walk output {{ white-space: nowrap; }}
.play .told {{ height: auto; max-height: none; min-height: 7rem; padding: .75rem; text-align: center;
  font-size: 1.125rem; }}
.play .room {{ border-radius: 0; }}
</style></head>
<body class="play looking"><div hidden>{sprite}</div><div id="at">{last}</div>
<nav class="walk"><button id="back">{back}</button><input type="range" id="step" min="0" max="{most}" value="{most}"
aria-label="{step}"><button id="on">{on}</button><output id="where"></output></nav>
<script>const steps = {steps}, at = document.getElementById("at"), step = document.getElementById("step");
const show = (k) => {{ step.value = k; at.innerHTML = steps[step.value];
  document.getElementById("where").value = `${{step.value}} / {most}`; }};
step.oninput = () => show(step.value);
document.getElementById("back").onclick = () => show(+step.value - 1);
document.getElementById("on").onclick = () => show(+step.value + 1);
onkeydown = (key) => {{ if (key.target !== step && key.key === "ArrowLeft") show(+step.value - 1);
  if (key.target !== step && key.key === "ArrowRight") show(+step.value + 1); }};
show(0);</script></body></html>
"""


def played(game: str) -> Match:
    """A match among house bots, always the same."""
    chosen = hexdeck.game(game, players=PLAYERS)
    match = chosen.match(seed=SEED, names=NAMES[:PLAYERS])
    bots = [bot("house", chosen, seed=seat) for seat in range(PLAYERS)]
    while not match.over:
        seat = match.acting[0]
        match.play(seat, bots[seat].choose(match.concealed(seat), seat))
    return match


def table(match: Match, stops: tuple[int, ...], step: int, lang: str) -> str:
    """The table at a step, with open cards and what had just happened."""
    lines = facts_between(match, stops[step], stops[step - 1] if step else 0, None)
    page = pages.replay(Site(lang, "auto"), "sample", stops, step, None, view_at(match, stops[step], None), lines)
    main = page[page.index("<main") : page.index("</main>") + len("</main>")]
    main = re.sub(
        r'<section class="mine scrub".*?</section>|<p class="next ways-on">.*?</p>', "", main, flags=re.DOTALL
    )
    return re.sub(r'href="[^"#]*#', 'href="#', main)


def styles() -> str:
    """The style sheets, with the type that they name in them."""
    text = "\n".join(rendering.contents(name).decode() for name in STYLES)
    return TYPE.sub(lambda found: "data:font/woff2;base64," + encoded(f"{found[1]}.woff2"), text)


def encoded(name: str) -> str:
    """A file of the site in base64."""
    return base64.b64encode(rendering.contents(name)).decode()


def replay(game: str, lang: str) -> str:
    """A page with every step of a match, in a language."""
    match = played(game)
    stops = stops_of(match)
    steps = [table(match, stops, step, lang) for step in range(len(stops))]
    sprite = re.sub(r"^<\?xml.*?\?>", "", rendering.contents("sprite.svg").decode())
    told = json.dumps(steps).replace("</", "<\\/")
    return PAGE.format(
        title=match.game.table.ABOUT.title,
        style=styles(),
        sprite=sprite,
        last=steps[-1],
        most=len(steps) - 1,
        steps=told,
        lang=lang,
        **WORDS[lang],
    )


def report(game: str, path: Path) -> None:
    """Write a report on bots that play a game, with every number of players."""
    with contextlib.redirect_stdout(io.StringIO()):
        words = [*as_at_tables(game), "--games", str(GAMES), "--sample", str(SAMPLE), "--seed", "1"]
        status = run_command(["report", game, *words, "--page", str(path)])
    if status:
        raise SystemExit(f"The report on {game} wasn't made.")


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="+", default=list(game_names()), choices=game_names())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for game in options.games:
        for name, lang in ((f"replay-{game}.html", "en"), (f"replay-{game}.nl.html", "nl")):
            (options.folder / name).write_text(replay(game, lang), encoding="utf-8")
        report(game, options.folder / f"report-{game}.html")


if __name__ == "__main__":
    main()
