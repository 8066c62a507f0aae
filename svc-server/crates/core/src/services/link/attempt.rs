//! Links on their way: begun here, proved elsewhere, confirmed where the browser is another one.
//!
//! An account has one of each provider. Its row is found by the hash of the state that the browser
//! carries to the provider and back, later by that of the token that asks to confirm. Either works
//! once.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::links::LinkProvider;
use svc_types::{Code, LinkUrl, UserId};
use url::Url;

use crate::app::{App, Ctx};
use crate::identity::{Account, SignedBy};
use crate::keys::{self, Hash};

/// Time from the beginning to the end.
const LIFE: Duration = Duration::from_mins(10);

/// What Google is asked for: the id, and whether the e-mail address is verified.
const GOOGLE_SCOPE: &str = "openid email";

/// What X demands for reading who the account is.
const X_SCOPE: &str = "users.read tweet.read";

/// A link that was begun, as its answer returns.
#[derive(Clone)]
pub struct Begun {
    /// Whose it is.
    pub account: UserId,
    /// Whether a session began it, whose browser has to finish it.
    pub by_session: bool,
    /// Hash of the nonce that an ID token has to repeat.
    pub nonce_hash: Hash,
    /// What the challenge was made of (RFC 7636).
    pub verifier: String,
}

/// An answer of a provider, as the browser brings it.
#[derive(Clone)]
pub struct Returned {
    /// Who answers.
    pub provider: LinkProvider,
    /// What the browser carried there.
    pub state: String,
}

struct Record {
    account: UserId,
    by_session: bool,
    nonce_hash: Vec<u8>,
    sealed: Vec<u8>,
}
row!(Record {
    account: "account",
    by_session: "by_session",
    nonce_hash: "nonce_hash",
    sealed: "sealed",
});

/// What a ciphertext belongs to.
fn place(account: &UserId, provider: &LinkProvider) -> String {
    format!("link {account} {provider}")
}

/// 400 for a state or token that is unknown, used or expired.
pub fn expired() -> Error {
    let message = "this attempt to link an account has ended, or belongs to another browser";
    let hint = "begin again under Settings, Security, or with `svc links add`";
    Refusal::new(Code::ValidationFailed, message).field("state").hint(hint).into()
}

/// Begins a link, instead of one that was begun before. The answer is where to sign in, below the
/// provider's endpoint.
pub fn begin(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    provider: &LinkProvider,
    endpoint: &Url,
) -> Result<LinkUrl> {
    let (state, state_hash) = keys::session_token();
    let (nonce, nonce_hash) = keys::session_token();
    let (verifier, _) = keys::session_token();
    let by_session = matches!(caller.method, SignedBy::Session { .. });
    let sealed = ctx.app.encrypt.encrypt(&place(&caller.id, provider), &verifier)?;
    let until = ctx.now().plus(LIFE);
    ctx.tx.execute(
        sql!(
            "insert into link_attempt
                (account, provider, token_hash, by_session, nonce_hash, sealed, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (account, provider) do update
             set token_hash = excluded.token_hash, by_session = excluded.by_session,
                nonce_hash = excluded.nonce_hash, sealed = excluded.sealed, subject_hash = null,
                expires_at = excluded.expires_at"
        ),
        values![caller.id, provider, state_hash, by_session, nonce_hash, sealed, until],
    )?;
    let carried = Carried { state: &state, nonce: &nonce, verifier: &verifier };
    Ok(LinkUrl::from(url(ctx.app, provider, endpoint, &carried)?))
}

/// What the browser carries to the provider.
struct Carried<'a> {
    state: &'a str,
    nonce: &'a str,
    verifier: &'a str,
}

fn url(
    app: &App,
    provider: &LinkProvider,
    endpoint: &Url,
    carried: &Carried<'_>,
) -> Result<String> {
    let (client_id, _) =
        app.config.links.client(provider).ok_or_else(|| Error::not_found("provider"))?;
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(carried.verifier.as_bytes()));
    let mut url = endpoint.clone();
    let mut query = url.query_pairs_mut();
    query
        .append_pair("response_type", "code")
        .append_pair("client_id", client_id)
        .append_pair("redirect_uri", &redirect_uri(app, provider))
        .append_pair("state", carried.state)
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256");
    match provider {
        LinkProvider::Google => {
            query.append_pair("scope", GOOGLE_SCOPE).append_pair("nonce", carried.nonce)
        }
        _ => query.append_pair("scope", X_SCOPE),
    };
    drop(query);
    Ok(url.into())
}

/// Where the provider sends the browser back to.
pub fn redirect_uri(app: &App, provider: &LinkProvider) -> String {
    format!("{}/auth/callback/{provider}", app.public_url)
}

/// Whether an answer belongs to a link that was begun. It spares made-up answers a transaction.
pub fn is_begun(ctx: &mut Ctx<'_, '_>, returned: &Returned) -> Result<bool> {
    let (hash, now) = (keys::hash(&returned.state), ctx.now());
    let sql = sql!(
        "select 1 from link_attempt
         where token_hash = $1 and provider = $2 and subject_hash is null and expires_at > $3"
    );
    Ok(ctx.tx.optional::<i64>(sql, values![hash, returned.provider, now])?.is_some())
}

/// Takes the link that an answer belongs to, once. What a session began ends in a browser that is
/// signed in to the same account, so that nobody finishes it in the browser of somebody else.
pub fn take(ctx: &mut Ctx<'_, '_>, returned: &Returned, visitor: Option<&UserId>) -> Result<Begun> {
    let (hash, now) = (keys::hash(&returned.state), ctx.now());
    let taken: Option<Record> = ctx.tx.optional(
        sql!(
            "delete from link_attempt
             where token_hash = $1 and provider = $2 and subject_hash is null and expires_at > $3
             returning ",
            Record::COLUMNS
        ),
        values![hash, returned.provider, now],
    )?;
    let Some(Record { account, by_session, nonce_hash, sealed }) = taken else {
        return Err(expired());
    };
    if by_session && visitor != Some(&account) {
        return Err(expired());
    }
    // A key that was taken away ends what it sealed.
    let verifier = ctx.app.encrypt.decrypt(&place(&account, &returned.provider), &sealed);
    let verifier = verifier.map_err(|_| expired())?;
    let nonce_hash = nonce_hash.try_into().map_err(|_| Error::internal("a nonce has a hash"))?;
    Ok(Begun { account, by_session, nonce_hash, verifier })
}

/// What a browser that is not signed in to the account is asked to confirm.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The account here.
    pub account: UserId,
    /// Its username.
    pub username: String,
    /// Where the other account is.
    pub provider: LinkProvider,
    /// The name of the other account.
    pub foreign: String,
}

/// Stores what was proved until it is confirmed; the answer is the token of the page that asks.
pub fn offer(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    provider: &LinkProvider,
    subject: &Hash,
    foreign: &str,
) -> Result<String> {
    let (token, token_hash) = keys::session_token();
    let sealed = ctx.app.encrypt.encrypt(&place(account, provider), foreign)?;
    let until = ctx.now().plus(LIFE);
    ctx.tx.execute(
        sql!(
            "insert into link_attempt
                (account, provider, token_hash, by_session, nonce_hash, sealed, subject_hash,
                 expires_at)
             values ($1, $2, $3, false, $3, $4, $5, $6)
             on conflict (account, provider) do update
             set token_hash = excluded.token_hash, by_session = excluded.by_session,
                nonce_hash = excluded.nonce_hash, sealed = excluded.sealed,
                subject_hash = excluded.subject_hash, expires_at = excluded.expires_at"
        ),
        values![account, provider, token_hash, sealed, subject, until],
    )?;
    Ok(token)
}

struct OfferRecord {
    account: UserId,
    username: String,
    provider: LinkProvider,
    sealed: Vec<u8>,
}
row!(OfferRecord {
    account: "l.account",
    username: "a.username",
    provider: "l.provider",
    sealed: "l.sealed",
});

/// What the page of a token asks; 400 for a token that is unknown, used or expired.
pub fn find_offer(ctx: &mut Ctx<'_, '_>, token: &str) -> Result<Offer> {
    let (hash, now) = (keys::hash(token), ctx.now());
    let found: Option<OfferRecord> = ctx.tx.optional(
        sql!(
            "select ",
            OfferRecord::COLUMNS,
            " from link_attempt l join account a on a.id = l.account
             where l.token_hash = $1 and l.subject_hash is not null and l.expires_at > $2"
        ),
        values![hash, now],
    )?;
    let OfferRecord { account, username, provider, sealed } = found.ok_or_else(expired)?;
    let foreign = ctx.app.encrypt.decrypt(&place(&account, &provider), &sealed);
    let foreign = foreign.map_err(|_| expired())?;
    Ok(Offer { account, username, provider, foreign })
}

/// Links what was proved and is now confirmed.
pub fn confirm(ctx: &mut Ctx<'_, '_>, token: &str) -> Result<LinkProvider> {
    let (hash, now) = (keys::hash(token), ctx.now());
    let offered: Option<(UserId, LinkProvider, Vec<u8>)> = ctx.tx.optional(
        sql!(
            "delete from link_attempt
             where token_hash = $1 and subject_hash is not null and expires_at > $2
             returning account, provider, subject_hash"
        ),
        values![hash, now],
    )?;
    let (account, provider, subject) = offered.ok_or_else(expired)?;
    let subject = subject.try_into().map_err(|_| Error::internal("a subject has a hash"))?;
    super::add(ctx, &account, &provider, &subject)?;
    Ok(provider)
}

/// Ends what an account has begun.
pub fn forget_of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("delete from link_attempt where account = $1");
    ctx.tx.execute(sql, values![account]).map(drop)
}

forget_expired! {
    /// Deletes what has expired.
    pub fn forget_expired: "link_attempt" by "token_hash"
}
