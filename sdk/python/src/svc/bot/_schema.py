"""JSON Schemas of the types of a handler."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from .._error import SvcError

_DEPTH_MAX = 32


def published(
    model: type[BaseModel], mode: Literal["validation", "serialization"]
) -> dict[str, Any]:
    """The schema of a model. What it refers to is inlined, because many clients mishandle members
    that are only a `$ref`.
    """
    schema = model.model_json_schema(mode=mode)
    definitions = schema.pop("$defs", {})
    inlined = _inlined(schema, definitions, 0)
    assert isinstance(inlined, dict)
    if inlined.get("type") != "object":
        raise SvcError(f"{model.__name__} must be a model with members: its schema is no object")
    return inlined


def _inlined(part: Any, definitions: dict[str, Any], depth: int) -> Any:
    if depth > _DEPTH_MAX:
        raise SvcError(f"a schema must not be nested deeper than {_DEPTH_MAX} levels, nor endless")
    if isinstance(part, list):
        return [_inlined(item, definitions, depth + 1) for item in part]
    if not isinstance(part, dict):
        return part
    inside = {name: _inlined(value, definitions, depth + 1) for name, value in part.items()}
    reference = inside.pop("$ref", None)
    if not isinstance(reference, str):
        return inside
    target = definitions[reference.removeprefix("#/$defs/")]
    return {**_inlined(target, definitions, depth + 1), **inside}


def faults(error: ValidationError) -> list[dict[str, str]]:
    """What is wrong with an input, without its values."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return [
        {
            "pointer": "/input" + "".join(f"/{_escaped(part)}" for part in fault["loc"]),
            "message": fault["msg"],
        }
        for fault in found
    ]


def _escaped(part: int | str) -> str:
    """A step of a JSON pointer."""
    return str(part).replace("~", "~0").replace("/", "~1")
