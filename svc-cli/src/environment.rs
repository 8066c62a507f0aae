//! Variables of the environment, read in one place.

use std::ffi::OsString;
use std::path::PathBuf;

use svc_client::types::{ApiKey, DeveloperKey};

use crate::output::Output;

/// Variables of the environment; a flag beats its variable, a variable beats the profile.
pub(crate) const VARIABLES: &[(&str, &str)] = &[
    ("SVC_URL", "where the server is, with or without /api"),
    ("SVC_API_KEY", "key of the account; needs SVC_URL"),
    ("SVC_DEVELOPER_KEY", "key of the developer's app; needs SVC_URL"),
    ("SVC_PROFILE", "the profile to act by"),
    ("SVC_CONFIG_DIR", "where profiles are saved instead of ~/.config/svc"),
    ("SVC_OUTPUT", "json has the effect of --json"),
    ("SVC_MAX_CREDITS_PER_DAY", "most that orders of 24 hours may cost together"),
    ("SVC_MAX_CREDITS_PER_ORDER", "most that one order may cost"),
    ("SVC_TIMEOUT", "how long a call may take, such as 30s"),
    ("SVC_AGENT", "1: an agent types, so nothing is asked or coloured; 0: a person does"),
    ("SVC_ALLOW_PLAIN_HTTP", "1 allows http beyond this machine"),
    ("NO_COLOR", "turns colours off"),
];

/// Variables set by agents: then nothing is asked and nothing is coloured.
const AGENT_VARIABLES: &[&str] =
    &["AI_AGENT", "CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE"];

/// The values of [`VARIABLES`].
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    pub(crate) url: Option<String>,
    pub(crate) api_key: Option<ApiKey>,
    pub(crate) developer_key: Option<DeveloperKey>,
    pub(crate) profile: Option<String>,
    /// The directory of the profiles.
    pub(crate) folder: PathBuf,
    /// Whether to print JSON.
    pub(crate) json: bool,
    pub(crate) timeout: Option<String>,
    /// Most that orders of 24 hours may cost together.
    pub(crate) per_day: Option<String>,
    /// Most that one order may cost.
    pub(crate) per_order: Option<String>,
    /// Whether http is allowed beyond this machine.
    pub(crate) plain_http: bool,
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
            per_day: variable("SVC_MAX_CREDITS_PER_DAY"),
            per_order: variable("SVC_MAX_CREDITS_PER_ORDER"),
            plain_http: variable("SVC_ALLOW_PLAIN_HTTP").as_deref() == Some("1"),
            agent,
        }
    }

    /// How to print before the flags are understood, so that an invalid flag is reported in the
    /// right format.
    pub(crate) fn output(&self) -> Output {
        let flags = || std::env::args_os().take_while(|argument| argument != "--");
        let json = self.json || flags().any(|argument| argument == "--json");
        let [profile, url] = ["--profile", "--url"].map(|flag| value_of(flag, flags()));
        Output { json, quiet: false, profile, url }
    }
}

/// The value of a flag, which lives as long as the process.
fn value_of(name: &str, flags: impl Iterator<Item = OsString>) -> Option<&'static str> {
    let mut flags = flags.filter_map(|flag| flag.into_string().ok());
    let value = loop {
        let flag = flags.next()?;
        if flag == name {
            break flags.next()?;
        }
        let attached = flag.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
        if let Some(value) = attached {
            break value.to_owned();
        }
    };
    Some(Box::leak(value.into_boxed_str()))
}

/// A variable that is set and not empty, without white space around it: a file of variables may end its lines with
/// CR LF. What is no UTF-8 stays, so that it is refused where it is used; without it, another account would act.
fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.to_string_lossy().trim().to_owned();
    Some(value).filter(|value| !value.is_empty())
}

/// A path that is set and not empty, in any encoding.
fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The directory of the profiles.
fn folder() -> PathBuf {
    // XDG ignores paths that are not absolute: the profiles would depend on the working directory.
    let settings = path("XDG_CONFIG_HOME").filter(|base| base.is_absolute());
    path("SVC_CONFIG_DIR")
        .or_else(|| settings.map(|base| base.join("svc")))
        .or_else(|| home().map(|home| home.join(".config/svc")))
        .unwrap_or_else(|| PathBuf::from(".svc"))
}

/// The home of the user; where `HOME` is not set, as for services, that of the system's list of users.
fn home() -> Option<PathBuf> {
    path("HOME").or_else(std::env::home_dir).filter(|home| !home.as_os_str().is_empty())
}
