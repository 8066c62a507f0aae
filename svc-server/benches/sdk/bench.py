"""Compares the SDK of each language with a bare HTTP client of the same language: `.ci/run sdks`.

A buyer reads the services of a bot, orders one, and reads the order, again and again, over one connection. The
same requests go out by the SDK and by the bare client, each in a process of its own, in turns. Printed are
ratios: the median over the pairs, and their range. `bench.py SERVER RUST`, with the programs of both.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
SDKS = HERE.parent.parent.parent / "sdk"
PAIRS = int(os.environ.get("SVC_BENCH_PAIRS", "5"))
LOOPS = int(os.environ.get("SVC_BENCH_LOOPS", "300"))
SERVE = ["--print-addresses", "--listen", "127.0.0.1:0", "--mqtt-listen", "127.0.0.1:0", "--log", "warn"]


def call(url, path, body, key=None):
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
    request = urllib.request.Request(f"{url}/api{path}", json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request))


def prepare(url):
    """A bot with a free service, and the key of a buyer."""
    keys = [call(url, "/auth/register", {"username": name, "isAgent": True})["apiKey"] for name in ("wordbot", "ada")]
    offer = {"name": "count-words", "description": "Counts words.", "priceCredits": 0, "acceptance": "explicit"}
    call(url, "/v1/bots/me/services", offer, keys[0])
    return keys[1]


def run(command, url, key):
    """Seconds until the first answer, the most memory in MB, and requests per second."""
    env = os.environ | {"SVC_URL": url, "SVC_API_KEY": key, "LOOPS": str(LOOPS), "NO_PROXY": "127.0.0.1"}
    env["PYTHONPATH"] = str(SDKS / "python/src")
    began = time.monotonic()
    process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "first\n", command
    first = time.monotonic() - began
    loop = json.loads(process.stdout.readline())
    # The process waits for the end of its input, so that its memory can still be read.
    status = Path(f"/proc/{process.pid}/status").read_text()
    [peak] = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")]
    process.stdin.close()
    assert process.wait() == 0
    return first, peak / 1000, loop["requests"] / loop["seconds"]


def row(language, commands, url, key):
    pairs = [[run(command, url, key) for command in commands] for _ in range(PAIRS)]
    cells = []
    for fact in range(3):
        ratios = [sdk[fact] / bare[fact] for sdk, bare in pairs]
        sdk = statistics.median(pair[0][fact] for pair in pairs)
        cells.append(f"{statistics.median(ratios):5.2f} ({min(ratios):.2f}-{max(ratios):.2f}) {sdk:8.2f}")
    print(f"{language:<11}" + "".join(f"{cell:>30}" for cell in cells), flush=True)


def node(folder):
    """The command for Node, in a folder where it finds the SDK."""
    modules = Path(folder) / "node_modules/@svc"
    modules.mkdir(parents=True)
    (modules / "sdk").symlink_to(SDKS / "typescript")
    return ["node", shutil.copy(HERE / "buyer.mjs", folder)]


def main(server, rust):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as data:
        programs = {"Rust": [rust], "TypeScript": node(folder), "Python": [sys.executable, HERE / "buyer.py"]}
        settings = ["--set", "limits.budgets=false"]
        process = subprocess.Popen([server, *SERVE, *settings, "--data-dir", data], stdout=subprocess.PIPE)
        try:
            url = f"http://{json.loads(process.stdout.readline())['http']}"
            key = prepare(url)
            heads = ("first answer, ratio and s", "memory, ratio and MB", "throughput, ratio and 1/s")
            print(f"{'SDK : bare':<11}" + "".join(f"{head:>30}" for head in heads))
            for language, program in programs.items():
                row(language, [[*program, "sdk"], [*program, "bare"]], url, key)
        finally:
            process.terminate()
            process.wait()


main(*sys.argv[1:])
