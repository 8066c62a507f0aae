//! `svc exec`: a program with the keys of a profile in its environment.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process;

use clap::Args;
use svc_client::types::{ApiKey, DeveloperKey};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::settings::Settings;

/// Flags of `svc exec`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExecFlags {
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Replaces this process by the program, with `SVC_URL`, `SVC_API_KEY` and `SVC_DEVELOPER_KEY` of
/// the profile, and its limits. The URL always ends in `/api`, with or without `/api` in the setting.
pub(crate) fn run(flags: &ExecFlags, settings: &Settings) -> Result<()> {
    let target = settings.target()?;
    let keys = &target.credentials;
    if keys.api_key.is_none() && keys.developer_key.is_none() {
        let message = format!("there is no key for {}", target.url);
        return Err(Error::new(Exit::NotAllowed, "no_key", message).hint("svc login --with-key"));
    }
    let (program, arguments) = flags.command.split_first().expect("clap requires one");
    let what = format!("run {} with the keys for {}", program.to_string_lossy(), target.url);
    if settings.is_shown(&what)? {
        return Ok(());
    }
    let limits = settings.limits(&target)?;
    let mut command = process::Command::new(program);
    command.args(arguments).env("SVC_URL", &target.url);
    // Without its profile, a key would spend without the limits of the profile.
    command.envs(limits.variables());
    // A key of another server in the environment must not travel on beside this URL.
    let api_key = keys.api_key.as_ref().map(ApiKey::expose);
    let developer_key = keys.developer_key.as_ref().map(DeveloperKey::expose);
    for (name, key) in [("SVC_API_KEY", api_key), ("SVC_DEVELOPER_KEY", developer_key)] {
        match key {
            Some(key) => command.env(name, key),
            None => command.env_remove(name),
        };
    }
    let error = command.exec();
    let message = format!("can't run {}: {error}", program.to_string_lossy());
    Err(Error::new(Exit::Other, "exec", message))
}
