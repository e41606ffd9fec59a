"""The checks that every game must pass, run on this one."""

from pathlib import Path

import pytest

from hexdeck import testing

testing.look_in(Path(__file__).parent)


@pytest.mark.parametrize("check", testing.CHECKS)
def test_the_game(check):
    """Run one check."""
    testing.run(check, "goofspiel")
