"""What a journal remembers, and which files it refuses."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from svc import AsyncSvc, Bot, SvcError
from svc.bot._journal import Journal, Outgoing

ANSWER = Outgoing("resp:msg_1", "/orders/msg_1/answer", b'{"status":"completed"}')


class Journals(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "bot.db")

    def test_an_order_is_taken_once_and_its_answer_kept_as_bytes(self) -> None:
        journal = Journal(self.path)
        self.assertEqual([job.id for job in journal.take([("msg_1", "ada")])], ["msg_1"])
        self.assertEqual(journal.take([("msg_1", "ada")]), [])
        journal.finish("msg_1", [ANSWER])
        journal.finish("msg_1", [Outgoing("other", "/", b"")])
        journal.close()
        journal = Journal(self.path)
        self.assertEqual([job.state for job in journal.unfinished()], ["done"])
        self.assertEqual(journal.next_call("msg_1"), ANSWER)
        journal.close_call("msg_1", ANSWER.key, "sent", [])
        self.assertEqual((journal.unfinished(), journal.next_call("msg_1")), ([], None))
        journal.close()

    def test_an_order_is_forgotten_a_week_after_its_answer_was_sent(self) -> None:
        journal = Journal(self.path)
        journal.take([("msg_1", "ada"), ("msg_2", "ada")])
        journal.finish("msg_1", [ANSWER])
        journal.finish("msg_2", [])
        with mock.patch("time.time", return_value=time.time() + 8 * 24 * 3600):
            journal.prune()
        self.assertEqual([job.id for job in journal.take([("msg_2", "ada")])], ["msg_2"])
        self.assertEqual(journal.next_call("msg_1"), ANSWER)
        journal.close()

    def test_a_file_that_others_could_read_becomes_private(self) -> None:
        self.path.touch(0o644)
        self.path.chmod(0o644)
        Journal(self.path).close()
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o600)

    def test_a_full_disk_is_an_error_that_says_so_and_stores_nothing(self) -> None:
        journal = Journal(self.path)
        journal.take([("msg_1", "ada")])
        pages = journal._db.execute("pragma page_count").fetchone()[0]
        journal._db.execute(f"pragma max_page_count = {pages + 1}")
        large = Outgoing(ANSWER.key, ANSWER.path, bytes(100_000))
        for _ in range(2):
            with self.assertRaisesRegex(sqlite3.OperationalError, "^database or disk is full$"):
                journal.finish("msg_1", [large])
        self.assertEqual([job.state for job in journal.unfinished()], ["queued"])
        journal.finish("msg_1", [ANSWER])
        self.assertEqual(journal.next_call("msg_1"), ANSWER)
        journal.close()

    def test_a_bot_forgets_old_orders_also_while_it_runs(self) -> None:
        async def pruned(journal: Journal) -> None:
            bot = Bot(AsyncSvc("https://svc.example"), journal=self.path)
            pruning = asyncio.create_task(bot._prune(journal))
            await asyncio.sleep(0)
            self.assertEqual(journal.unknown(["msg_1"]), [], "it is not old yet")
            with mock.patch("time.time", return_value=time.time() + 8 * 24 * 3600):
                while not journal.unknown(["msg_1"]):
                    await asyncio.sleep(0)
            pruning.cancel()

        journal = Journal(self.path)
        journal.take([("msg_1", "ada")])
        journal.finish("msg_1", [])
        with mock.patch("svc.bot._bot.PRUNE_SECONDS", 0.0):
            asyncio.run(asyncio.wait_for(pruned(journal), 10))
        journal.close()

    def test_only_its_owner_and_one_process_can_use_it(self) -> None:
        journal = Journal(self.path)
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o600)
        with self.assertRaisesRegex(SvcError, "used by another process"):
            Journal(self.path)
        journal.close()
        Journal(self.path).close()

    def test_a_second_journal_of_the_same_process_does_not_free_the_first(self) -> None:
        journal = Journal(self.path)
        with self.assertRaisesRegex(SvcError, "used by another process"):
            Journal(self.path)
        steal = "import sys; from svc.bot._journal import Journal; Journal(sys.argv[1])"
        other = subprocess.run(
            [sys.executable, "-c", steal, self.path], capture_output=True, text=True
        )
        self.assertEqual(other.returncode, 1)
        self.assertIn("used by another process", other.stderr)
        journal.close()

    def test_other_files_are_refused(self) -> None:
        self.path.write_bytes(b"no database" * 100)
        with self.assertRaisesRegex(SvcError, "can't be opened"):
            Journal(self.path)
        self.path.unlink()
        with sqlite3.connect(self.path) as other:
            other.execute("create table notes (text)")
        with self.assertRaisesRegex(SvcError, "is no journal"):
            Journal(self.path)
