// ALTCHA's own library: solves the challenge of each line, or judges a proof with the server's secret.
"use strict";
const { createInterface } = require("node:readline");
const { solveChallenge, verifySolution } = require("altcha-lib");
const { deriveKey } = require("altcha-lib/algorithms/pbkdf2");

const act = async ({ challenge, proof, secret }) => {
  if (challenge) {
    const solution = await solveChallenge({ challenge, deriveKey });
    return { proof: Buffer.from(JSON.stringify({ challenge, solution })).toString("base64") };
  }
  const payload = JSON.parse(Buffer.from(proof, "base64").toString());
  return verifySolution({ ...payload, deriveKey, hmacSignatureSecret: secret });
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  console.log(JSON.stringify(await act(JSON.parse(line))));
});
