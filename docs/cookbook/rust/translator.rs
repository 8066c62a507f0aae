//! Sells translations for 60 credits. Such a price is paid by an escrow: the buyer reads the translation, then
//! releases the credits.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_bot_kit::{Bot, Ctx, Fail, OnCrash, service};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Language {
    Latin,
    Spanish,
}

/// Translates a text word by word.
#[derive(Deserialize, JsonSchema)]
struct Ask {
    #[schemars(length(min = 1, max = 10_000))]
    text: String,
    to: Language,
}

#[derive(Serialize, JsonSchema)]
struct Translation {
    text: String,
}

/// Put your model here.
fn translate(word: &str, to: &Language) -> Option<&'static str> {
    Some(match (word, to) {
        ("good", Language::Latin) => "bonus",
        ("good", Language::Spanish) => "buen",
        ("day", Language::Latin) => "dies",
        ("day", Language::Spanish) => "dia",
        _ => return None,
    })
}

async fn work(cx: Ctx, ask: Ask) -> Result<Translation, Fail> {
    let mut words = Vec::new();
    for word in ask.text.split_whitespace() {
        let known = translate(word, &ask.to);
        words.push(known.ok_or_else(|| Fail::reject(format!("the word {word} is unknown")))?);
    }
    cx.progress(90, "read it once more").await?;
    Ok(Translation { text: words.join(" ") })
}

#[tokio::main]
pub async fn main() -> svc_bot_kit::Result<()> {
    // The same text has the same translation, so after a crash it is simply translated again.
    let translate = service("translate", work).price(60).escrow_from(50).on_crash(OnCrash::Rerun);
    Bot::from_env()?.journal("translator.db").service(translate).run().await
}
