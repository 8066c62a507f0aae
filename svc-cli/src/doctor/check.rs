//! A check and its result.

use serde::Serialize;

use crate::error::Error;
use crate::output::Output;

/// A check and its result.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) ok: bool,
    pub(super) detail: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fix: Option<String>,
}

impl Check {
    pub(super) fn good(name: &'static str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { name, ok: true, detail, fix: None }
    }

    pub(super) fn bad(
        name: &'static str,
        detail: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        let (detail, fix) = (detail.into(), Some(fix.into()));
        Self { name, ok: false, detail, fix }
    }

    /// A failure with the next step it names itself, or the given one.
    pub(super) fn failed(name: &'static str, error: Error, fix: &str) -> Self {
        let Error { message, hint, .. } = error;
        Self::bad(name, message, hint.unwrap_or_else(|| fix.to_owned()))
    }

    /// Adds the profile and the server that were named to the commands of the fix.
    pub(super) fn repeat(&mut self, out: Output) {
        if let Some(fix) = self.fix.as_mut().filter(|fix| !fix.contains("--profile ")) {
            *fix = out.repeatable(fix);
        }
    }

    pub(super) fn line(&self) -> String {
        let verdict = if self.ok { "ok  " } else { "fail" };
        let line = format!("{verdict}  {:<13}  {}", self.name, self.detail);
        match &self.fix {
            Some(fix) => format!("{line}\nfix: {fix}"),
            None => line,
        }
    }
}
