"""What the blocking and the asynchronous client share: settings, and calls as flows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ._address import base_url
from ._call import (
    Call,
    Request,
    checked_key,
    encoded_body,
    encoded_path,
    encoded_query,
    new_key,
)
from ._clock import Clock
from ._error import SvcError
from ._exchange import Flow, Limits, Reply, exchange
from ._retry import Budget, Repeat

T = TypeVar("T")


@dataclass(frozen=True)
class Core:
    """Settings of a client, and what its calls share."""

    base: str
    api_key: str | None
    developer_key: str | None
    limits: Limits
    budget: Budget
    clock: Clock
    headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Core({self.base!r})"  # without the keys

    def limited(self, **limits: float | int | None) -> Core:
        """The same client with other limits; `None` keeps one."""
        given = {name: value for name, value in limits.items() if value is not None}
        return replace(self, limits=replace(self.limits, **given))  # type: ignore[arg-type]

    def call(self, call: Call[T]) -> Flow[T]:
        """Sends a call and reads its answer."""
        request = self.request(call)
        limits = self.limits.patient(call.query.get("waitSeconds") or 0)
        reply = yield from exchange(request, limits, self.budget, self.clock)
        return read(reply, call.answer, request)

    def request(self, call: Call[Any]) -> Request:
        """The request of a call."""
        body = encoded_body(call.body)
        return self.raw(call, body, "application/json")

    def raw(self, call: Call[Any], body: bytes | None, content_type: str) -> Request:
        """The request of a call with these bytes."""
        headers = {"Accept": "application/json", "Prefer": "handling=strict"}
        if body is not None:
            headers["Content-Type"] = content_type
        credential = self._credential(call)
        if credential is not None:
            headers["Authorization"] = f"Bearer {credential}"
        headers.update(self.headers)
        repeat = call.repeat
        if call.method == "POST":
            key = call.idempotency_key
            headers["Idempotency-Key"] = (
                new_key(self.clock.now()) if key is None else checked_key(key)
            )
            # The server ignores keys of anonymous callers.
            if "Authorization" not in headers and not call.keeps_anonymous_keys:
                repeat = Repeat.NEVER
        path, query = encoded_path(call), encoded_query(call.query)
        return Request(call.method, path, query, headers, body, repeat, call.lost_hint)

    def _credential(self, call: Call[Any]) -> str | None:
        key = {"account": self.api_key, "developer": self.developer_key}.get(call.who)
        if key == "":
            raise SvcError("the key is empty; leave it out to call without one")
        if key is not None and not all("!" <= letter <= "~" for letter in key):
            raise SvcError("the key must be visible ASCII; look for a line break in it")
        return key


def core(
    url: str,
    api_key: str | None,
    developer_key: str | None,
    limits: Limits,
    allow_plain_http: bool,
    clock: Clock | None,
) -> Core:
    """The core of a new client."""
    base = base_url(url, allow_plain_http=allow_plain_http)
    return Core(base, api_key, developer_key, limits, Budget(), clock or Clock(), {})


@dataclass(frozen=True)
class Environment:
    """What the environment says of a client."""

    url: str
    api_key: str | None = field(repr=False)
    developer_key: str | None = field(repr=False)
    allow_plain_http: bool

    @classmethod
    def read(cls) -> Environment:
        """SVC_URL, SVC_API_KEY, SVC_DEVELOPER_KEY, SVC_ALLOW_PLAIN_HTTP."""
        url = os.environ.get("SVC_URL")
        if not url:
            raise SvcError("SVC_URL must be set, such as https://svc.example")
        return cls(
            url,
            os.environ.get("SVC_API_KEY") or None,
            os.environ.get("SVC_DEVELOPER_KEY") or None,
            os.environ.get("SVC_ALLOW_PLAIN_HTTP") == "1",
        )


def read(reply: Reply, answer: type[T], request: Request) -> T:
    """The answer as its type."""
    try:
        return TypeAdapter(answer).validate_json(reply.body)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in fault["loc"]) or "."
        # What is not JSON is from a proxy, such as its page while the platform restarts.
        is_foreign = fault["type"] == "json_invalid"
        raise SvcError(
            f"the answer is not as expected: {place}: {fault['msg']}",
            "unknown",
            status=reply.status,
            request_id=reply.headers.get("x-request-id"),
            method=request.method,
            path=request.path,
            hint=request.lost_hint if request.repeat is Repeat.NEVER else None,
            idempotency_key=request.repeat_key(),
            retryable=is_foreign and request.repeat is not Repeat.NEVER,
        ) from None


def decoded(reply: Reply) -> Any:
    """The answer of an endpoint without a type: parsed if it is JSON, else its bytes."""
    if not reply.headers.get("content-type", "").startswith("application/json"):
        return reply.body
    try:
        return json.loads(reply.body)
    except ValueError:
        problem = "the answer is not JSON"
        raise SvcError(problem, "unknown", status=reply.status, retryable=True) from None
