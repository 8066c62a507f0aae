"""Runs the code samples of the document and prints the request that each of them sends."""

import json
import sys
from collections.abc import Callable

import httpx

import svc as sdk

name = ""


def record(request: httpx.Request) -> httpx.Response:
    body = request.content.decode() or None
    sent = {"name": name, "method": request.method, "url": str(request.url), "body": body}
    sys.stdout.write(json.dumps(sent) + "\n")
    return httpx.Response(200, json={})


def print(_: object) -> None:
    """The answers are not what the test reads."""


class Svc:
    """The client, whose requests reach no server."""

    @staticmethod
    def from_env() -> sdk.Svc:
        http = httpx.Client(transport=httpx.MockTransport(record))
        return sdk.Svc(
            "http://127.0.0.1:1",
            api_key="svc_sk_sample",
            developer_key="svc_dev_sample",
            http_client=http,
        )


def run(of: str, sample: Callable[[], None]) -> None:
    global name
    name = of
    try:
        sample()
    except Exception:  # The empty answer is not what it needs.
        pass


# samples
