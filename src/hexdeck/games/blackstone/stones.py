"""A round in steps: each stone as it is turned, the second black one on the table before anybody pays, and the pot."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hexdeck.engine.beat import PLAYED, RESOLVED, REVEALED, Beat, Scene, changed, length, one_beat, zone_of
from hexdeck.engine.text import Seat, Text, _, say, say_n
from hexdeck.engine.view import Fact, Zone, everyone, told
from hexdeck.games.blackstone import rules

YOU_STAKE, STAKES = _("You stake."), _("{seat} stakes.")
YOU_SIT_OUT, SITS_OUT = _("You sit this round out."), _("{seat} sits this round out.")
NOTHING = _("Fewer than two players stake: there is nothing to win this round.")
YOU_DEALT, DEALT = _("You are dealt {card}."), _("{seat} is dealt {card}.")
YOU_AGAIN, AGAIN = (
    _("You are dealt {card} again: it is set aside."),
    _("{seat} is dealt {card} again: it is set aside."),
)
YOU_LOWEST, LOWEST = _("You have the lowest card and go first."), _("{seat} has the lowest card and goes first.")
EQUAL = _("Tied for lowest: each of those players gets one more card.")
BY_LOT = _("The deck is empty: the first player is chosen at random.")
YOU_PICKED, PICKED = _("Chosen at random: you go first."), _("Chosen at random: {seat} goes first.")
YOU_ONE_MORE, ONE_MORE = _("You draw one more card."), _("{seat} draws one more card.")
YOU_TURN, TURNS = _("You turn up {card}."), _("{seat} turns up {card}.")
YOU_LOSE = _("A second black stone! You pay {chips} chips.")
LOSES = _("A second black stone! {seat} pays {chips} chips.")
EMPTY = _("The deck is empty.")
YOU_FOLD, FOLDS = _("You fold and pay {chips} chips."), _("{seat} folds and pays {chips} chips.")
FEW_CAN = _("Fewer than two players can still stake: the match is over.")
ROUND = _("Round {number} begins.")

TWO_STONES, FOLDED, SITTING = say("out"), say("folded"), say("sits out")
ALL_SHOW = say("Everyone shows whether they stake.")
YOU_ONE, ONE = _("You turn up a black stone. One…"), _("{seat} turns up a black stone. One…")
YOU_NEXT, NEXT = _("You turn up the next card…"), _("{seat} turns up the next card…")
STAKES_BACK = say("The stakes go back to those still in.")
IN, NOT_IN, ENOUGH, FOLD = say("I'm in."), say("Not me."), say("Enough."), say("Fold.")
ONE_STONE, TWO, MORE, ONE_CARD, SOME = say("One…"), say("Two!"), say("One more."), say("One card."), _("{n} cards.")
TEN = str(rules.TEN + 1)
CARD_DEALT = BREATH = 300  # milliseconds: a card at the start, and before one more is turned
STILL, DROPS, PAID, SHARED = 300, 1100, 900, 600  # the second black stone: 2,900 milliseconds in all
FEW = 3  # so many get their chips one by one
Zones = tuple[Zone, ...]


def draw_facts(p: int, n: int) -> list[Fact]:
    """How many cards somebody draws."""
    mine = say_n("You draw {n} card.", "You draw {n} cards.", n)
    return told(p, mine, say_n("{seat} draws {n} card.", "{seat} draws {n} cards.", n, seat=Seat(p)))


def name_facts(p: int, n: int) -> list[Fact]:
    """How many cards somebody announces to draw."""
    mine = say_n("You announce {n} card.", "You announce {n} cards.", n)
    return told(p, mine, say_n("{seat} announces {n} card.", "{seat} announces {n} cards.", n, seat=Seat(p)))


def stop_facts(p: int, n: int) -> list[Fact]:
    """After how many cards somebody stops."""
    mine = say_n("You stop after {n} card.", "You stop after {n} cards.", n)
    return told(p, mine, say_n("{seat} stops after {n} card.", "{seat} stops after {n} cards.", n, seat=Seat(p)))


def share_facts(p: int, n: int) -> list[Fact]:
    """What somebody gets from the pot."""
    mine = say_n("You get {n} chip from the pot.", "You get {n} chips from the pot.", n)
    return told(
        p, mine, say_n("{seat} gets {n} chip from the pot.", "{seat} gets {n} chips from the pot.", n, seat=Seat(p))
    )


def rest_facts(n: int) -> list[Fact]:
    """What stays in the pot."""
    return everyone(say_n("{n} chip stays in the pot.", "{n} chips stay in the pot.", n))


def _keys(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(fact.text.key for fact in facts)


DRAWS = (*_keys([*draw_facts(0, 1), *name_facts(0, 1)]), YOU_ONE_MORE, ONE_MORE)
STOPS, SHARES, RESTS = (_keys(facts) for facts in (stop_facts(0, 1), share_facts(0, 1), rest_facts(1)))


def deck_note(n: int) -> Text:
    """How many black stones are in the deck."""
    return say_n("{n} black stone in it", "{n} black stones in it", n)


class RoundScene(Scene):
    """An event of a round."""

    @property
    def over(self) -> bool:
        """Whether the event has ended the round, so that `new` may show the next."""
        return bool(self.before.played != self.after.played)

    def about(self, p: int, mine: str, theirs: str) -> Text:
        """A sentence about a seat, in one of two wordings."""
        return say(mine) if p == self.seat else say(theirs, seat=Seat(p))


def beats(seat: int, before: Any, old: Zones, facts: Sequence[Text], after: Any, new: Zones) -> tuple[Beat, ...]:
    """The beats of an event: `old` and `new` are the zones around it."""
    scene = RoundScene(seat, before, old, facts, after, new)
    if scene.told(YOU_STAKE, STAKES, YOU_SIT_OUT, SITS_OUT):
        return _staked(scene)
    if card := scene.told(YOU_DEALT, DEALT, YOU_AGAIN, AGAIN):
        return _dealt(scene, card)
    if card := scene.told(YOU_TURN, TURNS):
        lost = scene.told(YOU_LOSE, LOSES)
        return _second_stone(scene, card, lost) if lost else _turned(scene, card)
    if fold := scene.told(YOU_FOLD, FOLDS):
        return tuple(_folded(scene, old, fold))
    return _other(scene) or (one_beat(old, new, facts),)


def _other(scene: RoundScene) -> tuple[Beat, ...]:
    if lot := scene.told(YOU_PICKED, PICKED):
        p = scene.who(lot)
        return (Beat(scene.old, REVEALED, (f"stones-{p}",), (p,), lot, "reveal"), _to_centre(scene))
    if drawn := scene.told(*DRAWS):
        hold = BREATH if drawn.key in (YOU_ONE_MORE, ONE_MORE) else PLAYED
        return (Beat(scene.new, hold, ("deck",), (scene.who(drawn),), drawn, "reveal", _asked(drawn)),)
    if stopped := scene.told(*STOPS):
        p = scene.who(stopped)
        return (Beat(scene.new, PLAYED, (f"stones-{p}",), (p,), stopped, "place", ENOUGH), *_next_turn(scene))
    return ()


def _asked(drawn: Text) -> Text:
    """What a player says who draws cards, or one more."""
    if drawn.key in (YOU_ONE_MORE, ONE_MORE):
        return MORE
    return ONE_CARD if drawn.args["n"] == 1 else say(SOME, n=drawn.args["n"])


# --- stakes, and who goes first -------------------------------------------------------------------------------------
def _staked(scene: RoundScene) -> tuple[Beat, ...]:
    """A stake is put down or not: in turn, or by all together; perhaps too few do."""
    choices = [fact for fact in scene.facts if fact.key in (YOU_STAKE, STAKES, YOU_SIT_OUT, SITS_OUT)]
    lying = _stakes_down(scene, choices) if scene.over else scene.new
    staking = [scene.who(fact) for fact in choices if fact.key in (YOU_STAKE, STAKES)]
    light = tuple(f"stake-{p}" for p in staking) or tuple(f"stones-{scene.who(fact)}" for fact in choices)
    if scene.before.stakes == rules.OPEN:
        p = scene.who(choices[0])
        out = [Beat(lying, PLAYED, light, (p,), choices[0], "chips" if staking else "place", IN if staking else NOT_IN)]
    else:
        out = [Beat(lying, REVEALED, light, tuple(staking), ALL_SHOW, "flip")]
    if nothing := scene.told(NOTHING):
        out.append(Beat(lying, REVEALED, light, line=nothing, cue="reveal"))
    return (*out, *(_round_over(scene, lying) if scene.over else ()))


def _stakes_down(scene: RoundScene, choices: Sequence[Text]) -> Zones:
    lying = scene.old
    for fact in choices:
        p = scene.who(fact)
        staking = fact.key in (YOU_STAKE, STAKES)
        lying = changed(lying, f"stones-{p}", note=None if staking else SITTING)
        lying = _moved(lying, f"chips-{p}", f"stake-{p}", rules.STAKE) if staking else lying
    return lying


def _dealt(scene: RoundScene, card: Text) -> tuple[Beat, ...]:
    """A card is dealt to find who goes first; after the last one the lowest is lit, then white stones are gathered."""
    p, code = scene.who(card), card.args["card"].codes[0]
    lying = _before_seat(scene.old, p, code)
    out = [Beat(lying, CARD_DEALT, (_places(lying, p, code)[-1],), (p,), card, "deal")]
    lowest, equal = scene.told(YOU_LOWEST, LOWEST), scene.told(EQUAL, BY_LOT)
    if card.key in (YOU_AGAIN, AGAIN) and not lowest:
        out.append(Beat(scene.new, RESOLVED, ("aside",), (p,), card, "place"))
    if equal:
        tied = tuple(q for q in range(scene.after.seats) if scene.after.tied >> q & 1)
        out.append(Beat(scene.new, RESOLVED, tuple(f"stones-{q}" for q in tied), tied, equal, "reveal"))
    if lowest:
        first = scene.who(lowest)
        light = _places(lying, first, str(scene.after.lowest + 1))[-1:]
        out += [Beat(lying, REVEALED, light, (first,), lowest, "reveal"), _to_centre(scene)]
    return tuple(out)


def _to_centre(scene: RoundScene) -> Beat:
    """All cards but black stones go to the centre."""
    n = scene.after.white
    line = say_n("{n} white stone lies in the centre.", "{n} white stones lie in the centre.", n)
    return Beat(scene.new, RESOLVED, ("centre", "white"), line=line, cue="place")


# --- a turn ---------------------------------------------------------------------------------------------------------
def _turned(scene: RoundScene, card: Text) -> tuple[Beat, ...]:
    """A white stone goes to the centre, a first black one lies before its seat; the turn may end with it."""
    p, code = scene.who(card), card.args["card"].codes[0]
    fold, lying = scene.told(YOU_FOLD, FOLDS), _turned_up(scene, p, code)
    if code == TEN:
        out = [Beat(lying, REVEALED, _places(lying, p, code), (p,), scene.about(p, YOU_ONE, ONE), "bad", ONE_STONE)]
    else:
        centre = len(zone_of(lying, "centre").cards) - 1 - zone_of(lying, "centre").cards[::-1].index(code)
        out = [Beat(lying, PLAYED, (f"centre.{centre}", "white"), (p,), card, "place")]
    if empty := scene.told(EMPTY):
        out.append(Beat(lying, RESOLVED, ("deck",), line=empty, cue="reveal"))
    if fold:
        return (*out, *_folded(scene, lying, fold))
    return (*out, *(_next_turn(scene) if scene.after.phase == rules.TURN else ()))


def _next_turn(scene: RoundScene) -> tuple[Beat, ...]:
    """A breath: how many cards the next player must draw."""
    p, n = scene.after.turn, rules.cards_to_draw(scene.after)
    mine = say_n("You must draw {n} card or more, or fold.", "You must draw {n} cards or more, or fold.", n)
    theirs = say_n(
        "{seat} must draw {n} card or more, or fold.", "{seat} must draw {n} cards or more, or fold.", n, seat=Seat(p)
    )
    line = mine if p == scene.seat else theirs
    return (Beat(scene.new, RESOLVED, ("deck",), (p,), line, "reveal"),) if n else ()


def _folded(scene: RoundScene, lying: Zones, fold: Text) -> list[Beat]:
    """The price of a fold is spelled out, then paid; the last player in takes the pot."""
    p, chips = scene.who(fold), fold.args["chips"]
    paid = changed(_paid(lying, p, chips), f"stones-{p}", note=FOLDED) if scene.over else scene.new
    out = [
        Beat(lying, REVEALED, (f"stake-{p}", "white"), (p,), _price(scene, lying, fold), "reveal", FOLD),
        Beat(paid, RESOLVED, (f"chips-{p}", "pot"), (p,), fold, "chips"),
    ]
    if share := scene.told(*SHARES):
        last = scene.who(share)
        won = _moved(paid, "pot", f"chips-{last}", share.args["n"])
        out += [Beat(won, REVEALED, (f"chips-{last}",), (last,), share, "good"), *_round_over(scene, won)]
    return out


def _price(scene: RoundScene, lying: Zones, fold: Text) -> Text:
    """What a fold costs, as a sum, unless the player hasn't so many chips."""
    p, chips, n = scene.who(fold), fold.args["chips"], zone_of(lying, "white").count or 0
    sums = {"stake": rules.STAKE, "half": chips - rules.STAKE, "chips": chips}
    if chips < rules.full_price(n):
        return fold
    if p == scene.seat:
        return say_n(
            "You fold: stake {stake} + {half} (half of {n} white stone) = {chips} chips.",
            "You fold: stake {stake} + {half} (half of {n} white stones) = {chips} chips.",
            n, **sums,
        )  # fmt: skip
    return say_n(
        "{seat} folds: stake {stake} + {half} (half of {n} white stone) = {chips} chips.",
        "{seat} folds: stake {stake} + {half} (half of {n} white stones) = {chips} chips.",
        n, seat=Seat(p), **sums,
    )  # fmt: skip


# --- the second black stone, and the end of a round -----------------------------------------------------------------
def _second_stone(scene: RoundScene, card: Text, lost: Text) -> tuple[Beat, ...]:
    """Everything stops, the second black stone drops, chips fly to the pot and run to those still in, one by one."""
    p, chips = scene.who(lost), lost.args["chips"]
    lying = changed(_turned_up(scene, p, card.args["card"].codes[0]), f"stones-{p}", note=TWO_STONES)
    paid = _paid(lying, p, chips)
    shares = [fact for fact in scene.facts if fact.key in SHARES]
    runs = _shared(scene, paid, shares) if shares else []
    return (
        Beat(scene.old, STILL, ("deck",), (p,), scene.about(p, YOU_NEXT, NEXT), "reveal"),
        Beat(lying, DROPS, _places(lying, p, TEN), (p,), lost, "curse", TWO),
        Beat(paid, PAID, (f"stake-{p}", f"chips-{p}", "pot"), (p,), _loss(scene, lying, lost), "chips"),
        *runs,
        *_round_over(scene, runs[-1].zones if runs else paid),
    )


def _loss(scene: RoundScene, lying: Zones, lost: Text) -> Text:
    """What a second black stone costs, as a sum, unless the player hasn't so many chips."""
    p, chips, n = scene.who(lost), lost.args["chips"], zone_of(lying, "white").count or 0
    if chips != rules.STAKE + n:
        return lost
    sums = {"stake": rules.STAKE, "chips": chips}
    if p == scene.seat:
        return say_n(
            "You pay: stake {stake} + {n} white stone = {chips} chips.",
            "You pay: stake {stake} + {n} white stones = {chips} chips.",
            n, **sums,
        )  # fmt: skip
    return say_n(
        "{seat} pays: stake {stake} + {n} white stone = {chips} chips.",
        "{seat} pays: stake {stake} + {n} white stones = {chips} chips.",
        n, seat=Seat(p), **sums,
    )  # fmt: skip


def _shared(scene: RoundScene, paid: Zones, shares: Sequence[Text]) -> list[Beat]:
    """The pot runs to those who are still in: one by one if they are few, else to all at once, under one line."""
    n, seats = shares[0].args["n"], tuple(scene.who(share) for share in shares)
    each = say_n("Each player still in gets {n} chip.", "Each player still in gets {n} chips.", n)
    out, now, line = [], paid, each if len(shares) > 1 else shares[0]
    for p, share in zip(seats, shares, strict=True):
        now = _moved(now, "pot", f"chips-{p}", share.args["n"])
        out.append(Beat(now, SHARED // len(shares), (f"chips-{p}",), (p,), line, "good"))
    if len(shares) > FEW:
        return [Beat(now, SHARED, tuple(f"chips-{p}" for p in seats), seats, line, "good")]
    return [*out[:-1], replace(out[-1], hold=SHARED - length(out[:-1]))]


def _round_over(scene: RoundScene, lying: Zones) -> list[Beat]:
    """What stays in the pot; then the next round begins, or stakes go back and the session is over."""
    rest, few, begins = scene.told(*RESTS), scene.told(FEW_CAN), scene.told(ROUND)
    out = [Beat(lying, RESOLVED, ("pot",), line=rest, cue="reveal")] if rest else []
    stakes = [zone.seat for zone in lying if zone.id.startswith("stake-") and zone.count]
    back = tuple(f"chips-{p}" for p in stakes)
    if few:
        return [*out, Beat(scene.new, REVEALED, ("pot",), line=few, cue="reveal")]
    if begins:
        return [*out, Beat(scene.new, RESOLVED, ("deck",), line=begins, cue="deal")]
    line = STAKES_BACK if stakes else scene.facts[-1]
    return [*out, Beat(scene.new, RESOLVED, back or ("pot",), line=line, cue="chips")]


# --- cards and chips move -------------------------------------------------------------------------------------------
def _turned_up(scene: RoundScene, p: int, code: str) -> Zones:
    """The zones when a card has been turned: a ten lies before its seat, any other in the centre."""
    if code == TEN:
        return _before_seat(scene.old, p, code)
    lying, centre = _off_deck(scene.old, code), zone_of(scene.old, "centre")
    lying = changed(lying, "centre", cards=_sorted(centre.cards, code))
    return changed(lying, "white", count=(zone_of(lying, "white").count or 0) + 1)


def _before_seat(zones: Zones, p: int, code: str) -> Zones:
    """The zones when a card from the deck lies before a seat."""
    return changed(_off_deck(zones, code), f"stones-{p}", cards=_sorted(zone_of(zones, f"stones-{p}").cards, code))


def _off_deck(zones: Zones, code: str) -> Zones:
    """The zones when a card has left the deck: one of those still to draw, if there are any."""
    deck, still = zone_of(zones, "deck"), max(0, (zone_of(zones, "minimum").count or 0) - 1)
    tens = deck.note.args["n"] if deck.note else 0
    lying = changed(zones, "deck", hidden=deck.hidden - 1, note=deck_note(tens - (code == TEN)))
    return changed(lying, "minimum", count=still, places=still)


def _paid(zones: Zones, p: int, chips: int) -> Zones:
    """The zones when a player has paid into the pot: the stake, and the rest of the price from the chips."""
    stake = zone_of(zones, f"stake-{p}").count or 0
    return _moved(_moved(zones, f"stake-{p}", "pot", stake), f"chips-{p}", "pot", chips - stake)


def _moved(zones: Zones, source: str, target: str, chips: int) -> Zones:
    """The zones when chips have gone from one to another."""
    fewer = changed(zones, source, count=(zone_of(zones, source).count or 0) - chips)
    return changed(fewer, target, count=(zone_of(zones, target).count or 0) + chips)


def _places(zones: Zones, p: int, code: str) -> tuple[str, ...]:
    """The places before a seat of cards of a rank."""
    return tuple(f"stones-{p}.{k}" for k, card in enumerate(zone_of(zones, f"stones-{p}").cards) if card == code)


def _sorted(cards: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return tuple(sorted((*cards, *more), key=int))
