"""The policy of a net in the whole tree of a small game, so that it can be said exactly what it gives away."""

from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.players.kinds import NetBot
from hexdeck.engine.play.game import raw
from hexdeck.research.exact import GameTree, Policy
from hexdeck.simulation.game import Game


def policy_of(net: Net, game: Game, tree: GameTree) -> Policy:
    """The probabilities that a net gives the choices of each information set."""
    bot = NetBot(game, 0, "fast", 1.0, net)
    found: dict[tuple[int, int], dict[int, float]] = {}
    waiting, met = [game.match(by_hand=True, backend="fast")], set()
    while waiting:
        match = waiting.pop()
        if match.over or (state := raw(match.rows)[0].tobytes()) in met:
            continue
        met.add(state)
        if match.acting:
            seat = match.acting[0]
            bot.choose(match.concealed(seat), seat)
            found[seat, match.key(seat)] = dict(zip(*bot.last_probabilities(), strict=True))
        for each in match.legal_ids(seat) if match.acting else match.chances():
            waiting.append(match.copy_position())
            if match.acting:
                waiting[-1].play(seat, each)
            else:
                waiting[-1].deal(each)
    return tree.policy(lambda seat, key, actions: [found[seat, key][each] for each in actions])
