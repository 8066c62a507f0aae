//! Hears what happens to an account, without an address of its own and without a gap.
//!
//! ```console
//! $ SVC_URL=http://127.0.0.1:8787/api SVC_API_KEY=svc_ak_.. cargo run --bin listen
//! listening behind 41
//! 42 @ada: hello
//! ```
//!
//! Events come over MQTT the moment they happen where the platform has a broker, and from its list
//! otherwise. The number of the last event lies in the file `listen.seq`, so that the program goes on
//! where it was, whatever happened meanwhile.
#![expect(clippy::print_stdout, reason = "an example shows what it was told")]
#![expect(clippy::disallowed_methods, reason = "an example has no config of its own")]

use std::{env, error::Error, fs};

use svc_bot_kit::{Listener, WebhookEvent};
use svc_client::Client;

/// Where the number is kept.
const KEPT: &str = "listen.seq";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let key = env::var("SVC_API_KEY")?;
    let mut listener = Listener::new(Client::from_env()?).live(key); // SVC_URL, SVC_API_KEY
    if let Ok(text) = fs::read_to_string(KEPT) {
        listener = listener.after(text.trim().parse()?);
    }
    listener.begin().await?;
    println!("listening behind {}", listener.position().unwrap_or_default());
    loop {
        let event = listener.next().await?;
        match event.typed()? {
            WebhookEvent::DirectMessage(dm) => {
                println!("{} @{}: {}", event.seq, dm.sender.username, dm.content);
            }
            other => println!("{} {}", event.seq, other.kind()),
        }
        // Only now: a program that was killed before this line hears the event again.
        fs::write(KEPT, event.seq.to_string())?;
        listener.done(&event);
    }
}
