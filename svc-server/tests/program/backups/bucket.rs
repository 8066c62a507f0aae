//! Backups in a bucket.

use super::{ends_with, has_parts, stopped, unbalance};
use crate::process::Place;
use crate::s3::S3;

/// The arguments for backups at a store, which name no bucket for files, and where they go.
fn bucket_of(s3: &S3) -> (Vec<String>, String) {
    let settings = s3.settings();
    let (blobs, store) = settings.split_first().unwrap();
    let sets = store.iter().flat_map(|(key, text)| ["--set".to_owned(), format!("{key}={text}")]);
    (sets.collect(), format!("{}/backups", blobs.1))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_go_to_a_bucket_and_come_back() {
    let Some(s3) = S3::start().await else { return };
    let place = stopped().await;
    // More than one part of an upload.
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    let large = "create table large (bytes blob); insert into large values (zeroblob(20000000));";
    database.execute_batch(large).unwrap();
    drop(database);
    let (store, to) = bucket_of(&s3);
    let store: Vec<&str> = store.iter().map(String::as_str).collect();
    let printed = place.run(&[&store[..], &["backup", "--to", &to]].concat());
    let object = s3.objects().await.concat();
    assert!(object.starts_with("backups/svc-") && object.ends_with("Z.tar"), "{object}");
    assert_eq!(object.matches("svc-").count(), 1, "there is one: {object}");
    let file = format!("{}{}", to.strip_suffix("backups").unwrap(), object);
    assert!(printed.starts_with(&format!("wrote {file}: made at 20")), "{printed}");

    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    let printed = elsewhere.run(&[&store[..], &["backup", "verify", &file]].concat());
    assert!(printed.starts_with(&format!("verified {file}: made at 20")), "{printed}");
    elsewhere.run(&[&store[..], &["restore", &file]].concat());
    assert!(elsewhere.run(&["admin", "list-users"]).contains("ada"));
    assert!(!has_parts(&elsewhere.path("data")));

    let missing = format!("{to}/svc-20200101T000000Z.tar");
    let mut verify = place.program();
    let message = ends_with(1, verify.args(&store).args(["backup", "verify", &missing]));
    assert!(message.contains(&format!("there is no {missing}")), "{message}");
    let mut other = place.program();
    let message = ends_with(78, other.args(&store).args(["backup", "--to", "s3://no-such-bucket"]));
    assert!(message.contains("--to: there is no bucket no-such-bucket"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_backups_in_a_bucket_are_deleted_and_nothing_else() {
    let Some(s3) = S3::start().await else { return };
    let place = stopped().await;
    let (store, to) = bucket_of(&s3);
    // More than one page of a list.
    let old = ["01", "02", "03"].map(|day| format!("backups/svc-202001{day}T000000Z.tar"));
    s3.objects_with(&old.each_ref().map(String::as_str)).await;
    let others = ["backups/svc-notes", "backups-of-others/svc-20200101T000000Z.tar"];
    assert_eq!(s3.objects_with(&others).await.len(), 5);
    let store: Vec<&str> = store.iter().map(String::as_str).collect();
    let printed = place.run(&[&store[..], &["backup", "--to", &to]].concat());
    assert!(printed.contains("deleted 3 older than "), "{printed}");
    let left = s3.objects().await;
    assert_eq!(left.len(), 3, "the new one is there: {left:?}");
    for name in others {
        assert!(left.iter().any(|left| left == name), "{name}: {left:?}");
    }
    assert!(!left.iter().any(|left| old.contains(left)), "{left:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_the_audit_refuses_reaches_no_bucket() {
    let Some(s3) = S3::start().await else { return };
    let place = stopped().await;
    unbalance(&place.path("data/svc.db"));
    let (store, to) = bucket_of(&s3);
    let mut backup = place.program();
    ends_with(1, backup.args(store).args(["backup", "--to", &to]));
    assert!(s3.objects().await.is_empty() && !has_parts(&place.path("data")));
}
