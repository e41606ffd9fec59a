"""What every game promises, tried on this one."""

from pathlib import Path

import pytest

from hexdeck import testing

testing.look_in(Path(__file__).parent)


@pytest.mark.parametrize("check", testing.CHECKS)
def test_the_game(check):
    """Each promise in turn."""
    testing.run(check, "goofspiel")
