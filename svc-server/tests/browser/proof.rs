//! The proof of work that a browser finds while a form is filled in.

use serde_json::json;

use crate::tab::Tab;
use crate::{PASSWORD, in_a_browser};

/// What a browser lacks on pages that are not secure, such as those by plain http in a local network.
const WITHOUT_CRYPTO: &str = "Object.defineProperty(crypto, 'subtle', { value: undefined });";

/// Fills in the form of a new person.
async fn fill(tab: &Tab) {
    tab.fill("[name=username]", "ada").await;
    tab.fill("[name=email]", "ada@example.org").await;
    tab.fill("[name=password]", PASSWORD).await;
}

in_a_browser! {
    async fn a_browser_finds_the_proof_that_a_new_person_needs(
        app: TestApp, tab: Tab, "signup.proof" = "true", "signup.proof_cost" = "100"
    ) {
        tab.open("/join").await;
        if !tab.has_script {
            tab.sees("This form needs JavaScript").await;
            return;
        }
        fill(&tab).await;
        // It may still be working.
        tab.press("Join").await;
        tab.comes_to_see("Welcome").await;
        app.anonymous.users().get("ada").await.unwrap();
    }

    async fn a_browser_that_finds_no_proof_says_so_instead_of_working_forever(
        app: TestApp, tab: Tab, "signup.proof" = "true", "signup.proof_cost" = "100"
    ) {
        let source = json!({ "source": WITHOUT_CRYPTO });
        let lacking = "Page.addScriptToEvaluateOnNewDocument";
        tab.driver.devtools(lacking, &source).await;
        tab.open("/join").await;
        if !tab.has_script {
            tab.sees("This form needs JavaScript").await;
            return;
        }
        fill(&tab).await;
        for _ in 0..2 {
            tab.press("Join").await;
            tab.sees("Your browser couldn't work out the proof.").await;
        }
        assert!(!tab.text().await.contains("This takes a moment"), "{}", tab.text().await);
        assert_eq!(tab.value("[name=username]").await, "ada");
        assert!(app.anonymous.users().get("ada").await.is_err());
    }
}
