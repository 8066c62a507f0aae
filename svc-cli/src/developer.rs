//! `svc developer`: apps that verify agents.

use clap::Subcommand;
use svc_client::base_url;
use svc_client::types::DeveloperKey;
use svc_client::types::api::developers::{
    DeleteDeveloper, Developer, DeveloperEnvelope, GetDeveloper, IdTokenAlg, ListApps,
    RegisterDeveloper, RotateAppKey, RotateDeveloperKey, UpdateDeveloper,
};

use crate::account::{save, show_saved, taken};
use crate::caller::Caller;
use crate::endpoint_command::{Commands, EndpointCommand, Given, Table, command, page};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::help;
use crate::list;
use crate::settings::Settings;
use crate::time;

/// `svc developer`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Register an app and store its key.
    Register {
        /// Name of the app.
        name: String,
        /// URL of the app's website.
        #[arg(long, value_name = "URL")]
        website: String,
        /// What the app does.
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
        /// Where people return from "Sign in with svc"; may be repeated.
        #[arg(long, value_name = "URL")]
        redirect_uri: Vec<String>,
        /// How ID tokens for the app are signed; ES256 when omitted.
        #[arg(long, value_name = "ALGORITHM", value_parser = ["ES256", "RS256"])]
        id_token_signed_response_alg: Option<String>,
    },
    #[command(flatten)]
    Endpoint(Commands<Apps>),
    /// Rotate the developer key; the old key ends at once, or after an overlap.
    #[command(after_help = help::ASKS)]
    RotateKey {
        /// Id of an app of your account, such as one whose key is lost; without, the app of the profile.
        app: Option<String>,
        /// Seconds until the old key ends, at most 604800; 0, which also ends earlier keys, when omitted.
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(..=604_800))]
        overlap: Option<u32>,
    },
    /// Delete the app; its key ends at once.
    #[command(after_help = help::ASKS)]
    Delete,
}

/// Commands of one request.
#[derive(Clone, Debug)]
pub(crate) struct Apps;

impl Table for Apps {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListApps>("svc developer list", |apps, _| {
                list::rows(apps.iter().map(app), "no apps")
            }),
            command::<GetDeveloper>("svc developer show", envelope),
            command::<UpdateDeveloper>("svc developer update", envelope)
                .flag("appName", "name")
                .flag("redirectUris", "redirect-uri"),
        ]
    }
}

/// Runs `svc developer`.
pub(crate) async fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::Register {
            name,
            website,
            description,
            redirect_uri,
            id_token_signed_response_alg: alg,
        } => {
            let uris = redirect_uri.iter().map(|uri| uri.as_str().into()).collect::<Vec<_>>();
            let request = RegisterDeveloper {
                app_name: name.as_str().into(),
                redirect_uris: Some(uris).filter(|uris| !uris.is_empty()),
                website: website.as_str().into(),
                description: description.as_deref().map(Into::into),
                id_token_signed_response_alg: alg.as_deref().map(IdTokenAlg::from),
            };
            register(request, settings).await
        }
        Command::Endpoint(command) => command.run(settings).await,
        Command::RotateKey { app, overlap } => rotate(app.as_deref(), *overlap, settings).await,
        Command::Delete => delete(settings).await,
    }
}

async fn register(request: RegisterDeveloper, settings: &Settings) -> Result<()> {
    let (caller, profile) = registrant(&request.app_name, settings).await?;
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    let key = &answer.value.value.developer_api_key;
    let saved = save_key(settings, &caller, &profile, key);
    show_saved(&caller, &answer.value, saved, key.expose(), |fresh| app(&fresh.developer))?;
    let next = format!("the key is saved in profile \"{profile}\"  next: svc identity verify -");
    caller.out.note(&next);
    if !caller.target.credentials.has_account() {
        caller.out.note("the app belongs to no account: only its key can manage it");
    }
    Ok(())
}

/// How to register one more app.
const ANOTHER: &str = "for another app of your account: svc call register-developer \
    --app-name NAME --website URL, which prints its key; with a new --profile, the app belongs to \
    no account";

/// The caller that registers, and the profile of the key: the current one, else a new one.
async fn registrant(app_name: &str, settings: &Settings) -> Result<(Caller, String)> {
    let profiles = settings.store.read()?;
    let named = settings.named_profile();
    let is_new = named.is_some_and(|name| profiles.profile(name).is_err());
    let caller = if is_new { settings.newcomer()? } else { settings.caller_anywhere()? };
    let new_name = || named.map_or_else(|| profile_name(app_name), str::to_owned);
    let profile = caller.target.profile.clone().unwrap_or_else(new_name);
    let is_taken = profiles.credentials(&profile).developer_key.is_some();
    let is_asked = caller.target.profile.is_some() && !settings.is_dry_run();
    if is_taken && !(is_asked && has_no_key(&caller).await) {
        let message = format!("profile \"{profile}\" holds the key of an app already");
        return Err(Error::new(Exit::Conflict, "profile_exists", message).hint(ANOTHER));
    }
    let known = profiles.config.profiles.get(&profile);
    if known.is_some_and(|known| base_url(&known.url) != caller.target.url) {
        return Err(taken(&profile));
    }
    Ok((caller, profile))
}

/// Whether a profile holds no key of an app, or one that has ended.
async fn has_no_key(caller: &Caller) -> bool {
    caller.send(GetDeveloper {}).await.is_err_and(|error| is_keyless(&error))
}

/// Whether an error says that there is no key of an app, or that it has ended.
fn is_keyless(error: &Error) -> bool {
    ["no_key", "invalid_developer_key"].contains(&error.code.as_str())
}

/// Whether a profile may hold the new key of an app: one that holds the key of another app goes on holding that. During
/// an overlap, the old key of the app still works.
async fn has_room_for(caller: &Caller, app: &str) -> bool {
    match caller.send(GetDeveloper {}).await {
        Ok(Some(answer)) => answer.value.value.developer.id.as_str() == app,
        Ok(None) => false,
        Err(error) => is_keyless(&error),
    }
}

/// The profile name for an app: `My Gate` becomes `my-gate`.
fn profile_name(app_name: &str) -> String {
    let words = app_name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join("-")
}

fn save_key(settings: &Settings, caller: &Caller, profile: &str, key: &DeveloperKey) -> Result<()> {
    save(settings, caller, profile, None, |keys| keys.developer_key = Some(key.clone()))
}

async fn rotate(app: Option<&str>, overlap: Option<u32>, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let overlap_seconds = overlap.map(Into::into);
    let sent = match app {
        Some(app) => caller.send(RotateAppKey { app_id: app.into(), overlap_seconds }).await?,
        None => caller.send(RotateDeveloperKey { overlap_seconds }).await?,
    };
    let Some(answer) = sent else { return Ok(()) };
    if let Some(end) = answer.value.value.previous_expires_at {
        caller.out.note(&format!("the old key ends at {}", time::minute(end)));
    }
    let key = &answer.value.value.developer_api_key;
    let has_room = match app {
        Some(app) => has_room_for(&caller, app).await,
        None => true,
    };
    let Some(profile) = caller.target.profile.as_ref().filter(|_| has_room) else {
        caller.out.note("copy the key: it is shown only once");
        return caller.out.answer(&answer.value, |_| key.expose().to_owned());
    };
    let saved = save_key(settings, &caller, profile, key);
    let message = format!("the new key is saved in profile \"{profile}\"");
    show_saved(&caller, &answer.value, saved, key.expose(), |_| message)
}

async fn delete(settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let Some(answer) = caller.send(DeleteDeveloper {}).await? else {
        return Ok(());
    };
    if let Some(profile) = &caller.target.profile {
        save(settings, &caller, profile, None, |keys| keys.developer_key = None)?;
    }
    caller.out.answer(&answer.value, |_| "deleted the app".to_owned())
}

fn envelope(answer: &DeveloperEnvelope, _: &Given<'_>) -> String {
    app(&answer.developer)
}

/// An app on one line.
fn app(developer: &Developer) -> String {
    format!("{}  {}  {}", developer.id, developer.app_name, developer.website)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_app_names_its_profile() {
        assert_eq!(profile_name("My  Gate!"), "my-gate");
    }
}
