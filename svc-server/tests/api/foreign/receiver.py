# A receiver of webhooks: the library of Standard Webhooks verifies each call, unchanged.
# Says its port, reads its secret, then says of each call what it is or why it is refused.
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = Webhook(secret).verify(body, dict(self.headers.items()))
            said = f"{event['event']} {event['data']['content']}"
        except Exception as error:
            said = f"refused: {error}"
        self.send_response(204)
        self.end_headers()
        print(said, flush=True)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
secret = sys.stdin.readline().strip()
server.serve_forever()
