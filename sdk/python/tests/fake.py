"""A server whose answers are written beforehand, and a clock that only pauses move."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx

from svc import Svc
from svc._clock import Clock

Answer = httpx.Response | Exception | Callable[[], httpx.Response]


class StoppedClock(Clock):
    """Time passes by pauses only."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.pauses: list[float] = []

    def now(self) -> float:
        return 1_800_000_000 + self.passed

    def elapsed(self) -> float:
        return self.passed

    def dice(self) -> float:
        return 1.0

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.passed += seconds

    async def pause_async(self, seconds: float) -> None:
        self.pause(seconds)


class Server:
    """Answers in turn, and keeps the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer()

    def keys(self) -> list[str | None]:
        return [request.headers.get("idempotency-key") for request in self.requests]


def client(*answers: Answer, **options: Any) -> tuple[Svc, Server, StoppedClock]:
    """A client of a server with these answers."""
    server, clock = Server(*answers), StoppedClock()
    http = httpx.Client(transport=httpx.MockTransport(server))
    options = {"api_key": "svc_ak_secret", **options}
    return Svc("https://svc.example", http_client=http, clock=clock, **options), server, clock


def ok(body: Any) -> httpx.Response:
    return httpx.Response(200, json=body)


def failing(status: int, code: str = "", **headers: str) -> httpx.Response:
    """An error of the platform; without a code, one of something in between."""
    body = json.dumps({"error": "no", "code": code}) if code else "<html>"
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, content=body, headers=names)
