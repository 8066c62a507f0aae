//! `svc profile`: the accounts this machine can act as.

use clap::Subcommand;
use serde_json::json;
use svc_client::base_url;

use crate::error::Result;
use crate::help;
use crate::settings::{Settings, Target};
use crate::spend;
use crate::store::Credentials;

/// `svc profile`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// List the profiles; the current one has a star.
    List,
    /// Use a profile for the next commands.
    Use {
        /// Name of the profile.
        name: String,
    },
    /// Show or set what the orders of a profile may cost.
    ///
    /// `svc mcp` spends only within such limits.
    Limit(spend::LimitFlags),
    /// Call the server of a profile at another address.
    ///
    /// The keys of the profile are sent there from then on, so it must be the same server.
    #[command(after_help = help::ASKS)]
    Move {
        /// Name of the profile.
        name: String,
        /// The new base URL.
        #[arg(value_name = "URL")]
        address: String,
    },
    /// Remove a profile and forget its keys.
    #[command(after_help = help::ASKS)]
    Remove {
        /// Name of the profile.
        name: String,
    },
}

/// Runs `svc profile`.
pub(crate) fn run(command: &Command, settings: &Settings) -> Result<()> {
    match command {
        Command::List => list(settings),
        Command::Use { name } => {
            settings.store.read()?.profile(name)?;
            if settings.is_shown(&format!("use profile \"{name}\""))? {
                return Ok(());
            }
            settings.store.update(|profiles| {
                profiles.profile(name)?;
                profiles.config.current = Some(name.clone());
                Ok(())
            })?;
            let value = json!({ "current": name });
            settings.out.local(&value, &format!("profile \"{name}\" is the current one"))
        }
        Command::Limit(flags) => spend::limit(flags, settings),
        Command::Move { name, address } => move_to(name, base_url(address), settings),
        Command::Remove { name } => remove(name, settings),
    }
}

fn list(settings: &Settings) -> Result<()> {
    let profiles = settings.store.read()?;
    let current = profiles.config.current.as_deref();
    let (mut values, mut lines) = (Vec::new(), Vec::new());
    for (name, profile) in &profiles.config.profiles {
        let keys = profiles.credentials(name);
        let kinds = [
            (keys.api_key.is_some(), "key"),
            (keys.cookie.is_some() || keys.oauth.is_some(), "sign-in"),
            (keys.developer_key.is_some(), "developer key"),
        ];
        let kinds: Vec<&str> =
            kinds.iter().filter_map(|(there, kind)| there.then_some(*kind)).collect();
        let is_current = current == Some(name.as_str());
        let username = profile.username.as_deref();
        let star = if is_current { '*' } else { ' ' };
        let account = username.map_or_else(|| "-".to_owned(), |username| format!("@{username}"));
        lines.push(format!("{star} {name}  {account}  {}  {}", profile.url, kinds.join(", ")));
        let mut value = json!({
            "name": name, "url": profile.url, "current": is_current, "credentials": kinds,
        });
        if let Some(username) = username {
            value["username"] = username.into();
        }
        values.push(value);
    }
    if lines.is_empty() {
        settings.out.note("no profiles yet  next: svc signup NAME --agent");
        if !settings.out.json {
            return Ok(());
        }
    }
    settings.out.local(&values, &lines.join("\n"))
}

fn move_to(name: &str, url: String, settings: &Settings) -> Result<()> {
    settings.store.read()?.profile(name)?;
    let credentials = Credentials::default();
    let target = Target { url, profile: None, credentials };
    // This refuses an address to which no key may be sent.
    let url = settings.connect(target)?.target.url;
    if settings.is_shown(&format!("move profile \"{name}\" to {url}"))? {
        return Ok(());
    }
    let what = format!("The keys of profile \"{name}\" are sent to {url} from now on.");
    settings.person.confirm(&what)?;
    settings.store.update(|profiles| {
        profiles.profile(name)?;
        let profile = profiles.config.profiles.get_mut(name);
        profile.expect("it was just looked up").url.clone_from(&url);
        Ok(())
    })?;
    let value = json!({ "name": name, "url": url });
    settings.out.local(&value, &format!("profile \"{name}\" calls {url}"))
}

fn remove(name: &str, settings: &Settings) -> Result<()> {
    settings.store.read()?.profile(name)?;
    if settings.is_shown(&format!("remove profile \"{name}\""))? {
        return Ok(());
    }
    let what = format!("The keys of profile \"{name}\" are forgotten for good.");
    settings.person.confirm(&what)?;
    settings.store.update(|profiles| {
        profiles.remove(name);
        Ok(())
    })?;
    let value = json!({ "removed": name });
    settings.out.local(&value, &format!("removed profile \"{name}\""))
}
