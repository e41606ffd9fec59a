"""Blackstone, read from shared/rules/blackstone.md (the ids in the comments)."""

from dataclasses import KW_ONLY, InitVar, dataclass

from tests.reference import card_weights, full_deck, number_in, require, seat_weights

STAKE = 5  # BS-1
TEN = 10


@dataclass(eq=False)
class Reference:
    """One session of Blackstone.

    Phases: stake, deal (the cards of BS-2), first (chance picks who starts), turn, cards (those still owed
    come one by one), more (the minimum is reached: stop or draw on), over.
    """

    players: int
    _: KW_ONLY
    chips: InitVar[int] = 100
    rounds: int = 1
    sit_out: bool = False
    stakes: InitVar[str] = "secret"
    extra_ten: str = "not_replaced"
    drawing: str = "stop_freely"
    draw_cap: bool = False
    after_fold: str = "carries"
    deck: InitVar[list[int] | None] = None

    def __post_init__(self, chips: int, stakes: str, deck: list[int] | None) -> None:
        require(self.sit_out or stakes == "secret", "stakes=open only with sit_out")
        self.start_chips = chips
        self.in_the_open = stakes == "open"
        self.all_cards = full_deck(deck)
        require(self.players <= len(self.all_cards) and max(self.all_cards) <= TEN, "too few cards, or a rank above 10")
        self.chips = [chips] * self.players
        self.stakes = [0] * self.players
        self.pot = 0
        self.rounds_played = 0
        self.new_round()

    # -- start of a round -----------------------------------------------------------------------------------

    def new_round(self) -> None:
        """BS-1, BS-13: who can stake does, or chooses; or the end of the session."""
        self.clear_table()
        self.able = [seat for seat in range(self.players) if self.chips[seat] >= STAKE]
        self.chosen: dict[int, str] = {}  # the choices of BS-1
        first = self.rounds_played % self.players
        clockwise = [*range(first, self.players), *range(first)]
        self.asked = [seat for seat in clockwise if seat in self.able]  # in this order, where they are made in the open
        if self.rounds_played == self.rounds or len(self.able) < 2:  # BS-13
            self.phase = "over"
        elif self.sit_out:
            self.phase = "stake"
        else:
            self.put_stakes(self.able)

    def clear_table(self) -> None:
        """BS-2: the full deck is shuffled."""
        self.deck = list(self.all_cards)
        self.centre: list[int] = []  # the white stones
        self.black = [0] * self.players  # black stones before each player
        self.up: list[int] = []  # cards below 10 dealt in BS-2, before they go to the centre
        self.aside = 0  # extra tens of BS-3
        self.inside: list[int] = []  # seats still in
        self.need: list[int] = []  # seats that still need a card in BS-2
        self.compared: dict[int, int] = {}
        self.picks: list[int] = []  # seats being compared
        self.turn = -1
        self.owed = 0  # cards of this turn that come without a further choice
        self.drawn = 0  # cards drawn in this turn
        self.last = 0  # number drawn by the last player who drew, 0 before anyone has
        self.folded_before = False  # BS-7: the player before folded

    def put_stakes(self, seats: list[int]) -> None:
        """BS-1: the stakes; fewer than two return, and the round counts as played."""
        if len(seats) < 2:
            self.rounds_played += 1
            self.new_round()
            return
        for seat in seats:
            self.chips[seat] -= STAKE
            self.stakes[seat] = STAKE
        self.inside = list(seats)
        self.compare_next(seats)

    def compare_next(self, seats: list[int]) -> None:
        """BS-2: each of these seats is dealt a card, and these cards are compared."""
        self.picks = sorted(seats)
        self.need = list(self.picks)
        self.compared = {}
        self.next_first_card()

    def next_first_card(self) -> None:
        """BS-2; BS-3: if the deck runs short one of those tied is picked at random."""
        if not self.need:
            self.compare()
        else:
            self.phase = "deal" if self.deck else "first"

    def first_card(self, rank: int) -> None:
        """BS-2, BS-3: a card to find the first player; a player keeps only one ten."""
        seat = self.need[0]
        extra = rank == TEN and self.black[seat] == 1
        self.deck.remove(rank)
        if extra:
            self.aside += 1
        elif rank == TEN:
            self.black[seat] = 1
        else:
            self.up.append(rank)
        if not (extra and self.extra_ten == "replaced"):
            self.compared[seat] = rank
            self.need.pop(0)
        self.next_first_card()

    def compare(self) -> None:
        """BS-2: lowest goes first, those tied for lowest get another card."""
        low = min(self.compared.values())
        tied = [seat for seat in self.compared if self.compared[seat] == low]
        if len(tied) == 1:
            self.first_known(tied[0])
        else:
            self.compare_next(tied)

    def first_known(self, seat: int) -> None:
        """BS-4: white stones to the centre; BS-3: extra tens back into the deck."""
        self.centre += self.up
        self.up = []
        self.deck += [TEN] * self.aside
        self.aside = 0
        self.begin_turn(seat)

    # -- play -----------------------------------------------------------------------------------------------

    def begin_turn(self, seat: int) -> None:
        """BS-5."""
        self.turn = seat
        self.drawn = 0
        self.owed = 0
        self.phase = "turn"

    def next_inside(self) -> int:
        """BS-5: the next player clockwise who is still in."""
        clockwise = [(self.turn + step) % self.players for step in range(1, self.players)]
        return next(seat for seat in clockwise if seat in self.inside)

    def minimum(self) -> int:
        """BS-6, BS-7: the fewest cards the player on turn may draw."""
        if self.folded_before and self.after_fold == "restarts":
            return 1
        return max(1, self.last)

    def maximum(self) -> int:
        """BS-6: the most cards the player on turn may draw; only the deck limits it without draw_cap."""
        return self.last + len(self.inside) if self.draw_cap else len(self.all_cards)

    def numbers(self) -> list[int]:
        """BS-6, drawing = announced: the numbers that can be named."""
        least = self.minimum()
        most = max(least, min(self.maximum(), len(self.deck)))  # BS-12: least even if the deck holds fewer
        return list(range(least, most + 1))

    def turned(self, rank: int) -> None:
        """BS-6: a card is turned in a player's turn; BS-9: the second black stone ends the round."""
        self.deck.remove(rank)
        self.drawn += 1
        self.owed -= 1
        if rank == TEN:
            self.black[self.turn] += 1
        else:
            self.centre.append(rank)
        if self.black[self.turn] == 2:
            self.second_black_stone()
        else:
            self.after_card()

    def after_card(self) -> None:
        """BS-6, BS-12: what follows a card that did not end the round."""
        if not self.deck and self.drawn < self.minimum():  # BS-12
            self.fold()
        elif not self.deck:  # BS-12
            self.stop()
        elif self.owed > 0:
            self.phase = "cards"
        elif self.drawing == "announced":
            self.stop()
        else:
            self.phase = "more"

    def draw(self, number: int) -> None:
        """BS-6: this many cards come now, one by one."""
        self.owed = number
        self.phase = "cards"

    def stop(self) -> None:
        """BS-6: the turn ends, its number is what the next player must match."""
        self.last = self.drawn
        self.folded_before = False
        self.begin_turn(self.next_inside())

    def fold(self) -> None:
        """BS-8: the stake and half the white stones, rounded up; BS-10: one player left ends the round."""
        self.pay(self.turn, (len(self.centre) + 1) // 2)
        self.folded_before = True
        self.inside.remove(self.turn)
        if len(self.inside) == 1:
            self.chips[self.inside[0]] += self.pot  # BS-10
            self.pot = 0
            self.end_round()
        else:
            self.begin_turn(self.next_inside())

    def second_black_stone(self) -> None:
        """BS-9: the loser pays; BS-11: the others divide the pot."""
        self.pay(self.turn, len(self.centre))
        self.inside.remove(self.turn)
        share = self.pot // len(self.inside)
        for seat in self.inside:
            self.chips[seat] += share
            self.pot -= share
        self.end_round()

    def pay(self, seat: int, extra: int) -> None:
        """BS-8, BS-9: the stake and so much more to the pot; BS-13: capped at what the player has."""
        extra = min(extra, self.chips[seat])
        self.chips[seat] -= extra
        self.pot += extra + self.stakes[seat]
        self.stakes[seat] = 0

    def end_round(self) -> None:
        """BS-10, BS-11: who is still in gets the stake back."""
        for seat in self.inside:
            self.chips[seat] += self.stakes[seat]
            self.stakes[seat] = 0
        self.rounds_played += 1
        self.new_round()

    # -- the common interface -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def acting(self) -> set[int]:
        if self.phase == "stake":
            waiting = [seat for seat in self.asked if seat not in self.chosen]
            return set(waiting[:1] if self.in_the_open else waiting)
        return {self.turn} if self.phase in ("turn", "more") else set()

    def chance(self) -> dict[str, int]:
        if self.phase in ("deal", "cards"):
            return card_weights(self.deck)
        return seat_weights(self.picks) if self.phase == "first" else {}

    def happen(self, outcome: str) -> None:
        require(outcome in self.chance(), f"{outcome!r} cannot happen in phase {self.phase}")
        number = number_in(outcome)
        if self.phase == "deal":
            self.first_card(number)
        elif self.phase == "first":  # BS-3
            self.first_known(number)
        else:
            self.turned(number)

    def legal(self, seat: int) -> set[str]:
        if seat not in self.acting():
            return set()
        if self.phase == "stake":  # BS-1
            return {"stake", "sit"}
        if self.phase == "more":  # BS-6
            return {"draw", "stop"} if self.drawn < self.maximum() else {"stop"}
        if not self.deck:  # BS-12
            return {"fold"}
        if self.drawing == "announced":
            return {f"announce {number}" for number in self.numbers()} | {"fold"}
        return {"draw", "fold"}  # BS-5

    def apply(self, seat: int, action: str) -> None:
        require(action in self.legal(seat), f"{action!r} of seat {seat} is not legal in phase {self.phase}")
        if action in ("stake", "sit"):
            self.choose(seat, action)
        elif action == "fold":
            self.fold()
        elif action == "stop":
            self.stop()
        elif action == "draw":
            self.draw(self.minimum() if self.phase == "turn" else 1)
        else:
            self.draw(number_in(action))

    def choose(self, seat: int, action: str) -> None:
        """BS-1: the choices are secret, and revealed together; in the open a stake lies there at once."""
        self.chosen[seat] = action
        if self.in_the_open and action == "stake":
            self.chips[seat] -= STAKE
            self.stakes[seat] = STAKE
        if len(self.chosen) == len(self.able):
            self.take_stakes_back()
            self.put_stakes([each for each in self.able if self.chosen[each] == "stake"])

    def take_stakes_back(self) -> None:
        """BS-1: with fewer than two the stakes return; with more they are put down together, as in secret."""
        for seat in range(self.players):
            self.chips[seat] += self.stakes[seat]
            self.stakes[seat] = 0

    def returns(self) -> list[float]:
        """BS-14: chips won or lost."""
        require(self.over, "the session is not over")
        return [float(chips - self.start_chips) for chips in self.chips]
