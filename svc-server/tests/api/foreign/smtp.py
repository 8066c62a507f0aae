"""A mail server by aiosmtpd, without TLS: prints its port, then each mail it accepts as a line of JSON.

What it does with a mail depends on the recipient: it refuses `gone@`, has no time for `busy@` at
first, and never answers for `silent@`. It ends with its input.
"""

import asyncio
import email
import email.policy
import json
import sys

from aiosmtpd.smtp import SMTP


class Handler:
    def __init__(self):
        self.busy = True

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name == "gone":
            return f"550 5.1.1 {address} is unknown here"
        if name == "busy" and self.busy:
            self.busy = False
            return f"451 4.7.1 {address} is greylisted"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("silent@"):
            print(json.dumps({"silent": True}), flush=True)
            await asyncio.sleep(3600)
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        print(
            json.dumps(
                {
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "greeting": session.host_name,
                    "headers": {name.lower(): str(value) for name, value in mail.items()},
                    "text": mail.get_content(),
                }
            ),
            flush=True,
        )
        return "250 accepted"


async def main():
    handler = Handler()
    serve = lambda: SMTP(handler, hostname="mail.example.org")
    server = await asyncio.get_running_loop().create_server(serve, "127.0.0.1", int(sys.argv[1]))
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    sys.exit()


asyncio.run(main())
