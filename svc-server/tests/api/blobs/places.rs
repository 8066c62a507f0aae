//! Where files are: a bucket that is there or not, and their way from the database to it and back.

use svc_client::types::Code;
use svc_server::testing::{Engine, TestServer};

use super::{bytes, left, publish, put_avatar, upload};
use crate::app::{self, Member, TestApp};
use crate::avatars::png;
use crate::s3::{Gate, S3};

#[tokio::test]
async fn a_server_starts_without_an_answer_but_not_without_its_bucket() {
    let Some(s3) = S3::start().await else { return };
    let with = |setting: (&'static str, &'static str)| {
        let usual = s3.settings().into_iter().filter(move |(name, _)| *name != setting.0);
        usual.chain([setting]).collect::<Vec<_>>()
    };
    let database = "sqlite::memory:";
    let settings = with(("storage.blobs", "s3://no-such-bucket/files"));
    let refused = TestServer::try_start_with(database, &settings).await.unwrap_err();
    assert!(refused.is_setup(), "{refused}");
    assert!(refused.to_string().starts_with("storage.blobs: there is no bucket"), "{refused}");
    let settings = with(("storage.s3.access_key", "AKIASOMEBODYELSE"));
    let refused = TestServer::try_start_with(database, &settings).await.unwrap_err();
    assert!(refused.is_setup(), "{refused}");
    assert!(refused.to_string().contains("storage.s3.access_key"), "{refused}");
    s3.set(Gate::Closed);
    let app = TestApp::start_with(Engine::Sqlite, &s3.settings()).await.unwrap();
    let ada = app.agent("ada").await;
    assert_eq!(put_avatar(&app, &ada, 1).await.refusal().code, Code::StorageUnavailable);
    s3.set(Gate::Open);
    assert_eq!(put_avatar(&app, &ada, 1).await.status, 200);
}

/// From the database to a bucket and back, with old files readable on the way.
async fn journey(engine: Engine) {
    let Some(s3) = S3::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}", folder.path().join("svc.db").display());
    let database = match engine {
        Engine::Sqlite => file,
        Engine::Postgres => match app::database(engine).await {
            Some(database) => database,
            None => return,
        },
    };
    let app = TestApp::on(engine, &database, &[]).await;
    let ada = app.agent("ada").await;
    let image = upload(&ada, "older").await;
    publish(&ada, &image).await;
    let path = image.url.strip_prefix(&app.server.url()).unwrap().to_owned();
    let older = bytes(&app, &image.url).await;
    app.agent("bob").await.client.users().upload_avatar(png(2)).await.unwrap();
    app.agent("cyd").await.client.users().upload_avatar(png(3)).await.unwrap();
    let faces = async |app: &TestApp| {
        let address = |name| format!("{}/users/{name}/avatar", app.server.url());
        [bytes(app, &address("bob")).await, bytes(app, &address("cyd")).await]
    };
    let older_faces = faces(&app).await;
    app.server.stop().await;

    let app = TestApp::on(engine, &database, &s3.settings()).await;
    let here = format!("{}{path}", app.server.url());
    assert_eq!(bytes(&app, &here).await, older, "from its row");
    let ada = Member { client: app.client(ada.key.clone()), ..ada };
    ada.client.users().upload_avatar(png(1)).await.unwrap();
    assert_eq!(s3.objects().await.len(), 1);
    assert_eq!(svc_server::blobs::move_all(app.server.app()).await.unwrap(), 4);
    assert_eq!(svc_server::blobs::move_all(app.server.app()).await.unwrap(), 0);
    assert_eq!(s3.objects().await.len(), 5);
    assert_eq!(bytes(&app, &here).await, older, "from its object");
    assert_eq!(faces(&app).await, older_faces);
    app.server.stop().await;

    let refused = TestServer::try_start_with(&database, &[]).await.unwrap_err();
    assert!(refused.is_setup() && refused.to_string().contains("storage.s3.older"), "{refused}");
    let app = TestApp::on(engine, &database, &s3.settings_of_older()).await;
    let ada = Member { client: app.client(ada.key.clone()), ..ada };
    upload(&ada, "newer").await;
    assert_eq!(s3.objects().await.len(), 5, "new files are in the database");
    let here = format!("{}{path}", app.server.url());
    assert_eq!(bytes(&app, &here).await, older, "from the bucket of older files");
    assert_eq!(svc_server::blobs::move_all(app.server.app()).await.unwrap(), 5);
    assert_eq!(bytes(&app, &here).await, older, "from its row again");
    assert_eq!(faces(&app).await, older_faces);
    left(&app, &s3, 0).await;
    app.server.stop().await;
    TestServer::start_with(&database, &[]).await.stop().await;
    engine.remove(database);
}

#[tokio::test]
async fn files_move_from_the_database_to_a_bucket_and_back_on_sqlite() {
    journey(Engine::Sqlite).await;
}

#[tokio::test]
async fn files_move_from_the_database_to_a_bucket_and_back_on_postgres() {
    journey(Engine::Postgres).await;
}
