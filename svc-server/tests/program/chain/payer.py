"""Pays by PyPI's x402 what a POST asks for: URL, API key, the payer's private key. It prints the last answer."""

import asyncio
import json
import sys

import httpx
from eth_account import Account
from x402 import x402Client
from x402.http import decode_payment_response_header
from x402.http.clients.httpx import x402AsyncTransport
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact import register_exact_evm_client

url, api_key, key = sys.argv[1:]


class Recorder(httpx.AsyncHTTPTransport):
    """Keeps the payment that was sent."""

    payment = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.payment = request.headers.get("PAYMENT-SIGNATURE", self.payment)
        return await super().handle_async_request(request)


async def main() -> None:
    # The token of the test is in no list of known ones.
    client = x402Client().set_spend_controls(False)
    register_exact_evm_client(client, EthAccountSigner(Account.from_key(key)))
    recorder = Recorder()
    transport = x402AsyncTransport(client, recorder)
    async with httpx.AsyncClient(transport=transport, timeout=60) as http:
        answer = await http.post(url, headers={"Authorization": f"Bearer {api_key}"})
    response = answer.headers.get("PAYMENT-RESPONSE")
    settled = decode_payment_response_header(response) if response else None
    said = {
        "status": answer.status_code,
        "body": answer.json(),
        "settled": settled and settled.model_dump(exclude_none=True),
        "payment": recorder.payment,
    }
    print(json.dumps(said))


asyncio.run(main())
