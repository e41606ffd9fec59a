"""Every measure of a report, in the tables that show them: added here, it is on the page, in the data and the docs."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.bot_names import TITLES
from hexdeck.bots.players.levels import ADJECTIVES, LEVELS, data
from hexdeck.lab import counts as metrics
from hexdeck.lab.counts import kind_numbers
from hexdeck.lab.reporting import measures, people, wording
from hexdeck.lab.reporting.measures import (
    ABOVE,
    NUMBER,
    PERCENT,
    Example,
    Measure,
    Remark,
    Section,
    Subject,
    Table,
    estimated,
    in_units,
)
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.lab.reporting.shape import HALF, SHAPE, TENSION
from hexdeck.lab.reporting.wording import MANY_BOTS, ONE_BOT, bot_text, english, kind_labels
from hexdeck.lab.studies import GAMES, SEATINGS, Duel, EveningStudy, StartStudy, by_lot
from hexdeck.lab.studies import QUARTERS as EVENING_QUARTERS
from hexdeck.stats import (
    NORMAL,
    UNKNOWN,
    Estimate,
    clustered,
    detectable_effect,
    margin,
    p_below,
    quantile_of,
    share,
    share_ends,
)

if TYPE_CHECKING:
    from hexdeck.lab.causes import CauseStudy
    from hexdeck.lab.pairs import Probe

GAIN, ROUNDED, SEAT, WHOLE = measures.GAIN, measures.ROUNDED, measures.SEAT, measures.WHOLE
MANY_FORCED, MANY_TIED = 0.5, 0.05  # shares of decisions and of games from which on they are findings
LIGHT = 0.1  # of a result's standard deviation: choices that bring less weigh little
QUARTERED = 4  # deals of an evening, with fewer of which a quarter of them is none
OFTEN_BROKE, LEFT = 0.1, 0.2  # of evenings in which somebody is broke, and of the deals left by then
STRONG = 0.2  # of a result's standard deviation: a card that surely brings or costs so much is a finding
ENOUGH = 100  # games in which a card was dealt, with fewer of which nothing is said of what it brings
DEAD_CARD, DEAD_ACTION = 0.05, 0.01  # shares of its holders that use a card, of choices that choose an action
SELDOM_BEST, COSTLY = 0.1, 0.05  # an action that is best no more often, and costs more in standard deviations
SHOWN, ENDS = 24, 8  # so many cards are all shown; of more, so many of those that bring most, and least


# --- helpers ----------------------------------------------------------------------------------------------------------
def noted(part: ReportPart, name: str, k: int = 0) -> Example | None:
    """The first game in which a share's metric was 1; for LONGEST, the one with most decisions."""
    return measures.example_of(part.statistics.examples.get((name, k)))


def of_excess(part: ReportPart, name: str, k: int = 0) -> Example | None:
    """The first game in which a share's metric was 1, if the share is above a fair one."""
    return noted(part, name, k) if part.statistics[name, k].value > 1 / part.players else None


PLACE, ABOVE_MEAN = "{takes}", "above the mean"


# --- seats ------------------------------------------------------------------------------------------------------------


def off_fair(part: ReportPart, share: Estimate, *seat: int) -> dict[str, str]:
    """How far the share of a seat, or of the starter, is off a fair one; where bots differ it is that of a bot."""
    off, subject, note = share.shifted(-1 / part.players), who(part, *seat), ""
    if seat and not part.same_bots:
        subject, note = f"the {bot_text(part.bots[seat[0]])} in {subject}", " Other bots play the other seats."
    side, often = ("above", "more") if off.value > 0 else ("below", "less")
    percent, fair = (wording.number(100 * number, 1) for number in (share.value, 1 / part.players))
    about = {"of": subject, "percent": percent, "fair": fair, "side": side, "often": often, "others": note}
    return about | {"value": f"{wording.points(off)} percentage points"}


def off_mean(part: ReportPart, above: Estimate, *seat: int) -> dict[str, str]:
    """How far a seat, or the starter, ends off the mean of the table."""
    side = "above" if above.value > 0 else "below"
    return {"of": who(part, *seat), "gap": wording.gap(above, part.measure), "side": side}


def who(part: ReportPart, *seat: int) -> str:
    """A seat, or the starter, and why."""
    return f"seat {seat[0] + 1}" if seat else f"whoever starts ({part.starting.why})"


def asked(part: ReportPart, *seat: int) -> bool:
    """Whether it is asked if a seat, or the starter, is ahead: not of a seat that always starts."""
    if not seat:
        return part.same_bots and part.starting.at_random
    return bool(part.bots) and not (part.same_bots and part.always_starts(*seat))


def fair_share(place: int, starter: str = "") -> Remark:
    """The question whether the share of seats, or of the starter, is fair; of the place that decides only."""
    return Remark(
        "{of} {takes_in} {percent} % of games: {value} {side} the fair {fair} %.{others}",
        "Whoever starts {takes} {often} often than fair" if starter else None,
        above=lambda part: 1 / part.players,
        below=lambda part: 1 / part.players,
        more=off_fair,
        holds=lambda part, _estimate, *of: part.place == place and asked(part, *of),
        example=lambda part, *of: of_excess(part, starter or part.shares, *of),
        fair=True,
    )


def of_starter(name: str, does: str, unit: measures.Unit, remark: Remark, compared: str = "") -> Measure:
    """A measure of the starter."""
    return Measure(name, f"who starts{does}", unit, remark=remark, compared=f"who starts ({{why}}){compared or does}")


MEAN_RESULT = Remark(
    "{of} ends {gap} {side} the mean of the table, on average.",
    above=0.0,
    below=0.0,
    more=off_mean,
    holds=lambda part, _estimate, *of: part.same_bots and not part.place and not part.won_or_lost and asked(part, *of),
    spread=lambda part, _limit: measures.deviation(part),
    fair=True,
)
RESULTS = (
    Measure(
        metrics.RESULT, "mean result", measures.RESULT, SEAT, better=1, compared="seat {n}, mean result, {unit}"
    ).means("mean utility of a seat"),
    Measure(metrics.ABOVE, ABOVE_MEAN, ABOVE, SEAT, remark=MEAN_RESULT, better=1).means(
        "mean utility of a seat above the mean of the table"
    ),
    Measure(metrics.FIRST, "comes first", PERCENT, SEAT, remark=fair_share(0), compared="seat {n} comes first").means(
        "share of first places of a seat, ties shared"
    ),
    Measure(metrics.LAST, "loses", PERCENT, SEAT, remark=fair_share(1), compared="seat {n} loses").means(
        "share of last places of a seat, ties shared"
    ),
    Measure(metrics.STARTS, "starts", PERCENT, SEAT).means("share of games that a seat starts"),
    of_starter(metrics.STARTER_RESULT, ", above the mean", ABOVE, MEAN_RESULT, " ends above the mean ({unit})").means(
        "utility of whoever starts, above the mean of the table"
    ),
    of_starter(metrics.STARTER_FIRST, " comes first", PERCENT, fair_share(0, metrics.STARTER_FIRST)).means(
        "share of first places of whoever starts"
    ),
    of_starter(metrics.STARTER_LAST, " loses", PERCENT, fair_share(1, metrics.STARTER_LAST)).means(
        "share of last places of whoever starts"
    ),
    Measure(
        metrics.TIED,
        "first place is shared",
        PERCENT,
        workshop="more",
        compared="first place is shared",
        remark=Remark(
            "first place is shared in {share} of games.",
            "First place is often shared",
            above=MANY_TIED,
            more=lambda _part, tied: dict.fromkeys(("share", "value"), measures.percent_of_whole(tied)),
            holds=lambda part, _estimate: not part.place,
            example=lambda part: noted(part, metrics.TIED),
        ),
    ).means("share of games whose first place is shared"),
)


def of_start(part: ReportPart, place: int) -> Estimate:
    """What starting is worth where chance decided who does: in utility (-1), or in a place's share."""
    if part.starts is None or not part.starts.enough:
        return UNKNOWN
    return part.starts.gain if place < 0 else part.starts.place(place)


def helped(part: ReportPart, estimate: Estimate, place: int) -> dict[str, str]:
    """What starting brought in those games in which chance decided who starts: in utility (-1), or a place's share."""
    gained, study = estimate.value > 0, part.starts or StartStudy()
    took = f"ended {wording.gap(estimate, part.measure)} {'higher' if gained else 'lower'}"
    if place >= 0:
        points, often = wording.points(estimate), "more" if gained else "less"
        took = f"{('came first', 'lost')[place]} {points} percentage points {often} often"
    return {
        "helps": "helps" if gained != bool(part.place) else "hurts",
        "took": took,
        "decided": f"{wording.count(study.decided)} of the first {wording.count(study.games)} games",
        "chance": str(part.starting.chance or part.starting.why),
    }


def starting(place: int) -> Remark:
    """The question whether starting itself helps or hurts: in utility (-1), or in the share of a place."""
    return Remark(
        "starting {helps}: where {chance} decided who starts ({decided}), starters {took} than the others.",
        above=0.0,
        below=0.0,
        more=lambda part, estimate: helped(part, estimate, place),
        holds=lambda part, _estimate: (
            part.same_bots
            and not part.starting.at_random
            and (part.place == place if place >= 0 else not part.place and not part.won_or_lost)
        ),
        example=lambda part: measures.example_of(
            part.starts and part.starts.examples.get((place, of_start(part, place).value > 0))
        ),
        spread=lambda part, _limit: (
            measures.deviation_of_share(1 / part.players) if place >= 0 else measures.deviation(part)
        ),
        fair=True,
    )


STARTS = tuple(
    Measure(
        f"start_{name}",
        "starting itself",
        unit,
        estimate=lambda part, k=k: of_start(part, k),
        remark=starting(k),
        compared=f"starting itself{{deal}}, ahead in {'results ({unit})' if k < 0 else what}",
    ).means(f"where chance decided who starts, how far the starter is ahead in {what}")
    for k, name, what, unit in (
        (-1, "gain", "utility", ABOVE),
        (0, "first", "its share of first places", measures.POINTS),
        (1, "last", "its share of last places", measures.POINTS),
    )
)


# --- length -----------------------------------------------------------------------------------------------------------
def quantile(part: ReportPart, q: float) -> Estimate:
    """The q-quantile of the number of decisions in a game, with an interval by ranks."""
    return quantile_of(part.statistics.lengths, q).within(0, inf)


def longest(part: ReportPart) -> Example | None:
    """The longest game."""
    return noted(part, *metrics.LONGEST)


def length_note(part: ReportPart) -> str:
    """How long half, and nearly all, of the games are."""
    low, middle, high = (wording.whole_numbers(quantile(part, q)) for q in (0.05, 0.5, 0.95))
    few = f"Half of the games have at most {middle} decisions; one in twenty has at most {low}"
    return f"{few}, and one in twenty at least {high}."


@measures.remarked(
    "one game in twenty has {long} decisions or more; half have at most {middle}.",
    "Some games drag on; games that take much longer than the median",
    above=measures.SELDOM,
    example=longest,
    more=lambda part, _estimate: {
        name: wording.whole_numbers(quantile(part, q)) for name, q in (("long", 0.95), ("middle", 0.5))
    },
)
@estimated("long games", PERCENT, better=-1)
def long_games(part: ReportPart) -> Estimate:
    """Share of games with 2.5 times the median number of decisions, or more."""
    lengths, count = part.statistics.lengths, len(part.statistics)
    middle = quantile(part, 0.5).value
    return share(sum(often for length, often in lengths.items() if length >= measures.LONG * middle), count)


ONCE = "simultaneous ones counted once"
DEALS = Measure("deals", "deals", ROUNDED).means("times that everything was shuffled and dealt")
LENGTH = Table(
    "length",
    "Length of a game",
    (
        Measure("laps", "rounds (until a player's turn comes again)", ROUNDED).means(
            "rounds: until a seat's turn comes again"
        ),
        Measure("turns", "turns", ROUNDED, workshop="length").means("times that another seat than before decided"),
        Measure("decisions", "decisions", ROUNDED, workshop="length", compared="decisions").means(
            "decisions of seats, forced ones among them"
        ),
        Measure("choices", "of these with a choice", ROUNDED).means("decisions with more than one legal action"),
    ),
    length_note,
    hidden=(
        DEALS,
        Measure("chances", "random draws", ROUNDED).means("random draws, of cards or lots"),
        Measure("pauses", f"choices, with {ONCE}", ROUNDED).means(f"choices, {ONCE}"),
        long_games,
    ),
)


# --- endings, moves, events -------------------------------------------------------------------------------------------
def ending_names(part: ReportPart) -> list[str | None]:
    """The endings in words; those that can't come with these options are left out."""
    from hexdeck.lab.messages import can_come

    ended, names = part.game.endings, part.game.rules.ENDINGS
    return [
        str(ended[k]) if part.statistics[metrics.ENDED, k].value or can_come(part.game, "ended", names[k]) else None
        for k in range(1, len(names))
    ]


ENDING = Subject(
    "ending",
    lambda part: part.game.rules.ENDINGS[1:],
    ending_names,
    lambda part, name, k: part.statistics[name, k + 1],  # 0 is a game that isn't over
)
ENDED = Measure(metrics.ENDED, "share of games", PERCENT, ENDING, compared="how it ends: {of}").means(
    "share of games with an ending"
)
ENDINGS = Table(
    "endings", "How games end", (ENDED,), bar=ENDED, example=lambda part, k: noted(part, metrics.ENDED, k + 1)
)

KIND = Subject("move", lambda part: kind_numbers(part.game.rules.ACTIONS)[0], lambda part: kind_labels(part.messages))


def move_example(part: ReportPart, k: int) -> Example | None:
    """A game with a kind of move; with the ply where labels were counted."""
    label = part.messages.label(kind_numbers(part.game.rules.ACTIONS)[0][k])
    at = None if label is None else part.messages.first_seen.get(label.key)
    return Example(*at) if at else None if label is None else noted(part, metrics.KIND_USED, k)


IN_GAMES, TIMES = "in how many games", "times a game"
MET = Measure(metrics.KIND_USED, IN_GAMES, PERCENT, KIND).means("share of games with a kind of move")
MADE = Measure(metrics.KIND, TIMES, NUMBER, KIND, compared="“{of}”, times a game").means(
    "how often a kind of move is made in a game"
)
MOVES_MADE = Table("moves", "Moves", (MET, MADE), bar=MET, example=move_example)


EVENT = Subject("event", lambda part: [*part.events], lambda part: [*map(english, part.events.values())])


@estimated(IN_GAMES, PERCENT, EVENT)
def told(part: ReportPart, k: int) -> Estimate:
    """Share of games in which everybody is told of an event."""
    return part.messages.share([*part.events][k])


@estimated(TIMES, NUMBER, EVENT)
def told_times(part: ReportPart, k: int) -> Estimate:
    """How often an event is told in a game; exactly 0 where it never was."""
    key, messages = [*part.events][k], part.messages
    return messages.mean(key) if key in messages.often else Estimate(0.0, 0.0, 0.0, messages.matches)


EVENTS = Table(
    "messages",
    "What happens in games",
    (told, told_times),
    lambda part: (
        f"Counted in {wording.of(part.messages.matches, 'game')}. “…” stands for what differs: a name, a card."
    ),
    bar=told,
    example=lambda part, k: measures.example_of(*part.messages.first_seen.get([*part.events][k], (None,))),
)


# --- choices ----------------------------------------------------------------------------------------------------------
@estimated("gain of the best move over the worst", ABOVE, better=1)
def spread(part: ReportPart) -> Estimate:
    """Utility of the best move above the worst, by playouts."""
    return clustered([analysis.choices for analysis in part.analyses], measures.LEAST)


def choices_note(part: ReportPart) -> str:
    """How the gain of choices was measured."""
    if not spread.of_part(part).count:
        return f"What choices bring isn't shown: {measures.TOO_FEW}."
    choices = sum(len(analysis.choices) for analysis in part.analyses)
    return (
        f"Measured at {wording.of(choices, 'choice')} in {len(part.analyses)} games: after each move (at most six), "
        "the house bot played on in deals that fit what the player knew."
    )


def light(part: ReportPart, brings: Estimate) -> dict[str, Any]:
    """What choices bring beside how results vary."""
    varies = measures.deviation(part)
    gains = {"gain": brings.scaled(varies), "differ": Estimate(varies, varies, varies, 1)}
    return {name: wording.gap(estimate, part.measure) for name, estimate in gains.items()}


@measures.remarked(
    "choices matter little: on average the best move gains {gain} over the worst, while results vary by {differ} "
    "from game to game.",
    "Choices matter little; what the best move gains, as a part of how much results vary",
    below=LIGHT,
    more=light,
)
@estimated("the same, in percent of how much results vary from game to game", WHOLE, better=1)
def weight(part: ReportPart) -> Estimate:
    """Utility of the best move above the worst, in standard deviations of a seat's result."""
    varies = measures.deviation(part)
    return spread.of_part(part).scaled(1 / varies) if varies else UNKNOWN


CHOICES = Table(
    "choices",
    "Choices",
    (
        Measure(
            "forced",
            "decisions without a choice",
            PERCENT,
            better=-1,
            workshop="length",
            remark=Remark("{share} of decisions leave no choice.", "Many decisions leave no choice", above=MANY_FORCED),
        ).means("share of decisions without a choice"),
        Measure("legal", "moves to choose from, where there is a choice", NUMBER).means(
            "legal actions, where there is a choice"
        ),
        spread,
        weight,
    ),
    choices_note,
)


# --- an evening -------------------------------------------------------------------------------------------------------
def evenings(part: ReportPart) -> EveningStudy:
    """The evenings that were looked into."""
    assert part.evening is not None
    return part.evening


def of_evening(name: str, title: str, unit: Any, estimate: Callable[[EveningStudy], Estimate], **more: Any) -> Measure:
    """A measure of evenings, where a match is one and enough of them were looked into."""

    def of_enough(part: ReportPart) -> Estimate:
        out = UNKNOWN if part.evening is None or part.evening.count < measures.LEAST else estimate(part.evening)
        return out if out.count >= measures.LEAST else UNKNOWN

    return Measure(name, title, unit, estimate=of_enough, meaning=measures.meaning_of(estimate), **more)


def leading(fraction: float, part_of_deals: str) -> Measure:
    """How often the player with most chips after a part of the deals wins."""

    def usual(part: ReportPart) -> float:
        study = part.evening
        return study.leading(fraction)[1].value if study is not None and study.complete else float("nan")

    def lead(study: EveningStudy) -> Estimate:
        return study.leading(fraction)[0] if study.longest >= QUARTERED else UNKNOWN

    percent, title = round(100 * fraction), f"who has most chips after {part_of_deals} of the deals wins"
    own: dict[str, Any] = {"better": -1, "usual": usual}
    return of_evening(f"evening_lead_{percent}", title, PERCENT, lead, **own).means(
        f"share of evenings that whoever has most chips after {percent} % of the deals wins; `usual`: if every deal "
        "began anew"
    )


def out_early(part: ReportPart, _estimate: Estimate) -> dict[str, Any]:
    """After which part of the deals a player is broke."""
    study = evenings(part)
    return {"most": wording.count(study.longest), "after": measures.percent_of_whole(study.broke_after())}


def halfway(part: ReportPart, _estimate: Estimate) -> dict[str, Any]:
    """How often the player with most chips halfway wins, and would."""
    ahead, usual = evenings(part).leading(HALF)
    return {"lead": wording.percent(ahead), "usual": wording.number(100 * usual.value, 0)}


EVENING = Table(
    "evening",
    "The evening",
    (
        of_evening("evening_deals", "deals that are played", NUMBER, EveningStudy.played),
        of_evening(
            "broke",
            "evenings in which somebody is broke before the last deal",
            PERCENT,
            EveningStudy.broke,
            better=-1,
            remark=Remark(
                "somebody is often out early: in {share} of evenings somebody is broke "
                "before the last of {most} deals, on average after {after} of them.",
                "Somebody is often out early; evenings in which somebody is broke before the last deal",
                above=OFTEN_BROKE,
                more=out_early,
                holds=lambda part, _estimate: evenings(part).broke_after().high < 1 - LEFT,
            ),
        ),
        of_evening("broke_after", "that happens after this part of the deals", WHOLE, EveningStudy.broke_after),
        of_evening("until_broke", "deals, if all stop as soon as somebody is broke", NUMBER, EveningStudy.until_broke),
        *map(leading, EVENING_QUARTERS, ("a quarter", "half", "three quarters")),
        of_evening(
            "evening_runaway",
            "how much more often than usual whoever leads halfway wins",
            measures.POINTS,
            lambda study: study.runaway(HALF) if study.complete else UNKNOWN,
            better=-1,
            remark=Remark(
                "leads feed themselves over an evening: whoever has most chips halfway "
                "wins {lead} of evenings; it would be {usual} % if every deal began anew.",
                "Leads feed themselves over an evening; how much more often than usual whoever leads halfway wins",
                above=0.0,
                more=halfway,
            ),
        ).means("how much more often than usual whoever has most chips halfway wins"),
    ),
    lambda part: (
        f"Of {wording.count(evenings(part).count)} evenings, with chips that are carried from deal to deal, of at "
        f"most {wording.count(evenings(part).longest)} deals. In brackets: how often such a lead would last if "
        "every deal began anew; if leads last longer here, they feed themselves."
    ),
    needed=lambda part: part.evening is not None and part.evening.count >= measures.LEAST,
)


# --- luck and skill ---------------------------------------------------------------------------------------------------
VARYING = tuple(
    Measure(
        f"from_{name}",
        title,
        WHOLE,
        estimate=lambda part, name=name: UNKNOWN if part.variance is None else getattr(part.variance, name),
        better=int(name == "choices"),
    ).means(f"share of the variance of results that {what}")
    for name, what, title in (
        ("deal", "the deal makes", "the deal: cards and draws"),
        ("seat", "the seat makes", "the seat"),
        ("choices", "choices make", "choices: one's own and those of others"),
    )
)
VARIANCE = Table(
    "variance",
    "Where results come from: shares of their variance",
    VARYING,
    lambda part: (
        f"{part.variance.deals if part.variance is not None else 0} deals were played {SEATINGS} times each, with "
        "house bots on some seats and easy bots on the others. What differs with the same cards on the same seat "
        "comes from choices. That isn't all skill: a choice also decides who gets which card next."
    ),
    needed=lambda part: part.variance is not None,
    bar=VARYING[0],
)

LUCK = "luck"


def lots(gain: Estimate, placed_share: Estimate, part: ReportPart) -> Estimate:
    """The share of matches that chance would decide if the better one won the others; unknown where neither is."""
    better = gain.count > 1 and gain.value > 0 and gain.significant()
    return by_lot(placed_share, part.players, part.place) if better else UNKNOWN


def duel_columns(prefix: str, of: Subject, duels: Callable[[ReportPart], Sequence[Duel]]) -> tuple[Measure, ...]:
    """The measures of bots among others."""

    def placed(part: ReportPart, k: int) -> Estimate:
        return duels(part)[k].placed(part.place)

    return (
        Measure(f"{prefix}_gain", ABOVE_MEAN, ABOVE, of, lambda part, k: duels(part)[k].gain).means(
            "utility of one bot among others above the mean"
        ),
        Measure(f"{prefix}_place", PLACE, PERCENT, of, placed).means(
            "share of the place that decides of one bot among others"
        ),
        Measure(
            f"{prefix}_games", "games to tell", TO_TELL, of, lambda part, k: duels(part)[k].games or UNKNOWN, better=-1
        ).means("games until the better bot is ahead with 95 % certainty"),
        Measure(
            f"{prefix}_lots",
            LUCK,
            LOTS,
            of,
            lambda part, k: lots(duels(part)[k].gain, placed(part, k), part),
            better=-1,
            compared="luck: games that chance alone would decide between the house bot and random ones",
        ).means("luck: share of games that chance alone would decide, if the better bot won all others"),
    )


LOTS = measures.Unit(lambda _part, found: measures.percent_of_whole(found), 100.0, "–")
TO_TELL = measures.Unit(lambda _part, found: wording.whole_numbers(found), unknown="neither is clearly ahead")
DUEL = Subject(
    "one among others",
    lambda part: [f"{each.one} among {each.others}" for each in part.duels],
    lambda part: [f"{ONE_BOT[each.one]} among {MANY_BOTS[each.others]}" for each in part.duels],
)
THINKER = Subject(
    "one among others",
    lambda part: [2 * games for games, _duel in zip(GAMES, part.thinking, strict=False)],
    lambda part: [
        f"{2 * games} games for a decision, among bots with {games}"
        for games, _duel in zip(GAMES, part.thinking, strict=False)
    ],
)
SKILL = Table(
    "skill",
    "Luck and skill",
    duel_columns("duel", DUEL, lambda part: part.duels),
    lambda _part: (
        "The same deals are played from every seat. Games to tell: how many it takes until the better bot is ahead "
        "with 95 % certainty; few games mean skill, many mean luck. Luck: the better bot would do as well if chance "
        "alone decided so many games and it won all others (after Duersch and others, 2020)."
    ),
    needed=lambda part: bool(part.duels),
)
DOUBLED = duel_columns("thinking", THINKER, lambda part: part.thinking)
THINKING = Table(
    "thinking",
    "Thinking twice as long",
    (DOUBLED[0], DOUBLED[1], DOUBLED[3]),
    lambda part: (
        f"Bots that play out so many games by the house bot before each decision, on {part.thinking[0].deals} "
        "deals, each played from every seat. Where doubling brings nothing more, there is nothing left to think "
        "about, or these bots can't find it."
    ),
    needed=lambda part: bool(part.thinking),
    bar=DOUBLED[1],
    hidden=(DOUBLED[2],),
)


def levels(part: ReportPart) -> Iterator[measures.Section]:
    """The levels of bots against each other, where `hexdeck tournament --ladder` has measured them."""
    contests = data(part.game).get("measured", {}).get(str(part.players), {}).get("contests", [])
    rows, shares = [], []
    for row in (row for row in contests if row["one"] in LEVELS):
        (value, half), (mean, half_of_mean), groups = row["last" if part.place else "first"], row["gain"], row["groups"]
        placed_share = Estimate(value, *share_ends(value, half / NORMAL, groups), groups)
        off = margin("gain", mean, half_of_mean, groups)
        gain = Estimate(mean, mean - off, mean + off, groups)
        cells = ABOVE.cell(part, gain), wording.percent(placed_share), LOTS.cell(part, lots(gain, placed_share, part))
        rows.append((f"{TITLES[row['one']]} among {ADJECTIVES[row['others']]}", *cells))
        shares.append(value)
    if rows and part.played is None:
        heads = "one among others", ABOVE_MEAN, wording.in_game(PLACE, part), LUCK
        note = "With the usual options, as measured by hexdeck tournament --ladder."
        yield measures.Section("levels", "Levels of bots", heads, tuple(rows), note, tuple(shares), 2)


# --- cards and actions ------------------------------------------------------------------------------------------------
def studied(part: ReportPart) -> CauseStudy:
    """The games that were looked into for causes."""
    assert part.causes is not None
    return part.causes


def enough_studied(part: ReportPart) -> bool:
    """Whether enough games were looked into for causes."""
    return part.causes is not None and not part.causes.few


def card_names(part: ReportPart) -> list[str | None]:
    """The cards in the table's words, or their stable names; those that nobody ever held are left out."""
    study = studied(part)
    return [
        english(study.labels.get(name, name)) if study.cards.held.estimate(k).value > 0 else None
        for k, name in enumerate(study.cards.names)
    ]


def best_and_worst(part: ReportPart, count: int) -> Sequence[int]:
    """The cards to show: those that bring most first; where there are many, none of those in between."""
    gains, names = [studied(part).cards.dealt_gain.estimate(k) for k in range(count)], card_names(part)
    indices = (k for k in range(count) if names[k] is not None)
    ranked = sorted(indices, key=lambda k: -gains[k].value if gains[k].count else inf)
    return ranked if len(ranked) <= SHOWN else [*ranked[:ENDS], *ranked[-ENDS:]]


def cards_note(part: ReportPart) -> str:
    """How to read the table of cards."""
    meaning = (
        f"From {wording.count(studied(part).games)} games. Held: by how many players, in a deal. Used: by how many "
        "of them (played, shown or passed on). If dealt, if used: how far such a player ends above the mean of the "
        f"table, in {part.measure.unit}. Chance deals the cards, so “if dealt” is what the card brings; who uses "
        "one chose to, so “if used” isn't."
    )
    names = card_names(part)
    hidden = sum(name is not None for name in names) - len(best_and_worst(part, len(names)))
    remark = wording.of(hidden, "card in between isn't", "cards in between aren't")
    return f"{meaning} {remark} shown; the data file has them all." if hidden else meaning


def called(part: ReportPart, k: int, value: str) -> dict[str, str]:
    """How a card is called in a sentence, with a value."""
    label = card_names(part)[k] or ""
    return {"of": f"“{label}”" if studied(part).cards.names[k].isdigit() else label, "value": value}


def card_example(part: ReportPart, k: int, shows: str) -> Example | None:
    """A game in which a card did what is shown."""
    cards = studied(part).cards
    return measures.example_of(cards.examples.get((shows, cards.names[k])))


UNSIZED: dict[str, Any] = {"spread": lambda _part, _limit: inf}  # told after what is measured in deviations
STRENGTH = Remark(
    "{of} may be too strong: whoever is dealt it ends above the mean of the table, by {listed}.",
    lower="{of} may be too weak: whoever is dealt it ends below the mean of the table, by {listed}.",
    above=0.0,
    below=0.0,
    least=lambda part: STRONG * measures.deviation(part),
    holds=lambda part, _gain, k: studied(part).cards.dealt_gain.games(k) >= ENOUGH,
    more=lambda part, gain, k: called(part, k, wording.gap(gain, part.measure)),
    example=lambda part, k: card_example(
        part, k, "above" if studied(part).cards.dealt_gain.estimate(k).value > 0 else "below"
    ),
    spread=lambda part, _limit: measures.deviation(part),
)
UNUSED = Remark(
    "{of} is a dead card: hardly anybody who holds it uses it, {listed}.",
    below=DEAD_CARD,
    tested=lambda part, k: studied(part).cards.used.share(k),
    more=lambda part, used, k: called(part, k, wording.percent(used)),
    example=lambda part, k: card_example(part, k, "unused"),
    **UNSIZED,
)
CARD = Subject(
    "card",
    lambda part: studied(part).cards.names,
    card_names,
    lambda part, name, k: getattr(studied(part).cards, name).estimate(k),
)
CARDS_USED = Table(
    "cards",
    "Cards",
    (
        Measure("held", "held", measures.BARE, CARD).means("share of seats that ever hold a card in a deal"),
        Measure("used", "used", measures.BARE, CARD, remark=UNUSED).means(
            "share of a card's holders that play, show or pass it on"
        ),
        Measure("dealt_gain", "if dealt", GAIN, CARD, remark=STRENGTH).means(
            "utility above the mean of the table of whoever is dealt a card"
        ),
        Measure("used_gain", "if used", GAIN, CARD).means("utility above the mean of the table of whoever uses a card"),
    ),
    cards_note,
    needed=lambda part: enough_studied(part) and bool(studied(part).cards.names),
    rows=best_and_worst,
)


def actions_note(part: ReportPart) -> str:
    """How to read the table of actions, and what was spent on it."""
    from hexdeck.lab.tension import TRIALS

    judged = sum(len(analysis.judged) for analysis in part.analyses)
    return (
        f"Chosen: of decisions that allow this and something else, in {wording.count(studied(part).games)} games. If "
        f"chosen: how far such a player ends above the mean of the table, in {part.measure.unit}. The rest is from "
        f"{wording.of(judged, 'choice')} in {len(part.analyses)} games: each move was tried in {TRIALS} deals "
        "that fit what the player knew, house bots playing on. Over the next best: what the chosen move brings more "
        "than the best other. Best of all: how often no other kind of move brings more. A dash: no such choice, or too "
        "few."
    )


OPEN = measures.Unit(lambda _part, found: wording.percent(found), 100.0, "–")
ACTION = Subject("action", KIND.keys, KIND.names, lambda part, name, k: getattr(part.worths[k], name))


SELDOM_CHOSEN = Remark(
    "“{of}” is hardly ever chosen where it is allowed: in {listed}.",
    below=DEAD_ACTION,
    tested=lambda part, k: studied(part).actions.chosen.share(k),
    more=lambda _part, chosen, _k: {"value": wording.percent(chosen)},
    example=move_example,
    **UNSIZED,
)
WORTHLESS = Remark(
    "“{of}” is hardly ever worth it: by what bots expect, the best other move brings more, by {listed}.",
    below=lambda part: -COSTLY * measures.deviation(part),
    holds=lambda part, _worth, k: bool(part.worths[k].best.count),
    also=lambda part, k: p_below(part.worths[k].best, SELDOM_BEST),
    more=lambda part, worth, _k: {"value": wording.gap(worth, part.measure)},
    example=move_example,
    **UNSIZED,
)


@estimated("chosen", OPEN, ACTION, remark=SELDOM_CHOSEN)
def chosen(part: ReportPart, k: int) -> Estimate:
    """Of choices that allow a kind of action and another, those that choose it."""
    estimate = studied(part).actions.chosen.estimate(k)
    return estimate if estimate.margin or not estimate.count else studied(part).actions.chosen.share(k)


ACTIONS = Table(
    "actions",
    "Actions",
    (
        chosen,
        Measure("chosen_gain", "if chosen", GAIN, ACTION, lambda part, k: studied(part).actions.gain.estimate(k)).means(
            "utility above the mean of the table of the player who chooses a kind of action"
        ),
        Measure("over_next", "over the next best", GAIN, ACTION).means(
            "utility of the chosen move above the next best, by playouts"
        ),
        Measure("best", "best of all", OPEN, ACTION).means("how often a kind's best move is the best of all"),
    ),
    actions_note,
    needed=enough_studied,
    hidden=(
        Measure("over_others", "over others", GAIN, ACTION, remark=WORTHLESS).means(
            "utility of a kind's best move above the best of others"
        ),
    ),
)


# --- probes -----------------------------------------------------------------------------------------------------------
def probes_of(part: ReportPart) -> list[Probe]:
    """The probes of a part."""
    from hexdeck.lab.pairs import probe_of

    return [probe_of(part.game, effect.change) for effect in part.probes]


PROBE = Subject(
    "probe",
    lambda part: [effect.change for effect in part.probes],
    lambda part: [str(probe.doing) for probe in probes_of(part)],
    lambda part, name, k: part.probes[k].shifts[name].difference,
)


def probe_note(part: ReportPart) -> str:
    """What was forced on which seats."""
    from hexdeck.lab.pairs import MANNER_TIMES

    lines = "; ".join(f"{probe.name or number}: {probe.line}" for number, probe in enumerate(probes_of(part), 1))
    forced, choice = "Each line was forced on", "Where a line leaves a choice, the bot chose."
    if MANNER_TIMES in part.probes[0].shifts:
        forced, choice = "Each manner was put on", "A manner leans to what a line allows, or away from it."
    return (
        f"{forced} one bot, each seat in turn, in {wording.count(part.probes[0].pairs)} games; the others played as "
        f"before. Differences are to the same games without it, on the same cards. {choice} Lines: {lines}"
    )


BEATS = Remark(
    "{of} beats playing as these bots do: it {gains} {listed}. Either it is too strong, or these bots are too weak: "
    "repeat with --bots best.",
    above=0.0,
    more=lambda part, gain, _k: {"value": wording.gap(gain, part.measure)},
    spread=lambda part, _limit: measures.deviation(part),
)


PROBES = Table(
    "probes",
    "Probes: what ways of playing bring",
    (
        Measure("probe_changed", "games it changed", PERCENT, PROBE).means(
            "share of games that a forced way of playing changes"
        ),
        Measure("probe_gain", "difference", ABOVE, PROBE, remark=BEATS).means(
            "utility that a forced way of playing brings"
        ),
        Measure(
            "probe_place",
            "{takes}, percentage points",
            measures.Unit(lambda _part, estimate: wording.plain(estimate.scaled(100), write=wording.signed)),
            PROBE,
        ).means("what a forced way of playing adds to the share of the place that decides"),
    ),
    probe_note,
    needed=lambda part: bool(part.probes),
)

TABLES: tuple[Table, ...] = (LENGTH, ENDINGS, MOVES_MADE, EVENTS, CHOICES, TENSION, SHAPE, VARIANCE, THINKING, SKILL)
TABLES += (CARDS_USED, ACTIONS, PROBES, EVENING, people.TIME, people.COMPANY, people.SAID, people.PAPER)
MEASURES = (*RESULTS, *STARTS, *(measure for table in TABLES for measure in table.all))


def measured(part: ReportPart) -> Iterator[Measure]:
    """The measures that a part has something of."""
    yield from (*RESULTS, *STARTS, *(measure for table in TABLES if table.needed(part) for measure in table.all))


def of_tables(only: Container[str] | None, part: ReportPart, *wanted: Table) -> Iterator[Section]:
    """Those of some tables, `only` of these ids, that there is something to say in."""
    for table in wanted:
        if only is None or table.id in only:
            yield from table.sections(part)


def seats(part: ReportPart, power_note: str) -> Section:
    """Results by seat and of the starter; `power_note` says how small an advantage could be found."""
    of, unit, study, starting = part.statistics, part.measure, part.starts, part.starting
    rows: list[tuple[str, ...]] = [
        (wording.seat_name(part, seat), wording.plain(in_units(of[metrics.RESULT, seat], unit)), wording.percent(share))
        for seat, share in enumerate(of.estimates(part.shares))
    ]
    ahead, begins = (
        wording.plain(of[metrics.STARTER_RESULT].scaled(unit.scale)),
        wording.percent(of[part.starter_share]),
    )
    rows.append((f"who starts: {starting.why} (result: above the mean)", ahead, begins))
    note = "The starter's row doesn't show what starting is worth"
    if starting.at_random:
        note = "Who starts isn't up to the players, so that row shows what starting is worth."
    elif study is None:
        note += ": what made that player start may help or hurt, too."
    else:
        decided = f"{wording.count(study.decided)} of {wording.count(study.games)} games"
        again = ", which were played on with each of these players starting" if starting.let_start is not None else ""
        note += ", the row below it does" if study.enough else ""
        note += f": chance decided who starts in {decided}{again if study.enough else ', too few to tell'}."
    if study is not None and study.enough:  # chance sometimes decides who starts
        title = f"starting itself, where {starting.chance or starting.why} decided (against another starting)"
        points = f"{wording.plain(study.place(part.place).scaled(100))} percentage points"
        rows.append((title, wording.plain(study.gain.scaled(unit.scale)), points))
    tied = "" if part.place else f"Games with a shared first place: {wording.percent(of[metrics.TIED])}. "
    note = f"Fair would be {wording.number(100 / part.players, 1)} %. {power_note} {tied}{note}"
    heads = "seat", f"mean result, {unit.unit}", wording.in_game(PLACE, part)
    return Section("seats", "Results by seat", heads, tuple(rows), note)


def power(part: ReportPart, tests: int) -> str:
    """The smallest advantage of a seat that these games would find, in so many tests."""
    if not part.same_bots:
        bots = "The seats had different bots: differences are those of the bots, as far as seats are alike."
        return bots if part.played is None else people.MIXED
    gap, fair = 100 * detectable_effect(1 / part.players, len(part.statistics), tests), 100 / part.players
    if gap > 100 - fair:
        return "So few games can't show that a seat has an advantage."
    return f"An advantage of {wording.fitting(gap)} percentage points or more would be found 4 times in 5."


def length(part: ReportPart) -> Section:
    """Deals, turns and decisions of a game."""
    (table,) = LENGTH.sections(part)
    deals = [(DEALS.titled(part), DEALS.cell(part))] if DEALS.of_part(part).value > 1 else []
    return Section(table.id, table.title, ("length", "mean"), (*deals, *table.rows), table.note)


def estimate_fields(estimate: Estimate) -> dict[str, float | int | None]:
    """The fields of an estimate; None (null) for what isn't known."""
    ends = {name: getattr(estimate, name) for name in ("value", "low", "high")}
    finite = {name: float(value) if isfinite(value) else None for name, value in ends.items()}
    return {**finite, "count": int(estimate.count)}


def fields_of(part: ReportPart, measures: Iterable[Measure]) -> Iterator[dict[str, Any]]:
    """The fields of some measures, of all that each is of."""
    for measure in measures:
        for k, key in enumerate(measure.of.keys(part)):
            fields: dict[str, Any] = {"measure": measure.name, "of": key}
            fields |= estimate_fields(measure.of_part(part, k))
            usual = None if measure.usual is None else measure.usual(part)
            yield fields if usual is None else fields | {"usual": usual if isfinite(usual) else None}
