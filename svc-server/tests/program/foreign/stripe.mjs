// npm's client of Stripe against the stand-in: `create`, then `use` once the session is paid, `after` once
// its dispute is won; `sign` prints the header of a webhook.
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';

const [url, key, secret, step, id, signature] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const connect = (key) =>
    new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
const stripe = connect(key);

const say = (...words) => console.log(...words);
const refused = (error) => say(error.code ?? error.type, error.statusCode, ...(error.param ? [error.param] : []));
const fails = (call) => call.then(() => say('no error'), refused);

const steps = {
    async create() {
        const session = await stripe.checkout.sessions.create({
            mode: 'payment',
            success_url: 'https://svc.example.org/credits',
            expires_at: Number(id),
            automatic_tax: { enabled: true },
            line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'x' } } }],
        });
        say(session.id);
    },
    async use() {
        const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
        const { payment_intent: payment, total_details: parts } = session;
        const charge = payment.latest_charge;
        say(session.payment_status, session.amount_subtotal, session.amount_total, parts.amount_tax, charge.object.slice(0, 2));
        const [params, once] = [{ payment_intent: payment.id, amount: 100 }, { idempotencyKey: 're_1' }];
        const refund = await stripe.refunds.create(params, once);
        const left = charge.amount - (await stripe.charges.retrieve(charge.id)).amount_refunded;
        say('refund', refund.status, refund.amount, left);
        const again = await stripe.refunds.create(params, once);
        say('same refund', again.id === refund.id);
        await fails(stripe.refunds.create({ ...params, amount: 1 }, once));
        await fails(stripe.refunds.retrieve('re_none'));
        await fails(stripe.refunds.create({ ...params, payment_method: 'pm_1' }));
        await connect('sk_test_wrongwrong').refunds.retrieve(refund.id).catch((error) => say(error.type, error.statusCode));
        const amounts = await stripe.refunds.list({ charge: charge.id, limit: 2 }).autoPagingToArray({ limit: 100 });
        say('refunds', amounts.map((refund) => refund.amount).join());
    },
    async after() {
        const types = ['refund.created', 'refund.failed'];
        const events = await stripe.events.list({ types, limit: 2 }).autoPagingToArray({ limit: 100 });
        say('events', events.map((event) => event.type).join());
        const moved = await stripe.balanceTransactions.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
        say(moved.slice(1).map((entry) => entry.type).join());
        const dispute = await stripe.disputes.retrieve(id, { expand: ['charge'] });
        say(dispute.status, dispute.balance_transactions.length);
        const body = readFileSync('body', 'utf8');
        // The clock of the stand-in is not that of this machine.
        const read = (body) => stripe.webhooks.constructEvent(body, signature, secret, Number.MAX_SAFE_INTEGER);
        say(read(body).type);
        try {
            read(body.replace('evt_', 'evt-'));
        } catch (error) {
            say(error.type);
        }
    },
    async sign() {
        const payload = readFileSync('body', 'utf8');
        say(stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Number(id) }));
    },
};
await steps[step]();
