"""Games played on from a whole position, secrets included, all seats by a policy: what hints are measured against.

Plain functions, interpreted or compiled by `engine.backends`; policies and workspaces are those of `rollout`.
"""

from hexdeck.bots.search.rollout import NEVER, ROOT, TRIAL, VIEW, WORKSPACE, play_on, policy_action, utility_of
from hexdeck.engine.backends.kernels import RANDOM, begin, draw_chance, lowest
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, struct
from hexdeck.engine.random import below, rewind

ENTRIES = ("play_to", "play_out_actions")  # what Python calls
TYPES = {
    "cards": "int64[::1]",
    "dice": "int64[::1]",
    "tried": "int64[::1]",
    "utilities": "float64[::1]",
    "outcomes": "float64[:, ::1]",
    "workspace": WORKSPACE,
}


def play_to(g, rows, policy, workspace, actions, weights, cards, dice, number, most):
    """Play match `number` from its start, in row ROOT, until `most` choices were made and a seat has another.

    Only decisions with two legal actions or more are choices. Returns how many were made.
    """
    begin(g, rows)
    s, made = struct(g, rows, ROOT), 0
    rewind(dice, number)
    while not s.over:
        if s.acting == 0:
            draw_chance(g, s, weights, cards, number)
            continue
        seat = lowest(s.acting)
        count = legal_actions(g, s, seat, actions)
        if count == 1:
            apply_action(g, s, seat, actions[0])
            continue
        if made == most:
            break
        made += 1
        if policy == RANDOM:
            apply_action(g, s, seat, actions[below(dice, count)])
        else:
            copy_row(rows, VIEW, ROOT)
            conceal(g, struct(g, rows, VIEW), seat)
            apply_action(g, s, seat, policy_action(g, rows, seat, policy, workspace, actions, count, dice))
    return made


def play_out_actions(
    g, rows, seat, policy, workspace, actions, weights, cards, dice, tried, utilities, outcomes, first, horizon
):
    """Play the whole position in row ROOT out after each action of `tried`, once for each row of `outcomes`.

    `outcomes` float64 (games, actions): the utilities of the seat. All actions meet the same cards and dice: those
    of the games numbered from `first` on.
    """
    for game in range(outcomes.shape[0]):
        for k in range(tried.shape[0]):
            copy_row(rows, TRIAL, ROOT)
            rewind(dice, first + game)
            s = struct(g, rows, TRIAL)
            apply_action(g, s, seat, tried[k])
            play_on(g, rows, s, policy, workspace, actions, weights, cards, dice, first + game, horizon, NEVER)
            outcomes[game, k] = utility_of(g, s, seat, utilities)
