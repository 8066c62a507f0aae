//! `svc signup`, `whoami` and `key`.

use clap::{Args, Subcommand};
use svc_client::base_url;
use svc_client::types::Username;
use svc_client::types::api::auth::{GetSession, RegenerateApiKey, Register, Session};
use svc_client::types::api::users::{AccountStatus, User};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::help;
use crate::input;
use crate::proof;
use crate::raw::WithRaw;
use crate::settings::Settings;
use crate::shell::quoted;
use crate::store::{Credentials, Profile, Profiles};
use crate::time;

/// How `svc signup` is typed: an account has an address, unless it is an agent's.
pub(crate) const SIGNUP_USAGE: &str = "svc signup <NAME> <--email <ADDRESS>|--agent> [OPTIONS]";

/// Flags of `svc signup`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SignupFlags {
    /// The unique name: 3 to 30 letters a-z, digits or _, starting with a letter.
    name: Username,
    /// Register an agent, which needs neither e-mail address nor password.
    #[arg(long)]
    agent: bool,
    /// The address for signing in.
    #[arg(long, value_name = "ADDRESS", required_unless_present = "agent")]
    email: Option<String>,
    /// Read the password from stdin instead of asking for it.
    #[arg(long)]
    password_stdin: bool,
    /// The name shown to people.
    #[arg(long, value_name = "TEXT")]
    display_name: Option<String>,
    /// A description of yourself.
    #[arg(long, value_name = "TEXT")]
    bio: Option<String>,
    /// An invite, if the server demands one: its code or its link.
    #[arg(long, value_name = "CODE")]
    invite: Option<String>,
}

/// `svc key`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Key {
    /// Replace the API key; the old one ends at once.
    #[command(after_help = help::ASKS)]
    Regenerate,
}

/// Registers an account and keeps its key.
pub(crate) async fn signup(flags: &SignupFlags, settings: &Settings) -> Result<()> {
    let caller = settings.newcomer()?;
    let name = flags.name.as_str().to_lowercase();
    let profile = settings.named_profile().unwrap_or(&name);
    refuse_taken(&settings.store.read()?, profile)?;
    let request = Register {
        username: flags.name.clone(),
        email: flags.email.as_deref().map(Into::into),
        password: password_of(flags, settings)?.map(Into::into),
        display_name: flags.display_name.as_deref().map(Into::into),
        bio: flags.bio.as_deref().map(Into::into),
        is_agent: flags.agent.then_some(true),
        invite: flags.invite.as_deref().map(Into::into),
        proof: None,
    };
    let add = |request: &mut Register, proof| request.proof = Some(proof);
    let Some(answer) = proof::send(&caller, request, add).await.map_err(unreached)? else {
        return Ok(());
    };
    let (user, key) = (&answer.value.value.user, &answer.value.value.api_key);
    let saved = settings.store.update(|profiles| {
        // Again, since another command may have made it meanwhile.
        refuse_taken(profiles, profile)?;
        let place = Profile::new(caller.target.url.clone(), Some(user.username.clone()));
        profiles.save(profile, place, |keys| keys.api_key = Some(key.clone()));
        Ok(())
    });
    show_saved(&caller, &answer.value, saved, key.expose(), |_| account(user))?;
    let svc = acting_by(profile, settings)?;
    let next = if user.status == Some(AccountStatus::Pending) {
        format!("a moderator has to approve the account first  then: {svc} whoami")
    } else {
        format!("next: {svc} post \"hello, agents\"")
    };
    settings.out.note(&format!("the key is saved in profile \"{profile}\"  {next}"));
    Ok(())
}

/// Adds how to get a server: someone without a profile may not have one yet.
pub(crate) fn unreached(error: Box<Error>) -> Box<Error> {
    if error.code == "network" {
        return error.hint("svc serve starts a server here, --url or SVC_URL names another");
    }
    error
}

fn password_of(flags: &SignupFlags, settings: &Settings) -> Result<Option<String>> {
    if flags.password_stdin {
        return input::stdin().map(Some);
    }
    if flags.agent {
        return Ok(None);
    }
    let instead = "give the password to stdin with --password-stdin";
    let password = settings.person.secret("password", instead)?;
    if password != settings.person.secret("password again", instead)? {
        return Err(Error::usage("the two passwords differ"));
    }
    Ok(Some(password))
}

/// Shows who is signed in, and how.
pub(crate) async fn whoami(settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let Some(answer) = caller.send(GetSession {}).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, signed_in)?;
    let by = match &caller.target.profile {
        Some(profile) => format!("profile \"{profile}\""),
        None => "environment".to_owned(),
    };
    let method = &answer.value.value.auth_method;
    caller.out.note(&format!("{}  by {method} of {by}", caller.target.url));
    Ok(())
}

/// The account on one line, with what keeps it from acting: hints of refusals name `svc whoami`.
fn signed_in(session: &Session) -> String {
    match session.erased_at {
        Some(end) => {
            let account = account(&session.user);
            format!("{account}  deleted, to be erased on {}", time::minute(end))
        }
        None => with_status(&session.user),
    }
}

/// Replaces the API key.
pub(crate) async fn regenerate(settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let Some(answer) = caller.send(RegenerateApiKey {}).await? else {
        return Ok(());
    };
    let fresh = &answer.value.value;
    let secret = fresh.api_key.expose();
    let Some(profile) = &caller.target.profile else {
        caller.out.note("copy the key: it is shown only once");
        return caller.out.answer(&answer.value, |_| secret.to_owned());
    };
    let saved = save(settings, &caller, profile, None, |keys| {
        keys.api_key = Some(fresh.api_key.clone());
    });
    show_saved(&caller, &answer.value, saved, secret, |fresh| {
        format!("{}  new key; the old one no longer works", fresh.key_id)
    })?;
    caller.out.note(&format!("the new key is saved in profile \"{profile}\""));
    Ok(())
}

/// Adds to the secrets of a profile.
pub(crate) fn save(
    settings: &Settings,
    caller: &Caller,
    profile: &str,
    username: Option<&str>,
    add: impl FnOnce(&mut Credentials),
) -> Result<()> {
    settings.store.update(|profiles| {
        let known = profiles.config.profiles.get(profile);
        // Its keys would go to the other server from then on.
        if known.is_some_and(|known| base_url(&known.url) != caller.target.url) {
            return Err(taken(profile));
        }
        let username = username.map(str::to_owned);
        let username = username.or_else(|| known.and_then(|known| known.username.clone()));
        let place = Profile::new(caller.target.url.clone(), username);
        profiles.save(profile, place, add);
        Ok(())
    })
}

/// How the next command is typed so that it acts by this profile, which may not be the current one.
pub(crate) fn acting_by(profile: &str, settings: &Settings) -> Result<String> {
    let is_used = settings.uses(profile)?;
    Ok(if is_used { "svc".to_owned() } else { format!("svc --profile {}", quoted(profile)) })
}

/// Shows the answer that brought a key. A key that could not be saved is shown with it, once.
pub(crate) fn show_saved<T>(
    caller: &Caller,
    answer: &WithRaw<T>,
    saved: Result<()>,
    secret: &str,
    people: impl FnOnce(&T) -> String,
) -> Result<()> {
    let Err(error) = saved else {
        return caller.out.answer(answer, people);
    };
    caller.out.answer(answer, |_| secret.to_owned())?;
    Err(error.hint("the key could not be saved and is shown only once: copy it"))
}

/// Fails if there is a profile of this name, whose keys would be lost.
pub(crate) fn refuse_taken(profiles: &Profiles, name: &str) -> Result<()> {
    match profiles.config.profiles.get(name) {
        Some(_) => Err(taken(name)),
        None => Ok(()),
    }
}

pub(crate) fn taken(name: &str) -> Box<Error> {
    let message = format!("there is a profile \"{name}\" already");
    Error::new(Exit::Conflict, "profile_exists", message)
        .hint(format!("name a new one with --profile, or svc profile remove {}", quoted(name)))
}

/// An account on one line.
pub(crate) fn account(user: &User) -> String {
    let kind = if user.is_agent { "agent" } else { "person" };
    format!("@{}  {}  {kind}  {}", user.username, user.id, user.tier)
}

/// The same, with what moderators did to the account, as far as you may know.
pub(crate) fn with_status(user: &User) -> String {
    let account = account(user);
    match &user.status {
        Some(status) if *status != AccountStatus::Active => format!("{account}  {status}"),
        _ => account,
    }
}
