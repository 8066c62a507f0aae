"""`moderation`: written by `cargo document`; do not edit."""

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


class Moderation(Group):
    def billing(self) -> t.BillingStatusEnvelope:
        """Get the state of payments and payouts of the whole platform.

        Errors: the common ones and `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/moderation/billing",
            t.BillingStatusEnvelope,
        )
        return self._client.send(call)

    def reports(
        self,
        *,
        status: t.ReportStatus | None = None,
        reason: t.ReportReason | None = None,
        subject_type: t.SubjectType | None = None,
        assignee: str | None = None,
        limit: int | None = None,
    ) -> Pages[t.ReportPage, t.Report]:
        """List the reports of all accounts, newest first.

        status: Only reports in this state.
        reason: Only reports with this reason.
        subject_type: Only reports about this type of subject.
        assignee: Only reports assigned to this moderator: username or user id.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/moderation/reports",
            t.ReportPage,
            query={
                "status": status,
                "reason": reason,
                "subjectType": subject_type,
                "assignee": assignee,
                "limit": limit,
            },
        )
        return Pages(self._client.send, call, "reports")

    def report(self, report_id: str) -> t.ReportEnvelope:
        """Get a report.

        report_id: Id of the report: `rpt_…`.
        """
        call = Call(
            "GET",
            "/moderation/reports/{reportId}",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
        )
        return self._client.send(call)

    def assign(
        self,
        report_id: str,
        *,
        username: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Assign an open report to yourself or another moderator.

        report_id: Id of the report: `rpt_…`.
        username: The assignee: username or user id of a moderator; you when omitted.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/reports/{reportId}/assign",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
            body={"username": username},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def resolve(
        self,
        report_id: str,
        outcome: t.ReportOutcome,
        *,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Close an open report.

        Closing takes no action; use the actions endpoint for that.

        report_id: Id of the report: `rpt_…`.
        outcome: Whether action was taken.
        note: Note for other moderators.

        Errors: the common ones and `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/reports/{reportId}/resolve",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
            body={"outcome": outcome, "note": note},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def reopen(
        self,
        report_id: str,
        *,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Reopen a report.

        report_id: Id of the report: `rpt_…`.
        note: Note for other moderators.

        Errors: the common ones and `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/reports/{reportId}/reopen",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
            body={"note": note},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def act(
        self,
        subject: t.Subject | Mapping[str, Any],
        kind: t.ModerationActionType,
        reason: str,
        *,
        label: str | None = None,
        expires_in: str | None = None,
        report_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ModerationActionEnvelope:
        """Act on an account, a post, a message, a channel, a service or a review.

        On posts: `hide`, `restore`, `remove`, `label`, `unlabel`. On direct messages that were reported
        or sent to you: `hide`, `restore`, `remove`. On accounts: `warn`, `limit`, `unlimit`, `suspend`,
        `unsuspend`. On services, channels, reviews, and channel messages that were reported or that you
        can read: `remove`. Accounts with the same or a higher role, and their content, are protected.
        With `expiresIn` the effect ends automatically; repeating the action replaces the end. The owner
        of the subject is notified, unless neither the effect nor its end changes.

        subject: What the action is about.
        kind: The action.
        reason: Reason, shown to the owner of the subject.
        label: The label, for `label` and `unlabel`: 1–32 characters of a-z, 0-9, _ and -.
        expires_in: Duration of `hide`, `label`, `limit` and `suspend`: 1m to 90d; permanent
            when omitted.
        report_id: The report that led to the action; its status does not change.

        Errors: the common ones and `not_found`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/actions",
            t.ModerationActionEnvelope,
            body={
                "subject": subject,
                "type": kind,
                "reason": reason,
                "label": label,
                "expiresIn": expires_in,
                "reportId": report_id,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def actions(
        self,
        *,
        subject_type: t.SubjectType | None = None,
        subject_id: str | None = None,
        actor: str | None = None,
        kind: t.ModerationActionType | None = None,
        limit: int | None = None,
    ) -> Pages[t.ModerationActionPage, t.ModerationAction]:
        """List actions of moderators, newest first.

        subject_type: Only actions on this type of subject.
        subject_id: Only actions on the subject with this id.
        actor: Only actions by this moderator: username or user id.
        kind: Only actions of this type.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/moderation/actions",
            t.ModerationActionPage,
            query={
                "subjectType": subject_type,
                "subjectId": subject_id,
                "actor": actor,
                "type": kind,
                "limit": limit,
            },
        )
        return Pages(self._client.send, call, "actions")

    def update_user(
        self,
        username: str,
        *,
        role: t.Role | None = None,
        tier: t.TierSetting | None = None,
        x_verified: bool | None = None,
        google_verified: bool | None = None,
    ) -> t.UserEnvelope:
        """Set role, tier and verifications of an account.

        username: Username, ignoring case, or user id.
        role: The role. The last admin keeps it.
        tier: The tier, whatever is paid for; `auto` leaves it to what is paid.
        x_verified: Whether the X account is verified.
        google_verified: Whether the Google account is verified.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "PATCH",
            "/moderation/users/{username}",
            t.UserEnvelope,
            path_members={"username": username},
            body={
                "role": role,
                "tier": tier,
                "xVerified": x_verified,
                "googleVerified": google_verified,
            },
        )
        return self._client.send(call)

    def signups(self, *, limit: int | None = None) -> Pages[t.SignupPage, t.Signup]:
        """List the accounts that wait for approval, oldest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/signups",
            t.SignupPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "signups")

    def approve_signup(
        self,
        user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.UserEnvelope:
        """Approve an account, which may then do what every new account may.

        user_id: The account: user id, or username, ignoring case.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/signups/{userId}/approve",
            t.UserEnvelope,
            path_members={"userId": user_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def reject_signup(self, user_id: str, *, idempotency_key: str | None = None) -> t.Deleted:
        """Reject an account.

        It is erased at once, and its username and e-mail address are free again.

        user_id: The account: user id, or username, ignoring case.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/signups/{userId}/reject",
            t.Deleted,
            path_members={"userId": user_id},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def overview(self, *, window: t.OverviewWindow | None = None) -> t.OverviewEnvelope:
        """Get figures of the whole platform.

        Counts of sign-ups, of failed deliveries and of what waits in a queue end at 10,000.

        window: Time window; `7d` when omitted.
        """
        call = Call(
            "GET",
            "/moderation/overview",
            t.OverviewEnvelope,
            query={"window": window},
        )
        return self._client.send(call)

    def failed_deliveries(
        self,
        *,
        window: t.OverviewWindow | None = None,
        limit: int | None = None,
    ) -> Pages[t.FailedDeliveryPage, t.FailedDelivery]:
        """List deliveries to the webhooks of all accounts that were given up, newest first.

        window: Only deliveries that began in this time window; all when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/failed-deliveries",
            t.FailedDeliveryPage,
            query={"window": window, "limit": limit},
        )
        return Pages(self._client.send, call, "deliveries")

    def orders(
        self,
        *,
        outcome: t.OrderOutcome | None = None,
        window: t.OverviewWindow | None = None,
        limit: int | None = None,
    ) -> Pages[t.EndedOrderPage, t.EndedOrder]:
        """List ended orders of all accounts, latest end first, without their contents.

        These are the orders that `ordersDone` and `ordersFailed` of `GET /moderation/overview` count.

        outcome: How they ended; `completed` when omitted.
        window: Only orders that ended in this time window; `7d` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/orders",
            t.EndedOrderPage,
            query={"outcome": outcome, "window": window, "limit": limit},
        )
        return Pages(self._client.send, call, "orders")

    def escrows(self, *, limit: int | None = None) -> Pages[t.OpenEscrowPage, t.OpenEscrow]:
        """List escrows that hold credits, oldest first, without their contents.

        These are the escrows that `escrowsOpen` and `escrowsHold` of `GET /moderation/overview` count.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/escrows",
            t.OpenEscrowPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "escrows")

    def queue(
        self,
        queue: t.QueueName,
        *,
        limit: int | None = None,
    ) -> Pages[t.QueuePage, t.QueueEntry]:
        """List the entries of a queue, longest overdue first, without contents or addresses.

        The queue `search` is listed by id, since it holds no times.

        queue: The queue.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/queues/{queue}",
            t.QueuePage,
            path_members={"queue": queue},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "entries")


class AsyncModeration(AsyncGroup):
    async def billing(self) -> t.BillingStatusEnvelope:
        """Get the state of payments and payouts of the whole platform.

        Errors: the common ones and `feature_not_configured`.
        """
        call = Call(
            "GET",
            "/moderation/billing",
            t.BillingStatusEnvelope,
        )
        return await self._client.send(call)

    def reports(
        self,
        *,
        status: t.ReportStatus | None = None,
        reason: t.ReportReason | None = None,
        subject_type: t.SubjectType | None = None,
        assignee: str | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ReportPage, t.Report]:
        """List the reports of all accounts, newest first.

        status: Only reports in this state.
        reason: Only reports with this reason.
        subject_type: Only reports about this type of subject.
        assignee: Only reports assigned to this moderator: username or user id.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/moderation/reports",
            t.ReportPage,
            query={
                "status": status,
                "reason": reason,
                "subjectType": subject_type,
                "assignee": assignee,
                "limit": limit,
            },
        )
        return AsyncPages(self._client.send, call, "reports")

    async def report(self, report_id: str) -> t.ReportEnvelope:
        """Get a report.

        report_id: Id of the report: `rpt_…`.
        """
        call = Call(
            "GET",
            "/moderation/reports/{reportId}",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
        )
        return await self._client.send(call)

    async def assign(
        self,
        report_id: str,
        *,
        username: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Assign an open report to yourself or another moderator.

        report_id: Id of the report: `rpt_…`.
        username: The assignee: username or user id of a moderator; you when omitted.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/reports/{reportId}/assign",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
            body={"username": username},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def resolve(
        self,
        report_id: str,
        outcome: t.ReportOutcome,
        *,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Close an open report.

        Closing takes no action; use the actions endpoint for that.

        report_id: Id of the report: `rpt_…`.
        outcome: Whether action was taken.
        note: Note for other moderators.

        Errors: the common ones and `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/reports/{reportId}/resolve",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
            body={"outcome": outcome, "note": note},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def reopen(
        self,
        report_id: str,
        *,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReportEnvelope:
        """Reopen a report.

        report_id: Id of the report: `rpt_…`.
        note: Note for other moderators.

        Errors: the common ones and `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/reports/{reportId}/reopen",
            t.ReportEnvelope,
            path_members={"reportId": report_id},
            body={"note": note},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def act(
        self,
        subject: t.Subject | Mapping[str, Any],
        kind: t.ModerationActionType,
        reason: str,
        *,
        label: str | None = None,
        expires_in: str | None = None,
        report_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.ModerationActionEnvelope:
        """Act on an account, a post, a message, a channel, a service or a review.

        On posts: `hide`, `restore`, `remove`, `label`, `unlabel`. On direct messages that were reported
        or sent to you: `hide`, `restore`, `remove`. On accounts: `warn`, `limit`, `unlimit`, `suspend`,
        `unsuspend`. On services, channels, reviews, and channel messages that were reported or that you
        can read: `remove`. Accounts with the same or a higher role, and their content, are protected.
        With `expiresIn` the effect ends automatically; repeating the action replaces the end. The owner
        of the subject is notified, unless neither the effect nor its end changes.

        subject: What the action is about.
        kind: The action.
        reason: Reason, shown to the owner of the subject.
        label: The label, for `label` and `unlabel`: 1–32 characters of a-z, 0-9, _ and -.
        expires_in: Duration of `hide`, `label`, `limit` and `suspend`: 1m to 90d; permanent
            when omitted.
        report_id: The report that led to the action; its status does not change.

        Errors: the common ones and `not_found`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/actions",
            t.ModerationActionEnvelope,
            body={
                "subject": subject,
                "type": kind,
                "reason": reason,
                "label": label,
                "expiresIn": expires_in,
                "reportId": report_id,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def actions(
        self,
        *,
        subject_type: t.SubjectType | None = None,
        subject_id: str | None = None,
        actor: str | None = None,
        kind: t.ModerationActionType | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.ModerationActionPage, t.ModerationAction]:
        """List actions of moderators, newest first.

        subject_type: Only actions on this type of subject.
        subject_id: Only actions on the subject with this id.
        actor: Only actions by this moderator: username or user id.
        kind: Only actions of this type.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/moderation/actions",
            t.ModerationActionPage,
            query={
                "subjectType": subject_type,
                "subjectId": subject_id,
                "actor": actor,
                "type": kind,
                "limit": limit,
            },
        )
        return AsyncPages(self._client.send, call, "actions")

    async def update_user(
        self,
        username: str,
        *,
        role: t.Role | None = None,
        tier: t.TierSetting | None = None,
        x_verified: bool | None = None,
        google_verified: bool | None = None,
    ) -> t.UserEnvelope:
        """Set role, tier and verifications of an account.

        username: Username, ignoring case, or user id.
        role: The role. The last admin keeps it.
        tier: The tier, whatever is paid for; `auto` leaves it to what is paid.
        x_verified: Whether the X account is verified.
        google_verified: Whether the Google account is verified.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "PATCH",
            "/moderation/users/{username}",
            t.UserEnvelope,
            path_members={"username": username},
            body={
                "role": role,
                "tier": tier,
                "xVerified": x_verified,
                "googleVerified": google_verified,
            },
        )
        return await self._client.send(call)

    def signups(self, *, limit: int | None = None) -> AsyncPages[t.SignupPage, t.Signup]:
        """List the accounts that wait for approval, oldest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/signups",
            t.SignupPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "signups")

    async def approve_signup(
        self,
        user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.UserEnvelope:
        """Approve an account, which may then do what every new account may.

        user_id: The account: user id, or username, ignoring case.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/signups/{userId}/approve",
            t.UserEnvelope,
            path_members={"userId": user_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def reject_signup(
        self,
        user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.Deleted:
        """Reject an account.

        It is erased at once, and its username and e-mail address are free again.

        user_id: The account: user id, or username, ignoring case.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/moderation/signups/{userId}/reject",
            t.Deleted,
            path_members={"userId": user_id},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def overview(self, *, window: t.OverviewWindow | None = None) -> t.OverviewEnvelope:
        """Get figures of the whole platform.

        Counts of sign-ups, of failed deliveries and of what waits in a queue end at 10,000.

        window: Time window; `7d` when omitted.
        """
        call = Call(
            "GET",
            "/moderation/overview",
            t.OverviewEnvelope,
            query={"window": window},
        )
        return await self._client.send(call)

    def failed_deliveries(
        self,
        *,
        window: t.OverviewWindow | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.FailedDeliveryPage, t.FailedDelivery]:
        """List deliveries to the webhooks of all accounts that were given up, newest first.

        window: Only deliveries that began in this time window; all when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/failed-deliveries",
            t.FailedDeliveryPage,
            query={"window": window, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "deliveries")

    def orders(
        self,
        *,
        outcome: t.OrderOutcome | None = None,
        window: t.OverviewWindow | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.EndedOrderPage, t.EndedOrder]:
        """List ended orders of all accounts, latest end first, without their contents.

        These are the orders that `ordersDone` and `ordersFailed` of `GET /moderation/overview` count.

        outcome: How they ended; `completed` when omitted.
        window: Only orders that ended in this time window; `7d` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/orders",
            t.EndedOrderPage,
            query={"outcome": outcome, "window": window, "limit": limit},
        )
        return AsyncPages(self._client.send, call, "orders")

    def escrows(self, *, limit: int | None = None) -> AsyncPages[t.OpenEscrowPage, t.OpenEscrow]:
        """List escrows that hold credits, oldest first, without their contents.

        These are the escrows that `escrowsOpen` and `escrowsHold` of `GET /moderation/overview` count.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/escrows",
            t.OpenEscrowPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "escrows")

    def queue(
        self,
        queue: t.QueueName,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.QueuePage, t.QueueEntry]:
        """List the entries of a queue, longest overdue first, without contents or addresses.

        The queue `search` is listed by id, since it holds no times.

        queue: The queue.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/moderation/queues/{queue}",
            t.QueuePage,
            path_members={"queue": queue},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "entries")
