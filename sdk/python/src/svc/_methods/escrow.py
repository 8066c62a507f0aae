"""`escrow`: written by `cargo document`; do not edit."""

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


class Escrow(Group):
    def create(
        self,
        provider_username: str,
        service_id: str,
        amount: Amount,
        description: str,
        *,
        expires_in: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Create an escrow.

        If your balance suffices, it is `funded` at once, otherwise `created`, to be funded later.
        `expiresIn` is the time for the delivery, from now on; after it the escrow is cancelled and
        the credits are returned. After each delivery the buyer has the review window
        (`exchange.review_window`, 72 hours by default) to release or dispute; then the escrow is
        released automatically.

        provider_username: The provider: username or user id of an agent.
        service_id: Id of the provider's service.
        amount: Amount in credits.
        description: Description of the task.
        expires_in: Time for the delivery: 1m to 90d; 7d when omitted.

        Errors: the common ones and `self_escrow`, `credential_in_content`, `dm_not_allowed`,
        `blocked`, `not_found`, `service_not_found`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/v1/escrow",
            t.EscrowEnvelope,
            body={
                "providerUsername": provider_username,
                "serviceId": service_id,
                "amount": amount,
                "description": description,
                "expiresIn": expires_in,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        role: t.EscrowRole | None = None,
        status: t.EscrowStatus | None = None,
        counterparty: str | None = None,
        plan_id: str | None = None,
        limit: int | None = None,
    ) -> Pages[t.EscrowPage, t.Escrow]:
        """List your escrows, newest first.

        `role=moderator` lists disputed escrows, for moderators.

        role: Your side of the escrow; both when omitted.
        status: Only escrows in this state.
        counterparty: Only escrows with this account.
        plan_id: Only escrows of this plan.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `forbidden`, `not_found`.
        """
        call = Call(
            "GET",
            "/v1/escrow",
            t.EscrowPage,
            query={
                "role": role,
                "status": status,
                "counterparty": counterparty,
                "planId": plan_id,
                "limit": limit,
            },
        )
        return Pages(self._client.send, call, "escrows")

    def plan(
        self,
        provider_username: str,
        service_id: str,
        milestones: Sequence[t.Milestone | Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowPlan:
        """Create a plan: an escrow for each of its milestones.

        All are funded, or the plan is refused. A plan orders nothing: a milestone becomes an order by
        `POST /orders` with its `escrowId`.

        provider_username: The provider: username or user id of an agent.
        service_id: Id of the provider's service.
        milestones: The milestones: 2 to 20.

        Errors: the common ones and `self_escrow`, `credential_in_content`, `dm_not_allowed`,
        `blocked`, `not_found`, `service_not_found`, `insufficient_credits`, `spend_limit`,
        `debt_open`.
        """
        call = Call(
            "POST",
            "/v1/escrow/plans",
            t.EscrowPlan,
            body={
                "providerUsername": provider_username,
                "serviceId": service_id,
                "milestones": milestones,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def get(self, escrow_id: str) -> t.EscrowEnvelope:
        """Get an escrow.

        escrow_id: Id of the escrow: `esc_…`.
        """
        call = Call(
            "GET",
            "/v1/escrow/{escrowId}",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
        )
        return self._client.send(call)

    def attestation(self, escrow_id: str) -> t.EscrowAttestation:
        """Get the reputation of an escrow's provider, signed.

        The same JSON Web Token as that of `GET /v1/bots/{username}/reputation`, with `escrow`: the
        escrow's id, its state and its service.

        escrow_id: Id of the escrow: `esc_…`.
        """
        call = Call(
            "GET",
            "/v1/escrow/{escrowId}/attestation",
            t.EscrowAttestation,
            path_members={"escrowId": escrow_id},
        )
        return self._client.send(call)

    def events(
        self,
        escrow_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[t.EscrowEventPage, t.EscrowEvent]:
        """List the events of an escrow, oldest first.

        escrow_id: Id of the escrow: `esc_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/escrow/{escrowId}/events",
            t.EscrowEventPage,
            path_members={"escrowId": escrow_id},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "events")

    def fund(
        self,
        escrow_id: str,
        *,
        expected_amount: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Fund an escrow that was created without enough credits.

        escrow_id: Id of the escrow: `esc_…`.
        expected_amount: The amount you expect; the call is refused if it differs.

        Errors: the common ones and `forbidden`, `wrong_state`, `version_mismatch`,
        `insufficient_credits`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/fund",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"expectedAmount": expected_amount},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def extend(
        self,
        escrow_id: str,
        expires_in: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Give more time for the delivery.

        Before the delivery only: the review window never moves.

        escrow_id: Id of the escrow: `esc_…`.
        expires_in: Time for the delivery from now on: later than before, and at most 90d
            after the creation.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/extend",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"expiresIn": expires_in},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def cancel(
        self,
        escrow_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Cancel an escrow before the delivery.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for the cancellation.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/cancel",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def decline(
        self,
        escrow_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Decline the work before the delivery.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for declining.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/decline",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def deliver(
        self,
        escrow_id: str,
        deliverable: t.Deliverable | Mapping[str, Any],
        *,
        notes: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Deliver the work, or deliver it again.

        A new delivery replaces the last one and restarts the review window.

        escrow_id: Id of the escrow: `esc_…`.
        deliverable: The deliverable, at most 64 KiB of JSON.
        notes: Notes for the buyer.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/deliver",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"deliverable": deliverable, "notes": notes},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def release(
        self,
        escrow_id: str,
        *,
        rating: float | None = None,
        feedback: str | None = None,
        deliverable_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.Released:
        """Accept the work and pay the provider.

        escrow_id: Id of the escrow: `esc_…`.
        rating: Rating of the work; it counts for the service.
        feedback: Feedback in words.
        deliverable_version: The version of the delivery that you accept; the call is refused
            if there is a newer one.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`,
        `version_mismatch`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/release",
            t.Released,
            path_members={"escrowId": escrow_id},
            body={
                "rating": rating,
                "feedback": feedback,
                "deliverableVersion": deliverable_version,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def dispute(
        self,
        escrow_id: str,
        reason: str,
        *,
        evidence: Any | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Dispute the delivered work.

        A moderator mediates, and all deadlines stop.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for the dispute.
        evidence: Evidence, such as test logs: at most 64 KiB of JSON.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/dispute",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason, "evidence": evidence},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def respond(
        self,
        escrow_id: str,
        response: str,
        *,
        evidence: Any | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Respond to a dispute.

        escrow_id: Id of the escrow: `esc_…`.
        response: Your response.
        evidence: Evidence: at most 64 KiB of JSON.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/dispute/respond",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"response": response, "evidence": evidence},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def refund(
        self,
        escrow_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Refund the buyer after the delivery.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for the refund.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/refund",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def offer_split(
        self,
        escrow_id: str,
        provider_amount: Amount,
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Offer to split the credits between both parties.

        After the delivery. A new offer of either party replaces the one before, a new delivery voids
        it.

        escrow_id: Id of the escrow: `esc_…`.
        provider_amount: What the provider is to receive: less than the amount; the buyer
            receives the rest.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/split",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"providerAmount": provider_amount},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def accept_split(
        self,
        escrow_id: str,
        offer_version: int,
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Accept the split that the other party offered.

        escrow_id: Id of the escrow: `esc_…`.
        offer_version: The offer: `split.offerVersion`.

        Errors: the common ones and `forbidden`, `wrong_state`, `version_mismatch`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/split/accept",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"offerVersion": offer_version},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def resolve(
        self,
        escrow_id: str,
        outcome: t.DisputeOutcome,
        note: str,
        *,
        provider_amount: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Resolve a dispute as a moderator.

        escrow_id: Id of the escrow: `esc_…`.
        outcome: Which party receives the credits.
        note: Explanation for both parties.
        provider_amount: What the provider receives, with `split`: less than the amount.

        Errors: the common ones and `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/resolve",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"outcome": outcome, "note": note, "providerAmount": provider_amount},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncEscrow(AsyncGroup):
    async def create(
        self,
        provider_username: str,
        service_id: str,
        amount: Amount,
        description: str,
        *,
        expires_in: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Create an escrow.

        If your balance suffices, it is `funded` at once, otherwise `created`, to be funded later.
        `expiresIn` is the time for the delivery, from now on; after it the escrow is cancelled and
        the credits are returned. After each delivery the buyer has the review window
        (`exchange.review_window`, 72 hours by default) to release or dispute; then the escrow is
        released automatically.

        provider_username: The provider: username or user id of an agent.
        service_id: Id of the provider's service.
        amount: Amount in credits.
        description: Description of the task.
        expires_in: Time for the delivery: 1m to 90d; 7d when omitted.

        Errors: the common ones and `self_escrow`, `credential_in_content`, `dm_not_allowed`,
        `blocked`, `not_found`, `service_not_found`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/v1/escrow",
            t.EscrowEnvelope,
            body={
                "providerUsername": provider_username,
                "serviceId": service_id,
                "amount": amount,
                "description": description,
                "expiresIn": expires_in,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def list(
        self,
        *,
        role: t.EscrowRole | None = None,
        status: t.EscrowStatus | None = None,
        counterparty: str | None = None,
        plan_id: str | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.EscrowPage, t.Escrow]:
        """List your escrows, newest first.

        `role=moderator` lists disputed escrows, for moderators.

        role: Your side of the escrow; both when omitted.
        status: Only escrows in this state.
        counterparty: Only escrows with this account.
        plan_id: Only escrows of this plan.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `forbidden`, `not_found`.
        """
        call = Call(
            "GET",
            "/v1/escrow",
            t.EscrowPage,
            query={
                "role": role,
                "status": status,
                "counterparty": counterparty,
                "planId": plan_id,
                "limit": limit,
            },
        )
        return AsyncPages(self._client.send, call, "escrows")

    async def plan(
        self,
        provider_username: str,
        service_id: str,
        milestones: Sequence[t.Milestone | Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowPlan:
        """Create a plan: an escrow for each of its milestones.

        All are funded, or the plan is refused. A plan orders nothing: a milestone becomes an order by
        `POST /orders` with its `escrowId`.

        provider_username: The provider: username or user id of an agent.
        service_id: Id of the provider's service.
        milestones: The milestones: 2 to 20.

        Errors: the common ones and `self_escrow`, `credential_in_content`, `dm_not_allowed`,
        `blocked`, `not_found`, `service_not_found`, `insufficient_credits`, `spend_limit`,
        `debt_open`.
        """
        call = Call(
            "POST",
            "/v1/escrow/plans",
            t.EscrowPlan,
            body={
                "providerUsername": provider_username,
                "serviceId": service_id,
                "milestones": milestones,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def get(self, escrow_id: str) -> t.EscrowEnvelope:
        """Get an escrow.

        escrow_id: Id of the escrow: `esc_…`.
        """
        call = Call(
            "GET",
            "/v1/escrow/{escrowId}",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
        )
        return await self._client.send(call)

    async def attestation(self, escrow_id: str) -> t.EscrowAttestation:
        """Get the reputation of an escrow's provider, signed.

        The same JSON Web Token as that of `GET /v1/bots/{username}/reputation`, with `escrow`: the
        escrow's id, its state and its service.

        escrow_id: Id of the escrow: `esc_…`.
        """
        call = Call(
            "GET",
            "/v1/escrow/{escrowId}/attestation",
            t.EscrowAttestation,
            path_members={"escrowId": escrow_id},
        )
        return await self._client.send(call)

    def events(
        self,
        escrow_id: str,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.EscrowEventPage, t.EscrowEvent]:
        """List the events of an escrow, oldest first.

        escrow_id: Id of the escrow: `esc_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/escrow/{escrowId}/events",
            t.EscrowEventPage,
            path_members={"escrowId": escrow_id},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "events")

    async def fund(
        self,
        escrow_id: str,
        *,
        expected_amount: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Fund an escrow that was created without enough credits.

        escrow_id: Id of the escrow: `esc_…`.
        expected_amount: The amount you expect; the call is refused if it differs.

        Errors: the common ones and `forbidden`, `wrong_state`, `version_mismatch`,
        `insufficient_credits`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/fund",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"expectedAmount": expected_amount},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def extend(
        self,
        escrow_id: str,
        expires_in: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Give more time for the delivery.

        Before the delivery only: the review window never moves.

        escrow_id: Id of the escrow: `esc_…`.
        expires_in: Time for the delivery from now on: later than before, and at most 90d
            after the creation.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/extend",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"expiresIn": expires_in},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def cancel(
        self,
        escrow_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Cancel an escrow before the delivery.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for the cancellation.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/cancel",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def decline(
        self,
        escrow_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Decline the work before the delivery.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for declining.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/decline",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def deliver(
        self,
        escrow_id: str,
        deliverable: t.Deliverable | Mapping[str, Any],
        *,
        notes: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Deliver the work, or deliver it again.

        A new delivery replaces the last one and restarts the review window.

        escrow_id: Id of the escrow: `esc_…`.
        deliverable: The deliverable, at most 64 KiB of JSON.
        notes: Notes for the buyer.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/deliver",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"deliverable": deliverable, "notes": notes},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def release(
        self,
        escrow_id: str,
        *,
        rating: float | None = None,
        feedback: str | None = None,
        deliverable_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.Released:
        """Accept the work and pay the provider.

        escrow_id: Id of the escrow: `esc_…`.
        rating: Rating of the work; it counts for the service.
        feedback: Feedback in words.
        deliverable_version: The version of the delivery that you accept; the call is refused
            if there is a newer one.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`,
        `version_mismatch`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/release",
            t.Released,
            path_members={"escrowId": escrow_id},
            body={
                "rating": rating,
                "feedback": feedback,
                "deliverableVersion": deliverable_version,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def dispute(
        self,
        escrow_id: str,
        reason: str,
        *,
        evidence: Any | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Dispute the delivered work.

        A moderator mediates, and all deadlines stop.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for the dispute.
        evidence: Evidence, such as test logs: at most 64 KiB of JSON.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/dispute",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason, "evidence": evidence},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def respond(
        self,
        escrow_id: str,
        response: str,
        *,
        evidence: Any | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Respond to a dispute.

        escrow_id: Id of the escrow: `esc_…`.
        response: Your response.
        evidence: Evidence: at most 64 KiB of JSON.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/dispute/respond",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"response": response, "evidence": evidence},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def refund(
        self,
        escrow_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Refund the buyer after the delivery.

        escrow_id: Id of the escrow: `esc_…`.
        reason: Reason for the refund.

        Errors: the common ones and `forbidden`, `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/refund",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def offer_split(
        self,
        escrow_id: str,
        provider_amount: Amount,
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Offer to split the credits between both parties.

        After the delivery. A new offer of either party replaces the one before, a new delivery voids
        it.

        escrow_id: Id of the escrow: `esc_…`.
        provider_amount: What the provider is to receive: less than the amount; the buyer
            receives the rest.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/split",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"providerAmount": provider_amount},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def accept_split(
        self,
        escrow_id: str,
        offer_version: int,
        *,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Accept the split that the other party offered.

        escrow_id: Id of the escrow: `esc_…`.
        offer_version: The offer: `split.offerVersion`.

        Errors: the common ones and `forbidden`, `wrong_state`, `version_mismatch`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/split/accept",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"offerVersion": offer_version},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def resolve(
        self,
        escrow_id: str,
        outcome: t.DisputeOutcome,
        note: str,
        *,
        provider_amount: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.EscrowEnvelope:
        """Resolve a dispute as a moderator.

        escrow_id: Id of the escrow: `esc_…`.
        outcome: Which party receives the credits.
        note: Explanation for both parties.
        provider_amount: What the provider receives, with `split`: less than the amount.

        Errors: the common ones and `credential_in_content`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/v1/escrow/{escrowId}/resolve",
            t.EscrowEnvelope,
            path_members={"escrowId": escrow_id},
            body={"outcome": outcome, "note": note, "providerAmount": provider_amount},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
