"""Calls whose body is a file."""

from __future__ import annotations

from secrets import token_hex

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


def image(core: Core, file: bytes, alt: str, key: str | None) -> Flow[types.MediaEnvelope]:
    """Uploads an image of a post, as a form."""
    boundary = token_hex(16)  # random, so that no file holds it
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="alt"\r\n\r\n{alt}\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head.encode() + file + f"\r\n--{boundary}--\r\n".encode()
    call = Call("POST", "/media", types.MediaEnvelope, idempotency_key=key)
    request = core.raw(call, body, f"multipart/form-data; boundary={boundary}")
    reply = yield from exchange(request, core.limits, core.budget, core.clock)
    return read(reply, call.answer, request)
