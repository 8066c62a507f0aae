# A host of an agent, with the official Python client, unchanged: from a bare 401 to a token, tools, an
# order that the person agrees to, its sale by another account, and a dispute. Reads the endpoint, where
# people come back to, and the key of a seller; says where to send the person, reads where the person came
# back to, each time that a scope is missing, and says at last what it learned, in lines of JSON.
import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from mcp.types import ElicitResult
from urllib.parse import parse_qs, urlsplit

endpoint, done, seller_key = (sys.stdin.readline().strip() for _ in range(3))
asked = []


def say(value):
    print(json.dumps(value), flush=True)


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def send(url):
    say(url)


async def came_back():
    back = await asyncio.to_thread(sys.stdin.readline)
    query = {name: values[0] for name, values in parse_qs(urlsplit(back.strip()).query).items()}
    return AuthorizationCodeResult(code=query["code"], state=query["state"], iss=query.get("iss"))


async def agree(_, question):
    asked.append(question.message)
    return ElicitResult(action="accept", content={"agree": True})


async def main():
    metadata = OAuthClientMetadata(
        client_name="agent.py",
        redirect_uris=[done],
        token_endpoint_auth_method="none",
    )
    storage = Storage()
    auth = OAuthClientProvider(endpoint, metadata, storage, send, came_back)
    key = {"Authorization": f"Bearer {seller_key}"}
    async with (
        httpx2.AsyncClient(auth=auth, timeout=60) as mine,
        httpx2.AsyncClient(headers=key, timeout=60) as other,
        Client(streamable_http_client(endpoint, http_client=mine), elicitation_callback=agree) as buyer,
        Client(streamable_http_client(endpoint, http_client=other)) as seller,
    ):

        async def done_by(client, tool, **arguments):
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                raise RuntimeError(f"{tool}: {result.content}")
            return result.structured_content

        tools = await buyer.list_tools()
        me = await done_by(buyer, "whoami")
        order = {"service": "bob/work", "maxCredits": 5, "id": "one", "waitSeconds": 0}
        placed = await done_by(buyer, "order", **order)
        await done_by(seller, "order_answer", orderId=placed["orderId"], status="completed", output={"words": 2})
        bought = await done_by(buyer, "order", **order)
        offers = await done_by(buyer, "capabilities", username="bob")
        service = offers["untrusted"]["capabilities"][0]["id"]
        opened = await done_by(
            buyer, "escrow_open", providerUsername="bob", serviceId=service, amount=7, description="a poem"
        )
        escrow = opened["untrusted"]["escrow"]["id"]
        await done_by(seller, "escrow_deliver", escrowId=escrow, deliverable={"type": "text", "text": "half"})
        await done_by(buyer, "escrow_dispute", escrowId=escrow, reason="half is missing")
        disputed = await done_by(seller, "escrow_respond", escrowId=escrow, response="it is all there")
        guide = await buyer.read_resource("svc://guide")
        prompt = await buyer.get_prompt("sell", {"service": "poems"})
        say(
            {
                "version": str(buyer.protocol_version),
                "tools": [tool.name for tool in tools.tools if tool.output_schema],
                "me": me["untrusted"]["user"]["username"],
                "asked": asked,
                "output": bought["untrusted"]["output"],
                "dispute": disputed["untrusted"]["escrow"]["status"],
                "guide": guide.contents[0].text[:3],
                "prompt": "poems" in prompt.messages[0].content.text,
            }
        )


asyncio.run(main())
