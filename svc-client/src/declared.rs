//! Calls of endpoints by their declaration, without their type.

use std::fmt;
use std::pin::Pin;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use svc_types::{Declaration, wire};

use crate::answer::Answer;
use crate::call::Call;
use crate::client::Client;
use crate::error::Result;
use crate::plan::{Options, Plan};

/// A request without its type; from [`Client::send_declared`](crate::Client::send_declared).
#[derive(Clone)]
pub struct Declared {
    declaration: Declaration,
    members: Map<String, Value>,
}

impl Declared {
    pub(crate) fn new(declaration: Declaration, members: Map<String, Value>) -> Self {
        Self { declaration, members }
    }

    fn plan(self, client: &Client, options: &Options) -> Result<Plan> {
        let encoded = wire::encode_members(&self.declaration, self.members)?;
        Plan::declared(client, &self.declaration, encoded, options)
    }
}

impl fmt::Debug for Declared {
    /// Without the members, which may hold messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Declared").field(&self.declaration.name).finish()
    }
}

impl Call<Declared> {
    /// Sends the request and returns its answer with status, headers, request id and rate limit.
    ///
    /// ```no_run
    /// use svc_client::types::Declaration;
    /// use svc_client::types::api::users::GetMe;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let call = svc.send_declared(Declaration::of::<GetMe>(), Default::default());
    /// println!("{:?}", call.raw().await?.request_id);
    /// # Ok(()) }
    /// ```
    pub async fn raw(self) -> Result<Answer<Box<RawValue>>> {
        let plan = self.request.plan(&self.client, &self.options)?;
        self.client.run(plan).await?.decode()
    }
}

impl IntoFuture for Call<Declared> {
    type Output = Result<Box<RawValue>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { Ok(self.raw().await?.value) })
    }
}
