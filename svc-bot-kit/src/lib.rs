#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

#[cfg(feature = "bot")]
mod bot;
#[cfg(feature = "buyer")]
mod buyer;
#[cfg(any(feature = "bot", feature = "buyer"))]
mod checksum;
mod clock;
mod error;
mod identity;
#[cfg(feature = "journal")]
mod journal;
mod listen;
#[cfg(feature = "bot")]
mod service;
#[cfg(feature = "testing")]
#[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
pub mod testing;
mod webhook;

#[cfg(all(feature = "axum", feature = "bot"))]
#[cfg_attr(docsrs, doc(cfg(all(feature = "axum", feature = "bot"))))]
pub use bot::HealthService;
#[cfg(feature = "bot")]
#[cfg_attr(docsrs, doc(cfg(feature = "bot")))]
pub use bot::{
    Bot, ChatMessage, ChatService, Command, Decision, HandlerError, HandlerKind, Health,
    JournalLocation, Report, Stage,
};
#[cfg(feature = "buyer")]
#[cfg_attr(docsrs, doc(cfg(feature = "buyer")))]
pub use buyer::{Buyer, Deal, Order, OrderRecord, Outcome, Quote, Reservation, Work};
#[cfg(feature = "buyer")]
#[doc(hidden)]
pub use buyer::{OrderRecord as Placed, Reservation as Reserved};
pub use error::{Error, Result};
#[cfg(feature = "axum")]
#[cfg_attr(docsrs, doc(cfg(feature = "axum")))]
pub use identity::VerifiedAgent;
pub use identity::{Denied, Identity, IdentityVerifier, identity_for};
#[cfg(feature = "journal")]
#[cfg_attr(docsrs, doc(cfg(feature = "journal")))]
pub use journal::{Backlog, Journal};
pub use listen::{ChannelListener, Listener, Notifier, Source};
#[cfg(feature = "bot")]
#[cfg_attr(docsrs, doc(cfg(feature = "bot")))]
pub use service::{
    Ctx, Dialogue, Fail, Handover, OnCrash, Output, Sequence, Service, State, service,
};
pub use svc_client as client;
pub use svc_client::types::api::connect::WebhookEvent;
pub use svc_types::webhook::{Secret, SecretError};
pub use webhook::{
    Cause, MemoryReplay, Refused, ReplayKey, ReplayStore, Seen, StoreError, Verified,
    WebhookVerifier, sign,
};
#[cfg(feature = "axum")]
#[cfg_attr(docsrs, doc(cfg(feature = "axum")))]
pub use webhook::{Webhook, WebhookLayer, WebhookRouter, WebhookRoutes, WebhookService};
