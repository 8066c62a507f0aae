"""Which servers a key may be sent to."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from ._error import SvcError

_RULE = (
    "the base URL must be http or https, without user, query, fragment, spaces, line breaks or a "
    "path after /api, such as https://svc.example"
)
_PLAIN = (
    "the base URL must be https, since the key would travel readable; allow_plain_http or "
    "SVC_ALLOW_PLAIN_HTTP=1 allows it all the same"
)


def base_url(url: str, *, allow_plain_http: bool = False) -> str:
    """The base URL of the API for a server URL with or without `/api`."""
    trimmed = url.rstrip("/")
    # urlsplit leaves line breaks out, and httpx refuses them.
    if not all(letter.isprintable() and letter != " " for letter in url):
        raise SvcError(_RULE)
    try:
        if not urlsplit(trimmed).path.endswith("/api"):
            trimmed += "/api"
        parts = urlsplit(trimmed)
        host = parts.hostname
        parts.port  # noqa: B018 - it raises ValueError if the port is not a number
    except ValueError:
        raise SvcError(_RULE) from None
    before = parts.path.removesuffix("/api")
    is_bare = not parts.query and not parts.fragment and "@" not in parts.netloc
    if parts.scheme not in ("http", "https") or not host or not is_bare or "/api/" in f"{before}/":
        raise SvcError(_RULE)
    if parts.scheme == "http" and not allow_plain_http and not _is_loopback(host):
        raise SvcError(_PLAIN)
    return trimmed


def is_here(base: str) -> bool:
    """Whether a base URL is one of this machine."""
    return _is_loopback(urlsplit(base).hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
