"""Starts another server with accounts that have posts: `start.py NAME TOOLS FOLDER`.

NAME is pds, synapse or prism. `.ci/run peers` installs them in TOOLS; their data goes to FOLDER. The only line of
output is JSON: the address, the process id, the seconds until it answered, and the requests to send. The server ends
with this process.
"""

import json
import signal
import sys
from pathlib import Path

import pds
import prism
import synapse

PEERS = {"pds": pds, "synapse": synapse, "prism": prism}


def main() -> None:
    name, tools, folder = sys.argv[1:]
    peer = PEERS[name].start(Path(tools), Path(folder))
    print(json.dumps(peer), flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
