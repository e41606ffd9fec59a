"""What the docs site shows of each game, made from the program: a report, and a match to step through without a server.

    python tools/samples.py FOLDER [--games hawthorn …]

Writes `report-GAME.html` and `replay-GAME.html`: single files that ask nothing of any server.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
from pathlib import Path

from gallery import NAMES

import hexdeck
from hexdeck.bots.players.named import bot
from hexdeck.cli import main as run_command
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.play.lookback import facts_between, stops_of, view_at
from hexdeck.engine.play.match import Match
from hexdeck.web.html import assets, pages
from hexdeck.web.html.page_models import ReplayPage, Site

SITE = Site("en", "auto")
PLAYERS, SEED, GAMES, SAMPLE = 4, 11, 20_000, 60
STYLES = "style.css", "table.css", "nights.css"
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}: a match to step through</title><style>{style}
.walk {{ position: fixed; inset: auto 0 0; display: flex; gap: .75rem; align-items: center; justify-content: center;
  padding: .75rem; background: #0e1426; color: #fff; }} .walk input {{ width: min(50vw, 30rem); }}
.walk button {{ padding: .4rem 1rem; border-radius: .5rem; color: #111; background: #f0c869; }}
.room {{ padding-bottom: 4rem; }} .told {{ padding: .75rem; text-align: center; font-size: 1.25rem; }}
</style></head>
<body class="play looking"><div hidden>{sprite}</div><div id="at">{last}</div>
<nav class="walk"><button id="back">Back</button><input type="range" id="step" min="0" max="{most}" value="{most}"
aria-label="Step"><button id="on">On</button><output id="where"></output></nav>
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


def table(match: Match, stops: tuple[int, ...], step: int) -> str:
    """The table at a step, with open cards and what had just happened."""
    lines = facts_between(match, stops[step], stops[step - 1] if step else 0, None)
    page = pages.replay(ReplayPage(SITE, "sample", stops, step, None, view_at(match, stops[step], None), lines))
    main = page[page.index("<main") : page.index("</main>") + len("</main>")]
    main = re.sub(
        r'<section class="mine scrub".*?</section>|<p class="next ways-on">.*?</p>', "", main, flags=re.DOTALL
    )
    return re.sub(r'href="[^"#]*#', 'href="#', main)


def replay(game: str) -> str:
    """A page with every step of a match."""
    match = played(game)
    stops = stops_of(match)
    steps = [table(match, stops, step) for step in range(len(stops))]
    style = "\n".join(assets.contents(name).decode() for name in STYLES)
    sprite = re.sub(r"^<\?xml.*?\?>", "", assets.contents("sprite.svg").decode())
    told = json.dumps(steps).replace("</", "<\\/")
    title = match.game.definition.table.TITLE
    return PAGE.format(title=title, style=style, sprite=sprite, last=steps[-1], most=len(steps) - 1, steps=told)


def report(game: str, path: Path) -> None:
    """Write a report on bots that play a game."""
    with contextlib.redirect_stdout(io.StringIO()):
        words = ["--players", str(PLAYERS), "--games", str(GAMES), "--sample", str(SAMPLE), "--seed", "1"]
        status = run_command(["report", game, *words, "--out", str(path)])
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
        (options.folder / f"replay-{game}.html").write_text(replay(game), encoding="utf-8")
        report(game, options.folder / f"report-{game}.html")


if __name__ == "__main__":
    main()
