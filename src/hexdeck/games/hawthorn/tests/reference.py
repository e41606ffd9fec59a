"""Hawthorn, read from shared/rules/hawthorn.md (the ids in the comments)."""

from dataclasses import KW_ONLY, InitVar, dataclass

from tests.reference import card_weights, full_deck, number_in, require, seat_weights


@dataclass(eq=False)
class Reference:
    """One session of Hawthorn.

    Phases: deal, show, tie (cards for those tied for lowest), first (chance picks who starts), turn,
    take (the card taken from the deck is turned), over.
    """

    players: int
    _: KW_ONLY
    chips: InitVar[int] = 100
    deals: int = 1
    tiebreak_cards: str = "stay"
    fold_price: str = "table"
    empty_hand: str = "fold"
    deck: InitVar[list[int] | None] = None
    hand: InitVar[int] = 0

    def __post_init__(self, chips: int, deck: list[int] | None, hand: int) -> None:
        self.start_chips = chips
        self.all_cards = full_deck(deck)
        self.hand_size = hand or 5  # HT-2
        require(self.hand_size >= 1 and self.players * self.hand_size <= len(self.all_cards), "too few cards to deal")
        self.chips = [chips] * self.players
        self.pot = 0
        self.deals_played = 0
        self.new_deal()

    # -- start of a deal ------------------------------------------------------------------------------------

    def new_deal(self) -> None:
        """HT-2, HT-13: the ante and a fresh deck, or the end of the session."""
        self.inside = [seat for seat in range(self.players) if self.chips[seat] >= 1]  # seats still in
        if self.deals_played == self.deals or len(self.inside) < 2:  # HT-13
            self.phase = "over"
            return
        for seat in self.inside:
            self.pay(seat, 1)
        self.clear_table()
        self.to_deal = [seat for _ in range(self.hand_size) for seat in self.inside]
        self.phase = "deal"

    def clear_table(self) -> None:
        """HT-2: all cards are shuffled for a new deal."""
        self.deck = list(self.all_cards)
        self.discards: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(self.players)]  # of who is out: hidden, for good (HT-10)
        self.rows: list[list[int]] = [[] for _ in range(self.players)]
        self.chosen: dict[int, int] = {}  # secret choices of HT-3, the card still in the hand
        self.compared: dict[int, int] = {}  # the cards compared in HT-4
        self.need: list[int] = []  # seats that still need a tie-break card
        self.picks: list[int] = []  # seats being compared, of which chance may pick one
        self.first = -1
        self.round = 0
        self.waiting: list[int] = []  # seats whose turn is still to come in this round, the player on turn first

    def pay(self, seat: int, amount: int) -> None:
        """HT-13: a payment is capped at the chips the player has."""
        amount = min(amount, self.chips[seat])
        self.chips[seat] -= amount
        self.pot += amount

    def reveal(self) -> None:
        """HT-3: the chosen cards are turned up together and begin the rows."""
        for seat, rank in self.chosen.items():
            self.hands[seat].remove(rank)
            self.rows[seat].append(rank)
        self.compared = dict(self.chosen)
        self.compare()

    def compare(self) -> None:
        """HT-4: the lowest goes first; those tied for lowest get one more card each."""
        low = min(self.compared.values())
        tied = sorted(seat for seat, rank in self.compared.items() if rank == low)
        if len(tied) == 1:
            self.first_known(tied[0])
            return
        self.picks = tied
        self.need = list(tied)
        self.compared = {}
        self.next_tiebreak()

    def next_tiebreak(self) -> None:
        """HT-4: a card for the next of the tied; with no card left chance picks one of all being compared."""
        if not self.need:
            self.compare()
        else:
            self.phase = "tie" if self.deck else "first"

    def tiebreak_card(self, rank: int) -> None:
        """HT-4: a card that pairs a card of its own row is discarded and replaced at once."""
        seat = self.need[0]
        self.deck.remove(rank)
        if rank in self.rows[seat]:
            self.discards.append(rank)
        else:
            self.rows[seat].append(rank)
            self.compared[seat] = rank
            self.need.pop(0)
        self.next_tiebreak()

    def first_known(self, seat: int) -> None:
        """HT-5, and HT-4 for what becomes of the tie-break cards."""
        if self.tiebreak_cards == "discard":
            for row in self.rows:
                self.discards += row[1:]
                del row[1:]
        self.first = seat
        self.new_round()

    # -- rounds ---------------------------------------------------------------------------------------------

    def new_round(self) -> None:
        """HT-6: clockwise through the players still in, from the First Player or the next still in."""
        self.round += 1
        clockwise = [(self.first + step) % self.players for step in range(self.players)]
        self.waiting = [seat for seat in clockwise if seat in self.inside]
        self.phase = "turn"

    def next_turn(self) -> None:
        """HT-12: the last player wins the pot at once; otherwise HT-6."""
        if len(self.inside) == 1:
            self.chips[self.inside[0]] += self.pot
            self.pot = 0
            self.deals_played += 1
            self.new_deal()
            return
        self.waiting.pop(0)
        if self.waiting:
            self.phase = "turn"
        else:
            self.new_round()

    def turn_actions(self, seat: int) -> set[str]:
        """HT-7, HT-11: what the player on turn may do."""
        plays = {f"play {rank}" for rank in self.hands[seat]}
        from_deck = self.round % 2 == 1 or (not plays and self.empty_hand == "draw")
        if from_deck and (self.deck or self.discards):
            return {"take", "fold"}
        return plays | {"fold"}

    def take(self) -> None:
        """HT-7; HT-11: an empty deck is made anew from the discards."""
        if not self.deck:
            self.deck = self.discards
            self.discards = []
        self.phase = "take"

    def onto_row(self, seat: int, rank: int) -> None:
        """HT-8: safe without a pair; with a pair the player pays its rank and is out."""
        paired = rank in self.rows[seat]
        self.rows[seat].append(rank)
        if paired:
            self.go_out(seat, rank)
        self.next_turn()

    def fold(self, seat: int) -> None:
        """HT-9: the lowest card up of all still in (or of the own row) is the price."""
        if self.fold_price == "own":
            price = min(self.rows[seat])
        else:
            price = min(rank for other in self.inside for rank in self.rows[other])
        self.go_out(seat, price)
        self.next_turn()

    def go_out(self, seat: int, price: int) -> None:
        """HT-8, HT-9: pay; HT-10: the row goes to the discards, the hand stays hidden."""
        self.pay(seat, price)
        self.discards += self.rows[seat]
        self.rows[seat] = []
        self.inside.remove(seat)

    # -- the common interface -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def acting(self) -> set[int]:
        if self.phase == "show":
            return {seat for seat in self.inside if seat not in self.chosen}
        return {self.waiting[0]} if self.phase == "turn" else set()

    def chance(self) -> dict[str, int]:
        if self.phase in ("deal", "tie", "take"):
            return card_weights(self.deck)
        return seat_weights(self.picks) if self.phase == "first" else {}

    def happen(self, outcome: str) -> None:
        require(outcome in self.chance(), f"{outcome!r} cannot happen in phase {self.phase}")
        number = number_in(outcome)
        if self.phase == "deal":
            self.dealt(number)
        elif self.phase == "tie":
            self.tiebreak_card(number)
        elif self.phase == "first":  # HT-4
            self.first_known(number)
        else:  # HT-7
            self.deck.remove(number)
            self.onto_row(self.waiting[0], number)

    def dealt(self, rank: int) -> None:
        """HT-2: one card at a time, round the table."""
        self.deck.remove(rank)
        self.hands[self.to_deal.pop(0)].append(rank)
        if not self.to_deal:
            self.phase = "show"

    def legal(self, seat: int) -> set[str]:
        if seat not in self.acting():
            return set()
        if self.phase == "show":  # HT-3
            return {f"show {rank}" for rank in self.hands[seat]}
        return self.turn_actions(seat)

    def apply(self, seat: int, action: str) -> None:
        require(action in self.legal(seat), f"{action!r} of seat {seat} is not legal in phase {self.phase}")
        if action == "take":
            self.take()
        elif action == "fold":
            self.fold(seat)
        elif action.startswith("play"):
            self.hands[seat].remove(number_in(action))
            self.onto_row(seat, number_in(action))
        else:
            self.chosen[seat] = number_in(action)
            if len(self.chosen) == len(self.inside):
                self.reveal()

    def returns(self) -> list[float]:
        """HT-14: chips won or lost."""
        require(self.over, "the session is not over")
        return [float(chips - self.start_chips) for chips in self.chips]
