//! Spans: named work with a beginning and an end.

use std::borrow::Cow;
use std::fmt;
use std::time::{Instant, SystemTime};

use super::Trace;
use super::context::Context;

/// The attribute that says why the work failed, in one word.
const ERROR: &str = "error.type";

/// What a span is to the one above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request that this server answers.
    Server,
    /// Work inside of it.
    Internal,
    /// A call of another program.
    Client,
    /// A message that others receive later.
    Producer,
    /// A message that a client published.
    Consumer,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A word, an id or a name of this program: never a text of an account.
    Text(Cow<'static, str>),
    /// A number.
    Number(i64),
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

/// Where finished spans go. It must not wait.
pub trait SpanSink: fmt::Debug + Send + Sync {
    /// Takes a span, or drops it.
    fn take(&self, span: FinishedSpan);
}

/// A span that has ended.
#[derive(Clone, Debug)]
pub struct FinishedSpan {
    /// Its trace and its own id.
    pub trace: Trace,
    /// The span above it, and whether that may be another program's.
    pub parent: Option<(Trace, bool)>,
    /// What it is to that one.
    pub kind: Kind,
    /// Its name, one of few.
    pub name: Cow<'static, str>,
    /// When it began.
    pub began: SystemTime,
    /// When it ended.
    pub ended: SystemTime,
    /// What else it says.
    pub attributes: Vec<(&'static str, Value)>,
    /// Whether the work failed.
    pub failed: bool,
}

/// Work that has begun. Dropped before its end, it was given up.
#[derive(Debug)]
pub struct Span {
    context: Context,
    since: Instant,
    open: Option<FinishedSpan>,
}

impl Span {
    pub(super) fn begin(
        context: Context,
        parent: Option<(&Trace, bool)>,
        kind: Kind,
        name: Cow<'static, str>,
    ) -> Self {
        let (began, since) = present();
        let open = FinishedSpan {
            trace: context.trace().clone(),
            parent: parent.map(|(trace, is_remote)| (trace.clone(), is_remote)),
            kind,
            name,
            began,
            ended: began,
            attributes: Vec::new(),
            failed: false,
        };
        Self { context, since, open: Some(open) }
    }

    /// What belongs to this span.
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// Adds an attribute.
    pub fn note(&mut self, name: &'static str, value: impl Into<Value>) {
        if let Some(open) = &mut self.open {
            open.attributes.push((name, value.into()));
        }
    }

    /// Adds why the caller is refused; the work itself did not fail.
    pub fn refuse(&mut self, why: impl Into<Value>) {
        self.note(ERROR, why);
    }

    /// The work failed.
    pub fn fail(&mut self, why: impl Into<Value>) {
        self.note(ERROR, why);
        if let Some(open) = &mut self.open {
            open.failed = true;
        }
    }

    /// Ends it now.
    pub fn end(mut self) {
        self.finish();
    }

    /// Ends work that found nothing to do: a round of background work does not show it.
    pub fn end_in_vain(mut self) {
        if self.context.give_back() {
            self.open = None;
        } else {
            self.finish();
        }
    }

    fn finish(&mut self) {
        if let Some(mut span) = self.open.take() {
            span.ended = span.began + self.since.elapsed();
            self.context.record(span);
        }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        if self.open.is_some() {
            self.fail("cancelled");
            self.finish();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "traces tell real time, whatever the clock")]
fn present() -> (SystemTime, Instant) {
    (SystemTime::now(), Instant::now())
}
