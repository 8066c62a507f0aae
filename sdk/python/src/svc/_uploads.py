"""Calls whose body is a file."""

from __future__ import annotations

from . import types
from ._call import Call
from ._core import Core, read
from ._exchange import Flow, exchange


def avatar(core: Core, file: bytes) -> Flow[types.UserEnvelope]:
    """Uploads the avatar of the account."""
    call = Call("PUT", "/users/me/avatar", types.UserEnvelope)
    request = core.raw(call, file, "application/octet-stream")
    reply = yield from exchange(request, core.limits, core.budget, core.clock)
    return read(reply, call.answer, request)
