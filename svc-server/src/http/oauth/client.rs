//! Clients by their id, with the documents that describe some of them.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use http::header::CACHE_CONTROL;
use svc_core::ids;
use svc_core::network::Network;
use svc_core::services::attempt::Counter;
use svc_core::services::oauth::client::{
    self, BYTES_MAX, Described, FRESH_MAX, GRANT_TYPES, Metadata,
};
use svc_core::services::oauth::{Client, Denied, OauthError, Outcome};
use svc_types::api::webhooks::DeliveryErrorClass as Class;
use url::Url;

use crate::app::ServerApp;

/// Time to fetch a document.
const FETCH_TIME: Duration = Duration::from_secs(5);

/// Longest id of a client.
const ID_MAX: usize = 2_000;

/// The client with this id. A document at its id is fetched, and again after a day.
pub(super) async fn load(app: &Arc<ServerApp>, id: &str, from: IpAddr) -> Outcome<Client> {
    if id.len() > ID_MAX || !ids::can_exist(id) {
        return Ok(Err(unknown()));
    }
    let known = find(app, id).await?;
    if let Some(known) = known.filter(|client| !client.is_stale(app.clock.now())) {
        return Ok(Ok(known));
    }
    if !is_document(id) {
        return Ok(Err(unknown()));
    }
    fetched(app, id, from, None).await
}

/// The client that begins a sign-in on a device. Anyone can begin one in the name of a document, and nothing else ties
/// the tokens to its host: the document must list the grant type, and is fetched each time, since that is not kept.
pub(super) async fn load_for_device(
    app: &Arc<ServerApp>,
    id: &str,
    from: IpAddr,
) -> Outcome<Client> {
    let [_, _, by_device] = GRANT_TYPES;
    let loaded = if id.len() <= ID_MAX && is_document(id) {
        fetched(app, id, from, Some(by_device)).await?
    } else {
        load(app, id, from).await?
    };
    Ok(loaded.map_err(|denied| match denied.error {
        OauthError::UnauthorizedClient => denied,
        _ => Denied::new(OauthError::InvalidClient, denied.description),
    }))
}

/// The client with a document, which is fetched, and kept if it names this grant type.
async fn fetched(
    app: &Arc<ServerApp>,
    id: &str,
    from: IpAddr,
    needed: Option<&str>,
) -> Outcome<Client> {
    let count = move |ctx: &mut svc_core::app::Ctx<'_, '_>| {
        let counters = Counter::documents(ctx, Network::of(from));
        counters.iter().try_for_each(|counter| counter.take(ctx).map(drop))
    };
    app.write(count).await?;
    let (described, life) = match fetch(app, id).await {
        Ok(fetched) => fetched,
        Err(denied) => return Ok(Err(denied)),
    };
    if let Some(needed) = needed
        && !described.grant_types.iter().any(|own| own == needed)
    {
        let message = format!("grant_types in the program's document must name {needed}");
        return Ok(Err(Denied::new(OauthError::UnauthorizedClient, message)));
    }
    let url = id.to_owned();
    app.write(move |ctx| client::remember(ctx, &url, &described, life)).await?;
    Ok(find(app, id).await?.ok_or_else(unknown))
}

async fn find(app: &Arc<ServerApp>, id: &str) -> svc_store::error::Result<Option<Client>> {
    let id = id.to_owned();
    app.read(move |ctx| client::find(ctx, &id)).await
}

fn unknown() -> Denied {
    Denied::request("client_id names no program that this server knows")
}

/// Whether an id is the URL of a document: absolute, normal, with a path, without a query.
fn is_document(id: &str) -> bool {
    let Ok(url) = Url::parse(id) else { return false };
    matches!(url.scheme(), "https" | "http")
        && url.as_str() == id
        && url.path() != "/"
        && url.query().is_none()
}

/// Fetches the document of a client, under the rules for addresses that users supply.
async fn fetch(app: &ServerApp, url: &str) -> Result<(Described, Duration), Denied> {
    let fetching = tokio::time::timeout(FETCH_TIME, app.outbound.get(url, BYTES_MAX));
    let answer = match fetching.await {
        Ok(Ok(answer)) => answer,
        Ok(Err(class)) => {
            let message = format!("the program's document could not be fetched: {}", why(&class));
            return Err(Denied::request(message));
        }
        Err(_) => return Err(Denied::request("the program's document did not come in 5 seconds")),
    };
    if answer.status != 200 {
        let message = format!("the program's document answered with status {}", answer.status);
        return Err(Denied::request(message));
    }
    if answer.body.len() > BYTES_MAX {
        return Err(Denied::request("the program's document must have at most 5 KiB"));
    }
    Ok((Metadata::document(url, &answer.body)?, life(&answer.headers)))
}

/// Why a document could not be fetched, for people.
const fn why(class: &Class) -> &'static str {
    match class {
        Class::Dns => "the name of its host has no address",
        Class::BlockedAddress => "its host has no public address",
        Class::ConnectRefused => "its host refused the connection",
        Class::ConnectTimeout | Class::Timeout => "its host did not answer in time",
        Class::Tls => "its host has no valid certificate",
        Class::Reset => "its host closed the connection",
        _ => "its host did not answer by the rules of HTTP",
    }
}

/// How long the document may be kept, by its own word.
fn life(headers: &HeaderMap) -> Duration {
    let texts = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let text = texts.collect::<Vec<_>>().join(",").to_ascii_lowercase();
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if words.iter().any(|word| matches!(*word, "no-store" | "no-cache")) {
        return Duration::ZERO;
    }
    let seconds = words.iter().find_map(|word| word.strip_prefix("max-age=")?.parse().ok());
    seconds.map_or(FRESH_MAX, Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_a_plain_url_with_a_path() {
        assert!(is_document("https://a.example/client.json"));
        for id in [
            "svc",
            "cli_1",
            "https://a.example",
            "https://a.example/",
            "https://a.example/x/../client.json",
            "https://a.example/client.json?x",
            "HTTPS://a.example/client.json",
            "file:///etc/passwd",
        ] {
            assert!(!is_document(id), "{id}");
        }
    }
}
