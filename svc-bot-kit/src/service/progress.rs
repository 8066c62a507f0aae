//! What a handler tells and asks the buyer before its result.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_client::Call;
use svc_client::types::api::orders::{OrderStatus, ProgressState, ServiceOrder};
use svc_client::types::{Code, Endpoint, Timestamp};

use super::context::Ctx;
use super::fail::Fail;
use super::schema;
use crate::listen::{asked_wait, may_answer_later};

/// How many seconds the platform delays its answer while the buyer has not answered.
const WAIT_SECONDS: u32 = 20;

/// The pause after an answer without news, and the first one while the platform cannot be reached, which
/// is doubled after each attempt.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest pause, unless the platform asks for a longer one, of up to an hour.
const PAUSE_MAX: Duration = Duration::from_secs(60);

impl Ctx {
    /// Reports progress on the order: how much is done, in percent, and a note of at most 1,000
    /// characters. More than 100 percent counts as 100.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// cx.progress(40, "chapter 2 of 5").await
    /// # }
    /// ```
    pub async fn progress(&self, percent: u8, note: impl Into<String>) -> Result<(), Fail> {
        let call = self.client().orders().progress(&self.request_id, ProgressState::Working);
        until_answered(call.percent(u32::from(percent.min(100))).note(note.into())).await?;
        Ok(())
    }

    /// Says until when you would need time; only the buyer can give it.
    ///
    /// ```
    /// use svc_bot_kit::client::types::Timestamp;
    ///
    /// # async fn show(cx: svc_bot_kit::Ctx, friday: Timestamp) -> Result<(), svc_bot_kit::Fail> {
    /// cx.wants_until(friday).await
    /// # }
    /// ```
    pub async fn wants_until(&self, until: Timestamp) -> Result<(), Fail> {
        let call = self.client().orders().progress(&self.request_id, ProgressState::Working);
        until_answered(call.wants_until(until)).await?;
        Ok(())
    }

    /// Sends the buyer a partial result: at most 64 KiB of JSON, and at most 100 per order.
    ///
    /// A handler that runs again sends each of them only once, provided that it sends them in the same
    /// order.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// cx.partial(&"Call me Ishmael.").await
    /// # }
    /// ```
    pub async fn partial(&self, partial: &impl Serialize) -> Result<(), Fail> {
        let number = 1 + self.count_partial();
        let call = self.client().orders().progress(&self.request_id, ProgressState::Working);
        let key = format!("partial:{}:{number}", self.request_id);
        let call = call.partial(serde_json::to_value(partial)?).idempotency_key(key);
        match until_answered(call).await {
            // The handler ran before, and sent its partial result of this number.
            Err(error) if error.code() == Some(&Code::IdempotencyConflict) => Ok(()),
            answered => Ok(answered.map(|_| ())?),
        }
    }

    /// Asks the buyer a question and waits for the input, whose schema is that of `T`.
    ///
    /// The journal keeps question and answer under the name of the step, so a handler that runs again
    /// waits for the answer to the same question, or has it already: with
    /// [`OnCrash::Rerun`](crate::OnCrash::Rerun) also after a restart of the process. Set a
    /// [`timeout`](crate::Service::timeout) that leaves time for it; the time for the answer of the
    /// order passes meanwhile. A handler that waits counts as one of those that run
    /// [concurrently](crate::Bot::concurrency).
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
        // The order has only the latest question: a later one replaces this one and its answer.
        let answer = format!("answer:{step}");
        let input =
            self.once(&answer, async || self.input::<T>(step, question, &prompt).await).await?;
        Ok(serde_json::from_value(input)?)
    }

    /// Waits for the input to a question.
    async fn input<T>(&self, step: &str, question: &str, prompt: &str) -> Result<Value, Fail>
    where
        T: JsonSchema,
    {
        let mut prompt = prompt.to_owned();
        let mut version = None;
        loop {
            let order = self.changed(version).await?;
            if let Some(asked) = order.prompt.filter(|asked| asked.id == prompt) {
                if let Some(input) = asked.input {
                    return Ok(input);
                }
                if order.status == OrderStatus::Working {
                    // A handler that runs again reported progress, which withdraws the question.
                    prompt = self.prompt::<T>(question).await?;
                    let (journal, stored) = (&self.state.journal, serde_json::to_string(&prompt)?);
                    journal.save_step(self.request_id.as_str(), step, stored).await?;
                }
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
        let mut call = self.client().orders().get(&self.request_id);
        if let Some(version) = version {
            call = call.wait_seconds(WAIT_SECONDS).after_version(version);
        }
        until_answered(call).await.map(|found| found.order)
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
        let prompt = until_answered(call).await?.order.prompt;
        prompt.map(|prompt| prompt.id).ok_or_else(|| Fail::reject("the question was not taken"))
    }
}

/// The answer to a call, as soon as the platform can be reached: the buyer may take days, and an outage
/// meanwhile must not fail the order. All attempts have one key, so the call acts once.
async fn until_answered<E: Endpoint>(mut call: Call<E>) -> svc_client::Result<E::Response> {
    let mut pause = PAUSE;
    loop {
        match call.clone().await {
            Err(error) if may_answer_later(&error) => {
                if let Some(key) = error.idempotency_key() {
                    call = call.idempotency_key(key);
                }
                let wait = asked_wait(&error).max(pause);
                tracing::warn!(%error, "trying again in {:.1} s", wait.as_secs_f64());
                tokio::time::sleep(wait).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
            answered => return answered,
        }
    }
}
