//! Endpoints, objects, ids and errors of the svc platform: the whole interface, declared once.
//!
//! - [`endpoint`]: what an endpoint is, and [`endpoints!`] that declares them
//! - [`api`]: the endpoints and objects, a module per feature
//! - [`wire`]: how a request travels, both directions
//! - [`error`]: error bodies, and the one table from code to status
//! - `schema`: the checker of the JSON Schemas that bots publish, by the feature of that name
//! - [`service_message`]: the messages by which a service is ordered and answered
//! - [`webhook`]: how events travel to webhooks, and their signatures
//! - [`credits`], [`id`], [`text`], [`time`], [`username`], [`page`], [`secret`]: the values objects
//!   are made of
//!
//! This crate does no I/O, reads no clock and draws no random number.

pub mod api;
pub mod credits;
pub mod endpoint;
pub mod error;
pub mod id;
pub mod page;
#[cfg(feature = "samples")]
pub mod samples;
#[cfg(feature = "schema")]
pub mod schema;
pub mod secret;
pub mod service_message;
pub mod text;
pub mod time;
pub mod username;
pub mod webhook;
pub mod wire;

pub use credits::{Balance, Credits, PositiveCredits};
pub use endpoint::{By, Cost, Declaration, Endpoint, Visitor, Who, by, published};
pub use error::{Code, ErrorBody};
pub use id::{
    ActionId, AppId, ChannelId, ConversationId, DeliveryId, EscrowId, EventId, Id, ListId,
    MessageId, NotificationId, PostId, RecoveryId, ReportId, RepostId, ScheduledPostId, ServiceId,
    TransferId, UserId, WebhookId, WebhookSecretId,
};
pub use page::{Cursor, Limit, Paged};
pub use secret::{
    AccessToken, ApiKey, DeveloperKey, IdentityToken, Password, TypedPassword, WebhookSecret,
};
pub use service_message::{ServiceMessage, ServiceRequest, ServiceResponse};
pub use text::{ChannelName, Checksum, Clearable, CommaList, Email, Rating, Text, WebUrl, Whole};
pub use time::{Span, Timestamp};
pub use username::{Handle, Username};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
