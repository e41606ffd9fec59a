"""Black Hearts, read from shared/rules/black-hearts.md (the ids in the comments)."""

from itertools import combinations

from tests.reference import require

GIFTS = ["upside-down", "early-bird", "little-one", "second", "mercy"]
GIFT_COPIES = [2, 1, 1, 1, 1]  # BH-7, as GIFTS
CURSE_NUMBERS = [1, 2, 3, 4, 5, 6]  # BH-1
CURSE_POINTS = [1, 1, 2, 2, 3, 4]  # BH-2
FIXED_NUMBERS = [1, 2, 3, 4, 5, 6]  # BH-1
RANDOM_COPIES = [3, 3, 3, 3, 3, 3]  # BH-1, of the numbers 1 to 6
ORDER = [f"{colour}-{position}" for colour in ("curse", "fixed", "random") for position in range(1, 7)]
CURSED = 13  # BH-12


def is_random(card: str) -> bool:
    """BH-1: a white card."""
    return card.startswith("random")


def latest(numbers: list[int], number: int) -> int:
    """The last place at which a number stands."""
    return max(place for place, each in enumerate(numbers) if each == number)


def second_strongest(numbers: list[int]) -> int:
    """BH-7, Second to the crown: by number, of equal ones the later played the stronger; the second's place."""
    places = sorted(range(len(numbers)), key=lambda place: (numbers[place], place), reverse=True)
    return places[1]


def winning_place(numbers: list[int], gift: str, reversed_ties: str) -> int:
    """BH-9, BH-7: which of a trick's numbers, in the order they were played, wins it."""
    if gift == "second":
        return second_strongest(numbers)
    if gift == "little-one" and 6 in numbers and 1 in numbers:
        return latest(numbers, 1)
    if gift == "early-bird":
        return numbers.index(max(numbers))
    if gift == "upside-down" and reversed_ties == "earliest":
        return numbers.index(min(numbers))
    if gift == "upside-down":
        return latest(numbers, min(numbers))
    return latest(numbers, max(numbers))


class Reference:
    """One game of Black Hearts.

    Phases: deal, pass, gift, play, over.
    """

    def __init__(
        self,
        players: int,
        *,
        gifts: bool = True,
        reversed_ties: str = "latest",
        curse_numbers: list[int] | None = None,
        curse_points: list[int] | None = None,
        fixed_numbers: list[int] | None = None,
        two_oclock: int = 2,
        random_copies: list[int] | None = None,
        gift_copies: list[int] | None = None,
        hand: int = 0,
    ) -> None:
        self.players = players
        self.reversed_ties = reversed_ties
        self.hand_size = hand or 5  # BH-5
        self.curse_numbers = CURSE_NUMBERS if curse_numbers is None else list(curse_numbers)
        self.curse_points = CURSE_POINTS if curse_points is None else list(curse_points)
        self.fixed_numbers = FIXED_NUMBERS if fixed_numbers is None else list(fixed_numbers)
        self.random_copies = RANDOM_COPIES if random_copies is None else list(random_copies)
        self.two_oclock = f"fixed-{two_oclock}"  # BH-3
        self.check_tables(two_oclock)
        self.all_cards = self.round_cards()
        copies = GIFT_COPIES if gift_copies is None else list(gift_copies)
        if not gifts:  # BH-6
            copies = [0, 0, 0, 0, 0]
        self.all_gifts = [kind for kind, number in zip(GIFTS, copies, strict=True) for _ in range(number)]
        self.unused_gifts = list(self.all_gifts)
        self.used_gifts: list[str] = []
        self.totals = [0] * players
        self.winners: list[int] = []
        self.cursed: list[int] = []
        self.new_round()

    # -- cards ----------------------------------------------------------------------------------------------

    def check_tables(self, two_oclock: int) -> None:
        """BH-1, BH-2, BH-3, BH-13: what an owner of the cards may edit."""
        require(sum(self.curse_points) >= 1, "curse_points")
        require(len(self.curse_points) == len(self.curse_numbers), "too few cards, or too many, for these points")
        require(two_oclock <= len(self.fixed_numbers), "too few cards: no such Fixed card")

    def round_cards(self) -> list[str]:
        """BH-4: the cards a round is dealt from; the Random cards are more than are needed, or as many."""
        curses = [f"curse-{position}" for position in range(1, len(self.curse_numbers) + 1)]
        fixed = [f"fixed-{position}" for position in range(1, len(self.fixed_numbers) + 1)]
        if self.players == 3:
            fixed = [self.two_oclock]
        randoms = [f"random-{number}" for number in range(1, 7) for _ in range(self.random_copies[number - 1])]
        needed = self.players * self.hand_size - len(curses) - len(fixed)
        require(0 <= needed <= len(randoms), "too few cards, or too many, to deal so many to each")
        return curses + fixed + randoms

    def number(self, card: str) -> int:
        """BH-1: the number printed on a card."""
        colour, position = card.split("-")
        if colour == "random":
            return int(position)
        numbers = self.curse_numbers if colour == "curse" else self.fixed_numbers
        return numbers[int(position) - 1]

    def points(self, card: str) -> int:
        """BH-2: the curse points of a card."""
        colour, position = card.split("-")
        return self.curse_points[int(position) - 1] if colour == "curse" else 0

    # -- start of a round -----------------------------------------------------------------------------------

    def new_round(self) -> None:
        """BH-4, BH-5: everything is shuffled, the Random cards are drawn anew."""
        self.deck = list(self.all_cards)
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.captured: list[list[str]] = [[] for _ in range(self.players)]
        self.trick: list[tuple[int, str]] = []  # who played what, in order
        self.passing: dict[int, list[str]] = {}  # the secret choices of BH-5, the cards still in the hand
        self.gift = ""
        self.waiting: list[int] = []  # seats still to play to this trick, the player on turn first
        self.to_deal = [seat for _ in range(self.hand_size) for seat in range(self.players)]
        self.phase = "deal"

    def deal_weights(self) -> dict[str, int]:
        """BH-4: as if the Random cards of the round were drawn first, and the cards then shuffled."""
        certain = [card for card in self.deck if not is_random(card)]
        randoms = [card for card in self.deck if is_random(card)]
        still_to_come = len(self.to_deal) - len(certain)  # Random cards still to be dealt
        weights = dict.fromkeys(certain, max(len(randoms), 1))
        weights |= {card: randoms.count(card) * still_to_come for card in randoms}
        return {f"card {card}": weight for card, weight in weights.items() if weight > 0}

    def dealt(self, card: str) -> None:
        """BH-5: one card at a time, round the table."""
        self.deck.remove(card)
        self.hands[self.to_deal.pop(0)].append(card)
        if not self.to_deal:
            self.phase = "pass"

    def choose_pass(self, seat: int, cards: list[str]) -> None:
        """BH-5, BH-16: nothing moves before all have chosen."""
        self.passing[seat] = cards
        if len(self.passing) == self.players:
            self.pass_cards()

    def pass_cards(self) -> None:
        """BH-5: to the left; BH-6: then a Gift card, if one is left."""
        for seat, cards in self.passing.items():
            for card in cards:
                self.hands[seat].remove(card)
                self.hands[(seat + 1) % self.players].append(card)
        self.passing = {}
        if self.unused_gifts:
            self.phase = "gift"
        else:
            self.first_trick()

    def gift_turned(self, kind: str) -> None:
        """BH-6: it holds for this round and never comes again."""
        self.unused_gifts.remove(kind)
        self.used_gifts.append(kind)
        self.gift = kind
        self.first_trick()

    # -- tricks ---------------------------------------------------------------------------------------------

    def first_trick(self) -> None:
        """BH-8: the holder of Two o'clock leads."""
        holder = next(seat for seat in range(self.players) if self.two_oclock in self.hands[seat])
        self.new_trick(holder)

    def new_trick(self, leader: int) -> None:
        """BH-8: clockwise from the leader."""
        self.trick = []
        self.waiting = [(leader + step) % self.players for step in range(self.players)]
        self.phase = "play"

    def playable(self, seat: int) -> list[str]:
        """BH-8: any card, but the first lead must be Two o'clock."""
        if self.two_oclock in self.hands[seat] and self.is_first_lead():
            return [self.two_oclock]
        return self.hands[seat]

    def is_first_lead(self) -> bool:
        """Whether no card was played yet in this round."""
        return not self.trick and not any(self.captured)

    def play(self, seat: int, card: str) -> None:
        """BH-8."""
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.waiting.pop(0)
        if not self.waiting:
            self.end_trick()

    def end_trick(self) -> None:
        """BH-9: the winner takes all cards; BH-8: and leads the next trick."""
        numbers = [self.number(card) for _, card in self.trick]
        winner = self.trick[winning_place(numbers, self.gift, self.reversed_ties)][0]
        self.captured[winner] += [card for _, card in self.trick]
        self.trick = []
        if self.hands[winner]:
            self.new_trick(winner)
        else:
            self.end_round()

    # -- scoring --------------------------------------------------------------------------------------------

    def round_points(self, seat: int) -> int:
        """BH-10; BH-7, Mercy: without the captured Curse card worth most."""
        points = [self.points(card) for card in self.captured[seat]]
        if self.gift == "mercy":
            return sum(points) - max(points, default=0)
        return sum(points)

    def captured_curses(self, seat: int) -> int:
        """How many Curse cards a player captured in this round."""
        return sum(card.startswith("curse") for card in self.captured[seat])

    def end_round(self) -> None:
        """BH-10 to BH-13."""
        for seat in range(self.players):
            self.totals[seat] += self.round_points(seat)
        victors = [seat for seat in range(self.players) if self.captured_curses(seat) == len(self.curse_numbers)]
        if victors:  # BH-11
            self.winners = victors
            self.phase = "over"
        elif max(self.totals) >= CURSED:
            self.lowest_total_wins()
        else:
            self.new_round()

    def lowest_total_wins(self) -> None:
        """BH-12."""
        for seat, total in enumerate(self.totals):
            if total == min(self.totals):
                self.winners.append(seat)
            elif total >= CURSED:
                self.cursed.append(seat)
        self.phase = "over"

    # -- the common interface -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def acting(self) -> set[int]:
        if self.phase == "pass":
            return {seat for seat in range(self.players) if seat not in self.passing}
        return {self.waiting[0]} if self.phase == "play" else set()

    def chance(self) -> dict[str, int]:
        if self.phase == "deal":
            return self.deal_weights()
        if self.phase == "gift":  # BH-6
            return {f"gift {kind}": self.unused_gifts.count(kind) for kind in self.unused_gifts}
        return {}

    def happen(self, outcome: str) -> None:
        require(outcome in self.chance(), f"{outcome!r} cannot happen in phase {self.phase}")
        name = outcome.split()[1]
        if self.phase == "deal":
            self.dealt(name)
        else:
            self.gift_turned(name)

    def legal(self, seat: int) -> set[str]:
        if seat not in self.acting():
            return set()
        if self.phase == "pass":  # BH-5
            in_order = sorted(self.hands[seat], key=ORDER.index)
            return {f"pass {first} {second}" for first, second in combinations(in_order, 2)}
        return {f"play {card}" for card in self.playable(seat)}

    def apply(self, seat: int, action: str) -> None:
        require(action in self.legal(seat), f"{action!r} of seat {seat} is not legal in phase {self.phase}")
        verb, *cards = action.split()
        if verb == "pass":
            self.choose_pass(seat, cards)
        else:
            self.play(seat, cards[0])

    def returns(self) -> list[float]:
        """BH-14: winners share 1."""
        require(self.over, "the game is not over")
        share = 1 / len(self.winners)
        return [share if seat in self.winners else 0.0 for seat in range(self.players)]
