//! The exit codes: a promise to scripts, in one table.

use serde::{Serialize, Serializer};
use svc_client::Error;
use svc_client::types::Code;

/// Declares each code once; `svc help --json` prints the same table.
///
/// 78 is what `svc-server` exits with: service managers do not restart it then. 130 is what a shell makes
/// of a command that Ctrl-C ended; `svc order` returns it itself, after it has said what stands.
macro_rules! exits {
    ($($name:ident = $code:literal, $meaning:literal, $advice:literal;)+) => {
        /// How a command ended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Exit {
            $(#[doc = $meaning] $name = $code,)+
        }

        impl Exit {
            /// Every code with its meaning and what to do.
            pub(crate) const TABLE: &[(Self, &str, &str)] =
                &[$((Self::$name, $meaning, $advice),)+];
        }
    };
}

exits! {
    Done = 0, "done", "";
    Other = 1, "other, also 503 feature not configured", "read the message";
    Usage = 2, "usage, invalid input (400, 405, 413, 415), confirmation missing", "change the command";
    NotFound = 3, "not found", "check the id or name";
    NotAllowed = 4, "401 or 403", "log in, or use another profile";
    Conflict = 5, "409: exists, or wrong state", "do not repeat; look at the state";
    RateLimited = 6, "429", "repeat after retryAfter";
    Network = 7, "network, timeout, 500, 502, 504, 503 with Retry-After, `outcome_unknown` or no code",
        "safe to repeat, with the printed idempotencyKey where there is one";
    Money = 8, "insufficient credits, spend limit, provider rejected or failed",
        "do not repeat unchanged";
    Waiting = 9, "--wait ended; the order or payment stands", "svc order --id SAME .. continues it";
    Setup = 78, "svc serve: wrong settings, keys or file permissions", "correct what the message names";
    Interrupted = 130, "interrupted; what was sent stands", "as 7 or 9";
}

impl Exit {
    /// What to do.
    pub(crate) fn advice(self) -> &'static str {
        let row = Self::TABLE.iter().find(|(exit, ..)| *exit == self);
        row.map_or("", |(_, _, advice)| advice)
    }

    /// The code a process ends with.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }
}

/// Whether a refusal says that credits or a limit do not suffice.
pub(crate) const fn is_about_money(code: &Code) -> bool {
    matches!(code, Code::InsufficientCredits | Code::SpendLimit | Code::PaymentRequired)
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Self {
        match error {
            _ if error.code().is_some_and(is_about_money) => Self::Money,
            Error::Invalid { .. } | Error::Config { .. } => Self::Usage,
            Error::NotFound { .. } => Self::NotFound,
            Error::Unauthorized { .. } | Error::Forbidden { .. } => Self::NotAllowed,
            Error::Conflict { .. } => Self::Conflict,
            Error::RateLimited { .. } => Self::RateLimited,
            Error::Server { .. } | Error::Transport { .. } | Error::Timeout { .. } => Self::Network,
            // Without a code, it comes from a proxy that can't reach the server.
            Error::Unavailable { .. }
                if error.retry_after().is_some()
                    || matches!(error.code(), None | Some(Code::OutcomeUnknown)) =>
            {
                Self::Network
            }
            _ => Self::Other,
        }
    }
}

impl Serialize for Exit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.code())
    }
}
