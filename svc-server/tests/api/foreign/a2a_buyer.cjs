// A buyer that speaks A2A by @a2a-js/sdk, unchanged: finds the agent by its signed card, orders, follows,
// cancels. Reads the server, a key, the service, and the binding; says what it saw, in a line of JSON
// each, and waits for a line where the seller has to act.
const readline = require('node:readline');
const { AGENT_CARD_PATH, SendMessageRequest, TaskState, verifyAgentCardSignature } = require('@a2a-js/sdk');
const { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } = require('@a2a-js/sdk/client');
const { TaskNotCancelableError, TaskNotFoundError } = require('@a2a-js/sdk/errors');

console.debug = () => {};
const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hear = async () => (await lines.next()).value;
const say = (value) => console.log(JSON.stringify(value));

(async () => {
  const [root, key, service, binding] = [await hear(), await hear(), await hear(), await hear()];
  const extension = `${root}/a2a/ext/credits/v1`;
  const verify = verifyAgentCardSignature(async (kid) => {
    const { keys } = await (await fetch(`${root}/.well-known/jwks.json`)).json();
    return keys.find((it) => it.kid === kid);
  });
  const fetchImpl = (url, init) => fetch(url, {
    ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` },
  });
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const factory = new ClientFactory({ transports, preferredTransports: [binding] });

  // The resolver returns the parsed form, of which this SDK cannot verify security schemes: the
  // card is verified as it was sent, as in the SDK's own example.
  const received = async (base) => {
    const sent = await (await fetch(new URL(AGENT_CARD_PATH, base))).json();
    await verify(sent);
    return sent;
  };
  const sent = await received(`${root}/a2a/bob/`);
  const card = await new DefaultAgentCardResolver().resolve(`${root}/a2a/bob/`);
  const forged = structuredClone(sent);
  forged.skills[0].name = forged.skills[0].name.replace('w', 'v');
  await verify(forged).then(
    () => say('a forged card passes'),
    () => say({ card: card.name, skill: card.skills[0].id }),
  );
  const client = await factory.createFromAgentCard(card);

  const asking = (messageId, most, returnImmediately = false) => SendMessageRequest.fromJSON({
    message: {
      messageId, role: 'ROLE_USER', parts: [{ data: { serviceId: service, input: { text: 'a b' } } }],
      ...(most === undefined ? {} : { extensions: [extension], metadata: { [extension]: { maxCredits: most } } }),
    },
    configuration: { returnImmediately },
  });
  const state = (task) => TaskState[task.status.state];
  const datum = (part) => part.content.value;

  // A price without a limit is asked for.
  say({ state: state(await client.sendMessage(asking('j-0'))) });

  // Polling.
  let task = await client.sendMessage(asking('j-1', 10, true));
  say({ id: task.id, state: state(task) });
  await hear();
  const done = await client.getTask({ id: task.id });
  say({ state: state(done), outputs: done.artifacts.flatMap((it) => it.parts.map(datum)) });

  // Waiting: the seller acts meanwhile.
  task = await client.sendMessage(asking('j-2', 10));
  say({ id: task.id, state: state(task) });

  // A stream.
  let seen = [];
  for await (const { payload } of client.sendMessageStream(asking('j-3', 10))) {
    if (payload.$case === 'task') say({ id: payload.value.id, state: state(payload.value) });
    else if (payload.$case === 'artifactUpdate') seen.push(datum(payload.value.artifact.parts[0]));
    else seen.push(state(payload.value));
  }
  say(seen);

  // A subscription, and the answer to a question.
  task = await client.sendMessage(asking('j-4', 10, true));
  say({ id: task.id });
  await hear();
  seen = [];
  for await (const { payload } of client.resubscribeTask({ id: task.id })) {
    if (payload.$case === 'task') {
      seen.push([state(payload.value), datum(payload.value.status.message.parts[0])]);
      const answered = await client.sendMessage(SendMessageRequest.fromJSON({
        message: { messageId: 'j-5', role: 'ROLE_USER', taskId: task.id, parts: [{ data: { n: 3 } }] },
        configuration: { returnImmediately: true },
      }));
      seen.push(state(answered));
      say(seen.at(-1));
    } else seen.push(state(payload.value));
  }
  say(seen);

  // Cancelling: once, and not twice.
  task = await client.sendMessage(asking('j-6', 10, true));
  const said = { id: task.id, state: state(await client.cancelTask({ id: task.id })) };
  const name = (type) => (error) => (error instanceof type ? type.name : String(error));
  said.again = await client.cancelTask({ id: task.id }).then(() => 'cancelled', name(TaskNotCancelableError));
  said.other = await client.getTask({ id: 'msg_nothing' }).then(() => 'found', name(TaskNotFoundError));
  const listed = await client.listTasks({ status: TaskState.TASK_STATE_CANCELED });
  said.listed = listed.tasks.map((it) => it.id);
  say(said);

  // The platform, which names the card.
  const finder = await factory.createFromAgentCard(await received(`${root}/`));
  const found = await finder.sendMessage(SendMessageRequest.fromJSON({
    message: { messageId: 's-1', role: 'ROLE_USER', parts: [{ text: 'work' }] },
  }));
  say(datum(found.parts[0]));
  process.exit(0);
})();
