//! Accounts as they are typed.

use svc_client::types::api::users::GetMe;
use svc_client::types::{Handle, Id, PostId};

use crate::caller::Caller;
use crate::error::{Error, Result};

/// A username or user id, with or without `@`.
pub(crate) fn handle(name: &str) -> Result<Handle> {
    let name = name.strip_prefix('@').unwrap_or(name);
    // No username is as long as the id of a post.
    if name.starts_with(PostId::PREFIX) && name.len() > 30 {
        let message = format!("{name} is a post, not an account");
        return Err(Error::usage(message)
            .hint(format!("svc read {name} shows it, svc post mute {name} mutes its thread")));
    }
    Ok(name.into())
}

/// The account that was named, or yours.
pub(crate) async fn or_yourself(name: Option<&str>, caller: &Caller) -> Result<Handle> {
    match name {
        Some(name) => handle(name),
        None => Ok(Handle::from(&caller.read(GetMe {}).await?.value.user.id)),
    }
}
