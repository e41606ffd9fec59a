"""The base of environments that play one match at a time: spaces, render modes, copies."""

from __future__ import annotations

import copy
from math import isfinite
from numbers import Real
from typing import Any, Self, cast

import numpy as np
from gymnasium import spaces

from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.study import Bounds
