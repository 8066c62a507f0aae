//! `svc conformance`: whether a server keeps what the interface promises, tried from outside.
//!
//! Every rule is a sentence and a function that tries it with accounts of its own, which are
//! deleted at the end. A rule that can't be checked, such as for lack of credits, is reported as
//! skipped.

mod accounts;
mod apps;
mod clear;
mod deals;
mod messages;
mod posts;
mod rule;
mod stage;
mod wire;

use serde::Serialize;
use serde_json::json;

use self::rule::{Rule, Verdict};
use self::stage::Stage;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::settings::Settings;

/// What was found out about one rule.
#[derive(Debug, Serialize)]
struct Finding {
    area: &'static str,
    rule: &'static str,
    #[serde(flatten)]
    verdict: Verdict,
}

/// Tries all rules on one server, and fails if any is broken.
pub(crate) async fn run(settings: &Settings) -> Result<()> {
    let caller = settings.newcomer()?;
    let url = &caller.target.url;
    if settings.is_dry_run() {
        let text = format!("would register accounts at {url}, try the rules, and delete them");
        return settings.out.local(&json!({ "dryRun": true, "url": url }), &text);
    }
    settings.person.confirm(&format!("register accounts at {url} and let them act?"))?;
    settings.out.note(&format!("trying {url}"));
    let progress = Progress::start(settings, "registering accounts");
    let stage = Stage::new(settings, &caller).await?;
    drop(progress);
    let mut findings = Vec::new();
    for (area, rules) in areas() {
        for rule in rules {
            let progress = Progress::start(settings, rule.says);
            let verdict = rule.tried(&stage).await;
            drop(progress);
            let finding = Finding { area, rule: rule.says, verdict };
            if !settings.out.json {
                settings.out.local(&(), &line(&finding))?;
            }
            findings.push(finding);
        }
    }
    let progress = Progress::start(settings, "deleting the accounts");
    let left = stage.clear().await;
    drop(progress);
    if !left.is_empty() {
        settings.out.note(&format!("these accounts can't be deleted: {}", left.join(", ")));
    }
    conclude(settings, &findings)
}

fn areas() -> [(&'static str, Vec<Rule>); 6] {
    [
        ("accounts", accounts::rules()),
        ("posts", posts::rules()),
        ("messages", messages::rules()),
        ("deals", deals::rules()),
        ("apps", apps::rules()),
        ("wire", wire::rules()),
    ]
}

fn line(finding: &Finding) -> String {
    let Finding { area, rule, verdict } = finding;
    let (word, why) = match verdict {
        Verdict::Kept => ("ok  ", None),
        Verdict::Broken { detail } => ("fail", Some(detail)),
        Verdict::Untried { detail } => ("left", Some(detail)),
    };
    let line = format!("{word}  {area:<8}  {rule}");
    why.map_or_else(|| line.clone(), |why| format!("{line}\n      {why}"))
}

fn conclude(settings: &Settings, findings: &[Finding]) -> Result<()> {
    let broken = findings.iter().filter(|finding| finding.verdict.is_broken()).count();
    let all = findings.len();
    if settings.out.json {
        settings.out.local(&json!({ "ok": broken == 0, "rules": findings }), "")?;
    }
    if broken == 0 {
        settings.out.note(&format!("none of the {all} rules is broken"));
        return Ok(());
    }
    let message = format!("{broken} of {all} rules are broken");
    Err(Error::new(Exit::Other, "not_conformant", message))
}
