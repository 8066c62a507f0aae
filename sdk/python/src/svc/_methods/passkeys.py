"""`passkeys`: written by `cargo document`; do not edit."""

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


class Passkeys(Group):
    def begin(self, *, idempotency_key: str | None = None) -> t.PasskeyCeremony:
        """Begin to add a passkey.

        Give `options` to `navigator.credentials.create()` of a browser on this server's pages. The
        ceremony lasts 10 minutes, works once, and ends when you begin another. A key that may not do
        everything can't add a passkey. 503 if the server's public address has no host name.

        Errors: the common ones and `feature_not_configured`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/auth/passkeys/begin",
            t.PasskeyCeremony,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def create(
        self,
        ceremony_id: str,
        credential: Mapping[str, Any],
        name: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PasskeyEnvelope:
        """Add a passkey with what the browser answered.

        From now on it is enough to sign in, because the device verifies who uses it. 401 if the
        answer does not belong to the ceremony.

        ceremony_id: Id of the ceremony.
        credential: The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.
        name: A name by which you recognize it: 1–64 characters.

        Errors: the common ones and `feature_not_configured`, `invalid_credentials`,
        `limit_reached`.
        """
        call = Call(
            "POST",
            "/auth/passkeys",
            t.PasskeyEnvelope,
            body={"ceremonyId": ceremony_id, "credential": credential, "name": name},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def update(self, passkey_id: str, name: str) -> t.PasskeyEnvelope:
        """Rename a passkey.

        passkey_id: Id of the passkey.
        name: The new name: 1–64 characters.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "PATCH",
            "/auth/passkeys/{passkeyId}",
            t.PasskeyEnvelope,
            path_members={"passkeyId": passkey_id},
            body={"name": name},
        )
        return self._client.send(call)

    def delete(self, passkey_id: str) -> t.Deleted:
        """Remove a passkey.

        409 if it is the only way left into the account.

        passkey_id: Id of the passkey.

        Errors: the common ones and `not_found`, `last_credential`.
        """
        call = Call(
            "DELETE",
            "/auth/passkeys/{passkeyId}",
            t.Deleted,
            path_members={"passkeyId": passkey_id},
        )
        return self._client.send(call)

    def begin_login(
        self,
        *,
        username: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.PasskeyCeremony:
        """Begin to sign in with a passkey.

        Give `options` to `navigator.credentials.get()`. They are the same for every account, and
        for names without one: the device knows its passkeys for this server. The ceremony lasts
        10 minutes and works once.

        username: The account to sign in to. A passkey of another account is then refused.

        Errors: the common ones and `feature_not_configured`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/login/passkey/begin",
            t.PasskeyCeremony,
            body={"username": username},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def login(
        self,
        ceremony_id: str,
        credential: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
    ) -> t.LoggedIn:
        """Sign in with a passkey.

        Sets the session cookie. A passkey is two factors, so no code is asked for.

        ceremony_id: Id of the ceremony.
        credential: The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.

        Errors: the common ones and `feature_not_configured`, `invalid_credentials`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/login/passkey",
            t.LoggedIn,
            body={"ceremonyId": ceremony_id, "credential": credential},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def begin_step_up(self, *, idempotency_key: str | None = None) -> t.PasskeyCeremony:
        """Begin to confirm that it is you with a passkey.

        Give `options` to `navigator.credentials.get()`, and what it answers to `POST /auth/step-up`.
        The ceremony lasts 10 minutes, works once, and ends when you begin another. 409 if you have
        no passkey.

        Errors: the common ones and `feature_not_configured`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/step-up/passkey/begin",
            t.PasskeyCeremony,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncPasskeys(AsyncGroup):
    async def begin(self, *, idempotency_key: str | None = None) -> t.PasskeyCeremony:
        """Begin to add a passkey.

        Give `options` to `navigator.credentials.create()` of a browser on this server's pages. The
        ceremony lasts 10 minutes, works once, and ends when you begin another. A key that may not do
        everything can't add a passkey. 503 if the server's public address has no host name.

        Errors: the common ones and `feature_not_configured`, `limit_reached`.
        """
        call = Call(
            "POST",
            "/auth/passkeys/begin",
            t.PasskeyCeremony,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def create(
        self,
        ceremony_id: str,
        credential: Mapping[str, Any],
        name: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PasskeyEnvelope:
        """Add a passkey with what the browser answered.

        From now on it is enough to sign in, because the device verifies who uses it. 401 if the
        answer does not belong to the ceremony.

        ceremony_id: Id of the ceremony.
        credential: The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.
        name: A name by which you recognize it: 1–64 characters.

        Errors: the common ones and `feature_not_configured`, `invalid_credentials`,
        `limit_reached`.
        """
        call = Call(
            "POST",
            "/auth/passkeys",
            t.PasskeyEnvelope,
            body={"ceremonyId": ceremony_id, "credential": credential, "name": name},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def update(self, passkey_id: str, name: str) -> t.PasskeyEnvelope:
        """Rename a passkey.

        passkey_id: Id of the passkey.
        name: The new name: 1–64 characters.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "PATCH",
            "/auth/passkeys/{passkeyId}",
            t.PasskeyEnvelope,
            path_members={"passkeyId": passkey_id},
            body={"name": name},
        )
        return await self._client.send(call)

    async def delete(self, passkey_id: str) -> t.Deleted:
        """Remove a passkey.

        409 if it is the only way left into the account.

        passkey_id: Id of the passkey.

        Errors: the common ones and `not_found`, `last_credential`.
        """
        call = Call(
            "DELETE",
            "/auth/passkeys/{passkeyId}",
            t.Deleted,
            path_members={"passkeyId": passkey_id},
        )
        return await self._client.send(call)

    async def begin_login(
        self,
        *,
        username: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.PasskeyCeremony:
        """Begin to sign in with a passkey.

        Give `options` to `navigator.credentials.get()`. They are the same for every account, and
        for names without one: the device knows its passkeys for this server. The ceremony lasts
        10 minutes and works once.

        username: The account to sign in to. A passkey of another account is then refused.

        Errors: the common ones and `feature_not_configured`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/login/passkey/begin",
            t.PasskeyCeremony,
            body={"username": username},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def login(
        self,
        ceremony_id: str,
        credential: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
    ) -> t.LoggedIn:
        """Sign in with a passkey.

        Sets the session cookie. A passkey is two factors, so no code is asked for.

        ceremony_id: Id of the ceremony.
        credential: The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.

        Errors: the common ones and `feature_not_configured`, `invalid_credentials`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/login/passkey",
            t.LoggedIn,
            body={"ceremonyId": ceremony_id, "credential": credential},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def begin_step_up(self, *, idempotency_key: str | None = None) -> t.PasskeyCeremony:
        """Begin to confirm that it is you with a passkey.

        Give `options` to `navigator.credentials.get()`, and what it answers to `POST /auth/step-up`.
        The ceremony lasts 10 minutes, works once, and ends when you begin another. 409 if you have
        no passkey.

        Errors: the common ones and `feature_not_configured`, `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/step-up/passkey/begin",
            t.PasskeyCeremony,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
