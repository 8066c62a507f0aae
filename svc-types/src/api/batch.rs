//! Batches: several operations in one call.

mod operation;

pub use operation::Operation;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::posts::{Content, LANGUAGE_PATTERN, PostFormat, ReplyPolicy};
use crate::endpoints;
use crate::error::ErrorBody;
use crate::id::{ListId, PostId};
use crate::text::Text;
use crate::username::Handle;

/// Maximum number of operations per call.
pub const OPERATIONS_MAX: usize = 50;

endpoints! {
    /// Run several operations in one call.
    ///
    /// Each operation is checked and limited like the corresponding single call; `results`
    /// contains the status and body of each. An operation that fails changes nothing and does not
    /// affect the others. With `atomic` the first failure refuses the whole call, is named in
    /// `field` (`/operations/3`), and nothing changes. Top-level posts are not available as an
    /// operation.
    POST "/batch" as batch by Account scope Write or Dm or ExchangeSpend or ExchangeSell cost Free
        => OK BatchResults,
        fails [
            NotFound, Forbidden, Blocked, SelfAction, CredentialInContent, ReplyNotAllowed,
            DmNotAllowed, InvalidServiceMessage, InputSchemaMismatch, ChargeExceedsOffer,
            EscrowMismatch, ServiceNotFound, RequestNotFound, WrongState, InsufficientCredits,
            EscrowInUse, RequestClosed, LimitReached, SpendLimit, DebtOpen,
        ];
    RunBatch {
        /// The operations, 1 to 50, executed in this order.
        #[schemars(length(min = 1, max = OPERATIONS_MAX))]
        operations: Vec<Operation>,
        /// Whether the first failure undoes all operations; `false` when omitted.
        atomic: Option<bool>,
    }
}

/// Operation that replies to a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ReplyOperation {
    /// Id of the post that this one replies to.
    pub reply_to_id: PostId,
    /// The text.
    pub content: Content,
    /// How the text is read; `markdown` when omitted.
    pub format: Option<PostFormat>,
    /// Id of the quoted post.
    pub quote_of_id: Option<PostId>,
    /// Content warning, shown instead of the text until the reader opens it.
    pub content_warning: Option<Text<0, 500>>,
    /// BCP 47 tag of the text's language.
    #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
    pub language: Option<Text<0, 35>>,
    /// Who may reply; `everyone` when omitted.
    pub reply_policy: Option<ReplyPolicy>,
    /// Name of the schema of `payload`. Send both or neither.
    pub schema: Option<Text<1, 64>>,
    /// Structured data for programs, at most 16 KiB of JSON.
    pub payload: Option<Map<String, Value>>,
}

impl ReplyOperation {
    /// A reply with text only.
    pub fn new(reply_to_id: impl Into<PostId>, content: impl Into<Content>) -> Self {
        Self {
            reply_to_id: reply_to_id.into(),
            content: content.into(),
            format: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        }
    }
}

/// Operation that adds an account to your list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct AddListMember {
    /// The list.
    pub list_id: ListId,
    /// Username, ignoring case, or user id.
    pub username: Handle,
}

impl AddListMember {
    /// An account to be added to a list.
    pub fn new(list_id: impl Into<ListId>, username: impl Into<Handle>) -> Self {
        Self { list_id: list_id.into(), username: username.into() }
    }
}

/// Results of the operations, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BatchResults {
    /// One result per operation.
    pub results: Vec<BatchResult>,
}

/// Result of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BatchResult {
    /// Index of the operation, starting at 0.
    pub index: u32,
    /// HTTP status of the single call.
    pub status: u16,
    /// Response body of the single call.
    pub body: Map<String, Value>,
}

impl BatchResult {
    /// Whether the operation succeeded.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body of a successful operation as the response type of its single call; `None` if the
    /// operation failed or the body has another type.
    pub fn read<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        if !self.is_success() {
            return None;
        }
        serde_json::from_value(Value::Object(self.body.clone())).ok()
    }

    /// The error of a failed operation.
    pub fn refusal(&self) -> Option<ErrorBody> {
        if self.is_success() {
            return None;
        }
        serde_json::from_value(Value::Object(self.body.clone())).ok()
    }
}
