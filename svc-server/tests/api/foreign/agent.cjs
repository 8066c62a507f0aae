// A host of an agent, with an official TypeScript client, unchanged: from a bare 401 to a token, tools, an
// order that the person agrees to, and its answer. Reads the library, the endpoint and where people come
// back to; says where to send the person, reads where the person came back to, each time that a scope is
// missing, and says at last what it learned, in lines of JSON.
const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => (await lines.next()).value;
const say = (value) => console.log(JSON.stringify(value));

// The current library and the one of 2025, which asks for no forms without a session.
const libraries = {
  client() {
    const all = require('@modelcontextprotocol/client');
    const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } };
    return { ...all, options, question: 'elicitation/create' };
  },
  sdk() {
    const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
    const transport = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');
    const { UnauthorizedError } = require('@modelcontextprotocol/sdk/client/auth.js');
    const options = { capabilities: { elicitation: {} } };
    // With a refresh token it renews the token instead of asking for the scope that is missing.
    const kept = ({ refresh_token, ...tokens }) => tokens;
    return { Client, ...transport, UnauthorizedError, options, question: ElicitRequestSchema, kept };
  },
};

(async () => {
  const [name, endpoint, done] = [await read(), await read(), await read()];
  const library = libraries[name]();
  const [kept, asked] = [{}, []];
  const provider = {
    redirectUrl: done,
    clientMetadata: {
      client_name: 'agent.cjs',
      redirect_uris: [done],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = library.kept ? library.kept(tokens) : tokens),
    redirectToAuthorization: (url) => say(url.href),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (state) => void (kept.discovery = state),
    discoveryState: () => kept.discovery,
  };

  const connect = async () => {
    const client = new library.Client({ name: 'agent.cjs', version: '1' }, library.options);
    client.setRequestHandler(library.question, (request) => {
      asked.push(request.params.message);
      return { action: 'accept', content: { agree: true } };
    });
    const transport = new library.StreamableHTTPClientTransport(new URL(endpoint), { authProvider: provider });
    return { client, transport, ready: client.connect(transport) };
  };
  // A step that needs the person sends them away once; then it is repeated.
  const withPerson = async (step) => {
    let connection = await connect();
    for (;;) {
      try {
        await connection.ready;
        return [connection, await step(connection.client)];
      } catch (error) {
        if (!(error instanceof library.UnauthorizedError)) throw error;
        const back = new URL(await read()).searchParams;
        await connection.transport.finishAuth(name === 'client' ? back : back.get('code'));
        connection = await connect();
      }
    }
  };

  const [, tools] = await withPerson((client) => client.listTools());
  const order = { service: 'bob/work', maxCredits: 5, id: 'one', waitSeconds: 0 };
  const call = (client) => client.callTool({ name: 'order', arguments: order });
  const [{ client }, placed] = await withPerson(call);
  const me = await client.callTool({ name: 'whoami', arguments: {} });
  say({
    tools: tools.tools.filter((tool) => tool.outputSchema).length,
    me: me.structuredContent.untrusted.user.username,
    asked,
    order: placed.isError ? JSON.parse(placed.content[0].text).code : placed.structuredContent.status,
  });
  process.exit(0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
