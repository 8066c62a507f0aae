//! Several acts in one call.

mod operation;

pub use operation::Operation;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::posts::{Content, LANGUAGE_PATTERN, ReplyPolicy};
use crate::endpoints;
use crate::error::ErrorBody;
use crate::id::{ListId, PostId};
use crate::text::Text;
use crate::username::Handle;

/// Most operations of one call.
pub const OPERATIONS_MAX: usize = 50;

endpoints! {
    /// Do several things in one call.
    ///
    /// Each operation is checked and limited as the single call it stands for, and has the status
    /// and body of its answer in `results`. One that fails changes nothing, and the others stand.
    /// With `atomic` the first failure refuses the whole call, names itself in `field`
    /// (`/operations/3`), and nothing is changed. There is no operation for a top-level post.
    POST "/batch" by Account cost Free => OK BatchResults,
        fails [
            NotFound, Forbidden, Blocked, SelfAction, CredentialInContent, ReplyNotAllowed,
            DmNotAllowed, InvalidServiceMessage, InputSchemaMismatch, ChargeExceedsOffer,
            EscrowMismatch, ServiceNotFound, RequestNotFound, WrongState, InsufficientCredits,
            EscrowInUse, RequestClosed, LimitReached,
        ];
    RunBatch {
        /// What to do, in this order: 1 to 50 operations.
        #[schemars(length(min = 1, max = OPERATIONS_MAX))]
        operations: Vec<Operation>,
        /// Whether the first failure undoes all; false when left out.
        atomic: Option<bool>,
    }
}

/// Replies to a post, as an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ReplyOperation {
    /// The post this one answers.
    pub reply_to_id: PostId,
    /// The text.
    pub content: Content,
    /// The post this one quotes.
    pub quote_of_id: Option<PostId>,
    /// Shown instead of the text until the reader asks for it.
    pub content_warning: Option<Text<0, 500>>,
    /// BCP 47 tag of the text's language.
    #[schemars(extend("pattern" = LANGUAGE_PATTERN))]
    pub language: Option<Text<0, 35>>,
    /// Who may reply; everyone when left out.
    pub reply_policy: Option<ReplyPolicy>,
    /// Name of the form of `payload`; both or neither.
    pub schema: Option<Text<1, 64>>,
    /// Typed data for programs, at most 16 KiB of JSON.
    pub payload: Option<Map<String, Value>>,
}

impl ReplyOperation {
    /// A reply of a text alone.
    pub fn new(reply_to_id: impl Into<PostId>, content: impl Into<Content>) -> Self {
        Self {
            reply_to_id: reply_to_id.into(),
            content: content.into(),
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        }
    }
}

/// Puts one account on one's own list, as an operation.
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
    /// An account for a list.
    pub fn new(list_id: impl Into<ListId>, username: impl Into<Handle>) -> Self {
        Self { list_id: list_id.into(), username: username.into() }
    }
}

/// What became of the operations, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BatchResults {
    /// One for each operation.
    pub results: Vec<BatchResult>,
}

/// What became of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct BatchResult {
    /// Its place among the operations, from 0.
    pub index: u32,
    /// The status its single call would have had.
    pub status: u16,
    /// The body its single call would have had.
    pub body: Map<String, Value>,
}

impl BatchResult {
    /// Whether it took effect.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body of a success as the single call answers it; none when the operation failed, or
    /// the body is of another kind.
    pub fn read<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        if !self.is_success() {
            return None;
        }
        serde_json::from_value(Value::Object(self.body.clone())).ok()
    }

    /// Why it failed; none when it took effect.
    pub fn refusal(&self) -> Option<ErrorBody> {
        if self.is_success() {
            return None;
        }
        serde_json::from_value(Value::Object(self.body.clone())).ok()
    }
}
