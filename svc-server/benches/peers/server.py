"""What all peers share: a process that ends with this one, and calls over HTTP."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# One per connection of the load, so that each writes with its own account.
ACCOUNTS = 64

# One page.
POSTS = 20

TEXT = "some words of some length, as people write them"

SECONDS_TO_START = 120


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def end_with_parent() -> None:
    """Has the kernel kill this process when its parent ends, however it ends."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


class Server:
    """A process that serves HTTP."""

    def __init__(self, port: int, command: list[str], folder: Path, more: dict[str, str] | None = None) -> None:
        self.address = f"127.0.0.1:{port}"
        self.log = folder / "log"
        self.began = time.monotonic()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=folder, stdout=log, stderr=log, env=os.environ | (more or {}), preexec_fn=end_with_parent
            )

    def ready(self, path: str) -> float:
        """Waits until the path is answered, and returns the seconds since the start."""
        while time.monotonic() - self.began < SECONDS_TO_START:
            if self.process.poll() is not None:
                break
            try:
                self.call("GET", path)
            except OSError:
                time.sleep(0.02)
                continue
            return time.monotonic() - self.began
        raise SystemExit(f"the server does not start:\n{self.log.read_text(errors='replace')[-2000:]}")

    def call(self, method: str, path: str, body: object = None, key: str | None = None) -> dict:
        """Returns the answer; raises if its status is not 2xx."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.address}{path}", data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if key is not None:
            request.add_header("Authorization", f"Bearer {key}")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            error.msg = f"{method} {path}: {error.read(500)!r}"
            raise

    def described(self, seconds: float, shots: list[dict]) -> dict:
        """The peer for the bench, with one shot of each kind per account."""
        kinds = {kind: [shot[kind] for shot in shots] for kind in ("create", "point", "page")}
        return {"http": self.address, "pid": self.process.pid, "seconds": seconds, **kinds}


def shot(path: str, key: str, body: object = None) -> dict:
    """A request of the load: a POST of the body, or a GET."""
    return {"path": path, "key": key, "body": None if body is None else json.dumps(body)}


def each_account(make) -> list[dict]:
    """Calls `make` with the number of each account, four at a time."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(make, range(ACCOUNTS)))
