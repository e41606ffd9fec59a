"""`hexdeck mcp`: matches as tools for a language model, over standard input and output."""

from __future__ import annotations

import argparse
from typing import Any

from hexdeck.cli.help_pages import default
from hexdeck.cli.parser import check_range, needs
from hexdeck.engine.text import Catalogue, say

ABOUT = say("let a language model play, through an MCP server over standard input and output")
EXAMPLES = "hexdeck mcp", "hexdeck mcp --matches 1 --seed 7"
MATCHES, MOST_MATCHES = 20, 1000


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck mcp [--matches N] [--seed N]`."""
    parser.add_argument(
        "--matches", type=int, default=MATCHES, metavar="N",
        help=t(default(say("number of matches at a time, at most"), MATCHES)),
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=int, metavar="N",
        help=t(say("random seed: the same seed deals the same cards, match by match (default: a secret one)")),
    )  # fmt: skip


def run(arguments: argparse.Namespace, _words: Catalogue) -> int:
    """Serve until the input ends."""
    check_range("matches", arguments.matches, 1, MOST_MATCHES)
    needs("mcp", "mcp", "pydantic")
    from hexdeck.envs.matches import Matches
    from hexdeck.envs.mcp_server import serve

    serve(Matches(arguments.seed, arguments.matches))
    return 0
