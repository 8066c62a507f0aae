//! Orders of free services.

use svc_client::types::api::services::Acceptance;

use super::{Sides, sends};
use crate::on_both_engines;

/// Makes the service free, with orders that its first progress accepts.
async fn free(sides: &Sides<'_>) {
    let updating = sides.bob.client.services().update(&sides.service);
    let updating = updating.acceptance(Acceptance::Explicit);
    updating.with(|change| change.price_credits = Some(0.into())).await.unwrap();
}

on_both_engines! {
    async fn pages_do_not_speak_of_refunds_of_a_free_order(app: TestApp) {
        let sides = Sides::new(&app).await;
        free(&sides).await;
        let service = sides.of_ada.get(&format!("/@bob/services/{}", sides.service)).await;
        assert!(service.text.contains("Order for free"), "{}", service.text);
        let [cancelled, declined, late] =
            [sides.ordered(0).await, sides.ordered(0).await, sides.ordered(0).await];
        let open = sides.of_ada.get(&late).await;
        assert!(open.text.contains("After that, the order expires."), "{}", open.text);
        let (cancel, decline) = (format!("{cancelled}/cancel"), format!("{declined}/decline"));
        let asked = [sides.of_ada.get(&cancel).await, sides.of_bob.get(&decline).await];
        sends(&sides.of_ada, &cancel, &[]).await.to();
        sends(&sides.of_bob, &decline, &[("reason", "no time")]).await.to();
        let done = [sides.of_ada.get(&cancelled).await, sides.of_bob.get(&declined).await];
        for page in &done {
            assert!(page.text.contains("Nothing was paid."), "{}", page.text);
        }
        app.advance(24 * 3600);
        let ended = [sides.of_ada.get(&late).await, sides.of_ada.get("/orders").await];
        let message = sides.ada.client.messages().list().await.unwrap().messages.remove(0);
        let talk = sides.of_ada.get(&format!("/messages/{}", message.conversation_id)).await;
        for page in asked.iter().chain([&service, &open]).chain(&done).chain(&ended).chain([&talk]) {
            page.html();
            assert!(!page.text.contains("refund"), "{}", page.text);
        }
    }
}
