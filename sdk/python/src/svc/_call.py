"""Calls as values: what an endpoint receives, and the bytes that are sent."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

from pydantic import BaseModel, RootModel
from pydantic_core import to_jsonable_python

from ._error import SvcError
from ._retry import Repeat

T = TypeVar("T", covariant=True)

Amount: TypeAlias = int | float | Decimal

_UNITS = ((1, "s"), (60, "m"), (3600, "h"), (86_400, "d"))
"""Units of a duration in seconds."""
_SPAN_MAX = 999_999
"""How many units a duration has at most: six digits."""

Who = Literal["account", "developer"]
"""Whose key a call sends, if the client has one."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """A call of an endpoint."""

    method: str
    path: str
    """Below the base URL, with `{names}` for the members of `path_members`."""
    answer: type[T]
    path_members: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    who: Who = "account"
    repeat: Repeat = Repeat.SAME
    keeps_anonymous_keys: bool = False
    """Whether the server honours the idempotency key of an anonymous caller."""
    lost_hint: str = "check whether it took effect before calling again"
    """What to check if the answer was lost and the call may not be repeated."""
    idempotency_key: str | None = None


@dataclass(frozen=True)
class Request:
    """A request, the same for all attempts but for a renewed key."""

    method: str
    path: str
    """Percent-encoded, below the base URL."""
    query: str
    # Tools that report errors show the variables of each function by their `repr`.
    headers: dict[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    repeat: Repeat
    lost_hint: str

    def repeat_key(self) -> str | None:
        """The idempotency key under which the request may be sent again."""
        return self.headers.get("Idempotency-Key") if self.repeat is Repeat.SAME else None


def encoded_path(call: Call[Any]) -> str:
    """The path of a call with its members."""
    path = call.path
    for name, value in call.path_members.items():
        # Parsers of URLs fold these into another path, however they are encoded.
        if value in ("", ".", ".."):
            raise SvcError(f"{name} must be neither empty nor a path", field=name)
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def encoded_query(members: Mapping[str, Any]) -> str:
    """A query without the members that are `None`."""
    given = [(name, word(value)) for name, value in members.items() if value is not None]
    return urlencode(given, quote_via=quote)


def encoded_body(members: Mapping[str, Any]) -> bytes | None:
    """A JSON object without the members that are `None`; no body without members."""
    given = {name: plain(value) for name, value in members.items() if value is not None}
    return encoded(given) if given else None


def encoded(given: Any) -> bytes:
    """JSON in its shortest form; pydantic writes dates, enums and the like."""
    try:
        text = json.dumps(
            given,
            ensure_ascii=False,
            allow_nan=False,
            separators=(",", ":"),
            default=to_jsonable_python,
        )
        return text.encode()
    except (TypeError, ValueError) as error:
        raise SvcError(f"the request can't be written as JSON: {error}") from None


def credits_of(value: Amount, name: str) -> Decimal:
    """The credits that the argument `name` has."""
    try:
        credits = Decimal(str(value))
    except InvalidOperation:
        credits = Decimal("NaN")
    if not credits.is_finite():
        rule = f"{name} must be a number of credits, such as 5 or Decimal('0.25'), not {value!r}"
        raise SvcError(rule, field=name)
    return credits


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, BaseModel):
        return plain(value.model_dump(by_alias=True, exclude_none=True))
    if isinstance(value, Mapping):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (datetime, timedelta)):
        return word(value)
    return value


def document(value: Any) -> Any:
    """A document of the caller, such as the input of a service, as JSON has it.

    Unlike in the members of a request, dates and durations are as pydantic reads them, and members
    that a model requires are there even if they are `None`.
    """
    if isinstance(value, BaseModel):
        given = value.model_dump(by_alias=True, exclude_none=True)
        _add_required(value, given)
        return document(given)
    if isinstance(value, Mapping):
        return {name: document(member) for name, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [document(item) for item in value]
    if isinstance(value, (datetime, timedelta)):
        return to_jsonable_python(value)
    return plain(value)


def _add_required(value: Any, given: Any) -> None:
    """Adds the members that are `None` although their models require them."""
    if isinstance(value, RootModel):
        value = value.root
    if isinstance(value, BaseModel) and isinstance(given, dict):
        for name, info in type(value).model_fields.items():
            alias, member = info.serialization_alias or name, getattr(value, name)
            if alias in given:
                _add_required(member, given[alias])
            elif member is None and info.is_required() and not info.exclude:
                given[alias] = None
    elif isinstance(value, Mapping) and isinstance(given, Mapping):
        for name, item in value.items():
            _add_required(item, given.get(name))
    elif isinstance(value, (list, tuple)) and isinstance(given, (list, tuple)):
        for item, part in zip(value, given, strict=False):
            _add_required(item, part)


def word(value: Any) -> str:
    """A value in a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, timedelta):
        return _span(int(value.total_seconds()))
    if isinstance(value, (list, tuple)):
        return ",".join(word(item) for item in value)
    return str(value)


def _span(seconds: int) -> str:
    """A duration in the largest unit that divides it, else in the first that six digits hold."""
    exact = [(size, unit) for size, unit in _UNITS if seconds % size == 0 and seconds >= size]
    for size, unit in [*reversed(exact), *_UNITS]:
        if seconds // size <= _SPAN_MAX:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"  # too long for the platform, which says so


def checked_key(key: str) -> str:
    """A key of the caller, if it is valid."""
    if not (1 <= len(key) <= 255 and all("!" <= letter <= "~" for letter in key)):
        rule = "an idempotency key must be 1 to 255 visible ASCII characters"
        raise SvcError(rule, field="Idempotency-Key")
    return key


def new_key(now: float) -> str:
    """A UUID of version 7, so that the server's index of keys grows at one end."""
    bits = int(now * 1000) << 80 | secrets.randbits(80)
    bits = bits & ~(0xF << 76) | 0x7 << 76
    bits = bits & ~(0x3 << 62) | 0x2 << 62
    digits = f"{bits:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
