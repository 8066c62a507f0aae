//! Samples of accounts: signing in, factors, keys, sessions and profiles.

use serde_json::{Map, Value, json};

use super::{SampleVisitor, limit};
use crate::api::auth::{
    ChangePassword, GetChallenge, GetSession, Login, Logout, RegenerateApiKey, Register, Restore,
    StepUp,
};
use crate::api::email::{SendVerification, VerifyEmail};
use crate::api::export::{CreateExport, GetExport};
use crate::api::factors::{ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp, GetFactors};
use crate::api::grants::{DeleteGrant, ListGrants};
use crate::api::invites::{CreateInvite, DeleteInvite, ListInvites};
use crate::api::keys::{
    CreateApiKey, DeleteApiKey, GetCurrentApiKey, KeySpend, ListApiKeys, ReportApiKey, UpdateApiKey,
};
use crate::api::links::{BeginLink, DeleteLink, LinkProvider, ListLinks};
use crate::api::operate::OverviewWindow;
use crate::api::passkeys::{
    BeginPasskey, BeginPasskeyLogin, BeginPasskeyStepUp, CreatePasskey, DeletePasskey,
    LoginWithPasskey, UpdatePasskey,
};
use crate::api::password::{FinishPasswordReset, RequestPasswordReset};
use crate::api::pending::{CancelPendingChange, ListPendingChanges, UndoPendingChange};
use crate::api::security::ListSecurityLog;
use crate::api::sessions::{DeleteOtherSessions, DeleteSession, ListSessions};
use crate::api::users::{
    DeleteAvatar, DeleteMe, DmPolicy, GetMe, GetUser, ListUserPosts, ListUsers, UpdateMe,
    UserPostInclude, UserSort,
};
use crate::{Clearable, GrantId, Id, InviteId, PasskeyId, PendingChangeId, Scope, SessionId, Span};

pub(super) fn auth(visitor: &mut impl SampleVisitor) {
    visitor.visit(Register {
        username: "ada".into(),
        email: Some("ada@example.org".into()),
        password: Some("correct horse".into()),
        display_name: Some("Ada L.".into()),
        bio: Some("counts things".into()),
        is_agent: Some(true),
        invite: Some("0a1b2-c3d4e-5f6g7-h8j9k".into()),
        proof: Some("eyJjaGFsbGVuZ2UiOnt9fQ==".into()),
    });
    visitor.visit(GetChallenge {});
    visitor.visit(Login {
        username: Some("ada".into()),
        email: None,
        password: "correct horse".into(),
        code: Some("123456".into()),
        proof: Some("eyJzb2x1dGlvbiI6e319".into()),
    });
    visitor.visit(StepUp {
        password: Some("correct horse".into()),
        code: Some("123456".into()),
        ceremony_id: None,
        credential: None,
    });
    visitor.visit(Logout {});
    visitor.visit(Restore {});
    visitor.visit(GetSession {});
    visitor.visit(ChangePassword {
        current_password: "correct horse".into(),
        new_password: "battery staple".into(),
    });
    visitor.visit(RegenerateApiKey {});
}

pub(super) fn factors(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetFactors {});
    visitor.visit(CreateTotp {});
    visitor.visit(ConfirmTotp { code: "123456".into() });
    visitor.visit(DeleteTotp {});
    visitor.visit(CreateRecoveryCodes {});
    visitor.visit(BeginPasskey {});
    visitor.visit(CreatePasskey {
        ceremony_id: "cer_one".into(),
        credential: credential(),
        name: "Laptop".into(),
    });
    visitor.visit(UpdatePasskey { passkey_id: PasskeyId::from_number(1), name: "Phone".into() });
    visitor.visit(DeletePasskey { passkey_id: PasskeyId::from_number(1) });
    visitor.visit(BeginPasskeyLogin { username: Some("ada".into()) });
    visitor.visit(LoginWithPasskey { ceremony_id: "cer_two".into(), credential: credential() });
    visitor.visit(BeginPasskeyStepUp {});
}

/// What a browser answers, as far as its outermost members go.
fn credential() -> Map<String, Value> {
    let credential = json!({ "id": "AQ", "rawId": "AQ", "type": "public-key", "response": {} });
    credential.as_object().cloned().unwrap_or_default()
}

pub(super) fn keys(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListApiKeys {});
    visitor.visit(GetCurrentApiKey {});
    visitor.visit(CreateApiKey {
        name: "translator".into(),
        scopes: vec![Scope::Read, Scope::ExchangeSell],
        expires_in: Some(Span::from_secs(86_400)),
        allow_from: Some(vec!["203.0.113.0/24".into()]),
        spend: Some(KeySpend { per_order: Some(5.into()), per_day: Some(20.into()) }),
    });
    visitor.visit(UpdateApiKey {
        key_id: "0a1b2c3d4e5f".into(),
        name: Some("translator in Oslo".into()),
        scopes: Some(vec![Scope::ExchangeSell]),
        allow_from: Some(Vec::new()),
        spend: Some(KeySpend::default()),
    });
    visitor.visit(DeleteApiKey { key_id: "0a1b2c3d4e5f".into() });
    visitor.visit(ReportApiKey { token: "svc_ak_found".into() });
}

pub(super) fn pending(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListPendingChanges {});
    visitor.visit(CancelPendingChange { pending_id: PendingChangeId::from_number(1) });
    visitor.visit(UndoPendingChange { token: "from-a-mail".into() });
}

pub(super) fn sessions(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListSessions {});
    visitor.visit(DeleteOtherSessions {});
    visitor.visit(DeleteSession { session_id: SessionId::from_number(1) });
    visitor.visit(ListGrants {});
    visitor.visit(DeleteGrant { grant_id: GrantId::from_number(1) });
    visitor.visit(ListLinks {});
    visitor.visit(BeginLink { provider: LinkProvider::X });
    visitor.visit(DeleteLink { provider: LinkProvider::X });
    visitor.visit(ListSecurityLog { limit: Some(20.into()), cursor: None });
    visitor.visit(SendVerification {});
    visitor.visit(VerifyEmail { token: "one-token".into() });
    visitor.visit(RequestPasswordReset { email: "ada@example.org".into() });
    visitor.visit(FinishPasswordReset {
        token: "another-token".into(),
        new_password: Some("battery staple".into()),
        code: Some("654321".into()),
    });
    invites(visitor);
}

fn invites(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListInvites { limit: Some(limit()), cursor: None });
    visitor.visit(CreateInvite { expires_in: Some(Span::from_secs(172_800)) });
    visitor.visit(DeleteInvite { invite_id: InviteId::from_number(1) });
}

pub(super) fn users(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetMe {});
    visitor.visit(UpdateMe {
        display_name: Some("Countess".into()),
        bio: Some("writes notes".into()),
        website: Some(Clearable(Some("https://example.org/ada".into()))),
        email: Some("countess@example.org".into()),
        dm_policy: Some(DmPolicy::Following),
        allow_service_requests: Some(false),
    });
    visitor.visit(DeleteMe { confirm: "ada".into() });
    visitor.visit(DeleteAvatar {});
    visitor.visit(GetUser { username: "bob".into() });
    visitor.visit(ListUsers {
        ids: None,
        usernames: None,
        q: Some("ad".into()),
        is_agent: Some(true),
        sort: Some(UserSort::New),
        window: Some(OverviewWindow::Week),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(ListUserPosts {
        username: "bob".into(),
        include: Some(vec![UserPostInclude::Replies, UserPostInclude::Html].into()),
        limit: Some(limit()),
        cursor: None,
    });
}

pub(super) fn export(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateExport {});
    visitor.visit(GetExport {});
}
