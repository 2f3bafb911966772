"""Rewards for trainers: predictions judged by a process that stays, over JSON lines."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perturbql.command import Command, Option, option_words
from perturbql.errors import PerturbqlError, PerturbqlFault

#: Seconds that the process has to end by itself once its input has.
_FAREWELL = 5.0


@dataclass(frozen=True)
class Reward:
    """What a prediction gets."""

    score: float
    #: By the first part of the formula: "correct", "wrong", "unparsable", "failing", "timed-out", "bad-gold", …
    outcome: str
    #: Why, where the outcome does not say it all.
    reason: str | None
    #: The outcome by each part, such as {"suite": "wrong", "exact": "wrong"}.
    parts: Mapping[str, str]


class Rewarder:
    """Judges predictions with one process (`perturbql serve rewards`), batch after batch.

    Options are those of that command: `databases`, `tables`, `examples`, `suite`, `reward="suite + 0.1*exact"`,
    `timeout`, … It may be called from several threads; close it, or use it as a context manager.
    """

    def __init__(self, **options: Option) -> None:
        """Start the process."""
        self._command = Command(["serve", "rewards", *option_words(options)], takes_input=True)
        self._lock = threading.Lock()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether the process was ended."""
        return self._closed

    def __call__(
        self,
        predictions: Sequence[str],
        golds: Sequence[str] | None = None,
        db_ids: Sequence[str] | None = None,
        *,
        ids: Sequence[str] | None = None,
    ) -> list[Reward]:
        """Judge each prediction against its gold query on its database, or the gold of the example of that id.

        Raises PerturbqlError for a database or example that is not there. A gold that fails is no error: its outcome
        is "bad-gold", and it counts as not correct.
        """
        requests = _requests(predictions, golds, db_ids, ids)
        with self._lock:
            if self._closed:
                raise ValueError("the rewarder is closed")
            try:
                replies = self._ask([f"{json.dumps(request)}\n" for request in requests])
            except BaseException:
                # Its answers would be taken for those of the next call.
                self._end(0)
                raise
        return [_reward_of(reply, place) for place, reply in enumerate(replies)]

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end(_FAREWELL)

    def __enter__(self) -> Rewarder:
        """Close with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _ask(self, lines: Sequence[str]) -> list[dict[str, Any]]:
        # Written aside: the process answers while it is asked, and neither waits for the other.
        writer = threading.Thread(target=self._write, args=(lines,), daemon=True)
        writer.start()
        replies = []
        for _ in lines:
            line = self._command.output.readline()
            if not line.endswith("\n"):
                self._command.result()
                raise PerturbqlFault("perturbql ended before it had answered")
            replies.append(json.loads(line))
        writer.join()
        return replies

    def _write(self, lines: Sequence[str]) -> None:
        # Where the process has ended, the reader finds out and says why.
        with contextlib.suppress(OSError, ValueError):
            self._command.input.write("".join(lines))
            self._command.input.flush()

    def _end(self, grace: float) -> None:
        if self._closed:
            return
        self._closed = True
        if grace > 0:
            with contextlib.suppress(OSError, ValueError):
                self._command.input.close()
        self._command.end(grace)


def _requests(
    predictions: Sequence[str],
    golds: Sequence[str] | None,
    db_ids: Sequence[str] | None,
    ids: Sequence[str] | None,
) -> list[dict[str, object]]:
    if isinstance(predictions, str):
        raise TypeError("predictions is a list of queries")
    if ids is not None:
        named = [{"id": name} for name in ids]
    elif golds is not None and db_ids is not None and len(golds) == len(db_ids):
        named = [{"db_id": db_id, "gold": gold} for gold, db_id in zip(golds, db_ids, strict=True)]
    else:
        raise ValueError("give golds and db_ids of one length, or ids")
    if len(named) != len(predictions):
        raise ValueError(f"there are {len(predictions)} predictions for {len(named)} golds")
    return [{**gold, "predictions": [sql]} for gold, sql in zip(named, predictions, strict=True)]


def _reward_of(reply: dict[str, Any], place: int) -> Reward:
    error = reply.get("error")
    if error is not None:
        raise PerturbqlError(f"prediction {place}: {error['message']}", cause=error["cause"], fix=error["fix"])
    return Reward(**reply["rewards"][0])


_KEPT: dict[tuple[int, tuple[str, ...]], Rewarder] = {}
_KEPT_LOCK = threading.Lock()


def reward(
    predictions: Sequence[str],
    golds: Sequence[str] | None = None,
    db_ids: Sequence[str] | None = None,
    *,
    ids: Sequence[str] | None = None,
    **options: Option,
) -> list[float]:
    """Score each prediction; see `Rewarder`.

    The process is started at the first call with these options, kept for the next ones, and ended with Python.
    """
    # A forked process must not share the pipes of its parent.
    key = (os.getpid(), tuple(option_words(options)))
    with _KEPT_LOCK:
        rewarder = _KEPT.get(key)
        if rewarder is None or rewarder.closed:
            rewarder = _KEPT[key] = Rewarder(**options)
    return [judged.score for judged in rewarder(predictions, golds, db_ids, ids=ids)]


@atexit.register
def _close_kept() -> None:
    for (pid, _), rewarder in _KEPT.items():
        if pid == os.getpid():
            rewarder.close()
