// A mail server by smtp-server, with TLS: prints its port, then each mail it accepts as a line of JSON.
// It asks for user and password. Arguments: "tls" from the start or "starttls", certificate, key. It
// ends with its input.
const { readFileSync } = require('node:fs')
const { SMTPServer } = require('smtp-server')

const [, , mode, certificate, key] = process.argv
const say = (line) => process.stdout.write(`${line}\n`)

const server = new SMTPServer({
  secure: mode === 'tls',
  cert: readFileSync(certificate),
  key: readFileSync(key),
  authMethods: ['PLAIN', 'LOGIN'],
  logger: false,
  onAuth({ username, password }, session, done) {
    if (username !== 'svc@example.org' || password !== 'p:/ä@') {
      say(JSON.stringify({ refused: username }))
      return done(new Error('wrong user or password'))
    }
    done(null, { user: username })
  },
  onData(stream, session, done) {
    const parts = []
    stream.on('data', (part) => parts.push(part))
    stream.on('end', () => {
      const { envelope, user, secure, hostNameAppearsAs } = session
      const to = envelope.rcptTo.map(({ address }) => address)
      const text = Buffer.concat(parts).toString()
      say(JSON.stringify({ from: envelope.mailFrom.address, to, user, secure, greeting: hostNameAppearsAs, text }))
      done()
    })
  },
})

// Clients that refuse the certificate.
server.on('error', () => say(JSON.stringify({ broken: true })))
server.listen(0, '0.0.0.0', () => say(server.server.address().port))
process.stdin.resume()
process.stdin.on('end', () => process.exit())
