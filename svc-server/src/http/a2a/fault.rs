//! Errors as the protocol names them, for both bindings (A2A 1.0, §5.4, §9.5 and §11.6).

use http::StatusCode;
use serde_json::{Map, Value, json};
use svc_core::app::App;
use svc_store::error::{Error, Refusal};
use svc_types::Code;
use url::Url;

/// The domain of the errors that the protocol defines.
const PROTOCOL: &str = "a2a-protocol.org";

/// The data part of a message.
const DATA: &str = "message.parts.data";

/// Members by which endpoints name the agent. Callers name it by the URL.
const AGENT: [&str; 3] = ["username", "counterparty", "providerUsername"];

/// A call that is refused, or that failed.
#[derive(Debug)]
pub(super) struct Fault {
    kind: Kind,
    message: String,
    field: Option<String>,
    hint: Option<String>,
    /// What the API answered.
    cause: Option<Error>,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// There is no such task of the caller with this agent.
    TaskNotFound,
    /// It is too late to cancel.
    TaskNotCancelable,
    /// Push notifications are not offered.
    PushNotificationNotSupported,
    /// The task accepts no message, or the operation is not offered.
    UnsupportedOperation,
    /// The agent takes no such parts.
    ContentTypeNotSupported,
    /// Another version was asked for.
    VersionNotSupported,
    /// The body is no JSON.
    Parse,
    /// The body is not a request.
    InvalidRequest,
    /// There is no such method.
    MethodNotFound,
    /// Members of the request are wrong.
    InvalidParams,
    /// The server failed.
    Internal,
    /// The platform refuses, for a reason of its own.
    Refused,
}

/// What a kind is called.
struct Names {
    /// In JSON-RPC.
    code: i32,
    /// By HTTP.
    status: StatusCode,
    /// In `google.rpc.Status`.
    name: &'static str,
    /// In `google.rpc.ErrorInfo`.
    reason: &'static str,
}

impl Kind {
    const fn names(self) -> Names {
        let (code, status, name, reason) = match self {
            Self::TaskNotFound => (-32001, 404, "NOT_FOUND", "TASK_NOT_FOUND"),
            Self::TaskNotCancelable => (-32002, 400, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"),
            Self::PushNotificationNotSupported => {
                (-32003, 400, "FAILED_PRECONDITION", "PUSH_NOTIFICATION_NOT_SUPPORTED")
            }
            Self::UnsupportedOperation => {
                (-32004, 400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION")
            }
            Self::ContentTypeNotSupported => {
                (-32005, 400, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED")
            }
            Self::VersionNotSupported => {
                (-32009, 400, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED")
            }
            Self::Parse => (-32700, 400, "INVALID_ARGUMENT", "PARSE_ERROR"),
            Self::InvalidRequest => (-32600, 400, "INVALID_ARGUMENT", "INVALID_REQUEST"),
            Self::MethodNotFound => (-32601, 404, "NOT_FOUND", "METHOD_NOT_FOUND"),
            Self::InvalidParams => (-32602, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"),
            Self::Internal => (-32603, 500, "INTERNAL", "INTERNAL_ERROR"),
            Self::Refused => (-32000, 409, "ABORTED", "REFUSED"),
        };
        let status = match status {
            404 => StatusCode::NOT_FOUND,
            409 => StatusCode::CONFLICT,
            500 => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        Names { code, status, name, reason }
    }
}

impl Fault {
    /// An error of this kind.
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), field: None, hint: None, cause: None }
    }

    /// A member of the request that is wrong.
    pub(super) fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), ..Self::new(Kind::InvalidParams, message) }
    }

    /// The task that there is not.
    pub(super) fn no_task() -> Self {
        Self::new(Kind::TaskNotFound, "no such task of yours with this agent")
    }

    /// Names the next step.
    #[must_use]
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Refusals with these codes are of this kind; everything else stays what it is.
    pub(super) fn named(error: Error, kind: Kind, codes: &[Code]) -> Self {
        let is_named = codes.contains(&error.code());
        let fault = Self::from(error);
        if is_named { Self { kind, ..fault } } else { fault }
    }

    /// The same for a new order, whose `clientOrderId` is the id of the message.
    pub(super) fn ordering(error: Error, extension: &str) -> Self {
        if error.code() == Code::IdempotencyConflict {
            return Self::reused(error, "order");
        }
        Self::from(error).renamed(|field| match field {
            "clientOrderId" => Some("message.messageId".to_owned()),
            "serviceId" => Some(format!("{DATA}.serviceId")),
            "maxCredits" => Some(format!("metadata.{extension}.maxCredits")),
            _ => in_input(field).map(|part| format!("{DATA}.input{part}")),
        })
    }

    /// The refusal of a message whose id another one had.
    pub(super) fn reused(error: Error, what: &str) -> Self {
        let message = format!("this messageId was used for another {what}");
        let field = Some("message.messageId".to_owned());
        Self { message, field, ..Self::from(error) }.hint("use a new messageId")
    }

    /// The same for the input of a task, which is the whole data part.
    pub(super) fn inputting(self) -> Self {
        self.renamed(|field| in_input(field).map(|part| format!("{DATA}{part}")))
    }

    /// Names a member of an endpoint's request as the message has it, or not at all.
    fn renamed(self, name: impl Fn(&str) -> Option<String>) -> Self {
        Self { field: self.field.as_deref().and_then(name), ..self }
    }

    /// The kind.
    #[cfg(test)]
    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    /// What the API refused, if it did.
    fn refusal(&self) -> Option<&Refusal> {
        match &self.cause {
            Some(Error::Refused(refusal)) => Some(refusal),
            _ => None,
        }
    }

    /// The HTTP status.
    pub(super) fn status(&self) -> StatusCode {
        match (self.kind, self.refusal()) {
            (Kind::Refused, Some(refusal)) => refusal.code.status(),
            (kind, _) => kind.names().status,
        }
    }

    /// Whether it concerns the credential, a limit or the server rather than the call: then the HTTP
    /// status of a JSON-RPC response says so too.
    pub(super) fn is_about_http(&self) -> bool {
        let lacks_scope = self.refusal().is_some_and(|it| it.code == Code::InsufficientScope);
        lacks_scope || matches!(self.status().as_u16(), 401 | 413 | 415 | 429 | 500..)
    }

    /// The error of a JSON-RPC response.
    pub(super) fn rpc(&self, app: &App, request_id: &str) -> Value {
        json!({
            "code": self.kind.names().code,
            "message": self.message,
            "data": self.details(app, request_id),
        })
    }

    /// The body by HTTP and JSON.
    pub(super) fn body(&self, app: &App, request_id: &str) -> Value {
        let status = self.status();
        json!({ "error": {
            "code": status.as_u16(),
            "status": self.name(),
            "message": self.message,
            "details": self.details(app, request_id),
        }})
    }

    /// What the API answered, which has headers of its own.
    pub(super) fn into_cause(self) -> Option<Error> {
        self.cause
    }

    /// The name in `google.rpc.Status`.
    fn name(&self) -> &'static str {
        if self.kind != Kind::Refused {
            return self.kind.names().name;
        }
        match self.status().as_u16() {
            401 => "UNAUTHENTICATED",
            403 => "PERMISSION_DENIED",
            413 | 415 => "INVALID_ARGUMENT",
            429 => "RESOURCE_EXHAUSTED",
            503 => "UNAVAILABLE",
            _ => "ABORTED",
        }
    }

    fn details(&self, app: &App, request_id: &str) -> Vec<Value> {
        let refusal = self.refusal().filter(|_| self.kind == Kind::Refused);
        let (reason, domain) = match refusal {
            Some(refusal) => (refusal.code.as_str().to_uppercase(), host(app)),
            None => (self.kind.names().reason.to_owned(), PROTOCOL.to_owned()),
        };
        let mut metadata = Map::new();
        metadata.insert("requestId".to_owned(), request_id.into());
        if let Some(hint) = self.hint.clone().or_else(|| self.refusal().and_then(hint)) {
            metadata.insert("hint".to_owned(), hint.into());
        }
        if let Some(refusal) = self.refusal() {
            metadata.insert("code".to_owned(), refusal.code.as_str().into());
        }
        let mut details = vec![json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": reason, "domain": domain, "metadata": metadata,
        })];
        if let Some(field) = &self.field {
            details.push(json!({
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{ "field": field, "description": self.message }],
            }));
        }
        // Events of a stream have no headers, and clients do not show those of responses.
        details.extend(self.refusal().and_then(|refusal| refusal.retry_after).map(retry));
        details
    }
}

/// How long to wait before the call is repeated.
fn retry(seconds: u64) -> Value {
    json!({ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{seconds}s") })
}

/// The hint of the API, whose programs are given a bare value with some codes, in words.
fn hint(refusal: &Refusal) -> Option<String> {
    let hint = refusal.hint.as_ref()?;
    Some(match refusal.code {
        Code::PriceAboveMax => format!("maxCredits {hint} agrees to the price"),
        Code::WrongState | Code::RequestClosed => {
            format!("the order is {}", hint.replace('_', " "))
        }
        Code::DebtOpen => format!("{hint} credits are owed"),
        _ => hint.clone(),
    })
}

/// Where in an input a field of an endpoint is; none for one that is not of the input.
fn in_input(field: &str) -> Option<String> {
    let field = field.trim_start_matches('/');
    let part = field.strip_prefix("input")?;
    (part.is_empty() || part.starts_with('/')).then(|| part.replace('/', "."))
}

/// The host of this server, which is the domain of its own errors.
pub(super) fn host(app: &App) -> String {
    let url = Url::parse(&app.public_url).ok();
    url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

impl From<Error> for Fault {
    /// What the API refuses as wrong or unknown is a wrong parameter here.
    fn from(error: Error) -> Self {
        let Error::Refused(refusal) = &error else {
            let fault = Self::new(Kind::Internal, "internal server error");
            return Self { cause: Some(error), ..fault };
        };
        let kind = match refusal.code.status() {
            StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND => Kind::InvalidParams,
            StatusCode::INTERNAL_SERVER_ERROR => Kind::Internal,
            _ => Kind::Refused,
        };
        let (message, field) = (refusal.message.clone(), refusal.field.clone());
        let field = field.filter(|field| !AGENT.contains(&field.as_str()));
        Self { kind, message, field, hint: None, cause: Some(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_keep_their_status_and_wrong_members_are_parameters() {
        let fault = |code| Fault::from(Error::refused(code, "no"));
        let short = fault(Code::InsufficientCredits);
        assert_eq!((short.kind(), short.status().as_u16()), (Kind::Refused, 409));
        let unknown = fault(Code::ServiceNotFound);
        assert_eq!((unknown.kind(), unknown.status().as_u16()), (Kind::InvalidParams, 400));
        let named = Fault::named(
            Error::refused(Code::WrongState, "no"),
            Kind::TaskNotCancelable,
            &[Code::WrongState],
        );
        assert_eq!((named.kind(), named.status().as_u16()), (Kind::TaskNotCancelable, 400));
    }
}
