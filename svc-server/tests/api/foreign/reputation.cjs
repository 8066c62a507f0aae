// A program that checks attestations with jose. Reads the URL of the keys, the issuer and a token,
// then more tokens, and says what it found in each, in a line of JSON.
const { createRemoteJWKSet, jwtVerify } = require("jose");
const lines = require("node:readline").createInterface({ input: process.stdin });

(async () => {
  const read = lines[Symbol.asyncIterator]();
  const line = async () => (await read.next()).value;
  const keys = createRemoteJWKSet(new URL(await line()));
  const issuer = await line();
  for (let token = await line(); token !== undefined; token = await line()) {
    let found;
    try {
      const options = { issuer, typ: "svc-reputation+jwt", algorithms: ["ES256"] };
      const { payload, protectedHeader } = await jwtVerify(token, keys, options);
      found = { typ: protectedHeader.typ, sub: payload.sub, mean: payload.ratings.mean };
    } catch (error) {
      found = { refused: error.code };
    }
    console.log(JSON.stringify(found));
  }
})();
