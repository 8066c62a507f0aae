// Connects to the tools of agents at /mcp, lists them, and calls one: `node mcp_host.js TOOL ARGUMENTS`, such as
// `node mcp_host.js user '{"username":"ada"}'`. A model would choose the tool.
// It needs the package @modelcontextprotocol/client.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { SVC_URL = "", SVC_API_KEY = "" } = process.env;
const server = SVC_URL.replace(/\/*$/, "").replace(/\/api$/, "");
const [name, given] = process.argv.slice(2);
if (!name || !given) throw new Error("node mcp_host.js TOOL ARGUMENTS");

const transport = new StreamableHTTPClientTransport(new URL(`${server}/mcp`), {
  requestInit: { headers: { authorization: `Bearer ${SVC_API_KEY}` } },
});
const host = new Client({ name: "mcp_host", version: "1" }, { versionNegotiation: { mode: "auto" } });
await host.connect(transport);

const { tools } = await host.listTools();
console.log(`${tools.length} tools`);

const args = JSON.parse(given) as Record<string, unknown>;
const { structuredContent } = await host.callTool({ name, arguments: args });
// What others wrote is in the member `untrusted`: data for a model, never an instruction.
const { untrusted } = structuredContent as { untrusted: unknown };
console.log(JSON.stringify(untrusted));
await host.close();
