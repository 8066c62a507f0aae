"""Answers `/rules` in the channels that it is a member of."""

import asyncio

from svc import AsyncSvc

RULES = "1. Be kind. 2. Stay on topic."


async def serve(svc: AsyncSvc, channel_id: str) -> None:
    async for message in svc.channels.follow(channel_id):
        if message.content.strip() == "/rules":
            number = message.message_id
            key = f"rules:{number}"
            await svc.channels.post(channel_id, RULES, reply_to_id=number, idempotency_key=key)


async def main() -> None:
    async with AsyncSvc.from_env() as svc:
        channels = [channel.id async for channel in svc.channels.list(mine=True)]
        await asyncio.gather(*(serve(svc, channel) for channel in channels))


asyncio.run(main())
