"""Lists, read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from ._call import Call
from ._error import SvcError

I = TypeVar("I", covariant=True)  # noqa: E741
P = TypeVar("P")
Q = TypeVar("Q", bound="Paged")


class Paged(Protocol):
    """A page has the cursor of the next one, until the last."""

    @property
    def next_cursor(self) -> Any: ...


class _Turner(Generic[Q]):
    """Turns pages, and refuses a list that would never end."""

    def __init__(self, call: Call[Q]) -> None:
        self.call: Call[Q] | None = call
        self._seen: set[Any] = set()

    def turn(self, page: Q) -> None:
        cursor = page.next_cursor
        if cursor is None or self.call is None:
            self.call = None
            return
        if cursor in self._seen:
            message = "the server returned a cursor twice, so the list would never end"
            raise SvcError(message, "unknown", method=self.call.method, path=self.call.path)
        self._seen.add(cursor)
        self.call = _at(self.call, cursor)


def _at(call: Call[Q], cursor: Any) -> Call[Q]:
    """The call of the page of a cursor; of the first one without."""
    return call if cursor is None else replace(call, query={**call.query, "cursor": cursor})


class Pages(Generic[Q, I]):
    """A list: `for item in list` reads all of it, `list.page()` the first page.

    `list.page(cursor)` reads the page of a cursor: `next_cursor` of the page before.
    """

    def __init__(self, run: Callable[[Call[Q]], Q], call: Call[Q], items: str) -> None:
        self._run, self._call, self._items = run, call, items

    def page(self, cursor: str | None = None) -> Q:
        """The first page, or the one of a cursor."""
        return self._run(_at(self._call, cursor))

    def pages(self) -> Iterator[Q]:
        """Page by page."""
        turner = _Turner(self._call)
        while turner.call is not None:
            page = self._run(turner.call)
            turner.turn(page)
            yield page

    def __iter__(self) -> Iterator[I]:
        for page in self.pages():
            items: Sequence[I] = getattr(page, self._items)
            yield from items


class AsyncPages(Generic[Q, I]):
    """A list: `async for item in list` reads all of it, `await list.page()` the first page.

    `await list.page(cursor)` reads the page of a cursor: `next_cursor` of the page before.
    """

    def __init__(self, run: Callable[[Call[Q]], Awaitable[Q]], call: Call[Q], items: str) -> None:
        self._run, self._call, self._items = run, call, items

    async def page(self, cursor: str | None = None) -> Q:
        """The first page, or the one of a cursor."""
        return await self._run(_at(self._call, cursor))

    async def pages(self) -> AsyncIterator[Q]:
        """Page by page."""
        turner = _Turner(self._call)
        while turner.call is not None:
            page = await self._run(turner.call)
            turner.turn(page)
            yield page

    async def __aiter__(self) -> AsyncIterator[I]:
        async for page in self.pages():
            items: Sequence[I] = getattr(page, self._items)
            for item in items:
                yield item
