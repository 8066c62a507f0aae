//! Classifies failed calls, for logs and retries.

use std::error::Error;
use std::io::{self, ErrorKind};

use svc_types::api::webhooks::DeliveryErrorClass as Class;

use super::resolve::Blocked;

/// The class of a client error. Its own message is the same for a reset and for garbage, so its
/// causes decide.
pub(super) fn class_of(error: &reqwest::Error, with_tls: bool) -> Class {
    let causes = Causes::of(error);
    if causes.is_blocked {
        return Class::BlockedAddress;
    }
    if error.is_timeout() {
        return if error.is_connect() { Class::ConnectTimeout } else { Class::Timeout };
    }
    if error.is_dns() {
        return Class::Dns;
    }
    if error.is_connect() {
        return of_connect(causes.io, with_tls);
    }
    let ended = [
        ErrorKind::ConnectionReset,
        ErrorKind::ConnectionAborted,
        ErrorKind::BrokenPipe,
        ErrorKind::NotConnected,
        ErrorKind::UnexpectedEof,
    ];
    if causes.is_ended || causes.io.is_some_and(|kind| ended.contains(&kind)) {
        Class::Reset
    } else {
        Class::Protocol
    }
}

fn of_connect(kind: Option<ErrorKind>, with_tls: bool) -> Class {
    match kind {
        Some(ErrorKind::TimedOut) => Class::ConnectTimeout,
        Some(
            ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::AddrNotAvailable,
        ) => Class::ConnectRefused,
        Some(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted) => Class::Reset,
        _ if with_tls => Class::Tls,
        _ => Class::ConnectRefused,
    }
}

/// The findings in the causes of an error.
#[derive(Default)]
struct Causes {
    is_blocked: bool,
    /// Whether the connection ended before the response was complete.
    is_ended: bool,
    io: Option<ErrorKind>,
}

impl Causes {
    fn of(error: &(dyn Error + 'static)) -> Self {
        let mut causes = Self::default();
        let mut next = Some(error);
        while let Some(error) = next {
            causes.is_blocked |= error.is::<Blocked>();
            if let Some(error) = error.downcast_ref::<hyper::Error>() {
                causes.is_ended |=
                    error.is_incomplete_message() || error.is_canceled() || error.is_closed();
            }
            if let Some(error) = error.downcast_ref::<io::Error>() {
                causes.io = Some(error.kind());
            }
            next = error.source();
        }
        causes
    }
}
