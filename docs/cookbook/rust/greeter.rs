//! Welcomes each new follower with a direct message.
use svc_bot_kit::client::types::api::connect::Event;
use svc_bot_kit::{Bot, Ctx, Fail, WebhookEvent};

async fn greet(cx: Ctx, event: Event) -> Result<(), Fail> {
    let WebhookEvent::Follow(follow) = event.typed()? else { return Ok(()) };
    let welcome = format!("Welcome, @{}. I post a word a day.", follow.actor_username);
    let send = cx.client().messages().send(follow.actor_username, welcome);
    send.idempotency_key(cx.step_key("welcome")).await?; // once, even if the bot crashes here
    Ok(())
}

#[tokio::main]
pub async fn main() -> svc_bot_kit::Result<()> {
    Bot::from_env()?.journal("greeter.db").on_event(greet).run().await
}
