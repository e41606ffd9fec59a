"""Games played on from a whole position, secrets included, all seats by a policy: what hints are measured against.

Plain functions, interpreted or compiled by `engine.backends`; policies and workspaces are those of `rollout`.
"""

from hexdeck.bots.search.rollout import NEVER, ROOT, TRIAL, WORKSPACE, play_on
from hexdeck.engine.backends.kernels import begin, draw_chance, lowest
from hexdeck.engine.contract import apply_action, copy_row, legal_actions, returns, struct
from hexdeck.engine.random import rewind

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

    Returns how many were made.
    """
    begin(g, rows)
    copy_row(rows, TRIAL, ROOT)
    s = struct(g, rows, TRIAL)
    rewind(dice, number)
    choices = play_on(g, rows, s, policy, workspace, actions, weights, cards, dice, number, most, NEVER)
    while not s.over:  # up to the next choice
        if s.acting == 0:
            draw_chance(g, s, weights, cards, number)
        elif legal_actions(g, s, lowest(s.acting), actions) == 1:
            apply_action(g, s, lowest(s.acting), actions[0])
        else:
            break
    copy_row(rows, ROOT, TRIAL)
    return choices


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
            returns(g, s, utilities)
            outcomes[game, k] = utilities[seat]
