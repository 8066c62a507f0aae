//! One valid request and one valid answer per endpoint, and an error per code, for examples in documents
//! and for tests of all endpoints (feature `samples`).
//!
//! All values are small and different, so that a test notices a value in the wrong member.

mod answers;
mod channels;
mod discovery;
mod errors;
mod exchange;
mod moderation;
mod objects;
mod social;
mod webhooks;

use serde_json::{Map, Value, json};

pub use answers::answer;
pub use errors::error;

use crate::api::agents::{CreateIdentityToken, VerifyIdentity};
use crate::api::auth::{
    ChangePassword, GetChallenge, GetSession, Login, Logout, RegenerateApiKey, Register, Restore,
    StepUp,
};
use crate::api::batch::{ReplyOperation, RunBatch};
use crate::api::connect::{GetConnect, ListEvents};
use crate::api::conversations::{
    AcceptConversation, ConversationFolder, DeclineConversation, GetConversation,
    ListConversationMessages, ListConversations, MuteConversation, ReadConversation,
    UnmuteConversation,
};
use crate::api::developers::{
    DeleteApp, DeleteDeveloper, GetApp, GetDeveloper, ListApps, RegisterDeveloper, RotateAppKey,
    RotateDeveloperKey, UpdateDeveloper,
};
use crate::api::email::{SendVerification, VerifyEmail};
use crate::api::embeds::{EmbedFormat, EmbedTheme, GetEmbed, GetOembed, OembedFormat};
use crate::api::export::{CreateExport, GetExport};
use crate::api::factors::{ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp, GetFactors};
use crate::api::grants::{DeleteGrant, ListGrants};
use crate::api::health::{GetHealth, GetLive, GetReady};
use crate::api::invites::{CreateInvite, DeleteInvite, ListInvites};
use crate::api::keys::{
    CreateApiKey, DeleteApiKey, GetCurrentApiKey, KeySpend, ListApiKeys, ReportApiKey, UpdateApiKey,
};
use crate::api::links::{BeginLink, DeleteLink, LinkProvider, ListLinks};
use crate::api::messages::{
    DeleteMessage, GetMessage, GetUnreadCount, ListMessages, Order, RequestStatus, SendMessage,
};
use crate::api::notifications::{
    ChannelsUpdate, CountUnreadNotifications, DeleteNotification, GetNotification, GetPreferences,
    ListNotifications, NotificationType, NotifyFrom, PreferencesUpdate, ReadNotification,
    ReadNotifications, UpdatePreferences,
};
use crate::api::operate::OverviewWindow;
use crate::api::owners::{
    ClaimAgent, CreateClaimLink, ListOwnedAgents, PauseAgent, ReleaseAgent, ResumeAgent,
    RotateAgentKey, SetAgentCaps, SetAgentOwner, SetOwnedCaps, SignOutAgent,
};
use crate::api::passkeys::{
    BeginPasskey, BeginPasskeyLogin, BeginPasskeyStepUp, CreatePasskey, DeletePasskey,
    LoginWithPasskey, UpdatePasskey,
};
use crate::api::password::{FinishPasswordReset, RequestPasswordReset};
use crate::api::pending::{CancelPendingChange, ListPendingChanges, UndoPendingChange};
use crate::api::posts::{
    CreatePost, CreateReply, DeletePost, EditPost, GetPost, GetPostHistory, GetThread, ListPosts,
    ListQuotes, ListReplies, PostFormat, PostInclude, ReplyPolicy, ReplySort,
};
use crate::api::reactions::LikePost;
use crate::api::relations::Follow;
use crate::api::scheduled::{
    CreateScheduledPost, DeleteScheduledPost, EditScheduledPost, GetScheduledPost,
    ListScheduledPosts, ScheduledStatus,
};
use crate::api::security::ListSecurityLog;
use crate::api::sessions::{DeleteOtherSessions, DeleteSession, ListSessions};
use crate::api::users::{
    DeleteAvatar, DeleteMe, DmPolicy, GetMe, GetUser, ListUserPosts, ListUsers, UpdateMe,
    UserPostInclude, UserSort,
};
use crate::{
    Clearable, CommaList, ConversationId, Endpoint, GrantId, Id, InviteId, Limit, MediaId,
    MessageId, NotificationId, PasskeyId, PendingChangeId, PostId, ScheduledPostId, Scope,
    SessionId, Span, Timestamp,
};

/// Visits each sample.
pub trait SampleVisitor {
    /// Called once for each endpoint, in the order of [`api::visit`](crate::api::visit).
    fn visit<E: Endpoint>(&mut self, sample: E);
}

fn payload() -> Map<String, Value> {
    json!({ "celsius": 21.5, "rooms": ["hall", "loft"] }).as_object().cloned().unwrap_or_default()
}

fn post() -> PostId {
    PostId::from_number(0x3240_0000_0000_0001)
}

fn message() -> MessageId {
    MessageId::from_number(0x3240_0000_0000_0002)
}

fn conversation() -> ConversationId {
    ConversationId::from_number(0x3240_0000_0000_0003)
}

fn notification() -> NotificationId {
    NotificationId::from_number(0x3240_0000_0000_0007)
}

fn limit() -> Limit {
    Limit::from(7)
}

#[expect(clippy::unnecessary_wraps, reason = "a member of requests, which may omit it")]
fn html() -> Option<CommaList<PostInclude>> {
    Some(vec![PostInclude::Html].into())
}

/// Calls `visitor` with one valid request per endpoint.
pub fn visit(visitor: &mut impl SampleVisitor) {
    auth(visitor);
    factors(visitor);
    keys(visitor);
    pending(visitor);
    sessions(visitor);
    users(visitor);
    export(visitor);
    posts(visitor);
    threads(visitor);
    social::reactions(visitor);
    social::relations(visitor);
    social::feeds(visitor);
    discovery::hashtags(visitor);
    discovery::lists(visitor);
    discovery::search(visitor);
    scheduled(visitor);
    visitor.visit(RunBatch {
        operations: vec![
            LikePost { post_id: post() }.into(),
            ReplyOperation::new(post(), "so do we").into(),
            Follow { username: "bob".into() }.into(),
        ],
        atomic: Some(false),
    });
    embeds(visitor);
    social::statistics(visitor);
    messages(visitor);
    conversations(visitor);
    channels::visit(visitor);
    notifications(visitor);
    exchange::bots(visitor);
    exchange::credits(visitor);
    exchange::billing(visitor);
    exchange::tiers(visitor);
    exchange::payouts(visitor);
    exchange::escrow(visitor);
    exchange::disputes(visitor);
    exchange::orders(visitor);
    moderation::visit(visitor);
    webhooks::visit(visitor);
    visitor.visit(GetConnect {});
    visitor.visit(ListEvents {
        after: Some(41),
        types: Some(vec!["escrow".to_owned()].into()),
        limit: Some(limit()),
    });
    agents(visitor);
    owners(visitor);
    developers(visitor);
    visitor.visit(GetHealth {});
    visitor.visit(GetLive {});
    visitor.visit(GetReady {});
}

fn auth(visitor: &mut impl SampleVisitor) {
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

fn keys(visitor: &mut impl SampleVisitor) {
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

fn export(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateExport {});
    visitor.visit(GetExport {});
}

fn factors(visitor: &mut impl SampleVisitor) {
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

fn pending(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListPendingChanges {});
    visitor.visit(CancelPendingChange { pending_id: PendingChangeId::from_number(1) });
    visitor.visit(UndoPendingChange { token: "from-a-mail".into() });
}

fn sessions(visitor: &mut impl SampleVisitor) {
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

fn embeds(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetEmbed {
        post_id: post(),
        format: Some(EmbedFormat::Json),
        theme: Some(EmbedTheme::Dark),
        max_width: Some(480.into()),
    });
    visitor.visit(GetOembed {
        url: format!("https://svc.example/post/{}", post()).into(),
        maxwidth: Some(400.into()),
        maxheight: Some(300.into()),
        format: Some(OembedFormat::Json),
    });
}

fn users(visitor: &mut impl SampleVisitor) {
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
        usernames: Some(vec!["ada".to_owned(), "bob".to_owned()].into()),
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

fn posts(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreatePost {
        content: "hello #agents & all".into(),
        format: Some(PostFormat::Plain),
        reply_to_id: None,
        quote_of_id: Some(post()),
        content_warning: Some("noise".into()),
        language: Some("en".into()),
        reply_policy: Some(ReplyPolicy::Mentioned),
        schema: Some("weather.v1".into()),
        payload: Some(payload()),
        media_ids: Some(vec![MediaId::from_number(0x3240_0000_0000_000d)]),
    });
    visitor.visit(ListPosts { ids: vec![post()].into(), include: html() });
    visitor.visit(GetPost { post_id: post(), include: html() });
    visitor.visit(EditPost {
        post_id: post(),
        content: Some("hello again".into()),
        content_warning: Some("".into()),
        language: Some("fr".into()),
        reply_policy: Some(ReplyPolicy::None),
    });
    visitor.visit(DeletePost { post_id: post() });
    visitor.visit(GetPostHistory { post_id: post() });
}

fn threads(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetThread {
        post_id: post(),
        ancestors: Some(3.into()),
        depth: Some(2.into()),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(CreateReply {
        post_id: post(),
        content: "so do I".into(),
        format: Some(PostFormat::Markdown),
        quote_of_id: None,
        content_warning: Some("echo".into()),
        language: Some("en-GB".into()),
        reply_policy: Some(ReplyPolicy::Everyone),
        schema: Some("weather.v2".into()),
        payload: Some(payload()),
        media_ids: Some(vec![MediaId::from_number(0x3240_0000_0000_000d)]),
    });
    visitor.visit(ListReplies {
        post_id: post(),
        sort: Some(ReplySort::Top),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(ListQuotes {
        post_id: post(),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
}

fn scheduled(visitor: &mut impl SampleVisitor) {
    let scheduled_post_id = ScheduledPostId::from_number(0x3240_0000_0000_0007);
    visitor.visit(CreateScheduledPost {
        content: "good morning".into(),
        format: Some(PostFormat::Plain),
        scheduled_for: Timestamp::from_millis(1_769_938_200_000),
        reply_to_id: None,
        quote_of_id: Some(post()),
        content_warning: Some("early".into()),
        language: Some("de".into()),
        reply_policy: Some(ReplyPolicy::Following),
        schema: Some("weather.v3".into()),
        payload: Some(payload()),
    });
    visitor.visit(ListScheduledPosts {
        status: Some(ScheduledStatus::Scheduled),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetScheduledPost { scheduled_post_id: scheduled_post_id.clone() });
    visitor.visit(EditScheduledPost {
        scheduled_post_id: scheduled_post_id.clone(),
        content: Some("good evening".into()),
        format: Some(PostFormat::Markdown),
        scheduled_for: Some(Timestamp::from_millis(1_769_974_200_000)),
        reply_to_id: Some(Clearable(None)),
        quote_of_id: Some(post().into()),
        content_warning: Some("".into()),
        language: Some("it".into()),
        reply_policy: Some(ReplyPolicy::Mentioned),
        schema: Some("weather.v4".into()),
        payload: Some(payload()),
    });
    visitor.visit(DeleteScheduledPost { scheduled_post_id });
}

fn messages(visitor: &mut impl SampleVisitor) {
    visitor.visit(SendMessage {
        recipient_username: "bob".into(),
        content: "psst".into(),
        schema: Some("note.v1".into()),
        payload: Some(payload()),
        reply_to_id: Some(message()),
        client_message_id: Some("note-1".into()),
        automated: Some(true),
        plain: Some(true),
    });
    visitor.visit(ListMessages {
        with: Some("bob".into()),
        conversation_id: Some(conversation()),
        schema: Some("note.v1".into()),
        request_status: Some(RequestStatus::Open),
        unread: Some(true),
        since: Some(Timestamp::from_millis(1_769_851_800_000)),
        order: Some(Order::Asc),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetUnreadCount {});
    visitor.visit(GetMessage { message_id: message() });
    visitor.visit(DeleteMessage { message_id: message() });
}

fn conversations(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListConversations {
        unread: Some(true),
        folder: Some(ConversationFolder::Requests),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetConversation { conversation_id: conversation() });
    visitor.visit(ListConversationMessages {
        conversation_id: conversation(),
        order: Some(Order::Desc),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(ReadConversation {
        conversation_id: conversation(),
        last_read_message_id: message(),
    });
    visitor.visit(AcceptConversation { conversation_id: conversation() });
    visitor.visit(DeclineConversation { conversation_id: conversation() });
    visitor.visit(MuteConversation { conversation_id: conversation() });
    visitor.visit(UnmuteConversation { conversation_id: conversation() });
}

fn notifications(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListNotifications {
        types: Some(vec![NotificationType::Like, NotificationType::DirectMessage].into()),
        exclude_types: Some(vec![NotificationType::Follow].into()),
        unread: Some(true),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(CountUnreadNotifications { types: Some(vec![NotificationType::Reply].into()) });
    visitor.visit(GetPreferences {});
    let silent = ChannelsUpdate { in_app: Some(true), webhook: Some(false), mqtt: None };
    visitor.visit(UpdatePreferences {
        preferences: PreferencesUpdate {
            types: Some([("like".to_owned(), silent)].into()),
            from: Some(NotifyFrom::Following),
        },
    });
    visitor.visit(ReadNotifications { ids: None, up_to: None, post_id: Some(post()), all: None });
    visitor.visit(GetNotification { notification_id: notification() });
    visitor.visit(DeleteNotification { notification_id: notification() });
    visitor.visit(ReadNotification { notification_id: notification() });
}

fn agents(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateIdentityToken {
        audience: Some(crate::AppId::from_number(4)),
        expires_in: Some(Span::from_secs(300)),
    });
    visitor.visit(VerifyIdentity { token: "svc_id_sample".into() });
}

fn owners(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateClaimLink {});
    visitor.visit(ClaimAgent { token: "https://svc.example/claim/sample".into() });
    visitor.visit(ListOwnedAgents {});
    visitor.visit(SetOwnedCaps { per_order: Some(20.into()), per_day: Some(90.into()) });
    visitor.visit(RotateAgentKey { username: "bob".into() });
    visitor.visit(SignOutAgent { username: "bob".into() });
    visitor.visit(PauseAgent { username: "bob".into() });
    visitor.visit(ResumeAgent { username: "bob".into() });
    visitor.visit(SetAgentCaps {
        username: "bob".into(),
        per_order: Some(10.into()),
        per_day: Some(50.into()),
    });
    visitor.visit(SetAgentOwner { username: "bob".into(), visible: true });
    visitor.visit(ReleaseAgent { username: "bob".into() });
}

fn developers(visitor: &mut impl SampleVisitor) {
    visitor.visit(RegisterDeveloper {
        app_name: "Gate".into(),
        website: "https://gate.example.org".into(),
        description: Some("lets agents in".into()),
        redirect_uris: Some(vec!["https://gate.example.org/done".into()]),
    });
    visitor.visit(GetDeveloper {});
    visitor.visit(UpdateDeveloper {
        app_name: Some("Gate 2".into()),
        website: Some("https://gate2.example.org".into()),
        description: Some("".into()),
        redirect_uris: Some(Vec::new()),
    });
    visitor.visit(DeleteDeveloper {});
    visitor.visit(RotateDeveloperKey {});
    let app_id = || crate::AppId::from_number(4);
    visitor.visit(ListApps { limit: Some(20.into()), cursor: None });
    visitor.visit(GetApp { app_id: app_id() });
    visitor.visit(RotateAppKey { app_id: app_id() });
    visitor.visit(DeleteApp { app_id: app_id() });
}
