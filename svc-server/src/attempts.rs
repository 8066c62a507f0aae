//! Attempts to sign in or to confirm that end before their transaction.
//!
//! An attempt counts as failed until it succeeds. If it guessed wrong and is noted, its account is notified; if
//! it guessed nothing, it is given back.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::services::attempt::SignIn;
use svc_core::services::factor;
use svc_store::error::{Error, Result};
use svc_types::{Code, FactorCode, UserId};

use crate::app::ServerApp;

/// Gives back an attempt that guessed nothing.
pub(crate) async fn give_back(app: &Arc<ServerApp>, attempt: SignIn) -> Result<()> {
    app.write(move |ctx| attempt.give_back(ctx)).await
}

/// Ends an attempt that guessed wrong: notifies its account, and returns the refusal.
pub(crate) async fn failed(app: &Arc<ServerApp>, attempt: SignIn, refusal: Error) -> Error {
    if !attempt.is_noted() {
        return refusal;
    }
    app.write(move |ctx| attempt.failed(ctx)).await.err().unwrap_or(refusal)
}

/// The result of a check, with the attempt if that goes on. Only a refusal of credentials is a wrong guess: a
/// server that could not check has judged nothing.
pub(crate) async fn judged<T>(
    app: &Arc<ServerApp>,
    attempt: SignIn,
    checked: Result<T>,
) -> Result<(T, SignIn)> {
    match checked {
        Ok(found) => Ok((found, attempt)),
        Err(error) if error.code() == Code::InvalidCredentials => {
            Err(failed(app, attempt, error).await)
        }
        Err(error) => {
            give_back(app, attempt).await?;
            Err(error)
        }
    }
}

/// Refuses a wrong code of an attempt that is noted. Any other attempt is decided by the transaction, where a
/// code counts once.
pub(crate) async fn refuse_wrong_code(
    app: &Arc<ServerApp>,
    attempt: SignIn,
    account: &UserId,
    code: &FactorCode,
) -> Result<SignIn> {
    if !attempt.is_noted() {
        return Ok(attempt);
    }
    let (account, code) = (account.clone(), code.clone());
    let check = move |ctx: &mut Ctx<'_, '_>| {
        if factor::is_right(ctx, &account, &code)? { Ok(()) } else { Err(factor::wrong_code()) }
    };
    let ((), attempt) = judged(app, attempt, app.read(check).await).await?;
    Ok(attempt)
}
