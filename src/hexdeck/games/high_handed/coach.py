"""Lessons for a first match of High Handed: advice on each kind of decision, made from the position."""

from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.text import Seat, Text, say, say_n
from hexdeck.engine.view import cell_name
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import narration, reckoned, rules
from hexdeck.games.high_handed.codes import named
from hexdeck.games.high_handed.components import REGULAR, THIEF, TIMER
from hexdeck.games.high_handed.lines import POINTS

AIM = say(
    "Lay cards so that rows, columns and diagonals make poker hands: each new hand scores for who completes it. "
    "Most points win."
)


def aspect(s, seat):
    """Playing with specials in hand, and drawing a card too many, are taught apart."""
    if s.phase == parts.CARD:
        return "special" if s.hand_x[seat, 0] or s.hand_x[seat, 1] else ""
    if s.phase == parts.CELL:
        return {TIMER: "timer", THIEF: "thief"}.get(int(s.picked), "")
    return "extra" if s.phase == parts.ASK and s.due == 0 else ""


def _best(s, seat):
    hand = [k for k in range(REGULAR) if s.hand[seat] >> k & 1]
    empty = [k for k in range(s.rows * s.columns) if s.board[k] == 0]
    return reckoned.most(s, hand, empty)


def _worths() -> Text:
    """HH-12: what each hand scores, the lowest first."""
    found = sorted((POINTS[c], c) for c in range(1, len(POINTS)))
    first, *more = [say("{hand} {points}", hand=narration.CATEGORIES[c], points=points) for points, c in found]
    for text in more:
        first = say("{first}, {rest}", first=first, rest=text)
    return first


def _card(s, seat):
    best = _best(s, seat)
    return Lesson(
        say("Choosing a card"),
        say("Choose a card of your hand; then you are asked for its cell. Any empty cell will do."),
        say_n("Hands score: {worths}. Your best card scores {n} point now.",
              "Hands score: {worths}. Your best card scores {n} points now.", best, worths=_worths())
        if best
        else say("Hands score: {worths}. Nothing scores yet: lay a card that others of your hand go with.",
                 worths=_worths()),
        say("What you leave almost complete, {seat} may complete.", seat=Seat((seat + 1) % s.seats)),
    )  # fmt: skip


SPECIALS = (
    say("Before it you may play the Two Timer (x2), which doubles what that card scores."),
    say("Before it you may play a Thief (Tf): it takes a card off the board, and yours goes on top."),
)


LONE = (
    say("A Two Timer (x2) is played alone, as a whole turn."),
    say("A Thief (Tf) is played alone, as a whole turn."),
)


def _special(s, seat):
    taught = _card(s, seat)
    texts = SPECIALS if s.specials else LONE
    have = [text for k, text in enumerate(texts) if s.hand_x[seat, k]]
    why = have[0] if len(have) == 1 else say("{first} {rest}", first=have[0], rest=have[1])
    risk = say("A special alone is a whole turn, and scores nothing.")
    return Lesson(say("A card, or first a special"), taught.may, say("{first} {rest}", first=taught.why, rest=why),
                  say("{first} {rest}", first=taught.risk, rest=risk))  # fmt: skip


def _cell(s, _seat):
    best = max((rules.gain(s, s.picked, k) for k in range(s.rows * s.columns) if s.board[k] == 0), default=0)
    return Lesson(
        say("Choosing a cell"),
        say("Lay the {card} on any empty cell, next to others or not.", card=named(s.picked)),
        say_n("Numbers on cells are the points that you score there: {n} at best.",
              "Numbers on cells are the points that you score there: {n} at best.", best)
        if best
        else say("No cell scores for it now: put it where a later card makes a hand with it."),
        say("The cards of a hand must lie in one line, other cards between them or not; once it lies, a card stays.")
        if s.strangers
        else say("All cards of a hand must lie next to each other in one line; once it lies, a card stays."),
    )  # fmt: skip


def _timer(s, _seat):
    if not s.specials:
        return _alone(s, say("A Two Timer"))
    return Lesson(
        say("A Two Timer"),
        say("Lay it on an empty cell, then choose the regular card that goes on top; or lay it alone on any card.")
        if s.lone_special
        else say("Lay it on an empty cell; then choose the regular card that goes on top of it."),
        say("That card's points are doubled. The numbers on cells are the most that a card of yours scores so."),
        say("It is used up. Left alone it breaks every line through its cell."),
    )  # fmt: skip


def _alone(s, title):
    """Advice on a special if none may be followed by a regular card."""
    return Lesson(
        title,
        say("Lay it on any cell, alone: that is your whole turn.")
        if s.lone_special
        else say("Lay it on an empty cell, alone: that is your whole turn."),
        say("It scores nothing itself, but it can keep others from a line."),
        say("It is used up. It breaks every line through its cell."),
    )  # fmt: skip


def _thief(s, _seat):
    if not s.specials:
        return _alone(s, say("A Thief"))
    return Lesson(
        say("A Thief"),
        say("Put it on any card, then choose what goes on top of it, or leave it there; or lay it on an empty cell.")
        if s.lone_special
        else say("Put it on any card of the board, or on an empty cell; then choose the card that goes on top of it."),
        say("The card under it is out of the game, and yours lies in its place: a spoilt line can score anew."),
        say("It is used up. Points that were scored stay where they are."),
    )  # fmt: skip


def _stack(s, _seat):
    return Lesson(
        say("What comes on top"),
        say("Choose the card that goes on top at {cell}: a regular card ends your turn.",
            cell=cell_name(s.cell, s.columns)),
        say("Beside each card stands what it scores there."),
        say("A special that is left alone scores nothing."),
    )  # fmt: skip


def _pile(s, _seat):
    return Lesson(
        say("Two piles"),
        say("You draw a card: say from which pile."),
        say("Nobody knows either pile: they hold {one} and {two} cards.", one=s.pile[0], two=s.pile[1]),
        say("There is nothing to lose by it."),
    )  # fmt: skip


def _ask(s, _seat):
    return Lesson(
        say("Asking for cards"),
        say_n("You may ask for {n} card, or end your turn.", "You may ask for {n} cards, one by one, or end your turn.",
              s.due),
        say("More cards are more to choose from in your next turn."),
        say("Whoever ends the turn forgets what is still due: the hand stays that much smaller."),
    )  # fmt: skip


def _extra(_s, _seat):
    return Lesson(
        say("A card too many"),
        say("You have all cards that were due. You may draw one more, or end your turn."),
        say("If nobody accuses you, you keep it."),
        say("If anybody does, you lose a card of your hand by lot, and 5 points."),
    )  # fmt: skip


def _answer(s, _seat):
    return Lesson(
        say("Accuse, or let it be?"),
        say("{seat} has drawn a card too many. All answer in secret, at once.", seat=Seat(s.turn)),
        say("If anybody accuses, {seat} loses a card by lot, and 5 points.", seat=Seat(s.turn)),
        say("If all let it be, the card is kept. Whoever accuses risks nothing but the peace."),
    )  # fmt: skip


LESSONS = {
    (parts.CARD, "play", ""): _card,
    (parts.CARD, "play", "special"): _special,
    (parts.CELL, "cell", ""): _cell,
    (parts.CELL, "cell", "timer"): _timer,
    (parts.CELL, "cell", "thief"): _thief,
    (parts.STACK, "leave play", ""): _stack,
    (parts.STACK, "play", ""): _stack,
    (parts.PILE, "pile", ""): _pile,
    (parts.ASK, "draw end", ""): _ask,
    (parts.ASK, "end pile", ""): _ask,
    (parts.ASK, "draw end", "extra"): _extra,
    (parts.ASK, "end pile", "extra"): _extra,
    (parts.ANSWER, "accuse let", ""): _answer,
}


def scored(s, _seat):
    """HH-17, HH-18: everybody's points or games."""
    if s.length == parts.FIRST_TO_TWO:
        lines = [say("Whoever has won two games first wins the match.")]
        return lines + [
            say_n("{seat}: {n} game won.", "{seat}: {n} games won.", s.won[parts.side_of(s, p)], seat=Seat(p))
            for p in range(s.seats)
        ]
    lines = [say("Each hand scored for who completed it; most points win.")]
    lines += [say_n("{seat}: {n} point.", "{seat}: {n} points.", s.score[p], seat=Seat(p)) for p in range(s.seats)]
    if s.teams:
        lines += [say_n("Team {team}: {n} point.", "Team {team}: {n} points.", rules.result_of(s, side), team=side + 1)
                  for side in range(s.teams)]  # fmt: skip
    return lines
