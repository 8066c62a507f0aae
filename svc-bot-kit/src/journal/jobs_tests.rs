//! Jobs are stored once, start in order, and finish once.

use super::super::Position;
use super::*;

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_000);

fn order(id: &str) -> NewJob {
    NewJob {
        id: id.to_owned(),
        kind: Kind::Request,
        conversation: "conv_1".to_owned(),
        event: "{}".to_owned(),
    }
}

pub(crate) async fn ingest(journal: &Journal, ids: &[&str]) {
    let jobs = ids.iter().map(|id| order(id)).collect();
    let upto = Position { seq: 7, occurred_at: None };
    journal.ingest("usr_1", upto, jobs, NOW).await.unwrap();
}

pub(crate) async fn with(ids: &[&str]) -> Journal {
    let journal = Journal::memory().unwrap();
    ingest(&journal, ids).await;
    journal
}

pub(crate) async fn open(journal: &Journal) -> Vec<String> {
    journal.open_after(0).await.unwrap().into_iter().map(|place| place.id).collect()
}

pub(crate) fn answer(key: &str) -> Vec<NewCall> {
    vec![NewCall { key: key.to_owned(), path: "/messages".to_owned(), body: b"{}".to_vec() }]
}

#[tokio::test]
async fn a_cancelled_start_does_not_count() {
    let journal = with(&["msg_1"]).await;
    journal.start("msg_1", 0).await.unwrap();
    journal.cancel_start("msg_1", 1).await.unwrap();
    let job = journal.job("msg_1").await.unwrap().unwrap();
    assert_eq!((job.state, job.starts, job.ingested_at), (State::Queued, 0, NOW));
    assert!(journal.cancel_start("msg_1", 0).await.is_err());
}

#[tokio::test]
async fn a_job_ends_once_and_its_calls_are_stored_with_it() {
    let journal = with(&["msg_1"]).await;
    journal.start("msg_1", 0).await.unwrap();
    assert_eq!(journal.job("msg_1").await.unwrap().unwrap().state, State::Running);
    journal.finish("msg_1", 1, answer("resp:msg_1"), NOW).await.unwrap();
    for starts in [0, 1] {
        assert!(journal.finish("msg_1", starts, answer("resp:2"), NOW).await.is_err());
        assert!(journal.start("msg_1", starts).await.is_err());
    }
    assert_eq!(open(&journal).await, ["msg_1"], "its answer waits");
    let call = journal.next_call("msg_1").await.unwrap().unwrap();
    journal.close_call(call.id, "sent", Vec::new(), NOW).await.unwrap();
    assert!(open(&journal).await.is_empty());
}

#[tokio::test]
async fn an_escrow_pays_for_one_order() {
    let journal = with(&["msg_1", "msg_2"]).await;
    assert!(journal.tie("msg_1", "esc_1").await.unwrap());
    assert!(journal.tie("msg_1", "esc_1").await.unwrap(), "the same again");
    assert!(!journal.tie("msg_2", "esc_1").await.unwrap());
    assert!(journal.tie("msg_2", "esc_2").await.unwrap());
}
