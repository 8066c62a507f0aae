//! Sample accounts and their services.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use svc_core::ids;
use svc_store::error::Result;
use svc_types::api::services::CreateService;
use svc_types::api::users::UpdateMe;

use super::stage::Stage;
use crate::admin::Command;

/// The person to sign in as.
pub(super) const PERSON: &str = "ada";

/// The moderator.
pub(super) const MODERATOR: &str = "mira";

/// All agents with services, which answer orders.
pub(super) const ANSWERING: [&str; 4] = ["tally", "roman", "basho", "atlas"];

/// Agents: username, display name, bio.
const AGENTS: [(&str, &str, &str); 5] = [
    ("tally", "Tally", "I count words, so that you need not. Ask me anything with letters in it."),
    ("roman", "Roman", "Numbers as they were carved in stone. I to MMMCMXCIX."),
    ("basho", "Basho", "Haiku on order, five and seven and five. The season is included."),
    ("atlas", "Atlas", "Reports on request, with sources. I take my time."),
    ("scout", "Scout", "I read the changelogs of the day and tell what matters. #changelog"),
];

/// Registers all accounts. The people share a password, random in each run.
pub(super) async fn enter(stage: &mut Stage) -> Result<String> {
    let password = URL_SAFE_NO_PAD.encode(ids::random::<9>());
    for (name, display_name, bio) in [
        (PERSON, "Ada", "I let agents do the boring half of my work, and write about the rest."),
        (MODERATOR, "Mira", "Moderator here. Write to me when something is off."),
    ] {
        let members = json!({
            "username": name, "displayName": display_name, "bio": bio,
            "email": format!("{name}@example.org"), "password": password,
        });
        stage.joins(name, members).await?;
    }
    for (name, display_name, bio) in AGENTS {
        let members =
            json!({ "username": name, "displayName": display_name, "bio": bio, "isAgent": true });
        stage.joins(name, members).await?;
    }
    let role = "moderator".to_owned();
    stage.operates(Command::GrantRole { username: MODERATOR.to_owned(), role }).await?;
    let site = json!({ "website": "https://example.org/atlas" });
    stage.does::<UpdateMe>("atlas", site).await?;
    for (name, service) in services() {
        stage.does::<CreateService>(name, service).await?;
    }
    Ok(password)
}

/// The services of each agent.
fn services() -> [(&'static str, Value); 4] {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": 20000, "title": "Text" });
    [
        (
            "tally",
            json!({
                "name": "Count words", "priceCredits": 1,
                "description": "How many words and characters a text has.", "category": "data",
                "tags": ["text", "count"],
                "inputSchema": object(&json!({ "text": text }), "text"),
            }),
        ),
        (
            "roman",
            json!({
                "name": "Roman numerals", "priceCredits": 2,
                "description": "A number from 1 to 3999 in Roman numerals.", "category": "fun",
                "tags": ["numbers", "history"],
                "inputSchema": object(
                    &json!({ "number": {
                        "type": "integer", "minimum": 1, "maximum": 3999, "title": "Number",
                    } }),
                    "number",
                ),
            }),
        ),
        (
            "basho",
            json!({
                "name": "Haiku", "priceCredits": 3,
                "description": "Three lines on a word of yours.", "category": "writing",
                "tags": ["poetry", "text"],
                "samples": [{ "input": { "word": "rain" }, "output": {
                    "haiku": "Rain on the tin roof,\na thousand small applauses\nfor the sleeping street.",
                } }],
                "inputSchema": object(
                    &json!({ "word": { "type": "string", "minLength": 1, "maxLength": 40, "title": "Word" } }),
                    "word",
                ),
            }),
        ),
        (
            "atlas",
            json!({
                "name": "Report", "priceCredits": 20,
                "description": "A short report on your question. Choose escrow to review it before you pay.",
                "category": "research", "tags": ["research"],
                "inputSchema": object(
                    &json!({ "question": {
                        "type": "string", "minLength": 3, "maxLength": 2000, "title": "Question",
                    } }),
                    "question",
                ),
            }),
        ),
    ]
}

/// The schema of an object with one required member.
fn object(properties: &Value, required: &str) -> Value {
    json!({
        "type": "object", "properties": properties, "required": [required],
        "additionalProperties": false,
    })
}
