//! Files in a bucket: avatars, images of posts, exports. Moto is the store.

mod places;

use std::io::{Cursor, Read};

use http::Method;
use metrics_exporter_prometheus::PrometheusBuilder;
use svc_client::types::api::export::ExportState;
use svc_client::types::api::media::Attachment;
use svc_client::types::{Code, PostId};
use svc_core::tasks::sweep;
use svc_server::testing::{Engine, found, until};
use svc_store::sql;
use zip::ZipArchive;

use crate::app::{self, Member, TestApp};
use crate::avatars::png;
use crate::raw::{Raw, answer};
use crate::s3::{Gate, S3};

const DAY: u64 = 24 * 3_600;

/// More than the pause after a first attempt to delete an object.
const PAUSE: u64 = 3 * 60;

/// Writes a test once and runs it on both engines, with the files of the server in a bucket.
macro_rules! in_a_bucket {
    ($(async fn $name:ident($app:ident: TestApp, $s3:ident: S3) $body:block)+) => {$(
        async fn $name($app: TestApp, $s3: S3) $body

        mod $name {
            use super::{Engine, S3, TestApp, app};

            async fn on(engine: Engine) {
                let Some(s3) = S3::start().await else { return };
                let Some(database) = app::database(engine).await else { return };
                let app = TestApp::on(engine, &database, &s3.settings()).await;
                super::$name(app, s3).await;
                engine.remove(database);
            }

            #[tokio::test]
            async fn sqlite() {
                on(Engine::Sqlite).await;
            }

            #[tokio::test]
            async fn postgres() {
                on(Engine::Postgres).await;
            }
        }
    )+};
}

async fn upload(who: &Member, alt: &str) -> Attachment {
    who.client.posts().upload_image(png(7), alt).await.unwrap().media
}

/// Publishes a post with an image.
async fn publish(who: &Member, image: &Attachment) -> PostId {
    let posting = who.client.posts().create("look").media_ids([image.id.clone()]);
    posting.await.unwrap().post.id
}

/// An upload of an avatar, without a client that tries again.
async fn put_avatar(app: &TestApp, who: &Member, red: u8) -> Raw {
    answer(who.raw(app, Method::PUT, "/users/me/avatar").body(png(red))).await
}

/// The bytes at an address.
async fn bytes(app: &TestApp, address: &str) -> Vec<u8> {
    let path = address.strip_prefix(&app.server.url()).unwrap();
    app.raw(Method::GET, path).send().await.unwrap().bytes().await.unwrap().to_vec()
}

async fn get(app: &TestApp, address: &str) -> Raw {
    answer(app.raw(Method::GET, address.strip_prefix(&app.server.url()).unwrap())).await
}

/// Deletes objects until this many are left. When the clock was moved, the server's own task may have
/// taken some.
async fn left(app: &TestApp, s3: &S3, count: usize) {
    until("objects are deleted", async || {
        app.server.delete_objects().await;
        s3.objects().await.len() == count
    })
    .await;
}

/// Asks for an export and makes it.
async fn export(app: &TestApp, who: &Member) {
    who.client.export().create().await.unwrap();
    exported(app, who).await;
}

async fn exported(app: &TestApp, who: &Member) {
    let state = found("an export is made", async || {
        app.server.export().await;
        let state = who.client.export().get().await.unwrap().export.state;
        Some(state).filter(|state| *state != ExportState::Working)
    });
    assert_eq!(state.await, ExportState::Ready);
}

/// The names and the bytes of the files of an export.
async fn files(app: &TestApp, who: &Member) -> Vec<(String, Vec<u8>)> {
    let asked = who.raw(app, Method::GET, "/users/me/export/file").send().await.unwrap();
    assert_eq!(asked.status(), 200);
    let length = asked.content_length();
    let file = asked.bytes().await.unwrap();
    assert_eq!(length, Some(file.len() as u64));
    let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
    let count = archive.len();
    let read = |index: usize| {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

in_a_bucket! {
    async fn pictures_are_objects_and_are_served_as_from_the_database(app: TestApp, s3: S3) {
        let ada = app.agent("ada").await;
        let noise: Vec<u8> = (0..600_u32 * 600 * 3).map(noisy).collect();
        let noise = image::RgbImage::from_raw(600, 600, noise).unwrap();
        let mut file = Cursor::new(Vec::new());
        noise.write_to(&mut file, image::ImageFormat::Png).unwrap();
        let posting = ada.client.posts().upload_image(file.into_inner(), "noise");
        let image = posting.await.unwrap().media;
        publish(&ada, &image).await;
        let avatar = ada.client.users().upload_avatar(png(9)).await.unwrap().user.avatar;
        let mut kinds: Vec<String> =
            s3.objects().await.iter().map(|name| name.split('/').next().unwrap().into()).collect();
        kinds.sort();
        assert_eq!(kinds, ["avatars", "images", "images"]);
        let in_rows = sql!(
            "select (select count(*) from avatar where length(bytes) > 0)
                + (select count(*) from media_file where length(bytes) > 0)"
        );
        assert_eq!(app.count(in_rows).await, 0);

        let served = get(&app, &avatar).await;
        assert_eq!((served.status.as_u16(), served.header("content-type")), (200, Some("image/png")));
        assert_eq!(served.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(served.header("content-security-policy"), Some("default-src 'none'; sandbox"));
        let pixels = image::load_from_memory(&bytes(&app, &avatar).await).unwrap().to_rgb8();
        assert_eq!(pixels.get_pixel(0, 0).0, [9, 2, 3]);
        for (address, side) in [(&image.url, 600), (&image.thumb_url, 600)] {
            let served = get(&app, address).await;
            assert_eq!(served.header("cache-control"), Some("public, max-age=300"));
            let whole = bytes(&app, address).await;
            assert_eq!(served.header("content-length"), Some(&*whole.len().to_string()));
            let pixels = image::load_from_memory(&whole).unwrap().to_rgb8();
            assert!(whole.len() > 500_000 && pixels == noise && pixels.width() == side);
            let path = address.strip_prefix(&app.server.url()).unwrap();
            let head = answer(app.raw(Method::HEAD, path)).await;
            assert_eq!(head.header("content-length"), served.header("content-length"));
            let etag = served.header("etag").unwrap();
            s3.set(Gate::Closed);
            let again = answer(app.raw(Method::GET, path).header("if-none-match", etag)).await;
            assert_eq!(again.status, 304, "the store is not asked");
            s3.set(Gate::Open);
        }
    }

    async fn who_may_see_an_image_does_not_depend_on_where_it_is(app: TestApp, s3: S3) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let image = upload(&ada, "mine").await;
        let path = image.url.strip_prefix(&app.server.url()).unwrap();
        assert_eq!(get(&app, &image.url).await.status, 404, "it has no post");
        assert_eq!(answer(bob.raw(&app, Method::GET, path)).await.status, 404);
        assert_eq!(answer(ada.raw(&app, Method::GET, path)).await.status, 200);
        publish(&ada, &image).await;
        app.suspend("ada").await;
        assert_eq!(get(&app, &image.url).await.status, 404);
        assert_eq!(s3.count("images").await, 2, "it is hidden, not deleted");
    }

    async fn what_is_removed_is_deleted_from_the_store(app: TestApp, s3: S3) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let image = upload(&ada, "mine").await;
        let post = publish(&ada, &image).await;
        ada.client.users().upload_avatar(png(1)).await.unwrap();
        bob.client.users().upload_avatar(png(2)).await.unwrap();
        assert_eq!(s3.objects().await.len(), 4);
        bob.client.users().upload_avatar(png(3)).await.unwrap();
        left(&app, &s3, 4).await;
        ada.client.users().delete_avatar().await.unwrap();
        left(&app, &s3, 3).await;
        ada.client.posts().delete(&post).await.unwrap();
        left(&app, &s3, 1).await;
        assert_eq!(get(&app, &image.url).await.status, 404);
        assert_eq!(app.count(sql!("select count(*) from object")).await, 1);
    }

    async fn a_picture_that_two_accounts_have_stays_until_neither_has_it(app: TestApp, s3: S3) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.client.users().upload_avatar(png(1)).await.unwrap();
        let avatar = bob.client.users().upload_avatar(png(1)).await.unwrap().user.avatar;
        assert_eq!(s3.objects().await.len(), 2, "the second upload is not used");
        app.advance(DAY);
        left(&app, &s3, 1).await;
        ada.client.users().delete_avatar().await.unwrap();
        app.server.delete_objects().await;
        assert_eq!(get(&app, &avatar).await.header("content-type"), Some("image/png"));
        bob.client.users().delete_avatar().await.unwrap();
        left(&app, &s3, 0).await;
    }

    async fn an_upload_that_no_row_refers_to_is_deleted_after_a_day(app: TestApp, s3: S3) {
        let ada = app.agent("ada").await;
        publish(&ada, &upload(&ada, "a").await).await;
        let fill = sql!("update media set bytes = 200 * 1024 * 1024");
        app.execute(move |ctx| ctx.tx.execute(fill, &[])).await;
        // As after a crash: the files are up, and their transaction is not made.
        let refused = ada.client.posts().upload_image(png(1), "b").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::LimitReached), "{refused}");
        assert_eq!(s3.count("images").await, 4);
        app.advance(DAY - 1);
        app.server.delete_objects().await;
        assert_eq!(s3.count("images").await, 4, "an upload may still be under way");
        app.advance(1);
        left(&app, &s3, 2).await;
        assert_eq!(app.count(sql!("select count(*) from media")).await, 1);
    }

    async fn without_the_store_nothing_is_uploaded_and_all_else_goes_on(app: TestApp, s3: S3) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let avatar = ada.client.users().upload_avatar(png(1)).await.unwrap().user.avatar;
        s3.set(Gate::Closed);
        for refused in [put_avatar(&app, &bob, 2).await, get(&app, &avatar).await] {
            let refusal = refused.refusal();
            assert_eq!((refusal.code, refusal.retry_after), (Code::StorageUnavailable, Some(10)));
            assert_eq!(refusal.error, "the store of files does not answer as it should");
        }
        let uploading = bob.client.posts().upload_image(png(1), "b");
        assert_eq!(uploading.await.unwrap_err().code(), Some(&Code::StorageUnavailable));
        assert_eq!(bob.client.users().me().await.unwrap().user.avatar, bob.user.avatar);
        assert_eq!(app.count(sql!("select count(*) from avatar")).await, 1);
        assert_eq!(app.count(sql!("select count(*) from media")).await, 0);
        bob.post("words").await;
        let ready = answer(app.raw(Method::GET, "/health/ready")).await;
        assert_eq!(ready.status, 200, "{}", ready.text);
        s3.set(Gate::Open);
        assert_eq!(put_avatar(&app, &bob, 2).await.status, 200, "the same once more");
        assert_eq!(get(&app, &avatar).await.status, 200);
        upload(&bob, "b").await;
    }

    async fn whatever_the_store_answers_no_row_refers_to_what_is_not_there(app: TestApp, s3: S3) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let avatar = ada.client.users().upload_avatar(png(1)).await.unwrap().user.avatar;
        for (gate, red) in [(Gate::Unanswered, 2), (Gate::Garbage, 3)] {
            s3.set(gate);
            for refused in [put_avatar(&app, &bob, red).await, get(&app, &avatar).await] {
                assert_eq!(refused.refusal().code, Code::StorageUnavailable, "{gate:?}");
            }
        }
        assert_eq!(app.count(sql!("select count(*) from avatar")).await, 1);
        s3.set(Gate::Open);
        assert_eq!(s3.objects().await.len(), 2, "of one upload the answer was lost");
        assert_eq!(put_avatar(&app, &bob, 2).await.status, 200);
        app.advance(DAY);
        left(&app, &s3, 2).await;
        let avatar = bob.client.users().me().await.unwrap().user.avatar;
        for address in [avatar, format!("{}/users/ada/avatar", app.server.url())] {
            assert_eq!(get(&app, &address).await.header("content-type"), Some("image/png"));
        }
    }

    async fn what_is_removed_without_the_store_is_deleted_later(app: TestApp, s3: S3) {
        let ada = app.agent("ada").await;
        ada.client.users().upload_avatar(png(1)).await.unwrap();
        s3.set(Gate::Closed);
        ada.client.users().delete_avatar().await.unwrap();
        app.server.delete_objects().await;
        assert_eq!(app.count(sql!("select tries from object")).await, 1);
        s3.set(Gate::Open);
        app.server.delete_objects().await;
        assert_eq!(s3.objects().await.len(), 1, "its lease has not ended");
        app.advance(PAUSE);
        left(&app, &s3, 0).await;
        until("the object is forgotten", async || {
            app.count(sql!("select count(*) from object")).await == 0
        })
        .await;
    }

    async fn an_export_is_made_and_read_in_the_store(app: TestApp, s3: S3) {
        let ada = app.agent("ada").await;
        let avatar = ada.client.users().upload_avatar(png(200)).await.unwrap().user.avatar;
        let image = upload(&ada, "mine").await;
        publish(&ada, &image).await;
        s3.set(Gate::Closed);
        ada.client.export().create().await.unwrap();
        for _ in 0..6 {
            // More often than an export is tried that fails for another reason.
            let made = svc_server::export::once(app.server.app()).await;
            made.expect_err("the store is closed");
            app.execute(|ctx| ctx.tx.execute(sql!("update export set due_at = 1"), &[])).await;
        }
        s3.set(Gate::Open);
        exported(&app, &ada).await;
        assert_eq!(s3.count("exports").await, 1);
        let files = files(&app, &ada).await;
        let file = |name: &str| files.iter().find(|(of, _)| of == name).unwrap().1.clone();
        assert_eq!(file("media/avatar.png"), bytes(&app, &avatar).await);
        assert_eq!(file(&format!("media/{}.png", image.id)), bytes(&app, &image.url).await);

        s3.set(Gate::Closed);
        let asked = answer(ada.raw(&app, Method::GET, "/users/me/export/file")).await;
        assert_eq!(asked.refusal().code, Code::StorageUnavailable, "no broken file");
        s3.set(Gate::Open);
        app.advance(7 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        left(&app, &s3, 3).await;
        assert_eq!(s3.count("exports").await, 0);
    }

    async fn an_erased_account_leaves_no_object(app: TestApp, s3: S3) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for (who, red) in [(&ada, 1), (&bob, 2)] {
            who.client.users().upload_avatar(png(red)).await.unwrap();
            publish(who, &upload(who, "a").await).await;
        }
        upload(&ada, "without a post").await;
        export(&app, &ada).await;
        ada.client.users().delete_me("ada").await.unwrap();
        s3.set(Gate::Closed);
        app.advance(15 * DAY);
        app.server.erase().await;
        let kept = sql!("select count(*) from object where delete_at is null");
        assert_eq!(app.count(kept).await, 3, "what is left is bob's");
        s3.set(Gate::Open);
        app.advance(PAUSE);
        left(&app, &s3, 3).await;
        let avatar = bob.client.users().me().await.unwrap().user.avatar;
        assert_eq!(get(&app, &avatar).await.header("content-type"), Some("image/png"));
    }
}

/// A value of noise, which no PNG makes smaller.
fn noisy(n: u32) -> u8 {
    let mixed = n.wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(2_246_822_519);
    mixed.to_be_bytes()[0]
}

#[tokio::test]
async fn a_store_that_says_nothing_is_given_up_in_time() {
    let Some(s3) = S3::start().await else { return };
    let recorder = PrometheusBuilder::new().build_recorder();
    let _counting = metrics::set_default_local_recorder(&recorder);
    s3.set(Gate::Silent);
    let settings = [&s3.settings()[..], &[("storage.s3.timeout", "1s")]].concat();
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let ada = app.agent("ada").await;
    let refused = put_avatar(&app, &ada, 1).await;
    assert_eq!(refused.refusal().code, Code::StorageUnavailable);
    let metrics = recorder.handle().render();
    // The server tried it when it started, too.
    let failed = "svc_blob_calls_total{call=\"put\",outcome=\"failed\"} 2\n";
    assert!(metrics.contains(failed), "{metrics}");
}

#[tokio::test]
async fn metrics_show_how_many_objects_wait_to_be_deleted() {
    let Some(s3) = S3::start().await else { return };
    let recorder = PrometheusBuilder::new().build_recorder();
    let _counting = metrics::set_default_local_recorder(&recorder);
    let is_shown = |line: &str| recorder.handle().render().lines().any(|own| own == line);
    let settings = [&s3.settings()[..], &[("metrics_listen", "127.0.0.1:0")]].concat();
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let ada = app.agent("ada").await;
    ada.client.users().upload_avatar(png(1)).await.unwrap();
    s3.set(Gate::Closed);
    ada.client.users().delete_avatar().await.unwrap();
    app.server.delete_objects().await;
    assert!(is_shown("svc_blobs_waiting 1"), "{}", recorder.handle().render());
    s3.set(Gate::Open);
    app.advance(PAUSE);
    left(&app, &s3, 0).await;
    until("none waits", async || {
        app.server.delete_objects().await;
        is_shown("svc_blobs_waiting 0")
    })
    .await;
}
