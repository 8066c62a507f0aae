//! Query plans of linked accounts.

use std::sync::Arc;

use svc_client::types::api::links::LinkProvider;
use svc_core::services::link;

use super::{World, assert_plans};

#[tokio::test]
async fn linked_accounts_are_found_by_indexes() {
    let mut world = World::new().await;
    let (app, id) = (Arc::clone(world.app.server.app()), world.ada.user.id.clone());
    app.plans.watch();
    let subject = link::subject("https://issuer.example", "1");
    let add = {
        let id = id.clone();
        app.write(move |ctx| link::add(ctx, &id, &LinkProvider::X, &subject))
    };
    add.await.unwrap();
    world.note("add", app.plans.take());
    app.plans.watch();
    let token = {
        let id = id.clone();
        app.write(move |ctx| link::offer(ctx, &id, &LinkProvider::X, &subject, "@ada"))
    };
    let token = token.await.unwrap();
    world.note("offer", app.plans.take());
    app.plans.watch();
    let found = token.clone();
    app.read(move |ctx| link::find_offer(ctx, &found)).await.unwrap();
    app.write(move |ctx| link::confirm(ctx, &token)).await.unwrap();
    let returned = link::Returned { provider: LinkProvider::X, state: "made up".to_owned() };
    let asked = returned.clone();
    assert!(!app.read(move |ctx| link::is_begun(ctx, &asked)).await.unwrap());
    app.write(move |ctx| link::take(ctx, &returned, None).map(drop)).await.unwrap_err();
    world.note("answer", app.plans.take());
    app.plans.watch();
    let of = id.clone();
    assert!(app.read(move |ctx| link::exists(ctx, &of)).await.unwrap());
    let listed = world.ada.client.links().list().await.unwrap();
    assert_eq!(listed.links.len(), 1);
    world.note("list", app.plans.take());
    app.plans.watch();
    let of = id.clone();
    app.write(move |ctx| link::remove(ctx, &of, &LinkProvider::X)).await.unwrap();
    app.write(move |ctx| link::forget(ctx, &id)).await.unwrap();
    app.write(|ctx| link::forget_expired(ctx, 10)).await.unwrap();
    world.note("end", app.plans.take());
    assert_plans("links", &world.plans);
}
