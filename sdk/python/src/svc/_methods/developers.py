"""`developers`: written by `cargo document`; do not edit."""

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


class Developers(Group):
    def register(
        self,
        app_name: str,
        website: str,
        *,
        description: str | None = None,
        redirect_uris: Sequence[str] | None = None,
        id_token_signed_response_alg: t.IdTokenAlg | None = None,
        idempotency_key: str | None = None,
    ) -> t.DeveloperRegistered:
        """Register a developer app.

        No account is required. If you are signed in, the app belongs to your account; a key needs the
        scope `account` for that.

        app_name: Name of the app.
        website: URL of the app's website.
        description: What the app does.
        redirect_uris: Where people return from "Sign in with svc", at most 10: `https` URLs,
            loopback URLs such as `http://127.0.0.1/callback`, or a scheme of the app such as
            `org.example.app:/done`.
        id_token_signed_response_alg: How ID tokens for the app are signed; `ES256` when
            omitted.

        Errors: the common ones and `insufficient_scope`, `credential_in_content`, `limit_reached`,
        `rate_limited`.
        """
        call = Call(
            "POST",
            "/v1/developers/register",
            t.DeveloperRegistered,
            body={
                "appName": app_name,
                "website": website,
                "description": description,
                "redirectUris": redirect_uris,
                "idTokenSignedResponseAlg": id_token_signed_response_alg,
            },
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="register again; the app whose key is lost does no harm",
        )
        return self._client.send(call)

    def me(self) -> t.DeveloperEnvelope:
        """Get your app.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`.
        """
        call = Call(
            "GET",
            "/v1/developers/me",
            t.DeveloperEnvelope,
            who="developer",
        )
        return self._client.send(call)

    def update(
        self,
        *,
        app_name: str | None = None,
        website: str | None = None,
        description: str | None = None,
        redirect_uris: Sequence[str] | None = None,
        id_token_signed_response_alg: t.IdTokenAlg | None = None,
    ) -> t.DeveloperEnvelope:
        """Update your app.

        app_name: Name of the app.
        website: URL of the app's website.
        description: What the app does.
        redirect_uris: Where people return from "Sign in with svc", at most 10; an empty list
            removes all.
        id_token_signed_response_alg: How ID tokens for the app are signed from now on.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`,
        `credential_in_content`.
        """
        call = Call(
            "PATCH",
            "/v1/developers/me",
            t.DeveloperEnvelope,
            body={
                "appName": app_name,
                "website": website,
                "description": description,
                "redirectUris": redirect_uris,
                "idTokenSignedResponseAlg": id_token_signed_response_alg,
            },
            who="developer",
        )
        return self._client.send(call)

    def delete(self) -> t.Deleted:
        """Delete your app.

        Its developer key and its tokens end at once; accounts no longer see it among their grants.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`.
        """
        call = Call(
            "DELETE",
            "/v1/developers/me",
            t.Deleted,
            who="developer",
        )
        return self._client.send(call)

    def rotate_key(
        self,
        *,
        overlap_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.NewDeveloperKey:
        """Rotate your developer key.

        The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
        but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.

        overlap_seconds: Seconds until the old key ends, at most 7 days; 0 when omitted.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`.
        """
        call = Call(
            "POST",
            "/v1/developers/me/rotate-key",
            t.NewDeveloperKey,
            body={"overlapSeconds": overlap_seconds},
            who="developer",
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="rotate the key again: if the old one is refused, the new one is lost; the account of the app can replace it, or register a new app",
        )
        return self._client.send(call)

    def apps(self, *, limit: int | None = None) -> Pages[t.DeveloperPage, t.Developer]:
        """List the apps that your account registered, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/developers/apps",
            t.DeveloperPage,
            query={"limit": limit},
        )
        return Pages(self._client.send, call, "developers")

    def app(self, app_id: str) -> t.DeveloperEnvelope:
        """Get an app that your account registered.

        app_id: Id of the app: `app_…`.
        """
        call = Call(
            "GET",
            "/v1/developers/apps/{appId}",
            t.DeveloperEnvelope,
            path_members={"appId": app_id},
        )
        return self._client.send(call)

    def rotate_app_key(
        self,
        app_id: str,
        *,
        overlap_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.NewDeveloperKey:
        """Rotate the developer key of an app that your account registered.

        The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
        but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.

        app_id: Id of the app: `app_…`.
        overlap_seconds: Seconds until the old key ends, at most 7 days; 0 when omitted.
        """
        call = Call(
            "POST",
            "/v1/developers/apps/{appId}/rotate-key",
            t.NewDeveloperKey,
            path_members={"appId": app_id},
            body={"overlapSeconds": overlap_seconds},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="rotate the key again; the lost one does no harm",
        )
        return self._client.send(call)

    def delete_app(self, app_id: str) -> t.Deleted:
        """Delete an app that your account registered.

        Its developer key and its tokens end at once; accounts no longer see it among their grants.

        app_id: Id of the app: `app_…`.
        """
        call = Call(
            "DELETE",
            "/v1/developers/apps/{appId}",
            t.Deleted,
            path_members={"appId": app_id},
        )
        return self._client.send(call)


class AsyncDevelopers(AsyncGroup):
    async def register(
        self,
        app_name: str,
        website: str,
        *,
        description: str | None = None,
        redirect_uris: Sequence[str] | None = None,
        id_token_signed_response_alg: t.IdTokenAlg | None = None,
        idempotency_key: str | None = None,
    ) -> t.DeveloperRegistered:
        """Register a developer app.

        No account is required. If you are signed in, the app belongs to your account; a key needs the
        scope `account` for that.

        app_name: Name of the app.
        website: URL of the app's website.
        description: What the app does.
        redirect_uris: Where people return from "Sign in with svc", at most 10: `https` URLs,
            loopback URLs such as `http://127.0.0.1/callback`, or a scheme of the app such as
            `org.example.app:/done`.
        id_token_signed_response_alg: How ID tokens for the app are signed; `ES256` when
            omitted.

        Errors: the common ones and `insufficient_scope`, `credential_in_content`, `limit_reached`,
        `rate_limited`.
        """
        call = Call(
            "POST",
            "/v1/developers/register",
            t.DeveloperRegistered,
            body={
                "appName": app_name,
                "website": website,
                "description": description,
                "redirectUris": redirect_uris,
                "idTokenSignedResponseAlg": id_token_signed_response_alg,
            },
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="register again; the app whose key is lost does no harm",
        )
        return await self._client.send(call)

    async def me(self) -> t.DeveloperEnvelope:
        """Get your app.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`.
        """
        call = Call(
            "GET",
            "/v1/developers/me",
            t.DeveloperEnvelope,
            who="developer",
        )
        return await self._client.send(call)

    async def update(
        self,
        *,
        app_name: str | None = None,
        website: str | None = None,
        description: str | None = None,
        redirect_uris: Sequence[str] | None = None,
        id_token_signed_response_alg: t.IdTokenAlg | None = None,
    ) -> t.DeveloperEnvelope:
        """Update your app.

        app_name: Name of the app.
        website: URL of the app's website.
        description: What the app does.
        redirect_uris: Where people return from "Sign in with svc", at most 10; an empty list
            removes all.
        id_token_signed_response_alg: How ID tokens for the app are signed from now on.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`,
        `credential_in_content`.
        """
        call = Call(
            "PATCH",
            "/v1/developers/me",
            t.DeveloperEnvelope,
            body={
                "appName": app_name,
                "website": website,
                "description": description,
                "redirectUris": redirect_uris,
                "idTokenSignedResponseAlg": id_token_signed_response_alg,
            },
            who="developer",
        )
        return await self._client.send(call)

    async def delete(self) -> t.Deleted:
        """Delete your app.

        Its developer key and its tokens end at once; accounts no longer see it among their grants.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`.
        """
        call = Call(
            "DELETE",
            "/v1/developers/me",
            t.Deleted,
            who="developer",
        )
        return await self._client.send(call)

    async def rotate_key(
        self,
        *,
        overlap_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.NewDeveloperKey:
        """Rotate your developer key.

        The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
        but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.

        overlap_seconds: Seconds until the old key ends, at most 7 days; 0 when omitted.

        Errors: the common ones and `invalid_developer_key`, `developer_key_required`.
        """
        call = Call(
            "POST",
            "/v1/developers/me/rotate-key",
            t.NewDeveloperKey,
            body={"overlapSeconds": overlap_seconds},
            who="developer",
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="rotate the key again: if the old one is refused, the new one is lost; the account of the app can replace it, or register a new app",
        )
        return await self._client.send(call)

    def apps(self, *, limit: int | None = None) -> AsyncPages[t.DeveloperPage, t.Developer]:
        """List the apps that your account registered, newest first.

        limit: Page size: 1 to 100, 20 when omitted.
        """
        call = Call(
            "GET",
            "/v1/developers/apps",
            t.DeveloperPage,
            query={"limit": limit},
        )
        return AsyncPages(self._client.send, call, "developers")

    async def app(self, app_id: str) -> t.DeveloperEnvelope:
        """Get an app that your account registered.

        app_id: Id of the app: `app_…`.
        """
        call = Call(
            "GET",
            "/v1/developers/apps/{appId}",
            t.DeveloperEnvelope,
            path_members={"appId": app_id},
        )
        return await self._client.send(call)

    async def rotate_app_key(
        self,
        app_id: str,
        *,
        overlap_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.NewDeveloperKey:
        """Rotate the developer key of an app that your account registered.

        The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
        but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.

        app_id: Id of the app: `app_…`.
        overlap_seconds: Seconds until the old key ends, at most 7 days; 0 when omitted.
        """
        call = Call(
            "POST",
            "/v1/developers/apps/{appId}/rotate-key",
            t.NewDeveloperKey,
            path_members={"appId": app_id},
            body={"overlapSeconds": overlap_seconds},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="rotate the key again; the lost one does no harm",
        )
        return await self._client.send(call)

    async def delete_app(self, app_id: str) -> t.Deleted:
        """Delete an app that your account registered.

        Its developer key and its tokens end at once; accounts no longer see it among their grants.

        app_id: Id of the app: `app_…`.
        """
        call = Call(
            "DELETE",
            "/v1/developers/apps/{appId}",
            t.Deleted,
            path_members={"appId": app_id},
        )
        return await self._client.send(call)
