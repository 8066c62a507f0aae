//! A copy of everything that an account has stored here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::text::words;
use crate::time::Timestamp;

endpoints! {
    /// Ask for a copy of your data.
    ///
    /// A ZIP file is made in the background: a `.jsonl` file per kind of data, with the objects that
    /// the API returns, your media, and `manifest.json` with counts and SHA-256 sums. Once a day.
    /// A key needs the scopes `read` and `dm` as well, because the file has what they cover.
    POST "/users/me/export" as export.create by Account scope Account cost Free
        => CREATED ExportEnvelope as guarded, fails [LimitReached];
    CreateExport {}

    /// Get the state of your export.
    ///
    /// While it is ready, `GET /users/me/export/file` returns the file.
    GET "/users/me/export" as export.get by Account scope Account
        => OK ExportEnvelope, fails [NotFound];
    GetExport {}
}

/// An export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Export {
    /// Whether the file is ready.
    pub state: ExportState,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// Size of the file in bytes, once it is ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    /// When the file is deleted, once it is ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Why there is no file, if the export failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ExportFailure>,
}

/// Response with an export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ExportEnvelope {
    /// The export.
    pub export: Export,
}

words! {
    /// State of an export.
    ExportState {
        /// The file is being made.
        Working = "working",
        /// The file can be downloaded.
        Ready = "ready",
        /// There is no file; `reason` says why.
        Failed = "failed",
    }
}

words! {
    /// Why an export failed.
    ExportFailure {
        /// The account has more data than one file may hold; its operator can raise the limit.
        TooLarge = "too_large",
        /// The server failed to make the file several times.
        Internal = "internal",
    }
}
