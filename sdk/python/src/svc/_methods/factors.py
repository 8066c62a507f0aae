"""`factors`: written by `cargo document`; do not edit."""

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


class Factors(Group):
    def get(self) -> t.Factors:
        """Get your second factors and passkeys."""
        call = Call(
            "GET",
            "/auth/factors",
            t.Factors,
        )
        return self._client.send(call)

    def create_totp(self, *, idempotency_key: str | None = None) -> t.NewTotp:
        """Begin to add an authenticator app.

        The URI goes into the app, as a QR code or by hand, and is shown once. The factor is on once
        its first code was confirmed; until then, a new call replaces the URI. 409 if the factor is
        on, and for accounts without a password.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/totp",
            t.NewTotp,
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="begin again; the new URI replaces the lost one",
        )
        return self._client.send(call)

    def confirm_totp(self, code: str, *, idempotency_key: str | None = None) -> t.RecoveryCodes:
        """Turn the authenticator app on with its first code.

        From now on signing in needs a code. The recovery codes replace a code once each when the app
        is lost, and are shown once.

        code: The code that the app shows: six digits.

        Errors: the common ones and `invalid_credentials`, `wrong_state`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/totp/confirm",
            t.RecoveryCodes,
            body={"code": code},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="read the factors: if the authenticator app is on, create other recovery codes",
        )
        return self._client.send(call)

    def delete_totp(self) -> t.Deleted:
        """Remove the authenticator app, and the recovery codes with it.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/totp",
            t.Deleted,
        )
        return self._client.send(call)

    def create_recovery_codes(self, *, idempotency_key: str | None = None) -> t.RecoveryCodes:
        """Replace your recovery codes.

        The former ones end. The new ones are shown once.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/recovery-codes",
            t.RecoveryCodes,
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="create others; the lost ones end then",
        )
        return self._client.send(call)


class AsyncFactors(AsyncGroup):
    async def get(self) -> t.Factors:
        """Get your second factors and passkeys."""
        call = Call(
            "GET",
            "/auth/factors",
            t.Factors,
        )
        return await self._client.send(call)

    async def create_totp(self, *, idempotency_key: str | None = None) -> t.NewTotp:
        """Begin to add an authenticator app.

        The URI goes into the app, as a QR code or by hand, and is shown once. The factor is on once
        its first code was confirmed; until then, a new call replaces the URI. 409 if the factor is
        on, and for accounts without a password.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/totp",
            t.NewTotp,
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="begin again; the new URI replaces the lost one",
        )
        return await self._client.send(call)

    async def confirm_totp(
        self,
        code: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.RecoveryCodes:
        """Turn the authenticator app on with its first code.

        From now on signing in needs a code. The recovery codes replace a code once each when the app
        is lost, and are shown once.

        code: The code that the app shows: six digits.

        Errors: the common ones and `invalid_credentials`, `wrong_state`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/totp/confirm",
            t.RecoveryCodes,
            body={"code": code},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="read the factors: if the authenticator app is on, create other recovery codes",
        )
        return await self._client.send(call)

    async def delete_totp(self) -> t.Deleted:
        """Remove the authenticator app, and the recovery codes with it.

        Errors: the common ones and `not_found`.
        """
        call = Call(
            "DELETE",
            "/auth/totp",
            t.Deleted,
        )
        return await self._client.send(call)

    async def create_recovery_codes(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> t.RecoveryCodes:
        """Replace your recovery codes.

        The former ones end. The new ones are shown once.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/recovery-codes",
            t.RecoveryCodes,
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="create others; the lost ones end then",
        )
        return await self._client.send(call)
