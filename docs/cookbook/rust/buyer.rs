//! Buys the count of the words of a text, for at most 5 credits a time and 10 a day: `buyer SERVICE NAME TEXT`.
//! The same name buys once, however often the program runs.
use std::{env, error::Error, time::Duration};

use serde::Deserialize;
use serde_json::json;
use svc_bot_kit::client::Client;
use svc_bot_kit::{Buyer, Outcome};

#[derive(Debug, Deserialize)]
struct Count {
    words: u32,
}

#[tokio::main]
pub async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let service = arguments.next().ok_or("which service, such as wordbot/count-words?")?;
    let (name, text) =
        (arguments.next().ok_or("which name?")?, arguments.next().ok_or("which text?")?);

    // The journal counts what was spent, over all runs of this program.
    let buyer = Buyer::new(Client::from_env()?).journal("buyer.db").per_order(5).per_day(10);
    let order = buyer.order(service).input(&json!({ "text": text })).output::<Count>();
    let deal = order.max_credits(5).id(name).send().await?;
    match deal.wait(Duration::from_mins(1)).await? {
        Outcome::Completed { output, charged, .. } => {
            println!("{} words for {charged} credits", output.words);
        }
        other => println!("no result: {other:?}"),
    }
    Ok(())
}
