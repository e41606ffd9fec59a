"""Wolf-Man's Curse, read from shared/rules/wolf-mans-curse.md (the ids in the comments)."""

from dataclasses import KW_ONLY, InitVar, dataclass

from tests.reference import require

SUITS = ["c", "s", "h", "d"]  # WC-3; also the order of WC-9, the strongest first
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]  # WC-1: the ace is the lowest, strength 1
FACE_POINTS = {"J": 2, "Q": 3, "K": 4}  # WC-10
JOKER = "joker"
QUEEN = "Qh"
FACES = [f"{rank}{suit}" for suit in SUITS for rank in FACE_POINTS] + [JOKER]
FACE_COPIES = [1] * 12 + [2]  # WC-2, as FACES


def suit_of(card: str) -> str:
    """The suit of a number or a face card; a joker has none."""
    return "" if card == JOKER else card[-1]


def strength_of_rank(card: str) -> int:
    """WC-1: what a number card counts, undoubled."""
    return RANKS.index(card[:-1]) + 1


def is_face(card: str) -> bool:
    """WC-2: a card of the face pile."""
    return card in FACES


@dataclass(eq=False)
class Reference:
    """One game of Wolf-Man's Curse.

    Phases: deal, face (the face card of a night is turned up), choose (night 1), turn (later nights), over.
    """

    players: int
    _: KW_ONLY
    doubling: str = "strength"
    queen_scores: bool = False
    mob_ties: str = "all"
    release: str = "after"
    ranks: InitVar[int] = 10
    faces: InitVar[list[int] | None] = None
    hand: InitVar[int] = 0
    nights: int = 3
    queen_month: int = 2

    def __post_init__(self, ranks: int, faces: list[int] | None, hand: int) -> None:
        self.hand_size = hand or 5  # WC-4
        self.all_cards = [f"{rank}{suit}" for suit in SUITS for rank in RANKS[:ranks]]
        self.all_faces = self.face_cards(faces)
        self.check_sizes()
        self.pile = list(self.all_faces)
        self.laid_aside: list[str] = []  # WC-11
        self.out_of_game: list[str] = []  # faces scored, WC-10
        self.jokers: list[list[str]] = [[] for _ in range(self.players)]  # WC-10
        self.scores = [dict.fromkeys(SUITS, 0) for _ in range(self.players)]
        self.queen_holder = -1
        self.lynched: list[int] = []
        self.hanged: list[int] = []
        self.released: list[int] = []
        self.winners: list[int] = []
        self.month = 0
        self.new_month()

    # -- cards ----------------------------------------------------------------------------------------------

    def face_cards(self, faces: list[int] | None) -> list[str]:
        """WC-2: the face pile, the queen of hearts among it."""
        copies = FACE_COPIES if faces is None else list(faces)
        cards = [face for face, number in zip(FACES, copies, strict=True) for _ in range(number)]
        require(QUEEN in cards, "faces without the queen of hearts")
        return cards

    def check_sizes(self) -> None:
        """WC-4: the cards suffice for every deal and for every night before the queen of hearts may end the game."""
        require(self.players * self.hand_size <= len(self.all_cards), "too few cards to deal")
        require(self.nights <= self.hand_size, "too few cards for so many nights")
        quiet_nights = self.nights * (self.queen_month - 1)
        require(quiet_nights <= len(self.all_faces) - 1, "too few cards in the face pile")

    # -- a month --------------------------------------------------------------------------------------------

    def new_month(self) -> None:
        """WC-4, WC-10: all number cards are shuffled and dealt."""
        self.month += 1
        self.night = 0
        self.deck = list(self.all_cards)
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.captured: list[list[tuple[str, str]]] = [[] for _ in range(self.players)]  # card, face of its night
        self.table: list[tuple[int, str]] = []  # who played what this night
        self.chosen: dict[int, str] = {}  # secret choices of WC-7, the card still in the hand
        self.waiting: list[int] = []  # seats still to play this night, the player on turn first
        self.face = ""
        self.to_deal = [seat for _ in range(self.hand_size) for seat in range(self.players)]
        self.phase = "deal"

    def dealt(self, card: str) -> None:
        """WC-4: one card at a time, round the table."""
        self.deck.remove(card)
        self.hands[self.to_deal.pop(0)].append(card)
        if not self.to_deal:
            self.new_night(0)

    def new_night(self, first: int) -> None:
        """WC-5: a face card is turned up; WC-8: who begins, of no meaning in night 1."""
        self.night += 1
        self.waiting = [(first + step) % self.players for step in range(self.players)]
        self.phase = "face"

    def face_turned(self, face: str) -> None:
        """WC-5, WC-11, WC-12."""
        self.pile.remove(face)
        if face == QUEEN and self.month < self.queen_month:
            self.laid_aside.append(face)  # another face card is turned up instead
            return
        self.pile += self.laid_aside  # WC-11: she is shuffled back
        self.laid_aside = []
        self.face = face
        self.phase = "choose" if self.night == 1 else "turn"

    def choose(self, seat: int, card: str) -> None:
        """WC-7: hidden until all have chosen, then revealed together."""
        self.chosen[seat] = card
        if len(self.chosen) == self.players:
            for each, chosen in sorted(self.chosen.items()):
                self.hands[each].remove(chosen)
                self.table.append((each, chosen))
            self.chosen = {}
            self.waiting = []
            self.end_night()

    def play(self, seat: int, card: str) -> None:
        """WC-8: face up, in turn."""
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        self.waiting.pop(0)
        if not self.waiting:
            self.end_night()

    def strength(self, card: str) -> int:
        """WC-5, WC-6."""
        doubled = self.doubling in ("strength", "both") and suit_of(card) == suit_of(self.face)
        return strength_of_rank(card) * (2 if doubled else 1)

    def strongest(self) -> int:
        """WC-9: the seat that played the strongest card; of equal ones the suit decides."""
        most = max(self.strength(card) for _, card in self.table)
        equal = [(seat, card) for seat, card in self.table if self.strength(card) == most]
        return min(equal, key=lambda played: SUITS.index(suit_of(played[1])))[0]

    def end_night(self) -> None:
        """WC-9: all cards of the night, the face card too; WC-12: the queen's night is the last."""
        winner = self.strongest()
        self.captured[winner] += [(card, self.face) for _, card in self.table]
        self.captured[winner].append((self.face, self.face))
        queen_came = self.face == QUEEN
        self.table = []
        self.face = ""
        if queen_came or self.night == self.nights:
            self.end_month()
        else:
            self.new_night((winner + 1) % self.players)

    # -- a month's end --------------------------------------------------------------------------------------

    def points(self, card: str, face: str) -> int:
        """WC-6, WC-10, WC-12: what a captured card scores, with the face card of its night."""
        if card == QUEEN and not self.queen_scores:
            return 0
        if is_face(card):
            return FACE_POINTS[card[0]]
        doubled = self.doubling in ("points", "both") and suit_of(card) == suit_of(face)
        return 2 if doubled else 1

    def end_month(self) -> None:
        """WC-10: scores; WC-12: with the queen of hearts captured the game ends."""
        for seat in range(self.players):
            for card, face in self.captured[seat]:
                self.score(seat, card, face)
        if self.queen_holder >= 0:
            self.captured = [[] for _ in range(self.players)]
            self.hands = [[] for _ in range(self.players)]
            self.deck = list(self.all_cards)
            self.judge()
        else:
            self.new_month()

    def score(self, seat: int, card: str, face: str) -> None:
        """WC-10."""
        if card == JOKER:
            self.jokers[seat].append(card)
            return
        self.scores[seat][suit_of(card)] += self.points(card, face)
        if is_face(card):
            self.out_of_game.append(card)
        if card == QUEEN:
            self.queen_holder = seat

    # -- the end --------------------------------------------------------------------------------------------

    def judge(self) -> None:
        """WC-13 to WC-17, in this order, but for release = before."""
        left = list(range(self.players))
        self.released = [seat for seat in left if seat == self.queen_holder and self.jokers[seat]]
        if self.release == "before":
            left = [seat for seat in left if seat not in self.released]
        self.lynched = self.mob(left)
        left = [seat for seat in left if seat not in self.lynched]
        self.hanged = self.scotland_yard(left)
        left = [seat for seat in left if seat not in self.hanged]
        left = [seat for seat in left if seat not in self.released]  # WC-17: who survives can't win
        self.survivors(left)

    def with_most(self, suit: str, seats: list[int]) -> list[int]:
        """Those of the seats with the most points in a column, nobody on zero."""
        most = max(self.scores[seat][suit] for seat in seats)
        return [seat for seat in seats if self.scores[seat][suit] == most and most > 0]

    def mob(self, seats: list[int]) -> list[int]:
        """WC-13."""
        suspects = self.with_most("c", seats)
        if suspects == seats:
            return []
        if self.mob_ties == "none" and len(suspects) > 1:
            return []
        return suspects

    def scotland_yard(self, seats: list[int]) -> list[int]:
        """WC-14."""
        return [seat for seat in self.with_most("s", seats) if self.scores[seat]["h"] >= 1]

    def survivors(self, seats: list[int]) -> None:
        """WC-15, WC-16, and WC-17 for nobody left."""
        innocent = [seat for seat in seats if self.scores[seat]["h"] == 0]
        self.winners = self.richest(innocent or seats) if seats else []
        self.phase = "over"

    def richest(self, seats: list[int]) -> list[int]:
        """WC-15, WC-16: the most diamond points, zero too; a tie is shared."""
        most = max(self.scores[seat]["d"] for seat in seats)
        return [seat for seat in seats if self.scores[seat]["d"] == most]

    # -- the common interface -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def acting(self) -> set[int]:
        if self.phase == "choose":
            return {seat for seat in range(self.players) if seat not in self.chosen}
        return {self.waiting[0]} if self.phase == "turn" else set()

    def chance(self) -> dict[str, int]:
        if self.phase == "deal":
            return {f"card {card}": 1 for card in self.deck}
        if self.phase == "face":
            return {f"face {face}": self.pile.count(face) for face in self.pile}
        return {}

    def happen(self, outcome: str) -> None:
        require(outcome in self.chance(), f"{outcome!r} cannot happen in phase {self.phase}")
        card = outcome.split()[1]
        if self.phase == "deal":
            self.dealt(card)
        else:
            self.face_turned(card)

    def legal(self, seat: int) -> set[str]:
        if seat not in self.acting():
            return set()
        return {f"play {card}" for card in self.hands[seat]}  # WC-7, WC-8: any card

    def apply(self, seat: int, action: str) -> None:
        require(action in self.legal(seat), f"{action!r} of seat {seat} is not legal in phase {self.phase}")
        card = action.split()[1]
        if self.phase == "choose":
            self.choose(seat, card)
        else:
            self.play(seat, card)

    def returns(self) -> list[float]:
        """WC-18: winners share 1; without a winner all get 0."""
        require(self.over, "the game is not over")
        return [1 / len(self.winners) if seat in self.winners else 0.0 for seat in range(self.players)]
