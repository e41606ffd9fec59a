"""Cursed Hand, read from shared/rules/cursed-hand.md (the ids in the comments)."""

from dataclasses import KW_ONLY, InitVar, dataclass

from tests.reference import card_weights, full_deck, number_in, require, seat_weights

ACE = 1


def is_cursed(ghost: list[int]) -> bool:
    """CH-7: two cards of one rank, or an ace."""
    return ACE in ghost or len(set(ghost)) < len(ghost)


def paired_ranks(ghost: list[int]) -> list[int]:
    """CH-8: the ranks of which one card is taken from a cursed ghost hand; never the ace."""
    others = [rank for rank in ghost if rank != ACE]
    paired = {rank for rank in others if others.count(rank) >= 2}
    if ACE in ghost and others:
        paired.add(max(others))
    return sorted(paired)


@dataclass(eq=False)
class Reference:
    """One match of Cursed Hand.

    Phases: deal, grave, first (chance picks who starts), draw, pair, decide, add, loser (chance picks), over.
    """

    players: int
    _: KW_ONLY
    clean_accept: str = "passer"
    exhaustion: str = "after_ghost"
    tied_losers: str = "all"
    losses: int = 1
    deck: InitVar[list[int] | None] = None
    hand: InitVar[int] = 0

    def __post_init__(self, deck: list[int] | None, hand: int) -> None:
        self.all_cards = full_deck(deck)
        self.hand_size = hand or (6 if self.players == 6 else 7)  # CH-1
        require(self.hand_size >= 1 and self.players * self.hand_size <= len(self.all_cards), "too few cards to deal")
        self.lost = [0] * self.players  # games lost in the match, CH-14
        self.match_losers: list[int] = []
        self.new_game()

    # -- set-up ---------------------------------------------------------------------------------------------

    def new_game(self) -> None:
        """CH-1, CH-14: everything is shuffled and dealt anew."""
        self.deck = list(self.all_cards)
        self.hands: list[list[int]] = [[] for _ in range(self.players)]
        self.graves: list[list[int]] = [[] for _ in range(self.players)]
        self.discards: list[int] = []
        self.ghost: list[int] = []
        self.chosen: dict[int, int] = {}  # secret choices of CH-2, the card still in the hand
        self.picks: list[int] = []  # seats among which chance picks one
        self.to_deal = [seat for _ in range(self.hand_size) for seat in range(self.players)]
        self.turn = -1
        self.phase = "deal"

    def reveal_graves(self) -> None:
        """CH-2: the chosen cards are shown together."""
        for seat, rank in self.chosen.items():
            self.hands[seat].remove(rank)
            self.graves[seat].append(rank)
        self.find_first()

    def find_first(self) -> None:
        """CH-3: the highest rank chosen exactly once, or one of the highest at random."""
        ranks = list(self.chosen.values())
        unique = [rank for rank in ranks if ranks.count(rank) == 1]
        if unique:
            self.start_ghost(next(seat for seat, rank in self.chosen.items() if rank == max(unique)))
        else:
            self.picks = sorted(seat for seat, rank in self.chosen.items() if rank == max(ranks))
            self.phase = "first"

    # -- a ghost hand ---------------------------------------------------------------------------------------

    def left_of(self, seat: int) -> int:
        """CH-5: passing goes to the left, which is clockwise."""
        return (seat + 1) % self.players

    def passer(self) -> int:
        """CH-6: who passed the ghost hand to the player on turn."""
        return (self.turn - 1) % self.players

    def start_ghost(self, seat: int) -> None:
        """CH-5, unless CH-13 ends the game: a new ghost hand would be started now."""
        self.turn = seat
        if not self.deck or not all(self.hands):
            self.end_on_points()
        else:
            self.phase = "draw"

    def put_in_ghost(self, seat: int, ranks: list[int]) -> None:
        """CH-5, CH-9: cards go from the hand into the ghost hand, which is passed on."""
        for rank in ranks:
            self.hands[seat].remove(rank)
            self.ghost.append(rank)
        if self.exhaustion == "at_once" and not self.hands[seat]:  # CH-13
            self.end_on_points()
            return
        self.turn = self.left_of(seat)
        self.phase = "decide"

    def called(self) -> None:
        """CH-8: the passer pays for a curse, the caller for a wrong call."""
        if is_cursed(self.ghost):
            self.penalty(self.passer(), paired_ranks(self.ghost))
        else:
            self.penalty(self.turn, [max(self.ghost)])

    def accepted(self) -> None:
        """CH-9 with cards in hand, CH-10 without."""
        if self.hands[self.turn]:
            self.phase = "add"
        elif is_cursed(self.ghost):
            self.penalty(self.turn, paired_ranks(self.ghost))
        elif self.clean_accept == "passer":
            self.penalty(self.passer(), [max(self.ghost)])
        else:
            self.penalty(self.passer(), [])

    def penalty(self, seat: int, ranks: list[int]) -> None:
        """CH-8, CH-10: cards of the ghost hand into a graveyard; CH-11: the rest is discarded; CH-12 first."""
        for rank in ranks:
            self.ghost.remove(rank)
            self.graves[seat].append(rank)
        self.discards += self.ghost
        self.ghost = []
        if len(set(self.graves[seat])) < len(self.graves[seat]):  # CH-12
            self.end_game([seat])
        else:
            self.start_ghost(self.turn)  # CH-11: who called or accepted

    # -- the end --------------------------------------------------------------------------------------------

    def end_on_points(self) -> None:
        """CH-13: the most points in the graveyard lose."""
        points = [sum(grave) for grave in self.graves]
        losers = [seat for seat in range(self.players) if points[seat] == max(points)]
        if len(losers) > 1 and self.tied_losers == "one_at_random":
            self.picks = losers
            self.phase = "loser"
        else:
            self.end_game(losers)

    def end_game(self, losers: list[int]) -> None:
        """CH-14: count the losses; the match is over when somebody has enough of them."""
        for seat in losers:
            self.lost[seat] += 1
        self.match_losers = [seat for seat in range(self.players) if self.lost[seat] >= self.losses]
        if self.match_losers:
            self.phase = "over"
        else:
            self.new_game()

    # -- the common interface -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def acting(self) -> set[int]:
        if self.phase == "grave":
            return {seat for seat in range(self.players) if seat not in self.chosen}
        return {self.turn} if self.phase in ("pair", "decide", "add") else set()

    def chance(self) -> dict[str, int]:
        if self.phase in ("deal", "draw"):
            return card_weights(self.deck)
        return seat_weights(self.picks) if self.phase in ("first", "loser") else {}

    def happen(self, outcome: str) -> None:
        require(outcome in self.chance(), f"{outcome!r} cannot happen in phase {self.phase}")
        number = number_in(outcome)
        if self.phase == "deal":
            self.dealt(number)
        elif self.phase == "draw":  # CH-5
            self.deck.remove(number)
            self.hands[self.turn].append(number)
            self.phase = "pair"
        elif self.phase == "first":  # CH-3
            self.start_ghost(number)
        else:  # CH-13, tied_losers
            self.end_game([number])

    def dealt(self, rank: int) -> None:
        """CH-1: one card at a time, round the table."""
        self.deck.remove(rank)
        self.hands[self.to_deal.pop(0)].append(rank)
        if not self.to_deal:
            self.phase = "grave"

    def legal(self, seat: int) -> set[str]:
        if seat not in self.acting():
            return set()
        hand = sorted(self.hands[seat])
        if self.phase == "grave":  # CH-2
            return {f"grave {rank}" for rank in hand}
        if self.phase == "pair":  # CH-5
            return {f"pair {low} {high}" for at, low in enumerate(hand) for high in hand[at + 1 :]}
        if self.phase == "add":  # CH-9
            return {f"add {rank}" for rank in hand}
        return {"call", "accept"}  # CH-6

    def apply(self, seat: int, action: str) -> None:
        require(action in self.legal(seat), f"{action!r} of seat {seat} is not legal in phase {self.phase}")
        word, *numbers = action.split()
        ranks = [int(number) for number in numbers]
        if word == "grave":
            self.chosen[seat] = ranks[0]
            if len(self.chosen) == self.players:
                self.reveal_graves()
        elif word in ("pair", "add"):
            self.put_in_ghost(seat, ranks)
        elif word == "call":
            self.called()
        else:
            self.accepted()

    def returns(self) -> list[float]:
        """CH-15: the losers share -1, the others share +1; 0 for all if everybody loses."""
        require(self.over, "the match is not over")
        losers = self.match_losers
        if len(losers) == self.players:
            return [0.0] * self.players
        win = 1 / (self.players - len(losers))
        return [-1 / len(losers) if seat in losers else win for seat in range(self.players)]
