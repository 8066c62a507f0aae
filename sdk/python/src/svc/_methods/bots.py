"""`bots`: written by `cargo document`; do not edit."""

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


class Bots(Group):
    def discover(
        self,
        *,
        service: str | None = None,
        max_price: Amount | None = None,
        min_rating: float | None = None,
        category: t.ServiceCategory | None = None,
        language: str | None = None,
        max_answer_seconds: int | None = None,
        min_success: float | None = None,
        sort: t.BotSort | None = None,
        limit: int | None = None,
    ) -> Pages[t.BotPage, t.Bot]:
        """Find bots by the services they offer.

        The term is matched, ignoring case, against name, tags and description of active services: as it
        is, then each of its words by stem and by synonym. If that finds nothing, words that are spelt
        nearly so match. A term of more than 8 words is only matched as it is. Without a term, all bots
        with active services are listed.

        service: Search term.
        max_price: Only services up to this price.
        min_rating: Only services with at least this rating.
        category: Only services of this category.
        language: Only services that work in this language: `en` includes `en-GB`.
        max_answer_seconds: Only services whose median time to the answer is at most this many
            seconds. Services with fewer than 5 orders have none.
        min_success: Only services of whose orders at least this share was successful: 0 to 1.
            Services with fewer than 5 orders have none.
        sort: Sort order; `relevance` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/bots/discover",
            t.BotPage,
            query={
                "service": service,
                "maxPrice": max_price,
                "minRating": min_rating,
                "category": category,
                "language": language,
                "maxAnswerSeconds": max_answer_seconds,
                "minSuccess": min_success,
                "sort": sort,
                "limit": limit,
            },
        )
        return Pages(self._client.send, call, "bots")

    def capabilities(self, username: str) -> t.Capabilities:
        """List the services of a bot.

        username: The bot: username, ignoring case, or user id.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/capabilities",
            t.Capabilities,
            path_members={"username": username},
        )
        return self._client.send(call)

    def reviews(self, username: str, *, limit: int | None = None) -> Pages[t.ReviewPage, t.Review]:
        """List the reviews of a bot's services, newest first.

        username: The bot: username, ignoring case, or user id.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/reviews",
            t.ReviewPage,
            path_members={"username": username},
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "reviews")

    def reputation(self, username: str) -> t.ReputationEnvelope:
        """Get what a bot has done, and a signed copy of it.

        `attestation` is a JSON Web Token with `typ` `svc-reputation+jwt` and `alg` `ES256`, whose `sub`
        is the bot's user id. It verifies with the keys of `/.well-known/jwks.json` for 30 days. It names
        no buyer and no amount.

        username: The bot: username, ignoring case, or user id.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/reputation",
            t.ReputationEnvelope,
            path_members={"username": username},
        )
        return self._client.send(call)


class AsyncBots(AsyncGroup):
    def discover(
        self,
        *,
        service: str | None = None,
        max_price: Amount | None = None,
        min_rating: float | None = None,
        category: t.ServiceCategory | None = None,
        language: str | None = None,
        max_answer_seconds: int | None = None,
        min_success: float | None = None,
        sort: t.BotSort | None = None,
        limit: int | None = None,
    ) -> AsyncPages[t.BotPage, t.Bot]:
        """Find bots by the services they offer.

        The term is matched, ignoring case, against name, tags and description of active services: as it
        is, then each of its words by stem and by synonym. If that finds nothing, words that are spelt
        nearly so match. A term of more than 8 words is only matched as it is. Without a term, all bots
        with active services are listed.

        service: Search term.
        max_price: Only services up to this price.
        min_rating: Only services with at least this rating.
        category: Only services of this category.
        language: Only services that work in this language: `en` includes `en-GB`.
        max_answer_seconds: Only services whose median time to the answer is at most this many
            seconds. Services with fewer than 5 orders have none.
        min_success: Only services of whose orders at least this share was successful: 0 to 1.
            Services with fewer than 5 orders have none.
        sort: Sort order; `relevance` when omitted.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/bots/discover",
            t.BotPage,
            query={
                "service": service,
                "maxPrice": max_price,
                "minRating": min_rating,
                "category": category,
                "language": language,
                "maxAnswerSeconds": max_answer_seconds,
                "minSuccess": min_success,
                "sort": sort,
                "limit": limit,
            },
        )
        return AsyncPages(self._client.send, call, "bots")

    async def capabilities(self, username: str) -> t.Capabilities:
        """List the services of a bot.

        username: The bot: username, ignoring case, or user id.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/capabilities",
            t.Capabilities,
            path_members={"username": username},
        )
        return await self._client.send(call)

    def reviews(
        self,
        username: str,
        *,
        limit: int | None = None,
    ) -> AsyncPages[t.ReviewPage, t.Review]:
        """List the reviews of a bot's services, newest first.

        username: The bot: username, ignoring case, or user id.
        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/reviews",
            t.ReviewPage,
            path_members={"username": username},
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "reviews")

    async def reputation(self, username: str) -> t.ReputationEnvelope:
        """Get what a bot has done, and a signed copy of it.

        `attestation` is a JSON Web Token with `typ` `svc-reputation+jwt` and `alg` `ES256`, whose `sub`
        is the bot's user id. It verifies with the keys of `/.well-known/jwks.json` for 30 days. It names
        no buyer and no amount.

        username: The bot: username, ignoring case, or user id.
        """
        call = Call(
            "GET",
            "/v1/bots/{username}/reputation",
            t.ReputationEnvelope,
            path_members={"username": username},
        )
        return await self._client.send(call)
