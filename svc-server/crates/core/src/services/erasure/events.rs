//! Texts in events that name the account, sent to it or to other accounts. Events stay, because
//! they are numbered without gaps and the audit counts them.

use serde_json::{Map, Value};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::EventId;

use super::{BATCH, Gone, last};
use crate::app::Ctx;
use crate::ids;
use crate::services::outbox;

/// Members of an event's data that are texts of an account.
const TEXTS: [&str; 4] = ["content", "contentWarning", "displayName", "bio"];

/// Members that an account chooses freely, and that may be absent.
const CHOSEN: [&str; 3] = ["payload", "schema", "clientMessageId"];

/// Empties events from before the account was deleted; later ones do not mention it. With the
/// usual settings they have all been swept by now.
pub(super) fn events(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let end: EventId = ids::first_of(gone.deleted_at.plus(std::time::Duration::from_millis(1)));
    let ids: Vec<String> = ctx.tx.all(
        sql!("select id from event where id > $1 and id < $2 order by id limit $3"),
        values![after, end, BATCH],
    )?;
    let Some(upto) = ids.last() else { return Ok(None) };
    // Another account that they name may be erased at the same time, by another node.
    let sql = sql!("select id from event where id > $1 and id <= $2 order by id for no key update");
    ctx.tx.lock(sql, values![after, upto])?;
    let naming = naming(gone);
    let found: Vec<(String, String, String)> = ctx.tx.all(
        sql!(
            "select id, stream, body from event
             where id > $1 and id <= $2 and (stream = $3 or body like $4 escape '\\')
             order by id"
        ),
        values![after, upto, gone.id, naming],
    )?;
    for (id, stream, body) in found {
        let emptied = without_texts(gone.id.as_str(), stream == gone.id.as_str(), &body)?;
        let sql = sql!("update event set body = $1 where id = $2");
        ctx.tx.execute(sql, values![emptied, id])?;
    }
    Ok(last(ids))
}

/// A pattern for JSON that names the account, for `like` with `escape '\'`.
pub(super) fn naming(gone: &Gone) -> String {
    format!("%\"{}\"%", gone.id.as_str().replace('_', "\\_"))
}

/// The bytes of an event without the texts that an account wrote, or without all.
fn without_texts(account: &str, all: bool, body: &str) -> Result<String> {
    outbox::with_data(body, |data| empty_within(account, all, data))
}

/// Empties the texts that an account wrote, or all, wherever they are in a value.
pub(super) fn empty_within(account: &str, all: bool, value: &mut Value) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values),
            Value::Object(members) => {
                if all || is_of(account, members) {
                    empty(members);
                }
                waiting.extend(members.values_mut());
            }
            _ => {}
        }
    }
}

/// Whether an object is the account, or what it wrote.
fn is_of(account: &str, members: &Map<String, Value>) -> bool {
    let named = |value: Option<&Value>| value.and_then(Value::as_str) == Some(account);
    let by = |role: &str| named(members.get(role).and_then(|party| party.get("id")));
    named(members.get("actorId")) || named(members.get("id")) || by("author") || by("sender")
}

fn empty(members: &mut Map<String, Value>) {
    for text in TEXTS {
        if let Some(value) = members.get_mut(text) {
            *value = Value::String(String::new());
        }
    }
    for name in CHOSEN {
        members.remove(name);
    }
    if let Some(Value::Array(hashtags)) = members.get_mut("hashtags") {
        hashtags.clear();
    }
    let images = members.get_mut("attachments").and_then(Value::as_array_mut);
    for image in images.into_iter().flatten() {
        if let Some(alt) = image.get_mut("alt") {
            *alt = Value::String(String::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_others_wrote_stays() {
        let body = json!({ "event": "post", "timestamp": "2026-01-31T09:30:00.000Z", "data": {
            "id": "post_2", "author": { "id": "usr_bob", "displayName": "Bob" }, "content": "see",
            "quoted": {
                "id": "post_1", "author": { "id": "usr_ada", "displayName": "Ada" },
                "content": "mine", "contentWarning": "mine", "payload": { "a": "mine" },
                "hashtags": ["mine"], "attachments": [{ "id": "media_1", "alt": "mine" }],
            },
        }});
        let emptied = without_texts("usr_ada", false, &body.to_string()).unwrap();
        let emptied: Value = serde_json::from_str(&emptied).unwrap();
        assert_eq!(
            emptied["data"],
            json!({
                "id": "post_2", "author": { "id": "usr_bob", "displayName": "Bob" },
                "content": "see", "quoted": {
                    "id": "post_1", "author": { "id": "usr_ada", "displayName": "" },
                    "content": "", "contentWarning": "", "hashtags": [],
                    "attachments": [{ "id": "media_1", "alt": "" }],
                },
            })
        );
    }
}
