"""Lessons for a first match of High Handed: advice on each kind of decision, made from the position."""

from hexdeck.engine.options import listed
from hexdeck.engine.play.coach import Course, Lesson
from hexdeck.engine.text import Seat, Text, _, in_games, in_points, say, say_n
from hexdeck.engine.view import cell_name
from hexdeck.games.high_handed import captions, rules, table
from hexdeck.games.high_handed.deck import by_rank, card_name
from hexdeck.games.high_handed.rules import THIEF, TIMER
from hexdeck.games.high_handed.scoring import POINTS

AIM = say(
    "Lay cards so that rows, columns and diagonals make poker hands. Each new hand scores for the player who "
    "completes it. The most points wins."
)


def aspect(s, seat):
    """Playing with specials in hand, and drawing a card too many, are taught apart."""
    if s.phase == rules.CARD:
        return "special" if s.hand_x[seat, 0] or s.hand_x[seat, 1] else ""
    if s.phase == rules.CELL:
        return {TIMER: "timer", THIEF: "thief"}.get(int(s.picked), "")
    return "extra" if s.phase == rules.ASK and s.due == 0 else ""


def _worths() -> Text:
    """HH-12: what each hand scores, the lowest first."""
    scores = sorted((POINTS[c], c) for c in range(1, len(POINTS)))
    return listed([say("{hand} {points}", hand=captions.CATEGORIES[c], points=points) for points, c in scores])


def _card(s, seat):
    best = table.most_on_empty(s, by_rank(s.hand[seat]))
    text = _("Poker hands score: {worths}. Your best card scores {points} now.")
    none = _("Poker hands score: {worths}. Nothing scores yet: start with a card that matches others in your hand.")
    return Lesson(
        say("Choosing a card"),
        say("Choose a card from your hand, then its cell. Any empty cell will do."),
        say(text, points=in_points(best), worths=_worths()) if best else say(none, worths=_worths()),
        say("Leave a poker hand almost complete, and {seat} may complete it.", seat=Seat((seat + 1) % s.seats)),
    )


SPECIALS = (
    say("You may play a Two Timer (x2) first: it doubles what your card scores."),
    say("You may play a Thief (Tf) first: it takes a card off the board, and yours goes on top."),
)


LONE = (
    say("You play a Two Timer (x2) alone: that is your whole turn."),
    say("You play a Thief (Tf) alone: that is your whole turn."),
)


def _special(s, seat):
    taught = _card(s, seat)
    texts = SPECIALS if rules.can_follow(s, seat, 0) else LONE
    have = [text for k, text in enumerate(texts) if s.hand_x[seat, k]]
    why = have[0] if len(have) == 1 else say("{first} {rest}", first=have[0], rest=have[1])
    risk = say("A special alone is a whole turn, and scores nothing.")
    return Lesson(
        say("A card, or first a special"),
        taught.may,
        say("{first} {rest}", first=taught.why, rest=why),
        say("{first} {rest}", first=taught.risk, rest=risk),
    )


def _cell(s, _seat):
    best = table.most_on_empty(s, [s.picked])
    return Lesson(
        say("Choosing a cell"),
        say("Lay the {card} on any empty cell, next to others or not.", card=card_name(s.picked)),
        say_n(
            "The number on a cell is what you score there: {n} at best.",
            "The number on a cell is what you score there: {n} at best.",
            best,
        )
        if best
        else say("It scores nothing anywhere now: put it where a later card can make a poker hand with it."),
        say(
            "A poker hand lies in one line, with or without other cards between. You can't move a card once it is laid."
        )
        if s.strangers
        else say("A poker hand is cards side by side in one line, with no gap. You can't move a card once it is laid."),
    )


def _timer(s, seat):
    if not rules.can_follow(s, seat, 0):
        return _alone(s, say("A Two Timer"))
    return Lesson(
        say("A Two Timer"),
        say("Lay it on an empty cell, then choose the regular card that goes on top; or lay it alone on any card.")
        if s.lone_special
        else say("Lay it on an empty cell; then choose the regular card that goes on top of it."),
        say("The card you lay on it scores double. The number on each cell is the best you could score there."),
        say("It is used up. Left alone it breaks every line through its cell."),
    )


def _alone(s, title):
    """Advice on a special if no regular card can follow."""
    return Lesson(
        title,
        say("Lay it on any cell, alone: that is your whole turn.")
        if s.lone_special
        else say("Lay it on an empty cell, alone: that is your whole turn."),
        say("It scores nothing itself, but it can block a line for others."),
        say("It is used up. It breaks every line through its cell."),
    )


def _thief(s, seat):
    if not (rules.can_follow(s, seat, 0) or (s.lone_special and s.specials)):
        return _alone(s, say("A Thief"))
    return Lesson(
        say("A Thief"),
        say("Put it on any card, then choose what goes on top of it, or leave it there; or lay it on an empty cell.")
        if s.lone_special
        else say(
            "Put it on any card, then choose the card that goes on top of it. Or lay it on an empty cell, alone: that "
            "is your whole turn."
        ),
        say("The card under it is out of the game and yours takes its place: a dead line can score again."),
        say("It is used up. Points already scored stay."),
    )


def _stack(s, _seat):
    text = _("Choose the card that goes on top at {cell}: a regular card ends your turn.")
    return Lesson(
        say("What comes on top"),
        say(text, cell=cell_name(s.cell, s.columns)),
        say("Each card shows what it scores there."),
        say("A special that is left alone scores nothing."),
    )


def _pile(s, _seat):
    return Lesson(
        say("Two piles"),
        say("You draw a card: choose a pile."),
        say("Nobody knows what is in the piles: they hold {one} and {two} cards.", one=s.pile[0], two=s.pile[1]),
        say("There is nothing to lose by it."),
    )


def _ask(s, _seat):
    return Lesson(
        say("Asking for cards"),
        say_n(
            "You may ask for {n} card, or end your turn.",
            "You may ask for {n} cards, one by one, or end your turn.",
            s.due,
        ),
        say("More cards give you more choice next turn."),
        say("End your turn and you forget the cards you may still draw: your hand stays that much smaller."),
    )


def _extra(s, _seat):
    return Lesson(
        say("A card too many"),
        say("You have all the cards you may draw. Draw one more anyway, or end your turn."),
        say("If nobody accuses you before your next turn, you keep it. Until then nobody sees it.")
        if s.uncle_bob == rules.WATCH
        else say("If nobody accuses you, you keep it."),
        say("If anyone does, you lose a random card from your hand and {points}.", points=captions.FINE),
    )


def _answer(s, _seat):
    if s.uncle_bob == rules.WATCH:
        text = _("{seat} may have drawn a card too many last turn. Nobody can see it before you answer.")
        event = say(text, seat=Seat(s.turn))
        right = say(
            "If you accuse rightly, {seat} loses a random card and {points}.", points=captions.FINE, seat=Seat(s.turn)
        )
        risk = say("If you are wrong, you lose {points} yourself.", points=captions.FINE)
        if s.suspect[s.turn] == 2:
            text = _("The question comes after every turn; this time {seat} can't have drawn a card too many.")
            event, right = say(text, seat=Seat(s.turn)), say("So let it be.")
    else:
        event = say(
            "{seat} has drawn a card too many. Everyone answers in secret, at the same time.", seat=Seat(s.turn)
        )
        right = say(
            "If anyone accuses, {seat} loses a random card and {points}.", points=captions.FINE, seat=Seat(s.turn)
        )
        risk = say("If everyone lets it be, the card is kept. Accusing risks nothing but the peace.")
    return Lesson(say("Accuse, or let it be?"), event, right, risk)


LESSONS = {
    (rules.CARD, "play", ""): _card,
    (rules.CARD, "play", "special"): _special,
    (rules.CELL, "cell", ""): _cell,
    (rules.CELL, "cell", "timer"): _timer,
    (rules.CELL, "cell", "thief"): _thief,
    (rules.STACK, "leave play", ""): _stack,
    (rules.STACK, "play", ""): _stack,
    (rules.PILE, "pile", ""): _pile,
    (rules.ASK, "draw end", ""): _ask,
    (rules.ASK, "end pile", ""): _ask,
    (rules.ASK, "draw end", "extra"): _extra,
    (rules.ASK, "end pile", "extra"): _extra,
    (rules.ANSWER, "accuse let", ""): _answer,
}


def scored(s, _seat):
    """HH-17, HH-18: everybody's points or games."""
    results = [rules.result_of(s, side) for side in range(s.teams)]
    if s.length == rules.FIRST_TO_TWO:
        first = say("The first to win two games wins the match.")
        if s.teams:
            return [
                first,
                *(say("Team {team}: {games} won.", games=in_games(n), team=k) for k, n in enumerate(results, 1)),
            ]
        return [first, *(say("{seat}: {games} won.", games=in_games(s.won[p]), seat=Seat(p)) for p in range(s.seats))]
    lines = [say("Each poker hand scored for the player who completed it. Whoever has the most points wins.")]
    lines += [say("{seat}: {points}.", points=in_points(s.score[p]), seat=Seat(p)) for p in range(s.seats)]
    return lines + [say("Team {team}: {points}.", points=in_points(n), team=k) for k, n in enumerate(results, 1)]


COURSE = Course(AIM, LESSONS, scored, aspect)
