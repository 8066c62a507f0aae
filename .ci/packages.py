"""Says what would be published: what must be in each package, and what must not."""

import json
import subprocess
import sys
from pathlib import Path

NEEDED = {"Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"}
FOR_TESTS = ("tests/", "benches/", "examples/")
# The documents are what svc-openapi is for; the grammars color code in posts, and are compressed already.
LARGE = {"openapi.json", "asyncapi.json", "Cargo.lock", "grammars/grammars.packdump"}
BYTES_MAX = 100_000


def contents(package):
    """The files of the package and their sizes; those that cargo writes itself have none."""
    command = ["cargo", "package", "--list", "--allow-dirty", "--package", package["name"]]
    folder = Path(package["manifest_path"]).parent
    for name in subprocess.check_output(command, text=True).splitlines():
        file = folder / name
        yield name, file.stat().st_size if file.exists() else 0


def faults(package, sizes):
    yield from (f"{name} is missing" for name in NEEDED - sizes.keys())
    for name, size in sizes.items():
        if name.startswith(FOR_TESTS):
            yield f"{name} is for tests"
        if size > BYTES_MAX and name not in LARGE:
            yield f"{name} has {size} bytes"
    if not 1 <= len(package["keywords"]) <= 5 or not package["categories"]:
        yield "it needs 1 to 5 keywords and a category"


found = False
metadata = json.loads(subprocess.check_output(["cargo", "metadata", "--no-deps", "--format-version", "1"]))
for package in metadata["packages"]:
    if package["publish"] == []:
        continue
    sizes = dict(contents(package))
    for fault in faults(package, sizes):
        found = True
        print(f"{package['name']}: {fault}", file=sys.stderr)
    print(package["name"], len(sizes), "files")
sys.exit(found)
