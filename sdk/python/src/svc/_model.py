"""The base of all objects that the platform returns."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from ._error import SECRET_PREFIXES

_SECRETS = {
    ("LinkBegun", "url"),
    ("NewClaimLink", "url"),
    ("NewInvite", "code"),
    ("NewInvite", "url"),
    ("NewTotp", "uri"),
    ("RecoveryCodes", "recovery_codes"),
}
"""Members that are secret as a whole, by the names of their objects."""


class Model(BaseModel):
    """An object of the platform: members that this version does not know are ignored."""

    model_config = ConfigDict(populate_by_name=True)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """The members as logs show them, without keys and secrets."""
        for name, value in super().__repr_args__():
            is_key = isinstance(value, str) and value.startswith(SECRET_PREFIXES)
            is_secret = is_key or (type(self).__name__, name) in _SECRETS
            yield name, "[redacted]" if is_secret else value
