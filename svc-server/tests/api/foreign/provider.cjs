// An OpenID provider that other people wrote, oidc-provider, unchanged, with its own pages. Says its
// issuer, reads the root of the server that links accounts here, says that it is ready. People sign in
// with any name; `/2/users/me` answers as the API of X does.
const http = require('node:http');
const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (value) => console.log(JSON.stringify(value));
console.info = console.warn = () => {};

(async () => {
  const { Provider } = await import(require.resolve('oidc-provider'));
  const server = http.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  say(issuer);
  const root = (await lines.next()).value;

  const client = (client_id, name) => ({
    client_id,
    client_secret: 'a secret',
    redirect_uris: [`${root}/auth/callback/${name}`],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const provider = new Provider(issuer, {
    clients: [client('svc-google', 'google'), client('svc-x', 'x')],
    scopes: ['openid', 'email', 'users.read', 'tweet.read'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // As Google does, the ID token itself says the address.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['one key'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: id !== 'unverified' }),
    }),
  });
  const handle = provider.callback();
  server.on('request', async (request, response) => {
    if (request.url !== '/2/users/me') return handle(request, response);
    const token = await provider.AccessToken.find(request.headers.authorization?.slice('Bearer '.length));
    const may = token?.scopes.has('users.read');
    response.writeHead(may ? 200 : 401, { 'content-type': 'application/json' });
    const id = [...(token?.accountId ?? '')].map((letter) => letter.charCodeAt(0)).join('');
    response.end(JSON.stringify(may ? { data: { id, name: 'Somebody', username: token.accountId } } : {}));
  });
  say('ready');
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
