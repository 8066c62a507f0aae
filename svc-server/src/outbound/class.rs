//! What went wrong with a call, for logs and retries.

use std::error::Error;
use std::io::{self, ErrorKind};

use super::resolve::Blocked;

/// What went wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The name has no address.
    Dns,
    /// No address may be called.
    BlockedAddress,
    /// Nobody listens.
    ConnectRefused,
    /// Nobody answered the connection in time.
    ConnectTimeout,
    /// The certificate, or what came instead of one.
    Tls,
    /// No answer in time.
    Timeout,
    /// The connection ended before the answer.
    Reset,
    /// The answer is no HTTP.
    Protocol,
    /// The answer is no success.
    HttpStatus,
    /// Nobody knows: the server that sent it ended.
    Lost,
}

impl Class {
    /// Its name in logs and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::BlockedAddress => "blocked_address",
            Self::ConnectRefused => "connect_refused",
            Self::ConnectTimeout => "connect_timeout",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Reset => "reset",
            Self::Protocol => "protocol",
            Self::HttpStatus => "http_status",
            Self::Lost => "lost",
        }
    }

    /// Whether the receiver was too slow.
    pub const fn is_timeout(self) -> bool {
        matches!(self, Self::Timeout | Self::ConnectTimeout)
    }

    /// What an error of the client means. Its own words are the same for a
    /// reset and for garbage, so its causes are asked.
    pub(super) fn of(error: &reqwest::Error, with_tls: bool) -> Self {
        let causes = Causes::of(error);
        if causes.is_blocked {
            return Self::BlockedAddress;
        }
        if error.is_timeout() {
            return if error.is_connect() { Self::ConnectTimeout } else { Self::Timeout };
        }
        if error.is_dns() {
            return Self::Dns;
        }
        if error.is_connect() {
            return Self::of_connect(causes.io, with_tls);
        }
        let ended = [
            ErrorKind::ConnectionReset,
            ErrorKind::ConnectionAborted,
            ErrorKind::BrokenPipe,
            ErrorKind::NotConnected,
            ErrorKind::UnexpectedEof,
        ];
        if causes.is_ended || causes.io.is_some_and(|kind| ended.contains(&kind)) {
            Self::Reset
        } else {
            Self::Protocol
        }
    }

    fn of_connect(kind: Option<ErrorKind>, with_tls: bool) -> Self {
        match kind {
            Some(ErrorKind::TimedOut) => Self::ConnectTimeout,
            Some(
                ErrorKind::ConnectionRefused
                | ErrorKind::HostUnreachable
                | ErrorKind::NetworkUnreachable
                | ErrorKind::AddrNotAvailable,
            ) => Self::ConnectRefused,
            Some(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted) => Self::Reset,
            _ if with_tls => Self::Tls,
            _ => Self::ConnectRefused,
        }
    }
}

/// What the causes of an error tell.
#[derive(Default)]
struct Causes {
    is_blocked: bool,
    /// Whether the connection ended before the answer was whole.
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
