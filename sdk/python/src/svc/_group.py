"""The base of the groups of methods."""

from __future__ import annotations

from typing import Protocol, TypeVar

from ._call import Call

T = TypeVar("T")


class Sender(Protocol):
    """Sends calls and waits for their answers."""

    def send(self, call: Call[T]) -> T: ...


class AsyncSender(Protocol):
    """Sends calls."""

    async def send(self, call: Call[T]) -> T: ...


class Group:
    """Methods of a blocking client."""

    def __init__(self, client: Sender) -> None:
        self._client = client


class AsyncGroup:
    """Methods of an asynchronous client."""

    def __init__(self, client: AsyncSender) -> None:
        self._client = client
