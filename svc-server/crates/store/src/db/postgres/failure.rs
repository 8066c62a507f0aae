//! What PostgreSQL says of a failure.

use std::error::Error as _;

use postgres::error::SqlState;

use super::tls;
use crate::error::Error;

/// The error without the values it may quote: logs hold no content.
pub(in crate::db) fn describe(error: &postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        let is_right_missing = *error.code() == SqlState::INSUFFICIENT_PRIVILEGE;
        let fix =
            if is_right_missing { "; the role must own the database and its tables" } else { "" };
        return format!("{} (SQLSTATE {}){fix}", error.message(), error.code().code());
    }
    tls::explain(error).unwrap_or_else(|| {
        let cause = error.source().and_then(|cause| cause.downcast_ref::<std::io::Error>());
        cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
    })
}

/// An error with what PostgreSQL said, which the library leaves out of its own.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it is the argument of map_err")]
pub(in crate::db) fn failed(error: postgres::Error) -> Error {
    Error::internal(describe(&error))
}
