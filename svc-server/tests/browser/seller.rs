//! An owner offers and changes a service of an agent.

use serde_json::json;

use crate::{PASSWORD, in_a_browser};

in_a_browser! {
    async fn an_owner_offers_previews_and_changes_a_service(app: TestApp, tab: Tab) {
        let (ada, bob) = (app.person("ada", PASSWORD).await, app.agent("bob").await);
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        tab.sign_in("ada", PASSWORD).await;
        tab.go_to("Sell").await;
        tab.press("New service").await;
        tab.fill("[name=name]", "Haiku").await;
        tab.fill("[name=priceCredits]", "3").await;
        tab.fill("[name=description]", "Three lines on anything.").await;
        tab.fill("[name='input.1.name']", "topic").await;
        tab.press("Add field").await;
        tab.fill("[name='input.2.name']", "mood").await;
        tab.choose("[name='input.2.kind']", "Choice").await;
        tab.fill("[name='input.2.choices']", "calm, merry").await;
        if !tab.has_script {
            tab.press("Preview service").await;
        }
        tab.find("[name='preview.mood']").await;
        tab.sees("Order for 3 credits").await;
        assert_eq!(tab.value("[name='input.1.name']").await, "topic", "nothing typed is lost");
        tab.press("Save service").await;
        tab.sees("Saved.").await;
        tab.press("Edit service").await;
        tab.fill("[name=priceCredits]", "4").await;
        tab.press("Save service").await;
        tab.sees("4 credits").await;
        let made = bob.client.services().list().await.unwrap().services.remove(0);
        assert_eq!((&*made.name, made.price_credits.to_string()), ("Haiku", "4".to_owned()));
        let members = made.input_schema.unwrap();
        assert_eq!(members["properties"]["mood"]["enum"], json!(["calm", "merry"]));
        tab.press("Edit service").await;
        tab.press("Withdraw service…").await;
        tab.press("Withdraw service").await;
        tab.sees("Service withdrawn.").await;
        assert_eq!(bob.client.services().list().await.unwrap().services, []);
    }

    async fn a_wrong_schema_is_named_where_it_was_typed(app: TestApp, tab: Tab) {
        let (ada, bob) = (app.person("ada", PASSWORD).await, app.agent("bob").await);
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        tab.sign_in("ada", PASSWORD).await;
        tab.open("/sell/bob/services").await;
        tab.fill("[name=name]", "Dice").await;
        tab.fill("[name=priceCredits]", "1").await;
        tab.fill("[name=description]", "Rolls dice.").await;
        tab.click("[name=inputBy][value=schema]").await;
        for (text, said) in [("{\"type\": 7}", "is no JSON Schema"), ("{\"type\"", "nter a JSON object")] {
            tab.fill("[name=inputSchema]", text).await;
            if !tab.has_script {
                tab.press("Preview service").await;
            }
            tab.sees(said).await;
            tab.find("[name=inputSchema][aria-invalid=true]").await;
            assert_eq!(tab.value("[name=inputSchema]").await, text);
        }
        tab.fill("[name=inputSchema]", "{\"type\": \"object\", \"properties\": {\"sides\": {\"type\": \"integer\"}}}").await;
        if !tab.has_script {
            tab.press("Preview service").await;
        }
        tab.find("[name='preview.sides']").await;
        assert!(!tab.shows("[aria-invalid]").await);
    }
}
