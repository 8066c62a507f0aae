//! Exports: an account's data as one ZIP file.

mod long_lists;
mod others;
mod requests;

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::process::Command as Process;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::export::{Export, ExportState};
use svc_client::types::api::orders::{ProgressState, ResponseStatus};
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::{Rating, Scope};
use svc_core::keys;
use svc_server::testing::found;
use svc_store::sql;
use svc_store::testing::left_out;
use zip::ZipArchive;

use crate::app::{Member, TestApp};
use crate::factors::add;
use crate::market::{Market, object};
use crate::oauth::DONE;
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";
const DAY: u64 = 24 * 3_600;

/// The file of an account, once it is made.
async fn download(member: &Member) -> Vec<u8> {
    let mut download = member.client.export().file().await.unwrap();
    let mut file = Vec::new();
    while let Some(piece) = download.chunk().await.unwrap() {
        file.extend_from_slice(&piece);
    }
    assert_eq!(download.bytes(), Some(file.len() as u64));
    file
}

/// Makes the export of an account. When the clock was moved, the server's own task may have taken it.
async fn make(app: &TestApp, member: &Member) -> Export {
    found("an export is made", async || {
        app.server.export().await;
        Some(state(member).await).filter(|export| export.state != ExportState::Working)
    })
    .await
}

/// Asks for an export and makes it.
async fn exported(app: &TestApp, member: &Member) -> Contents {
    member.client.export().create().await.unwrap();
    make(app, member).await;
    Contents::of(download(member).await)
}

async fn state(member: &Member) -> Export {
    member.client.export().get().await.unwrap().export
}

/// The files of an archive.
struct Contents(BTreeMap<String, Vec<u8>>);

impl Contents {
    fn of(file: Vec<u8>) -> Self {
        let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
        let mut files = BTreeMap::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            let name = entry.name().unwrap().into_owned();
            files.insert(name, bytes);
        }
        Self(files)
    }

    /// The lines of a kind.
    fn lines(&self, kind: &str) -> Vec<Value> {
        let text = std::str::from_utf8(&self.0[&format!("{kind}.jsonl")]).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A member of each line of a kind.
    fn column(&self, kind: &str, pointer: &str) -> Vec<Value> {
        self.lines(kind)
            .iter()
            .map(|line| line.pointer(pointer).cloned().unwrap_or_default())
            .collect()
    }

    fn manifest(&self) -> Value {
        serde_json::from_slice(&self.0["manifest.json"]).unwrap()
    }

    /// The whole text, to search for secrets.
    fn text(&self) -> String {
        self.0.values().map(|bytes| String::from_utf8_lossy(bytes)).collect()
    }
}

/// What ada does before she asks for her data.
async fn life(app: &TestApp, bob: &Member) -> Member {
    life_of(app, bob, "ada").await
}

/// The same of an account of this name.
async fn life_of(app: &TestApp, bob: &Member, name: &str) -> Member {
    let (ada, friend) = (app.agent(name).await, &*bob.user.username);
    let me = &ada.client;
    me.users().update_me().bio("counts words").await.unwrap();
    let first = ada.post("first words").await;
    me.posts().edit(&first.id).content("second words").await.unwrap();
    let theirs = bob.post("what do you think?").await;
    ada.reply(&theirs, "a reply").await;
    me.reactions().like(&theirs.id).await.unwrap();
    me.reactions().repost(&theirs.id).await.unwrap();
    me.reactions().bookmark(&theirs.id).await.unwrap();
    me.reactions().mute_thread(&theirs.id).await.unwrap();
    me.relations().follow(friend).await.unwrap();
    bob.client.relations().follow(name).await.unwrap();
    me.hashtags().follow("words").await.unwrap();
    let list = me.lists().create("readers").await.unwrap().list.id;
    me.lists().add(&list, [friend]).await.unwrap();
    ada.write(bob, "from ada").await;
    bob.write(&ada, "from bob").await;
    let channel = bob.client.channels().create(&*format!("room-of-{name}")).title("A room").await;
    let channel = channel.unwrap().channel.id;
    me.channels().join(&channel).await.unwrap();
    me.channels().post(&channel, "in the room").await.unwrap();
    bob.client.channels().post(&channel, "bob in the room").await.unwrap();
    let soon = app.server.clock().now().plus(Duration::from_hours(24));
    me.scheduled_posts().create("for later", soon).await.unwrap();
    me.webhooks().create("https://ada.example/hook").await.unwrap();
    me.keys().create("reader", [Scope::Read]).await.unwrap();
    let service = me.services().create("count", "counts words", 5).await.unwrap().service.id;
    let deal = bob.client.escrow().create(name, &service, 10, "a report").await.unwrap().escrow.id;
    let mut work = Deliverable::new("https://ada.example/report");
    work.access_token = Some("ghp_secret".into());
    me.escrow().deliver(&deal, work).notes("done").await.unwrap();
    ada
}

on_both_engines! {
    async fn an_export_holds_what_the_account_wrote_received_and_decided(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        let [fay, gil, hal, ida] = app.agents(["fay", "gil", "hal", "ida"]).await;
        hal.write(&ada, "from hal").await;
        let declined = ida.write(&ada, "from ida").await.conversation_id;
        ada.client.conversations().decline(&declined).await.unwrap();
        ada.client.relations().block("fay").await.unwrap();
        ada.client.relations().mute("gil").await.unwrap();
        // What others decided about it is theirs.
        gil.client.relations().block("ada").await.unwrap();
        fay.client.relations().mute("ada").await.unwrap();
        // What moderators hide is still its own.
        let hide = sql!("update post set hidden = true where content = 'a reply'");
        app.execute(move |ctx| ctx.tx.execute(hide, &[])).await;
        let asked = ada.client.export().create().await.unwrap().export;
        assert_eq!((asked.state, asked.expires_at), (ExportState::Working, None));
        let early = answer(ada.raw(&app, Method::GET, "/users/me/export/file")).await;
        assert_eq!(early.refusal().error, "the export is working");
        app.server.export().await;
        let ready = state(&ada).await;
        let in_7_days = app.server.clock().now().plus(Duration::from_secs(7 * DAY));
        assert_eq!((ready.state, ready.expires_at), (ExportState::Ready, Some(in_7_days)));
        let file = download(&ada).await;
        assert_eq!(ready.bytes, i64::try_from(file.len()).ok());
        let found = Contents::of(file);

        assert_eq!(found.column("account", "/bio"), ["counts words"]);
        assert_eq!(found.column("posts", "/content"), ["second words", "a reply"]);
        assert_eq!(found.column("post_revisions", "/content"), ["first words"]);
        for kind in ["likes", "reposts", "bookmarks"] {
            assert_eq!(found.column(kind, "/authorId"), [bob.user.id.as_str()], "{kind}");
        }
        assert_eq!(found.lines("thread_mutes").len(), 1);
        assert_eq!(found.column("following", "/username"), ["bob"]);
        assert_eq!(found.column("followers", "/username"), ["bob"]);
        assert_eq!(found.column("blocks", "/username"), ["fay"]);
        assert_eq!(found.column("mutes", "/username"), ["gil"]);
        assert_eq!(found.column("hashtags", "/name"), ["words"]);
        assert_eq!(found.column("lists", "/name"), ["readers"]);
        assert_eq!(found.column("list_members", "/username"), ["bob"]);
        let texts = ["from ada", "from bob", "from hal", "from ida"];
        assert_eq!(found.column("messages", "/content"), texts);
        for (kind, last) in [
            ("conversations", "from bob"), ("message_requests", "from hal"), ("declined_conversations", "from ida"),
        ] {
            assert_eq!(found.column(kind, "/lastMessage/content"), [last], "{kind}");
        }
        assert_eq!(found.column("channels", "/name"), ["room-of-ada"]);
        assert_eq!(found.column("channel_messages", "/content"), ["in the room"]);
        assert_eq!(found.column("scheduled_posts", "/content"), ["for later"]);
        assert_eq!(found.column("services", "/name"), ["count"]);
        assert_eq!(found.column("escrows", "/notes"), ["done"]);
        assert_eq!(found.column("escrow_events", "/action"), ["created", "funded", "delivered"]);
        assert_eq!(found.column("webhooks", "/url"), ["https://ada.example/hook"]);
        assert_eq!(found.column("keys", "/name"), ["default", "reader"]);
        assert_eq!(found.column("ledger", "/type").len(), 1);
        assert!(found.column("security_log", "/action").contains(&json!("export_requested")));
        assert!(!found.lines("notifications").is_empty());
        assert_eq!(found.column("tier", "/tier"), ["free"]);
        assert_eq!(found.lines("notification_preferences").len(), 1);
        for kind in ["apps", "grants", "reports", "agents", "pending_changes"] {
            assert_eq!(found.lines(kind), [Value::Null; 0], "{kind}");
        }
    }

    async fn an_export_holds_who_has_access_to_the_account(app: TestApp) {
        let ada = app.visitor("ada").await;
        let [bot, eve] = app.agents(["bot", "eve"]).await;
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        app.tokens(&ada, &client, "read").await;
        let me = &ada.member.client;
        me.developers().register("Door", "https://door.example.org").await.unwrap();
        let invite = me.invites().create().await.unwrap().invite;
        me.reports().create(Subject::user("eve"), ReportReason::Spam).await.unwrap();
        add(&app, &ada.member).await;
        let found = exported(&app, &ada.member).await;
        let sessions = me.sessions().list().await.unwrap().sessions;
        let sessions: Vec<Value> = sessions.iter().map(|one| json!(one.session_id)).collect();
        assert!(!sessions.is_empty());
        assert_eq!(found.column("sessions", "/sessionId"), sessions);
        assert_eq!(found.column("grants", "/client/name"), ["Gate"]);
        assert_eq!(found.column("apps", "/appName"), ["Door"]);
        assert_eq!(found.column("invites", "/inviteId"), [invite.invite_id.as_str()]);
        assert_eq!(found.column("factors", "/totp"), [true]);
        assert_eq!(found.column("agents", "/username"), ["bot"]);
        assert_eq!(found.column("reports", "/subject/id"), [eve.user.id.as_str()]);
        assert_eq!(found.lines("links"), [Value::Null; 0]);
    }

    async fn an_export_holds_no_secret(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        let text = exported(&app, &ada).await.text();
        for secret in ["svc_ak_", "whsec_", "ghp_secret"] {
            assert!(!text.contains(secret), "{secret}");
        }
    }

    async fn the_manifest_counts_and_hashes_each_file(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for n in 0..120 {
            bob.write(&ada, &format!("message {n}")).await;
        }
        let found = exported(&app, &ada).await;
        let manifest = found.manifest();
        assert_eq!((&manifest["format"], &manifest["version"]), (&json!("svc-export"), &json!(2)));
        assert_eq!(manifest["account"], ada.user.id.as_str());
        let files = manifest["files"].as_array().unwrap();
        assert_eq!(files.len() + 1, found.0.len());
        for file in files {
            let bytes = &found.0[file["name"].as_str().unwrap()];
            let hash = keys::hex(&Sha256::digest(bytes));
            assert_eq!((&file["bytes"], &file["sha256"]), (&json!(bytes.len()), &json!(hash)));
            if file["name"] == "messages.jsonl" {
                assert_eq!(file["records"], 120);
            }
        }
        let texts: Vec<Value> = (0..120).map(|n| json!(format!("message {n}"))).collect();
        assert_eq!(found.column("messages", "/content"), texts, "every page, in order");
    }

    async fn the_guide_names_each_file(app: TestApp) {
        let ada = app.agent("ada").await;
        let guide = include_str!("../../../docs/exports.md");
        let files = exported(&app, &ada).await.0;
        for name in files.keys().filter(|name| *name != "manifest.json") {
            let kind = name.trim_end_matches(".jsonl");
            assert!([name.as_str(), kind].iter().any(|it| guide.contains(&format!("`{it}`"))), "{name}");
        }
        // And each file that it names is there, even if it is empty.
        for row in guide.lines().filter(|line| line.starts_with("| `")) {
            let names = row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2);
            for name in names.filter(|name| !name.ends_with('/')) {
                assert!(files.contains_key(name) || files.contains_key(&format!("{name}.jsonl")), "{name}");
            }
        }
    }

    async fn an_order_is_exported_as_both_parties_see_it(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let id = market.placing().max_credits(10).await.unwrap().order.id;
        let asking = bob.progress(&id, ProgressState::InputRequired).prompt("Which language?");
        asking.await.unwrap();
        ada.input(&id, "1", json!("de")).await.unwrap();
        let words = object(json!({ "words": 2 }));
        bob.answer(&id, ResponseStatus::Completed).output(words).await.unwrap();
        ada.review(&id, Rating::from_half_steps(9).unwrap()).await.unwrap();
        bob.propose_sample(&id).await.unwrap();
        for (party, is_buyer) in [(&market.ada, true), (&market.bob, false)] {
            let found = exported(&market.app, party).await;
            let (ratings, states) =
                if is_buyer { (vec![4.5], vec!["proposed"]) } else { (vec![], vec![]) };
            assert_eq!(found.column("reviews", "/rating"), ratings);
            assert_eq!(found.column("samples", "/state"), states);
            assert_eq!(found.column("orders", "/id"), [id.as_str()]);
            assert_eq!(found.column("orders", "/prompt/input"), ["de"]);
            assert_eq!(found.column("orders", "/status"), ["completed"]);
        }
    }

    async fn an_export_holds_nothing_that_others_did_and_both_sides_of_deals(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let [mine, theirs] = [ada.post("mine").await.id, bob.post("theirs").await.id];
        bob.client.posts().edit(&theirs).content("theirs, edited").await.unwrap();
        let reactions = bob.client.reactions();
        reactions.like(&mine).await.unwrap();
        reactions.repost(&mine).await.unwrap();
        reactions.bookmark(&mine).await.unwrap();
        reactions.mute_thread(&mine).await.unwrap();
        ada.client.reactions().bookmark(&theirs).await.unwrap();
        let list = bob.client.lists().create("of bob").await.unwrap().list.id;
        bob.client.lists().add(&list, ["cyd"]).await.unwrap();
        bob.client.webhooks().create("https://bob.example/hook").await.unwrap();
        let gone = ada.client.webhooks().create("https://ada.example/gone").await.unwrap().webhook.id;
        ada.client.webhooks().delete(&gone).await.unwrap();
        let service = bob.client.services().create("count", "counts words", 5).await.unwrap().service.id;
        let mut bought = Vec::new();
        for buyer in [&ada, &cyd] {
            let opening = buyer.client.escrow().create("bob", &service, 10, "a report");
            bought.push(opening.await.unwrap().escrow.id);
        }
        let found = exported(&app, &ada).await;
        assert_eq!(found.column("bookmarks", "/postId"), [theirs.as_str()]);
        assert_eq!(found.column("escrows", "/id"), [bought[0].as_str()]);
        assert_eq!(found.column("escrow_events", "/action"), ["created", "funded"], "as the buyer, too");
        for kind in [
            "post_revisions", "likes", "reposts", "thread_mutes", "list_members", "webhooks",
            "webhook_deliveries",
        ] {
            assert_eq!(found.lines(kind), [Value::Null; 0], "{kind}");
        }
    }

    async fn the_avatar_is_part_of_it(app: TestApp) {
        let members = app.agents(["ada", "bob"]).await;
        for (member, red) in members.iter().zip([200, 100]) {
            member.client.users().upload_avatar(crate::avatars::png(red)).await.unwrap();
        }
        for member in &members {
            let found = exported(&app, member).await;
            let path = format!("/users/{}/avatar", member.user.username);
            let shown = app.raw(Method::GET, &path).send().await.unwrap();
            assert_eq!(found.0["media/avatar.png"], shown.bytes().await.unwrap());
        }
    }

    async fn the_images_of_posts_are_part_of_it(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut urls = Vec::new();
        for (who, alt) in [(&ada, "one"), (&bob, "other"), (&ada, "two")] {
            let image = who.client.posts().upload_image(crate::avatars::png(9), alt).await.unwrap();
            urls.push(image.media.url.strip_prefix(&app.server.url()).unwrap().to_owned());
        }
        let found = exported(&app, &ada).await;
        let names: Vec<_> = found.0.keys().filter(|name| name.starts_with("media/media_")).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        for url in [&urls[0], &urls[2]] {
            let request = app.raw(Method::GET, url).bearer_auth(ada.key.expose());
            let shown = request.send().await.unwrap().bytes().await.unwrap();
            assert_eq!(found.0[&format!("{}.png", &url[1..])], shown);
        }
    }

    async fn python_reads_the_archive(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        ada.client.export().create().await.unwrap();
        app.server.export().await;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("export.zip");
        std::fs::write(&path, download(&ada).await).unwrap();
        let script = "import json, sys, zipfile\n\
            archive = zipfile.ZipFile(sys.argv[1])\n\
            assert archive.testzip() is None\n\
            posts = archive.read('posts.jsonl').decode().splitlines()\n\
            print([json.loads(post)['content'] for post in posts])";
        let Ok(output) = Process::new("python3").args(["-c", script]).arg(&path).output() else {
            left_out("Python");
            return;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "['second words', 'a reply']\n");
    }
}
