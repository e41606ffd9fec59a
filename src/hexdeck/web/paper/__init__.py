"""Games on paper: rules, cards, boards and score sheets as PDF. The extra `print` brings the library for it."""

import functools
from importlib.util import find_spec


@functools.cache
def is_possible() -> bool:
    """Whether PDFs can be made here."""
    return find_spec("fpdf") is not None
