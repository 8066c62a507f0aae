"""Server-sent events (WHATWG HTML, section 9.2), and where a reader of them is."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from . import types
from ._call import Call, Request
from ._core import Core
from ._error import SvcError
from ._exchange import Flow, Lost, Reply, failure
from ._retry import asked_wait, back_off, is_from_proxy, passes

log = logging.getLogger("svc.events")

SILENCE_MAX = 45.0
"""Seconds without a byte after which a stream is lost; a comment comes every 15."""
UNREAD_MAX = 10_000
"""Unread messages of a channel at most; older ones are skipped."""
_CHANNEL_CHANGED = b"channel_changed"
_EVENT_MAX = 1024 * 1024


class Reader:
    """Follows the events of an account by their number, over any number of streams."""

    def __init__(
        self, core: Core, after: int, types_: Sequence[str] | None, channel: str | None = None
    ) -> None:
        self._core = core
        self.after = after
        """The number of the last event that was read."""
        self.has_changed = False
        """Whether the channel may have other messages than before."""
        self._types = types_
        self._channel = channel
        self._failures = 0
        self._is_lost = False
        self._was_open = False
        self._rest = b""
        self._data: list[bytes] = []
        self._kind = b""
        self._position = b""

    def request(self) -> Request:
        """The request of the next stream."""
        self._rest, self._data, self._kind, self._position = b"", [], b"", b""
        # The messages of a channel say where it is; old events would only be in the way, or gone.
        after = self.after if self._channel is None else None
        query = {"after": after, "types": self._types, "channels": self._channel}
        request = self._core.request(Call("GET", "/v1/connect/stream", bytes, query=query))
        request.headers["Accept"] = "text/event-stream"
        return request

    def read(self, piece: bytes) -> Iterator[types.Event]:
        """The events that a piece of the stream completes.

        Lines end with LF or CRLF only. httpx would also split them at other line separators of
        Unicode, which may be part of texts.
        """
        self._is_lost, self._was_open = False, True
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            event = self._line(line.removesuffix(b"\r"))
            if event is not None:
                yield event
        if len(self._rest) + sum(map(len, self._data)) > _EVENT_MAX:
            raise SvcError("an event exceeds the limit of this client", "unknown")

    def _line(self, line: bytes) -> types.Event | None:
        """The event that a line completes."""
        if line.startswith(b"data:"):
            self._data.append(line.removeprefix(b"data:").removeprefix(b" "))
            return None
        if line.startswith(b"event:"):
            self._kind = line.removeprefix(b"event:").removeprefix(b" ")
        if line.startswith(b"id:"):
            self._position = line.removeprefix(b"id:").strip()
        if line:
            return None
        if not self._data:
            self._move_on()
            return None
        text, self._data = b"\n".join(self._data), []
        kind, self._kind = self._kind, b""
        position, self._position = self._position, b""
        if kind == _CHANNEL_CHANGED:
            self._failures = 0
            self.has_changed = True
            return None
        if not position:
            # Each event has a number; what else a later platform says is for later clients.
            self._failures = 0
            return None
        try:
            event = types.Event.model_validate_json(text)
        except ValidationError:
            message = "the stream contains something else than events"
            raise SvcError(message, "unknown", method="GET", path="/v1/connect/stream") from None
        self._failures = 0
        if event.seq <= self.after:
            return None
        self.after = event.seq
        return event

    def _move_on(self) -> None:
        """Moves past events of other kinds, for which the platform sends a number without an event.

        A later stream that began at the last event could ask for events that are no longer kept.
        """
        position, self._position = self._position, b""
        if position.isdigit():
            self.after = max(self.after, int(position))

    def pause(self, came: Reply | Lost | None) -> float:
        """How long to wait before the next stream. Raises what another attempt can't change.

        `None` means that the server ended the stream, as it does when it stops.
        """
        if came is None:
            return self._back_off()
        error = failure(came, self._core.clock)
        error.method, error.path = "GET", "/v1/connect/stream"
        is_final = error.outcome == "refused" and error.status not in (429, 503)
        if is_final and not (self._was_open and is_from_proxy(error)):
            raise error
        if not self._is_lost:
            log.warning("no stream of events, trying again until there is one: %s", error.message)
        self._is_lost = True
        return max(asked_wait(error), self._back_off())

    def pause_after(self, error: SvcError) -> float:
        """How long to wait before the next stream if the messages of the channel can't be read.
        Raises what another attempt can't change.
        """
        if not passes(error):
            raise error
        log.warning("the messages of the channel can't be read, trying again: %s", error.message)
        return max(asked_wait(error), self._back_off())

    def _back_off(self) -> float:
        self._failures += 1
        return back_off(self._failures - 1, self._core.clock.dice())


def latest(core: Core) -> Flow[int]:
    """The number of the account's newest event."""
    query: dict[str, Any] = {"limit": 1}
    page = yield from core.call(Call("GET", "/v1/connect/events", types.EventPage, query=query))
    return page.latest_seq
