//! What a handler tells and asks the buyer before its result.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_client::types::api::orders::{ProgressState, ServiceOrder};

use super::context::Ctx;
use super::fail::Fail;
use super::schema;
use crate::listen::is_passing;

/// How many seconds the platform delays its answer while the buyer has not answered.
const WAIT_SECONDS: u32 = 20;

/// The pause after an answer without news, or while the platform cannot be reached.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(2);

impl Ctx {
    /// Reports progress on the order: how much is done, in percent, and a note of at most 1,000
    /// characters.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// cx.progress(40, "chapter 2 of 5").await
    /// # }
    /// ```
    pub async fn progress(&self, percent: u8, note: impl Into<String>) -> Result<(), Fail> {
        let call = self.client().orders().progress(&self.request_id, ProgressState::Working);
        call.percent(u32::from(percent)).note(note.into()).await?;
        Ok(())
    }

    /// Sends the buyer a partial result: at most 64 KiB of JSON, and at most 100 per order.
    ///
    /// Wrap it in [`once`](Self::once) if the handler may run again.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// cx.once("chapter-1", async || cx.partial(&"Call me Ishmael.").await).await
    /// # }
    /// ```
    pub async fn partial(&self, partial: &impl Serialize) -> Result<(), Fail> {
        let call = self.client().orders().progress(&self.request_id, ProgressState::Working);
        call.partial(serde_json::to_value(partial)?).await?;
        Ok(())
    }

    /// Asks the buyer a question and waits for the input, whose schema is that of `T`.
    ///
    /// The journal keeps question and answer under the name of the step, so a handler that runs again
    /// waits for the answer to the same question, or has it already. Set a
    /// [`timeout`](crate::Service::timeout) that leaves time for it; the time for the answer of the
    /// order passes meanwhile.
    ///
    /// # Errors
    /// Fails if the order ends before the buyer answers.
    ///
    /// ```
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Choice { language: String }
    ///
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// let choice: Choice = cx.ask("language", "Which language do you want?").await?;
    /// # Ok(()) }
    /// ```
    pub async fn ask<T>(&self, step: &str, question: &str) -> Result<T, Fail>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let prompt = self.once(step, async || self.prompt::<T>(question).await).await?;
        // The order has the latest question alone: a later one takes the place of this and its answer.
        let step = format!("answer:{step}");
        let input = self.once(&step, async || self.input(&prompt).await).await?;
        Ok(serde_json::from_value(input)?)
    }

    /// Waits for the input to a question.
    async fn input(&self, prompt: &str) -> Result<Value, Fail> {
        let mut version = None;
        loop {
            let order = self.changed(version).await?;
            if let Some(asked) = order.prompt.filter(|asked| asked.id == prompt)
                && let Some(input) = asked.input
            {
                return Ok(input);
            }
            if order.closed_at.is_some() {
                return Err(Fail::reject("the order ended before the input came"));
            }
            let seen = u64::try_from(order.version).unwrap_or_default();
            if version.replace(seen) == Some(seen) {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// The order, once its version differs from this one or some time is over.
    async fn changed(&self, version: Option<u64>) -> svc_client::Result<ServiceOrder> {
        loop {
            let mut call = self.client().orders().get(&self.request_id);
            if let Some(version) = version {
                call = call.wait_seconds(WAIT_SECONDS).after_version(version);
            }
            match call.await {
                // The buyer may take days: an outage meanwhile must not fail the order.
                Err(error) if is_passing(&error) => {
                    let pause = error.retry_after().unwrap_or_default().max(PAUSE);
                    tokio::time::sleep(pause).await;
                }
                answered => return answered.map(|found| found.order),
            }
        }
    }

    /// Sends a question and returns its id.
    async fn prompt<T: JsonSchema>(&self, question: &str) -> Result<String, Fail> {
        let schema = serde_json::to_value(schema::of_input::<T>())?;
        let orders = self.client().orders();
        let call = orders.progress(&self.request_id, ProgressState::InputRequired).prompt(question);
        let call = match schema {
            Value::Object(schema) => call.prompt_schema(schema),
            _ => call,
        };
        let prompt = call.await?.order.prompt;
        prompt.map(|prompt| prompt.id).ok_or_else(|| Fail::reject("the question was not taken"))
    }
}
