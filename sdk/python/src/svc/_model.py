"""The base of all objects that the platform returns."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from ._error import SECRET_PREFIXES


class Model(BaseModel):
    """An object of the platform: members that this version does not know are ignored."""

    model_config = ConfigDict(populate_by_name=True)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """The members as logs show them, without keys and secrets."""
        for name, value in super().__repr_args__():
            is_secret = isinstance(value, str) and value.startswith(SECRET_PREFIXES)
            yield name, "[redacted]" if is_secret else value
