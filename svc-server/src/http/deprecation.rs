//! What the responses of a deprecated endpoint say: since when, and until when it is served.

use axum::response::Response;
use http::header::{HeaderName, HeaderValue};
use svc_types::endpoint::Deprecated;

/// Since when nothing new should use the endpoint (RFC 9745).
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// When it is no longer served, at the earliest (RFC 8594).
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Adds the headers, to refusals too: a refused caller still uses the endpoint.
pub(super) fn announce(mut response: Response, deprecated: Option<Deprecated>) -> Response {
    let Some(Deprecated { since, sunset, .. }) = deprecated else { return response };
    let sunset = jiff::Timestamp::from_millisecond(sunset.as_millis()).unwrap_or_default();
    let texts = [
        (DEPRECATION, format!("@{}", since.as_millis() / 1000)),
        (SUNSET, sunset.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()),
    ];
    for (name, text) in texts {
        let value = HeaderValue::try_from(text).expect("a date is plain ASCII");
        response.headers_mut().insert(name, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use svc_types::Endpoint;
    use svc_types::api::health::GetLive;

    use super::*;

    mod old {
        use svc_types::api::Deleted;
        use svc_types::endpoints;

        endpoints! {
            /// An endpoint that goes.
            GET "/old" as old.get by Anyone => OK Deleted as deprecated "2026-03-01";
            GetOld {}
        }
    }

    #[test]
    fn a_deprecated_endpoint_says_since_when_and_until_when() {
        let response = announce(Response::default(), old::GetOld::DEPRECATED);
        assert_eq!(response.headers()["deprecation"], "@1772323200");
        assert_eq!(response.headers()["sunset"], "Mon, 01 Mar 2027 00:00:00 GMT");
    }

    #[test]
    fn other_endpoints_say_nothing() {
        assert_eq!(GetLive::DEPRECATED, None);
        assert!(announce(Response::default(), GetLive::DEPRECATED).headers().is_empty());
    }
}
