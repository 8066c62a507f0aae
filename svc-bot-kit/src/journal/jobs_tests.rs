//! Jobs come in once, start in their order, and end once.

use super::*;

const NOW: Timestamp = Timestamp::from_millis(1_000);

fn order(id: &str) -> NewJob {
    NewJob {
        id: id.to_owned(),
        kind: Kind::Request,
        conversation: "conv_1".to_owned(),
        event: "{}".to_owned(),
    }
}

async fn with(ids: &[&str]) -> Journal {
    let journal = Journal::memory().unwrap();
    let jobs = ids.iter().map(|id| order(id)).collect();
    journal.take_in("usr_1", 7, jobs, NOW).await.unwrap();
    journal
}

async fn open(journal: &Journal) -> Vec<String> {
    journal.open_after(0).await.unwrap().into_iter().map(|place| place.id).collect()
}

fn answer(key: &str) -> Vec<NewCall> {
    vec![NewCall { key: key.to_owned(), path: "/messages".to_owned(), body: b"{}".to_vec() }]
}

#[tokio::test]
async fn what_comes_twice_is_taken_in_once_and_the_cursor_never_goes_back() {
    let journal = with(&["msg_1", "msg_2"]).await;
    journal.take_in("usr_1", 5, vec![order("msg_1"), order("msg_3")], NOW).await.unwrap();
    assert_eq!(open(&journal).await, ["msg_1", "msg_2", "msg_3"]);
    assert_eq!(journal.cursor("usr_1").await.unwrap(), Some(7));
}

#[tokio::test]
async fn the_journal_of_another_account_is_refused() {
    let journal = with(&[]).await;
    let problem = journal.cursor("usr_2").await.unwrap_err().to_string();
    assert!(problem.contains("another account"), "{problem}");
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

#[tokio::test]
async fn what_is_closed_elsewhere_is_not_worked_on() {
    let journal = with(&["msg_1", "msg_2"]).await;
    journal.tidy(HashSet::from(["msg_2".to_owned()]), NOW).await.unwrap();
    assert_eq!(open(&journal).await, ["msg_2"]);
}

#[tokio::test]
async fn what_is_finished_is_kept_for_seven_days_and_what_waits_for_ever() {
    let journal = with(&["msg_1", "msg_2"]).await;
    journal.finish("msg_1", 0, answer("resp:msg_1"), NOW).await.unwrap();
    journal.finish("msg_2", 0, answer("resp:msg_2"), NOW).await.unwrap();
    let call = journal.next_call("msg_1").await.unwrap().unwrap();
    journal.close_call(call.id, "sent", Vec::new(), NOW).await.unwrap();
    let none = HashSet::new();
    journal.tidy(none.clone(), NOW.plus(KEPT)).await.unwrap();
    assert!(journal.job("msg_1").await.unwrap().is_some());
    journal.tidy(none, NOW.plus(KEPT + Duration::from_millis(1))).await.unwrap();
    assert!(journal.job("msg_1").await.unwrap().is_none());
    assert_eq!(open(&journal).await, ["msg_2"]);
}
