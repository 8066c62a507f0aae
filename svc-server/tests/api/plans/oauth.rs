//! Query plans of the authorization server.

use std::sync::Arc;

use svc_core::services::oauth::SWEEPS;

use super::{World, assert_plans};
use crate::oauth::{asking, text};

impl World {
    /// Records the plans since they are watched.
    fn taken(&mut self, name: &str) {
        let plans = self.app.server.app().plans.take();
        self.note(name, plans);
        self.app.server.app().plans.watch();
    }
}

#[tokio::test]
async fn programs_and_their_tokens_are_found_by_indexes() {
    let mut world = World::new().await;
    let visitor = world.app.visitor("eve").await;
    let client = world.app.register_client(&["https://gate.example.org/done"]).await;
    world.app.server.app().plans.watch();
    let asked = asking(&client, "openid read");
    visitor.open(&world.app, &asked).await;
    world.taken("ask");
    let code = visitor.agree(&world.app, &asked).await;
    world.taken("agree");
    let tokens = world.app.redeem(&client, &code).await.json();
    world.taken("redeem");
    let access = text(&tokens, "access_token");
    world.app.status_with(&access, "/users/me").await;
    world.taken("by token");
    world.app.status_with(&access, "/../oauth/userinfo").await;
    world.taken("userinfo");
    world.app.document("/.well-known/jwks.json").await;
    world.taken("keys");
    let tokens = world.app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
    world.taken("refresh");
    let fields = [("client_id", "svc"), ("scope", "read")];
    let begun = world.app.form("/oauth/device", &fields).await.json();
    world.taken("device");
    let code = text(&begun, "user_code");
    visitor.send(&world.app, "/device", &[("user_code", &*code), ("decision", "allow")]).await;
    world.taken("device allowed");
    let device = text(&begun, "device_code");
    let kind = ("grant_type", "urn:ietf:params:oauth:grant-type:device_code");
    world.app.form("/oauth/token", &[kind, ("client_id", "svc"), ("device_code", &*device)]).await;
    world.taken("device asks");
    let grants = visitor.member.client.grants().list().await.unwrap().grants;
    world.taken("grants");
    let token = text(&tokens, "refresh_token");
    world.app.form("/oauth/revoke", &[("client_id", &*client), ("token", &*token)]).await;
    world.taken("revoke");
    world.app.form("/oauth/revoke", &[("client_id", &*client), ("token", &*access)]).await;
    world.taken("revoke an access token");
    visitor.member.client.grants().delete(&grants[0].grant_id).await.unwrap();
    world.taken("end");
    let app = Arc::clone(world.app.server.app());
    for sweep in SWEEPS {
        app.write(move |ctx| sweep(ctx, 10)).await.unwrap();
    }
    world.taken("sweep");
    assert_plans("oauth", &world.plans);
}
