"""Rewards for trainers: predictions judged by a process of one's own, or by a service that many ask."""

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
from perturbql.reward_service import RewardService

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


@dataclass(frozen=True)
class Variant:
    """A question on another world of its schema; predictions for it are sent with its id."""

    id: str
    db_id: str
    #: What was done, such as "RPL" or "TSp".
    kind: str
    question: str
    #: The gold on that schema.
    query: str
    #: The tables as CREATE TABLE statements.
    schema: str


class _Process:
    """A process of one's own that is asked line by line."""

    def __init__(self, options: Mapping[str, Option]) -> None:
        self._command = Command(["serve", "rewards", *option_words(options)], takes_input=True)
        self._lock = threading.Lock()
        self.closed = False

    def ask(self, requests: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
        lines = [f"{json.dumps(request)}\n" for request in requests]
        with self._lock:
            if self.closed:
                raise ValueError("the rewarder is closed")
            try:
                return self._exchange(lines)
            except BaseException:
                # Its answers would be taken for those of the next call.
                self._end(0)
                raise

    def close(self) -> None:
        with self._lock:
            self._end(_FAREWELL)

    def _exchange(self, lines: Sequence[str]) -> list[dict[str, Any]]:
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
        if self.closed:
            return
        self.closed = True
        if grace > 0:
            with contextlib.suppress(OSError, ValueError):
                self._command.input.close()
        self._command.end(grace)


class Rewarder:
    """Judges predictions, batch after batch: with a process of its own, or with the service at `url`.

    Options are those of `perturbql serve rewards`: `databases`, `tables`, `examples`, `suite`, `variants`,
    `reward="suite + 0.1*exact"`, `timeout`, …; a service was given its own. It may be called from several threads;
    close it, or use it as a context manager.
    """

    def __init__(self, url: str | None = None, *, token: str | None = None, **options: Option) -> None:
        """Start the process, or remember the service and the token that it asks for."""
        if url is not None and options:
            raise TypeError(f"the service was started with its options; leave out {', '.join(options)}")
        self._judge = _Process(options) if url is None else RewardService(url, token)

    @property
    def closed(self) -> bool:
        """Whether its process was ended."""
        return isinstance(self._judge, _Process) and self._judge.closed

    def __call__(
        self,
        predictions: Sequence[str],
        golds: Sequence[str] | None = None,
        db_ids: Sequence[str] | None = None,
        *,
        ids: Sequence[str] | None = None,
    ) -> list[Reward]:
        """Judge each prediction against its gold query on its database, or the gold of that example or variant.

        Raises PerturbqlError for a database or example that is not there. A gold that fails is no error: its outcome
        is "bad-gold", and it counts as not correct.
        """
        requests, places = _requests(predictions, golds, db_ids, ids)
        rewards: dict[int, Reward] = {}
        for reply, own in zip(self._judge.ask(requests), places, strict=True):
            given = _answer(reply, f"prediction {own[0]}")["rewards"]
            rewards.update((place, Reward(**one)) for place, one in zip(own, given, strict=True))
        return [rewards[place] for place in range(len(predictions))]

    def variants(self, ids: Sequence[str], seed: int = 0) -> list[Variant]:
        """A random world for each example's question, of the run that `variants` names, the same for the same seed."""
        replies = self._judge.ask([{"id": name, "seed": seed} for name in ids])
        return [Variant(**_answer(reply, f"id {place}")["variant"]) for place, reply in enumerate(replies)]

    def close(self) -> None:
        """End the process, or the connections to the service."""
        self._judge.close()

    def __enter__(self) -> Rewarder:
        """Close with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


def _requests(
    predictions: Sequence[str],
    golds: Sequence[str] | None,
    db_ids: Sequence[str] | None,
    ids: Sequence[str] | None,
) -> tuple[list[dict[str, object]], list[list[int]]]:
    """A request for each gold, and the places of its predictions."""
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
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, gold in enumerate(named):
        groups.setdefault(tuple(gold.values()), []).append(place)
    places = list(groups.values())
    return [{**named[own[0]], "predictions": [predictions[place] for place in own]} for own in places], places


def _answer(reply: dict[str, Any], place: str) -> dict[str, Any]:
    error = reply.get("error")
    if error is not None:
        raise PerturbqlError(f"{place}: {error['message']}", cause=error["cause"], fix=error["fix"])
    return reply


_KEPT: dict[tuple[int | str | None, ...], Rewarder] = {}
_KEPT_LOCK = threading.Lock()


def reward(
    predictions: Sequence[str],
    golds: Sequence[str] | None = None,
    db_ids: Sequence[str] | None = None,
    *,
    ids: Sequence[str] | None = None,
    url: str | None = None,
    token: str | None = None,
    **options: Option,
) -> list[float]:
    """Score each prediction; see `Rewarder`.

    The process is started at the first call with these options, kept for the next ones, and ended with Python; with
    `url` there is none.
    """
    # A forked process must not share the pipes of its parent.
    key = (os.getpid(), url, token, *option_words(options))
    with _KEPT_LOCK:
        rewarder = _KEPT.get(key)
        if rewarder is None or rewarder.closed:
            rewarder = _KEPT[key] = Rewarder(url, token=token, **options)
    return [judged.score for judged in rewarder(predictions, golds, db_ids, ids=ids)]


@atexit.register
def _close_kept() -> None:
    for (pid, *_), rewarder in _KEPT.items():
        if pid == os.getpid():
            rewarder.close()
