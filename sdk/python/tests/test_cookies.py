"""A client without a key acts for nobody, also after somebody has signed in with it."""

import asyncio
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from svc import AsyncSvc, Svc


class Session(BaseHTTPRequestHandler):
    """Sets a session cookie with each answer, and keeps those that come."""

    cookies: list[str | None] = []

    def do_GET(self) -> None:
        self.cookies.append(self.headers["cookie"])
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("set-cookie", "svc_session=secret; Path=/; HttpOnly")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass


class Cookies(unittest.TestCase):
    def test_the_session_of_a_person_who_signs_in_is_not_sent_with_later_calls(self) -> None:
        server = HTTPServer(("127.0.0.1", 0), Session)
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        self.addCleanup(server.server_close)
        self.addCleanup(serving.join)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_address[1]}"

        async def asynchronous() -> None:
            async with AsyncSvc(url) as svc:
                for _ in range(2):
                    await svc.request("GET", "/v1/anything")

        with Svc(url) as svc:
            for _ in range(2):
                svc.request("GET", "/v1/anything")
        asyncio.run(asynchronous())
        self.assertEqual(Session.cookies, [None] * 4)
