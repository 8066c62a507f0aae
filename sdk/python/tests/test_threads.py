"""A bot in a thread of a program that does something else as well."""

import asyncio
import threading
import unittest
from unittest import mock

from svc import AsyncSvc, Bot, SvcError


class Threads(unittest.TestCase):
    def test_a_bot_runs_in_a_thread_until_another_one_stops_it(self) -> None:
        client = AsyncSvc("https://svc.example")
        bot = Bot(client, journal=":memory:")
        opened, failures = threading.Event(), list[BaseException]()

        async def take_in(*_: object) -> None:
            opened.set()
            await asyncio.sleep(3600)

        def run() -> None:
            try:
                bot.run()
            except BaseException as error:
                failures.append(error)

        with (
            mock.patch("svc.bot._bot.publish", return_value={}),
            mock.patch("svc.bot._bot.warn_of_other_bots"),
            mock.patch.object(bot, "_take_in", new=take_in),
        ):
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            self.assertTrue(opened.wait(10), failures)
            bot.stop()
            thread.join(10)
        self.assertEqual((thread.is_alive(), failures), (False, []))
        bot.stop()  # It has ended.
        with self.assertRaisesRegex(SvcError, "a bot runs once; make another one"):
            bot.run()
