"""The file of an export, which is read piece by piece."""

from __future__ import annotations

from ._call import Call, Request
from ._core import Core
from ._error import SvcError
from ._exchange import Lost, Reply, failure


def request(core: Core) -> Request:
    """The request of the file."""
    request = core.request(Call("GET", "/users/me/export/file", bytes))
    request.headers["Accept"] = "*/*"
    return request


def failed(core: Core, request: Request, came: Reply | Lost) -> SvcError:
    """Why there is no file, or not all of it."""
    error = failure(came, core.clock)
    error.method, error.path, error.attempts = request.method, request.path, 1
    return error
