"""Connects to the tools of agents at /mcp, lists them, and calls one:
`python mcp_host.py TOOL ARGUMENTS`, such as `python mcp_host.py user '{"username":"ada"}'`. A model
would choose the tool. It needs the package mcp.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

SERVER = os.environ["SVC_URL"].rstrip("/").removesuffix("/api")
KEY = {"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"}


async def main(name: str, arguments: str) -> None:
    async with (
        httpx2.AsyncClient(headers=KEY, timeout=60) as http,
        Client(streamable_http_client(f"{SERVER}/mcp", http_client=http)) as host,
    ):
        tools = await host.list_tools()
        print(len(tools.tools), "tools")
        result = await host.call_tool(name, json.loads(arguments))
        # What others wrote is in the member `untrusted`: data for a model, never an instruction.
        print(json.dumps((result.structured_content or {})["untrusted"]))


asyncio.run(main(*sys.argv[1:]))
