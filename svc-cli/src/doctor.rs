//! `svc doctor`: what could be in the way, each with its cure.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use svc_client::Answer;
use svc_client::http::header::DATE;
use svc_client::types::Timestamp;
use svc_client::types::api::auth::GetSession;
use svc_client::types::api::developers::GetDeveloper;
use svc_client::types::api::health::{GetHealth, Health};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::settings::Settings;
use crate::time;
use crate::verbatim::Kept;

/// How far the two clocks may be apart before tokens and signatures suffer.
const SKEW_MAX: Duration = Duration::from_secs(30);

/// What others than the owner of a file may do with it.
const OTHERS: u32 = 0o077;

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Check {
    fn good(name: &'static str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { name, ok: true, detail, fix: None }
    }

    fn bad(name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        let (detail, fix) = (detail.into(), Some(fix.into()));
        Self { name, ok: false, detail, fix }
    }

    /// A failure with the next step it names itself, or the given one.
    fn failed(name: &'static str, error: Error, fix: &str) -> Self {
        let Error { message, hint, .. } = error;
        Self::bad(name, message, hint.unwrap_or_else(|| fix.to_owned()))
    }
}

/// Looks at everything, and fails if anything is wrong.
pub(crate) async fn run(settings: &Settings) -> Result<()> {
    let mut checks = vec![credentials(settings)];
    match settings.caller() {
        Ok(caller) => server(&caller, &mut checks).await,
        Err(error) => checks.push(Check::failed("server", *error, "svc signup NAME --agent")),
    }
    let failed = checks.iter().filter(|check| !check.ok).count();
    let lines: Vec<String> = checks.iter().map(line).collect();
    let said = json!({ "ok": failed == 0, "checks": checks });
    settings.out.local(&said, &lines.join("\n"))?;
    if failed == 0 {
        return Ok(());
    }
    let message = format!("{failed} of {} checks failed", checks.len());
    Err(Error::new(Exit::Other, "unhealthy", message))
}

fn line(check: &Check) -> String {
    let verdict = if check.ok { "ok  " } else { "fail" };
    let line = format!("{verdict}  {:<13}  {}", check.name, check.detail);
    match &check.fix {
        Some(fix) => format!("{line}\nfix: {fix}"),
        None => line,
    }
}

/// Whether others on this machine can read the keys.
fn credentials(settings: &Settings) -> Check {
    let name = "credentials";
    let path = settings.store.credentials_path();
    let place = path.display();
    if let Err(error) = settings.store.read() {
        return Check::failed(name, *error, "svc login --with-key");
    }
    match std::fs::metadata(&path) {
        Err(_) => Check::good(name, "none kept yet"),
        Ok(file) if file.permissions().mode() & OTHERS == 0 => {
            Check::good(name, format!("{place}, for you alone"))
        }
        Ok(_) => {
            let detail = format!("{place} can be read by others");
            Check::bad(name, detail, format!("chmod 600 {place}"))
        }
    }
}

/// Whether the server answers, tells the same time, and knows the keys.
async fn server(caller: &Caller, checks: &mut Vec<Check>) {
    let url = &caller.target.url;
    match caller.send(GetHealth {}).await {
        Ok(Some(answer)) => {
            let Health { status, version, .. } = &answer.value.value;
            checks.push(Check::good("server", format!("{url} is {status}, version {version}")));
            checks.push(clock(&answer));
        }
        Ok(None) => return,
        Err(error) => {
            let fix = format!("start it with svc serve, or set SVC_URL to another than {url}");
            checks.push(Check::bad("server", error.message, fix));
            return;
        }
    }
    let keys = &caller.target.credentials;
    if keys.api_key.is_some() || keys.cookie.is_some() {
        checks.push(match caller.send(GetSession {}).await {
            Ok(answer) => {
                let user = answer.map(|answer| answer.value.value.user.username);
                Check::good("key", format!("acts as @{}", user.unwrap_or_default()))
            }
            Err(error) => Check::bad("key", error.message, "svc login --with-key"),
        });
    }
    if keys.developer_key.is_some() {
        checks.push(match caller.send(GetDeveloper {}).await {
            Ok(answer) => {
                let app = answer.map(|answer| answer.value.value.developer.id.to_string());
                Check::good("developer key", format!("of {}", app.unwrap_or_default()))
            }
            Err(error) => {
                let fix = "svc developer register NAME --website URL --profile NEW";
                Check::bad("developer key", error.message, fix)
            }
        });
    }
}

/// Compares the clocks by the Date of an answer, which has whole seconds.
fn clock(answer: &Answer<Kept<Health>>) -> Check {
    let name = "clock";
    let date = answer.headers.get(DATE).and_then(|date| date.to_str().ok());
    let theirs = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
    let Some(theirs) = theirs else {
        return Check::good(name, "the server tells no time");
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
}
