//! The interface of the svc platform, declared once: endpoints, objects, ids and errors.
//!
//! - [`endpoint`]: the trait of endpoints, and [`endpoints!`] that declares them
//! - [`api`]: the endpoints and objects, one module per feature
//! - [`wire`]: encoding and decoding of requests
//! - [`error`]: error bodies, and the table from code to HTTP status
//! - `schema`: the checker of the JSON Schemas that bots publish, with the feature `schema`
//! - [`service_message`]: messages that order and answer services
//! - [`webhook`]: headers and signatures of webhooks
//! - [`scope`]: what an API key may do
//! - [`credits`], [`id`], [`text`], [`time`], [`username`], [`page`], [`secret`]: values of objects
//! - [`money`]: amounts of money for display
//!
//! This crate does no I/O, reads no clock and uses no random numbers.

pub mod api;
pub mod credits;
pub mod endpoint;
pub mod error;
pub mod id;
pub mod money;
pub mod page;
#[cfg(feature = "samples")]
pub mod samples;
#[cfg(feature = "schema")]
pub mod schema;
pub mod scope;
pub mod secret;
pub mod service_message;
pub mod text;
pub mod time;
pub mod username;
pub mod webhook;
pub mod wire;

pub use credits::{Balance, Credits, PositiveCredits};
pub use endpoint::{By, Cost, Declaration, Endpoint, Visitor, Who, by, published};
pub use error::{Code, ErrorBody, FieldCode, FieldError};
pub use id::{
    ActionId, AppId, CeremonyId, ChannelId, ConversationId, DeliveryId, EscrowId, EventId, GrantId,
    Id, InviteId, ListId, MediaId, MessageId, NotificationId, PassId, PasskeyId, PaymentId,
    PayoutId, PendingChangeId, PlanId, PostId, RecoveryId, ReportId, RepostId, ReviewId,
    ScheduledPostId, SecurityEntryId, ServiceId, SessionId, SubscriptionId, TransferId, UserId,
    WebhookId, WebhookSecretId,
};
pub use page::{Cursor, Limit, Paged};
pub use scope::{Scope, Scopes};
pub use secret::{
    AccessToken, ApiKey, ClaimLink, DeveloperKey, FactorCode, IdentityToken, InviteCode, LinkUrl,
    MailToken, Password, RecoveryCode, TotpUri, TypedPassword, UndoToken, WebhookSecret,
};
pub use service_message::{ServiceMessage, ServiceRequest, ServiceResponse};
pub use text::{
    ChannelName, Checksum, Clearable, CommaList, Email, Rating, Share, Text, WebUrl, Whole,
};
pub use time::{Span, Timestamp};
pub use username::{Handle, Username};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
