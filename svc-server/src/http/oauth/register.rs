//! Clients that register themselves (RFC 7591), without a secret.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};
use svc_core::app::Ctx;
use svc_core::services::attempt::Counter;
use svc_core::services::oauth::Outcome;
use svc_core::services::oauth::client::{self, BYTES_MAX, Described, Metadata};
use svc_core::services::secrets;
use svc_store::error::{Error, Result};

use super::answer;
use crate::app::ServerApp;
use crate::http::incoming::{self, Accepts, Allows, Incoming};

/// Registers a client.
pub(super) async fn register(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    answer::outcome(registered(&app, request).await)
}

async fn registered(app: &Arc<ServerApp>, request: Request) -> Outcome<Response> {
    if !app.config.oauth.registration {
        return Err(Error::not_found("path; the operator has turned registration off"));
    }
    let (parts, body) = request.into_parts();
    let mut incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let accepts = Accepts {
        bytes_max: BYTES_MAX,
        is_type: |essence| essence == "application/json",
        refusal: ["the body must be JSON", "send Content-Type: application/json"],
    };
    let body = incoming::read(&mut incoming, &accepts).await?;
    let from = incoming::address(&incoming.parts);
    let described = match Metadata::registration(&body) {
        Ok(described) => described,
        Err(denied) => return Ok(Err(denied)),
    };
    let store = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        for counter in Counter::registrations(ctx, ctx.network()) {
            counter.take(ctx)?;
        }
        refuse_keys(ctx, &described)?;
        let id = client::register(ctx, &described)?;
        Ok(to_json(ctx, &id, &described))
    };
    let value = app.write(store).await?;
    Ok(Ok(answer::object(StatusCode::CREATED, &value)))
}

/// Refuses a live key in what people read before they allow the program anything.
fn refuse_keys(ctx: &mut Ctx<'_, '_>, client: &Described) -> Result<()> {
    secrets::refuse_in(ctx, "client_name", &client.name)?;
    client.redirect_uris.iter().try_for_each(|uri| secrets::refuse_in(ctx, "redirect_uris", uri))
}

/// The client as it was stored.
fn to_json(ctx: &Ctx<'_, '_>, id: &str, client: &Described) -> Value {
    json!({
        "client_id": id,
        "client_id_issued_at": ctx.now().as_millis() / 1000,
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "grant_types": client.grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "id_token_signed_response_alg": client.alg.as_str(),
    })
}
