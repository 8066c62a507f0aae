//! `svc mcp`: the platform as tools of an agent, by the Model Context Protocol over stdio.
//!
//! The table of tools is that of `svc-mcp`. [`order`], [`open`] and [`release`] have rules of their own:
//! what spends credits works only within limits. [`topup`] buys credits with tokens.

mod guide;
mod open;
mod order;
mod release;
mod topup;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, GetPromptRequestParams,
    GetPromptResponse, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use svc_bot_kit::Buyer;
use svc_client::types::Endpoint;
use svc_client::types::api::escrow::{CreateEscrow, ReleaseEscrow};
use svc_mcp::{
    Backend, Order, OrderResult, Tool, Topup, TopupResult, arguments, failed, succeeded, unpaid,
};

use crate::caller::{Caller, Sent};
use crate::device;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::order::failure::explained;
use crate::raw::unexpected;
use crate::settings::Settings;
use crate::spend;

/// What the help of the command says below its flags.
pub(crate) const HELP: &str = "\
Register it in an agent as the command `svc mcp`. Tools that spend credits work only within a limit:
  svc profile limit --per-day 50";

/// The tools, and the account they act as.
struct Server {
    caller: Caller,
    buyer: Buyer,
    /// Whether anything limits what is spent.
    is_limited: bool,
    tools: Vec<Tool<Self>>,
}

/// Serves the tools until stdin ends.
pub(crate) async fn run(settings: &Settings) -> Result<()> {
    if settings.is_dry_run() {
        return Err(Error::usage("svc mcp has no --dry-run; the tool order has dryRun"));
    }
    let caller = settings.caller()?;
    if caller.has_idempotency_key() {
        return Err(Error::usage(
            "svc mcp has no --idempotency-key: each call has a key of its own",
        ));
    }
    device::note_end(&caller);
    let limits = settings.limits(&caller.target)?;
    let buyer = spend::buyer(&caller, settings, spend::Journal::IfLimited).await?;
    let is_limited = limits.per_day.is_some();
    let server = Server { caller, buyer, is_limited, tools: svc_mcp::all() };
    let failed = |error: String| Error::new(Exit::Other, "mcp", error);
    let running = match server.serve(rmcp::transport::stdio()).await {
        // Stdin may end at any time, even before anybody said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        begun => begun.map_err(|error| failed(error.to_string()))?,
    };
    running.waiting().await.map(drop).map_err(|error| failed(error.to_string()))
}

impl Server {
    async fn call(&self, request: CallToolRequestParams) -> Result<Option<Value>> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == request.name) else {
            return Ok(None);
        };
        if tool.spends && !self.is_limited {
            let message = "spending is off: no limit per day is set for this account";
            let hint = "the person sets it by svc profile limit --per-day CREDITS, or by \
                        SVC_MAX_CREDITS_PER_DAY, and starts svc mcp again";
            return Err(Error::new(Exit::Money, "spend_limit", message).hint(hint));
        }
        if tool.spends {
            self.buyer.catch_up().await.map_err(explained)?;
        }
        tool.run(self, request.arguments.unwrap_or_default()).await.map(Some)
    }
}

impl Backend for Server {
    type Error = Box<Error>;

    async fn send<E: Endpoint>(&self, request: E) -> Result<Value> {
        raw::<E>(self.caller.send_agreed(request).await?)
    }

    async fn order(&self, order: Order) -> Result<OrderResult> {
        order::order(self, order).await
    }

    async fn open(&self, request: CreateEscrow) -> Result<Value> {
        open::open(self, request).await
    }

    async fn release(&self, request: ReleaseEscrow, checksum: Option<Value>) -> Result<Value> {
        release::release(self, request, checksum).await
    }

    async fn topup(&self, topup: Topup) -> Result<TopupResult> {
        topup::topup(self, topup).await
    }

    async fn guide(&self) -> Result<String> {
        guide::guide(&self.caller.target.url).await
    }

    fn resource_error(error: Box<Error>) -> Option<ErrorData> {
        svc_mcp::resource_error(&error.code, &error.message, json!(error))
    }

    fn misused(message: String, hint: impl Into<String>) -> Box<Error> {
        Error::usage(message).hint(hint)
    }
}

/// What the platform answered, as it came.
fn raw<E: Endpoint>(sent: Sent<E>) -> Result<Value> {
    let answer = sent.expect("svc mcp does not run under --dry-run");
    serde_json::from_str(answer.value.raw.get()).map_err(|error| unexpected(&error))
}

/// A failure as a tool answers it: none takes the key of a request, by which a command is repeated safely.
fn of_tool(mut error: Box<Error>) -> Box<Error> {
    if error.idempotency_key.take().is_none() {
        return error;
    }
    error.hint("it may have taken effect: look for it before you call the tool again")
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        svc_mcp::introduction()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(Tool::described).collect()))
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        request.arguments = Some(arguments(&name, request.arguments.take(), &context.meta));
        let result = match self.call(request).await {
            Ok(Some(answer)) => succeeded(answer),
            Ok(None) => {
                return Err(ErrorData::invalid_params(format!("there is no tool {name}"), None));
            }
            Err(error) if error.offer.is_some() => unpaid(json!(error)),
            Err(error) => failed(&json!(of_tool(error))),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(svc_mcp::resources()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(svc_mcp::resource_templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        svc_mcp::read_resource(self, &request.uri).await.map(ReadResourceResponse::from)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(svc_mcp::unreadable(&request.method))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(svc_mcp::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        svc_mcp::prompt(&request.name, request.arguments.as_ref()).map(GetPromptResponse::from)
    }
}
