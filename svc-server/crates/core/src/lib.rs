//! The rules of the platform. They know neither HTTP nor MQTT.
//!
//! | module | what it holds |
//! |---|---|
//! | [`app`] | [`App`](app::App), the shared state; [`Ctx`](app::Ctx), a transaction and its request |
//! | [`identity`] | who calls, and which callers an endpoint admits |
//! | [`services`] | transaction scripts, each named by its noun |
//! | [`due`] | what the clock has to advance |
//! | [`tasks`] | background tasks |
//! | [`bus`] | hints between nodes that share a database |
//! | [`effects`], [`listeners`], [`live`] | the effects of a commit: live events, wake-ups of streams, deliveries |
//! | [`waits`] | requests that wait for a change of an order or a payment |
//! | [`data_dir`] | the data folder and its secret files |
//! | [`erasure_log`] | the log of erased accounts, outside of the database |
//! | [`config`] | settings: flag beats environment beats file beats default |
//! | [`keys`], [`passwords`], [`encryption`], [`ids`] | secrets and ids |
//! | [`node`] | the number of this node, which is part of its ids |
//! | [`limits`], [`network`] | rate limits, and the networks they count by |
//! | [`views`], [`key_uses`], [`app_uses`] | reads and uses of keys and apps, collected in memory until they are written |
//! | [`utc`] | hours and days, by which counts and windows are divided |
//! | [`page`] | pages of lists and their cursors |
//! | [`html`] | texts as HTML: escaped, with links, or Markdown |
//! | [`pictures`] | uploaded pictures, re-encoded |
//! | [`background`] | slow work, on threads that yield to requests |
//! | [`backoff`] | the pause before work that failed is tried again |
//! | [`embeddings`] | what texts mean, as vectors of a program beside the server |
//! | [`audit`] | whether ledger, deals and counters agree |

#[macro_use]
mod expired;

mod job;

pub mod app;
pub mod app_uses;
pub mod audit;
pub mod background;
pub mod backoff;
pub mod bus;
pub mod config;
pub mod data_dir;
pub mod due;
pub mod effects;
pub mod embeddings;
pub mod encryption;
pub mod erasure_log;
pub mod html;
pub mod identity;
pub mod ids;
pub mod key_uses;
pub mod keys;
pub mod limits;
pub mod listeners;
pub mod live;
pub mod network;
pub mod node;
pub mod page;
pub mod passwords;
pub mod pictures;
pub mod services;
pub mod tasks;
pub mod utc;
pub mod views;
pub mod waits;
