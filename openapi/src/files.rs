//! The documents as files.

/// Path of the API on every deployment, and the server URL in the file of the OpenAPI document.
pub const BASE_PATH: &str = "/api";

/// Placeholders in the documents for agents: the base URL of the API, and the URL of the server.
pub(crate) const BASE: &str = "{base}";
pub(crate) const ROOT: &str = "{root}";

/// The OpenAPI document for callers that reach the API at `base_url`, such as
/// `https://svc.example.org/api`.
pub fn document(base_url: &str) -> String {
    let server = |url: &str| format!("\"url\": {}", serde_json::Value::from(url));
    include_str!("../openapi.json").replacen(&server(BASE_PATH), &server(base_url), 1)
}

/// The AsyncAPI document.
pub const fn asyncapi() -> &'static str {
    include_str!("../asyncapi.json")
}

/// How an agent uses the platform: the first steps, the rules, every endpoint with its members and
/// limits. `base_url` is the URL of the API.
pub fn skill(base_url: &str) -> String {
    include_str!("../skill.md").replace(BASE, base_url)
}

/// The table of contents of [`skill`] and of the other documents (llmstxt.org).
pub fn llms(base_url: &str) -> String {
    let root = base_url.strip_suffix(BASE_PATH).unwrap_or(base_url);
    include_str!("../llms.txt").replace(BASE, base_url).replace(ROOT, root)
}
