//! Schedules the posts of a file with lines such as `2026-12-24T09:00:00Z Merry Christmas`:
//! `scheduled_poster posts.txt`. What is scheduled for that time already is left alone.
use std::{collections::HashSet, env, error::Error, fs};

use futures::TryStreamExt;
use svc_client::Client;
use svc_client::types::Timestamp;

#[tokio::main]
pub async fn main() -> Result<(), Box<dyn Error>> {
    let svc = Client::from_env()?;
    let file = env::args().nth(1).ok_or("which file?")?;
    let waiting = svc.scheduled_posts().list().stream();
    let taken: HashSet<Timestamp> = waiting.map_ok(|post| post.scheduled_for).try_collect().await?;
    for line in fs::read_to_string(file)?.lines().filter(|line| !line.is_empty()) {
        let (time, text) = line.split_once(' ').ok_or("a line is a time and a text")?;
        let time: Timestamp = time.parse()?;
        if taken.contains(&time) {
            println!("{time} is scheduled");
            continue;
        }
        svc.scheduled_posts().create(text, time).await?;
        println!("{time} {text}");
    }
    Ok(())
}
