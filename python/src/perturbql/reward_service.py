"""Asks a reward service over HTTP (`perturbql serve rewards --port …`)."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from perturbql.errors import PerturbqlError, PerturbqlFault

#: Bytes of one body at most; the service takes twice that.
_BODY = 8 << 20
#: Seconds for which a call comes again to a service that has too much to do.
_PATIENCE = 600.0

_OK = 200
_BUSY = 503


class RewardService:
    """A service at an address; connections are kept, and each is used by one thread at a time."""

    def __init__(self, url: str, token: str | None = None) -> None:
        """Remember where it is; nothing is asked yet."""
        self._url = url
        place = urlsplit(url)
        if place.scheme not in ("http", "https") or place.hostname is None:
            raise PerturbqlError(
                f"{url} is no http address", fix="Give the one that `perturbql serve rewards` printed."
            )
        self._place = place
        self._headers = {"Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._idle: queue.LifoQueue[http.client.HTTPConnection] = queue.LifoQueue()

    def ask(self, requests: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
        """A reply for each request."""
        return [reply for body in _bodies(requests) for reply in self._post(body)]

    def close(self) -> None:
        """Close the connections."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()

    def _post(self, body: bytes) -> list[dict[str, Any]]:
        until = time.monotonic() + _PATIENCE
        while True:
            status, wait, content = self._send(body)
            if status == _OK:
                replies: list[dict[str, Any]] = json.loads(content)
                return replies
            if status != _BUSY or time.monotonic() > until:
                raise _error_of(status, content)
            time.sleep(wait)

    def _send(self, body: bytes) -> tuple[int, float, bytes]:
        try:
            connection = self._idle.get_nowait()
        except queue.Empty:
            connection = self._connect()
        else:
            with contextlib.suppress(OSError, http.client.HTTPException):
                return self._exchange(connection, body)
            # The service may have closed a connection that was idle.
            connection.close()
            connection = self._connect()
        try:
            return self._exchange(connection, body)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            fix = "Start `perturbql serve rewards --port …`, and give the address that it prints."
            raise PerturbqlError(f"{self._url} does not answer", cause=str(error), fix=fix) from error

    def _connect(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._place.scheme == "https" else http.client.HTTPConnection
        return kind(self._place.hostname or "", self._place.port)

    def _exchange(self, connection: http.client.HTTPConnection, body: bytes) -> tuple[int, float, bytes]:
        # What is refused before it is read to its end has an answer, too.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request("POST", "/rewards", body, self._headers)
        response = connection.getresponse()
        content = response.read()
        if response.will_close:
            connection.close()
        self._idle.put(connection)
        return response.status, float(response.headers.get("Retry-After") or 1), content


def _bodies(requests: Sequence[Mapping[str, object]]) -> Iterator[bytes]:
    texts: list[str] = []
    size = 0
    for request in requests:
        text = json.dumps(request)
        if texts and size + len(text) > _BODY:
            yield f"[{','.join(texts)}]".encode()
            texts, size = [], 0
        texts.append(text)
        size += len(text)
    if texts:
        yield f"[{','.join(texts)}]".encode()


def _error_of(status: int, content: bytes) -> Exception:
    try:
        error = json.loads(content)["error"]
        return PerturbqlError(error["message"], fix=error.get("fix"))
    except (ValueError, KeyError, TypeError):
        return PerturbqlFault(f"the service answered with status {status}")
