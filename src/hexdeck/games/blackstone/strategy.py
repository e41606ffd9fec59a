def choose(s, seat, actions, count, rng):
    return actions[0]
