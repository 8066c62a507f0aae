"""`keys`: written by `cargo document`; do not edit."""

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


class Keys(Group):
    def list(self) -> t.ApiKeyList:
        """List your API keys: the default one, then the others by name.

        A key is listed until it is deleted, even after it has expired.
        """
        call = Call(
            "GET",
            "/auth/keys",
            t.ApiKeyList,
        )
        return self._client.send(call)

    def current(self) -> t.ApiKeyEnvelope:
        """Get the API key of this request.

        404 for a session.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/auth/keys/current",
            t.ApiKeyEnvelope,
        )
        return self._client.send(call)

    def create(
        self,
        name: str,
        scopes: Sequence[t.Scope],
        *,
        expires_in: str | None = None,
        allow_from: Sequence[str] | None = None,
        spend: t.KeySpend | Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.CreatedApiKey:
        """Create an API key.

        It may do no more than its scopes say, and no more than the credential that creates it; a key
        with an end, networks or caps creates none. The key is shown once. An account has at most 25
        keys beside the default one.

        name: Your name for it, unique among your keys: 1–64 characters.
        scopes: What it may do: at least one scope.
        expires_in: Lifetime: 1 hour to 365 days; without end when omitted.
        allow_from: The networks such as `203.0.113.0/24`, or addresses, it works from, at
            most 10; everywhere when omitted.
        spend: The most it may spend; without caps when omitted.

        Errors: the common ones and `already_exists`, `limit_reached`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/keys",
            t.CreatedApiKey,
            body={
                "name": name,
                "scopes": scopes,
                "expiresIn": expires_in,
                "allowFrom": allow_from,
                "spend": spend,
            },
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="list the keys: if there is one of this name, its secret is lost; delete it and create another",
        )
        return self._client.send(call)

    def update(
        self,
        key_id: str,
        *,
        name: str | None = None,
        scopes: Sequence[t.Scope] | None = None,
        allow_from: Sequence[str] | None = None,
        spend: t.KeySpend | Mapping[str, Any] | None = None,
    ) -> t.ApiKeyEnvelope:
        """Rename an API key, or change what it may do.

        Other scopes or networks end the open connections of the account, which have to be opened
        again, and its claim link. The default key keeps its name and every scope, and has no caps. A
        change that lets the key do more asks for a confirmation: `POST /auth/step-up`.

        key_id: Public part of the key.
        name: The new name: 1–64 characters.
        scopes: What it may do from now on: at least one scope.
        allow_from: The networks or addresses that it may be used from, at most 10; an empty
            list stands for everywhere.
        spend: The most it may spend. Both caps are replaced; an empty object removes them.

        Errors: the common ones and `step_up_required`, `not_found`, `already_exists`,
        `wrong_state`, `rate_limited`.
        """
        call = Call(
            "PATCH",
            "/auth/keys/{keyId}",
            t.ApiKeyEnvelope,
            path_members={"keyId": key_id},
            body={"name": name, "scopes": scopes, "allowFrom": allow_from, "spend": spend},
        )
        return self._client.send(call)

    def delete(self, key_id: str) -> t.Deleted:
        """Delete an API key.

        It ends at once, with its open connections. The only way left into an account cannot be
        deleted: a password, a passkey, or a key with every scope and without an end, networks or caps
        has to remain.

        key_id: Public part of the key.

        Errors: the common ones and `not_found`, `last_credential`.
        """
        call = Call(
            "DELETE",
            "/auth/keys/{keyId}",
            t.Deleted,
            path_members={"keyId": key_id},
        )
        return self._client.send(call)

    def report(self, token: str, *, idempotency_key: str | None = None) -> t.ApiKeyReported:
        """Report an API key, a developer key or an OAuth token that you found in public.

        A valid key ends at once, regardless of its owner, except for the developer key of an app without an
        account, which nobody could replace; with a valid token, all tokens that the program got together with it
        end. The response does not say whether it was valid.

        token: The whole key or token: `svc_ak_…`, `svc_dk_…`, `svc_at_…` or
            `svc_rt_…`.
        """
        call = Call(
            "POST",
            "/auth/keys/report",
            t.ApiKeyReported,
            body={"token": token},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncKeys(AsyncGroup):
    async def list(self) -> t.ApiKeyList:
        """List your API keys: the default one, then the others by name.

        A key is listed until it is deleted, even after it has expired.
        """
        call = Call(
            "GET",
            "/auth/keys",
            t.ApiKeyList,
        )
        return await self._client.send(call)

    async def current(self) -> t.ApiKeyEnvelope:
        """Get the API key of this request.

        404 for a session.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "GET",
            "/auth/keys/current",
            t.ApiKeyEnvelope,
        )
        return await self._client.send(call)

    async def create(
        self,
        name: str,
        scopes: Sequence[t.Scope],
        *,
        expires_in: str | None = None,
        allow_from: Sequence[str] | None = None,
        spend: t.KeySpend | Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.CreatedApiKey:
        """Create an API key.

        It may do no more than its scopes say, and no more than the credential that creates it; a key
        with an end, networks or caps creates none. The key is shown once. An account has at most 25
        keys beside the default one.

        name: Your name for it, unique among your keys: 1–64 characters.
        scopes: What it may do: at least one scope.
        expires_in: Lifetime: 1 hour to 365 days; without end when omitted.
        allow_from: The networks such as `203.0.113.0/24`, or addresses, it works from, at
            most 10; everywhere when omitted.
        spend: The most it may spend; without caps when omitted.

        Errors: the common ones and `already_exists`, `limit_reached`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/keys",
            t.CreatedApiKey,
            body={
                "name": name,
                "scopes": scopes,
                "expiresIn": expires_in,
                "allowFrom": allow_from,
                "spend": spend,
            },
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="list the keys: if there is one of this name, its secret is lost; delete it and create another",
        )
        return await self._client.send(call)

    async def update(
        self,
        key_id: str,
        *,
        name: str | None = None,
        scopes: Sequence[t.Scope] | None = None,
        allow_from: Sequence[str] | None = None,
        spend: t.KeySpend | Mapping[str, Any] | None = None,
    ) -> t.ApiKeyEnvelope:
        """Rename an API key, or change what it may do.

        Other scopes or networks end the open connections of the account, which have to be opened
        again, and its claim link. The default key keeps its name and every scope, and has no caps. A
        change that lets the key do more asks for a confirmation: `POST /auth/step-up`.

        key_id: Public part of the key.
        name: The new name: 1–64 characters.
        scopes: What it may do from now on: at least one scope.
        allow_from: The networks or addresses that it may be used from, at most 10; an empty
            list stands for everywhere.
        spend: The most it may spend. Both caps are replaced; an empty object removes them.

        Errors: the common ones and `step_up_required`, `not_found`, `already_exists`,
        `wrong_state`, `rate_limited`.
        """
        call = Call(
            "PATCH",
            "/auth/keys/{keyId}",
            t.ApiKeyEnvelope,
            path_members={"keyId": key_id},
            body={"name": name, "scopes": scopes, "allowFrom": allow_from, "spend": spend},
        )
        return await self._client.send(call)

    async def delete(self, key_id: str) -> t.Deleted:
        """Delete an API key.

        It ends at once, with its open connections. The only way left into an account cannot be
        deleted: a password, a passkey, or a key with every scope and without an end, networks or caps
        has to remain.

        key_id: Public part of the key.

        Errors: the common ones and `not_found`, `last_credential`.
        """
        call = Call(
            "DELETE",
            "/auth/keys/{keyId}",
            t.Deleted,
            path_members={"keyId": key_id},
        )
        return await self._client.send(call)

    async def report(self, token: str, *, idempotency_key: str | None = None) -> t.ApiKeyReported:
        """Report an API key, a developer key or an OAuth token that you found in public.

        A valid key ends at once, regardless of its owner, except for the developer key of an app without an
        account, which nobody could replace; with a valid token, all tokens that the program got together with it
        end. The response does not say whether it was valid.

        token: The whole key or token: `svc_ak_…`, `svc_dk_…`, `svc_at_…` or
            `svc_rt_…`.
        """
        call = Call(
            "POST",
            "/auth/keys/report",
            t.ApiKeyReported,
            body={"token": token},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
