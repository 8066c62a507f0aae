//! Accounts elsewhere that are linked to accounts here.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::network::Network;
use svc_core::services::attempt::Counter;
use svc_core::services::link;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::links::{BeginLink, DeleteLink, LinkBegun, LinkList, ListLinks};
use url::Url;

use crate::app::ServerApp;
use crate::http::Routes;
use crate::http::pipeline::Call;
use crate::providers;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list).write_prepared(prepare, begin).write(delete)
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ListLinks) -> Result<LinkList> {
    link::list(ctx, &caller.id)
}

/// Counts the attempt, then asks the provider where people sign in.
async fn prepare(app: Arc<ServerApp>, call: Arc<Call<BeginLink>>) -> Result<Url> {
    let provider = &call.request.provider;
    link::require(&app, provider)?;
    let (account, network) = (call.caller.id.clone(), Network::of(call.address));
    let count = move |ctx: &mut Ctx<'_, '_>| {
        let counters = Counter::links(ctx, &account, network);
        counters.iter().try_for_each(|counter| counter.take(ctx).map(drop))
    };
    app.write(count).await?;
    providers::endpoint(&app, provider).await
}

fn begin(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &BeginLink,
    endpoint: &Url,
) -> Result<LinkBegun> {
    Ok(LinkBegun { url: link::begin(ctx, caller, &request.provider, endpoint)? })
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteLink) -> Result<Deleted> {
    if link::remove(ctx, &caller.id, &request.provider)? {
        return Ok(Deleted { deleted: true });
    }
    Err(Error::not_found("linked account"))
}
