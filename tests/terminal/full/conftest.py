"""The full screen is tested where its library is."""

import pytest

pytest.importorskip("textual")
