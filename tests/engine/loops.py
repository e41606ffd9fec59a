"""Loops of the tests, to be compiled by each backend as the generic kernels are."""

from hexdeck.engine.backends.kernels import play_out, sample_chance
from hexdeck.engine.contract import clear_hidden_choices, struct
from hexdeck.engine.layout import M63, mix
from hexdeck.engine.random import below, chance_draw, next_word


def words(rng, out):
    for k in range(out.shape[0]):
        out[k] = next_word(rng)


def numbers(rng, n, out):
    for k in range(out.shape[0]):
        out[k] = below(rng, n)


def draws(rng, match, plan, out):
    for k in range(out.shape[0]):
        out[k] = chance_draw(rng, match, plan[k, 0], plan[k, 1], plan[k, 2])


def hash_of_two(h, out):
    out[0] = mix(mix(h, 1), 2)


def sum_of_two(x, out):
    out[0] = ((x & M63) + (x & M63)) & M63


def difference_of_two(x, out):
    out[0] = ((x & M63) - ~(x & M63)) & M63


def read(array, k):
    return array[k]


def hasten_row(g, rows, row, weights, rng):
    sample_chance(g, struct(g, rows, row), weights, rng)


def play_out_row(g, rows, row, weights, actions, rng):
    play_out(g, struct(g, rows, row), weights, actions, rng)


def recall_row(g, rows, row, seat):
    clear_hidden_choices(g, struct(g, rows, row), seat)
