//! Sign-up.

use std::sync::Arc;

use svc_types::api::auth::{Register, Registered};
use svc_types::{Code, UserId};

use crate::acts::session::{self, Counter};
use crate::acts::{account, ledger, search, secrets};
use crate::app::{App, Cx};
use crate::error::{Error, Refusal, Result};
use crate::http::Answer;
use crate::http::caller::Anybody;
use crate::http::serve::Ask;
use crate::keys::{self, API_KEY};
use crate::{sql, values};

/// What `register` needs beside the request.
pub(super) struct NewAccount {
    password_hash: Option<String>,
    counter: Option<Counter>,
}

pub(super) async fn prepare(app: Arc<App>, ask: Arc<Ask<Register>>) -> Result<NewAccount> {
    let address = ask.address;
    let counter = app
        .read(move |cx| {
            let counter = Counter::sign_up(cx, address);
            if let Some(counter) = &counter {
                counter.check(cx)?;
            }
            Ok(counter)
        })
        .await?;
    let person = ask.request.is_agent != Some(true);
    if person && ask.request.email.is_none() {
        return Err(Error::invalid(
            "email",
            "email is required for people; agents send isAgent: true",
        ));
    }
    let password_hash = match &ask.request.password {
        Some(password) => Some(app.passwords.hash(password.expose().to_owned()).await?),
        None if person => {
            return Err(Error::invalid(
                "password",
                "password is required for people and must be 8 to 128 characters",
            ));
        }
        None => None,
    };
    refuse_harvest(&app, &ask.request, counter.clone()).await?;
    Ok(NewAccount { password_hash, counter })
}

/// A sign-up with a taken address counts, or the 409 could be asked for address after address.
async fn refuse_harvest(
    app: &Arc<App>,
    request: &Register,
    counter: Option<Counter>,
) -> Result<()> {
    let (Some(counter), Some(email)) = (counter, &request.email) else {
        return Ok(());
    };
    let email = email.as_str().to_lowercase();
    let refused = app.write(move |cx| match refuse_taken_email(cx, Some(&email), None) {
        Err(Error::Refused(refusal)) => counter.count(cx).map(|_| Some(refusal)),
        looked => looked.map(|()| None),
    });
    match refused.await? {
        Some(refusal) => Err(Error::Refused(refusal)),
        None => Ok(()),
    }
}

pub(super) fn register(
    cx: &mut Cx<'_, '_>,
    _: &Anybody,
    request: &Register,
    new: &NewAccount,
) -> Result<Answer<Registered>> {
    if let Some(counter) = &new.counter {
        // Again inside the transaction, so that requests at once do not pass together.
        counter.check(cx)?;
        counter.count(cx)?;
    }
    let bio = request.bio.as_deref().unwrap_or("");
    let display_name = request.display_name.as_deref().unwrap_or(request.username.as_str());
    secrets::refuse_in(cx, "bio", bio)?;
    secrets::refuse_in(cx, "displayName", display_name)?;
    let email = request.email.as_ref().map(|email| email.as_str().to_lowercase());
    refuse_taken(cx, request.username.as_str(), email.as_deref())?;
    let key = keys::generate(API_KEY);
    let (id, now): (UserId, _) = (cx.id(), cx.now());
    let is_agent = request.is_agent == Some(true);
    let rows = cx.tx.execute(
        sql!(
            "insert into account (id, username, display_name, bio, email, password_hash, is_agent,
                tier, role, status, x_verified, google_verified, dm_policy, allow_service_requests,
                followers_count, following_count, posts_count, key_id, key_hash, key_created_at,
                created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, 'free', 'user', 'active', false, false, 'all', true,
                0, 0, 0, $8, $9, $10, $10, $10)
             on conflict do nothing"
        ),
        values![
            id, request.username, display_name, bio, email, new.password_hash, is_agent, key.key_id,
            key.hash, now
        ],
    )?;
    if rows == 0 {
        // Lost a race since the look above; by now the winner is to be seen.
        refuse_taken(cx, request.username.as_str(), email.as_deref())?;
        return Err(Error::refused(Code::UsernameTaken, "the username is taken"));
    }
    ledger::grant_at_sign_up(cx, &id)?;
    search::note(cx, id.as_str())?;
    let user = account::own(cx, &id)?;
    let answer = Answer::from(Registered { user, api_key: key.key.into() });
    if new.password_hash.is_none() {
        return Ok(answer);
    }
    Ok(answer.cookie(session::start(cx, &id)?))
}

/// 409 when the name or the address belongs to somebody; names of deleted accounts stay taken.
fn refuse_taken(cx: &mut Cx<'_, '_>, username: &str, email: Option<&str>) -> Result<()> {
    let sql = sql!("select 1 from account where username = $1");
    if cx.tx.optional::<i64>(sql, values![username])?.is_some() {
        let refusal = Refusal::new(Code::UsernameTaken, "the username is taken");
        return Err(refusal.field("username").hint("choose another name").into());
    }
    refuse_taken_email(cx, email, None)
}

/// 409 when the address belongs to another account.
fn refuse_taken_email(
    cx: &mut Cx<'_, '_>,
    email: Option<&str>,
    own: Option<&UserId>,
) -> Result<()> {
    let Some(email) = email else { return Ok(()) };
    let sql = sql!("select id from account where email = $1");
    match cx.tx.optional::<UserId>(sql, values![email])? {
        Some(id) if Some(&id) != own => {
            let refusal = Refusal::new(Code::EmailTaken, "the e-mail address is taken");
            Err(refusal.field("email").into())
        }
        _ => Ok(()),
    }
}
