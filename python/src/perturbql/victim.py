"""A Python callable as the model that `attack` and `consistency` ask."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import os
import secrets
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from multiprocessing.connection import Client, Connection, Listener
from typing import Any, TypeAlias

#: Name of the environment variable that tells the bridge where to connect, and with which key.
ADDRESS = "PERTURBQL_VICTIM_ADDRESS"

#: Seconds to wait for further questions of a batch.
_BATCH_PAUSE = 0.02


@dataclass(frozen=True)
class Question:
    """A question that the model is asked, as docs/attack.md describes it."""

    id: str
    question: str
    db_id: str
    schema: str
    prompt: str
    dialect: str = "sqlite"
    database: str | None = None


#: One question at a time, or a list of them where a batch size is given; either may be a coroutine function.
Predict: TypeAlias = (
    "Callable[[Question], str | Awaitable[str]] | Callable[[list[Question]], Sequence[str] | Awaitable[Sequence[str]]]"
)

_FIELDS = {field.name for field in fields(Question)}


def _question_of(line: bytes) -> Question:
    record = json.loads(line)
    return Question(**{name: value for name, value in record.items() if name in _FIELDS})


class CallableVictim:
    """Answers the questions of one command with a callable of this process.

    The command starts a bridge (`perturbql.victim_bridge`), which carries lines between it and this process over a
    Unix socket or, on Windows, a named pipe: there is no server and no port.
    """

    def __init__(self, predict: Predict, *, batch_size: int | None = None, name: str | None = None) -> None:
        """Take questions from now on; `name` distinguishes models when a run is resumed."""
        self.error: BaseException | None = None
        self.on_error: Callable[[], None] = lambda: None
        self._predict = predict
        self._batch_size = batch_size
        self._name = name or getattr(predict, "__qualname__", type(predict).__qualname__)
        self._key = secrets.token_bytes(32)
        self._listener = Listener(family="AF_PIPE" if sys.platform == "win32" else "AF_UNIX", authkey=self._key)
        self._closed = False
        self._is_waiting = True
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def words(self) -> list[str]:
        """The options of the command that asks."""
        quoted = [f'"{word}"' for word in (sys.executable, "-m", "perturbql.victim_bridge", self._name)]
        concurrency = ["--concurrency", str(self._batch_size)] if self._batch_size else []
        return ["--victim", "command", "--command", " ".join(quoted), *concurrency]

    @property
    def environment(self) -> dict[str, str]:
        """What the bridge needs to find this process."""
        folders = [path for path in sys.path if path]
        return {
            ADDRESS: f"{self._key.hex()} {self._listener.address}",
            "PYTHONPATH": os.pathsep.join(folders),
        }

    def close(self) -> None:
        """Take no more questions."""
        self._closed = True
        if self._is_waiting and self.error is None:
            # Ends the wait for a connection.
            with contextlib.suppress(OSError, EOFError):
                Client(self._listener.address, authkey=self._key).close()
        self._thread.join(timeout=1)
        with contextlib.suppress(OSError):
            self._listener.close()

    def __enter__(self) -> CallableVictim:
        """Close with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _serve(self) -> None:
        while not self._closed:
            try:
                self._is_waiting = True
                with self._listener.accept() as connection:
                    self._is_waiting = False
                    self._answer_all(connection)
            except (EOFError, OSError):
                continue
            except BaseException as error:
                self.error = error
                # A bridge that is started again finds nobody, and ends.
                self._listener.close()
                self.on_error()
                return

    def _answer_all(self, connection: Connection[Any, Any]) -> None:
        while not self._closed:
            questions = [_question_of(connection.recv_bytes())]
            while len(questions) < (self._batch_size or 1) and connection.poll(_BATCH_PAUSE):
                questions.append(_question_of(connection.recv_bytes()))
            for question, sql in zip(questions, self._ask(questions), strict=True):
                connection.send_bytes(json.dumps({"id": question.id, "sql": sql}).encode())

    def _ask(self, questions: list[Question]) -> Sequence[str]:
        if self._batch_size is None:
            return [_awaited(self._predict(question)) for question in questions]  # type: ignore[arg-type]
        answers: Sequence[str] = _awaited(self._predict(questions))  # type: ignore[arg-type]
        if isinstance(answers, str) or len(answers) != len(questions):
            raise ValueError(f"predict was given {len(questions)} questions and must return a list of as many queries")
        return answers


def _awaited(answer: Any) -> Any:  # noqa: ANN401 whatever the user's callable gives
    if not inspect.isawaitable(answer):
        return answer

    async def wait() -> Any:  # noqa: ANN401
        return await answer

    return asyncio.run(wait())
