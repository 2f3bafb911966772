"""The command line, `python -m perturbql`: the same program as npm's, with the Node that is found."""

from __future__ import annotations

import os
import subprocess
import sys

from perturbql.errors import PerturbqlError
from perturbql.runtime import find_node, program


def main() -> None:
    """Become the program; its exit code is this process's."""
    try:
        words = [find_node(), str(program()), *sys.argv[1:]]
    except PerturbqlError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
    if sys.platform == "win32":
        sys.exit(subprocess.run(words).returncode)
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
