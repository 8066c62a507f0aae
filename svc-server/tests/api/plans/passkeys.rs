//! Query plans of passkeys: their ceremonies, and how they end.

use svc_core::services::{login_step, passkey};

use super::{World, assert_plans};
use crate::device::Device;

impl World {
    /// Records what is done with a passkey.
    async fn record_passkeys(&mut self) {
        let (bob, ann) =
            (self.app.agent("bob").await, self.app.person("ann", "correct horse").await);
        let (client, anonymous) = (bob.client.clone(), self.app.anonymous.clone());
        let mut device = Device::of(&bob).await;
        self.record("begin to add", client.passkeys().begin()).await;
        let begun = client.passkeys().begin().await.unwrap();
        let enrolment = Device::new().enrols(&begun.options);
        let adding = client.passkeys().create(begun.ceremony_id, enrolment, "Phone");
        self.record("add", adding).await;
        self.record("begin to sign in", anonymous.passkeys().begin_login()).await;
        let begun = anonymous.passkeys().begin_login().await.unwrap();
        let signed = device.signs(&begun.options);
        self.record("sign in", anonymous.passkeys().login(begun.ceremony_id, signed)).await;
        self.record("begin to confirm", client.passkeys().begin_step_up()).await;
        let begun = client.passkeys().begin_step_up().await.unwrap();
        let signed = device.signs(&begun.options);
        let confirming = client.auth().step_up().ceremony_id(begun.ceremony_id).credential(signed);
        self.record("confirm", confirming).await;
        self.record("factors", client.factors().get()).await;
        let id = client.factors().get().await.unwrap().passkeys.remove(0).passkey_id;
        self.record("rename", client.passkeys().update(&id, "Old")).await;
        self.record("remove", client.passkeys().delete(&id)).await;
        let (_, codes) = crate::factors::add(&self.app, &ann).await;
        let login = anonymous.auth().login("ann", "correct horse");
        login.clone().await.unwrap_err();
        self.record("sign in with a code", login.code(codes[0].expose())).await;
        let app = std::sync::Arc::clone(self.app.server.app());
        self.record("sweep", async move {
            app.write(|ctx| passkey::forget(ctx, 10)).await.unwrap();
            app.write(|ctx| login_step::forget(ctx, 10)).await.unwrap();
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
async fn passkeys_use_an_index() {
    let mut world = World::new().await;
    world.record_passkeys().await;
    assert_plans("passkeys", &world.plans);
}
