"""High Handed, read from shared/rules/high-handed.md (the ids in the comments)."""

from dataclasses import KW_ONLY, dataclass

from tests.reference import number_in, require

from .reference_scoring import Card, Cell, points

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = ["c", "s", "h", "d"]
TWO_TIMER = "two-timer"
THIEF = "thief"


def is_regular(card: str) -> bool:
    """HH-6: everything but the specials."""
    return card not in (TWO_TIMER, THIEF)


def rank_and_suit(card: str) -> Card | None:
    """What the scorer sees; HH-9: a special has neither rank nor suit."""
    return (RANKS.index(card[:-1]) + 1, card[-1]) if is_regular(card) else None


def card_in(name: str) -> str:
    """The card in a name such as "play 10h" or "card thief"."""
    return name.split()[1]


def weights(cards: list[str]) -> dict[str, int]:
    """The chance outcomes of drawing one of these cards."""
    return {f"card {card}": cards.count(card) for card in cards}


@dataclass(eq=False)
class Reference:
    """One match of High Handed.

    Phases: lot (who begins the match), deal, card (which one to play), cell (where), stack (what goes on the special
    just played), draw (the player asks for a card, or ends the turn), pile (which pile a card comes from), turned (the
    card drawn is turned), answer (accuse or let be), shown (the owner of a card too many turns it up), lost (the card
    that the accused loses), over.
    Purposes of drawing: forgotten (HH-19, the grandpa rule), due (HH-10), extra (HH-19, the uncle bob rule).
    """

    players: int
    _: KW_ONLY
    rows: int = 8
    columns: int = 8
    two_timers: int = 2
    thieves: int = 2
    first: str = "first_seat"
    specials: int = 2
    two_thieves: bool = False
    lone_special: str = "empty"
    strangers: str = "no"
    line_hands: str = "one"
    new_hand: str = "overlap"
    choose_pile: bool = False
    length: str = "regular"
    teams: int = 0
    manual_draw: bool = False
    grandpa_rule: list[int] | None = None
    uncle_bob_rule: bool = False
    uncle_bob: str = "watch"
    ranks: int = 13
    suits: int = 4
    hand: int = 0
    blind: int = 5

    def __post_init__(self) -> None:
        self.grandpas = self.grandpa_rule or []
        self.hand_size = self.hand or (7 if self.players <= 4 else 5)  # HH-4
        self.all_cards = self.full_deck()
        self.check_together()
        self.sides = self.teams or self.players
        self.total = [0] * self.players  # points over the match, of each seat
        self.won = [0] * self.sides  # games, of each side
        self.games_played = 0
        self.beginner = 0  # of the first game
        self.new_game()
        if self.first == "lot":  # HH-3
            self.phase = "lot"

    def check_together(self) -> None:
        """HH-2, HH-3, HH-4, HH-8, HH-18, HH-19: the options as a whole."""
        cells = self.rows * self.columns
        require(cells <= 64, "too many cells")
        require(self.players * self.hand_size + self.blind <= len(self.all_cards), "too few cards")
        require(cells >= len(self.all_cards) - self.blind, "too few cells")
        if self.two_thieves:
            require(self.all_cards.count(THIEF) >= 2, "two thieves are not in play")
            require(self.specials >= 2, "two thieves are more than the specials of a turn")
        if self.teams:
            require(self.players % self.teams == 0, "the teams are not equal")
            require(self.players >= 2 * self.teams, "a team is at least two players")
        require(all(0 <= seat < self.players for seat in self.grandpas), "grandpa_rule names a seat nobody has")
        require(self.manual_draw or not (self.grandpas or self.uncle_bob_rule), "a house rule needs manual_draw")

    def full_deck(self) -> list[str]:
        """HH-1: with 2 or 3 players one Two Timer and one Thief are taken out, if there is one."""
        taken = 1 if self.players <= 3 else 0
        regular = [rank + suit for suit in SUITS[: self.suits] for rank in RANKS[: self.ranks]]
        return regular + [TWO_TIMER] * max(self.two_timers - taken, 0) + [THIEF] * max(self.thieves - taken, 0)

    # -- games ----------------------------------------------------------------------------------------------

    def new_game(self) -> None:
        """HH-3, HH-4: everything is dealt anew."""
        self.bag = list(self.all_cards)  # unseen cards: both piles and the blind hand, which is never turned
        self.piles = [0, 0]  # how many cards
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.board: dict[Cell, list[str]] = {}  # stacks, the top card last
        self.gone: list[str] = []  # HH-8, HH-19: cards out of the game
        self.points = [0] * self.players
        self.turns = [0] * self.players  # begun in this game
        self.forgotten = [0] * self.players  # HH-19: cards that the grandpa rule still owes
        self.doubted: set[int] = set()  # HH-19: seats whose last turn will be asked about
        self.face_down: dict[int, int] = {}  # HH-19: the pile of a seat's card too many, which isn't turned up yet
        self.to_deal = [seat for _ in range(self.hand_size) for seat in range(self.players)]
        self.phase = "deal"

    def deal_card(self, card: str) -> None:
        """HH-4; the rest is cut into two piles, and the first gets the odd card."""
        self.bag.remove(card)
        self.hands[self.to_deal.pop(0)].append(card)
        if not self.to_deal:
            rest = len(self.bag) - self.blind
            self.piles = [rest - rest // 2, rest // 2]
            self.start_turn((self.beginner + self.games_played) % self.players)  # HH-3, HH-17

    def side(self, seat: int) -> int:
        """HH-18: everybody is a side of their own without teams."""
        return seat % self.sides

    def side_sums(self, numbers: list[int]) -> list[int]:
        """HH-18: points of the seats, summed by side."""
        return [sum(numbers[seat] for seat in range(self.players) if self.side(seat) == s) for s in range(self.sides)]

    def end_game(self) -> None:
        """HH-17: the points and the games won; another game or the end of the match."""
        scores = self.side_sums(self.points)
        self.won = [won + (score == max(scores)) for won, score in zip(self.won, scores, strict=True)]
        self.total = [total + points for total, points in zip(self.total, self.points, strict=True)]
        self.games_played += 1
        if self.length == "first_to_two":
            ended = max(self.won) == 2
        else:
            ended = self.games_played == (2 if self.length == "double" else 1)
        if ended:
            self.phase = "over"
        else:
            self.new_game()

    # -- turns ----------------------------------------------------------------------------------------------

    def start_turn(self, seat: int) -> None:
        """HH-6; HH-19: what the grandpa rule owes is drawn first."""
        self.seat = seat
        self.turns[seat] += 1
        self.before = self.tops()  # HH-15
        self.played: list[str] = []  # in this turn
        self.choice = ""  # the card being played
        self.took_card = False  # HH-8, HH-9: whether the stack of this turn lies on a cell that held a card
        self.place: Cell = (-1, -1)  # where the stack of this turn is
        self.answers: dict[int, str] = {}  # HH-19
        self.caught = False
        self.owed = self.forgotten[seat]
        self.forgotten[seat] = 0
        if seat in self.doubted:
            self.phase = "answer"
        else:
            self.after_question()

    def after_question(self) -> None:
        """HH-19: a card too many is turned up; then what the grandpa rule owes is drawn."""
        if self.seat in self.face_down:
            self.phase = "shown"
        else:
            self.doubted.discard(self.seat)
            self.draw_cards("forgotten", self.owed)

    def next_turn(self) -> None:
        """HH-5, HH-10: clockwise, who has no card (and no forgotten card to draw) is skipped; or the game is over.

        HH-19: about every turn the opponents will be asked, as long as a pile seems to have a card.
        """
        if self.uncle_bob_rule and self.uncle_bob == "watch" and any(self.piles):
            self.doubted.add(self.seat)
        if not any(self.hands):
            self.end_game()
            return
        clockwise = [(self.seat + step) % self.players for step in range(1, self.players + 1)]
        self.start_turn(next(seat for seat in clockwise if self.takes_turn(seat)))

    def takes_turn(self, seat: int) -> bool:
        """HH-10, HH-19."""
        return bool(self.hands[seat]) or (self.forgotten[seat] > 0 and self.cards_there())

    # -- playing --------------------------------------------------------------------------------------------

    def all_cells(self) -> list[Cell]:
        """HH-2, row by row from the top left: cell 1 comes first."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def tops(self) -> dict[Cell, Card | None]:
        """What the scorer sees of the board."""
        return {cell: rank_and_suit(stack[-1]) for cell, stack in self.board.items()}

    def regular_cards(self) -> list[str]:
        """The regular cards in the hand of the player on turn."""
        return [card for card in self.hands[self.seat] if is_regular(card)]

    def open_cells(self) -> list[Cell]:
        """HH-6 to HH-9: any empty cell; for a Thief that a regular card can follow, also any other.

        A special that may lie by itself anywhere can go to any cell.
        """
        if self.lone_special == "anywhere" and not is_regular(self.choice):
            return self.all_cells()
        everywhere = self.choice == THIEF and self.specials >= 1 and self.regular_cards()
        return [cell for cell in self.all_cells() if everywhere or cell not in self.board]

    def whole_turns(self) -> list[list[str]]:
        """HH-9: the specials that are a turn without a regular card, where more could follow them.

        That is a Two Timer on an empty cell; or, if it may be anywhere, a Thief that took a card, alone or with one
        more special on it (HH-8: that one is no second Thief, but by the option).
        """
        if not self.took_card:
            return [[TWO_TIMER]]
        if self.lone_special == "empty":
            return []
        return [[THIEF], [THIEF, TWO_TIMER], *([[THIEF, THIEF]] if self.two_thieves else [])]

    def may_stack(self, special: str) -> bool:
        """HH-6 to HH-9: whether one more special can come, with a regular card after it or as the last one."""
        stack = [*self.played, special]
        if special == THIEF and not (self.two_thieves and stack == [THIEF, THIEF]):
            return False
        return len(stack) <= self.specials and (bool(self.regular_cards()) or stack in self.whole_turns())

    def stack_actions(self) -> set[str]:
        """HH-6, HH-8, HH-9: a regular card, one more special, or nothing after what is a whole turn."""
        actions = {f"play {card}" for card in self.regular_cards()}
        actions |= {
            f"play {card}" for card in (TWO_TIMER, THIEF) if card in self.hands[self.seat] and self.may_stack(card)
        }
        if self.played in self.whole_turns():
            actions.add("leave")
        return actions

    def choose_card(self, card: str) -> None:
        """HH-6: which card, and then where."""
        self.choice = card
        self.phase = "cell"

    def choose_cell(self, cell: Cell) -> None:
        """HH-6 to HH-9: a special on a card takes that away.

        A Thief on an empty cell stays alone, and so does a Two Timer on a card.
        """
        self.took_card = cell in self.board
        if self.took_card:
            self.gone.append(self.board[cell].pop())
        self.place = cell
        self.put(self.choice, may_stack=self.took_card == (self.choice == THIEF))

    def put(self, card: str, *, may_stack: bool) -> None:
        """The card goes to the place of this turn; after a special more may follow."""
        self.hands[self.seat].remove(card)
        self.board.setdefault(self.place, []).append(card)
        self.played.append(card)
        if is_regular(card):
            self.score()
            self.draw_cards("due", len(self.played))
        elif may_stack and self.specials >= 1:
            self.phase = "stack"
        else:
            self.draw_cards("due", len(self.played))

    def score(self) -> None:
        """HH-13; HH-7: doubled by each Two Timer of this turn."""
        options = (self.strangers, self.line_hands, self.new_hand)
        lines = points(self.before, self.tops(), self.place, self.rows, self.columns, *options)
        self.points[self.seat] += sum(lines.values()) * 2 ** self.played.count(TWO_TIMER)

    # -- drawing --------------------------------------------------------------------------------------------

    def draw_cards(self, purpose: str, due: int) -> None:
        """HH-10, HH-19: so many cards are to be drawn, while the piles last."""
        self.purpose = purpose
        self.due = due
        self.next_draw()

    def next_draw(self) -> None:
        """HH-10, HH-19: the next card of those due; else what comes after drawing."""
        if self.due and (any(self.piles) if self.purpose == "extra" else self.cards_there()):
            self.ask_for_card()
        elif self.purpose == "forgotten":
            self.phase = "card"
        elif self.purpose == "due" and self.may_cheat():
            self.draw_cards("extra", 1)
        elif self.purpose == "extra":
            self.phase = "answer"
        else:
            self.next_turn()

    def hidden(self) -> int:
        """HH-19: cards too many that still seem to be in the piles."""
        return len(self.doubted & self.face_down.keys())

    def cards_there(self) -> bool:
        """HH-10, HH-19: whether a card can be drawn that is due; if others took the last ones, that is seen now."""
        if any(self.piles) and sum(self.piles) == self.hidden():
            self.piles = [0, 0]
            self.doubted.clear()
        return any(self.piles)

    def may_cheat(self) -> bool:
        """HH-19: the uncle bob rule, never more than the starting hand plus one."""
        return self.uncle_bob_rule and len(self.hands[self.seat]) <= self.hand_size and any(self.piles)

    def ask_for_card(self) -> None:
        """HH-10, HH-19: the player asks, or chooses a pile, or the card comes by itself."""
        if self.manual_draw and self.purpose != "forgotten":
            self.phase = "draw"
        elif self.piles_to_choose():
            self.phase = "pile"
        else:
            self.draw_from(self.larger_pile())

    def piles_to_choose(self) -> set[str]:
        """HH-10: the choice of a pile, where there is one."""
        return {"pile 1", "pile 2"} if self.choose_pile and all(self.piles) else set()

    def draw_actions(self) -> set[str]:
        """HH-10: a pile; HH-19: who asks for the cards may also forget them."""
        if self.phase == "pile":
            return self.piles_to_choose()
        return {"end turn"} | (self.piles_to_choose() or {"draw"})

    def larger_pile(self) -> int:
        """HH-10: the first when equal."""
        return 0 if self.piles[0] >= self.piles[1] else 1

    def draw_from(self, pile: int) -> None:
        """The top card of this pile will be turned."""
        self.piles[pile] -= 1
        self.phase = "turned"

    def card_drawn(self, card: str) -> None:
        """HH-10."""
        self.bag.remove(card)
        self.hands[self.seat].append(card)
        self.due -= 1
        self.next_draw()

    def end_turn(self) -> None:
        """HH-19: the rest is forgotten; the grandpa rule remembers that of a first turn."""
        if self.purpose == "due" and self.seat in self.grandpas and self.turns[self.seat] == 1:
            self.forgotten[self.seat] = min(self.due, sum(self.piles))
        self.next_turn()

    # -- the uncle bob rule ---------------------------------------------------------------------------------

    def opponents(self) -> list[int]:
        """HH-19: everybody who isn't on the side of the player on turn."""
        return [seat for seat in range(self.players) if self.side(seat) != self.side(self.seat)]

    def take_one_too_many(self, pile: int) -> None:
        """HH-19: a card is put face down, if there is one; it looks as if the turn had ended without it."""
        if sum(self.piles) > self.hidden():
            self.face_down[self.seat] = pile
        self.end_turn()

    def card_shown(self, card: str) -> None:
        """HH-19: the owner of the card too many looks at it; from now on the true sizes are seen."""
        if self.seat in self.doubted:
            pile = self.face_down[self.seat] if self.choose_pile else self.larger_pile()
            self.piles[pile if self.piles[pile] else 1 - pile] -= 1
        del self.face_down[self.seat]
        self.bag.remove(card)
        self.hands[self.seat].append(card)
        if self.caught:
            self.phase = "lost"
        else:
            self.after_question()

    def answer(self, seat: int, action: str) -> None:
        """HH-19: the answers are secret, and one accusation is enough; whoever accuses wrongly loses 5 points."""
        self.answers[seat] = action
        if len(self.answers) < len(self.opponents()):
            return
        accusers = [seat for seat, answer in self.answers.items() if answer == "accuse"]
        if self.uncle_bob == "watch":
            self.caught = bool(accusers) and self.seat in self.face_down
            for accuser in accusers:
                self.points[accuser] -= 0 if self.caught else 5
            self.after_question()
        elif accusers:
            self.phase = "lost"
        else:
            self.next_turn()

    def card_lost(self, card: str) -> None:
        """HH-19: a card of the hand leaves the game, and 5 points are lost."""
        self.hands[self.seat].remove(card)
        self.gone.append(card)
        self.points[self.seat] -= 5
        if self.uncle_bob == "watch":
            self.after_question()
        else:
            self.next_turn()

    # -- the common interface -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def acting(self) -> set[int]:
        if self.phase == "answer":
            return {seat for seat in self.opponents() if seat not in self.answers}
        return {self.seat} if self.phase in ("card", "cell", "stack", "draw", "pile") else set()

    def chance(self) -> dict[str, int]:
        if self.phase == "lot":
            return {f"seat {seat}": 1 for seat in range(self.players)}
        if self.phase in ("deal", "turned", "shown"):
            return weights(self.bag)
        return weights(self.hands[self.seat]) if self.phase == "lost" else {}

    def happen(self, outcome: str) -> None:
        require(outcome in self.chance(), f"{outcome!r} cannot happen in phase {self.phase}")
        if self.phase == "lot":
            self.beginner = number_in(outcome)
            self.phase = "deal"
            return
        card = card_in(outcome)
        if self.phase == "deal":
            self.deal_card(card)
        elif self.phase == "turned":
            self.card_drawn(card)
        elif self.phase == "shown":
            self.card_shown(card)
        else:
            self.card_lost(card)

    def legal(self, seat: int) -> set[str]:
        if seat not in self.acting():
            return set()
        if self.phase == "card":  # HH-6, HH-9
            return {f"play {card}" for card in self.hands[seat]}
        if self.phase == "cell":
            return {f"cell {self.all_cells().index(cell) + 1}" for cell in self.open_cells()}
        if self.phase == "stack":
            return self.stack_actions()
        if self.phase == "answer":
            return {"accuse", "let be"}
        return self.draw_actions()

    def apply(self, seat: int, action: str) -> None:
        require(action in self.legal(seat), f"{action!r} of seat {seat} is not legal in phase {self.phase}")
        if self.phase == "card":
            self.choose_card(card_in(action))
        elif self.phase == "cell":
            self.choose_cell(self.all_cells()[number_in(action) - 1])
        elif self.phase == "answer":
            self.answer(seat, action)
        elif action == "leave":
            self.draw_cards("due", len(self.played))
        elif self.phase == "stack":
            self.put(card_in(action), may_stack=True)
        elif action == "end turn":
            self.end_turn()
        else:
            pile = self.larger_pile() if action == "draw" else number_in(action) - 1
            if self.purpose == "extra" and self.uncle_bob == "watch":
                self.take_one_too_many(pile)
            else:
                self.draw_from(pile)

    def returns(self) -> list[float]:
        """HH-20: own side's points, or games won, minus those of the best other side."""
        require(self.over, "the match is not over")
        sides = self.won if self.length == "first_to_two" else self.side_sums(self.total)
        return [
            float(sides[own] - max(score for side, score in enumerate(sides) if side != own))
            for own in map(self.side, range(self.players))
        ]
