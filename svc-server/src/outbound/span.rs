//! The span of a call: its method, its host and how it ended. Paths, headers and bodies may hold secrets.

use http::Method;
use reqwest::Request;
use svc_store::trace::{self, Context, Kind, Span, Trace};
use svc_types::api::webhooks::DeliveryErrorClass as Class;

/// The lowest status that is a failure.
const FAILURE: u16 = 400;

/// The span of a call, if what makes it is recorded.
#[derive(Debug)]
pub(crate) struct CallSpan(Option<Span>);

impl CallSpan {
    /// Begins that of a request, in what the present task belongs to.
    pub(super) fn of(request: &Request) -> Self {
        let Some(context) = trace::current() else { return Self(None) };
        let name = match *request.method() {
            Method::GET => "GET",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::DELETE => "DELETE",
            _ => "HTTP",
        };
        Self::begin(&context, name, request.method(), request.url().host_str())
    }

    /// Begins that of a call with this method to this host.
    pub(crate) fn begin(
        context: &Context,
        name: &'static str,
        method: &Method,
        host: Option<&str>,
    ) -> Self {
        context.note_done();
        let Some(mut span) = context.begin(Kind::Client, name) else { return Self(None) };
        span.note("http.request.method", method.to_string());
        if let Some(host) = host {
            span.note("server.address", host.to_owned());
        }
        Self(Some(span))
    }

    /// The span of a call that is not recorded.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// What the call may send along.
    pub(crate) fn trace(&self) -> Option<&Trace> {
        self.0.as_ref().map(|span| span.context().trace())
    }

    /// Ends it by the status of the answer, or by why there was none.
    pub(crate) fn end(self, result: Result<u16, &Class>) {
        let Some(mut span) = self.0 else { return };
        match result {
            Ok(status) => {
                span.note("http.response.status_code", i64::from(status));
                if status >= FAILURE {
                    span.fail(status.to_string());
                }
            }
            Err(class) => span.fail(class.as_str().to_owned()),
        }
        span.end();
    }
}
