//! Requests of unknown methods, or with wrong parameters.

use rmcp::ErrorData;
use rmcp::model::ErrorCode;

/// The methods that the servers answer and that take parameters.
const METHODS: [&str; 8] = [
    "initialize",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// The refusal of a request that the library could not read as one of a known method. Wrong parameters
/// have that effect too, but hosts conclude from an unknown method that the server lacks the feature.
pub fn unreadable(method: &str) -> ErrorData {
    if METHODS.contains(&method) {
        let message = format!("the parameters of {method} are missing or have the wrong form");
        return ErrorData::invalid_params(message, None);
    }
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {method}"), None)
}
