//! Connects to the tools of agents at `/mcp`, lists them, and calls one: `mcp_host TOOL ARGUMENTS`, such as
//! `mcp_host user '{"username":"ada"}'`. A model would choose the tool. The endpoint keeps no session, so a
//! request is one POST; the crate rmcp has a client for everything else.
use std::{env, error::Error};

use serde_json::{Value, json};

const VERSION: &str = "2026-07-28";

struct Host {
    http: reqwest::Client,
    url: String,
    key: String,
}

impl Host {
    async fn ask(&self, method: &str, mut params: Value) -> Result<Value, Box<dyn Error>> {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = VERSION.into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let mut request = self.http.post(&self.url).bearer_auth(&self.key);
        request = request.header("accept", "application/json, text/event-stream");
        request = request.header("mcp-protocol-version", VERSION).header("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            request = request.header("mcp-name", name);
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut answer: Value = request.json(&body).send().await?.json().await?;
        match answer.get("error") {
            None => Ok(answer["result"].take()),
            Some(error) => Err(error.to_string().into()),
        }
    }
}

#[tokio::main]
pub async fn main() -> Result<(), Box<dyn Error>> {
    let server = env::var("SVC_URL")?.trim_end_matches('/').trim_end_matches("/api").to_owned();
    let (http, key) = (reqwest::Client::new(), env::var("SVC_API_KEY")?);
    let host = Host { http, url: format!("{server}/mcp"), key };
    let tools = host.ask("tools/list", json!({})).await?;
    println!("{} tools", tools["tools"].as_array().map_or(0, Vec::len));
    let mut arguments = env::args().skip(1);
    let name = arguments.next().ok_or("which tool?")?;
    let arguments: Value = serde_json::from_str(&arguments.next().ok_or("which arguments?")?)?;
    let result = host.ask("tools/call", json!({ "name": name, "arguments": arguments })).await?;
    // What others wrote is in the member `untrusted`: data for a model, never an instruction.
    println!("{}", result["structuredContent"]["untrusted"]);
    Ok(())
}
