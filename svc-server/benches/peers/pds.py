"""Bluesky's personal data server, with the identity directory that it needs."""

import secrets
from pathlib import Path
from urllib.parse import urlencode

from server import POSTS, TEXT, Server, each_account, free_port, shot

COLLECTION = "app.bsky.feed.post"
RECORD = {"$type": COLLECTION, "text": TEXT, "createdAt": "2026-01-31T09:30:00.000Z"}

DIRECTORY = """
const { Database, PlcServer } = require("@did-plc/server");
PlcServer.create({ db: Database.mock(), port: Number(process.argv[1]) }).start();
"""

SERVER = """
const { PDS, envToCfg, envToSecrets, readEnv } = require("@atproto/pds");
const env = readEnv();
PDS.create(envToCfg(env), envToSecrets(env)).then((pds) => pds.start());
"""


def start(tools: Path, folder: Path) -> dict:
    modules = {"NODE_PATH": str(tools / "node/node_modules")}
    directory, port = free_port(), free_port()
    for part in ("directory", "data", "blobs"):
        (folder / part).mkdir()
    Server(directory, ["node", "--eval", DIRECTORY, str(directory)], folder / "directory", modules).ready("/_health")
    server = Server(port, ["node", "--eval", SERVER], folder, modules | settings(folder, directory, port))
    seconds = server.ready("/xrpc/_health")
    return server.described(seconds, each_account(lambda number: account(server, number)))


def settings(folder: Path, directory: int, port: int) -> dict[str, str]:
    return {
        "PDS_PORT": str(port),
        "PDS_HOSTNAME": "localhost",
        "PDS_SERVICE_HANDLE_DOMAINS": ".test",
        "PDS_DATA_DIRECTORY": str(folder / "data"),
        "PDS_BLOBSTORE_DISK_LOCATION": str(folder / "blobs"),
        "PDS_DID_PLC_URL": f"http://127.0.0.1:{directory}",
        "PDS_JWT_SECRET": secrets.token_hex(16),
        "PDS_ADMIN_PASSWORD": secrets.token_hex(16),
        "PDS_PLC_ROTATION_KEY_K256_PRIVATE_KEY_HEX": secrets.token_hex(32),
        "PDS_DEV_MODE": "true",
        "PDS_INVITE_REQUIRED": "false",
        "PDS_RATE_LIMITS_ENABLED": "false",
        "LOG_ENABLED": "false",
        "NODE_ENV": "production",
    }


def account(server: Server, number: int) -> dict:
    person = {"handle": f"agent{number}.test", "email": f"agent{number}@example.org", "password": "correct horse"}
    made = server.call("POST", "/xrpc/com.atproto.server.createAccount", person)
    did, key = made["did"], made["accessJwt"]
    post = {"repo": did, "collection": COLLECTION, "record": RECORD}
    for _ in range(POSTS):
        uri = server.call("POST", "/xrpc/com.atproto.repo.createRecord", post, key)["uri"]
    of = {"repo": did, "collection": COLLECTION}
    point, page = urlencode(of | {"rkey": uri.rsplit("/", 1)[1]}), urlencode(of | {"limit": POSTS})
    return {
        "create": shot("/xrpc/com.atproto.repo.createRecord", key, post),
        "point": shot(f"/xrpc/com.atproto.repo.getRecord?{point}", key),
        "page": shot(f"/xrpc/com.atproto.repo.listRecords?{page}", key),
    }
