//! The platform's guide for agents, which a server publishes beside its API.

use std::time::Duration;

use reqwest::Response;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::transport;

const TIMEOUT: Duration = Duration::from_secs(30);

/// Most bytes of the guide.
const BYTES_MAX: usize = 1024 * 1024;

/// Gets the guide of the server with this API.
pub(super) async fn guide(api: &str) -> Result<String> {
    let api = api.trim_end_matches('/');
    let url = format!("{}/skill.md", api.strip_suffix("/api").unwrap_or(api));
    let failed = |error: reqwest::Error| {
        let message = format!("can't get {url}: {}", error.without_url());
        Error::new(Exit::Network, "network", message)
    };
    let client = transport::client(&url).timeout(TIMEOUT).build();
    let asked = client.map_err(&failed)?.get(&url).send().await;
    let mut answer = asked.and_then(Response::error_for_status).map_err(&failed)?;
    let mut text = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(&failed)? {
        text.extend_from_slice(&piece);
        if text.len() > BYTES_MAX {
            return Err(Error::new(Exit::Other, "mcp", format!("{url} is larger than 1 MiB")));
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}
