"""Marks the wheel as one for the platform whose JavaScript `stage_javascript.py` has put into it."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Sets the wheel's tag; an editable install needs no JavaScript, it uses the checkout's."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Read the platform that was staged, or refuse to build a wheel that could do nothing."""
        if version == "editable":
            return
        platform = Path(self.root, "src/perturbql/_javascript/PLATFORM")
        if not platform.is_file():
            raise FileNotFoundError("no JavaScript is staged: run `python stage_javascript.py` first")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform.read_text('utf-8').strip()}"
