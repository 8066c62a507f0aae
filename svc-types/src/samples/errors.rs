//! An error of each code.

use crate::error::{Code, ErrorBody};

/// The body of a refusal with this code.
///
/// ```
/// use svc_types::Code;
/// use svc_types::samples;
///
/// let refused = samples::error(&Code::UnknownParameter);
/// assert_eq!((refused.field.as_deref(), refused.hint.as_deref()), (Some("withUser"), Some("with")));
/// ```
pub fn error(code: &Code) -> ErrorBody {
    let (error, field) = message(code);
    ErrorBody {
        error,
        code: code.clone(),
        field: field.map(str::to_owned),
        hint: hint(code).map(str::to_owned),
        request_id: "req_1zbfkhc000009".to_owned(),
        retry_after: retry_after(code),
        errors: Vec::new(),
    }
}

/// What is wrong, and the member at fault. Where the code says it all, its meaning is the message.
fn message(code: &Code) -> (String, Option<&'static str>) {
    let (message, field) = match code {
        Code::ValidationFailed => ("limit must be a whole number from 1 to 100", Some("limit")),
        Code::UnknownParameter => ("withUser is not known here", Some("withUser")),
        Code::UnknownMember => ("expiresin is not known here", Some("expiresin")),
        Code::InvalidJson => ("the body must be a JSON object: EOF at line 1 column 9", None),
        Code::InvalidCursor => {
            ("cursor must be the nextCursor of this list and filter", Some("cursor"))
        }
        Code::CredentialInContent => {
            ("content must not contain a live API key of this platform", Some("content"))
        }
        Code::InvalidServiceMessage => {
            ("payload.serviceId is required and must be a text", Some("/payload/serviceId"))
        }
        Code::InputSchemaMismatch => {
            ("input must match the service's schema: text is required", Some("/payload/input"))
        }
        Code::ChargeExceedsOffer => {
            ("chargedCredits must be at most the offer, 5", Some("/payload/chargedCredits"))
        }
        Code::PayloadTooLarge => ("the body must have at most 1048576 bytes", None),
        Code::UnsupportedMediaType => ("the body must be JSON", None),
        Code::WrongState => ("only a delivered escrow can be released", None),
        Code::RequestClosed => ("the order is closed", None),
        Code::PriceAboveMax => ("the service costs more than maxCredits", Some("maxCredits")),
        Code::UsernameTaken => ("the username is taken", Some("username")),
        Code::Internal => ("internal server error", None),
        _ => return (meaning(code), None),
    };
    (message.to_owned(), field)
}

/// The meaning of a code as a message: without its status and full stop.
fn meaning(code: &Code) -> String {
    let meaning = code.meaning();
    let message = meaning.split_once(": ").map_or(meaning, |(_, message)| message);
    message.split(';').next().unwrap_or(message).trim_end_matches('.').to_owned()
}

fn hint(code: &Code) -> Option<&'static str> {
    Some(match code {
        Code::UnknownParameter => "with",
        Code::UnknownMember => "expiresIn",
        Code::UnsupportedMediaType => "send Content-Type: application/json",
        Code::Unauthorized => "send Authorization: Bearer svc_ak_…, or sign in",
        Code::SpendLimit => "12.5",
        Code::WrongState => "funded",
        Code::PriceAboveMax => "7.5",
        Code::RequestClosed => "cancelled",
        Code::SlotTaken => "2026-01-31T09:30:00.000Z",
        _ => return None,
    })
}

fn retry_after(code: &Code) -> Option<u64> {
    match code {
        Code::RateLimited => Some(42),
        Code::IdempotencyInProgress | Code::Overloaded | Code::StorageUnavailable => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_an_error_that_follows_the_style() {
        for code in Code::ALL {
            let body = error(code);
            assert_eq!(body.code, *code);
            assert!(!body.error.is_empty() && !body.error.ends_with('.'), "{code}: {}", body.error);
            assert!(!body.error.starts_with(char::is_uppercase) || body.error.starts_with("API"));
        }
    }
}
