//! Flags, environment and profile, put together: flag beats environment beats profile.

use std::time::Duration;

use clap::{Args, Command};
use serde_json::json;
use svc_client::types::Span;
use svc_client::{Client, ClientBuilder, base_url};

use crate::caller::Caller;
use crate::environment::Environment;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input::Person;
use crate::limits::Limits;
use crate::output::Output;
use crate::store::{Config, Credentials, Profile, Profiles, Store};

/// The server of `svc serve`, where a new profile goes when nothing else is said.
const URL_DEFAULT: &str = "http://127.0.0.1:8787/api";

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
    /// Where the server is: its address with or without /api.
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

impl Global {
    /// Whether every command has a flag of this name.
    pub(crate) fn has(long: &str) -> bool {
        let globals = Self::augment_args(Command::new("svc"));
        globals.get_arguments().any(|flag| flag.get_long() == Some(long))
    }
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
    /// Base URL of the API, without a slash at its end.
    pub(crate) url: String,
    /// The profile the keys are of, unless they are of the environment.
    pub(crate) profile: Option<String>,
    /// Keys that belong to this URL.
    pub(crate) credentials: Credentials,
}

impl Settings {
    pub(crate) fn new(global: Global, environment: Environment) -> Self {
        Self {
            out: Output { quiet: global.quiet, ..environment.output() },
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

    /// The profile that `--profile` names, else that of the environment.
    pub(crate) fn wanted_profile(&self) -> Option<&str> {
        self.named_profile().or(self.environment.profile.as_deref())
    }

    /// Whether the next command acts by this profile. What it prints adds a profile that was named by a flag.
    pub(crate) fn uses(&self, profile: &str) -> Result<bool> {
        let profiles = self.store.read()?;
        Ok(self.chosen_profile(&profiles).is_some_and(|(name, _)| name == profile))
    }

    /// Whether progress is shown: not to agents, and not with `--json` or `--quiet`.
    pub(crate) fn is_animated(&self) -> bool {
        !self.environment.agent && !self.out.json && !self.out.quiet
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
        let url = self.newcomer_url()?;
        self.connect(Target { url, profile: None, credentials: Credentials::default() })
    }

    /// Where commands that make a profile call.
    pub(crate) fn newcomer_url(&self) -> Result<String> {
        let profiles = self.store.read()?;
        let Config { current, profiles: known } = &profiles.config;
        let chosen = self.chosen_profile(&profiles).map(|(_, profile)| profile);
        let current = current.as_ref().and_then(|name| known.get(name));
        // A new profile has no server of its own yet: that of the current one is the last that is meant, after the
        // variable, even if a flag names the new profile.
        let url = self.url(chosen).or_else(|| current.map(|current| base_url(&current.url)));
        Ok(url.unwrap_or_else(|| URL_DEFAULT.to_owned()))
    }

    /// Calls with the keys of a target.
    pub(crate) fn connect(&self, target: Target) -> Result<Caller> {
        let client = self.client(&target)?;
        Ok(Caller::new(client, target, self))
    }

    fn client(&self, target: &Target) -> Result<Client> {
        Ok(self.builder(target)?.build()?)
    }

    /// A client that signs all by itself, for the kit. The cookie of a sign-in goes with each call of
    /// the account.
    pub(crate) fn signing_client(&self, caller: &Caller) -> Result<Client> {
        Ok(self.builder(&caller.target)?.account_headers(caller.session()?).build()?)
    }

    fn builder(&self, target: &Target) -> Result<ClientBuilder> {
        let mut builder =
            Client::builder(&target.url).allow_plain_http(self.environment.plain_http);
        if let Some(timeout) = self.timeout()? {
            builder = builder.timeout(timeout);
        }
        // The latest sign-in counts: a key kept before it may have ended.
        if let Some(key) = target.credentials.bearer() {
            builder = builder.api_key(key.clone());
        }
        if let Some(key) = &target.credentials.developer_key {
            builder = builder.developer_key(key.clone());
        }
        Ok(builder)
    }

    /// What the account's orders may cost: the environment beats the profile.
    pub(crate) fn limits(&self, target: &Target) -> Result<Limits> {
        let kept = match &target.profile {
            Some(name) => self.store.read()?.config.profiles.get(name).map(|profile| profile.spend),
            None => None,
        };
        kept.unwrap_or_default().or_environment(&self.environment)
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

    /// Says under `--dry-run` what would be done here, where no request is sent.
    pub(crate) fn is_shown(&self, what: &str) -> Result<bool> {
        if self.global.dry_run {
            self.out.local(&json!({ "would": what }), &format!("would {what}"))?;
        }
        Ok(self.global.dry_run)
    }

    /// Calls with the keys that are there, on the server of this machine if no other is known.
    pub(crate) fn caller_anywhere(&self) -> Result<Caller> {
        self.connect(self.find(Some(URL_DEFAULT))?)
    }

    /// Where to call, and with which of the keys.
    pub(crate) fn target(&self) -> Result<Target> {
        self.find(None)
    }

    /// Where to call, and with which of the keys: a key goes only to the URL it belongs to.
    fn find(&self, otherwise: Option<&str>) -> Result<Target> {
        let from_environment = match self.global.profile {
            None => self.environment_keys()?,
            Some(_) => None,
        };
        let wanted = self.wanted_profile();
        let profiles = match self.store.read() {
            // Keys of the environment need no profile: a service may have a home that it can't read.
            Err(_) if from_environment.is_some() && wanted.is_none() => Profiles::default(),
            read => read?,
        };
        if let Some(name) = wanted {
            profiles.profile(name)?;
        }
        let chosen = self.chosen_profile(&profiles);
        let url = self.url(chosen.map(|(_, profile)| profile));
        let url = url.or(otherwise.map(str::to_owned)).ok_or_else(|| no_server(&profiles))?;
        let mut target = Target { profile: None, credentials: Credentials::default(), url };
        if let Some((name, profile)) = chosen
            && base_url(&profile.url) == target.url
        {
            target.profile = Some(name.to_owned());
            target.credentials = profiles.credentials(name);
        }
        if let Some((owner, keys)) = from_environment
            && base_url(&owner) == target.url
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
            oauth: None,
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
    pub(crate) fn chosen_profile<'a>(
        &'a self,
        profiles: &'a Profiles,
    ) -> Option<(&'a str, &'a Profile)> {
        let name = self.wanted_profile().or(profiles.config.current.as_deref())?;
        Some((name, profiles.config.profiles.get(name)?))
    }

    /// A profile named by a flag brings its own URL, which beats that of the environment.
    fn url(&self, profile: Option<&Profile>) -> Option<String> {
        let own = profile.map(|profile| &profile.url);
        let own_by_flag = own.filter(|_| self.global.profile.is_some());
        let variable = self.environment.url.as_ref();
        let url = self.global.url.as_ref().or(own_by_flag).or(variable).or(own)?;
        Some(base_url(url))
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
            self.credentials.oauth = None;
            self.credentials.api_key = keys.api_key;
        }
        if keys.developer_key.is_some() {
            self.credentials.developer_key = keys.developer_key;
        }
    }
}

fn no_server(profiles: &Profiles) -> Box<Error> {
    let (message, hint) = if profiles.config.profiles.is_empty() {
        let message = "no server is known: there is no profile, and SVC_URL is not set";
        (message, "svc signup NAME --agent")
    } else {
        let message = "no server is known: no profile is the current one, and SVC_URL is not set";
        (message, "svc profile use NAME; svc profile list shows the names")
    };
    Error::new(Exit::NotAllowed, "no_profile", message).hint(hint)
}
