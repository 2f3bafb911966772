"""Runs commands of perturbql and reads what they say."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from perturbql.errors import error_of
from perturbql.runtime import find_node, program

#: A value of an option: a list gives it several times, True sets a flag, None and False leave it out.
Option: TypeAlias = "str | int | float | bool | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None"

#: Seconds that an interrupted command has to write what it holds.
GRACE = 10.0


@dataclass(frozen=True)
class Progress:
    """How far a step has come."""

    step: str
    done: int
    total: int
    message: str


OnProgress: TypeAlias = Callable[[Progress], None]


def option_words(options: Mapping[str, Option]) -> list[str]:
    """Flags of the command line: `float_tolerance=0.1` is `--float-tolerance 0.1`."""
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.rstrip('_').replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, str | int | float | os.PathLike):
            words += [flag, _text(value)]
        else:
            for item in value:
                words += [flag, _text(item)]
    return words


def _text(value: str | float | os.PathLike[str]) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


class _Errors(threading.Thread):
    """Reads standard error: progress goes on, all else is kept."""

    def __init__(self, stream: IO[str], on_progress: OnProgress | None) -> None:
        super().__init__(daemon=True)
        self.lines: list[str] = []
        self._stream = stream
        self._on_progress = on_progress

    def run(self) -> None:
        for line in self._stream:
            if not self._is_event(line):
                self.lines.append(line.rstrip("\n"))

    def _is_event(self, line: str) -> bool:
        try:
            event = json.loads(line)
        except ValueError:
            return False
        if not isinstance(event, dict) or "event" not in event:
            return False
        if self._on_progress is not None and event["event"] == "progress":
            self._on_progress(Progress(event["step"], event["done"], event["total"], event["message"]))
        return True


class Command:
    """One command that runs in a process of its own."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        on_progress: OnProgress | None = None,
        environment: Mapping[str, str] | None = None,
        takes_input: bool = False,
    ) -> None:
        """Start it. Its group is its own, so that Ctrl+C reaches it once, through `interrupt`."""
        own_group: dict[str, Any] = {"creationflags": 0x200} if sys.platform == "win32" else {"start_new_session": True}
        self._process = subprocess.Popen(
            [find_node(), str(program()), *words, "--progress", "json"],
            stdin=subprocess.PIPE if takes_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, **(environment or {})},
            **own_group,
        )
        assert self._process.stderr is not None
        self._errors = _Errors(self._process.stderr, on_progress)
        self._errors.start()

    @property
    def input(self) -> IO[str]:
        """Its standard input, where it takes one."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def output(self) -> IO[str]:
        """Its standard output."""
        assert self._process.stdout is not None
        return self._process.stdout

    def interrupt(self) -> None:
        """Ask it to stop, as Ctrl+C in a terminal does; what is finished is kept."""
        if self._process.poll() is None:
            self._process.send_signal(
                signal.SIGINT if sys.platform != "win32" else signal.CTRL_BREAK_EVENT  # type: ignore[attr-defined,unused-ignore]
            )

    def result(self) -> str:
        """Wait for it and return what it wrote to standard output.

        Raises PerturbqlError with cause and fix, ChecksFailedError where a check failed, PerturbqlFault for a fault of
        perturbql. On KeyboardInterrupt it is stopped first.
        """
        try:
            output = self._wait()
        except BaseException:
            self.stop()
            raise
        self._errors.join()
        if self._process.returncode != 0:
            raise error_of(self._process.returncode, self._errors.lines)
        return output

    def end(self, grace: float) -> None:
        """Give it so many seconds to end by itself, then stop it."""
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self.stop()

    def stop(self, grace: float = GRACE) -> None:
        """Interrupt it, and end it where it does not end by itself within so many seconds."""
        self.interrupt()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait(self) -> str:
        output = self.output.read()
        self._process.wait()
        return output


def run(words: Sequence[str], options: Mapping[str, Option], *, on_progress: OnProgress | None = None) -> str:
    """Run a command to its end; raises as `Command.result`."""
    return Command([*words, *option_words(options)], on_progress=on_progress).result()


def read_json_lines(path: Path) -> list[dict[str, object]]:
    """The records of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
