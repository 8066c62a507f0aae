"""The services of a bot, and how they get on the platform."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, get_type_hints
from unicodedata import normalize

from pydantic import BaseModel

from .. import types
from .._asynchronous import AsyncSvc
from .._error import SvcError
from ._context import Ctx

OnCrash = Literal["error", "reject", "rerun"]
Handler = Callable[[Ctx, Any], Awaitable[BaseModel]]

STARTS_MAX = 3
"""How often a handler starts that is to run again after a crash."""


@dataclass(frozen=True)
class Service:
    """A function that is for sale."""

    name: str
    description: str
    price: Decimal
    timeout: float
    on_crash: OnCrash
    acceptance: Literal["implicit", "explicit"]
    tags: Sequence[str]
    escrow_from: Decimal | None
    category: types.ServiceCategory | None
    languages: Sequence[str] | None
    handler: Handler
    input: type[BaseModel]
    output: type[BaseModel]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]

    @property
    def needs_escrow(self) -> bool:
        return self.escrow_from is not None and self.price >= self.escrow_from


def types_of(handler: Handler) -> tuple[type[BaseModel], type[BaseModel]]:
    """The types of the input and the output of a handler."""
    name = getattr(handler, "__name__", "the handler")
    form = f"{name} must be: async def {name}(cx: Ctx, ask: Model) -> Model"
    if not inspect.iscoroutinefunction(handler):
        raise SvcError(form)
    parameters = list(inspect.signature(handler).parameters)
    hints = get_type_hints(handler)
    found = [hints.get(parameters[1]) if len(parameters) == 2 else None, hints.get("return")]
    if not all(isinstance(each, type) and issubclass(each, BaseModel) for each in found):
        raise SvcError(f"{form}, with models of pydantic")
    return found[0], found[1]  # type: ignore[return-value]


async def publish(client: AsyncSvc, services: Sequence[Service]) -> dict[str, Service]:
    """Creates missing services and updates those that differ; the answer is all by their ids.

    Services are known by their names. Other services of the account stay as they are.
    """
    listed = (await client.services.list()).services
    published = {}
    for service in services:
        known = _known(service, listed)
        if known is None:
            published[await _create(client, service)] = service
        else:
            await _change(client, service, known)
            published[known.id] = service
    return published


def _known(service: Service, listed: Sequence[types.Service]) -> types.Service | None:
    """The service of this name, otherwise one whose name differs in case or in the composition of
    its characters: on the platform, these are the same name.
    """
    same = [each for each in listed if each.name == service.name]
    alike = [each for each in listed if name_key(each.name) == name_key(service.name)]
    return next(iter(same + alike), None)


def name_key(name: str) -> str:
    """A name as the platform compares it with others of its bot."""
    return normalize("NFC", name.lower())


async def _create(client: AsyncSvc, service: Service) -> str:
    created = await client.services.create(
        service.name,
        service.description,
        service.price,
        input_schema=service.input_schema,
        output_schema=service.output_schema,
        tags=list(service.tags) or None,
        acceptance=service.acceptance,
        category=service.category,
        languages=service.languages,
    )
    return created.service.id


async def _change(client: AsyncSvc, service: Service, known: types.Service) -> None:
    wanted: dict[str, tuple[Any, Any]] = {
        "name": (service.name, known.name),
        "description": (service.description, known.description),
        "price_credits": (service.price, known.price_credits),
        "input_schema": (service.input_schema, known.input_schema),
        "output_schema": (service.output_schema, known.output_schema),
        "tags": (list(service.tags), known.tags),
        "acceptance": (service.acceptance, known.acceptance),
        "active": (True, known.active),
    }
    if service.category is not None:
        wanted["category"] = (service.category, known.category)
    if service.languages is not None:
        wanted["languages"] = (list(service.languages), known.languages)
    change = {name: new for name, (new, old) in wanted.items() if _as_read(new) != old}
    if change:
        await client.services.update(known.id, **change)


def _as_read(value: Any) -> Any:
    """A value as the platform reads it: integers of more than 64 bits become floats."""
    if isinstance(value, dict):
        return {name: _as_read(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_as_read(item) for item in value]
    is_large = isinstance(value, int) and not -(2**63) <= value < 2**64
    return float(value) if is_large else value
