"""Input and output: runs the flows of calls, blocking or asynchronously."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Generic

import httpx

from ._address import is_here
from ._call import Request
from ._clock import Clock
from ._exchange import Flow, Lost, Pause, Reply, Step, T
from ._version import VERSION

CONNECT_TIMEOUT = 5.0
"""Seconds."""
BODY_BYTES_MAX = 64 * 1024 * 1024
"""The largest answer that is read: a page of 100 orders with the largest inputs and results has
about 40 MiB."""
USER_AGENT = f"svc-sdk-python/{VERSION}"

_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


class SyncTransport:
    """Blocking."""

    def __init__(self, base: str, clock: Clock, http: httpx.Client | None) -> None:
        self._base, self._clock = base, clock
        self._owned = http is None
        self.http = http or httpx.Client(mounts=_mounts(base), cookies=_no_cookies())

    def run(self, flow: Flow[T]) -> T:
        """Runs a flow to its end."""
        came: Reply | Lost | None = None
        while True:
            try:
                step = flow.send(came)
            except StopIteration as done:
                ended: T = done.value
                return ended
            came = self._do(step)

    def _do(self, step: Step) -> Reply | Lost | None:
        if isinstance(step, Pause):
            self._clock.pause(step.seconds)
            return None
        end = time.monotonic() + step.limit
        try:
            with self.open(step.request, step.limit) as response:
                body = bytearray()
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > BODY_BYTES_MAX:
                        return _too_long()
                    if time.monotonic() > end:
                        return _too_late(step.limit)
                return Reply(response.status_code, response.headers, bytes(body))
        except httpx.RequestError as error:
            return lost(error, self._base)

    @contextmanager
    def open(self, request: Request, read_timeout: float) -> Iterator[httpx.Response]:
        """Sends a request; the body of the answer is still to be read."""
        with self.http.stream(
            request.method,
            _url(self._base, request),
            headers={"User-Agent": USER_AGENT, **request.headers},
            content=request.body,
            timeout=_timeouts(read_timeout),
            follow_redirects=False,
        ) as response:
            yield response

    def close(self) -> None:
        if self._owned:
            self.http.close()


class AsyncTransport:
    """Asynchronous."""

    def __init__(self, base: str, clock: Clock, http: httpx.AsyncClient | None) -> None:
        self._base, self._clock = base, clock
        self._owned = http is None
        self.http = http or httpx.AsyncClient(mounts=_mounts(base), cookies=_no_cookies())

    async def run(self, flow: Flow[T]) -> T:
        """Runs a flow to its end."""
        came: Reply | Lost | None = None
        while True:
            try:
                step = flow.send(came)
            except StopIteration as done:
                ended: T = done.value
                return ended
            came = await self._do(step)

    async def run_in_threads(self, flow: Flow[T]) -> T:
        """Runs a flow that uses files between its requests; the event loop waits for none."""
        came: Reply | Lost | None = None
        while True:
            step = await asyncio.to_thread(_next, flow, came)
            if isinstance(step, _End):
                return step.value
            came = await self._do(step)

    async def _do(self, step: Step) -> Reply | Lost | None:
        if isinstance(step, Pause):
            await self._clock.pause_async(step.seconds)
            return None
        try:
            async with asyncio.timeout(step.limit):
                async with self.open(step.request, step.limit) as response:
                    body = bytearray()
                    async for piece in response.aiter_bytes():
                        body += piece
                        if len(body) > BODY_BYTES_MAX:
                            return _too_long()
                    return Reply(response.status_code, response.headers, bytes(body))
        except TimeoutError:
            return _too_late(step.limit)
        except httpx.RequestError as error:
            return lost(error, self._base)

    @asynccontextmanager
    async def open(self, request: Request, read_timeout: float) -> AsyncIterator[httpx.Response]:
        """Sends a request; the body of the answer is still to be read."""
        async with self.http.stream(
            request.method,
            _url(self._base, request),
            headers={"User-Agent": USER_AGENT, **request.headers},
            content=request.body,
            timeout=_timeouts(read_timeout),
            follow_redirects=False,
        ) as response:
            yield response

    async def close(self) -> None:
        if self._owned:
            await self.http.aclose()


@dataclass(frozen=True)
class _End(Generic[T]):
    """The result of a flow."""

    value: T


def _next(flow: Flow[T], came: Reply | Lost | None) -> Step | _End[T]:
    """The next step of a flow, or its end: no thread can hand over a `StopIteration`."""
    try:
        return flow.send(came)
    except StopIteration as done:
        return _End(done.value)


def _mounts(base: str) -> dict[str, None]:
    """Keeps what goes to this machine off the proxies of the environment: they would read the key,
    since it is not encrypted.
    """
    return dict.fromkeys(("all://", "http://", "https://")) if is_here(base) else {}


def _no_cookies() -> CookieJar:
    """A jar that stays empty. With the session of a person who signed in, later calls without a key
    would be those of this person, also in other threads.
    """
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


def _url(base: str, request: Request) -> str:
    return base + request.path + (f"?{request.query}" if request.query else "")


def _timeouts(limit: float) -> httpx.Timeout:
    return httpx.Timeout(limit, connect=min(CONNECT_TIMEOUT, limit))


def lost(error: httpx.RequestError, base: str) -> Lost:
    """A connection that failed. The message names no more than the server."""
    if isinstance(error, _NEVER_SENT):
        return Lost(f"could not connect to {base}: {error or type(error).__name__}", was_sent=False)
    if isinstance(error, httpx.TimeoutException):
        return Lost(f"no answer from {base} in time", was_sent=True)
    return Lost(f"the connection to {base} was lost before the answer was complete", was_sent=True)


def _too_late(limit: float) -> Lost:
    return Lost(f"no answer within {limit:g} s", was_sent=True)


def _too_long() -> Lost:
    return Lost(f"the answer exceeds {BODY_BYTES_MAX} bytes", was_sent=True)
