//! The server as it is reached: its address, its version, its time, and the keys.

use std::time::Duration;

use svc_client::Answer;
use svc_client::http::header::DATE;
use svc_client::types::Timestamp;
use svc_client::types::api::auth::GetSession;
use svc_client::types::api::developers::GetDeveloper;
use svc_client::types::api::health::{GetHealth, Health};

use super::check::Check;
use super::{broker, local, webhooks};
use crate::caller::Caller;
use crate::raw::WithRaw;
use crate::settings::Settings;
use crate::shell::quoted;
use crate::time;

/// How far the two clocks may be apart before tokens and signatures suffer.
const SKEW_MAX: Duration = Duration::from_secs(30);

/// Checks the server, and what depends on it.
pub(super) async fn check_all(caller: &Caller, settings: &Settings, checks: &mut Vec<Check>) {
    checks.push(transport(&caller.target.url));
    let url = &caller.target.url;
    match caller.send(GetHealth {}).await {
        Ok(Some(answer)) => {
            let Health { status, version, .. } = &answer.value.value;
            checks.push(Check::good("server", format!("{url} is {status}, version {version}")));
            checks.push(versions(env!("CARGO_PKG_VERSION"), version));
            checks.push(clock(&answer));
        }
        Ok(None) => return,
        Err(error) => {
            let fix = format!("start it with svc serve, or set SVC_URL to another than {url}");
            checks.push(Check::bad("server", error.message, fix));
            return;
        }
    }
    account(caller, settings, checks).await;
    if caller.target.credentials.developer_key.is_some() {
        checks.push(developer(caller).await);
    }
}

/// The account's key, and what only the account can see.
async fn account(caller: &Caller, settings: &Settings, checks: &mut Vec<Check>) {
    let keys = &caller.target.credentials;
    if !keys.has_account() {
        return;
    }
    let user = match caller.send(GetSession {}).await {
        Ok(Some(answer)) => answer.value.value.user,
        Ok(None) => return,
        Err(error) => {
            checks.push(Check::bad("key", error.message, "svc login --with-key"));
            return;
        }
    };
    checks.push(Check::good("key", format!("acts as @{}", user.username)));
    match settings.store.spend_path(user.id.as_str()) {
        Ok(path) => checks.push(local::journal(&path).await),
        Err(error) => checks.push(Check::failed("journal", *error, "svc profile list")),
    }
    if let Some(key) = &keys.api_key {
        checks.push(broker::check(caller, key).await);
    }
    webhooks::check_all(caller, checks).await;
}

async fn developer(caller: &Caller) -> Check {
    match caller.send(GetDeveloper {}).await {
        Ok(answer) => {
            let app = answer.map(|answer| answer.value.value.developer.id.to_string());
            Check::good("developer key", format!("of {}", app.unwrap_or_default()))
        }
        Err(error) => {
            let fix = "svc developer list, then svc developer rotate-key APP; or svc developer \
                       register NAME --website URL";
            Check::bad("developer key", error.message, fix)
        }
    }
}

/// Whether keys travel where others could read them.
fn transport(url: &str) -> Check {
    let name = "transport";
    let Some(rest) = url.strip_prefix("http://") else {
        return Check::good(name, "https");
    };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    if is_here(host) {
        return Check::good(name, "http, which does not leave this machine");
    }
    let detail = format!("keys go to {host} in the clear");
    Check::bad(name, detail, format!("set the URL to https://{rest}"))
}

/// Whether a host, with or without a port, is this machine.
pub(crate) fn is_here(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = |address: std::net::IpAddr| address.is_loopback();
    name.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(is_loopback)
}

/// Whether both are of the same release: below 1.0 the minor number counts (VERSIONING.md).
fn versions(own: &str, server: &str) -> Check {
    let name = "version";
    let release = |version: &str| {
        let mut parts = version.split('.').map(str::parse::<u64>);
        match (parts.next(), parts.next()) {
            (Some(Ok(0)), Some(Ok(minor))) => Some((0, minor)),
            (Some(Ok(major)), Some(Ok(_))) => Some((major, 0)),
            _ => None,
        }
    };
    let detail = format!("svc {own}, server {server}");
    match (release(own), release(server)) {
        (Some(ours), Some(theirs)) if ours != theirs => {
            // The server chose this text, and the fix is typed into a shell.
            Check::bad(name, detail, format!("cargo install svc-cli --version {}", quoted(server)))
        }
        _ => Check::good(name, detail),
    }
}

/// Compares the clocks by the Date of an answer, which has whole seconds.
fn clock(answer: &Answer<WithRaw<Health>>) -> Check {
    let name = "clock";
    let date = answer.headers.get(DATE).and_then(|date| date.to_str().ok());
    let theirs = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
    let Some(theirs) = theirs else {
        return Check::good(name, "the server sends no time");
    };
    let theirs = Timestamp::from_millis(theirs.timestamp().as_millisecond());
    let skew = skew(time::now(), theirs);
    let detail = format!("{} s apart from the server's", skew.as_secs());
    if skew <= SKEW_MAX {
        return Check::good(name, detail);
    }
    Check::bad(name, detail, "set the clock, such as with timedatectl set-ntp true")
}

fn skew(one: Timestamp, other: Timestamp) -> Duration {
    one.since(other).max(other.since(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_may_differ_either_way() {
        let (early, late) = (Timestamp::from_millis(1_000), Timestamp::from_millis(42_000));
        assert_eq!(skew(early, late), Duration::from_secs(41));
        assert_eq!(skew(late, early), Duration::from_secs(41));
    }

    #[test]
    fn keys_in_the_clear_are_found() {
        for url in ["https://a.example/api", "http://[::1]:80/api", "http://localhost/api"] {
            assert!(transport(url).ok, "{url}");
        }
        assert!(transport("http://127.0.0.1:8787/api").ok);
        let found = transport("http://svc.example.org:80/api");
        assert_eq!(found.fix.as_deref(), Some("set the URL to https://svc.example.org:80/api"));
        assert!(!transport("http://localhost.example.org/api").ok);
    }

    #[test]
    fn releases_differ_where_the_interface_may() {
        for (own, server, is_same) in
            [("0.1.0", "0.1.7", true), ("0.1.0", "0.2.0", false), ("1.2.0", "1.3.0", true)]
        {
            assert_eq!(versions(own, server).ok, is_same, "{own} {server}");
        }
        assert!(!versions("1.2.0", "2.0.0").ok);
        assert!(versions("0.1.0", "of others").ok, "it has versions of its own");
        let hostile = versions("0.1.0", "0.2.0; echo evil").fix.unwrap();
        assert_eq!(hostile, "cargo install svc-cli --version '0.2.0; echo evil'");
    }
}
