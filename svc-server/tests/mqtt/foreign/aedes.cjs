// A broker of others: aedes, which asks the server who may do what.
//
//   node aedes.cjs PORT
//
// It prints its port, and reads lines of JSON: {"url": where the server is asked, "secret": …}.
const net = require('node:net')
const readline = require('node:readline')
const { Aedes } = require('aedes')

let server = { url: 'http://127.0.0.1:1', secret: '' }

// The server's verdict; whatever goes wrong is a refusal.
async function asks (path, question) {
  try {
    const answer = await fetch(`${server.url}/internal/mqtt/${path}?dialect=aedes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Svc-Internal-Secret': server.secret },
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(5000)
    })
    return answer.status === 200 && (await answer.json()).result === 'allow'
  } catch {
    return false
  }
}

const may = (client, action, topic) =>
  asks('acl', { username: client.account, clientid: client.id, action, topic })

async function main () {
  const broker = await Aedes.createBroker({
    authenticate (client, username, password, done) {
      client.account = username ?? ''
      client.granted = new Set()
      client.judged = Promise.resolve()
      asks('auth', {
        username: client.account, password: password?.toString() ?? '', clientid: client.id
      }).then(allowed => allowed ? done(null, true) : done(Object.assign(new Error(), { returnCode: 4 }), false))
    },
    authorizePublish (client, packet, done) {
      // One after the other, so that events keep their order.
      client.judged = client.judged.then(() => may(client, 'publish', packet.topic))
        .then(allowed => done(allowed ? null : new Error('refused')))
    },
    authorizeSubscribe (client, subscription, done) {
      may(client, 'subscribe', subscription.topic).then(allowed => {
        if (allowed) client.granted.add(subscription.topic)
        done(null, allowed ? subscription : null)
      })
    },
    // aedes keeps for a lasting session what comes after its account lost a topic. It asks for all
    // topics again before it sends what it kept.
    authorizeForward: (client, packet) => client.granted.has(packet.topic) ? packet : null
  })
  // aedes would keep the subscriptions that were refused, too, and what comes on them.
  const { persistence } = broker
  const add = persistence.addSubscriptions.bind(persistence)
  persistence.addSubscriptions = (client, subscriptions) =>
    add(client, subscriptions.filter(({ topic }) => client.granted.has(topic)))
  const listener = net.createServer(broker.handle)
  listener.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => console.log(listener.address().port))
  for await (const line of readline.createInterface({ input: process.stdin })) server = JSON.parse(line)
  process.exit()
}

main()
