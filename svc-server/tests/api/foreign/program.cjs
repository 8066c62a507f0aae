// A program that signs people in with openid-client, unchanged: discovery, code flow with PKCE, and
// the device flow. Reads the server, its client id and its redirect URI; says where to send the
// person, reads where the person came back to, says what it learned, then the code of a device, and
// at last what that learned.
const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => (await lines.next()).value;
const say = (value) => console.log(JSON.stringify(value));

(async () => {
  const client = await import(require.resolve('openid-client'));
  const [root, id, done] = [await read(), await read(), await read()];
  const options = { execute: [client.allowInsecureRequests] };
  const metadata = { id_token_signed_response_alg: 'ES256' };
  const server = await client.discovery(new URL(root), id, metadata, client.None(), options);

  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(server, {
    redirect_uri: done,
    scope: 'openid read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  say(url.href);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  const tokens = await client.authorizationCodeGrant(server, new URL(await read()), checks);
  const { sub } = tokens.claims();
  const info = await client.fetchUserInfo(server, tokens.access_token, sub);
  say({ sub, info: info.sub });

  const device = await client.initiateDeviceAuthorization(server, { scope: 'openid read' });
  say(device.user_code);
  const polled = await client.pollDeviceAuthorizationGrant(server, { ...device, interval: 1 });
  await client.tokenRevocation(server, polled.refresh_token);
  say({ sub: polled.claims().sub });
  process.exit(0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
