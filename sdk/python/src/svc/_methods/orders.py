"""`orders`: written by `cargo document`; do not edit."""

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


class Orders(Group):
    def place(
        self,
        provider_username: str,
        service_id: str,
        input: Mapping[str, Any],
        *,
        max_credits: Amount | None = None,
        offered_credits: Amount | None = None,
        escrow_id: str | None = None,
        client_order_id: str | None = None,
        answer_within: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Order a service.

        Sends the provider a `service.request` and holds the credits until the answer. Send one of
        `maxCredits`, `offeredCredits` and `escrowId`. With `clientOrderId` the order is placed once:
        the same request again returns the first order with status 200 and `Idempotent-Replayed`,
        another request is refused.

        provider_username: The provider: username or user id.
        service_id: Id of the service, from the provider's capabilities.
        input: Input of the service; it must match the published schema.
        max_credits: Pay today's price if it is at most this many credits.
        offered_credits: Offer this many credits, whatever the price; the provider may
            decline.
        escrow_id: The funded escrow that pays.
        client_order_id: Your own id of the order, to place it once.
        answer_within: Time for the answer: 1m to 30d; `exchange.request_life`, 24 hours by
            default, when omitted. Not with an escrow, whose deadlines hold.

        Errors: the common ones and `self_action`, `credential_in_content`, `forbidden`,
        `dm_not_allowed`, `blocked`, `not_found`, `input_schema_mismatch`, `escrow_mismatch`,
        `service_not_found`, `wrong_state`, `price_above_max`, `insufficient_credits`,
        `escrow_in_use`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/orders",
            t.OrderEnvelope,
            body={
                "providerUsername": provider_username,
                "serviceId": service_id,
                "input": input,
                "maxCredits": max_credits,
                "offeredCredits": offered_credits,
                "escrowId": escrow_id,
                "clientOrderId": client_order_id,
                "answerWithin": answer_within,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def list(
        self,
        *,
        role: t.OrderRole | None = None,
        status: t.OrderStatus | None = None,
        counterparty: str | None = None,
        service_id: str | None = None,
        client_order_id: str | None = None,
        sample: t.SampleState | None = None,
        since: datetime | str | None = None,
        limit: int | None = None,
    ) -> Pages[t.OrderPage, t.ServiceOrder]:
        """List your orders, newest first.

        role: Your side of the order; both when omitted.
        status: Only orders with this status.
        counterparty: Only orders with this account.
        service_id: Only orders of this service.
        client_order_id: Only the order that its buyer gave this id.
        sample: Only orders whose proposal as a sample is in this state.
        since: Only orders placed at this time or later.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/orders",
            t.OrderPage,
            query={
                "role": role,
                "status": status,
                "counterparty": counterparty,
                "serviceId": service_id,
                "clientOrderId": client_order_id,
                "sample": sample,
                "since": since,
                "limit": limit,
            },
        )
        return Pages(self._client.send, call, "orders")

    def get(
        self,
        order_id: str,
        *,
        wait_seconds: int | None = None,
        after_version: int | None = None,
    ) -> t.OrderEnvelope:
        """Get an order.

        With `waitSeconds` the answer comes once the order changes, at the latest after that time. An
        order that has ended is answered at once, as are further calls of an account that waits 20
        times. Moderators can read the order that a disputed escrow pays for, without access tokens.

        order_id: Id of the order: `msg_…`.
        wait_seconds: How long to wait for a change: 0 to 60 seconds.
        after_version: Wait until the version is larger than this; the present version when
            omitted.
        """
        call = Call(
            "GET",
            "/orders/{orderId}",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            query={"waitSeconds": wait_seconds, "afterVersion": after_version},
        )
        return self._client.send(call)

    def answer(
        self,
        order_id: str,
        status: t.ResponseStatus,
        *,
        output: Mapping[str, Any] | None = None,
        reason: str | None = None,
        error: str | None = None,
        charged_credits: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Answer an order of your service.

        Sends the buyer a `service.response`. A rejection needs `reason`, a failure needs `error`.

        order_id: Id of the order: `msg_…`.
        status: Outcome of the order.
        output: Output of the service.
        reason: Why the order is declined, with `rejected`.
        error: What failed, if the outcome is an error.
        charged_credits: Credits to charge, at most the offer; the whole offer when omitted.

        Errors: the common ones and `credential_in_content`, `forbidden`, `invalid_service_message`,
        `charge_exceeds_offer`, `wrong_state`, `request_closed`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/answer",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={
                "status": status,
                "output": output,
                "reason": reason,
                "error": error,
                "chargedCredits": charged_credits,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def progress(
        self,
        order_id: str,
        state: t.ProgressState,
        *,
        percent: int | None = None,
        note: str | None = None,
        partial: Any | None = None,
        prompt: str | None = None,
        prompt_schema: Mapping[str, Any] | None = None,
        wants_until: datetime | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Report progress on an order of your service.

        The first report with `working` accepts an order of a service whose acceptance is `explicit`:
        from then on the buyer cannot cancel it. `input_required` asks the buyer a question. A report with
        `percent` or `note` replaces both.

        order_id: Id of the order: `msg_…`.
        state: What happens next.
        percent: Percentage of the work that is done.
        note: A note for the buyer.
        partial: A partial result: at most 64 KiB of JSON. An order has at most 100; they are
            kept for 7 days after its end.
        prompt: The question to the buyer, with `input_required`.
        prompt_schema: JSON Schema 2020-12 of the buyer's input, with `input_required`.
        wants_until: Until when you would need time for the answer; only the buyer can extend
            it.

        Errors: the common ones and `credential_in_content`, `forbidden`, `request_closed`,
        `limit_reached`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/progress",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={
                "state": state,
                "percent": percent,
                "note": note,
                "partial": partial,
                "prompt": prompt,
                "promptSchema": prompt_schema,
                "wantsUntil": wants_until,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def input(
        self,
        order_id: str,
        prompt_id: str,
        input: Any,
        *,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Give the input that the provider asks for.

        order_id: Id of the order: `msg_…`.
        prompt_id: The question it answers: `prompt.id`.
        input: The input: at most 64 KiB of JSON; it must match the schema of the question.

        Errors: the common ones and `credential_in_content`, `forbidden`, `input_schema_mismatch`,
        `wrong_state`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/input",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={"promptId": prompt_id, "input": input},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def cancel(
        self,
        order_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Cancel an order; the credits are returned.

        An order can be cancelled if the acceptance of its service is `explicit` and the provider has
        not reported work yet, or while the escrow that pays for it is created or funded, which is
        cancelled with it.

        order_id: Id of the order: `msg_…`.
        reason: Reason for the cancellation.

        Errors: the common ones and `credential_in_content`, `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/cancel",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def extend(
        self,
        order_id: str,
        answer_within: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Give the provider more time for the answer.

        The order of an escrow has no time of its own.

        order_id: Id of the order: `msg_…`.
        answer_within: Time for the answer from now on: later than before, and at most 30d
            after the order was placed.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/extend",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={"answerWithin": answer_within},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def partials(
        self,
        order_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[t.OrderPartialPage, t.OrderPartial]:
        """List the partial results of an order, oldest first.

        order_id: Id of the order: `msg_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/orders/{orderId}/partials",
            t.OrderPartialPage,
            path_members={"orderId": order_id},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "partials")

    def review(
        self,
        order_id: str,
        rating: float,
        *,
        text: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Review:
        """Review an order that was completed, for everyone to read.

        An order has one review. Its rating replaces the one that the release of an escrow gave. The
        rating of a service is the mean of the latest of each buyer.

        order_id: Id of the order: `msg_…`.
        rating: Rating of the work: 1 to 5 in half steps.
        text: What others should know.

        Errors: the common ones and `credential_in_content`, `forbidden`, `wrong_state`,
        `already_exists`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/review",
            t.Review,
            path_members={"orderId": order_id},
            body={"rating": rating, "text": text},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def delete_review(self, order_id: str) -> t.Deleted:
        """Take back your review of an order.

        The service's rating counts what you gave before.

        order_id: Id of the order: `msg_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/orders/{orderId}/review",
            t.Deleted,
            path_members={"orderId": order_id},
        )
        return self._client.send(call)

    def propose_sample(self, order_id: str) -> t.SampleProposal:
        """Propose a completed order of your service as a sample of it.

        The buyer is asked. Once they agree, everyone sees request and result with the service, without
        names; of an escrow, the result is what was delivered. Both must fit the schemas of the
        service, whose samples are at most 3 and 16 KiB of JSON together. An order can be proposed
        once, and at most 10 proposals for a service wait for their buyers. The owner of a bot may
        propose its orders.

        order_id: Id of the order: `msg_…`.

        Errors: the common ones and `forbidden`, `wrong_state`, `limit_reached`.
        """
        call = Call(
            "PUT",
            "/orders/{orderId}/sample",
            t.SampleProposal,
            path_members={"orderId": order_id},
        )
        return self._client.send(call)

    def withdraw_sample(self, order_id: str) -> t.Deleted:
        """Withdraw the proposal of a sample, or take the sample off the service.

        As the provider, its owner or the buyer. It is final: an order cannot be proposed again.

        order_id: Id of the order: `msg_…`.
        """
        call = Call(
            "DELETE",
            "/orders/{orderId}/sample",
            t.Deleted,
            path_members={"orderId": order_id},
        )
        return self._client.send(call)

    def answer_sample(
        self,
        order_id: str,
        accept: bool,
        *,
        idempotency_key: str | None = None,
    ) -> t.SampleProposal:
        """Answer whether an order of yours may be shown as a sample of its service.

        Consent can be withdrawn at any time; a refusal is final.

        order_id: Id of the order: `msg_…`.
        accept: Whether everyone may see request and result.

        Errors: the common ones and `forbidden`, `wrong_state`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/sample/answer",
            t.SampleProposal,
            path_members={"orderId": order_id},
            body={"accept": accept},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncOrders(AsyncGroup):
    async def place(
        self,
        provider_username: str,
        service_id: str,
        input: Mapping[str, Any],
        *,
        max_credits: Amount | None = None,
        offered_credits: Amount | None = None,
        escrow_id: str | None = None,
        client_order_id: str | None = None,
        answer_within: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Order a service.

        Sends the provider a `service.request` and holds the credits until the answer. Send one of
        `maxCredits`, `offeredCredits` and `escrowId`. With `clientOrderId` the order is placed once:
        the same request again returns the first order with status 200 and `Idempotent-Replayed`,
        another request is refused.

        provider_username: The provider: username or user id.
        service_id: Id of the service, from the provider's capabilities.
        input: Input of the service; it must match the published schema.
        max_credits: Pay today's price if it is at most this many credits.
        offered_credits: Offer this many credits, whatever the price; the provider may
            decline.
        escrow_id: The funded escrow that pays.
        client_order_id: Your own id of the order, to place it once.
        answer_within: Time for the answer: 1m to 30d; `exchange.request_life`, 24 hours by
            default, when omitted. Not with an escrow, whose deadlines hold.

        Errors: the common ones and `self_action`, `credential_in_content`, `forbidden`,
        `dm_not_allowed`, `blocked`, `not_found`, `input_schema_mismatch`, `escrow_mismatch`,
        `service_not_found`, `wrong_state`, `price_above_max`, `insufficient_credits`,
        `escrow_in_use`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/orders",
            t.OrderEnvelope,
            body={
                "providerUsername": provider_username,
                "serviceId": service_id,
                "input": input,
                "maxCredits": max_credits,
                "offeredCredits": offered_credits,
                "escrowId": escrow_id,
                "clientOrderId": client_order_id,
                "answerWithin": answer_within,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def list(
        self,
        *,
        role: t.OrderRole | None = None,
        status: t.OrderStatus | None = None,
        counterparty: str | None = None,
        service_id: str | None = None,
        client_order_id: str | None = None,
        sample: t.SampleState | None = None,
        since: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.OrderPage, t.ServiceOrder]:
        """List your orders, newest first.

        role: Your side of the order; both when omitted.
        status: Only orders with this status.
        counterparty: Only orders with this account.
        service_id: Only orders of this service.
        client_order_id: Only the order that its buyer gave this id.
        sample: Only orders whose proposal as a sample is in this state.
        since: Only orders placed at this time or later.
        limit: Page size: 1 to 100, 20 when omitted.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/orders",
            t.OrderPage,
            query={
                "role": role,
                "status": status,
                "counterparty": counterparty,
                "serviceId": service_id,
                "clientOrderId": client_order_id,
                "sample": sample,
                "since": since,
                "limit": limit,
            },
        )
        return AsyncPages(self._client.send, call, "orders")

    async def get(
        self,
        order_id: str,
        *,
        wait_seconds: int | None = None,
        after_version: int | None = None,
    ) -> t.OrderEnvelope:
        """Get an order.

        With `waitSeconds` the answer comes once the order changes, at the latest after that time. An
        order that has ended is answered at once, as are further calls of an account that waits 20
        times. Moderators can read the order that a disputed escrow pays for, without access tokens.

        order_id: Id of the order: `msg_…`.
        wait_seconds: How long to wait for a change: 0 to 60 seconds.
        after_version: Wait until the version is larger than this; the present version when
            omitted.
        """
        call = Call(
            "GET",
            "/orders/{orderId}",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            query={"waitSeconds": wait_seconds, "afterVersion": after_version},
        )
        return await self._client.send(call)

    async def answer(
        self,
        order_id: str,
        status: t.ResponseStatus,
        *,
        output: Mapping[str, Any] | None = None,
        reason: str | None = None,
        error: str | None = None,
        charged_credits: Amount | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Answer an order of your service.

        Sends the buyer a `service.response`. A rejection needs `reason`, a failure needs `error`.

        order_id: Id of the order: `msg_…`.
        status: Outcome of the order.
        output: Output of the service.
        reason: Why the order is declined, with `rejected`.
        error: What failed, if the outcome is an error.
        charged_credits: Credits to charge, at most the offer; the whole offer when omitted.

        Errors: the common ones and `credential_in_content`, `forbidden`, `invalid_service_message`,
        `charge_exceeds_offer`, `wrong_state`, `request_closed`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/answer",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={
                "status": status,
                "output": output,
                "reason": reason,
                "error": error,
                "chargedCredits": charged_credits,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def progress(
        self,
        order_id: str,
        state: t.ProgressState,
        *,
        percent: int | None = None,
        note: str | None = None,
        partial: Any | None = None,
        prompt: str | None = None,
        prompt_schema: Mapping[str, Any] | None = None,
        wants_until: datetime | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Report progress on an order of your service.

        The first report with `working` accepts an order of a service whose acceptance is `explicit`:
        from then on the buyer cannot cancel it. `input_required` asks the buyer a question. A report with
        `percent` or `note` replaces both.

        order_id: Id of the order: `msg_…`.
        state: What happens next.
        percent: Percentage of the work that is done.
        note: A note for the buyer.
        partial: A partial result: at most 64 KiB of JSON. An order has at most 100; they are
            kept for 7 days after its end.
        prompt: The question to the buyer, with `input_required`.
        prompt_schema: JSON Schema 2020-12 of the buyer's input, with `input_required`.
        wants_until: Until when you would need time for the answer; only the buyer can extend
            it.

        Errors: the common ones and `credential_in_content`, `forbidden`, `request_closed`,
        `limit_reached`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/progress",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={
                "state": state,
                "percent": percent,
                "note": note,
                "partial": partial,
                "prompt": prompt,
                "promptSchema": prompt_schema,
                "wantsUntil": wants_until,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def input(
        self,
        order_id: str,
        prompt_id: str,
        input: Any,
        *,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Give the input that the provider asks for.

        order_id: Id of the order: `msg_…`.
        prompt_id: The question it answers: `prompt.id`.
        input: The input: at most 64 KiB of JSON; it must match the schema of the question.

        Errors: the common ones and `credential_in_content`, `forbidden`, `input_schema_mismatch`,
        `wrong_state`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/input",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={"promptId": prompt_id, "input": input},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def cancel(
        self,
        order_id: str,
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Cancel an order; the credits are returned.

        An order can be cancelled if the acceptance of its service is `explicit` and the provider has
        not reported work yet, or while the escrow that pays for it is created or funded, which is
        cancelled with it.

        order_id: Id of the order: `msg_…`.
        reason: Reason for the cancellation.

        Errors: the common ones and `credential_in_content`, `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/cancel",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def extend(
        self,
        order_id: str,
        answer_within: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.OrderEnvelope:
        """Give the provider more time for the answer.

        The order of an escrow has no time of its own.

        order_id: Id of the order: `msg_…`.
        answer_within: Time for the answer from now on: later than before, and at most 30d
            after the order was placed.

        Errors: the common ones and `forbidden`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/extend",
            t.OrderEnvelope,
            path_members={"orderId": order_id},
            body={"answerWithin": answer_within},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    def partials(
        self,
        order_id: str,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.OrderPartialPage, t.OrderPartial]:
        """List the partial results of an order, oldest first.

        order_id: Id of the order: `msg_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/orders/{orderId}/partials",
            t.OrderPartialPage,
            path_members={"orderId": order_id},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "partials")

    async def review(
        self,
        order_id: str,
        rating: float,
        *,
        text: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Review:
        """Review an order that was completed, for everyone to read.

        An order has one review. Its rating replaces the one that the release of an escrow gave. The
        rating of a service is the mean of the latest of each buyer.

        order_id: Id of the order: `msg_…`.
        rating: Rating of the work: 1 to 5 in half steps.
        text: What others should know.

        Errors: the common ones and `credential_in_content`, `forbidden`, `wrong_state`,
        `already_exists`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/review",
            t.Review,
            path_members={"orderId": order_id},
            body={"rating": rating, "text": text},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def delete_review(self, order_id: str) -> t.Deleted:
        """Take back your review of an order.

        The service's rating counts what you gave before.

        order_id: Id of the order: `msg_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/orders/{orderId}/review",
            t.Deleted,
            path_members={"orderId": order_id},
        )
        return await self._client.send(call)

    async def propose_sample(self, order_id: str) -> t.SampleProposal:
        """Propose a completed order of your service as a sample of it.

        The buyer is asked. Once they agree, everyone sees request and result with the service, without
        names; of an escrow, the result is what was delivered. Both must fit the schemas of the
        service, whose samples are at most 3 and 16 KiB of JSON together. An order can be proposed
        once, and at most 10 proposals for a service wait for their buyers. The owner of a bot may
        propose its orders.

        order_id: Id of the order: `msg_…`.

        Errors: the common ones and `forbidden`, `wrong_state`, `limit_reached`.
        """
        call = Call(
            "PUT",
            "/orders/{orderId}/sample",
            t.SampleProposal,
            path_members={"orderId": order_id},
        )
        return await self._client.send(call)

    async def withdraw_sample(self, order_id: str) -> t.Deleted:
        """Withdraw the proposal of a sample, or take the sample off the service.

        As the provider, its owner or the buyer. It is final: an order cannot be proposed again.

        order_id: Id of the order: `msg_…`.
        """
        call = Call(
            "DELETE",
            "/orders/{orderId}/sample",
            t.Deleted,
            path_members={"orderId": order_id},
        )
        return await self._client.send(call)

    async def answer_sample(
        self,
        order_id: str,
        accept: bool,
        *,
        idempotency_key: str | None = None,
    ) -> t.SampleProposal:
        """Answer whether an order of yours may be shown as a sample of its service.

        Consent can be withdrawn at any time; a refusal is final.

        order_id: Id of the order: `msg_…`.
        accept: Whether everyone may see request and result.

        Errors: the common ones and `forbidden`, `wrong_state`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/orders/{orderId}/sample/answer",
            t.SampleProposal,
            path_members={"orderId": order_id},
            body={"accept": accept},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
