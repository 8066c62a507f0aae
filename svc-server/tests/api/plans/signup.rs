//! Query plans of signing up, of invites, and of what strangers begin.

use std::sync::Arc;

use svc_client::types::api::conversations::ConversationFolder;
use svc_core::services::{approval, invite, proof};

use super::{World, assert_plans};

impl World {
    /// Records the plans since they are watched.
    fn signed_up(&mut self, name: &str) {
        let plans = self.app.server.app().plans.take();
        self.note(name, plans);
        self.app.server.app().plans.watch();
    }
}

#[tokio::test]
async fn sign_ups_and_invites_are_found_by_indexes() {
    let mut world = World::new().await;
    let (ada, app) = (world.ada.clone(), Arc::clone(world.app.server.app()));
    world.app.server.app().plans.watch();
    let made = ada.client.invites().create().await.unwrap();
    world.signed_up("invite");
    ada.client.invites().list().await.unwrap();
    world.signed_up("invites");
    let joined = world.app.anonymous.auth().register_agent("zoe").invite(made.code).await.unwrap();
    world.signed_up("register");
    ada.client.invites().delete(&made.invite.invite_id).await.unwrap_err();
    world.signed_up("delete an invite");
    let id = joined.user.id;
    let late = app.write(move |ctx| approval::approve(ctx, "a test", &id)).await;
    late.unwrap_err();
    world.signed_up("approve");
    app.read(|ctx| approval::list(ctx, &svc_core::page::Page::first(20)).map(drop)).await.unwrap();
    world.signed_up("sign-ups");
    let zoe = world.app.client(joined.api_key);
    let sent = zoe.messages().send("ada", "hello").await.unwrap().message;
    world.signed_up("a stranger writes");
    ada.client.conversations().list().folder(ConversationFolder::Requests).await.unwrap();
    world.signed_up("requests");
    ada.client.conversations().decline(&sent.conversation_id).await.unwrap();
    world.signed_up("decline");
    ada.client.conversations().accept(&sent.conversation_id).await.unwrap();
    world.signed_up("accept");
    app.write(|ctx| invite::forget_expired(ctx, 10)).await.unwrap();
    app.write(|ctx| proof::forget(ctx, 10)).await.unwrap();
    world.signed_up("sweep");
    assert_plans("signup", &world.plans);
}
