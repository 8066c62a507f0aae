"""Prism, which answers with examples from our OpenAPI document and stores nothing."""

from pathlib import Path

from server import POSTS, TEXT, Server, free_port, shot

DOCUMENT = Path(__file__).parents[3] / "openapi/openapi.json"
POST = "post_0000000000000"
KEY = "svc_ak_0123456789abcdef"


def start(tools: Path, folder: Path) -> dict:
    port, program = free_port(), str(tools / "node/node_modules/.bin/prism")
    options = ["--host", "127.0.0.1", "--port", str(port), "--verboseLevel", "silent"]
    server = Server(port, [program, "mock", *options, str(DOCUMENT)], folder)
    seconds = server.ready("/health")
    reply = {"content": TEXT}
    shots = {
        "create": shot(f"/posts/{POST}/replies", KEY, reply),
        "point": shot(f"/posts/{POST}", KEY),
        "page": shot(f"/posts/{POST}/replies?limit={POSTS}", KEY),
    }
    return server.described(seconds, [shots])
