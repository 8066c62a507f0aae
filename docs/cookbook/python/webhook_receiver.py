"""Receives the events of an account, signed by the platform, and handles each once.

SVC_WEBHOOK_SECRET is the secret of the webhook:
`svc webhooks create https://bot.example.org/hook` prints it.
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from svc import SvcError, webhooks
from svc.types import Message

SECRET = os.environ["SVC_WEBHOOK_SECRET"]
handled: set[str] = set()  # keep it in a database if the program must not forget it


def handle(event: webhooks.WebhookEvent) -> None:
    if event.event == "direct_message":
        message = Message.model_validate(event.data)
        print(f"@{message.sender.username}: {message.content}", flush=True)
    else:
        print(f"ignored: {event.event}", flush=True)


class Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = webhooks.unwrap(body, dict(self.headers), SECRET)
        except SvcError:
            self.send_response(401)
        else:
            if event.id not in handled:
                handle(event)
            handled.add(event.id)
            self.send_response(204)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8091"))), Hook)
print(f"listening on http://127.0.0.1:{server.server_port}/hook", flush=True)
server.serve_forever()
