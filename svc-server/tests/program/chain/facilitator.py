"""A facilitator: PyPI's x402 behind HTTP, until standard input ends. It prints its URL.

POST /behaviour with "honest", "lies" or "denies" sets how /settle answers: by what happened; that a payment is
done, which it does not send; that a payment failed, which it sent.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from x402 import x402FacilitatorSync
from x402.mechanisms.evm import FacilitatorWeb3Signer
from x402.mechanisms.evm.exact import register_exact_evm_facilitator
from x402.schemas import SettleRequest, SettleResponse, VerifyRequest

rpc, key, network, patience = sys.argv[1:]
facilitator = x402FacilitatorSync()
signer = FacilitatorWeb3Signer(key, rpc, confirmation_timeout_seconds=float(patience))
register_exact_evm_facilitator(facilitator, signer, networks=network)
behaviour = "honest"


def settle(asked: SettleRequest) -> SettleResponse:
    if behaviour == "lies":
        return SettleResponse(success=True, transaction="0x" + "1" * 64, network=network)
    settled = facilitator.settle(asked.payment_payload, asked.payment_requirements)
    if behaviour == "denies":
        return SettleResponse(success=False, error_reason="transaction_failed", transaction="", network=network)
    return settled


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/supported":
            self.answer(200, facilitator.get_supported())
        else:
            self.answer(404)

    def do_POST(self) -> None:
        global behaviour
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            if self.path == "/verify":
                asked = VerifyRequest.model_validate_json(body)
                self.answer(200, facilitator.verify(asked.payment_payload, asked.payment_requirements))
            elif self.path == "/settle":
                self.answer(200, settle(SettleRequest.model_validate_json(body)))
            elif self.path == "/behaviour":
                behaviour = body.decode()
                self.answer(204)
            else:
                self.answer(404)
        except ValueError as error:
            self.answer(400, error=str(error))

    def answer(self, status, answer=None, error=None) -> None:
        body = answer.model_dump_json(exclude_none=True) if answer else json.dumps({"error": error}) if error else ""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
