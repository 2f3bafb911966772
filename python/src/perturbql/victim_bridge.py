"""The program that a command starts as its victim: it carries lines to the Python process that started the command."""

from __future__ import annotations

import os
import sys
import threading
from multiprocessing.connection import Client, Connection
from typing import Any

from perturbql.victim import ADDRESS


def _print_answers(connection: Connection[Any, Any]) -> None:
    try:
        while True:
            sys.stdout.buffer.write(connection.recv_bytes() + b"\n")
            sys.stdout.buffer.flush()
    except (EOFError, OSError):
        # The process that answers is gone, so nothing is left to do.
        os._exit(0)


def main() -> None:
    """Carry questions from standard input, and answers to standard output, until either ends."""
    key, address = os.environ[ADDRESS].split(" ", 1)
    connection = Client(address, authkey=bytes.fromhex(key))
    threading.Thread(target=_print_answers, args=(connection,), daemon=True).start()
    for line in sys.stdin.buffer:
        connection.send_bytes(line.rstrip(b"\n"))


if __name__ == "__main__":
    main()
