//! Clients: the programs that ask accounts for grants.

mod metadata;

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{Id, Timestamp};
use url::Url;

pub use self::metadata::{Described, GRANT_TYPES, Metadata, redirects};

use super::redirect::Redirect;
use super::signing::Alg;
use super::{Denied, Outcome};
use crate::app::Ctx;
use crate::identity::credentials;
use crate::ids;
use crate::services::audit::{self, By, On};
use crate::services::developer_app::OWNER_STANDS;

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
    alg: Option<String>,
}
row!(AppRow {
    id: "id",
    name: "app_name",
    website: "website",
    redirect_uris: "redirect_uris",
    alg: "id_token_alg",
});

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
    /// Whether it is `svc`, which signs in only by device codes.
    pub const fn is_built_in(&self) -> bool {
        matches!(self.kind, Kind::BuiltIn)
    }

    /// Whether it has a secret.
    pub const fn is_confidential(&self) -> bool {
        matches!(self.kind, Kind::App { .. })
    }

    /// Whether its document has to be fetched again. One that seems to be fresh for longer than any was fetched by a
    /// clock that was far ahead.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        let longest = now.plus(FRESH_MAX);
        let Kind::Document { fresh_until } = self.kind else { return false };
        fresh_until <= now || fresh_until > longest
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
        " from developer_app d where id = $1 and deleted_at is null and ",
        OWNER_STANDS
    );
    let found: Option<AppRow> = ctx.tx.optional(sql, values![id])?;
    Ok(found.map(|row| Client {
        id: row.id,
        name: row.name,
        redirect_uris: row.redirect_uris.as_deref().map(lines).unwrap_or_default(),
        alg: row.alg.as_deref().map_or(Alg::Es256, Alg::stored),
        kind: Kind::App { website: row.website },
    }))
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The client that proves who it is: by the developer key of an app, otherwise only by its id.
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
    // Like `forget_expired!`, it keeps what is renewed meanwhile.
    ctx.tx.execute(
        sql!(
            "delete from oauth_client where +used_at <= $1 and id in
             (select id from oauth_client where used_at <= $1 order by used_at limit $2)"
        ),
        values![before, most],
    )
}

/// Deletes a client that registered itself, or what is known of one with a document, which may come back.
/// [`end_some_of`](super::deleted_app::end_some_of) ends its grants. `why` is for the audit log. False if there is
/// no such client, or no longer.
pub fn end(ctx: &mut Ctx<'_, '_>, id: &str, by: By<'_>, why: &str) -> Result<bool> {
    if id == SVC {
        return Ok(false);
    }
    let known = ctx.tx.execute(sql!("delete from oauth_client where id = $1"), values![id])?;
    // A client that nobody used for long is forgotten before its grants end.
    let allowed = sql!("select 1 from oauth_grant where client_id = $1 limit 1");
    if known == 0 && ctx.tx.optional::<i64>(allowed, values![id])?.is_none() {
        return Ok(false);
    }
    audit::write(ctx, by, "client_deleted", On(id), Some(why))?;
    Ok(true)
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
