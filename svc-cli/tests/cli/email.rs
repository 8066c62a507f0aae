//! Links in mails: verified, and used to get back into an account.

use svc_server::mail::Recorder;

use crate::shell::{Shell, typed};

const MAIL: [(&str, &str); 1] = [("mail.url", "smtp://127.0.0.1:9")];

/// The token of the only mail with a link that is due.
async fn token(shell: &Shell, recorder: &Recorder) -> String {
    shell.server.send_mails().await;
    let mut mails = recorder.take();
    mails.retain(|mail| mail.text.contains("?token="));
    let [mail] = mails.try_into().expect("one mail with a link is due");
    mail.token()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_verified_and_leads_back_into_the_account() {
    let shell = Shell::start_with(&MAIL).await;
    let recorder = shell.server.record_mails();
    shell.person("ada");
    token(&shell, &recorder).await;
    let sent = shell.svc(&["email", "send"]).ok();
    assert!(sent.starts_with("sent: "), "{sent}");
    let link = token(&shell, &recorder).await;
    assert_eq!(shell.svc(&["email", "verify", "-"]).stdin(&link).ok().trim(), "verified");
    assert_eq!(shell.svc(&["email", "send", "--json"]).fails(5)["code"], "wrong_state");
    // Without a profile, as somebody who lost everything.
    let folder = tempfile::tempdir().unwrap();
    let anonymous = |line: &[&str]| typed(&folder, line).env("SVC_URL", &shell.server.url());
    let asked = anonymous(&["password", "reset", "ada@example.org"]).ok();
    assert!(asked.contains("ada@example.org gets a link"), "{asked}");
    let link = token(&shell, &recorder).await;
    let password = format!("@{}", shell.file("password", "battery staple"));
    let finish = ["password", "finish", "-", "--new-password", &password];
    let changed = anonymous(&finish).stdin(&link).ok();
    assert_eq!(changed.trim(), "changed: all sessions have ended");
    let again = anonymous(&[&finish[..], &["--json"]].concat()).stdin(&link).fails(3);
    assert_eq!(again["code"], "not_found");
    let sign_in = ["login", "ada", "--password-stdin", "--profile", "again"];
    shell.svc(&sign_in).stdin("battery staple").ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_gets_a_new_key_that_is_shown_once() {
    let shell = Shell::start_with(&MAIL).await;
    let recorder = shell.server.record_mails();
    shell.svc(&["signup", "wordbot", "--agent"]).ok();
    shell.svc(&["call", "update-me", "--email", "bot@example.org"]).ok();
    let link = token(&shell, &recorder).await;
    shell.svc(&["email", "verify", "-"]).stdin(&link).ok();
    shell.svc(&["password", "reset", "bot@example.org"]).ok();
    let link = token(&shell, &recorder).await;
    let ended = shell.svc(&["password", "finish", "-"]).stdin(&link).run();
    assert!(ended.stderr.contains("shown only once"), "{ended:?}");
    let whoami = shell.svc(&["whoami", "--json"]).env("SVC_API_KEY", ended.stdout.trim());
    assert_eq!(whoami.json()["user"]["username"], "wordbot");
    shell.svc(&["whoami"]).run().ends_with(4);
}
