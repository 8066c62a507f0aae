//! Clients: the programs that ask accounts for grants.

use std::time::Duration;

use serde::Deserialize;
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::developers::REDIRECT_URIS_MAX;
use svc_types::{Id, Timestamp};
use url::Url;

use super::redirect::Redirect;
use super::signing::Alg;
use super::{Denied, OauthError, Outcome};
use crate::app::Ctx;
use crate::identity::credentials;
use crate::ids;
use crate::services::post::text::is_blank;

/// The built-in client: the command line.
pub const SVC: &str = "svc";

/// Most bytes of a document or registration.
pub const BYTES_MAX: usize = 5 * 1024;

/// How long a document is used before it is fetched again, at most.
pub const FRESH_MAX: Duration = Duration::from_hours(24);

/// How long a client is kept that nobody uses.
const UNUSED_LIFE: Duration = Duration::from_hours(30 * 24);

/// Time between two marks of use.
const MARK_EVERY: Duration = Duration::from_hours(24);

/// Most characters of a name.
const NAME_MAX: usize = 100;

/// A program.
#[derive(Clone, Debug)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// The name it gives itself.
    pub name: String,
    /// Where people may return to.
    pub redirect_uris: Vec<String>,
    /// How its ID tokens are signed.
    pub alg: Alg,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// `svc` itself.
    BuiltIn,
    /// A developer app with this website.
    App { website: String },
    /// Registered by itself.
    Registered,
    /// Described by the document at its id.
    Document { fresh_until: Timestamp },
}

/// Who a client says it is.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Its id.
    pub id: Option<String>,
    /// Its secret.
    pub secret: Option<String>,
}

struct AppRow {
    id: String,
    name: String,
    website: String,
    redirect_uris: Option<String>,
}
row!(AppRow { id: "id", name: "app_name", website: "website", redirect_uris: "redirect_uris" });

struct Row {
    id: String,
    name: String,
    redirect_uris: String,
    alg: String,
    fresh_until: Option<Timestamp>,
}
row!(Row {
    id: "id",
    name: "name",
    redirect_uris: "redirect_uris",
    alg: "id_token_alg",
    fresh_until: "fresh_until",
});

impl Client {
    /// Whether it is `svc`, which signs in by device codes alone.
    pub const fn is_built_in(&self) -> bool {
        matches!(self.kind, Kind::BuiltIn)
    }

    /// Whether it has a secret.
    pub const fn is_confidential(&self) -> bool {
        matches!(self.kind, Kind::App { .. })
    }

    /// Whether its document has to be fetched again.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        matches!(self.kind, Kind::Document { fresh_until } if fresh_until <= now)
    }

    /// The host that people see: its website, or where they return to.
    pub fn host(&self, redirect: Option<&Redirect>) -> String {
        let host_of = |text: &str| Url::parse(text).ok()?.host_str().map(str::to_owned);
        match &self.kind {
            Kind::BuiltIn => None,
            Kind::App { website } => host_of(website),
            Kind::Document { .. } => host_of(&self.id),
            Kind::Registered => redirect.map(Redirect::host),
        }
        .unwrap_or_else(|| self.name.clone())
    }

    /// The redirect URI of a request: one that is registered, or the only one.
    pub fn redirect(&self, asked: Option<&str>) -> Result<Redirect, &'static str> {
        let Some(asked) = asked else {
            return match self.redirect_uris.as_slice() {
                [only] => Redirect::parse(only),
                _ => Err("redirect_uri is missing"),
            };
        };
        let redirect = Redirect::parse(asked)?;
        if self.redirect_uris.iter().any(|registered| redirect.is_allowed_by(registered)) {
            return Ok(redirect);
        }
        Err("redirect_uri is not one that the program registered")
    }
}

/// The client with this id. A document is returned as it was fetched last.
pub fn find(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Client>> {
    if id == SVC {
        return Ok(Some(built_in()));
    }
    if !ids::can_exist(id) {
        return Ok(None);
    }
    if id.starts_with("app_") {
        return app(ctx, id);
    }
    let sql = sql!("select ", Row::COLUMNS, " from oauth_client where id = $1");
    let found: Option<Row> = ctx.tx.optional(sql, values![id])?;
    Ok(found.map(|row| Client {
        kind: row
            .fresh_until
            .map_or(Kind::Registered, |fresh_until| Kind::Document { fresh_until }),
        redirect_uris: lines(&row.redirect_uris),
        alg: Alg::stored(&row.alg),
        id: row.id,
        name: row.name,
    }))
}

fn built_in() -> Client {
    Client {
        id: SVC.to_owned(),
        name: "svc, the command line".to_owned(),
        redirect_uris: Vec::new(),
        alg: Alg::Es256,
        kind: Kind::BuiltIn,
    }
}

fn app(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Client>> {
    let sql = sql!(
        "select ",
        AppRow::COLUMNS,
        " from developer_app where id = $1 and deleted_at is null"
    );
    let found: Option<AppRow> = ctx.tx.optional(sql, values![id])?;
    Ok(found.map(|row| Client {
        id: row.id,
        name: row.name,
        redirect_uris: row.redirect_uris.as_deref().map(lines).unwrap_or_default(),
        alg: Alg::Es256,
        kind: Kind::App { website: row.website },
    }))
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The client that proves who it is: by the developer key of an app, by its id alone otherwise.
pub fn authenticate(ctx: &mut Ctx<'_, '_>, proof: &Proof) -> Outcome<Client> {
    let Some(id) = &proof.id else { return Ok(Err(Denied::client())) };
    let Some(client) = find(ctx, id)? else { return Ok(Err(Denied::client())) };
    let is_right = match (&proof.secret, client.is_confidential()) {
        (Some(secret), true) => match credentials::developer(ctx, secret)? {
            Some(app) if app.id.as_str() == client.id => {
                ctx.app.app_uses.note(&app.id, ctx.now());
                true
            }
            _ => false,
        },
        (None, false) => true,
        (Some(_), false) | (None, true) => false,
    };
    Ok(if is_right { Ok(client) } else { Err(Denied::client()) })
}

/// What a document or registration says of a client (RFC 7591, 2); other members are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Metadata {
    client_id: Option<String>,
    client_name: Option<String>,
    #[serde(default)]
    redirect_uris: Vec<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
    id_token_signed_response_alg: Option<String>,
    client_secret: Option<String>,
}

/// A client that is described as it may be.
#[derive(Clone, Debug)]
pub struct Described {
    /// The name it gives itself.
    pub name: String,
    /// Where people may return to.
    pub redirect_uris: Vec<String>,
    /// What it may exchange for tokens.
    pub grant_types: Vec<String>,
    /// How its ID tokens are signed.
    pub alg: Alg,
}

/// The grant types that a client may register.
pub const GRANT_TYPES: [&str; 3] =
    ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"];

impl Metadata {
    /// Reads a registration.
    pub fn registration(bytes: &[u8]) -> Result<Described, Denied> {
        let metadata: Self = serde_json::from_slice(bytes)
            .map_err(|_| metadata("the body must be a JSON object as in RFC 7591"))?;
        metadata.check()
    }

    /// Reads the document at this URL, which must name it as the client's id.
    pub fn document(url: &str, bytes: &[u8]) -> Result<Described, Denied> {
        let found: Self = serde_json::from_slice(bytes)
            .map_err(|_| metadata("the client's document must be a JSON object"))?;
        if found.client_id.as_deref() != Some(url) {
            return Err(metadata("the client_id in the client's document must be its URL"));
        }
        if found.client_secret.is_some() {
            return Err(metadata("the client's document must have no client_secret"));
        }
        found.check()
    }

    fn check(self) -> Result<Described, Denied> {
        let grant_types = self.grant_types.unwrap_or_else(|| vec![GRANT_TYPES[0].to_owned()]);
        if grant_types.iter().any(|own| !GRANT_TYPES.contains(&own.as_str())) {
            let message = format!("grant_types must name some of: {}", GRANT_TYPES.join(" "));
            return Err(Denied::new(OauthError::InvalidClientMetadata, message));
        }
        if self.response_types.is_some_and(|types| types.iter().any(|own| own != "code")) {
            return Err(metadata("response_types must name code alone"));
        }
        let needs_redirect = grant_types.iter().any(|own| own == GRANT_TYPES[0]);
        let redirect_uris = redirects(&self.redirect_uris)
            .map_err(|message| Denied::new(OauthError::InvalidRedirectUri, message))?;
        if needs_redirect && redirect_uris.is_empty() {
            let message = "redirect_uris must name at least one URI";
            return Err(Denied::new(OauthError::InvalidRedirectUri, message));
        }
        let name = self.client_name.filter(|name| !is_blank(name));
        let name = name.or_else(|| Some(Redirect::parse(redirect_uris.first()?).ok()?.host()));
        let name = name.unwrap_or_else(|| "a program without a name".to_owned());
        if name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
            return Err(metadata("client_name must have at most 100 characters, on one line"));
        }
        let alg = match self.id_token_signed_response_alg.as_deref() {
            None | Some("ES256") => Alg::Es256,
            Some("RS256") => Alg::Rs256,
            Some(_) => {
                return Err(metadata("id_token_signed_response_alg must be ES256 or RS256"));
            }
        };
        Ok(Described { name, redirect_uris, grant_types, alg })
    }
}

fn metadata(message: &'static str) -> Denied {
    Denied::new(OauthError::InvalidClientMetadata, message)
}

/// Checks redirect URIs, of which there may be a few.
pub fn redirects(uris: &[impl AsRef<str>]) -> Result<Vec<String>, &'static str> {
    if uris.len() > REDIRECT_URIS_MAX {
        return Err("at most 10 redirect URIs are allowed");
    }
    uris.iter().map(|uri| Ok(Redirect::parse(uri.as_ref())?.as_str().to_owned())).collect()
}

/// Stores a client that registered itself; the answer is its id.
pub fn register(ctx: &mut Ctx<'_, '_>, client: &Described) -> Result<String> {
    let id: ClientId = ctx.id();
    store(ctx, &id.0, client, None)?;
    Ok(id.0)
}

/// Stores what the document of a client says.
pub fn remember(
    ctx: &mut Ctx<'_, '_>,
    url: &str,
    client: &Described,
    life: Duration,
) -> Result<()> {
    let fresh_until = ctx.now().plus(life.min(FRESH_MAX));
    store(ctx, url, client, Some(fresh_until))
}

fn store(
    ctx: &mut Ctx<'_, '_>,
    id: &str,
    client: &Described,
    fresh_until: Option<Timestamp>,
) -> Result<()> {
    let now = ctx.now();
    let uris = client.redirect_uris.join("\n");
    ctx.tx.execute(
        sql!(
            "insert into oauth_client
                (id, name, redirect_uris, id_token_alg, fresh_until, created_at, used_at)
             values ($1, $2, $3, $4, $5, $6, $6)
             on conflict (id) do update set name = excluded.name,
                redirect_uris = excluded.redirect_uris, id_token_alg = excluded.id_token_alg,
                fresh_until = excluded.fresh_until"
        ),
        values![id, client.name, uris, client.alg.as_str(), fresh_until, now],
    )?;
    Ok(())
}

/// Marks a client as used, about once a day.
pub fn mark_used(ctx: &mut Ctx<'_, '_>, client: &str) -> Result<()> {
    let now = ctx.now();
    let sql = sql!("update oauth_client set used_at = $1 where id = $2 and used_at <= $3");
    ctx.tx.execute(sql, values![now, client, now.minus(MARK_EVERY)]).map(drop)
}

/// Deletes clients that nobody uses. The last use may be later than its mark, and its refresh token lives as
/// long as the client.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(UNUSED_LIFE).minus(MARK_EVERY);
    ctx.tx.execute(
        sql!(
            "delete from oauth_client where id in
             (select id from oauth_client where used_at <= $1 order by used_at limit $2)"
        ),
        values![before, most],
    )
}

/// The id of a client that registered itself.
struct ClientId(String);

impl From<String> for ClientId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for ClientId {
    const PREFIX: &'static str = "cli_";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registration(text: &str) -> Result<Described, OauthError> {
        Metadata::registration(text.as_bytes()).map_err(|denied| denied.error)
    }

    #[test]
    fn a_registration_is_checked_member_by_member() {
        let good = registration(r#"{"redirect_uris":["https://a.example/done"],"logo_uri":"x"}"#);
        assert_eq!(good.unwrap().name, "a.example");
        for (text, error) in [
            ("[]", OauthError::InvalidClientMetadata),
            ("{}", OauthError::InvalidRedirectUri),
            (r#"{"redirect_uris":["http://a.example/"]}"#, OauthError::InvalidRedirectUri),
            (
                r#"{"redirect_uris":["https://a.example/"],"grant_types":["password"]}"#,
                OauthError::InvalidClientMetadata,
            ),
            (
                r#"{"redirect_uris":["https://a.example/"],"response_types":["token"]}"#,
                OauthError::InvalidClientMetadata,
            ),
            (
                r#"{"redirect_uris":["https://a.example/"],"id_token_signed_response_alg":"none"}"#,
                OauthError::InvalidClientMetadata,
            ),
        ] {
            assert_eq!(registration(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn a_document_names_its_own_url_and_no_secret() {
        let url = "https://a.example/client.json";
        let read = |text: &str| Metadata::document(url, text.as_bytes());
        let good = format!(r#"{{"client_id":"{url}","redirect_uris":["https://a.example/done"]}}"#);
        assert!(read(&good).is_ok());
        assert!(read(&good.replace("client.json", "other.json")).is_err());
        assert!(read(&good.replace('}', r#","client_secret":"x"}"#)).is_err());
    }
}
