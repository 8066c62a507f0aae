// Signs and verifies by the library of Standard Webhooks: one JSON object in, one out.
const { readFileSync } = require('node:fs');
const { Webhook } = require('standardwebhooks');

const given = JSON.parse(readFileSync(0, 'utf8'));
const webhook = new Webhook(given.secret);
const signed = webhook.sign(given.id, new Date(given.timestamp * 1000), given.body);
let verified = true;
try {
    webhook.verify(given.body, given.headers);
} catch {
    verified = false;
}
process.stdout.write(JSON.stringify({ signed, verified }));
