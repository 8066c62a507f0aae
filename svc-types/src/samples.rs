//! One valid request per endpoint, for tests that walk all endpoints (feature `samples`).
//!
//! The values are small and all different, so that a member that lands in another's place shows.

mod discovery;
mod moderation;
mod social;

use serde_json::{Map, Value, json};

use crate::api::agents::{CreateIdentityToken, VerifyIdentity};
use crate::api::auth::{ChangePassword, GetSession, Login, Logout, RegenerateApiKey, Register};
use crate::api::batch::{ReplyOperation, RunBatch};
use crate::api::bots::{BotSort, DiscoverBots, GetCapabilities};
use crate::api::connect::ListEvents;
use crate::api::conversations::{
    GetConversation, ListConversationMessages, ListConversations, MuteConversation,
    ReadConversation, UnmuteConversation,
};
use crate::api::credits::{GetCredits, GrantCredits, ListTransactions, TransferKind};
use crate::api::developers::{
    DeleteDeveloper, GetDeveloper, RegisterDeveloper, RotateDeveloperKey, UpdateDeveloper,
};
use crate::api::embeds::{EmbedFormat, EmbedTheme, GetEmbed, GetOembed, OembedFormat};
use crate::api::escrow::{
    CancelEscrow, CreateEscrow, DeclineEscrow, DeliverEscrow, Deliverable, DisputeEscrow,
    DisputeOutcome, EscrowRole, EscrowStatus, FundEscrow, GetEscrow, ListEscrowEvents, ListEscrows,
    RefundEscrow, ReleaseEscrow, ResolveEscrow, RespondToDispute,
};
use crate::api::health::{GetHealth, GetLive, GetReady};
use crate::api::messages::{
    DeleteMessage, GetMessage, GetUnreadCount, ListMessages, Order, RequestStatus, SendMessage,
};
use crate::api::notifications::{
    ChannelsUpdate, CountUnreadNotifications, DeleteNotification, GetNotification, GetPreferences,
    ListNotifications, NotificationType, NotifyFrom, PreferencesUpdate, ReadNotification,
    ReadNotifications, UpdatePreferences,
};
use crate::api::posts::{
    CreatePost, CreateReply, DeletePost, EditPost, GetPost, GetPostHistory, GetThread, ListPosts,
    ListQuotes, ListReplies, ReplyPolicy, ReplySort,
};
use crate::api::reactions::LikePost;
use crate::api::relations::Follow;
use crate::api::scheduled::{
    CreateScheduledPost, DeleteScheduledPost, EditScheduledPost, GetScheduledPost,
    ListScheduledPosts, ScheduledStatus,
};
use crate::api::services::{CreateService, DeleteService, ListServices, UpdateService};
use crate::api::users::{
    DeleteAvatar, DeleteMe, DmPolicy, GetMe, GetUser, ListUserPosts, ListUsers, PostInclude,
    UpdateMe, UserSort,
};
use crate::{
    Clearable, ConversationId, Credits, Endpoint, EscrowId, Id, Limit, MessageId, NotificationId,
    PostId, Rating, ScheduledPostId, ServiceId, Span, Timestamp,
};

/// Gets each sample.
pub trait SampleVisitor {
    /// Called once for each endpoint, in the order of [`api::visit`](crate::api::visit).
    fn visit<E: Endpoint>(&mut self, sample: E);
}

fn payload() -> Map<String, Value> {
    json!({ "celsius": 21.5, "rooms": ["hall", "loft"] }).as_object().cloned().unwrap_or_default()
}

fn post() -> PostId {
    PostId::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001)
}

fn message() -> MessageId {
    MessageId::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0002)
}

fn conversation() -> ConversationId {
    ConversationId::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0003)
}

fn service() -> ServiceId {
    ServiceId::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0005)
}

fn escrow_id() -> EscrowId {
    EscrowId::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0006)
}

fn notification() -> NotificationId {
    NotificationId::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0007)
}

fn limit() -> Limit {
    Limit::from(7)
}

/// Shows `visitor` one valid request per endpoint.
pub fn visit(visitor: &mut impl SampleVisitor) {
    auth(visitor);
    users(visitor);
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
    notifications(visitor);
    bots(visitor);
    credits(visitor);
    escrow(visitor);
    disputes(visitor);
    moderation::visit(visitor);
    visitor.visit(ListEvents {
        after: Some(41),
        types: Some(vec!["escrow".to_owned()].into()),
        limit: Some(limit()),
    });
    agents(visitor);
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
    });
    visitor.visit(Login {
        username: Some("ada".into()),
        email: None,
        password: "correct horse".into(),
    });
    visitor.visit(Logout {});
    visitor.visit(GetSession {});
    visitor.visit(ChangePassword {
        current_password: "correct horse".into(),
        new_password: "battery staple".into(),
    });
    visitor.visit(RegenerateApiKey {});
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
        sort: Some(UserSort::Followers),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(ListUserPosts {
        username: "bob".into(),
        include: Some(vec![PostInclude::Replies].into()),
        limit: Some(limit()),
        cursor: None,
    });
}

fn posts(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreatePost {
        content: "hello #agents & all".into(),
        reply_to_id: None,
        quote_of_id: Some(post()),
        content_warning: Some("noise".into()),
        language: Some("en".into()),
        reply_policy: Some(ReplyPolicy::Mentioned),
        schema: Some("weather.v1".into()),
        payload: Some(payload()),
    });
    visitor.visit(ListPosts { ids: vec![post()].into() });
    visitor.visit(GetPost { post_id: post() });
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
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(CreateReply {
        post_id: post(),
        content: "so do I".into(),
        quote_of_id: None,
        content_warning: Some("echo".into()),
        language: Some("en-GB".into()),
        reply_policy: Some(ReplyPolicy::Everyone),
        schema: Some("weather.v2".into()),
        payload: Some(payload()),
    });
    visitor.visit(ListReplies {
        post_id: post(),
        sort: Some(ReplySort::Top),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(ListQuotes { post_id: post(), limit: Some(limit()), cursor: None });
}

fn scheduled(visitor: &mut impl SampleVisitor) {
    let scheduled_post_id = ScheduledPostId::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0007);
    visitor.visit(CreateScheduledPost {
        content: "good morning".into(),
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
    visitor.visit(ListConversations { unread: Some(true), limit: Some(limit()), cursor: None });
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

fn bots(visitor: &mut impl SampleVisitor) {
    visitor.visit(DiscoverBots {
        service: Some("word count".into()),
        max_price: Some(Credits::from_micros(12_500_000)),
        min_rating: Rating::from_half_steps(9),
        sort: Some(BotSort::Price),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetCapabilities { username: "wordbot".into() });
    visitor.visit(ListServices {});
    visitor.visit(CreateService {
        name: "count".into(),
        description: "counts words".into(),
        price_credits: 5.into(),
        input_schema: json!({ "type": "object", "required": ["text"] }).as_object().cloned(),
        output_schema: json!({ "type": "object" }).as_object().cloned(),
        tags: Some(vec!["text".into()]),
        active: Some(true),
    });
    visitor.visit(UpdateService {
        service_id: service(),
        name: Some("count words".into()),
        description: Some("counts the words of a text".into()),
        price_credits: Some(Credits::from_micros(500_000)),
        input_schema: Some(Map::new()),
        output_schema: None,
        tags: Some(Vec::new()),
        active: Some(false),
    });
    visitor.visit(DeleteService { service_id: service() });
}

fn credits(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetCredits {});
    visitor.visit(ListTransactions {
        kind: Some(TransferKind::Settle),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GrantCredits {
        username: "ada".into(),
        amount: 100.into(),
        reason: "for the tests".into(),
    });
}

fn escrow(visitor: &mut impl SampleVisitor) {
    let escrow_id = escrow_id();
    visitor.visit(CreateEscrow {
        provider_username: "wordbot".into(),
        service_id: service(),
        amount: 60.into(),
        description: "a report on rust".into(),
        expires_in: Some(Span::from_secs(7 * 86_400)),
    });
    visitor.visit(ListEscrows {
        role: Some(EscrowRole::Buyer),
        status: Some(EscrowStatus::Funded),
        counterparty: Some("wordbot".into()),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetEscrow { escrow_id: escrow_id.clone() });
    visitor.visit(ListEscrowEvents {
        escrow_id: escrow_id.clone(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(FundEscrow { escrow_id: escrow_id.clone(), expected_amount: Some(60.into()) });
    visitor
        .visit(CancelEscrow { escrow_id: escrow_id.clone(), reason: Some("found another".into()) });
    visitor.visit(DeclineEscrow {
        escrow_id: escrow_id.clone(),
        reason: Some("too much to do".into()),
    });
    let checksum = format!("sha256:{}", "0f".repeat(32));
    let mut deliverable = Deliverable::code("https://git.example.org/report", "main", checksum);
    deliverable.access_token = Some("read-only-token".into());
    deliverable.rest = payload();
    let notes = Some("see README".into());
    visitor.visit(DeliverEscrow { escrow_id: escrow_id.clone(), deliverable, notes });
    visitor.visit(ReleaseEscrow {
        escrow_id,
        rating: Rating::from_half_steps(9),
        feedback: Some("as promised".into()),
        deliverable_version: Some(1.into()),
    });
}

fn disputes(visitor: &mut impl SampleVisitor) {
    visitor.visit(DisputeEscrow {
        escrow_id: escrow_id(),
        reason: "the tests fail".into(),
        evidence: Some(json!({ "failed": 3 })),
    });
    visitor.visit(RespondToDispute {
        escrow_id: escrow_id(),
        response: "they pass here".into(),
        evidence: Some(json!(["log", 1])),
    });
    visitor.visit(RefundEscrow { escrow_id: escrow_id(), reason: Some("my fault".into()) });
    visitor.visit(ResolveEscrow {
        escrow_id: escrow_id(),
        outcome: DisputeOutcome::Refund,
        note: "the tests fail indeed".into(),
    });
}

fn agents(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateIdentityToken {
        audience: Some(crate::AppId::from_u128(4)),
        expires_in: Some(Span::from_secs(300)),
    });
    visitor.visit(VerifyIdentity { token: "svc_id_sample".into() });
}

fn developers(visitor: &mut impl SampleVisitor) {
    visitor.visit(RegisterDeveloper {
        app_name: "Gate".into(),
        website: "https://gate.example.org".into(),
        description: Some("lets agents in".into()),
    });
    visitor.visit(GetDeveloper {});
    visitor.visit(UpdateDeveloper {
        app_name: Some("Gate 2".into()),
        website: Some("https://gate2.example.org".into()),
        description: Some("".into()),
    });
    visitor.visit(DeleteDeveloper {});
    visitor.visit(RotateDeveloperKey {});
}
