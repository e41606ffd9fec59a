"""Sentences about matches of `best`, from the figures that tools/commented.py found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commented_choice import Row, between, clear, focus, rival, turn

import hexdeck
from hexdeck.bots.advice.analysis import cost_in_words
from hexdeck.bots.advice.hints import PLAYING_ON
from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.engine.study import ENDLESS, ResultUnit
from hexdeck.engine.text import Catalogue, say
from hexdeck.simulation.game import Game

ABOUT = """# Matches of `best`, with comments

Two matches of each game between the strongest bots, as a strong player would go through them: where the choice
mattered and why, where the [easy bot](easy_bots.md) would have gone wrong, and where the match turned. Everything is
told from what the player on turn knew.

What a move is worth is estimated as [hints](hints.md) do it: the cards that the player can't see are dealt anew, and
bots play on from there; whose play that is, stands under each match. `best` doesn't choose by these figures. It judges
for itself, by a net, by a solution or by other games, and may expect other play of the others. So where the figures
call another move better, it is better against the players that they assume, and not always against those at the table.
In Cursed Hand hints are known to think too much of accepting and too little of calling, so nothing is said of a choice
between the two unless the difference is larger than that error.

Each comment was found in some deals, and its figures come from {fresh} others. ± is half a 95 % interval; a result
without it is exact. Reasons are counted in games that were played on after each of two moves from the same deals.
Events are counted from the first card that was dealt. Sentences and figures are made from `commented.json` beside
this page, which `python tools/commented.py` writes.
"""


def page(there: dict[str, Row]) -> str:
    """The page of all matches that are kept."""
    fresh = max((found["fresh"] for found in there.values()), default=0)
    parts, last = [ABOUT.format(fresh=f"{fresh:,}")], ""
    for name in sorted(there, key=lambda each: (there[each]["game"], there[each]["number"])):
        found = there[name]
        game = hexdeck.game(found["game"], found["players"])
        if found["game"] != last:
            parts.append(f"## {Catalogue('en').words(game.table.ABOUT.title)}\n")
        last = found["game"]
        parts.append("\n\n".join(commented(found, game)) + "\n")
    return "\n".join(parts).rstrip() + "\n"


def commented(found: Row, game: Game) -> Iterator[str]:
    """A match in paragraphs."""
    names, rows = BOT_NAMES[: found["players"]], found["decisions"]
    yield f"### {' – '.join(names)} (match {found['number']})"
    yield f"{opening(found)} {assumed(found, game)}"
    for row in rows:
        if row.get("comment"):
            yield comment(row, names, game)
    turned = turn(rows, found["told"])
    if turned:
        yield turning(found, *turned, names, game)
    yield "At the end: " + "; ".join(f"{name} {fate}" for name, fate in zip(names, found["fates"], strict=True)) + "."


def assumed(found: Row, game: Game) -> str:
    """Who plays, and what the figures assume."""
    who = f"`best` is `{found['resolved']}` here."
    if all(row["values"][0][1] is None for row in found["decisions"]):
        return f"{who} The figures are exact, and assume perfect play by everybody from there on."
    bots = Catalogue("en").words(say(PLAYING_ON[found["policy"]]))
    ahead = game.horizon
    far = "" if ahead == ENDLESS else f", judging by the score {ahead} decisions later and by what such games then lack"
    return f"{who} The figures assume that everybody plays on like {bots}{far}."


def opening(found: Row) -> str:
    """How many choices there were, and how many of them mattered."""
    rows = found["decisions"]
    verdicts = [clear(row, rival(row)) for row in rows]
    worse, better = verdicts.count(1), verdicts.count(-1)
    close = len(rows) - worse - better
    text = f"The match has {len(rows)} decisions with a choice. At {worse} of them the best other move is clearly worse"
    text += f"; at {better} it is clearly better" if better else "; at none is it clearly better"
    return f"{text}; the rest are too close to call." if close else f"{text}."


def comment(row: Row, names: Sequence[str], game: Game) -> str:
    """A decision with a comment."""
    measure, name = game.measure, names[row["seat"]]
    head = f"**Event {row['ply']}, {name}.** {row['position']}"
    choice = f"{name} chooses “{row['moves'][0]}”, and can expect to {worth(row['values'][0], measure)}."
    return " ".join(filter(None, [head, choice, *verdict(row, measure), why(row, name)]))


def worth(value: tuple[float, float | None], measure: ResultUnit) -> str:
    """What a seat can expect, as words that follow “can expect to”."""
    words, number = Catalogue("en"), measure.number(value[0])
    figure = str(measure.written(abs(number))) + ("" if value[1] is None else f" ±{measure.spread(value[1])}")
    unit = words.words(measure.unit)
    if unit == "% won":
        return f"win {figure} matches in 100"
    if unit == "% safe":
        return f"stay safe in {figure} matches of 100"
    if unit == "points ahead":
        return f"be {figure} points {'behind' if number < 0 else 'ahead'}"
    return f"end {figure} chips {'down' if number < 0 else 'up'}"


def verdict(row: Row, measure: ResultUnit) -> Iterator[str]:
    """What the other moves would bring, in sentences."""
    best, easy, moves = rival(row), row["easy"], row["moves"]

    def cost(at: int) -> str:
        gap, margin = row["differs"][at - 1]
        return Catalogue("en").words(cost_in_words(gap, margin, measure))

    if clear(row, best) < 0:
        yield f"By these figures “{moves[best]}” is better, by {cost(best)}."
        return
    if easy and clear(row, easy) > 0:
        yield f"The easy bot would choose “{moves[easy]}”, which costs {cost(easy)}."
    if best == easy:
        return
    if clear(row, best) > 0:
        yield f"The best other move, “{moves[best]}”, costs {cost(best)}."
    elif abs(row["differs"][best - 1][0]) <= (row["differs"][best - 1][1] or 0.0):
        yield f"“{moves[best]}” may do as well: the difference of {cost(best)} is too small to tell."


def why(row: Row, name: str) -> str:
    """Why one of two moves is better, as far as that was counted; else facts of both."""
    at = focus(row)
    better = 1 if clear(row, at) > 0 else -1
    surest = sorted(row.get("why", ()), key=lambda each: -each["sure"])
    agree = [each for each in surest if each["speaks"] == better][:2]
    against = [each for each in surest if each["speaks"] != better][:1]
    agree = [each for each in row.get("why", ()) if each in agree]  # in the order of the facets
    facts = plain(row, at, name, odds=not agree)
    if not agree:
        return facts
    first = f"After “{row['moves'][0 if better > 0 else at]}” {name} "
    text = first + " and ".join(told_reason(each, better) for each in agree)
    text += f", but {told_reason(against[0], better)}" if against else ""
    return f"{facts} {text}.".strip()


def told_reason(found: Row, better: int) -> str:
    """Something that differs after two moves, as words that follow a name."""
    numbers = [found["chosen"], found["other"]][::better]
    if "{n}" in found["text"]:
        return str(found["text"]).replace("{n}", f"{numbers[0]:.1f}") + f" instead of {numbers[1]:.1f}"
    share = [f"{100 * each:.0f}" for each in numbers]
    return f"{found['text']} in {share[0]} games of 100 instead of {share[1]}"


def plain(row: Row, at: int, name: str, *, odds: bool) -> str:
    """Facts of two moves; with `odds`, also such as assume that the others play at random."""
    one, other = (reworded(row["facts"][k], row["moves"][k], name) for k in (0, at))
    if not odds:
        one, other = ("" if "at random" in each else each for each in (one, other))
    number, other_number = (re.findall(r"\d+", row["facts"][k])[:1] for k in (0, at))
    if not one or not other or (number and number == other_number):  # the same fact of both
        return one or other
    if number and ". " not in one and like(row["facts"][0]) == like(row["facts"][at]):
        return f"{one[:-1]}; with “{row['moves'][at]}” it is {other_number[0]}."
    return f"{one} {other}"


def like(fact: str) -> str:
    """A fact without its numbers, and with all in the plural."""
    return re.sub(r"\d+", "", fact).replace("point.", "points.")


def reworded(fact: str, move: str, name: str) -> str:
    """A fact that hints tell of a move, for readers who aren't the player."""
    for old, new in (
        ("Wins ", f"“{move}” wins "),
        ("This ", f"“{move}” "),
        ("It ", f"“{move}” "),
        ("A second black stone comes", f"With “{move}” a second black stone comes"),
        ("you pass on", "that is passed on"),
        ("your graveyard", f"{name}'s graveyard"),
        (" you lose at once if you call it", f" {name} loses at once by calling it"),
        (" you lose at once if you accept it", f" {name} loses at once by accepting it"),
        (", you lose at once", f", {name} loses at once"),
        ("With it in your row", f"With “{move}” in the row"),
        ("in your hand", f"in {name}'s hand"),
        ("The ghost hand that is passed on is", f"With “{move}” the ghost hand that is passed on is"),
        ("Another player also holds a card with this number", f"After “{move}” somebody else also holds that number"),
        ("Another player holds a lower card", f"After “{move}” somebody else holds a lower card"),
    ):
        fact = fact.replace(old, new, 1) if old not in {"Wins ", "This ", "It "} or fact.startswith(old) else fact
    return (
        f"By the cards alone, {fact[0].lower()}{fact[1:]}"
        if "possible deals" in fact and not fact.startswith("By the")
        else fact
    )


def turning(found: Row, before: Row, after: Row, names: Sequence[str], game: Game) -> str:
    """The turning point: what a seat could expect after each of two turns, and what happened in between."""
    measure, name = game.measure, names[before["seat"]]
    was, now = (worth(row["values"][0], measure) for row in (before, after))
    told = " ".join(sentence(each) for each in between(before, after, found["told"]))
    first, last = (f"“{row['moves'][0]}” (event {row['ply']})" for row in (before, after))
    head = f"**The turning point.** After {first} {name} can expect to {was}, and after {last} to {now}."
    return f"{head} What happened in between: {told}"


def sentence(text: str) -> str:
    """A text that ends as a sentence does."""
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."
