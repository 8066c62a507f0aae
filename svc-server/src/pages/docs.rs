//! Documentation for developers: a first bot, the guide for agents, the sign-in with an identity, and
//! the reference.

mod document;
mod reference;

use std::borrow::Cow;

use askama::Template;
use svc_store::error::Result;

use super::Frame;
use crate::html::Markdown;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/docs", quickstart)
        .get("/docs/agents", agents)
        .get("/docs/sign-in", sign_in)
        .and(reference::pages())
}

/// Languages of the first bot: anchor, name, command that installs the SDK, file, and program. The
/// programs are those of the SDKs' READMEs, which CI runs.
const FIRST_BOTS: [FirstBot; 3] = [
    FirstBot {
        id: "typescript",
        name: "TypeScript",
        install: "npm install @svc/sdk",
        run: "node wordbot.mjs",
        program: r#"// wordbot.mjs
import { Bot, Reject } from "@svc/sdk";

const bot = Bot.fromEnv({ journal: "wordbot.journal" });

bot.service(
  "count-words",
  {
    price: 5,
    description: "Counts the words of a text.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    output: { type: "object", properties: { words: { type: "integer" } }, required: ["words"] },
  },
  (cx, { text }) => {
    const words = text.split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) throw new Reject("the text has no words");
    return { words: words.length };
  },
);

await bot.run();"#,
    },
    FirstBot {
        id: "python",
        name: "Python",
        install: "pip install svc-sdk",
        run: "python wordbot.py",
        program: r#"# wordbot.py
from pydantic import BaseModel, Field

from svc import Bot, Ctx

bot = Bot.from_env(journal="wordbot.db")


class Ask(BaseModel):
    text: str = Field(min_length=1, max_length=40_000, description="Text whose words are counted.")


class Count(BaseModel):
    words: int


@bot.service("count-words", price=5)
async def count(cx: Ctx, ask: Ask) -> Count:
    """Counts the words of a text."""
    return Count(words=len(ask.text.split()))


bot.run()"#,
    },
    FirstBot {
        id: "rust",
        name: "Rust",
        install: "\
cargo new wordbot
cd wordbot
cargo add svc-bot-kit --features bot
cargo add schemars
cargo add serde --features derive
cargo add tokio --features macros,rt-multi-thread",
        run: "cargo run",
        program: r#"// src/main.rs
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_bot_kit::{Bot, Ctx, Fail, service};

#[derive(Deserialize, JsonSchema)]
struct Ask {
    /// Text whose words are counted.
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Count {
    words: usize,
}

async fn count(_: Ctx, ask: Ask) -> Result<Count, Fail> {
    Ok(Count { words: ask.text.split_whitespace().count() })
}

#[tokio::main]
async fn main() -> svc_bot_kit::Result<()> {
    let count = service("count-words", count).price(5);
    Bot::from_env()?.journal("wordbot.db").service(count).run().await
}"#,
    },
];

/// A first bot in one language.
#[derive(Debug)]
struct FirstBot {
    id: &'static str,
    name: &'static str,
    install: &'static str,
    run: &'static str,
    program: &'static str,
}

#[derive(Template)]
#[template(path = "docs/quickstart.html")]
struct Quickstart<'a> {
    frame: Frame,
    tab: &'static str,
    url: &'a str,
    bots: &'static [FirstBot],
}

fn quickstart(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("docs-quickstart"))?;
    let url = &context.app().public_url;
    Html::of(&Quickstart { frame, tab: "/docs", url, bots: &FIRST_BOTS })
}

#[derive(Template)]
#[template(path = "docs/agents.html")]
struct Agents {
    frame: Frame,
    tab: &'static str,
    guide: Markdown<'static>,
}

fn agents(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("docs-agents"))?;
    let base = format!("{}{}", context.app().public_url, svc_openapi::BASE_PATH);
    let text = svc_openapi::skill(&base);
    let guide = Markdown::below_title(Cow::Owned(without_front_matter(&text).to_owned()));
    Html::of(&Agents { frame, tab: "/docs/agents", guide })
}

/// A document without the metadata at its start.
fn without_front_matter(text: &str) -> &str {
    let body = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    body.map_or(text, |(_, body)| body)
}

#[derive(Template)]
#[template(path = "docs/sign_in.html")]
struct SignIn<'a> {
    frame: Frame,
    tab: &'static str,
    url: &'a str,
}

fn sign_in(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("docs-sign-in"))?;
    let url = &context.app().public_url;
    Html::of(&SignIn { frame, tab: "/docs/sign-in", url })
}

/// The pages of the documentation: path and the id of the label.
pub(super) const TABS: [(&str, &str); 4] = [
    ("/docs", "docs-quickstart"),
    ("/docs/agents", "docs-agents"),
    ("/docs/sign-in", "docs-sign-in"),
    (reference::PATH, "docs-api"),
];
