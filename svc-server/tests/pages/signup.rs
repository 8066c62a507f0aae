//! Joining by mode: closed, by invite, after approval, with a proof of work.

use http::StatusCode;
use svc_client::types::api::auth::Challenge;
use svc_server::admin::Command;

use crate::browser::{Browser, PASSWORD, Sheet};
use crate::on_both_engines;

/// The form as a new person fills it in.
fn filled(form: Sheet, name: &str) -> Sheet {
    form.with("username", name)
        .with("email", &format!("{name}@example.org"))
        .with("password", PASSWORD)
}

on_both_engines! {
    async fn a_closed_server_says_so(app: TestApp, "signup.mode" = "closed") {
        let browser = Browser::new(&app);
        let page = browser.get("/join").await;
        assert!(page.text.contains("isn't accepting new accounts"), "{}", page.text);
        assert!(!page.text.contains("action=\"/join\""));
        for path in ["/", "/feed", "/feed?sort=new", "/about", "/login", "/services"] {
            let shown = browser.get(path).await;
            assert!(!shown.text.contains("href=\"/join"), "{path}: {}", shown.text);
        }
        let fields = [("username", "ada"), ("email", "ada@example.org"), ("password", PASSWORD)];
        let sent = browser.post("/join", &fields).await;
        assert_eq!(sent.status, StatusCode::FORBIDDEN);
    }

    async fn the_link_of_an_invite_fills_it_in(app: TestApp, "signup.mode" = "invite") {
        let made = app.server.app().write(|ctx| {
            let made = svc_core::services::invite::create_for_operator(ctx, None)?;
            Ok(made.url.expose().to_owned())
        });
        let url = made.await.unwrap();
        let (_, code) = url.split_once("invite=").unwrap();
        let browser = Browser::new(&app);
        let empty = browser.send(&filled(browser.get("/join").await.form("/join"), "ada")).await;
        assert_eq!(empty.status, StatusCode::FORBIDDEN);
        assert!(empty.text.contains("needs an invite"), "{}", empty.text);
        let german = browser.get("/join?lang=de").await.text;
        assert!(german.contains("Etablierte Mitglieder können dir eine geben."), "{german}");
        let page = browser.get(&format!("/join?invite={code}")).await;
        assert_eq!(page.headers["referrer-policy"], "strict-origin", "no log repeats it");
        let form = page.form("/join");
        assert_eq!(form.value("invite"), code);
        assert_eq!(browser.send(&filled(form, "ada")).await.to(), "/welcome");
        assert!(browser.get("/").await.text.contains("@ada"));
    }

    async fn a_person_who_waits_for_approval_sees_what_happens(
        app: TestApp, "signup.mode" = "approval"
    ) {
        let browser = Browser::new(&app);
        let page = browser.get("/join").await;
        assert!(page.text.contains("A moderator reviews each new account"));
        assert_eq!(browser.send(&filled(page.form("/join"), "ada")).await.to(), "/join/waiting");
        let waiting = browser.get("/join/waiting").await;
        assert!(waiting.text.contains("waits for a moderator"), "{}", waiting.text);
        let form = browser.get("/login").await.form("/login");
        let refused = browser.send(&form.with("username", "ada").with("password", PASSWORD)).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert!(refused.text.contains("waits for a moderator"), "{}", refused.text);

        app.server.admin(Command::Approve { username: "ada".into() }).await;
        let form = browser.get("/login").await.form("/login");
        let signed_in = browser.send(&form.with("username", "ada").with("password", PASSWORD)).await;
        assert_eq!(signed_in.to(), "/");
    }

    async fn moderators_approve_and_reject_on_their_page(
        app: TestApp, "signup.mode" = "approval"
    ) {
        app.person("judge", PASSWORD).await;
        app.server.admin(Command::Approve { username: "judge".into() }).await;
        app.grant_role("judge", "moderator").await;
        let ada = app.agent("ada").await.user.id;
        let eve = app.agent("eve").await.user.id;
        let browser = Browser::of(&app, "judge").await;
        let list = browser.get("/moderation/signups").await;
        assert!(list.text.contains("@ada") && list.text.contains("@eve"), "{}", list.text);
        assert!(browser.get("/@ada").await.text.contains("@ada"), "moderators see its profile");
        let approved = browser.post(&format!("/moderation/signups/{ada}/approve"), &[]).await;
        assert_eq!(approved.to(), "/moderation/signups");
        let reject = format!("/moderation/signups/{eve}/reject");
        assert!(list.text.contains(&format!("href=\"{reject}\"")), "{}", list.text);
        let asked = browser.get(&reject).await;
        assert!(asked.text.contains("Reject and erase @eve?"), "rejecting asks first: {}", asked.text);
        assert_eq!(browser.send(&asked.form(&reject)).await.to(), "/moderation/signups");
        assert!(browser.get("/moderation/signups").await.text.contains("No sign-ups are waiting"));
        let visitor = Browser::new(&app);
        assert_eq!(visitor.get("/@ada").await.status, StatusCode::OK);
        assert_eq!(visitor.get("/@eve").await.status, StatusCode::NOT_FOUND);
    }

    async fn the_form_holds_a_challenge_and_takes_its_proof(
        app: TestApp, "signup.proof" = "true", "signup.proof_cost" = "2"
    ) {
        let browser = Browser::new(&app);
        let page = browser.get("/join").await;
        assert!(page.text.contains("/assets/proof."), "{}", page.text);
        let html = page.html();
        let form = html.0.iter().find(|it| it.attributes.contains_key("data-proof")).unwrap();
        let challenge: Challenge = serde_json::from_str(&form.attributes["data-proof"]).unwrap();
        let without = browser.send(&filled(page.form("/join"), "ada")).await;
        assert_eq!(without.status, StatusCode::FORBIDDEN);
        assert!(without.text.contains("a proof of work is needed"), "{}", without.text);
        assert_eq!(without.form("/join").value("username"), "ada");
        let proof = svc_client::solve(&challenge).unwrap();
        let form = filled(without.form("/join"), "ada").with("proof", proof.as_str());
        assert_eq!(browser.send(&form).await.to(), "/welcome");
        assert!(!browser.get("/login").await.text.contains("data-proof"), "signing in needs none");
    }

    async fn after_many_failures_the_sign_in_asks_for_a_proof(
        app: TestApp, "limits.sign_in.everywhere_failures" = "1", "signup.proof_cost" = "2"
    ) {
        app.person("ada", PASSWORD).await;
        app.execute(|ctx| {
            ctx.tx.execute(svc_store::sql!("delete from known_network"), svc_store::values![])
        }).await;
        let browser = Browser::new(&app);
        let form = |sheet: Sheet, password: &str| sheet.with("username", "ada").with("password", password);
        let login = browser.get("/login").await.form("/login");
        browser.send(&form(login.clone(), "wrong password")).await;
        let refused = browser.send(&form(login, PASSWORD)).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        let html = refused.html();
        let element = html.0.iter().find(|it| it.attributes.contains_key("data-proof")).unwrap();
        let challenge: Challenge = serde_json::from_str(&element.attributes["data-proof"]).unwrap();
        let proof = svc_client::solve(&challenge).unwrap();
        let again = form(refused.form("/login"), PASSWORD).with("proof", proof.as_str());
        assert_eq!(browser.send(&again).await.to(), "/");
    }

    async fn members_create_invites_and_delete_them(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/invites";
        let page = browser.get(path).await;
        assert!(page.text.contains("You have no invites."), "{}", page.text);
        let form = page.form(path).with("expiresIn", "7d");
        let shown = browser.send(&form).await;
        let url = shown.html().named("pre")[0].text.clone();
        assert!(!browser.send(&form).await.text.contains(&url), "it is shown once");
        let (_, code) = url.split_once("invite=").unwrap();
        let joining = Browser::new(&app);
        let join = joining.get(&format!("/join?invite={code}")).await.form("/join");
        assert_eq!(joining.send(&filled(join, "bob")).await.to(), "/welcome");
        let listed = browser.get(path).await;
        listed.html();
        assert!(listed.text.contains("Used by <a href=\"/@bob\">@bob</a>"), "{}", listed.text);
        let open = ada.client.invites().create().await.unwrap().invite.invite_id;
        let delete = format!("{path}/{open}/delete");
        let listed = browser.get(path).await;
        assert!(listed.text.contains("Open until") && listed.text.contains(&delete), "{}", listed.text);
        assert_eq!(browser.post(&delete, &[]).await.to(), path);
        assert_eq!(ada.client.invites().list().await.unwrap().invites.len(), 1);
        assert!(!browser.get("/settings").await.text.contains(path), "nobody needs one here");
    }

    async fn a_new_account_reads_why_it_may_not_invite(
        app: TestApp, "signup.mode" = "approval", "limits.budgets" = "true"
    ) {
        app.person("ada", PASSWORD).await;
        app.server.admin(Command::Approve { username: "ada".into() }).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/invites";
        assert!(browser.get("/settings").await.text.contains(path), "the settings lead there");
        let refused = browser.send(&browser.get(path).await.form(path)).await;
        assert_eq!(refused.status, StatusCode::CONFLICT);
        assert!(refused.text.contains("new accounts can&#39;t invite others"), "{}", refused.text);
        browser.set("lang", "de");
        let refused = browser.send(&browser.get(path).await.form(path)).await;
        assert!(refused.text.contains("Neue Konten können noch niemanden einladen."), "{}", refused.text);
    }
}
