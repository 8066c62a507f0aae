"""The journal: a SQLite file with the orders of a bot and its answers.

An order is journalled before it is worked on, and an answer before it is sent. Statements run on
the event loop, because each takes a millisecond and the next step must not begin before it is on
disk.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .._error import SvcError

KEPT_SECONDS = 7 * 24 * 3600
"""How long finished orders stay."""

_APPLICATION_ID = 0x73766370  # "svcp": a journal of the Rust kit is another format
_VERSION = 1
_TABLES = """
create table job (
    id text primary key,                -- the order
    buyer text not null,                -- orders of one buyer are worked on one after the other
    arrived integer not null unique,    -- their order
    state text not null,                -- queued | running | done
    starts integer not null default 0,  -- how often the handler was started
    created_at integer not null,
    done_at integer
) strict;
create index job_open on job (arrived) where state <> 'done';

-- Calls that were decided on: the same bytes under the same key until the platform took them.
create table outbox (
    id integer primary key,             -- their order
    job text not null,
    key text not null unique,           -- Idempotency-Key
    path text not null,
    body blob not null,
    outcome text                        -- what became of it; null while it waits
) strict;
create index outbox_waiting on outbox (job, id) where outcome is null;

-- Results of finished steps of a handler that may start again.
create table step (
    job text not null,
    name text not null,
    value text not null,                -- JSON
    primary key (job, name)
) strict, without rowid;
"""

State = Literal["queued", "running", "done"]


@dataclass(frozen=True)
class Job:
    """An order in the journal."""

    id: str
    buyer: str
    state: State
    starts: int


@dataclass(frozen=True)
class Outgoing:
    """A call of the outbox: the same bytes under the same key, however often it is sent."""

    key: str
    path: str
    body: bytes


class Journal:
    """An open journal, which no other process can open."""

    def __init__(self, path: str | Path) -> None:
        self._path = str(path)
        try:
            if self._path != ":memory:":
                self._create_private()
            self._db = sqlite3.connect(self._path, isolation_level=None, timeout=0)
            self._open()
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error

    def _create_private(self) -> None:
        """Creates the file, or makes an existing one private, which another program may have made.

        An existing file is not opened here: closing it would release every lock that this process
        holds on it, and another process could take the journal of a running bot.
        """
        try:
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            os.chmod(self._path, 0o600)

    def _open(self) -> None:
        db = self._db
        db.execute("pragma locking_mode = exclusive")
        db.execute("pragma synchronous = full")
        with self._writing():
            known = db.execute("pragma application_id").fetchone()[0]
            version = db.execute("pragma user_version").fetchone()[0]
            objects = db.execute("select count(*) from sqlite_schema").fetchone()[0]
            if (known, version) == (_APPLICATION_ID, _VERSION):
                return
            if (known, version, objects) != (0, 0, 0):
                problem = "is no journal, or one of a later version"
                raise SvcError(f"the journal {self._path} {problem}")
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"pragma application_id = {_APPLICATION_ID}")
            db.execute(f"pragma user_version = {_VERSION}")

    def _unusable(self, error: Exception) -> SvcError:
        if "locked" in str(error):
            problem = (
                "is used by another process; stop it first: two bots of an account would work on "
                "the same orders"
            )
        else:
            problem = f"can't be opened: {error}"
        return SvcError(f"the journal {self._path} {problem}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, on disk when it ends."""
        self._db.execute("begin exclusive")
        try:
            yield
            self._db.execute("commit")
        except BaseException:
            if self._db.in_transaction:  # a full disk may have ended it
                self._db.execute("rollback")
            raise

    def take(self, orders: Sequence[tuple[str, str]]) -> list[Job]:
        """Stores orders, as id and buyer; the answer is those that are new."""
        new = []
        insert = """insert into job (id, buyer, arrived, state, created_at)
            values (?, ?, (select coalesce(max(arrived), 0) + 1 from job), 'queued', ?)
            on conflict (id) do nothing"""
        with self._writing():
            for order, buyer in orders:
                if self._db.execute(insert, (order, buyer, int(time.time()))).rowcount:
                    new.append(Job(order, buyer, "queued", 0))
        return new

    def unknown(self, orders: Sequence[str]) -> list[str]:
        """Those of these orders that the journal does not know."""
        known = "select 1 from job where id = ?"
        return [each for each in orders if self._db.execute(known, (each,)).fetchone() is None]

    def unfinished(self) -> list[Job]:
        """Orders without an answer, or whose answer is not sent yet."""
        rows = self._db.execute(
            """select id, buyer, state, starts from job
            where state <> 'done' or exists (
                select 1 from outbox where job = job.id and outcome is null)
            order by arrived"""
        )
        return [Job(*row) for row in rows]

    def start(self, job: Job) -> Job:
        """Records that the handler starts."""
        update = """update job set state = 'running', starts = starts + 1
            where id = ? and starts = ? and state <> 'done'"""
        with self._writing():
            self._db.execute(update, (job.id, job.starts))
        return Job(job.id, job.buyer, "running", job.starts + 1)

    def finish(self, order: str, calls: Sequence[Outgoing]) -> None:
        """Finishes an order and stores the calls that answer it, in one transaction."""
        with self._writing():
            done = "update job set state = 'done', done_at = ? where id = ? and state <> 'done'"
            if self._db.execute(done, (int(time.time()), order)).rowcount:
                self._insert(order, calls)
                self._db.execute("delete from step where job = ?", (order,))

    def next_call(self, order: str) -> Outgoing | None:
        """The first call of an order that was not sent yet."""
        row = self._db.execute(
            """select key, path, body from outbox where job = ? and outcome is null
            order by id limit 1""",
            (order,),
        ).fetchone()
        return Outgoing(*row) if row else None

    def close_call(self, order: str, key: str, outcome: str, instead: Sequence[Outgoing]) -> None:
        """Records what became of a call, and the calls that replace it and those after it."""
        waiting = "delete from outbox where job = ? and outcome is null"
        with self._writing():
            self._db.execute("update outbox set outcome = ? where key = ?", (outcome, key))
            if instead:
                self._db.execute(waiting, (order,))
                self._insert(order, instead)

    def _insert(self, order: str, calls: Sequence[Outgoing]) -> None:
        insert = "insert into outbox (job, key, path, body) values (?, ?, ?, ?)"
        self._db.executemany(insert, [(order, call.key, call.path, call.body) for call in calls])

    def step(self, order: str, name: str) -> str | None:
        """The result of a finished step, as JSON."""
        select = "select value from step where job = ? and name = ?"
        row = self._db.execute(select, (order, name)).fetchone()
        return row[0] if row else None

    def save_step(self, order: str, name: str, value: str) -> None:
        """Stores the result of a step, in place of an earlier one."""
        with self._writing():
            self._db.execute("insert or replace into step values (?, ?, ?)", (order, name, value))

    def forget(self, order: str) -> None:
        """Drops an order that the platform no longer has, with the calls that were to answer it."""
        with self._writing():
            self._db.execute("delete from outbox where job = ?", (order,))
            self._db.execute("delete from step where job = ?", (order,))
            self._db.execute("delete from job where id = ?", (order,))

    def prune(self) -> None:
        """Deletes orders that were answered long ago."""
        old = """select id from job where state = 'done' and done_at < ? and not exists (
            select 1 from outbox where job = job.id and outcome is null)"""
        before = (int(time.time()) - KEPT_SECONDS,)
        with self._writing():
            self._db.execute(f"delete from outbox where job in ({old})", before)
            self._db.execute(f"delete from job where id in ({old})", before)

    def close(self) -> None:
        self._db.close()
