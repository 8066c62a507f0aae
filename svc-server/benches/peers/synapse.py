"""Synapse, a Matrix server, on SQLite. Each account writes to its own room."""

import json
import subprocess
from pathlib import Path
from urllib.parse import quote

from server import POSTS, TEXT, Server, each_account, free_port, shot

CLIENT = "/_matrix/client/v3"
NO_LIMIT = {"per_second": 1_000_000, "burst_count": 1_000_000}


def start(tools: Path, folder: Path) -> dict:
    port, program = free_port(), [str(tools / "python/bin/python"), "-m", "synapse.app.homeserver"]
    config = folder / "homeserver.yaml"
    config.write_text(json.dumps(settings(folder, port)))  # YAML contains JSON
    subprocess.run([*program, "--config-path", config, "--generate-keys"], cwd=folder, check=True, capture_output=True)
    server = Server(port, [*program, "--config-path", str(config)], folder)
    seconds = server.ready("/_matrix/client/versions")
    return server.described(seconds, each_account(lambda number: account(server, number)))


def settings(folder: Path, port: int) -> dict:
    log = folder / "log.yaml"
    log.write_text(json.dumps({"version": 1, "root": {"level": "ERROR"}}))
    client = {"port": port, "type": "http", "bind_addresses": ["127.0.0.1"], "resources": [{"names": ["client"]}]}
    return {
        "server_name": "localhost",
        "listeners": [client],
        "database": {"name": "sqlite3", "args": {"database": str(folder / "homeserver.db")}},
        "log_config": str(log),
        "media_store_path": str(folder / "media"),
        "signing_key_path": str(folder / "signing.key"),
        "macaroon_secret_key": "a secret of a bench",
        "form_secret": "a secret of a bench",
        "report_stats": False,
        "trusted_key_servers": [],
        "enable_registration": True,
        "enable_registration_without_verification": True,
        "bcrypt_rounds": 4,
        "rc_message": NO_LIMIT,
        "rc_registration": NO_LIMIT,
        "rc_room_creation": NO_LIMIT,
        "rc_login": {"address": NO_LIMIT, "account": NO_LIMIT},
        "rc_joins": {"local": NO_LIMIT},
    }


def account(server: Server, number: int) -> dict:
    person = {"username": f"agent{number}", "password": "correct horse", "auth": {"type": "m.login.dummy"}}
    key = server.call("POST", f"{CLIENT}/register", person)["access_token"]
    room = f"{CLIENT}/rooms/{quote(server.call('POST', f'{CLIENT}/createRoom', {}, key)['room_id'])}"
    message = {"msgtype": "m.text", "body": TEXT}
    for _ in range(POSTS):
        event = server.call("POST", f"{room}/send/m.room.message", message, key)["event_id"]
    return {
        "create": shot(f"{room}/send/m.room.message", key, message),
        "point": shot(f"{room}/event/{quote(event)}", key),
        "page": shot(f"{room}/messages?dir=b&limit={POSTS}", key),
    }
