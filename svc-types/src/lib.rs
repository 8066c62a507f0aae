//! Endpoints, objects, ids and errors of the svc platform.

pub mod error;
pub mod time;

pub use error::{Code, ErrorBody};
pub use time::{Span, Timestamp};
