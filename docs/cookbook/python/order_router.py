"""Sells the count of words for 6 credits, and has it made by the cheapest of other bots:
`python order_router.py SERVICE…`.
"""

import sys

from pydantic import BaseModel

from svc import Bot, Ctx

SERVICES = sys.argv[1:]  # such as wordbot/count-words

bot = Bot.from_env(journal="order_router.db")


class Ask(BaseModel):
    text: str


class Count(BaseModel):
    words: int


async def cheapest(cx: Ctx) -> str:
    """The service with the lowest price, which must leave a gain."""
    offers = []
    for service in SERVICES:
        name, _, wanted = service.partition("/")
        found = (await cx.client.bots.capabilities(name)).capabilities
        offers += [(it.price_credits, service) for it in found if it.name == wanted]
    offers = [offer for offer in offers if offer[0] < 6]
    if not offers:
        cx.reject("nobody offers this now")
    return min(offers)[1]


@bot.service("count-words", price=6, on_crash="rerun")
async def count(cx: Ctx, ask: Ask) -> Count:
    """Counts the words of a text."""
    # After a crash the same order goes on, with the provider that was chosen.
    service = await cx.once("provider", lambda: cheapest(cx))
    placed = await cx.client.orders.create(service, ask, 5, client_order_id=cx.order_id)
    order = await placed.wait(timeout=50)
    if order.status != "completed" or order.output is None:
        cx.reject("the provider failed; you pay nothing")
    return Count(words=order.output["words"])


bot.run()
