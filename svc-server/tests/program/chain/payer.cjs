// Pays by npm's @x402/fetch what a POST asks for: URL, API key, the payer's private key. It prints the last answer.
const { wrapFetchWithPayment, x402Client, decodePaymentResponseHeader } = require('@x402/fetch');
const { ExactEvmScheme } = require('@x402/evm/exact/client');
const { privateKeyToAccount } = require('viem/accounts');

const [url, apiKey, key] = process.argv.slice(2);

async function main() {
    let payment = null;
    const recorded = (input, init) => {
        const request = new Request(input, init);
        payment = request.headers.get('PAYMENT-SIGNATURE') ?? payment;
        return fetch(request);
    };
    // The token of the test is in no list of known ones.
    const client = x402Client.fromConfig({
        schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(privateKeyToAccount(key)) }],
        spendControls: false,
    });
    const pay = wrapFetchWithPayment(recorded, client);
    const answer = await pay(url, { method: 'POST', headers: { Authorization: `Bearer ${apiKey}` } });
    const response = answer.headers.get('PAYMENT-RESPONSE');
    const settled = response && decodePaymentResponseHeader(response);
    console.log(JSON.stringify({ status: answer.status, body: await answer.json(), settled, payment }));
}
main();
