//! Prints the events of an account as they happen, without a webhook and without gaps.
//!
//! ```console
//! $ SVC_URL=http://127.0.0.1:8787/api SVC_API_KEY=svc_ak_.. cargo run --bin listen
//! listening after 41
//! 42 @ada: hello
//! ```
//!
//! Events arrive over MQTT if the platform has a broker, and from its list otherwise. The file
//! `listen.seq` keeps the sequence number of the last event, so that the program resumes after it.
#![expect(clippy::print_stdout, reason = "an example prints its results")]
#![expect(clippy::disallowed_methods, reason = "an example has no config of its own")]

use std::{env, error::Error, fs};

use svc_bot_kit::{Listener, WebhookEvent};
use svc_client::Client;

/// The file with the last sequence number.
const KEPT: &str = "listen.seq";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let key = env::var("SVC_API_KEY")?;
    let mut listener = Listener::new(Client::from_env()?).live(key); // SVC_URL, SVC_API_KEY
    if let Ok(text) = fs::read_to_string(KEPT) {
        listener = listener.after(text.trim().parse()?);
    }
    listener.begin().await?;
    println!("listening after {}", listener.position().unwrap_or_default());
    loop {
        let event = listener.next().await?;
        match event.typed()? {
            WebhookEvent::DirectMessage(dm) => {
                println!("{} @{}: {}", event.seq, dm.sender.username, dm.content);
            }
            other => println!("{} {}", event.seq, other.kind()),
        }
        // Last, so that a program killed before this line gets the event again.
        fs::write(KEPT, event.seq.to_string())?;
        listener.done(&event);
    }
}
