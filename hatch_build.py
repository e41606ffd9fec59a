"""Puts machine code into a wheel, where the folder with it is named by `HEXDECK_LIBRARIES`; else the wheel has none."""

import os
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INTO = "hexdeck/engine/backends/libraries"


class Libraries(BuildHookInterface):  # type: ignore[misc]
    """`make wheel` names the folder; `pip install .` doesn't, and compiles nothing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the libraries, and say for which platform the wheel is."""
        folder = os.environ.get("HEXDECK_LIBRARIES")
        if not folder or version == "editable":
            return
        build_data["force_include"] |= {str(file): f"{INTO}/{file.name}" for file in Path(folder).resolve().iterdir()}
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
