//! The program that makes a backup from time to time.

use std::fs::{self, File};
use std::time::Duration;

use rustix::process::Signal;
use svc_client::types::Timestamp;
use svc_server::testing::until;

use super::{DAY, copies, has_parts, name_of, now, only_copy, stopped, unbalance};
use crate::observability::{metrics_address, scrape};
use crate::process::{Place, Server};

/// A program that makes a backup every 15 minutes, and has said so.
fn schedule(place: &Place) -> Server {
    let log = File::create(place.path("log")).unwrap();
    let mut command = place.program();
    command.args(["backup", "--every", "15m", "--to", "copies"]).stderr(log);
    Server::start(&mut command).unwrap_or_else(|| panic!("{}", place.log()))
}

/// Ends it as a service manager does; what it printed after its first line.
async fn end(schedule: Server) -> String {
    schedule.signal(Signal::TERM);
    let (status, printed) = schedule.end().await;
    assert_eq!(status.code(), Some(0));
    printed
}

async fn waits(place: &Place) {
    let waits = async || place.log().contains("waiting for the next backup");
    until("it waits for the next backup", waits).await;
}

#[tokio::test]
async fn a_backup_is_made_when_the_newest_is_old_enough() {
    let place = stopped().await;
    let running = schedule(&place);
    assert!(running.first_line.ends_with("to copies every 15m\n"), "{}", running.first_line);
    waits(&place).await;
    let printed = end(running).await;
    let first = only_copy(&place);
    assert!(printed.starts_with(&format!("wrote copies/{first}: ")), "{printed}");

    let running = schedule(&place);
    waits(&place).await;
    assert_eq!(end(running).await, "", "one that is started again makes no second backup");
    assert_eq!(copies(&place), [&*first]);

    let older = name_of(now().minus(Duration::from_mins(16)));
    fs::rename(place.path("copies").join(first), place.path("copies").join(&older)).unwrap();
    let running = schedule(&place);
    waits(&place).await;
    assert!(end(running).await.starts_with("wrote "));
    let made = copies(&place);
    assert!(made.len() == 2 && made[0] == older, "{made:?}");
}

#[tokio::test]
async fn a_program_that_is_stopped_in_a_backup_leaves_no_part_of_it() {
    let place = stopped().await;
    let running = schedule(&place);
    until("a backup begins", async || !copies(&place).is_empty()).await;
    end(running).await;
    assert!(!has_parts(&place.path("copies")) && !has_parts(&place.path("data")));
    for name in copies(&place) {
        place.run(&["backup", "verify", &format!("copies/{name}")]);
    }
}

#[tokio::test]
async fn a_backup_that_fails_does_not_end_the_program() {
    let place = stopped().await;
    unbalance(&place.path("data/svc.db"));
    let running = schedule(&place);
    until("a backup fails", async || place.log().contains("a backup failed")).await;
    waits(&place).await;
    assert_eq!(end(running).await, "");
    assert!(copies(&place).is_empty());
    let due = fs::read_to_string(place.path("data/backup.due")).unwrap();
    assert!(due.parse::<i64>().unwrap() <= now().as_millis() / 1_000, "it is late: {due}");
}

#[tokio::test]
async fn the_server_shows_when_the_next_backup_is_due() {
    let place = stopped().await;
    let running = schedule(&place);
    waits(&place).await;
    end(running).await;
    let server = place.serve_by(place.program().args(["--metrics-listen", "127.0.0.1:0"]));
    let text = scrape(&format!("http://{}/metrics", metrics_address(&place))).await;
    let line = text.lines().find(|line| line.starts_with("svc_backup_due_timestamp_seconds"));
    let due: i64 = line.unwrap().split(' ').next_back().unwrap().parse().unwrap();
    let made = Timestamp::from_millis(due * 1_000).minus(Duration::from_mins(15));
    assert_eq!(name_of(made), only_copy(&place));
    // As an operator does who ends the schedule for good.
    fs::remove_file(place.path("data/backup.due")).unwrap();
    let text = scrape(&format!("http://{}/metrics", metrics_address(&place))).await;
    assert!(!text.contains("svc_backup_due_timestamp_seconds"), "{text}");
    server.stop().await;
}

/// Puts three expired backups there, of which one cannot be deleted; the name of that one.
fn expired(place: &Place) -> String {
    let [older, kept, newer] = [110, 100, 90].map(|days| name_of(now().minus(DAY * days)));
    for other in [older, newer] {
        fs::write(place.path("copies").join(other), "").unwrap();
    }
    // A folder is not deleted as a file is.
    fs::create_dir(place.path("copies").join(&kept)).unwrap();
    kept
}

#[tokio::test]
async fn an_old_backup_that_cannot_be_deleted_fails_no_new_one() {
    let place = stopped().await;
    let archive = expired(&place);
    let running = schedule(&place);
    waits(&place).await;
    let printed = end(running).await;
    assert!(printed.starts_with("wrote copies/"), "{printed}");
    let log = place.log();
    assert!(log.contains("old backups could not be deleted"), "{log}");
    assert!(!log.contains("a backup failed"), "{log}");
    let left = copies(&place);
    assert!(left.len() == 2 && left[0] == archive, "the others are deleted: {left:?}");
}

#[tokio::test]
async fn a_single_backup_says_which_old_one_cannot_be_deleted() {
    let place = stopped().await;
    let archive = expired(&place);
    let printed = place.run(&["backup", "--to", "copies"]);
    let message = format!("old backups could not be deleted: copies/{archive}: ");
    assert!(printed.starts_with("wrote copies/") && printed.contains(&message), "{printed}");
    assert!(!printed.contains("(at "), "{printed}");
    assert_eq!(copies(&place).len(), 2);
}
