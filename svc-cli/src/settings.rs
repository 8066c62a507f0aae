//! Flags, environment and profile, put together: flag beats environment beats profile.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use svc_client::types::{ApiKey, DeveloperKey, Span};
use svc_client::{Client, Result as ClientResult};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input::Person;
use crate::output::Output;
use crate::store::{Credentials, Profile, Profiles, Store};

/// The server of `svc serve`, where a new profile goes when nothing else is said.
const URL_DEFAULT: &str = "http://127.0.0.1:8787/api";

/// Variables that tell that an agent is typing: then nothing is asked and nothing is coloured.
const AGENT_VARIABLES: &[&str] =
    &["AI_AGENT", "CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE"];

/// Flags of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Global {
    /// Print JSON: what the API answered, and errors as objects.
    #[arg(long, global = true)]
    json: bool,
    /// Act by this profile.
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
    /// Base URL of the API, which ends in /api.
    #[arg(long, global = true, value_name = "URL")]
    url: Option<String>,
    /// Print no notes.
    #[arg(long, global = true)]
    quiet: bool,
    /// How long a call may take, such as 30s.
    #[arg(long, global = true, value_name = "TIME")]
    timeout: Option<Span>,
    /// Answer yes to every question.
    #[arg(long, global = true)]
    yes: bool,
    /// Print the request that would be sent, and send nothing.
    #[arg(long, global = true)]
    dry_run: bool,
    /// Send a POST under this key: repeated with the same key it can't act twice.
    #[arg(long, global = true, value_name = "KEY")]
    idempotency_key: Option<String>,
}

/// Variables of the environment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    url: Option<String>,
    api_key: Option<ApiKey>,
    developer_key: Option<DeveloperKey>,
    profile: Option<String>,
    folder: PathBuf,
    json: bool,
    timeout: Option<String>,
    plain_http: bool,
    /// Whether an agent rather than a person is typing.
    pub(crate) agent: bool,
}

impl Environment {
    /// Reads the environment of the process.
    pub(crate) fn read() -> Self {
        let agent = match variable("SVC_AGENT").as_deref() {
            None => AGENT_VARIABLES.iter().any(|name| variable(name).is_some()),
            Some(word) => word != "0",
        };
        Self {
            url: variable("SVC_URL"),
            api_key: variable("SVC_API_KEY").map(ApiKey::from),
            developer_key: variable("SVC_DEVELOPER_KEY").map(DeveloperKey::from),
            profile: variable("SVC_PROFILE"),
            folder: folder(),
            json: variable("SVC_OUTPUT").as_deref() == Some("json"),
            timeout: variable("SVC_TIMEOUT"),
            plain_http: variable("SVC_ALLOW_PLAIN_HTTP").as_deref() == Some("1"),
            agent,
        }
    }

    /// How to print before the flags are understood, so that a wrong flag is told rightly too.
    pub(crate) fn output(&self) -> Output {
        let mut flags = std::env::args_os().take_while(|argument| argument != "--");
        let json = self.json || flags.any(|argument| argument == "--json");
        Output { json, quiet: false }
    }
}

/// A variable that is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Where profiles are kept.
fn folder() -> PathBuf {
    let below = |name: &str, rest: &str| variable(name).map(|base| PathBuf::from(base).join(rest));
    below("SVC_CONFIG_DIR", "")
        .or_else(|| below("XDG_CONFIG_HOME", "svc"))
        .or_else(|| below("HOME", ".config/svc"))
        .unwrap_or_else(|| PathBuf::from(".svc"))
}

/// Everything a command runs by.
pub(crate) struct Settings {
    global: Global,
    environment: Environment,
    /// How to print.
    pub(crate) out: Output,
    /// Whom to ask.
    pub(crate) person: Person,
    /// Where profiles are kept.
    pub(crate) store: Store,
}

/// Where to call, and as whom.
pub(crate) struct Target {
    /// Base URL of the API.
    pub(crate) url: String,
    /// The profile the keys are of, unless they are of the environment.
    pub(crate) profile: Option<String>,
    /// Keys that belong to this URL.
    pub(crate) credentials: Credentials,
}

impl Settings {
    pub(crate) fn new(global: Global, environment: Environment) -> Self {
        Self {
            out: Output { json: global.json || environment.json, quiet: global.quiet },
            person: Person::new(environment.agent, global.yes),
            store: Store::new(environment.folder.clone()),
            global,
            environment,
        }
    }

    /// The profile that `--profile` names.
    pub(crate) fn named_profile(&self) -> Option<&str> {
        self.global.profile.as_deref()
    }

    /// Whether nothing is to be sent or changed.
    pub(crate) fn is_dry_run(&self) -> bool {
        self.global.dry_run
    }

    /// Calls with the keys that are there.
    pub(crate) fn caller(&self) -> Result<Caller> {
        self.connect(self.target()?)
    }

    /// Calls without a key, for commands that make a profile.
    pub(crate) fn newcomer(&self) -> Result<Caller> {
        let profiles = self.store.read()?;
        let known = self.chosen_profile(&profiles);
        let url =
            self.url(known.map(|(_, profile)| profile)).unwrap_or_else(|| URL_DEFAULT.to_owned());
        self.connect(Target { url, profile: None, credentials: Credentials::default() })
    }

    /// Calls with the keys of a target.
    pub(crate) fn connect(&self, target: Target) -> Result<Caller> {
        let client = self.client(&target)?;
        Ok(Caller::new(client, target, self))
    }

    fn client(&self, target: &Target) -> Result<Client> {
        let mut builder =
            Client::builder(&target.url).allow_plain_http(self.environment.plain_http);
        if let Some(timeout) = self.timeout()? {
            builder = builder.timeout(timeout);
        }
        if let Some(key) = &target.credentials.api_key {
            builder = builder.api_key(key.clone());
        }
        if let Some(key) = &target.credentials.developer_key {
            builder = builder.developer_key(key.clone());
        }
        let built: ClientResult<Client> = builder.build();
        Ok(built?)
    }

    fn timeout(&self) -> Result<Option<Duration>> {
        let given = match (self.global.timeout, &self.environment.timeout) {
            (Some(timeout), _) => Some(timeout),
            (None, Some(text)) => {
                let wrong = |error| Error::usage(format!("SVC_TIMEOUT: {error}"));
                Some(text.parse().map_err(wrong)?)
            }
            (None, None) => None,
        };
        Ok(given.map(Span::duration))
    }

    /// Where to call, and with which of the keys: a key goes only to the URL it belongs to.
    pub(crate) fn target(&self) -> Result<Target> {
        let from_environment = match self.global.profile {
            None => self.environment_keys()?,
            Some(_) => None,
        };
        let profiles = self.store.read()?;
        let named = self.named_profile().or(self.environment.profile.as_deref());
        if let Some(name) = named {
            profiles.profile(name)?;
        }
        let chosen = self.chosen_profile(&profiles);
        let url = self.url(chosen.map(|(_, profile)| profile)).ok_or_else(no_server)?;
        let mut target = Target { profile: None, credentials: Credentials::default(), url };
        if let Some((name, profile)) = chosen
            && same_place(&profile.url, &target.url)
        {
            target.profile = Some(name.to_owned());
            target.credentials = profiles.credentials(name);
        }
        if let Some((owner, keys)) = from_environment
            && same_place(&owner, &target.url)
        {
            target.add(keys);
        }
        Ok(target)
    }

    /// The keys of the environment, and the URL they belong to.
    fn environment_keys(&self) -> Result<Option<(String, Credentials)>> {
        let keys = Credentials {
            api_key: self.environment.api_key.clone(),
            developer_key: self.environment.developer_key.clone(),
            cookie: None,
        };
        if keys.api_key.is_none() && keys.developer_key.is_none() {
            return Ok(None);
        }
        let owner = self.environment.url.as_ref().or(self.global.url.as_ref());
        let owner = owner.ok_or_else(|| {
            let message = "SVC_API_KEY and SVC_DEVELOPER_KEY need SVC_URL, since a key goes only \
                           to the server it belongs to";
            Error::usage(message).hint("set SVC_URL to the base URL of that server")
        })?;
        Ok(Some((owner.clone(), keys)))
    }

    /// The profile of the flag, else of the environment, else the current one, if it exists.
    fn chosen_profile<'a>(&'a self, profiles: &'a Profiles) -> Option<(&'a str, &'a Profile)> {
        let flag = self.global.profile.as_deref();
        let variable = self.environment.profile.as_deref();
        let name = flag.or(variable).or(profiles.config.current.as_deref())?;
        Some((name, profiles.config.profiles.get(name)?))
    }

    /// A profile named by a flag brings its own URL, which beats that of the environment.
    fn url(&self, profile: Option<&Profile>) -> Option<String> {
        let own = profile.map(|profile| &profile.url);
        let own_by_flag = own.filter(|_| self.global.profile.is_some());
        let variable = self.environment.url.as_ref();
        let url = self.global.url.as_ref().or(own_by_flag).or(variable).or(own);
        url.cloned()
    }

    /// What a POST is sent under.
    pub(crate) fn idempotency_key(&self) -> Option<String> {
        self.global.idempotency_key.clone()
    }
}

impl Target {
    /// Puts keys of the environment in place of those of the profile.
    fn add(&mut self, keys: Credentials) {
        if keys.api_key.is_some() {
            self.profile = None;
            self.credentials.cookie = None;
            self.credentials.api_key = keys.api_key;
        }
        if keys.developer_key.is_some() {
            self.credentials.developer_key = keys.developer_key;
        }
    }
}

/// Whether two base URLs are the same.
fn same_place(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

fn no_server() -> Box<Error> {
    let message = "no server is known: there is no profile, and SVC_URL is not set";
    Error::new(Exit::NotAllowed, "no_profile", message).hint("svc signup NAME --agent")
}
