"""The journal of a buyer: a SQLite file with what its orders cost.

What an order costs is reserved in the transaction that checks the limits, before anything is sent,
so that concurrent orders can't exceed a limit together. The file is open only while it is written,
so processes can share it and its limits.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Literal

from ._error import SvcError

DAY = 24 * 3600.0
"""The sliding window of the limits per day, in seconds."""
KEPT_SECONDS = 7 * 24 * 3600.0
"""How long an order is kept after its end or, if the buyer never saw that, after its start.
The platform still finds it by its id.
"""

_PATIENCE = 5.0
"""Seconds for which to wait for another process that writes the file."""
_APPLICATION_ID = 0x73766362  # "svcb"
_VERSION = 1
_TABLES = """
create table spend (
    id text primary key,        -- the order's id, as its buyer named it
    provider text not null,     -- lower-case username
    amount integer not null,    -- millionths of a credit
    state text not null,        -- reserved | spent | freed
    created_at real not null,
    settled_at real,
    escrow text,                -- the escrow that pays
    placed text,                -- the id by which the platform knows the order
    token text                  -- of the reservation, for keys of its calls
) strict;
create index spend_created on spend (created_at);
"""

State = Literal["reserved", "spent", "freed"]


class SpendLimitError(SvcError):
    """The order would exceed a limit of its buyer. Nothing was sent."""

    limit: str
    """The limit: `max_credits`, `per_order`, `per_provider`, `per_day` or `only`."""
    asked: Decimal
    """What the order costs."""
    left: Decimal
    """The credits that the limit still allows."""

    def __init__(self, limit: str, asked: Decimal, left: Decimal) -> None:
        message = f"the order costs {_in_words(asked)}, and {limit} leaves {shown(left)}"
        if limit == "only":
            message = "the provider must be one of those that the buyer's limit `only` names"
        super().__init__(message, code="spend_limit")
        self.limit, self.asked, self.left = limit, asked, left


@dataclass(frozen=True)
class Caps:
    """How much may be spent, and with which providers."""

    per_order: Decimal | None = None
    per_day: Decimal | None = None
    per_provider: Decimal | None = None
    only: frozenset[str] | None = None
    """Lower-case usernames."""

    def depend_on_provider(self) -> bool:
        """Whether a limit needs the username of a provider that is given by its id."""
        return self.per_provider is not None or self.only is not None


@dataclass(frozen=True)
class Expense:
    """What an order costs at most."""

    id: str
    provider: str
    amount: Decimal
    max_credits: Decimal


@dataclass(frozen=True)
class Entry:
    """An order in the journal."""

    id: str
    provider: str
    amount: Decimal
    state: State
    created_at: float
    escrow: str | None = None
    placed: str | None = None
    token: str | None = None

    def is_paid(self) -> bool:
        """Whether its credits have left the account: with the order, or into the escrow."""
        return self.state != "freed" and (self.placed is not None or self.escrow is not None)


@dataclass(frozen=True)
class Reservation:
    """What an order costs is reserved."""

    is_new: bool
    """Whether this run made it; if not, a concurrent one may rely on it."""
    token: str
    """The same for each run that continues it."""


class Ledger:
    """The journal, in a file or in memory."""

    def __init__(self, path: str | Path | None) -> None:
        self._path = None if path is None or str(path) == ":memory:" else str(path)
        self._lock = threading.Lock()
        self._memory: sqlite3.Connection | None = None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, on disk when it ends."""
        with self._lock:
            try:
                db = self._open()
                try:
                    db.execute("begin immediate")
                    self._prepare(db)
                    yield db
                    db.execute("commit")
                except BaseException:
                    if db.in_transaction:
                        db.execute("rollback")
                    raise
                finally:
                    if db is not self._memory:
                        db.close()
            except (OSError, sqlite3.Error) as error:
                raise SvcError(f"the journal {self._path} can't be used: {error}") from error

    def _open(self) -> sqlite3.Connection:
        if self._path is not None:
            with suppress(FileExistsError):
                os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            db = sqlite3.connect(self._path, isolation_level=None, timeout=_PATIENCE)
            db.execute("pragma synchronous = full")
            return db
        if self._memory is None:
            # Any thread may order; the lock admits one at a time.
            self._memory = sqlite3.connect(
                ":memory:", isolation_level=None, check_same_thread=False
            )
        return self._memory

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Creates the tables of a new file, and refuses a file that is something else."""
        known = db.execute("pragma application_id").fetchone()[0]
        version = db.execute("pragma user_version").fetchone()[0]
        if (known, version) == (_APPLICATION_ID, _VERSION):
            return
        objects = db.execute("select count(*) from sqlite_schema").fetchone()[0]
        if (known, version, objects) != (0, 0, 0):
            problem = "is no journal of a buyer, or one of a later version"
            raise SvcError(f"the journal {self._path} {problem}")
        for statement in _TABLES.split(";\n"):
            db.execute(statement)
        db.execute(f"pragma application_id = {_APPLICATION_ID}")
        db.execute(f"pragma user_version = {_VERSION}")

    def find(self, id: str) -> Entry | None:
        """The order with this id."""
        with self._writing() as db:
            return _find(db, "id = ?", id)

    def reserve(self, expense: Expense, caps: Caps, now: float) -> Reservation:
        """Reserves what an order costs, unless it would exceed a limit.

        An order that is begun already is checked again. Once its credits have left the account, it
        counts as spent since then, and only the limits of a single order are checked.
        """
        with self._writing() as db:
            begun = _find(db, "id = ? and state <> 'freed'", expense.id)
            _check_order(expense, caps)
            token = (begun and begun.token) or secrets.token_hex(8)
            if begun is not None and begun.is_paid():
                return Reservation(False, token)
            _check_day(db, expense, caps, now)
            forget = "delete from spend where coalesce(settled_at, created_at) < ?"
            db.execute(forget, (now - KEPT_SECONDS,))
            # A concurrent run may be sending the order at the price that it reserved.
            amount = expense.amount if begun is None else max(begun.amount, expense.amount)
            _insert(db, Entry(expense.id, expense.provider, amount, "reserved", now, token=token))
            return Reservation(begun is None, token)

    def note(self, id: str, escrow: str) -> None:
        """Records the escrow that pays for an order."""
        with self._writing() as db:
            db.execute("update spend set escrow = ? where id = ?", (escrow, id))

    def free(self, id: str, now: float) -> None:
        """Records that an order costs nothing."""
        update = """update spend set state = 'freed', settled_at = ?
            where id = ? and state = 'reserved'"""
        with self._writing() as db:
            db.execute(update, (now, id))

    def record(self, entries: list[Entry], now: float) -> None:
        """Records what the platform says of orders, also of those that are not in the journal."""
        with self._writing() as db:
            for entry in entries:
                id = _row_of(db, entry)
                if id is not None:
                    _update(db, id, entry, now)


def _find(db: sqlite3.Connection, where: str, *values: str | None) -> Entry | None:
    columns = "id, provider, amount, state, created_at, escrow, placed, token"
    row = db.execute(f"select {columns} from spend where {where}", values).fetchone()
    if row is None:
        return None
    id, provider, amount, *rest = row
    return Entry(id, provider, _credits(amount), *rest)


def _row_of(db: sqlite3.Connection, entry: Entry) -> str | None:
    """The row of what the platform says; a new one unless the journal has it, none for what cost
    nothing.
    """
    same = _find(db, "placed = ? or escrow = ?", entry.placed, entry.escrow)
    if same is not None:
        return same.id
    begun = _find(db, "id = ? and state <> 'freed'", entry.id)
    if begun is not None and entry.placed is not None:
        return begun.id
    # The id of an escrow's order comes from its description. An order that is placed again has
    # another escrow, and the end of the earlier one says nothing about it.
    if entry.state == "freed":
        return None
    if begun is not None and not begun.is_paid():
        return begun.id
    added = entry if begun is None else replace(entry, id=f"escrow:{entry.escrow}")
    _insert(db, added)
    return added.id


def _insert(db: sqlite3.Connection, entry: Entry) -> None:
    """Writes an order without checking limits."""
    insert = """insert or replace into spend
        (id, provider, amount, state, created_at, escrow, placed, token)
        values (?, ?, ?, ?, ?, ?, ?, ?)"""
    facts = (entry.state, entry.created_at, entry.escrow, entry.placed, entry.token)
    db.execute(insert, (entry.id, entry.provider, micros(entry.amount), *facts))


def _update(db: sqlite3.Connection, id: str, entry: Entry, now: float) -> None:
    # The platform knows the provider by name also if it was given by its id.
    update = """update spend set provider = ?, state = ?, amount = ?, escrow = ?,
            placed = coalesce(?, placed),
            settled_at = case when ? = 'reserved' then null else coalesce(settled_at, ?) end
        where id = ?"""
    facts = (entry.provider, entry.state, micros(entry.amount), entry.escrow, entry.placed)
    db.execute(update, (*facts, entry.state, now, id))


def _check_order(expense: Expense, caps: Caps) -> None:
    """Refuses an order that exceeds a limit by itself."""
    if caps.only is not None and expense.provider not in caps.only:
        raise SpendLimitError("only", expense.amount, Decimal(0))
    limits = (("max_credits", expense.max_credits), ("per_order", caps.per_order))
    for limit, most in limits:
        if most is not None and expense.amount > most:
            raise SpendLimitError(limit, expense.amount, most)


def _check_day(db: sqlite3.Connection, expense: Expense, caps: Caps, now: float) -> None:
    """Refuses an order that exceeds a limit together with the others of the day."""
    # Orders of a clock that was far ahead are left out: they would count until then.
    select = """select coalesce(sum(amount), 0) from spend
        where state <> 'freed' and created_at > ? and created_at < ?
            and (? is null or provider = ?) and id <> ?"""
    limits = (
        ("per_provider", caps.per_provider, expense.provider),
        ("per_day", caps.per_day, None),
    )
    for limit, most, provider in limits:
        if most is None:
            continue
        others = (now - DAY, now + DAY, provider, provider, expense.id)
        left = max(most - _credits(db.execute(select, others).fetchone()[0]), Decimal(0))
        if expense.amount > left:
            raise SpendLimitError(limit, expense.amount, left)


def micros(credits: Decimal) -> int:
    """Millionths of a credit."""
    return int(credits.scaleb(6))


def _credits(value: int) -> Decimal:
    return Decimal(value).scaleb(-6)


def shown(credits: Decimal) -> str:
    """An amount without needless zeros."""
    return f"{credits.normalize():f}"


def _in_words(credits: Decimal) -> str:
    return f"{shown(credits)} credit" + ("" if credits == 1 else "s")
