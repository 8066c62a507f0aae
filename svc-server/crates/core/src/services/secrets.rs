//! Texts that give a live key away are refused.

use std::borrow::Cow;

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, Endpoint, wire};

use crate::app::Ctx;
use crate::identity::credentials;
use crate::keys::{self, Found};
use crate::services::{api_key, developer_app, oauth};

/// Most different texts of the form of a key that one request may hold; each is looked up.
const SUSPECTS_MAX: usize = 64;

/// How often JSON is unpacked that stands in a text of JSON.
const LAYERS_MAX: usize = 4;

/// What has the form of a key or token in the texts of a request, and the field where it stands.
#[derive(Debug, Default)]
pub struct Suspects(Vec<(&'static str, String)>);

impl Suspects {
    /// Those in any text of a request, save in fields that are secrets by type.
    pub fn of<E: Endpoint>(request: &E) -> Self {
        let mut suspects = Self::default();
        wire::visit_texts(request, |field, text| suspects.look_into(field, text));
        suspects
    }

    /// Whether there are none, as nearly always.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes what a text holds, also behind the escapes of JSON: what is stored is unpacked by
    /// those who read it.
    fn look_into(&mut self, field: &'static str, text: &str) {
        let mut layer = Cow::Borrowed(text);
        self.note_all(field, &layer);
        for _ in 0..LAYERS_MAX {
            if !layer.contains('\\') {
                return;
            }
            layer = Cow::Owned(unescape(&layer));
            self.note_all(field, &layer);
        }
    }

    fn note_all(&mut self, field: &'static str, text: &str) {
        for found in keys::find_all(text) {
            let is_known = self.0.iter().any(|(_, known)| known == found.text());
            // One more than may be, which is refused.
            if !is_known && self.0.len() <= SUSPECTS_MAX {
                self.0.push((field, found.text().to_owned()));
            }
        }
    }

    /// Refuses the request if one of them is live.
    pub fn refuse_live(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        if let Some((field, _)) = self.0.get(SUSPECTS_MAX) {
            let message = format!("{field} holds more than {SUSPECTS_MAX} keys or tokens");
            return Err(refusal(field, message).into());
        }
        self.0.iter().try_for_each(|(field, text)| refuse_in(ctx, field, text))
    }
}

/// Refuses text that holds a live key or token of this platform; `field` is where it stood.
pub fn refuse_in(ctx: &mut Ctx<'_, '_>, field: &str, text: &str) -> Result<()> {
    for found in keys::find_all(text) {
        if is_live(ctx, found)? {
            let message = format!("{field} holds a live key or token, which would become public");
            return Err(refusal(field, message).into());
        }
    }
    Ok(())
}

fn refusal(field: &str, message: String) -> Refusal {
    let refusal = Refusal::new(Code::CredentialInContent, message);
    refusal.field(field).hint("take it out, and replace the key")
}

/// Undoes one layer of the escapes of JSON, wherever a backslash stands.
fn unescape(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(found) = rest.find('\\') {
        plain.push_str(&rest[..found]);
        let escape = &rest[found + 1..];
        let code = escape.strip_prefix('u').and_then(|digits| digits.get(..4));
        let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let skipped = match (code, escape.chars().next()) {
            (Some(code), _) => {
                plain.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                5
            }
            (None, Some('b' | 'f' | 'n' | 'r' | 't')) => {
                plain.push(' ');
                1
            }
            (None, Some(plainly)) => {
                plain.push(plainly);
                plainly.len_utf8()
            }
            (None, None) => 0,
        };
        rest = &escape[skipped..];
    }
    plain.push_str(rest);
    plain
}

fn is_live(ctx: &mut Ctx<'_, '_>, found: Found<'_>) -> Result<bool> {
    let now = ctx.now();
    let row: Option<i64> = match found {
        Found::ApiKey(key) => return Ok(api_key::find(ctx, key)?.is_some()),
        Found::DeveloperKey(key) => return Ok(credentials::developer(ctx, key)?.is_some()),
        Found::IdentityToken(token) => {
            let sql = sql!(
                "select 1 from identity_token
                 where token_hash = $1 and expires_at > $2 and revoked = false"
            );
            ctx.tx.optional(sql, values![keys::hash(token), now])?
        }
        Found::OauthToken(token) => return oauth::token::is_live(ctx, token),
        Found::WebhookSecret(secret) => {
            let sql = sql!(
                "select 1 from webhook_secret
                 where hash = $1 and (expires_at is null or expires_at > $2)"
            );
            ctx.tx.optional(sql, values![keys::hash(secret), now])?
        }
    };
    Ok(row.is_some())
}

/// Whether a text is a valid key or a valid token of a program, which anybody may end.
pub fn is_reportable(ctx: &mut Ctx<'_, '_>, text: &str) -> Result<bool> {
    match keys::find_all(text).into_iter().next() {
        Some(found @ (Found::ApiKey(_) | Found::DeveloperKey(_) | Found::OauthToken(_))) => {
            is_live(ctx, found)
        }
        _ => Ok(false),
    }
}

/// Ends a key that was found in public, or what a program may do by the token that was found.
pub fn report(ctx: &mut Ctx<'_, '_>, text: &str) -> Result<()> {
    match keys::find_all(text).into_iter().next() {
        Some(Found::ApiKey(key)) => match api_key::find(ctx, key)? {
            Some((account, key_id)) => {
                let why = SecurityAction::KeyReported;
                api_key::revoke(ctx, &account, &key_id, &why).map(drop)
            }
            None => Ok(()),
        },
        Some(Found::DeveloperKey(key)) => developer_app::report_key(ctx, key),
        Some(Found::OauthToken(token)) => oauth::token::report(ctx, token),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn suspects(text: &str) -> Vec<String> {
        let mut suspects = Suspects::default();
        suspects.look_into("content", text);
        suspects.0.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_key_is_found_in_json_within_json() {
        let key = keys::generate(keys::API_KEY).key;
        let escaped = key.chars().map(|c| format!("\\u{:04x}", u32::from(c)));
        let escaped = escaped.collect::<Vec<_>>().concat();
        let mut text = format!("{{\"a\":\"{escaped}\"}}");
        for _ in 0..3 {
            assert_eq!(suspects(&text), [key.as_str()], "{text}");
            text = json!({ "inner": text }).to_string();
        }
    }

    #[test]
    fn more_than_enough_is_remembered_as_too_much() {
        let many = vec![keys::identity_token; 200];
        let text: Vec<String> = many.into_iter().map(|make| make().0).collect();
        assert_eq!(suspects(&text.join(" ")).len(), SUSPECTS_MAX + 1);
    }

    proptest! {
        #[test]
        fn a_layer_of_json_is_unpacked_as_it_was_packed(text in "[a-z_\\\\\"/ü\u{1f980}]{0,40}") {
            let packed = Value::String(text.clone()).to_string();
            prop_assert_eq!(unescape(&packed[1..packed.len() - 1]), text);
        }

        #[test]
        fn any_text_is_unpacked(text in "(\\\\|u|[0-9a-f]|ü){0,40}") {
            suspects(&text);
        }
    }
}
