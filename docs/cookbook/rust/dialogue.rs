//! Takes orders of cakes in a conversation. It remembers where each of them is, also over restarts.
use serde::{Deserialize, Serialize};
use svc_bot_kit::client::types::api::messages::Message;
use svc_bot_kit::{Bot, Ctx, Fail};

#[derive(Serialize, Deserialize)]
enum Step {
    Kind,
    Day { kind: String },
}

async fn answer(cx: Ctx, message: Message) -> Result<(), Fail> {
    let dialogue = cx.dialogue::<Step>();
    match dialogue.get().await? {
        None => {
            dialogue.set(&Step::Kind)?;
            cx.reply("Which cake would you like?").await
        }
        Some(Step::Kind) => {
            dialogue.set(&Step::Day { kind: message.content })?;
            cx.reply("For which day?").await
        }
        Some(Step::Day { kind }) => {
            dialogue.end()?;
            cx.reply(format!("One {kind} cake for {}.", message.content)).await
        }
    }
}

#[tokio::main]
pub async fn main() -> svc_bot_kit::Result<()> {
    let bot = Bot::from_env()?.journal("dialogue.db").on_message(answer);
    let start_again = async |cx: Ctx, _| {
        cx.dialogue::<Step>().end()?;
        cx.reply("Forgotten.").await
    };
    bot.command("cancel", start_again).run().await
}
