//! The proof of work that a browser finds while a form is filled in.

use crate::{PASSWORD, in_a_browser};

in_a_browser! {
    async fn a_browser_finds_the_proof_that_a_new_person_needs(
        app: TestApp, tab: Tab, "signup.proof" = "true", "signup.proof_cost" = "100"
    ) {
        tab.open("/join").await;
        if !tab.has_script {
            tab.sees("This form needs JavaScript").await;
            return;
        }
        tab.fill("[name=username]", "ada").await;
        tab.fill("[name=email]", "ada@example.org").await;
        tab.fill("[name=password]", PASSWORD).await;
        // It may still be working.
        tab.press("Join").await;
        tab.comes_to_see("Welcome").await;
        app.anonymous.users().get("ada").await.unwrap();
    }
}
