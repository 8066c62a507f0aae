"""The error of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SECRET_PREFIXES = ("svc_ak_", "svc_dk_", "svc_id_", "svc_at_", "svc_rt_", "whsec_")
"""How secrets begin. Neither errors nor `repr` show them."""

Outcome = Literal["not_sent", "refused", "unknown"]


@dataclass(eq=False)
class SvcError(Exception):
    """A call failed.

    `outcome` says what is known of its effect: the request was `not_sent`, it was `refused`, or the
    effect is `unknown` because the answer was lost.
    """

    message: str
    outcome: Outcome = "not_sent"
    status: int | None = None
    """HTTP status of the answer, if there was one."""
    code: str | None = None
    """Code of the platform, such as `not_found`."""
    field: str | None = None
    """The member of the request that is wrong."""
    hint: str | None = None
    """The next step."""
    request_id: str | None = None
    method: str | None = None
    path: str | None = None
    """Path of the request, without `/api` and query."""
    retry_after: float | None = None
    """Seconds to wait before trying again, if the server said so."""
    attempts: int = 0
    retryable: bool = False
    """Whether the same call may succeed later."""
    idempotency_key: str | None = None
    """The key to send again with the same request, if that is safe."""

    def __str__(self) -> str:
        status = " ".join(str(fact) for fact in (self.status, self.code) if fact is not None)
        target = f"{self.method} {self.path}" if self.method else ""
        request = f"request {self.request_id}" if self.request_id else ""
        facts = ", ".join(fact for fact in (status, target, request) if fact)
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return self.message + (f" ({facts})" if facts else "") + hint
