//! Texts and typed data of posts and messages: bounds, what survives, what is read off them, and
//! what they must not contain (spec §8).

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::types::Code;
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::posts::{CreatePost, CreateReply, EditPost, PostFormat};

use crate::app::{Member, TestApp, fault};
use crate::channels::public;
use crate::on_both_engines;
use crate::raw::{answer, member};

/// What spec §7 says of a content that is empty or too long.
const REFUSAL: (&str, Option<&str>) =
    ("content is required and must be 1 to 40000 characters", Some("content"));

/// Texts that careless storage changes.
const DELICATE: &[&str] = &[
    "e\u{301} and \u{e9} are not made one",
    "\u{202b}\u{5e9}\u{5dc}\u{5d5}\u{5dd} 123\u{202c} \u{627}\u{644}\u{639}",
    "zero\u{200b}width \u{200d}\u{feff}",
    "\u{1f469}\u{1f3fd}\u{200d}\u{1f680} \u{1f1e9}\u{1f1ea}",
    "  leading, trailing \t\r\n ",
    "'; drop table post; -- \" \\ \\u0041 %s $1 {{x}} <script>",
    "\u{1}\u{1f}\u{7f}\u{85}\u{2028}\u{fffd}\u{10ffff}",
    "\n.\n",
];

/// Texts in which there is nothing to see.
const BLANK: &[&str] =
    &[" ", "\n\t \r\n", "\u{a0}\u{3000}", "\u{200b}\u{2060}\u{feff}", "\u{2800}"];

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

/// The refusal of a reply with these members in addition to its content.
async fn refused_reply(app: &TestApp, members: Value) -> (Code, String) {
    let ada = app.agent("ada").await;
    let path = format!("/posts/{}/replies", ada.post("top").await.id);
    let mut body = json!({ "content": "text" });
    body.as_object_mut().unwrap().extend(object(members));
    let refusal = answer(ada.raw(app, Method::POST, &path).json(&body)).await.refusal();
    (refusal.code, refusal.field.unwrap())
}

/// Whether a post, an edit and a message with this text are refused because it reveals a key.
async fn refuses_secret(writer: &Member, reader: &Member, secret: &str) -> bool {
    let text = format!("my key is {secret}, keep it");
    let posted = writer.client.posts().create(&*text).await;
    if posted.is_ok() {
        let call = writer.client.messages().send(&*reader.user.username, &*text);
        call.await.unwrap();
        return false;
    }
    let refused = (Code::CredentialInContent, "content".to_owned());
    assert_eq!(fault::<CreatePost>(posted), refused);
    let call = writer.client.messages().send(&*reader.user.username, &*text);
    assert_eq!(fault::<SendMessage>(call.await), refused);
    true
}

on_both_engines! {
    async fn forty_thousand_characters_are_counted_not_bytes(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let longest = "\u{1f980}".repeat(40_000);
        let post = ada.post(&longest).await;
        assert_eq!(post.content, longest);
        assert_eq!(ada.write(&bob, &longest).await.content, longest);
        assert_eq!(ada.reply(&post, "1").await.content, "1");
        for content in [String::new(), "\u{1f980}".repeat(40_001), "a".repeat(40_001)] {
            let posts = ada.client.posts();
            let refused = posts.reply(&post.id, &*content).await.unwrap_err();
            assert_eq!((refused.message(), refused.field()), REFUSAL);
            // An edit may leave it out, so there it is not required.
            let refused = posts.edit(&post.id).content(&*content).await;
            assert_eq!(fault::<EditPost>(refused), (Code::ValidationFailed, "content".to_owned()));
            let refused = ada.client.messages().send("bob", &*content).await.unwrap_err();
            assert_eq!((refused.message(), refused.field()), REFUSAL);
        }
    }

    async fn a_text_has_a_visible_character(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let top = ada.post("top").await;
        let channel = public(&ada, "open").await;
        let waiting = ada.schedule("later", app.ahead(3_600)).await;
        let rule = "content must have at least one visible character";
        let refusal = (Some(Code::ValidationFailed), rule.to_owned(), Some("content".to_owned()));
        let judged = |error: svc_client::Error| {
            (error.code().cloned(), error.message().to_owned(), error.field().map(str::to_owned))
        };
        let client = &ada.client;
        for blank in BLANK {
            let refused = [
                client.posts().create(*blank).await.map(drop),
                client.posts().reply(&top.id, *blank).await.map(drop),
                client.posts().edit(&top.id).content(*blank).await.map(drop),
                client.messages().send("bob", *blank).await.map(drop),
                client.channels().post(&channel.id, *blank).await.map(drop),
                client.scheduled_posts().create(*blank, app.ahead(7_200)).await.map(drop),
                client.scheduled_posts().edit(&waiting.id).content(*blank).await.map(drop),
            ];
            for refused in refused {
                assert_eq!(judged(refused.unwrap_err()), refusal, "{blank:?}");
            }
            let named = client.users().update_me().display_name(*blank).await;
            assert_eq!(named.unwrap_err().field(), Some("displayName"), "{blank:?}");
        }
        let joining = app.anonymous.auth().register_agent("cleo");
        let joining = joining.with(|request| request.display_name = Some("\u{200b}".into()));
        assert_eq!(joining.await.unwrap_err().field(), Some("displayName"));
        let data = || object(json!({ "warnings": 0 }));
        let message = client.messages().send("bob", " ").payload("build.v1", data()).await.unwrap();
        let read = bob.client.messages().get(&message.message.message_id).await.unwrap().message;
        assert_eq!(read.content, " ", "a payload says what there is to say");
        let reply = client.posts().reply(&top.id, " ").payload("build.v1", data()).await.unwrap().post;
        let edited = client.posts().edit(&reply.id).content("\n").await.unwrap().post;
        assert_eq!(edited.content, "\n");
        let posted = client.channels().post(&channel.id, " ").payload("build.v1", data()).await;
        assert_eq!(posted.unwrap().message.content, " ");
    }

    async fn a_content_warning_has_a_visible_character(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        let posts = ada.client.posts();
        let scheduled = ada.client.scheduled_posts();
        let waiting = ada.schedule("later", app.ahead(3_600)).await;
        for blank in BLANK {
            let reply = posts.reply(&top.id, "a").content_warning(*blank).await.map(drop);
            let edit = posts.edit(&top.id).content_warning(*blank).await.map(drop);
            let create = scheduled.create("a", app.ahead(7_200)).content_warning(*blank);
            let create = create.await.map(drop);
            let change = scheduled.edit(&waiting.id).content_warning(*blank).await.map(drop);
            for refused in [reply, edit, create, change] {
                let refused = refused.unwrap_err();
                let found = (refused.code(), refused.field());
                assert_eq!(found, (Some(&Code::ValidationFailed), Some("contentWarning")), "{blank:?}");
            }
        }
        let none = posts.reply(&top.id, "a").content_warning("").await.unwrap().post;
        assert_eq!(none.content_warning, None);
    }

    async fn missing_content_is_refused_in_the_words_of_the_spec(app: TestApp) {
        let ada = app.agent("ada").await;
        for body in [json!({}), json!({ "content": null }), json!({ "content": 1 })] {
            let refusal = answer(ada.raw(&app, Method::POST, "/posts").json(&body)).await.refusal();
            assert_eq!(refusal.code, Code::ValidationFailed);
            assert_eq!((&*refusal.error, refusal.field.as_deref()), REFUSAL);
        }
    }

    async fn texts_survive_byte_for_byte(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let top = ada.post("top").await;
        for text in DELICATE {
            let call = ada.client.posts().reply(&top.id, *text).with(|reply| {
                reply.content_warning = Some((*text).into());
                reply.schema = Some((*text).into());
                reply.payload = Some(object(json!({ *text: [text] })));
            });
            let reply = call.await.unwrap().post;
            let read = ada.client.posts().get(&reply.id).await.unwrap().post;
            assert_eq!(read, reply);
            assert_eq!((&*read.content, read.content_warning.as_deref()), (*text, Some(*text)));
            assert_eq!(read.payload, Some(object(json!({ *text: [text] }))));
            let message = ada.write(&bob, text).await;
            let read = bob.client.messages().get(&message.message_id).await.unwrap().message;
            assert_eq!((&*read.content, &read), (*text, &message));
        }
    }

    async fn the_character_zero_is_refused(app: TestApp) {
        let (ada, _bob) = (app.agent("ada").await, app.agent("bob").await);
        let invalid = |field: &str| (Code::ValidationFailed, field.to_owned());
        let call = ada.client.posts().create("a\0b");
        assert_eq!(fault::<CreatePost>(call.await), invalid("content"));
        let call = ada.client.posts().create("a").content_warning("\0");
        assert_eq!(fault::<CreatePost>(call.await), invalid("contentWarning"));
        let payloads =
            [json!({ "a": "\0" }), json!({ "\0": 1 }), json!({ "a": [{ "b": ["\0"] }] })];
        for payload in payloads {
            let call = ada.client.messages().send("bob", "a").payload("s", object(payload));
            let (code, field) = fault::<SendMessage>(call.await);
            assert_eq!((code, member(&field)), (Code::ValidationFailed, "payload"));
        }
        let harmless = object(json!({ "a": "\\u0000" }));
        let call = ada.client.messages().send("bob", "a").payload("s", harmless.clone());
        assert_eq!(call.await.unwrap().message.payload, Some(harmless));
    }

    async fn hashtags_are_read_off_the_text(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("#Rust, #rust (#GRÖSSE) #東京 #a_1 #2026 a#b ##c #x.").await;
        assert_eq!(post.hashtags, ["rust", "grösse", "東京", "a_1", "x"]);
        let odd = ada.reply(&post, "#_private \u{2764}\u{fe0f}#heart #1\u{fe0f}\u{20e3}").await;
        assert_eq!(odd.hashtags, ["_private", "heart"], "marks of emoji are no letters");
        let escaped = ada.reply(&post, "&#x3c;b&#x3e; & #real").await;
        assert_eq!(escaped.hashtags, ["real"], "a character reference is no hashtag");
        let many: Vec<String> = (0..40).map(|n| format!("#t{n}")).collect();
        assert_eq!(ada.reply(&post, &many.join(" ")).await.hashtags.len(), 30);
    }

    async fn mentions_are_existing_accounts(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let gone = app.agent("gone").await;
        gone.client.users().delete_me("gone").await.unwrap();
        let post = ada.post("@BOB @bob @nobody @gone bob@example.org and @ada").await;
        let mut named: Vec<&str> = post.mentions.iter().map(|named| &*named.username).collect();
        named.sort_unstable();
        assert_eq!(named, ["ada", "bob"]);
        assert!(post.mentions.iter().any(|named| named.id == bob.user.id));
    }

    async fn code_and_urls_name_nobody_and_have_no_hashtags(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let listed = async || bob.client.notifications().list().await.unwrap().notifications.len();
        let text = "#real\n\n```c\n#include <x>\n@bob\n```\n\n    @bob #deep\n\n`@bob #span` \
                    https://a.example/?to=@bob&on=#url";
        let post = ada.post(text).await;
        assert_eq!((post.mentions.len(), &*post.hashtags), (0, &["real".to_owned()][..]));
        assert_eq!(bob.client.posts().get(&post.id).await.unwrap().post.hashtags, ["real"]);
        let none = app.anonymous.hashtags().posts("include").await.unwrap_err();
        assert_eq!((none.code(), listed().await), (Some(&Code::NotFound), 0));
        let plain = ada.client.posts().reply(&post.id, text).format(PostFormat::Plain).await;
        let plain = plain.unwrap().post;
        assert_eq!((plain.mentions.len(), listed().await), (1, 1), "a plain text has no code");
        assert_eq!(plain.hashtags, ["real", "include", "deep", "span"]);
        let edited = ada.client.posts().edit(&post.id).content("@bob `#real` #new").await.unwrap();
        assert_eq!((edited.post.mentions.len(), listed().await), (1, 2));
        assert_eq!(edited.post.hashtags, ["new"]);
    }

    async fn emphasis_is_no_part_of_a_name_or_a_hashtag(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("_@bob_ and __#loud__, _a #quiet_ #snake_case").await;
        let named: Vec<&str> = post.mentions.iter().map(|named| &*named.username).collect();
        assert_eq!(named, ["bob"]);
        assert_eq!(post.hashtags, ["snake_case", "loud", "quiet"]);
        assert_eq!(bob.client.posts().get(&post.id).await.unwrap().post.hashtags, post.hashtags);
        app.index().await;
        assert_eq!(app.anonymous.hashtags().posts("quiet").await.unwrap().posts.len(), 1);
        assert_eq!(bob.client.notifications().list().await.unwrap().notifications.len(), 1);
    }

    async fn what_a_post_does_not_show_names_nobody_and_is_no_hashtag(app: TestApp) {
        let [ada, bob, bob_2] = app.agents(["ada", "bob", "bob_2"]).await;
        let listed = async |who: &Member| {
            who.client.notifications().list().await.unwrap().notifications.len()
        };
        let hidden = "[a](@bob) [b](https://a.example/ \"@bob #title\") [c]\n\n|a|\n|-|\n|b|@bob #cell|\n\n\
                      [c]: https://a.example/ \"@bob #definition\"\n[c]: @bob";
        let post = ada.post(hidden).await;
        assert_eq!((post.mentions.len(), post.hashtags.len(), listed(&bob).await), (0, 0, 0));
        let none = app.anonymous.hashtags().posts("title").await.unwrap_err();
        assert_eq!(none.code(), Some(&Code::NotFound));
        let shown = ada.reply(&post, "[@bob](https://a.example/) ![#picture](https://a.example/)").await;
        assert_eq!((shown.mentions.len(), &*shown.hashtags), (1, &["picture".to_owned()][..]));
        let escaped = ada.reply(&post, "@bob\\_2 and #snake\\_case").await;
        let named: Vec<&str> = escaped.mentions.iter().map(|named| &*named.username).collect();
        assert_eq!((named, &*escaped.hashtags), (vec!["bob_2"], &["snake_case".to_owned()][..]));
        assert_eq!((listed(&bob).await, listed(&bob_2).await), (1, 1));
    }

    async fn the_address_of_an_account_elsewhere_names_nobody(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("follow @bob@social.example, or @bob@ada").await;
        assert_eq!(post.mentions.len(), 1, "the second one is no address");
        let edited = ada.client.posts().edit(&post.id).content("@bob@social.example").await.unwrap();
        assert!(edited.post.mentions.is_empty());
        assert_eq!(bob.client.notifications().list().await.unwrap().notifications.len(), 1);
    }

    async fn schema_and_payload_require_each_other(app: TestApp) {
        let required = (Code::ValidationFailed, "payload".to_owned());
        assert_eq!(refused_reply(&app, json!({ "schema": "s" })).await, required);
        let bob = app.agent("bob").await;
        let call = bob.client.messages().send("ada", "text").with(|message| {
            message.payload = Some(Map::new());
        });
        assert_eq!(fault::<SendMessage>(call.await), (Code::ValidationFailed, "schema".to_owned()));
        let call = bob.client.messages().send("ada", "text").payload("s", Map::new());
        assert_eq!(call.await.unwrap().message.payload, Some(Map::new()));
    }

    async fn a_payload_has_at_most_sixteen_kibibytes(app: TestApp) {
        let (ada, _bob) = (app.agent("ada").await, app.agent("bob").await);
        let frame = r#"{"a":""}"#.len();
        let of_bytes = |bytes: usize| object(json!({ "a": "x".repeat(bytes - frame) }));
        let send = |bytes| ada.client.messages().send("bob", "text").payload("s", of_bytes(bytes));
        let largest = send(16 * 1024).await.unwrap().message;
        assert_eq!(largest.payload, Some(of_bytes(16 * 1024)));
        let refused = send(16 * 1024 + 1).await;
        assert_eq!(fault::<SendMessage>(refused), (Code::ValidationFailed, "payload".to_owned()));
    }

    async fn a_payload_is_an_object_with_a_short_schema_name(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        for (field, members) in [
            ("payload", json!({ "schema": "s", "payload": [] })),
            ("payload", json!({ "schema": "s", "payload": "text" })),
            ("schema", json!({ "schema": "", "payload": {} })),
            ("schema", json!({ "schema": "s".repeat(65), "payload": {} })),
            ("contentWarning", json!({ "contentWarning": "w".repeat(501) })),
            ("replyPolicy", json!({ "replyPolicy": "friends" })),
        ] {
            let mut body = json!({ "content": "text" });
            body.as_object_mut().unwrap().extend(object(members));
            let request = ada.raw(&app, Method::POST, &format!("/posts/{}/replies", top.id));
            let refusal = answer(request.json(&body)).await.refusal();
            assert_eq!(refusal.code, Code::ValidationFailed);
            assert_eq!(refusal.field.as_deref(), Some(field));
        }
    }

    async fn a_language_is_a_tag(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        let reply = |tag: &str| {
            let call = ada.client.posts().reply(&top.id, "text");
            call.with(|reply| reply.language = Some(tag.into()))
        };
        for tag in ["en", "pt-BR", "zh-Hant-TW", "de-1996", "es-419"] {
            assert_eq!(reply(tag).await.unwrap().post.language.as_deref(), Some(tag));
        }
        assert_eq!(reply("").await.unwrap().post.language, None);
        for tag in ["e", "english!", "pt_BR", "en-U_S", "-en", "en-", "en--US", &"en-".repeat(12)] {
            let refused = (Code::ValidationFailed, "language".to_owned());
            assert_eq!(fault::<CreateReply>(reply(tag).await), refused, "{tag}");
            let call = ada.client.posts().edit(&top.id);
            let call = call.with(|edit| edit.language = Some(tag.into()));
            assert_eq!(fault::<EditPost>(call.await), refused, "{tag}");
        }
    }

    async fn live_keys_and_tokens_are_refused_in_texts(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let developer = app.developer("gate").await;
        let token = bob.client.agents().create_identity_token().await.unwrap().token;
        let keys = [ada.key.expose(), bob.key.expose(), developer.key.expose()];
        for secret in keys.into_iter().chain([token.expose()]) {
            assert!(refuses_secret(&ada, &bob, secret).await, "{}…", &secret[..10]);
        }
        let post = ada.post("text").await;
        let call = ada.client.posts().edit(&post.id).content(ada.key.expose());
        let refused = (Code::CredentialInContent, "content".to_owned());
        assert_eq!(fault::<EditPost>(call.await), refused);
        let call = ada.client.posts().reply(&post.id, "text").with(|reply| {
            reply.content_warning = Some(bob.key.expose().into());
        });
        let refused = (Code::CredentialInContent, "contentWarning".to_owned());
        assert_eq!(fault::<CreateReply>(call.await), refused);
    }

    async fn revoked_and_invented_keys_are_accepted_in_texts(
        app: TestApp, "limits.posts.free_window" = "1s"
    ) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let token = bob.client.agents().create_identity_token().await.unwrap().token;
        let replaced = bob.client.auth().regenerate_api_key().await.unwrap();
        let old = bob.key.expose();
        let last = if old.ends_with('0') { '1' } else { '0' };
        let invented = format!("{}{last}", &old[..old.len() - 1]);
        let bob = Member { client: app.client(replaced.api_key), ..bob.clone() };
        for dead in [old, &*invented, token.expose(), "svc_ak_", "svc_dk_0000", "svc_id_x"] {
            assert!(!refuses_secret(&ada, &bob, dead).await, "{}…", &dead[..7]);
            app.advance(1);
        }
    }
}
