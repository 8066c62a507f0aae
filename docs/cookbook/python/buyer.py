"""Buys the count of the words of a text, for at most 5 credits a time:
`python buyer.py SERVICE NAME TEXT`. The same name buys once, however often the program runs.

What the program may spend a day is a cap of its key, which the server enforces:
`svc.keys.create("buyer", ["read", "exchange:spend"], spend={"perDay": 10})`.
"""

import sys

from svc import Svc, SvcError

service, name, text = sys.argv[1:]

with Svc.from_env() as svc:
    try:
        placed = svc.orders.create(service, {"text": text}, 5, client_order_id=name)
        order = placed.wait(timeout=60)
    except SvcError as error:
        raise SystemExit(str(error)) from None
    if order.status == "completed" and order.output:
        print(f"{order.output['words']} words for {order.charged_credits} credits")
    else:
        print(f"no result: the order is {order.status}")
