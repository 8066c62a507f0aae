//! `svc login` and `logout`.

use clap::Args;
use serde_json::json;
use svc_client::base_url;
use svc_client::http::HeaderMap;
use svc_client::http::header::SET_COOKIE;
use svc_client::types::ApiKey;
use svc_client::types::api::auth::{GetSession, Login, Logout};
use svc_client::types::api::users::User;

use crate::account::{account, acting_by, save, taken, unreached};
use crate::caller::Caller;
use crate::device;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input;
use crate::proof;
use crate::settings::{Settings, Target};
use crate::store::{Credentials, Profile};

/// Flags of `svc login`.
#[derive(Clone, Debug, Args)]
pub(crate) struct LoginFlags {
    /// Username or e-mail address, to sign in with a password; without, you sign in by a browser.
    #[arg(value_name = "NAME", conflicts_with = "with_key")]
    name: Option<String>,
    /// Sign in with an API key, read from stdin or asked for.
    #[arg(long, conflicts_with = "password_stdin")]
    with_key: bool,
    /// Read the password from stdin instead of asking for it.
    #[arg(long)]
    password_stdin: bool,
    /// Code of the authenticator app, or a recovery code, if the account has a second factor.
    #[arg(long, value_name = "CODE", conflicts_with = "with_key")]
    code: Option<String>,
}

/// Keeps the proof of an account that exists.
pub(crate) async fn login(flags: &LoginFlags, settings: &Settings) -> Result<()> {
    let caller = settings.newcomer()?;
    if flags.with_key {
        let key = secret(settings, true, "API key", "give the key to stdin")?;
        return login_with_key(key.into(), caller, settings).await;
    }
    let name = match &flags.name {
        Some(name) => name.clone(),
        None if flags.password_stdin || flags.code.is_some() => profile_username(settings)?,
        None => return device::login(settings).await,
    };
    let instead = "give the password to stdin with --password-stdin, or use --with-key";
    let password = secret(settings, flags.password_stdin, "password", instead)?;
    let is_email = name.contains('@');
    let request = Login {
        username: (!is_email).then(|| name.as_str().into()),
        email: is_email.then(|| name.as_str().into()),
        password: password.into(),
        code: flags.code.as_deref().map(Into::into),
        proof: None,
    };
    let add = |request: &mut Login, proof| request.proof = Some(proof);
    let Some(answer) = proof::send(&caller, request, add).await.map_err(unreached)? else {
        return Ok(());
    };
    let cookie = cookie(&answer.headers)?;
    let user = &answer.value.value.user;
    let add = |keys: &mut Credentials| {
        keys.cookie = Some(cookie.clone());
        keys.oauth = None;
    };
    if let Err(unsaved) = save_login(settings, &caller, user, add) {
        end(settings, &caller, cookie).await;
        return Err(unsaved);
    }
    caller.out.answer(&answer.value, |_| account(user))
}

/// Ends a sign-in that can't be saved, which must not stay valid.
async fn end(settings: &Settings, caller: &Caller, cookie: String) {
    let credentials = Credentials { cookie: Some(cookie), ..Credentials::default() };
    let target = Target { url: caller.target.url.clone(), profile: None, credentials };
    if let Ok(caller) = settings.connect(target) {
        let _ = caller.send(Logout {}).await;
    }
}

async fn login_with_key(key: ApiKey, caller: Caller, settings: &Settings) -> Result<()> {
    if key.expose().is_empty() {
        return Err(Error::usage("no key was given").hint("give the key to stdin"));
    }
    let caller = settings.connect(Target {
        url: caller.target.url,
        profile: None,
        credentials: Credentials { api_key: Some(key.clone()), ..Credentials::default() },
    })?;
    let Some(answer) = caller.send(GetSession {}).await.map_err(unreached)? else {
        return Ok(());
    };
    let user = &answer.value.value.user;
    save_login(settings, &caller, user, |keys| {
        keys.api_key = Some(key);
        keys.cookie = None;
        keys.oauth = None;
    })?;
    caller.out.answer(&answer.value, |_| account(user))
}

/// A secret of stdin where that is wanted or all there is, else asked for.
pub(crate) fn secret(
    settings: &Settings,
    stdin: bool,
    label: &str,
    instead: &str,
) -> Result<String> {
    if stdin && !settings.person.present {
        return input::stdin();
    }
    settings.person.secret(label, instead)
}

/// The account of the profile, for a sign-in that names none.
fn profile_username(settings: &Settings) -> Result<String> {
    let profiles = settings.store.read()?;
    let named = settings.wanted_profile().or(profiles.config.current.as_deref());
    let profile = named.map(|name| profiles.profile(name)).transpose()?;
    let username = profile.and_then(|profile| profile.username.clone());
    username.ok_or_else(|| Error::usage("whose account is it?").hint("svc login NAME"))
}

/// The cookie an answer sets, as it is sent back.
fn cookie(headers: &HeaderMap) -> Result<String> {
    let set = headers.get(SET_COOKIE).and_then(|value| value.to_str().ok());
    let pair = set.and_then(|text| text.split(';').next());
    pair.map(str::to_owned)
        .ok_or_else(|| Error::new(Exit::Other, "unexpected_answer", "the server set no cookie"))
}

/// Ends the sign-in and forgets the keys of the profile.
pub(crate) async fn logout(settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let Some(profile) = &caller.target.profile else {
        return Err(Error::usage("there is no profile to log out of").hint("svc profile list"));
    };
    let keys = &caller.target.credentials;
    if settings.is_shown(&format!("log out of profile \"{profile}\""))? {
        return Ok(());
    }
    if keys.api_key.is_some() || keys.developer_key.is_some() {
        caller.confirm(&format!("The keys of profile \"{profile}\" are forgotten for good."))?;
    }
    if let Some(tokens) = &keys.oauth {
        device::end(&caller.target.url, tokens).await?;
    }
    if keys.cookie.is_some() {
        match caller.send(Logout {}).await {
            // The session has ended before.
            Err(error) if error.exit == Exit::NotAllowed => {}
            ended => drop(ended?),
        }
    }
    settings.store.update(|profiles| {
        profiles.credentials.remove(profile);
        Ok(())
    })?;
    let value = json!({ "loggedOut": true, "profile": profile });
    settings.out.local(&value, &format!("logged out of profile \"{profile}\""))
}

pub(crate) fn save_login(
    settings: &Settings,
    caller: &Caller,
    user: &User,
    add: impl FnOnce(&mut Credentials),
) -> Result<()> {
    let profiles = settings.store.read()?;
    let is_of = |known: &Profile| known.username.as_ref() == Some(&user.username);
    let is_here = |known: &Profile| base_url(&known.url) == caller.target.url;
    // Who signs in again renews the profile in use, whatever it is called.
    let in_use = settings.chosen_profile(&profiles);
    let in_use = in_use.filter(|(_, known)| is_of(known) && is_here(known));
    let profile = settings.named_profile().or(in_use.map(|(name, _)| name));
    let profile = profile.unwrap_or(&user.username);
    if let Some(known) = profiles.config.profiles.get(profile)
        && !(is_here(known) && (known.username.is_none() || is_of(known)))
    {
        return Err(taken(profile));
    }
    save(settings, caller, profile, Some(&user.username), add)?;
    let svc = acting_by(profile, settings)?;
    settings.out.note(&format!("saved in profile \"{profile}\"  next: {svc} whoami"));
    Ok(())
}
