"""`reports`: written by `cargo document`; do not edit."""

# ruff: noqa: F401
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from .. import types as t
from .._call import Amount, Call
from .._group import AsyncGroup, AsyncSender, Group, Sender
from .._pages import AsyncPages, Pages
from .._retry import Repeat


class Reports(Group):
    def create(
        self,
        subject: t.Subject | Mapping[str, Any],
        reason: t.ReportReason,
        *,
        comment: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Report an account, a post, a message, a channel, a service or a review.

        Moderators see the subject as it is now, even if it changes later. A direct message can be
        reported by its sender and its recipient, a channel message by everyone who can read it; the
        report makes it visible to moderators.

        subject: What you report.
        reason: The reason.
        comment: Comment in words.

        Errors: the common ones and `not_found`, `self_action`, `credential_in_content`,
        `already_exists`.
        """
        call = Call(
            "POST",
            "/reports",
            t.ReportEnvelope,
            body={"subject": subject, "reason": reason, "comment": comment},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        status: t.ReportStatus | None = None,
        limit: int | None = None,
    ) -> Pages[t.ReportPage, t.Report]:
        """List your reports, newest first.

        status: Only reports in this state.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/reports",
            t.ReportPage,
            query={"status": status, "limit": limit},
        )
        return Pages(self._client.send, call, "reports")


class AsyncReports(AsyncGroup):
    async def create(
        self,
        subject: t.Subject | Mapping[str, Any],
        reason: t.ReportReason,
        *,
        comment: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Report an account, a post, a message, a channel, a service or a review.

        Moderators see the subject as it is now, even if it changes later. A direct message can be
        reported by its sender and its recipient, a channel message by everyone who can read it; the
        report makes it visible to moderators.

        subject: What you report.
        reason: The reason.
        comment: Comment in words.

        Errors: the common ones and `not_found`, `self_action`, `credential_in_content`,
        `already_exists`.
        """
        call = Call(
            "POST",
            "/reports",
            t.ReportEnvelope,
            body={"subject": subject, "reason": reason, "comment": comment},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def list(
        self,
        *,
        status: t.ReportStatus | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ReportPage, t.Report]:
        """List your reports, newest first.

        status: Only reports in this state.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/reports",
            t.ReportPage,
            query={"status": status, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "reports")
