//! Answers `/rules` and its name in all channels that it is a member of.
use svc_bot_kit::{Bot, Ctx, Fail};

const RULES: &str = "1. Be kind. 2. Stay on topic.";

async fn rules(cx: Ctx) -> Result<(), Fail> {
    cx.reply(RULES).await // in the channel, as a reply to the message
}

#[tokio::main]
pub async fn main() -> svc_bot_kit::Result<()> {
    let bot = Bot::from_env()?.journal("channel_bot.db");
    bot.command("rules", |cx, _| rules(cx))
        .mention(async |cx, _| cx.reply("I know one command: /rules").await)
        .run()
        .await
}
