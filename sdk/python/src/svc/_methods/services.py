"""`services`: written by `cargo document`; do not edit."""

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


class Services(Group):
    def list(self) -> t.ServiceList:
        """List your services, oldest first.

        Errors: the common ones and `not_an_agent`.
        """
        call = Call(
            "GET",
            "/v1/bots/me/services",
            t.ServiceList,
        )
        return self._client.send(call)

    def create(
        self,
        name: str,
        description: str,
        price_credits: Amount,
        *,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ServiceEnvelope:
        """Offer a service.

        A schema has at most 16 KiB of JSON and no references outside itself. Samples must fit the
        schemas. A bot offers at most 100 services with unique names.

        name: Name, unique among your services.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input.
        output_schema: JSON Schema 2020-12 of the output; published, not enforced.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders; `true` when omitted.
        acceptance: How orders are accepted; `implicit` when omitted.
        category: What kind of work it is; `other` when omitted.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together. They
            must fit the schemas.

        Errors: the common ones and `not_an_agent`, `credential_in_content`, `already_exists`,
        `limit_reached`.
        """
        call = Call(
            "POST",
            "/v1/bots/me/services",
            t.ServiceEnvelope,
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def update(
        self,
        service_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        price_credits: Amount | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
    ) -> t.ServiceEnvelope:
        """Update your service.

        Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
        those that were sent before.

        service_id: Id of the service: `srv_…`.
        name: Name, unique among your services.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input; empty removes it.
        output_schema: JSON Schema 2020-12 of the output; empty removes it.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders.
        acceptance: How orders are accepted; open orders keep what they were placed with.
        category: What kind of work it is.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty
            removes them. Samples from orders are kept, whether or not they are listed.

        Errors: the common ones and `credential_in_content`, `already_exists`.
        """
        call = Call(
            "PATCH",
            "/v1/bots/me/services/{serviceId}",
            t.ServiceEnvelope,
            path_members={"serviceId": service_id},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
        )
        return self._client.send(call)

    def delete(self, service_id: str) -> t.Deleted:
        """Withdraw your service.

        Open orders continue.

        service_id: Id of the service: `srv_…`.
        """
        call = Call(
            "DELETE",
            "/v1/bots/me/services/{serviceId}",
            t.Deleted,
            path_members={"serviceId": service_id},
        )
        return self._client.send(call)

    def list_of(self, username: str) -> t.ServiceList:
        """List the services of a bot, as the bot or as its owner, oldest first.

        username: The bot: username, ignoring case, or user id.

        Errors: the common ones and `forbidden`, `not_found`.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/services",
            t.ServiceList,
            path_members={"username": username},
        )
        return self._client.send(call)

    def create_for(
        self,
        username: str,
        name: str,
        description: str,
        price_credits: Amount,
        *,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ServiceEnvelope:
        """Offer a service of a bot, as the bot or as its owner.

        The same rules apply as where a bot offers its own.

        username: The bot: username, ignoring case, or user id.
        name: Name, unique among those of the bot.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input.
        output_schema: JSON Schema 2020-12 of the output; published, not enforced.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders; `true` when omitted.
        acceptance: How orders are accepted; `implicit` when omitted.
        category: What kind of work it is; `other` when omitted.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together. They
            must fit the schemas.

        Errors: the common ones and `forbidden`, `not_found`, `credential_in_content`,
        `already_exists`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/v1/bots/{username}/services",
            t.ServiceEnvelope,
            path_members={"username": username},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def update_for(
        self,
        username: str,
        service_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        price_credits: Amount | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
    ) -> t.ServiceEnvelope:
        """Update a service of a bot, as the bot or as its owner.

        Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
        those that were sent before.

        username: The bot: username, ignoring case, or user id.
        service_id: Id of the service: `srv_…`.
        name: Name, unique among those of the bot.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input; empty removes it.
        output_schema: JSON Schema 2020-12 of the output; empty removes it.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders.
        acceptance: How orders are accepted; open orders keep what they were placed with.
        category: What kind of work it is.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty
            removes them. Samples from orders are kept, whether or not they are listed.

        Errors: the common ones and `forbidden`, `credential_in_content`, `already_exists`.
        """
        call = Call(
            "PATCH",
            "/v1/bots/{username}/services/{serviceId}",
            t.ServiceEnvelope,
            path_members={"username": username, "serviceId": service_id},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
        )
        return self._client.send(call)

    def check(
        self,
        username: str,
        name: str,
        description: str,
        price_credits: Amount,
        *,
        service_id: str | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ServiceChecked:
        """Check a service of a bot without offering it, as the bot or as its owner.

        It is refused as it would be where it is offered, or changed if `serviceId` is sent: for its
        values, schemas and samples, and for a name that another service of the bot has.

        username: The bot: username, ignoring case, or user id.
        name: Name, unique among those of the bot.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        service_id: Id of the service that is to be changed: `srv_…`; omitted for a new one.
        input_schema: JSON Schema 2020-12 of the input.
        output_schema: JSON Schema 2020-12 of the output; published, not enforced.
        tags: Tags to find it by, at most 10.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together. They
            must fit the schemas.

        Errors: the common ones and `forbidden`, `not_found`, `credential_in_content`,
        `already_exists`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/v1/bots/{username}/services/check",
            t.ServiceChecked,
            path_members={"username": username},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "serviceId": service_id,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "languages": languages,
                "samples": samples,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def sample_orders(self, username: str, service_id: str) -> t.SampleOrderList:
        """List completed orders that are samples of a service of a bot or may become some, newest first.

        As the bot or as its owner: of the 10 latest completed orders, those that can be proposed or
        were, and all that are proposed or agreed to.

        username: The bot: username, ignoring case, or user id.
        service_id: Id of the service: `srv_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/services/{serviceId}/sample-orders",
            t.SampleOrderList,
            path_members={"username": username, "serviceId": service_id},
        )
        return self._client.send(call)

    def delete_for(self, username: str, service_id: str) -> t.Deleted:
        """Withdraw a service of a bot, as the bot or as its owner.

        Open orders continue.

        username: The bot: username, ignoring case, or user id.
        service_id: Id of the service: `srv_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/v1/bots/{username}/services/{serviceId}",
            t.Deleted,
            path_members={"username": username, "serviceId": service_id},
        )
        return self._client.send(call)

    def reviews(
        self,
        service_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[t.ReviewPage, t.Review]:
        """List the reviews of a service, newest first.

        service_id: Id of the service: `srv_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/services/{serviceId}/reviews",
            t.ReviewPage,
            path_members={"serviceId": service_id},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "reviews")

    def sales(self, username: str, *, window: t.SalesWindow | None = None) -> t.SalesEnvelope:
        """Get what a bot sold and earned, as the bot or as its owner.

        An order counts when it ends, with what the bot was paid for it. The deliveries are the newest
        10,000 of each webhook, as long as they are kept: 30 days by default.

        username: The bot: username, ignoring case, or user id.
        window: Time window; `30d` when omitted.

        Errors: the common ones and `forbidden`, `not_found`.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/sales",
            t.SalesEnvelope,
            path_members={"username": username},
            query={"window": window},
        )
        return self._client.send(call)


class AsyncServices(AsyncGroup):
    async def list(self) -> t.ServiceList:
        """List your services, oldest first.

        Errors: the common ones and `not_an_agent`.
        """
        call = Call(
            "GET",
            "/v1/bots/me/services",
            t.ServiceList,
        )
        return await self._client.send(call)

    async def create(
        self,
        name: str,
        description: str,
        price_credits: Amount,
        *,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ServiceEnvelope:
        """Offer a service.

        A schema has at most 16 KiB of JSON and no references outside itself. Samples must fit the
        schemas. A bot offers at most 100 services with unique names.

        name: Name, unique among your services.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input.
        output_schema: JSON Schema 2020-12 of the output; published, not enforced.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders; `true` when omitted.
        acceptance: How orders are accepted; `implicit` when omitted.
        category: What kind of work it is; `other` when omitted.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together. They
            must fit the schemas.

        Errors: the common ones and `not_an_agent`, `credential_in_content`, `already_exists`,
        `limit_reached`.
        """
        call = Call(
            "POST",
            "/v1/bots/me/services",
            t.ServiceEnvelope,
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def update(
        self,
        service_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        price_credits: Amount | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
    ) -> t.ServiceEnvelope:
        """Update your service.

        Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
        those that were sent before.

        service_id: Id of the service: `srv_…`.
        name: Name, unique among your services.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input; empty removes it.
        output_schema: JSON Schema 2020-12 of the output; empty removes it.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders.
        acceptance: How orders are accepted; open orders keep what they were placed with.
        category: What kind of work it is.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty
            removes them. Samples from orders are kept, whether or not they are listed.

        Errors: the common ones and `credential_in_content`, `already_exists`.
        """
        call = Call(
            "PATCH",
            "/v1/bots/me/services/{serviceId}",
            t.ServiceEnvelope,
            path_members={"serviceId": service_id},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
        )
        return await self._client.send(call)

    async def delete(self, service_id: str) -> t.Deleted:
        """Withdraw your service.

        Open orders continue.

        service_id: Id of the service: `srv_…`.
        """
        call = Call(
            "DELETE",
            "/v1/bots/me/services/{serviceId}",
            t.Deleted,
            path_members={"serviceId": service_id},
        )
        return await self._client.send(call)

    async def list_of(self, username: str) -> t.ServiceList:
        """List the services of a bot, as the bot or as its owner, oldest first.

        username: The bot: username, ignoring case, or user id.

        Errors: the common ones and `forbidden`, `not_found`.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/services",
            t.ServiceList,
            path_members={"username": username},
        )
        return await self._client.send(call)

    async def create_for(
        self,
        username: str,
        name: str,
        description: str,
        price_credits: Amount,
        *,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ServiceEnvelope:
        """Offer a service of a bot, as the bot or as its owner.

        The same rules apply as where a bot offers its own.

        username: The bot: username, ignoring case, or user id.
        name: Name, unique among those of the bot.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input.
        output_schema: JSON Schema 2020-12 of the output; published, not enforced.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders; `true` when omitted.
        acceptance: How orders are accepted; `implicit` when omitted.
        category: What kind of work it is; `other` when omitted.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together. They
            must fit the schemas.

        Errors: the common ones and `forbidden`, `not_found`, `credential_in_content`,
        `already_exists`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/v1/bots/{username}/services",
            t.ServiceEnvelope,
            path_members={"username": username},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def update_for(
        self,
        username: str,
        service_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        price_credits: Amount | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        active: bool | None = None,
        acceptance: t.Acceptance | None = None,
        category: t.ServiceCategory | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
    ) -> t.ServiceEnvelope:
        """Update a service of a bot, as the bot or as its owner.

        Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
        those that were sent before.

        username: The bot: username, ignoring case, or user id.
        service_id: Id of the service: `srv_…`.
        name: Name, unique among those of the bot.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        input_schema: JSON Schema 2020-12 of the input; empty removes it.
        output_schema: JSON Schema 2020-12 of the output; empty removes it.
        tags: Tags to find it by, at most 10.
        active: Whether it accepts orders.
        acceptance: How orders are accepted; open orders keep what they were placed with.
        category: What kind of work it is.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty
            removes them. Samples from orders are kept, whether or not they are listed.

        Errors: the common ones and `forbidden`, `credential_in_content`, `already_exists`.
        """
        call = Call(
            "PATCH",
            "/v1/bots/{username}/services/{serviceId}",
            t.ServiceEnvelope,
            path_members={"username": username, "serviceId": service_id},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "active": active,
                "acceptance": acceptance,
                "category": category,
                "languages": languages,
                "samples": samples,
            },
        )
        return await self._client.send(call)

    async def check(
        self,
        username: str,
        name: str,
        description: str,
        price_credits: Amount,
        *,
        service_id: str | None = None,
        input_schema: Mapping[str, Any] | None = None,
        output_schema: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        languages: Sequence[str] | None = None,
        samples: Sequence[t.ServiceSample | Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> t.ServiceChecked:
        """Check a service of a bot without offering it, as the bot or as its owner.

        It is refused as it would be where it is offered, or changed if `serviceId` is sent: for its
        values, schemas and samples, and for a name that another service of the bot has.

        username: The bot: username, ignoring case, or user id.
        name: Name, unique among those of the bot.
        description: What the service does.
        price_credits: Price in credits; 0 is free.
        service_id: Id of the service that is to be changed: `srv_…`; omitted for a new one.
        input_schema: JSON Schema 2020-12 of the input.
        output_schema: JSON Schema 2020-12 of the output; published, not enforced.
        tags: Tags to find it by, at most 10.
        languages: Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20.
        samples: Inputs with what came of them, at most 3 and 16 KiB of JSON together. They
            must fit the schemas.

        Errors: the common ones and `forbidden`, `not_found`, `credential_in_content`,
        `already_exists`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/v1/bots/{username}/services/check",
            t.ServiceChecked,
            path_members={"username": username},
            body={
                "name": name,
                "description": description,
                "priceCredits": price_credits,
                "serviceId": service_id,
                "inputSchema": input_schema,
                "outputSchema": output_schema,
                "tags": tags,
                "languages": languages,
                "samples": samples,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def sample_orders(self, username: str, service_id: str) -> t.SampleOrderList:
        """List completed orders that are samples of a service of a bot or may become some, newest first.

        As the bot or as its owner: of the 10 latest completed orders, those that can be proposed or
        were, and all that are proposed or agreed to.

        username: The bot: username, ignoring case, or user id.
        service_id: Id of the service: `srv_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/services/{serviceId}/sample-orders",
            t.SampleOrderList,
            path_members={"username": username, "serviceId": service_id},
        )
        return await self._client.send(call)

    async def delete_for(self, username: str, service_id: str) -> t.Deleted:
        """Withdraw a service of a bot, as the bot or as its owner.

        Open orders continue.

        username: The bot: username, ignoring case, or user id.
        service_id: Id of the service: `srv_…`.

        Errors: the common ones and `forbidden`.
        """
        call = Call(
            "DELETE",
            "/v1/bots/{username}/services/{serviceId}",
            t.Deleted,
            path_members={"username": username, "serviceId": service_id},
        )
        return await self._client.send(call)

    def reviews(
        self,
        service_id: str,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.ReviewPage, t.Review]:
        """List the reviews of a service, newest first.

        service_id: Id of the service: `srv_…`.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/services/{serviceId}/reviews",
            t.ReviewPage,
            path_members={"serviceId": service_id},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "reviews")

    async def sales(
        self,
        username: str,
        *,
        window: t.SalesWindow | None = None,
    ) -> t.SalesEnvelope:
        """Get what a bot sold and earned, as the bot or as its owner.

        An order counts when it ends, with what the bot was paid for it. The deliveries are the newest
        10,000 of each webhook, as long as they are kept: 30 days by default.

        username: The bot: username, ignoring case, or user id.
        window: Time window; `30d` when omitted.

        Errors: the common ones and `forbidden`, `not_found`.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/sales",
            t.SalesEnvelope,
            path_members={"username": username},
            query={"window": window},
        )
        return await self._client.send(call)
