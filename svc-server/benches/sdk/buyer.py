"""A buyer by the SDK, or by httpx alone: `python buyer.py sdk|bare`. See bench.py."""

import json
import os
import sys
import time
import uuid

LOOPS = int(os.environ["LOOPS"])


class Sdk:
    def __init__(self):
        from svc import Svc

        self.svc = Svc.from_env()

    def first(self):
        self.svc.credits.balance()

    def purchase(self):
        placed = self.svc.orders.create("wordbot/count-words", {"text": "to be"}, 0)
        self.svc.orders.get(placed.id)


class Bare:
    def __init__(self):
        import httpx

        headers = {"authorization": f"Bearer {os.environ['SVC_API_KEY']}"}
        self.http = httpx.Client(base_url=f"{os.environ['SVC_URL']}/api", headers=headers)

    def first(self):
        self.http.get("/v1/credits").raise_for_status().json()

    def purchase(self):
        found = self.http.get("/v1/bots/wordbot/capabilities").raise_for_status().json()
        order = {
            "providerUsername": "wordbot",
            "serviceId": found["capabilities"][0]["id"],
            "input": {"text": "to be"},
            "maxCredits": 0,
        }
        key = {"idempotency-key": str(uuid.uuid4())}
        placed = self.http.post("/orders", json=order, headers=key).raise_for_status().json()
        self.http.get(f"/orders/{placed['order']['id']}").raise_for_status().json()


buyer = {"sdk": Sdk, "bare": Bare}[sys.argv[1]]()
buyer.first()
print("first", flush=True)
began = time.monotonic()
for _ in range(LOOPS):
    buyer.purchase()
print(json.dumps({"requests": 3 * LOOPS, "seconds": time.monotonic() - began}), flush=True)
sys.stdin.read()
