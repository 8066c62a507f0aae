"""A proxy of the environment carries what goes to other machines, and nothing else."""

import asyncio
import socket
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest import mock

from svc import AsyncSvc, Svc


class Heard(BaseHTTPRequestHandler):
    """Answers each GET, and keeps what it asks for."""

    paths: list[str] = []

    def do_GET(self) -> None:
        self.paths.append(self.path)
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass


def address_of_nobody() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


class Proxies(unittest.TestCase):
    def setUp(self) -> None:
        Heard.paths.clear()
        self.server = HTTPServer(("127.0.0.1", 0), Heard)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        serving = threading.Thread(target=self.server.serve_forever)
        serving.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(serving.join)
        self.addCleanup(self.server.shutdown)

    def ask(self, url: str, proxy: str) -> list[str]:
        """What is asked for by both clients."""

        async def asynchronous() -> None:
            async with AsyncSvc(url, api_key="svc_ak_secret", allow_plain_http=True) as svc:
                await svc.with_options(retries=0).request("GET", "/v1/anything")

        names = ("http_proxy", "https_proxy", "all_proxy")
        with mock.patch.dict("os.environ", {"no_proxy": "", **dict.fromkeys(names, proxy)}):
            with Svc(url, api_key="svc_ak_secret", allow_plain_http=True, retries=0) as svc:
                svc.request("GET", "/v1/anything")
            asyncio.run(asynchronous())
        return Heard.paths

    def test_a_key_for_this_machine_goes_to_no_proxy(self) -> None:
        asked = self.ask(self.address, proxy=address_of_nobody())
        self.assertEqual(asked, ["/api/v1/anything"] * 2)

    def test_another_machine_is_reached_through_the_proxy(self) -> None:
        asked = self.ask("http://svc.example", proxy=self.address)
        self.assertEqual(asked, ["http://svc.example/api/v1/anything"] * 2)
