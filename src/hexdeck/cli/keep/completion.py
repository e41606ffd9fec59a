"""`hexdeck completion SHELL`: the script with which a shell completes `hexdeck` commands."""

from __future__ import annotations

import argparse
from typing import Any

from hexdeck.engine.text import Catalogue, say

ABOUT = say("print a completion script for bash, zsh or fish")
EXAMPLES = (
    "hexdeck completion bash > ~/.local/share/bash-completion/completions/hexdeck",
    "hexdeck completion zsh > ~/.zfunc/_hexdeck  # fpath+=~/.zfunc before compinit",
    "hexdeck completion fish > ~/.config/fish/completions/hexdeck.fish",
)
SHELLS = "bash", "zsh", "fish"


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck completion SHELL`."""
    about = say("your shell: bash, zsh or fish; the examples say where it looks for the script")
    parser.add_argument("shell", choices=SHELLS, metavar=t(say("SHELL")), help=t(about))


def run(arguments: argparse.Namespace, _words: Catalogue) -> int:
    """Print the script."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["hexdeck"], shell=arguments.shell))
    return 0
