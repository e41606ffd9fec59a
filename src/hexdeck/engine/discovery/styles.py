"""Ways of playing a game that have names, each written in one line; `engine/play/probe_lines.py` says how."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.discovery.manner import Manner
from hexdeck.engine.discovery.probe import ReadyProbe


@dataclass(frozen=True)
class Styles:
    """`probes`: what a designer would try; `manners`: what bots can be given; `easy_errors`: habits of the easy bot."""

    probes: tuple[ReadyProbe, ...] = ()
    manners: tuple[Manner, ...] = ()
    easy_errors: tuple[ReadyProbe, ...] = ()
