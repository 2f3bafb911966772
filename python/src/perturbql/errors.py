"""What goes wrong, with its cause and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CAUSE = re.compile(r"^ {2}cause: (.*)$", re.MULTILINE)
_FIX = re.compile(r"^ {2}fix: (.*)$", re.MULTILINE)
_ERROR = re.compile(r"^error: ", re.MULTILINE)


class PerturbqlError(Exception):
    """Something that the caller can repair; `fix` says how."""

    def __init__(self, message: str, *, cause: str | None = None, fix: str | None = None) -> None:
        """Keep the parts, and show them all."""
        self.message = message
        self.cause = cause
        self.fix = fix
        lines = [message, *([f"cause: {cause}"] if cause else []), *([f"fix: {fix}"] if fix else [])]
        super().__init__("\n  ".join(lines))


class ChecksFailedError(PerturbqlError):
    """A run that was carried out, and whose check failed: an accuracy below its limit, or golds that differ."""


class PerturbqlFault(Exception):  # noqa: N818 a fault is no error of the caller's
    """A fault of perturbql itself; please report it."""


#: The command line's exit codes.
_BAD_INPUT = 2
_CHECK_FAILED = 3


def error_of(code: int, lines: Sequence[str]) -> Exception:
    """The exception for an exit code and what the command wrote to standard error."""
    text = "\n".join(lines)
    cause, fix = _CAUSE.search(text), _FIX.search(text)
    start = _ERROR.search(text)
    body = text[start.end() :] if start else text
    message = _FIX.split(_CAUSE.split(body)[0])[0].strip()
    parts = {"cause": cause[1] if cause else None, "fix": fix[1] if fix else None}
    if code == _BAD_INPUT:
        return PerturbqlError(message or "bad input", **parts)
    if code == _CHECK_FAILED:
        return ChecksFailedError(message or "a check failed", **parts)
    return PerturbqlFault(text or f"perturbql ended with exit code {code}")
