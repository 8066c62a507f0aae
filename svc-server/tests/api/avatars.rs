//! Pictures of accounts: uploaded, served, removed.

use std::io::Cursor;

use http::Method;
use image::ImageFormat::{self, Gif, Jpeg, Png, WebP};
use image::{DynamicImage, Rgb, RgbImage};
use reqwest::RequestBuilder;
use svc_client::types::api::users::GetMe;
use svc_client::types::{Code, Scope};
use svc_core::identity::{Account, acting};
use svc_core::services::avatar;
use svc_core::services::blob::{Blob, File};
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{Member, SEC_FETCH_SITE, TestApp, code};
use crate::on_both_engines;
use crate::owners::pair;
use crate::raw::{Raw, answer, code_of};

/// The size of pictures, unless a test says another.
const SIZE: (u32, u32) = (40, 30);

/// A picture of one colour.
pub(crate) fn picture(format: ImageFormat, red: u8, (width, height): (u32, u32)) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let plain = RgbImage::from_pixel(width, height, Rgb([red, 2, 3]));
    DynamicImage::from(plain).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn png(red: u8) -> Vec<u8> {
    picture(Png, red, SIZE)
}

/// An upload by PUT, without a Content-Type.
fn put(app: &TestApp, member: &Member, body: Vec<u8>) -> RequestBuilder {
    app.raw(Method::PUT, "/users/me/avatar").bearer_auth(member.key.expose()).body(body)
}

/// An upload as a form with these fields.
fn form(app: &TestApp, member: &Member, fields: &[(&str, &[u8])]) -> RequestBuilder {
    let mut body = Vec::new();
    for (name, content) in fields {
        let head = format!(
            "--b\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"../../x.php\"\r\n\
             Content-Type: text/html\r\n\r\n"
        );
        body.extend([head.as_bytes(), *content, b"\r\n"].concat());
    }
    body.extend(b"--b--\r\n");
    put(app, member, body).header("content-type", "multipart/form-data; boundary=b")
}

/// Reads what an avatar's address shows.
async fn get_picture(app: &TestApp, address: &str) -> (Raw, Vec<u8>) {
    let path = address.strip_prefix(&app.server.url()).unwrap();
    let bytes = app.raw(Method::GET, path).send().await.unwrap().bytes().await.unwrap();
    (answer(app.raw(Method::GET, path)).await, bytes.to_vec())
}

/// The number of stored pictures.
async fn stored_pictures(app: &TestApp) -> i64 {
    let count =
        app.server.app().read(|ctx| ctx.tx.one(sql!("select count(*) from avatar"), values![]));
    count.await.unwrap()
}

on_both_engines! {
    async fn an_operator_can_limit_uploads(
        app: TestApp, "limits.uploads.count" = "2", "limits.uploads.window" = "1m"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        assert_eq!(answer(put(&app, &ada, png(1))).await.status, 200);
        let broken = answer(put(&app, &ada, b"no picture".to_vec())).await;
        assert_eq!(broken.status, 400, "what can't be decoded takes its time too");
        let refused = answer(put(&app, &ada, png(2))).await;
        assert_eq!(refused.refusal().code, Code::RateLimited);
        assert_eq!(refused.header("retry-after"), Some("60"));
        assert_eq!(answer(put(&app, &bob, png(2))).await.status, 200);
        app.advance(60);
        assert_eq!(answer(put(&app, &ada, png(2))).await.status, 200);
        assert_eq!(answer(put(&app, &ada, png(3))).await.status, 200);
        assert_eq!(answer(put(&app, &ada, png(4))).await.status, 429);
        let year = sql!("update login_failure set at = at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        let right = answer(put(&app, &ada, png(4))).await;
        assert_eq!(right.status, 200, "a clock that was far ahead locks nobody out");
    }

    async fn an_uploaded_picture_appears_wherever_its_account_does(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let user = ada.client.users().upload_avatar(png(9)).await.unwrap().user;
        let plain = format!("{}/users/{}/avatar?v=", app.server.url(), ada.user.id);
        assert!(user.avatar.starts_with(&plain), "{}", user.avatar);
        assert_eq!(user.avatar.len(), plain.len() + 16);
        let (raw, bytes) = get_picture(&app, &user.avatar).await;
        assert_eq!((raw.status.as_u16(), raw.header("content-type")), (200, Some("image/png")));
        assert_eq!(raw.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(raw.header("content-security-policy"), Some("default-src 'none'; sandbox"));
        assert_eq!(raw.header("content-disposition"), Some("inline"));
        let pixels = image::load_from_memory(&bytes).unwrap().to_rgb8();
        assert_eq!((pixels.dimensions(), pixels.get_pixel(0, 0).0), ((30, 30), [9, 2, 3]));

        assert_eq!(ada.client.users().me().await.unwrap().user.avatar, user.avatar);
        assert_eq!(app.anonymous.users().get("ada").await.unwrap().user.avatar, user.avatar);
        let listed = app.anonymous.users().list().beginning("ada").await.unwrap().users;
        assert_eq!(listed[0].avatar, user.avatar);
        let post = ada.client.posts().create("first").await.unwrap().post;
        assert_eq!(post.author.avatar, user.avatar, "in the answer");
        let quoting = bob.client.posts().create("well said").quote(post.id.clone());
        let quote = quoting.await.unwrap().post.quote.unwrap();
        assert_eq!(quote.author.avatar, user.avatar, "in a quote");
        let read = app.anonymous.posts().get(post.id).await.unwrap().post;
        assert_eq!(read.author.avatar, user.avatar, "as it is read");
        bob.client.messages().send("ada", "hello").await.unwrap();
        let conversations = bob.client.conversations().list().await.unwrap().conversations;
        let participants = conversations[0].participants.iter().map(|one| &one.avatar);
        assert!(participants.collect::<Vec<_>>().contains(&&user.avatar));
        ada.client.messages().send("bob", "hello to you").await.unwrap();
        let reported = bob.client.notifications().list().await.unwrap().notifications;
        assert_eq!(reported[0].actor.as_ref().unwrap().avatar, user.avatar);
        crate::market::offer(&ada, "work", 5).await;
        assert_eq!(app.anonymous.bots().discover("work").await.unwrap().bots[0].avatar, user.avatar);
        let token = ada.client.agents().create_identity_token().await.unwrap().token;
        let gate = app.developer("Gate").await;
        let agent = gate.client.agents().verify_identity(token).await.unwrap().agent;
        assert_eq!(agent.avatar, user.avatar);
    }

    async fn every_image_format_is_accepted_raw_or_in_a_form(app: TestApp) {
        let ada = app.agent("ada").await;
        for (red, kind) in [(10, Png), (20, Jpeg), (30, WebP), (40, Gif)] {
            let file = picture(kind, red, SIZE);
            let requests = [
                put(&app, &ada, file.clone()),
                put(&app, &ada, file.clone()).header("content-type", "image/svg+xml"),
                form(&app, &ada, &[("alt", b"me"), ("file", &file)]),
                app.raw(Method::POST, "/users/me/avatar").bearer_auth(ada.key.expose()).body(file),
            ];
            let mut addresses = Vec::new();
            for request in requests {
                let user = answer(request).await.json()["user"].clone();
                addresses.push(user["avatar"].as_str().unwrap().to_owned());
            }
            addresses.dedup();
            assert_eq!(addresses.len(), 1, "the same picture has the same address");
            let (raw, _) = get_picture(&app, &addresses[0]).await;
            let expected = if kind == Jpeg { "image/jpeg" } else { "image/png" };
            assert_eq!(raw.header("content-type"), Some(expected));
        }
    }

    async fn an_upload_has_no_parameters(app: TestApp) {
        let ada = app.agent("ada").await;
        for (method, path) in [
            (Method::PUT, "/users/me/avatar?crop=square"),
            (Method::POST, "/users/me/avatar?crop=square"),
            (Method::POST, "/media?crop=square&alt=me"),
        ] {
            let request = app.raw(method, path).bearer_auth(ada.key.expose()).body("--b--\r\n");
            let form = request.header("content-type", "multipart/form-data; boundary=b");
            let refusal = answer(form).await.refusal();
            assert_eq!(refusal.code, Code::UnknownParameter, "{path}");
            assert_eq!(refusal.field.as_deref(), Some("crop"), "{path}");
        }
        assert_eq!(stored_pictures(&app).await, 0);
    }

    async fn a_picture_is_stored_once_and_deleted_when_unused(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for member in [&ada, &bob, &ada] {
            member.client.users().upload_avatar(png(1)).await.unwrap();
        }
        assert_eq!(stored_pictures(&app).await, 1);
        let second = ada.client.users().upload_avatar(png(2)).await.unwrap().user;
        assert_eq!(stored_pictures(&app).await, 2);
        let default = ada.client.users().delete_avatar().await.unwrap().user;
        assert_eq!(stored_pictures(&app).await, 1);
        assert_ne!(default.avatar, second.avatar);
        assert_eq!(default.avatar, ada.user.avatar);
        assert_eq!(get_picture(&app, &second.avatar).await.0.header("content-type"), Some("image/svg+xml"));
        let again = ada.client.users().delete_avatar().await.unwrap().user;
        assert_eq!(again.avatar, default.avatar, "twice is once");
        bob.client.users().delete_me("bob").await.unwrap();
        app.advance(14 * 24 * 3_600);
        app.server.erase().await;
        assert_eq!(stored_pictures(&app).await, 0);
    }

    async fn each_picture_has_its_own_cacheable_url(app: TestApp) {
        let ada = app.agent("ada").await;
        let avatar = ada.client.users().upload_avatar(png(1)).await.unwrap().user.avatar;
        let forever = Some("public, max-age=31536000, immutable");
        let (raw, _) = get_picture(&app, &avatar).await;
        assert_eq!(raw.header("cache-control"), forever);
        let etag = raw.header("etag").unwrap().to_owned();
        let plain = avatar.split('?').next().unwrap();
        for address in [plain.to_owned(), format!("{plain}?v=0"), format!("{plain}?v="), format!("{avatar}0")] {
            let (raw, _) = get_picture(&app, &address).await;
            assert_eq!(raw.header("cache-control"), Some("public, max-age=300"), "{address}");
        }
        let path = avatar.strip_prefix(&app.server.url()).unwrap();
        for known in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
            let raw = answer(app.raw(Method::GET, path).header("if-none-match", known)).await;
            assert_eq!((raw.status.as_u16(), &*raw.text), (304, ""));
            assert_eq!((raw.header("etag"), raw.header("cache-control")), (Some(&*etag), forever));
        }
        let other = answer(app.raw(Method::GET, path).header("if-none-match", "\"x\"")).await;
        assert_eq!(other.status, 200);
        let bob = app.agent("bob").await;
        let (raw, _) = get_picture(&app, &bob.user.avatar).await;
        let path = bob.user.avatar.strip_prefix(&app.server.url()).unwrap();
        let etag = raw.header("etag").unwrap().to_owned();
        let raw = answer(app.raw(Method::GET, path).header("if-none-match", etag)).await;
        assert_eq!(raw.status, 304, "a drawn letter has one too");
    }

    async fn the_picture_of_a_suspended_account_is_hidden(app: TestApp) {
        let ada = app.agent("ada").await;
        let avatar = ada.client.users().upload_avatar(png(1)).await.unwrap().user.avatar;
        app.suspend("ada").await;
        assert_eq!(get_picture(&app, &avatar).await.0.refusal().code, Code::NotFound);
        let refused = answer(put(&app, &ada, png(2))).await.refusal();
        assert_eq!(refused.code, Code::AccountSuspended);
        let removed = ada.client.users().delete_avatar().await.unwrap_err();
        assert_eq!(removed.code(), Some(&Code::AccountSuspended));
    }

    async fn an_account_that_is_paused_suspended_or_deleted_meanwhile_sets_no_picture(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        let ada = app.agent("ada").await;
        let server = app.server.app();
        let uploader = async |member: &Member| {
            let id = member.user.id.clone();
            server.read(move |ctx| acting(ctx, &id)).await.unwrap().unwrap()
        };
        let (of_bot, of_ada) = (uploader(&bot).await, uploader(&ada).await);
        let set = async |uploader: &Account| {
            let uploader = uploader.clone();
            let picture = File {
                hash: "a".to_owned(),
                content_type: "image/png".to_owned(),
                blob: Blob::Bytes(png(1)),
            };
            let set = server.write(move |ctx| avatar::set(ctx, &uploader, &picture)).await;
            set.unwrap_err().code()
        };
        ann.client.agents().pause("bot").await.unwrap();
        assert_eq!(set(&of_bot).await, Code::AccountPaused);
        app.suspend("ada").await;
        assert_eq!(set(&of_ada).await, Code::AccountSuspended);
        app.unsuspend("ada").await;
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(set(&of_ada).await, Code::AccountDeleted);
        assert_eq!(stored_pictures(&app).await, 0);
    }

    async fn a_file_that_is_no_image_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
        let whole = png(1);
        let mut bomb = whole.clone();
        bomb[16..24].copy_from_slice(&[0, 0, 39, 16, 0, 0, 39, 16]);
        let crc = crc32fast::hash(&bomb[12..29]).to_be_bytes();
        bomb[29..33].copy_from_slice(&crc);
        let files = [
            Vec::new(), svg.to_vec(), b"<html></html>".to_vec(), whole[..40].to_vec(), bomb.clone(),
        ];
        for file in files {
            let raw = put(&app, &ada, file.clone()).header("content-type", "image/png");
            let in_form = form(&app, &ada, &[("file", &file)]);
            for request in [raw, in_form] {
                let refused = answer(request).await.refusal();
                assert_eq!(refused.code, Code::ValidationFailed, "{}", refused.error);
                assert_eq!(refused.field.as_deref(), Some("file"));
            }
        }
        let refused = answer(put(&app, &ada, bomb)).await.refusal();
        assert!(refused.error.contains("4096"), "{}", refused.error);
        for fields in [&[][..], &[("alt", &b"me"[..])], &[("file", &whole), ("file", &whole)]] {
            let refused = answer(form(&app, &ada, fields)).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some("file")));
        }
        let cut = put(&app, &ada, b"--b\r\n".to_vec());
        let cut = cut.header("content-type", "multipart/form-data; boundary=b");
        assert_eq!(code_of(cut).await, Code::ValidationFailed);
        assert_eq!(stored_pictures(&app).await, 0);
        assert_eq!(ada.client.users().me().await.unwrap().user.avatar, ada.user.avatar);
    }

    async fn an_upload_is_two_mebibytes_at_most_and_no_text(app: TestApp) {
        let ada = app.agent("ada").await;
        let mut largest = png(1);
        largest.resize(2 * 1024 * 1024, 0);
        assert_eq!(answer(put(&app, &ada, largest.clone())).await.status, 200);
        assert_eq!(answer(form(&app, &ada, &[("file", &largest)])).await.status, 200);
        largest.push(0);
        assert_eq!(code_of(put(&app, &ada, largest.clone())).await, Code::PayloadTooLarge);
        let in_form = form(&app, &ada, &[("file", &largest)]);
        assert_eq!(code_of(in_form).await, Code::PayloadTooLarge);
        largest.resize(3 * 1024 * 1024, 0);
        assert_eq!(code_of(put(&app, &ada, largest)).await, Code::PayloadTooLarge);
        for kind in ["application/json", "text/html", "application/x-www-form-urlencoded"] {
            let request = put(&app, &ada, png(2)).header("content-type", kind);
            assert_eq!(code_of(request).await, Code::UnsupportedMediaType, "{kind}");
        }
        let patched = app.raw(Method::PATCH, "/users/me/avatar").bearer_auth(ada.key.expose());
        assert_eq!(code_of(patched).await, Code::MethodNotAllowed);
    }

    async fn an_upload_goes_through_the_checks_of_every_write(app: TestApp) {
        let ada = app.person("ada", "correct horse").await;
        let gate = app.developer("Gate").await;
        let anonymous = app.raw(Method::PUT, "/users/me/avatar").body(png(1));
        assert_eq!(code_of(anonymous).await, Code::Unauthorized);
        let wrong = app.raw(Method::PUT, "/users/me/avatar").bearer_auth("svc_ak_no").body(png(1));
        assert_eq!(code_of(wrong).await, Code::Unauthorized);
        let developer = app.raw(Method::PUT, "/users/me/avatar").bearer_auth(gate.key.expose());
        assert_eq!(code_of(developer.body("x")).await, Code::DeveloperKeyRefused, "before its file");
        let cookie = app.sign_in("ada", "correct horse").await;
        let by_cookie = || app.raw(Method::PUT, "/users/me/avatar").header("cookie", &cookie).body(png(1));
        for site in ["cross-site", "same-site"] {
            let foreign = by_cookie().header(SEC_FETCH_SITE, site);
            assert_eq!(code_of(foreign).await, Code::CrossSiteRequest);
        }
        assert_eq!(code_of(by_cookie()).await, Code::CrossSiteRequest);
        let own = by_cookie().header(SEC_FETCH_SITE, "same-origin");
        assert_eq!(answer(own).await.status, 200);
        let reader = ada.client.keys().create("reader", [Scope::Read]).await.unwrap().api_key;
        let by_reader = app.raw(Method::PUT, "/users/me/avatar").bearer_auth(reader.expose());
        assert_eq!(code_of(by_reader.body(png(1))).await, Code::InsufficientScope);
        ada.client.auth().regenerate_api_key().await.unwrap();
        assert_eq!(code_of(put(&app, &ada, png(1))).await, Code::Unauthorized);
        assert_eq!(code::<GetMe>(ada.client.users().me().await), Code::Unauthorized);
    }

    async fn an_upload_with_an_idempotency_key_happens_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = |file: Vec<u8>| {
            let request = app.raw(Method::POST, "/users/me/avatar").bearer_auth(ada.key.expose());
            request.header("idempotency-key", "picture-1").body(file)
        };
        let first = answer(post(png(1))).await;
        ada.client.users().delete_avatar().await.unwrap();
        let second = answer(post(png(1))).await;
        assert_eq!(second.header("idempotent-replayed"), Some("true"));
        assert_eq!(second.json(), first.json());
        assert_eq!(stored_pictures(&app).await, 0, "nothing was done again");
        assert_eq!(code_of(post(png(2))).await, Code::IdempotencyConflict);
    }

    async fn a_picture_set_and_removed_concurrently_stays_for_its_remaining_users(
        app: TestApp, "database.connections" = "4"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let rounds = if app.engine == Engine::Sqlite { 3 } else { 12 };
        for _ in 0..rounds {
            ada.client.users().upload_avatar(png(1)).await.unwrap();
            bob.client.users().upload_avatar(png(2)).await.unwrap();
            let [one, other] = [ada.client.users(), bob.client.users()];
            let swapped = tokio::join!(
                one.upload_avatar(png(2)).into_future(),
                other.upload_avatar(png(1)).into_future()
            );
            for user in [swapped.0.unwrap().user, swapped.1.unwrap().user] {
                assert_eq!(get_picture(&app, &user.avatar).await.0.header("content-type"), Some("image/png"));
            }
            assert_eq!(stored_pictures(&app).await, 2);
        }
    }
}
