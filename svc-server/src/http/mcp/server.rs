//! The protocol: what hosts list, call and read.

use std::sync::{Arc, LazyLock};

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult,
    GetPromptRequestParams, GetPromptResponse, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, Tool as Described,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use svc_mcp::{TOPUP, Tool, arguments, failed, succeeded, unpaid};
use svc_store::trace;

use super::session::{Failure, Session};
use crate::app::ServerApp;
use crate::http::direct::DirectApi;

/// How long hosts may keep the lists, which change only with the program: an hour.
const TTL_MS: u64 = 3_600_000;

/// The tools, and how they are listed. Their schemas are made once.
struct Tools {
    all: Vec<Tool<Session>>,
    described: Vec<Described>,
}

static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    let all = svc_mcp::all();
    let described = all.iter().map(Tool::described).collect();
    Tools { all, described }
});

/// The tools of a server.
#[derive(Clone)]
pub(super) struct Server {
    app: Arc<ServerApp>,
    direct: Arc<DirectApi>,
}

impl Server {
    pub(super) const fn new(app: Arc<ServerApp>, direct: Arc<DirectApi>) -> Self {
        Self { app, direct }
    }

    fn session(
        &self,
        asked: Option<&mut CallToolRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<Session, ErrorData> {
        Session::of(&self.app, &self.direct, asked, context)
            .ok_or_else(|| ErrorData::internal_error("the request has no caller", None))
    }
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
        let takes_tokens = self.app.config.x402.is_on();
        let listed = TOOLS.described.iter().filter(|tool| takes_tokens || tool.name != TOPUP);
        let list = ListToolsResult::with_all_items(listed.cloned().collect());
        Ok(list.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = TOOLS.all.iter().find(|tool| tool.name == request.name).ok_or_else(|| {
            ErrorData::invalid_params("there is no such tool; list them with tools/list", None)
        })?;
        let given = arguments(tool.name, request.arguments.take(), &context.meta);
        let session = self.session(Some(&mut request), context)?;
        let run = trace::within(session.visit.trace.clone(), tool.run(&session, given));
        Ok(match run.await {
            Ok(answer) => succeeded(answer).into(),
            Err(Failure::Refused(body)) => failed(&body).into(),
            Err(Failure::Unpaid(offer)) => unpaid(offer).into(),
            Err(Failure::Ask(question)) => (*question).into(),
        })
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
        let list = ListPromptsResult::with_all_items(svc_mcp::prompts());
        Ok(list.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        svc_mcp::prompt(&request.name, request.arguments.as_ref()).map(GetPromptResponse::from)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let list = ListResourcesResult::with_all_items(svc_mcp::resources());
        Ok(list.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(svc_mcp::resource_templates());
        Ok(list.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let session = self.session(None, context)?;
        let read = svc_mcp::read_resource(&session, &request.uri);
        let read = trace::within(session.visit.trace.clone(), read);
        read.await.map(ReadResourceResponse::from)
    }
}
