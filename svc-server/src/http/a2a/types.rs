//! Objects of the protocol. What clients send is read as `ProtoJSON` defines it: `null` and empty texts
//! count as absent, and unknown members are ignored.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use svc_types::Timestamp;

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// Who sent a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Role {
    /// The client.
    #[serde(rename = "ROLE_USER")]
    User,
    /// The agent.
    #[serde(rename = "ROLE_AGENT")]
    Agent,
}

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum TaskState {
    /// Any, in filters.
    #[serde(rename = "TASK_STATE_UNSPECIFIED")]
    Unspecified,
    /// Placed.
    #[serde(rename = "TASK_STATE_SUBMITTED")]
    Submitted,
    /// Being worked on.
    #[serde(rename = "TASK_STATE_WORKING")]
    Working,
    /// Done.
    #[serde(rename = "TASK_STATE_COMPLETED")]
    Completed,
    /// Failed, refunded or expired.
    #[serde(rename = "TASK_STATE_FAILED")]
    Failed,
    /// Cancelled by the client.
    #[serde(rename = "TASK_STATE_CANCELED")]
    Canceled,
    /// Waiting for an input of the client.
    #[serde(rename = "TASK_STATE_INPUT_REQUIRED")]
    InputRequired,
    /// Declined by the agent.
    #[serde(rename = "TASK_STATE_REJECTED")]
    Rejected,
    /// Never the state of a task here.
    #[serde(rename = "TASK_STATE_AUTH_REQUIRED")]
    AuthRequired,
}

impl TaskState {
    /// Whether nothing changes any more.
    pub(super) const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled | Self::Rejected)
    }
}

/// A part of a message or of an artifact: one of `text`, `raw`, `url` and `data`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) raw: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
    /// Any JSON, `null` too.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) media_type: Option<String>,
}

impl Part {
    /// A part of plain text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        let media_type = Some("text/plain".to_owned());
        Self { text: Some(text.into()), media_type, ..Self::default() }
    }

    /// A part of JSON.
    pub(super) fn data(data: Value) -> Self {
        let media_type = Some("application/json".to_owned());
        Self { data: Some(data), media_type, ..Self::default() }
    }
}

/// A message of the client or of the agent.
#[expect(clippy::struct_field_names, reason = "the protocol names them so")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Message {
    pub(super) message_id: String,
    #[serde(default, deserialize_with = "filled", skip_serializing_if = "Option::is_none")]
    pub(super) context_id: Option<String>,
    #[serde(default, deserialize_with = "filled", skip_serializing_if = "Option::is_none")]
    pub(super) task_id: Option<String>,
    pub(super) role: Role,
    pub(super) parts: Vec<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Object>,
    #[serde(default, deserialize_with = "listed", skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions: Vec<String>,
}

/// The state of a task, and what the agent says of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TaskStatus {
    pub(super) state: TaskState,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
    pub(super) timestamp: Timestamp,
}

/// A result.
#[expect(clippy::struct_field_names, reason = "the protocol names them so")]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    pub(super) artifact_id: String,
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
}

/// An order as a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) context_id: String,
    pub(super) status: TaskStatus,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) artifacts: Vec<Artifact>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) history: Vec<Message>,
    pub(super) metadata: Object,
}

/// An answer to a message, or an event of a stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Event {
    /// The task as it is.
    Task(Box<Task>),
    /// An answer without a task.
    Message(Message),
    /// The status has changed.
    StatusUpdate(StatusUpdate),
    /// There is another result.
    ArtifactUpdate(ArtifactUpdate),
}

/// A changed status.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatusUpdate {
    pub(super) task_id: String,
    pub(super) context_id: String,
    pub(super) status: TaskStatus,
    pub(super) metadata: Object,
}

/// A new result, which is whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactUpdate {
    pub(super) task_id: String,
    pub(super) context_id: String,
    pub(super) artifact: Artifact,
    pub(super) last_chunk: bool,
}

/// `SendMessage` and `SendStreamingMessage`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SendMessage {
    pub(super) message: Message,
    #[serde(default)]
    pub(super) configuration: Option<Configuration>,
    #[serde(default)]
    pub(super) metadata: Option<Object>,
}

/// How a message is answered.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Configuration {
    #[serde(default)]
    pub(super) task_push_notification_config: Option<Value>,
    #[serde(default)]
    pub(super) history_length: Option<i32>,
    #[serde(default)]
    pub(super) return_immediately: Option<bool>,
}

/// `GetTask`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GetTask {
    pub(super) id: String,
    #[serde(default)]
    pub(super) history_length: Option<i32>,
}

/// `CancelTask` and `SubscribeToTask`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NamedTask {
    pub(super) id: String,
}

/// `ListTasks`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListTasks {
    #[serde(default, deserialize_with = "filled")]
    pub(super) context_id: Option<String>,
    #[serde(default)]
    pub(super) status: Option<TaskState>,
    #[serde(default)]
    pub(super) page_size: Option<i32>,
    #[serde(default, deserialize_with = "filled")]
    pub(super) page_token: Option<String>,
    #[serde(default)]
    pub(super) history_length: Option<i32>,
    #[serde(default)]
    pub(super) status_timestamp_after: Option<Timestamp>,
    #[serde(default)]
    pub(super) include_artifacts: Option<bool>,
}

/// A page of tasks.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskPage {
    pub(super) tasks: Vec<Task>,
    pub(super) next_page_token: String,
    pub(super) page_size: usize,
    pub(super) total_size: usize,
}

/// Keeps `null` apart from absence.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn filled<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.filter(|text| !text.is_empty()))
}

fn listed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A value with whole numbers as integers. The protocol's values are doubles, and libraries write 3
/// as `3.0`, which programs that expect an integer refuse.
pub(super) fn with_integers(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(as_integer(&number).unwrap_or(number)),
        Value::Array(items) => items.into_iter().map(with_integers).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, with_integers(value))).collect()
        }
        other => other,
    }
}

/// The largest double below which every whole number is exact.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

fn as_integer(number: &serde_json::Number) -> Option<serde_json::Number> {
    let double = number.as_f64().filter(|_| number.is_f64())?;
    if double.fract() != 0.0 || double.abs() >= EXACT_MAX {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
    Some((double as i64).into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_doubles_become_integers() {
        let read = with_integers(json!({ "n": 3.0, "list": [1.5, -0.0, 1e300], "text": "3.0" }));
        assert_eq!(read.to_string(), r#"{"list":[1.5,0,1e+300],"n":3,"text":"3.0"}"#);
    }

    #[test]
    fn null_is_data_and_absence_is_not() {
        let read: Part = serde_json::from_value(json!({ "data": null })).unwrap();
        assert_eq!((read.data, read.text), (Some(Value::Null), None));
        let read: Part = serde_json::from_value(json!({ "text": "a" })).unwrap();
        assert_eq!((read.data, read.text.as_deref()), (None, Some("a")));
    }
}
