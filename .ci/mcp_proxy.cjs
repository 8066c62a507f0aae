// Adds an API key to the requests of the conformance package, which has none, and passes them on under
// the server's own host name.
const http = require('node:http');
const [, , target, key] = process.argv;
const to = new URL(target).host;

const server = http.createServer((request, response) => {
  const own = `${server.address().port}`;
  const renamed = (text) => text?.replace(new RegExp(`^(https?://)?(localhost|127\\.0\\.0\\.1):${own}$`), `$1${to}`);
  const headers = { ...request.headers, authorization: `Bearer ${key}`, host: renamed(request.headers.host) };
  if (headers.origin) headers.origin = renamed(headers.origin);
  const passed = http.request(new URL(request.url, target), { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
