//! A rule, its check and the result.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use serde::Serialize;
use svc_client::Error;
use svc_client::types::Code;

use super::stage::Stage;

/// Why a rule is not seen to be kept.
#[derive(Debug)]
pub(super) enum Flaw {
    /// It is broken.
    Broken(String),
    /// It can't be tried on this server.
    Untried(String),
}

/// What trying a rule gives.
pub(super) type Trial = Result<(), Flaw>;

impl From<Error> for Flaw {
    fn from(error: Error) -> Self {
        Self::Broken(error.to_string())
    }
}

/// What was found out about a rule.
#[derive(Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "camelCase")]
pub(super) enum Verdict {
    Kept,
    Broken { detail: String },
    Untried { detail: String },
}

impl Verdict {
    pub(super) const fn is_broken(&self) -> bool {
        matches!(self, Self::Broken { .. })
    }
}

type Trying<'a> = Pin<Box<dyn Future<Output = Trial> + 'a>>;

/// A promise of the interface.
pub(super) struct Rule {
    /// The promise, in words.
    pub(super) says: &'static str,
    pub(super) attempt: Box<dyn for<'a> Fn(&'a Stage) -> Trying<'a>>,
}

impl Rule {
    /// Tries the rule.
    pub(super) async fn tried(&self, stage: &Stage) -> Verdict {
        match (self.attempt)(stage).await {
            Ok(()) => Verdict::Kept,
            Err(Flaw::Broken(detail)) => Verdict::Broken { detail },
            Err(Flaw::Untried(detail)) => Verdict::Untried { detail },
        }
    }
}

/// Rules, each a sentence and the async function over a stage that tries it.
macro_rules! rules {
    ($($says:literal => $attempt:path,)+) => {
        vec![$($crate::conformance::rule::Rule {
            says: $says,
            attempt: Box::new(|stage| Box::pin($attempt(stage))),
        }),+]
    };
}
pub(super) use rules;

/// Breaks the rule unless it is so.
pub(super) fn expect(is_so: bool, otherwise: impl FnOnce() -> String) -> Trial {
    if is_so { Ok(()) } else { Err(Flaw::Broken(otherwise())) }
}

/// Breaks the rule unless the two are equal.
pub(super) fn equal<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Trial {
    expect(found == expected, || format!("{what} is {found:?}, not {expected:?}"))
}

/// Breaks the rule unless it was refused so.
pub(super) fn refused<T: Debug>(answer: Result<T, Error>, status: u16, code: &Code) -> Trial {
    match answer {
        Ok(answer) => Err(Flaw::Broken(format!("answered {answer:?}, not {status} {code}"))),
        Err(error) => {
            let found = error.status().map(|status| status.as_u16());
            let is_so = found == Some(status) && error.code() == Some(code);
            expect(is_so, || format!("answered {error}, not {status} {code}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_should_be_refused_and_is_not_breaks_a_rule() {
        let trial = refused(Ok("hello"), 404, &Code::NotFound);
        assert!(matches!(trial, Err(Flaw::Broken(detail)) if detail.contains("not 404 not_found")));
    }

    #[test]
    fn what_differs_is_shown_beside_what_was_expected() {
        let Err(Flaw::Broken(detail)) = equal("likesCount", &2, &1) else { panic!("it is broken") };
        assert_eq!(detail, "likesCount is 2, not 1");
        assert!(equal("likesCount", &1, &1).is_ok());
    }
}
