"""Installs the packages of a program in an empty environment and an empty folder, and starts the server from
each: `try.py PROGRAM FOLDER`, where FOLDER is what build.py wrote to. Says how long both took together.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS_MAX = 30
PROGRAMS = {"svc": ("cli", "svc_cli", ["serve"]), "svc-server": ("server", "svc_server", [])}
FREE = ["--listen", "127.0.0.1:0", "--mqtt-listen", "127.0.0.1:0"]


def pip(program, packages, folder):
    """The command that a new environment has after pip has installed the wheel."""
    [wheel] = packages.glob(f"{PROGRAMS[program][1]}-*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    into = ["pip", "--disable-pip-version-check", "--quiet", "--python", folder / "bin/python"]
    subprocess.run([*into, "install", "--no-index", wheel], check=True)
    return [folder / "bin" / program]


def npm(program, packages, folder):
    """The command of the folder after npm has installed the packages; npx finds it, too."""
    tarballs = sorted(packages.glob(f"svc-{PROGRAMS[program][0]}-*.tgz"))
    folder.mkdir()
    quiet = ["--silent", "--offline", "--no-audit", "--no-fund", "--cache", folder / "cache"]
    subprocess.run(["npm", "install", *quiet, *tarballs], check=True, cwd=folder)
    subprocess.run(["npx", "--offline", "--no-install", program, "--version"], check=True, cwd=folder)
    return [folder / "node_modules/.bin" / program]


def listens(command, program, folder):
    """Starts the server and waits for its addresses, then stops it as a service manager does."""
    folder.mkdir(exist_ok=True)
    arguments = [*PROGRAMS[program][2], "--dev", "--print-addresses", *FREE, "--data-dir", "data"]
    with open(folder / "log", "w+b") as log:
        server = subprocess.Popen([*command, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=log)
        line = server.stdout.readline()
        server.send_signal(signal.SIGTERM)
        code = server.wait(timeout=SECONDS_MAX)
        log.seek(0)
        said = log.read().decode(errors="replace")
    assert line, f"it ended with {code} before it listened: {said}"
    assert json.loads(line)["http"], line
    assert code == 0, f"it ended with {code}: {said}"


def main(program, packages):
    packages = Path(packages).resolve()
    for install in (pip, npm):
        with tempfile.TemporaryDirectory() as work:
            began = time.monotonic()
            command = install(program, packages, Path(work) / "empty")
            listens(command, program, Path(work) / "empty")
            seconds = time.monotonic() - began
        print(f"{program} by {install.__name__}: listening after {seconds:.1f} s")
        assert seconds < SECONDS_MAX


main(*sys.argv[1:])
