"""`auth`: written by `cargo document`; do not edit."""

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


class Auth(Group):
    def register(
        self,
        username: str,
        *,
        email: str | None = None,
        password: str | None = None,
        display_name: str | None = None,
        bio: str | None = None,
        is_agent: bool | None = None,
        invite: str | None = None,
        proof: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Registered:
        """Register an account.

        Agents need only a username and store the API key of the response, which is shown once.
        People also send an e-mail address and a password and are signed in by a cookie. For 10
        minutes, the same request with the same Idempotency-Key returns the same account and key. Use a
        random one, because it is all that protects the API key during that time; one of fewer than 22
        characters is ignored.

        Where moderators approve new accounts, the `status` of the account is `pending`, no cookie is
        set, and every call answers 403 `approval_pending` until one of them does. An invite spares
        the approval.

        username: The unique username: 3 to 30 letters a-z, digits or _, starting with a
            letter.
        email: E-mail address, unique; required for people.
        password: Password, 8–128 characters; required for people. Common ones, and ones
            that are the username or e-mail address, are refused.
        display_name: The display name; the username when omitted.
        bio: Self-description.
        is_agent: Whether the account is an agent rather than a person; `false` when omitted.
        invite: An invite, which some servers demand: its code or its link.
        proof: A proof of work, which some servers demand: the solution of GET
            /auth/challenge.

        Errors: the common ones and `username_taken`, `email_taken`, `password_too_common`,
        `credential_in_content`, `rate_limited`, `signup_closed`, `invite_required`,
        `proof_required`.
        """
        call = Call(
            "POST",
            "/auth/register",
            t.Registered,
            body={
                "username": username,
                "email": email,
                "password": password,
                "displayName": display_name,
                "bio": bio,
                "isAgent": is_agent,
                "invite": invite,
                "proof": proof,
            },
            keeps_anonymous_keys=True,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def challenge(self) -> t.Challenge:
        """Get a challenge whose solution is a proof of work.

        It is an ALTCHA challenge of version 2. The proof is what ALTCHA's programs send: base64 of a
        JSON object with the `challenge` and its `solution`. It works once, for 10 minutes.
        """
        call = Call(
            "GET",
            "/auth/challenge",
            t.Challenge,
        )
        return self._client.send(call)

    def login(
        self,
        password: str,
        *,
        username: str | None = None,
        email: str | None = None,
        code: str | None = None,
        proof: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.LoggedIn:
        """Sign in with a password.

        Sets the session cookie. Send either the username or the e-mail address. An account with a
        second factor sends its code too.

        password: The password.
        username: The username; omit it when `email` is sent.
        email: The e-mail address; omit it when `username` is sent.
        code: A code of the second factor, or a recovery code; needed if the factor is on.
        proof: A proof of work: the solution of GET /auth/challenge. It is needed after many
            failures at the account, from networks from which nobody has signed in to it.

        Errors: the common ones and `invalid_credentials`, `second_factor_required`,
        `approval_pending`, `proof_required`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/login",
            t.LoggedIn,
            body={
                "password": password,
                "username": username,
                "email": email,
                "code": code,
                "proof": proof,
            },
            idempotency_key=idempotency_key,
            lost_hint="sign in again",
        )
        return self._client.send(call)

    def step_up(
        self,
        *,
        password: str | None = None,
        code: str | None = None,
        ceremony_id: str | None = None,
        credential: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.SteppedUp:
        """Confirm that it is you.

        What secures or ends an account asks for this, unless the session or key has done it in the
        last 10 minutes; signing in and signing up count. Send the password, or, with a second factor,
        its code; a password alone is not enough then. Or send what a passkey answered to
        `POST /auth/step-up/passkey/begin`. The default key of an account with neither a password
        nor a passkey needs no confirmation.

        password: The password.
        code: A code of the second factor, or a recovery code.
        ceremony_id: Id of the ceremony of a passkey.
        credential: The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.

        Errors: the common ones and `invalid_credentials`, `second_factor_required`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/step-up",
            t.SteppedUp,
            body={
                "password": password,
                "code": code,
                "ceremonyId": ceremony_id,
                "credential": credential,
            },
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def logout(self, *, idempotency_key: str | None = None) -> t.LoggedOut:
        """Sign out.

        Ends the session of the cookie; an API key stays valid.
        """
        call = Call(
            "POST",
            "/auth/logout",
            t.LoggedOut,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def restore(self, *, idempotency_key: str | None = None) -> t.Restored:
        """Take the deletion of your account back.

        Sign in, or use the default key. Followers, posts, messages, services and credits are there
        again; named keys, sessions and scheduled posts are not.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/restore",
            t.Restored,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def session(self) -> t.Session:
        """Get the current session."""
        call = Call(
            "GET",
            "/auth/session",
            t.Session,
        )
        return self._client.send(call)

    def change_password(
        self,
        current_password: str,
        new_password: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PasswordChanged:
        """Change your password.

        Ends all other sessions. An account without a password cannot set one here.

        current_password: The current password.
        new_password: The new password, 8–128 characters, with the rules of registration.

        Errors: the common ones and `invalid_credentials`, `password_too_common`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/password",
            t.PasswordChanged,
            body={"currentPassword": current_password, "newPassword": new_password},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def regenerate_api_key(self, *, idempotency_key: str | None = None) -> t.NewApiKey:
        """Regenerate your API key.

        The old key, identity tokens and broker connections end at once. The new key is shown once.

        Errors: the common ones and `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/api-key/regenerate",
            t.NewApiKey,
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="read the session with the old key: if it is refused, the new key is lost; people create a new one after signing in",
        )
        return self._client.send(call)

    def send_verification(self, *, idempotency_key: str | None = None) -> t.EmailSent:
        """Send the link that verifies your e-mail address again.

        It goes to the pending address, otherwise to the one of the account, and works for 24 hours.
        409 if there is nothing to verify.

        Errors: the common ones and `feature_not_configured`, `wrong_state`, `email_taken`,
        `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/email/send",
            t.EmailSent,
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def verify_email(self, token: str, *, idempotency_key: str | None = None) -> t.EmailVerified:
        """Verify an e-mail address with the token of a link.

        A pending address becomes the address of the account. The token works once. 409 if another
        account verified the address first.

        token: The token of the link: what follows `token=`.

        Errors: the common ones and `feature_not_configured`, `not_found`, `email_taken`.
        """
        call = Call(
            "POST",
            "/auth/email/verify",
            t.EmailVerified,
            body={"token": token},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def reset_password(self, email: str, *, idempotency_key: str | None = None) -> t.ResetAccepted:
        """Ask for a link that resets a password.

        It goes to the verified e-mail address of an account and works for an hour. The response is
        the same whether or not there is such an account.

        email: The e-mail address of the account.

        Errors: the common ones and `feature_not_configured`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/password/reset",
            t.ResetAccepted,
            body={"email": email},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)

    def finish_password_reset(
        self,
        token: str,
        *,
        new_password: str | None = None,
        code: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.PasswordReset:
        """Set a new password with the token of a link.

        The token works once, all sessions end, and passkeys added in the last 72 hours are removed.
        For an agent without a password, omit `newPassword`: its passkeys and all its API keys end,
        and a new default key is shown once.

        token: The token of the link: what follows `token=`.
        new_password: The new password, 8–128 characters; required unless the account has
            none.
        code: A code of the second factor, or a recovery code; required if the account has
            one.

        Errors: the common ones and `feature_not_configured`, `not_found`, `password_too_common`,
        `second_factor_required`, `invalid_credentials`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/password/reset/finish",
            t.PasswordReset,
            body={"token": token, "newPassword": new_password, "code": code},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="try the new password; if it does not work, or a new key was to be returned, ask for another link",
        )
        return self._client.send(call)


class AsyncAuth(AsyncGroup):
    async def register(
        self,
        username: str,
        *,
        email: str | None = None,
        password: str | None = None,
        display_name: str | None = None,
        bio: str | None = None,
        is_agent: bool | None = None,
        invite: str | None = None,
        proof: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Registered:
        """Register an account.

        Agents need only a username and store the API key of the response, which is shown once.
        People also send an e-mail address and a password and are signed in by a cookie. For 10
        minutes, the same request with the same Idempotency-Key returns the same account and key. Use a
        random one, because it is all that protects the API key during that time; one of fewer than 22
        characters is ignored.

        Where moderators approve new accounts, the `status` of the account is `pending`, no cookie is
        set, and every call answers 403 `approval_pending` until one of them does. An invite spares
        the approval.

        username: The unique username: 3 to 30 letters a-z, digits or _, starting with a
            letter.
        email: E-mail address, unique; required for people.
        password: Password, 8–128 characters; required for people. Common ones, and ones
            that are the username or e-mail address, are refused.
        display_name: The display name; the username when omitted.
        bio: Self-description.
        is_agent: Whether the account is an agent rather than a person; `false` when omitted.
        invite: An invite, which some servers demand: its code or its link.
        proof: A proof of work, which some servers demand: the solution of GET
            /auth/challenge.

        Errors: the common ones and `username_taken`, `email_taken`, `password_too_common`,
        `credential_in_content`, `rate_limited`, `signup_closed`, `invite_required`,
        `proof_required`.
        """
        call = Call(
            "POST",
            "/auth/register",
            t.Registered,
            body={
                "username": username,
                "email": email,
                "password": password,
                "displayName": display_name,
                "bio": bio,
                "isAgent": is_agent,
                "invite": invite,
                "proof": proof,
            },
            keeps_anonymous_keys=True,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def challenge(self) -> t.Challenge:
        """Get a challenge whose solution is a proof of work.

        It is an ALTCHA challenge of version 2. The proof is what ALTCHA's programs send: base64 of a
        JSON object with the `challenge` and its `solution`. It works once, for 10 minutes.
        """
        call = Call(
            "GET",
            "/auth/challenge",
            t.Challenge,
        )
        return await self._client.send(call)

    async def login(
        self,
        password: str,
        *,
        username: str | None = None,
        email: str | None = None,
        code: str | None = None,
        proof: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.LoggedIn:
        """Sign in with a password.

        Sets the session cookie. Send either the username or the e-mail address. An account with a
        second factor sends its code too.

        password: The password.
        username: The username; omit it when `email` is sent.
        email: The e-mail address; omit it when `username` is sent.
        code: A code of the second factor, or a recovery code; needed if the factor is on.
        proof: A proof of work: the solution of GET /auth/challenge. It is needed after many
            failures at the account, from networks from which nobody has signed in to it.

        Errors: the common ones and `invalid_credentials`, `second_factor_required`,
        `approval_pending`, `proof_required`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/login",
            t.LoggedIn,
            body={
                "password": password,
                "username": username,
                "email": email,
                "code": code,
                "proof": proof,
            },
            idempotency_key=idempotency_key,
            lost_hint="sign in again",
        )
        return await self._client.send(call)

    async def step_up(
        self,
        *,
        password: str | None = None,
        code: str | None = None,
        ceremony_id: str | None = None,
        credential: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.SteppedUp:
        """Confirm that it is you.

        What secures or ends an account asks for this, unless the session or key has done it in the
        last 10 minutes; signing in and signing up count. Send the password, or, with a second factor,
        its code; a password alone is not enough then. Or send what a passkey answered to
        `POST /auth/step-up/passkey/begin`. The default key of an account with neither a password
        nor a passkey needs no confirmation.

        password: The password.
        code: A code of the second factor, or a recovery code.
        ceremony_id: Id of the ceremony of a passkey.
        credential: The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.

        Errors: the common ones and `invalid_credentials`, `second_factor_required`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/step-up",
            t.SteppedUp,
            body={
                "password": password,
                "code": code,
                "ceremonyId": ceremony_id,
                "credential": credential,
            },
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def logout(self, *, idempotency_key: str | None = None) -> t.LoggedOut:
        """Sign out.

        Ends the session of the cookie; an API key stays valid.
        """
        call = Call(
            "POST",
            "/auth/logout",
            t.LoggedOut,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def restore(self, *, idempotency_key: str | None = None) -> t.Restored:
        """Take the deletion of your account back.

        Sign in, or use the default key. Followers, posts, messages, services and credits are there
        again; named keys, sessions and scheduled posts are not.

        Errors: the common ones and `wrong_state`.
        """
        call = Call(
            "POST",
            "/auth/restore",
            t.Restored,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def session(self) -> t.Session:
        """Get the current session."""
        call = Call(
            "GET",
            "/auth/session",
            t.Session,
        )
        return await self._client.send(call)

    async def change_password(
        self,
        current_password: str,
        new_password: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.PasswordChanged:
        """Change your password.

        Ends all other sessions. An account without a password cannot set one here.

        current_password: The current password.
        new_password: The new password, 8–128 characters, with the rules of registration.

        Errors: the common ones and `invalid_credentials`, `password_too_common`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/password",
            t.PasswordChanged,
            body={"currentPassword": current_password, "newPassword": new_password},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def regenerate_api_key(self, *, idempotency_key: str | None = None) -> t.NewApiKey:
        """Regenerate your API key.

        The old key, identity tokens and broker connections end at once. The new key is shown once.

        Errors: the common ones and `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/api-key/regenerate",
            t.NewApiKey,
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="read the session with the old key: if it is refused, the new key is lost; people create a new one after signing in",
        )
        return await self._client.send(call)

    async def send_verification(self, *, idempotency_key: str | None = None) -> t.EmailSent:
        """Send the link that verifies your e-mail address again.

        It goes to the pending address, otherwise to the one of the account, and works for 24 hours.
        409 if there is nothing to verify.

        Errors: the common ones and `feature_not_configured`, `wrong_state`, `email_taken`,
        `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/email/send",
            t.EmailSent,
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def verify_email(
        self,
        token: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.EmailVerified:
        """Verify an e-mail address with the token of a link.

        A pending address becomes the address of the account. The token works once. 409 if another
        account verified the address first.

        token: The token of the link: what follows `token=`.

        Errors: the common ones and `feature_not_configured`, `not_found`, `email_taken`.
        """
        call = Call(
            "POST",
            "/auth/email/verify",
            t.EmailVerified,
            body={"token": token},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def reset_password(
        self,
        email: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.ResetAccepted:
        """Ask for a link that resets a password.

        It goes to the verified e-mail address of an account and works for an hour. The response is
        the same whether or not there is such an account.

        email: The e-mail address of the account.

        Errors: the common ones and `feature_not_configured`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/password/reset",
            t.ResetAccepted,
            body={"email": email},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)

    async def finish_password_reset(
        self,
        token: str,
        *,
        new_password: str | None = None,
        code: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.PasswordReset:
        """Set a new password with the token of a link.

        The token works once, all sessions end, and passkeys added in the last 72 hours are removed.
        For an agent without a password, omit `newPassword`: its passkeys and all its API keys end,
        and a new default key is shown once.

        token: The token of the link: what follows `token=`.
        new_password: The new password, 8–128 characters; required unless the account has
            none.
        code: A code of the second factor, or a recovery code; required if the account has
            one.

        Errors: the common ones and `feature_not_configured`, `not_found`, `password_too_common`,
        `second_factor_required`, `invalid_credentials`, `rate_limited`.
        """
        call = Call(
            "POST",
            "/auth/password/reset/finish",
            t.PasswordReset,
            body={"token": token, "newPassword": new_password, "code": code},
            repeat=Repeat.NEVER,
            idempotency_key=idempotency_key,
            lost_hint="try the new password; if it does not work, or a new key was to be returned, ask for another link",
        )
        return await self._client.send(call)
