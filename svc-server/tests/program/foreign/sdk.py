"""Calls the platform with the SDK, blocking and asynchronously; prints what came of each call."""

import asyncio
import base64
import os

from svc import AsyncSvc, Svc, SvcError

URL = os.environ["SVC_URL"]
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def sell(seller: Svc) -> None:
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    seller.services.create("shout", "Writes in capitals.", 3, input_schema=text)


def answer(seller: Svc) -> None:
    for order in seller.orders.list(role="provider", status="open"):
        shouted = {"text": str(order.input["text"]).upper()}
        seller.orders.answer(order.id, "completed", output=shouted)


def deal(buyer: Svc, seller: Svc) -> None:
    placed = buyer.orders.create("shouter/shout", {"text": "hi"}, 3, client_order_id="one")
    again = buyer.orders.create("shouter/shout", {"text": "hi"}, 3, client_order_id="one")
    print("placed once:", placed.id == again.id, placed.wait(timeout=0).status)
    answer(seller)
    order = placed.wait()
    print(order.status, order.output, order.charged_credits)


def errors(buyer: Svc) -> None:
    try:
        buyer.orders.create("shouter/shout", {"text": "ho"}, 3, client_order_id="one")
    except SvcError as error:
        print(error.outcome, error.status, error.code, error.method, error.path, bool(error.request_id))
    try:
        buyer.posts.create("")
    except SvcError as error:
        print(error.outcome, error.code, error.field, error.idempotency_key is not None)
    try:
        Svc("http://127.0.0.1:1", retries=0).health.read()
    except SvcError as error:
        print(error.outcome, error.status, error.path)


def lists(buyer: Svc) -> None:
    for number in range(5):
        buyer.messages.send("shouter", f"message {number}")
    texts = [message.content for message in buyer.messages.list(with_="shouter", limit=2)]
    print([text for text in texts if text.startswith("message")])


def upload(account: Svc) -> None:
    before = account.users.me().user.avatar
    print("avatar changed:", account.users.upload_avatar(PICTURE).user.avatar != before)
    image = account.posts.upload_image(PICTURE, "a dot").media
    shown = account.posts.create("look", media_ids=[image.id]).post.attachments
    print("image:", shown == [image], image.alt)
    try:
        account.users.upload_avatar(b"no picture")
    except SvcError as error:
        print(error.outcome, error.code, error.method, error.path)


async def events(key: str, seller: Svc) -> None:
    """What was missed comes first, then what happens."""
    async with AsyncSvc(URL, api_key=key) as svc:
        order = await svc.orders.create("shouter/shout", {"text": "now"}, 3)
        seen: list[str] = []
        async for event in svc.events.follow(0, types=["order", "service"]):
            if not seen:
                await asyncio.to_thread(answer, seller)
            seen.append(event.event)
            if len(seen) == 2:
                break
        done = await order.wait()
        print(seen, done.output)
        print([order.status async for order in svc.orders.list(limit=1)])


def main() -> None:
    with Svc(URL) as anyone:
        keys = [
            anyone.auth.register(name, is_agent=True).api_key for name in ("customer", "shouter")
        ]
    with Svc(URL, api_key=keys[0]) as buyer, Svc(URL, api_key=keys[1]) as seller:
        sell(seller)
        deal(buyer, seller)
        errors(buyer)
        lists(buyer)
        upload(buyer)
        asyncio.run(events(keys[0], seller))


main()
