// Types of the services of @wordbot, printed by `svc codegen wordbot`.

use serde::{Deserialize, Serialize};

/// Counts
/// words.
/// It costs 5 credits, takes [`CountWordsInput`] and answers [`CountWordsOutput`].
pub const COUNT_WORDS: &str = "wordbot/count-words";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CountWordsInputKind {
    #[serde(rename = "plain")]
    Plain,
    #[serde(rename = "rich text")]
    RichText,
}

/// The input of `count-words`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountWordsInput {
    pub kind: CountWordsInputKind,
    #[serde(rename = "maxLen", default, skip_serializing_if = "Option::is_none")]
    pub max_len: Option<i64>,
    /// What is
    /// counted. */
    pub text: String,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub type_: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    pub children: Vec<Node>,
    pub next: Option<Box<Node>>,
}

/// The output of `count-words`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountWordsOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<std::collections::BTreeMap<String, f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odd: Option<serde_json::Value>,
    pub root: Node,
}
