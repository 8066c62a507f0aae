//! Images of posts: uploaded, attached, read by those who may read the post, removed.

use http::Method;
use reqwest::RequestBuilder;
use serde_json::json;
use svc_client::types::api::media::Attachment;
use svc_client::types::api::posts::{CreatePost, Post};
use svc_client::types::{Code, MediaId};
use svc_core::identity::acting;
use svc_core::pictures::Image;
use svc_core::services::blob::{Blob, File};
use svc_core::services::media;
use svc_core::tasks::sweep;
use svc_server::testing::in_time;
use svc_store::sql;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::app::{Member, TestApp, code};
use crate::avatars::{picture, png};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// A day after which an image without a post is removed, in seconds.
const DAY: u64 = 24 * 3_600;

async fn upload(who: &Member, alt: &str) -> Attachment {
    who.client.posts().upload_image(png(7), alt).await.unwrap().media
}

/// Publishes a post with images.
async fn publish(who: &Member, images: impl IntoIterator<Item = MediaId>) -> Post {
    who.client.posts().create("look").media_ids(images).await.unwrap().post
}

/// A form with these fields.
fn form(app: &TestApp, who: &Member, fields: &[(&str, &[u8])]) -> RequestBuilder {
    let mut body = Vec::new();
    for (name, content) in fields {
        let head = format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend([head.as_bytes(), *content, b"\r\n"].concat());
    }
    body.extend(b"--b--\r\n");
    let request = app.raw(Method::POST, "/media").bearer_auth(who.key.expose()).body(body);
    request.header("content-type", "multipart/form-data; boundary=b")
}

/// Most bytes of a form with an image, and how many such forms are read at once: of all accounts, and of one.
const FORM_BYTES: usize = 8 * 1024 * 1024 + 16 * 1024;
const FORMS: usize = 7;
const FORMS_OF_ONE: usize = 3;

/// An upload of which only the head was sent.
struct Begun(TcpStream);

impl Begun {
    /// Announces a form that is as long as one may be.
    async fn send(app: &TestApp, who: &Member) -> Self {
        let address = app.server.url().replace("http://", "").replace("/api", "");
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "POST /api/media HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {FORM_BYTES}\r\n\
             Expect: 100-continue\r\n\r\n",
            who.key.expose()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        Self(stream)
    }

    /// Waits until the server asks for the form, and sends its beginning.
    async fn is_read(&mut self) {
        let mut answer = [0; 25];
        let asked = in_time("there is room for a form", self.0.read_exact(&mut answer)).await;
        asked.unwrap();
        assert_eq!(str::from_utf8(&answer), Ok("HTTP/1.1 100 Continue\r\n\r\n"));
        let head = b"--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n";
        self.0.write_all(&[&head[..], &png(1)].concat()).await.unwrap();
    }
}

/// What an image's address answers.
async fn get(app: &TestApp, address: &str, who: Option<&Member>) -> Raw {
    let request = app.raw(Method::GET, address.strip_prefix(&app.server.url()).unwrap());
    let request =
        who.into_iter().fold(request, |request, who| request.bearer_auth(who.key.expose()));
    answer(request).await
}

async fn status(app: &TestApp, address: &str, who: Option<&Member>) -> u16 {
    get(app, address, who).await.status.as_u16()
}

/// How many images and how many of their files are stored.
async fn stored(app: &TestApp) -> (i64, i64) {
    let files = app.count(sql!("select count(*) from media_file")).await;
    (app.count(sql!("select count(*) from media")).await, files)
}

on_both_engines! {
    async fn a_post_shows_its_images_in_order_wherever_it_is_read(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [one, two] = [upload(&ada, "Sales by month").await, upload(&ada, "Costs").await];
        assert_eq!((one.width, one.height, &*one.alt), (40, 30, "Sales by month"));
        assert_eq!(one.url, format!("{}/media/{}", app.server.url(), one.id));
        assert_eq!(one.thumb_url, format!("{}/thumb", one.url));
        let post = publish(&ada, [two.id.clone(), one.id.clone()]).await;
        let shown = vec![two, one];
        assert_eq!(post.attachments, shown, "in the answer");
        let read = app.anonymous.posts().get(&post.id).await.unwrap().post;
        assert_eq!(read.attachments, shown);
        let listed = app.anonymous.posts().get_many([post.id.clone()]).await.unwrap().posts;
        assert_eq!(listed[0].attachments, shown);
        let image = upload(&bob, "A cat").await;
        let replying = bob.client.posts().reply(&post.id, "mine").media_ids([image.id.clone()]);
        let reply = replying.await.unwrap().post;
        let replies = app.anonymous.posts().replies(&post.id).await.unwrap().posts;
        assert_eq!((&replies[0].attachments, &reply.attachments), (&vec![image.clone()], &vec![image]));
        let image = upload(&bob, "A dog").await;
        let wordless = bob.client.posts().reply(&post.id, " ").media_ids([image.id.clone()]);
        let wordless = wordless.await.unwrap().post;
        assert_eq!(wordless.attachments, [image]);
        let edited = bob.client.posts().edit(&wordless.id).content("\n").await.unwrap().post;
        assert_eq!((&*edited.content, edited.attachments), ("\n", wordless.attachments));
        let plain = ada.client.posts().reply(&post.id, "no image").await.unwrap().post;
        assert!(serde_json::to_value(plain).unwrap().get("attachments").is_none());
    }

    async fn an_embed_has_room_for_its_images(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await;
        let mut heights = Vec::new();
        for (images, warning) in [(0, None), (1, None), (2, None), (1, Some("spiders"))] {
            let mut ids = Vec::new();
            for _ in 0..images {
                ids.push(upload(&ada, "Sales").await.id);
            }
            let reply = ada.client.posts().reply(&post.id, "look").media_ids(ids);
            let reply = reply.with(|request| request.content_warning = warning.map(Into::into));
            let id = reply.await.unwrap().post.id;
            heights.push(app.anonymous.embeds().get(&id).await.unwrap().embed.height);
        }
        // 524 pixels beside the margins: 393 below one image, and 195 below one of two; each with a gap of 4.
        assert_eq!(heights, [174, 174 + 397, 174 + 199, 174 + 24], "an image behind a warning is folded");
    }

    async fn an_image_is_served_in_two_sizes_as_a_new_file(app: TestApp) {
        let ada = app.agent("ada").await;
        let large = picture(image::ImageFormat::Jpeg, 9, (2100, 1050));
        let image = ada.client.posts().upload_image(large, "wide").await.unwrap().media;
        assert_eq!((image.width, image.height), (2048, 1024));
        publish(&ada, [image.id.clone()]).await;
        for (address, size) in [(&image.url, (2048, 1024)), (&image.thumb_url, (640, 320))] {
            let served = get(&app, address, None).await;
            assert_eq!(served.header("content-type"), Some("image/jpeg"));
            assert_eq!(served.header("cache-control"), Some("public, max-age=300"));
            assert_eq!(served.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(served.header("content-security-policy"), Some("default-src 'none'; sandbox"));
            assert_eq!(served.header("content-disposition"), Some("inline"));
            let path = address.strip_prefix(&app.server.url()).unwrap();
            let bytes = app.raw(Method::GET, path).send().await.unwrap().bytes().await.unwrap();
            let pixels = image::load_from_memory(&bytes).unwrap().to_rgb8();
            assert_eq!(pixels.dimensions(), size);
            let etag = served.header("etag").unwrap().to_owned();
            let again = app.raw(Method::GET, path).header("if-none-match", etag);
            assert_eq!(answer(again).await.status, 304);
        }
    }

    async fn an_image_is_as_visible_as_its_post(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let image = upload(&ada, "mine").await;
        for address in [&image.url, &image.thumb_url] {
            assert_eq!(status(&app, address, None).await, 404, "it has no post");
            assert_eq!(status(&app, address, Some(&bob)).await, 404);
            let own = get(&app, address, Some(&ada)).await;
            assert_eq!((own.status.as_u16(), own.header("cache-control")), (200, Some("private, no-store")));
        }
        let post = publish(&ada, [image.id.clone()]).await;
        assert_eq!(status(&app, &image.url, None).await, 200);
        ada.client.relations().block("bob").await.unwrap();
        let [public, blocked] = [None, Some(&bob)];
        assert_eq!(status(&app, &image.url, public).await, 200);
        let read = bob.client.posts().get(&post.id).await;
        let expected = if read.is_ok() { 200 } else { 404 };
        assert_eq!(status(&app, &image.url, blocked).await, expected, "as for the post");
        app.suspend("ada").await;
        assert_eq!(status(&app, &image.url, public).await, 404, "its author is suspended");
        app.unsuspend("ada").await;
        ada.client.posts().delete(&post.id).await.unwrap();
        assert_eq!(status(&app, &image.url, Some(&ada)).await, 404);
        assert_eq!(stored(&app).await, (0, 0), "nothing of a deleted post stays");
        let nothing = app.raw(Method::GET, "/media/media_nothing%00");
        assert_eq!(answer(nothing).await.status, 404);
    }

    async fn no_cache_keeps_the_image_of_a_hidden_post_for_others(app: TestApp) {
        let [ada, bob, max] = app.agents(["ada", "bob", "max"]).await;
        app.grant_role("max", "moderator").await;
        let image = upload(&ada, "mine").await;
        let post = publish(&ada, [image.id.clone()]).await;
        app.hide(&post).await;
        for address in [&image.url, &image.thumb_url] {
            for reader in [&ada, &max] {
                let served = get(&app, address, Some(reader)).await;
                let found = (served.status.as_u16(), served.header("cache-control"));
                assert_eq!(found, (200, Some("private, no-store")), "{}", reader.user.username);
            }
            for other in [None, Some(&bob)] {
                assert_eq!(status(&app, address, other).await, 404);
            }
        }
    }

    async fn only_own_images_without_a_post_become_part_of_one(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let image = upload(&ada, "mine").await.id;
        let create = async |who: &Member, ids: &[&MediaId]| {
            let ids = ids.iter().map(|id| (*id).clone());
            code::<CreatePost>(who.client.posts().create("look").media_ids(ids).await)
        };
        assert_eq!(create(&bob, &[&image]).await, Code::NotFound);
        assert_eq!(create(&ada, &[&"media_nothing".into()]).await, Code::NotFound);
        assert_eq!(create(&ada, &[&image, &image]).await, Code::ValidationFailed);
        assert_eq!(create(&ada, &[&image; 5]).await, Code::ValidationFailed);
        assert_eq!(app.count(sql!("select count(*) from post")).await, 0, "nothing was published");
        let post = publish(&ada, [image.clone()]).await;
        let reply = ada.client.posts().reply(&post.id, "again").media_ids([image.clone()]);
        let refused = reply.await.unwrap_err();
        assert_eq!((refused.code(), refused.field()), (Some(&Code::WrongState), Some("mediaIds")));
    }

    async fn what_is_no_image_or_says_nothing_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let file = png(1);
        let long = "a".repeat(1501);
        for (fields, field) in [
            (vec![("file", &*file)], "alt"),
            (vec![("file", &*file), ("alt", b" ")], "alt"),
            (vec![("file", &*file), ("alt", "\u{200b}".as_bytes())], "alt"),
            (vec![("file", &*file), ("alt", long.as_bytes())], "alt"),
            (vec![("file", &*file), ("alt", b"\xff")], "alt"),
            (vec![("alt", b"a")], "file"),
            (vec![("file", b"<svg/>"), ("alt", b"a")], "file"),
            (vec![("file", &*file), ("file", &*file), ("alt", b"a")], "file"),
        ] {
            let refusal = answer(form(&app, &ada, &fields)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
        let large = vec![0; 8 * 1024 * 1024 + 1];
        let refused = answer(form(&app, &ada, &[("file", &large), ("alt", b"a")])).await;
        assert_eq!(refused.refusal().code, Code::PayloadTooLarge);
        let json = app.raw(Method::POST, "/media").bearer_auth(ada.key.expose()).json(&json!({}));
        let refused = answer(json).await.refusal();
        assert_eq!(refused.code, Code::UnsupportedMediaType);
        assert_eq!(refused.hint.as_deref(), Some("send Content-Type: multipart/form-data"));
        let key = ada.key.expose();
        let leaked = form(&app, &ada, &[("file", &file), ("alt", key.as_bytes())]);
        assert_eq!(answer(leaked).await.refusal().code, Code::CredentialInContent);
        assert_eq!(stored(&app).await, (0, 0));
    }

    async fn only_an_account_that_may_post_uploads(app: TestApp) {
        let ada = app.agent("ada").await;
        let file = png(1);
        let fields = [("file", &*file), ("alt", &b"a"[..])];
        let mut other = ada.clone();
        other.key = "svc_ak_wrong".into();
        assert_eq!(answer(form(&app, &other, &fields)).await.refusal().code, Code::Unauthorized);
        other.key = ada.client.keys().create("reading", ["read"]).await.unwrap().api_key;
        assert_eq!(answer(form(&app, &other, &fields)).await.refusal().code, Code::InsufficientScope);
        app.suspend("ada").await;
        assert_eq!(answer(form(&app, &ada, &fields)).await.refusal().code, Code::AccountSuspended);
    }

    async fn an_account_that_is_suspended_or_deleted_meanwhile_adds_no_image(app: TestApp) {
        let ada = app.agent("ada").await;
        let server = app.server.app();
        let id = ada.user.id.clone();
        let uploader = server.read(move |ctx| acting(ctx, &id)).await.unwrap().unwrap();
        let added = async || {
            let size = || File {
                hash: "a".to_owned(),
                content_type: "image/png".to_owned(),
                blob: Blob::Bytes(png(1)),
            };
            let image = Image { full: size(), thumb: size(), width: 1, height: 1, bytes: 1 };
            let uploader = uploader.clone();
            let added = server.write(move |ctx| media::add(ctx, &uploader, &image, "a")).await;
            added.unwrap_err().code()
        };
        app.suspend("ada").await;
        assert_eq!(added().await, Code::AccountSuspended);
        app.unsuspend("ada").await;
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(added().await, Code::AccountDeleted);
        assert_eq!(stored(&app).await, (0, 0));
    }

    async fn a_repeated_upload_makes_one_image(app: TestApp) {
        let ada = app.agent("ada").await;
        let file = png(1);
        let fields = [("file", &*file), ("alt", &b"a"[..])];
        let mut ids = Vec::new();
        for _ in 0..2 {
            let request = form(&app, &ada, &fields).header("idempotency-key", "once");
            let answer = answer(request).await;
            assert_eq!(answer.status, 201);
            ids.push(answer.json()["media"]["id"].clone());
        }
        assert_eq!((&ids[0], stored(&app).await), (&ids[1], (1, 2)));
    }

    async fn a_repeated_upload_makes_one_image_whatever_boundary_its_form_has(app: TestApp) {
        let ada = app.agent("ada").await;
        // The client chooses a boundary at random for each form.
        let upload = |alt| ada.client.posts().upload_image(png(1), alt).idempotency_key("once");
        let (first, again) = (upload("a").raw().await.unwrap(), upload("a").raw().await.unwrap());
        assert_eq!((&first.value.media.id, first.replayed), (&again.value.media.id, false));
        assert!(again.replayed);
        assert_eq!(stored(&app).await, (1, 2));
        let refused = upload("b").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::IdempotencyConflict), "{refused}");
    }

    async fn forms_that_are_cut_leave_nothing_and_free_their_room(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let mut cut = Vec::new();
        for number in 0..FORMS {
            let mut begun = Begun::send(&app, [&ada, &bob, &cyd][number / FORMS_OF_ONE]).await;
            begun.is_read().await;
            cut.push(begun);
        }
        let mut next = Begun::send(&app, &ada).await;
        drop(cut);
        next.is_read().await;
        drop(next);
        upload(&ada, "whole").await;
        assert_eq!(stored(&app).await, (1, 2));
    }

    async fn an_image_without_a_post_is_removed_after_a_day(app: TestApp) {
        let ada = app.agent("ada").await;
        let [kept, forgotten] = [upload(&ada, "a").await, upload(&ada, "b").await];
        publish(&ada, [kept.id]).await;
        app.advance(DAY - 1);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(stored(&app).await, (2, 4));
        app.advance(2);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(stored(&app).await, (1, 2));
        assert_eq!(status(&app, &forgotten.url, Some(&ada)).await, 404);
    }

    async fn the_images_of_an_account_have_an_end(app: TestApp) {
        let ada = app.agent("ada").await;
        let image = upload(&ada, "a").await;
        let fill = sql!("update media set bytes = 200 * 1024 * 1024 - 16384");
        app.server.app().write(move |ctx| ctx.tx.execute(fill, &[])).await.unwrap();
        upload(&ada, "the last").await;
        let refused = ada.client.posts().upload_image(png(1), "b").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::LimitReached), "{refused}");
        upload(&app.agent("bob").await, "of another account").await;
        let post = publish(&ada, [image.id]).await;
        ada.client.posts().delete(post.id).await.unwrap();
        upload(&ada, "there is room again").await;
        assert_eq!(stored(&app).await, (3, 6), "other posts and accounts keep their images");
    }

    async fn an_erased_account_leaves_no_image(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let images = [upload(&ada, "a").await, upload(&ada, "b").await];
        publish(&ada, [images[0].id.clone()]).await;
        publish(&bob, [upload(&bob, "c").await.id]).await;
        ada.client.users().delete_me("ada").await.unwrap();
        app.advance(15 * DAY);
        app.server.erase().await;
        assert_eq!(stored(&app).await, (1, 2), "bob's is left");
    }
}
