"""Looks into the packages that `cargo package` wrote: what must be in each, and what must not."""

import json
import subprocess
import sys
import tarfile

NEEDED = {"Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"}
FOR_TESTS = ("tests/", "benches/", "examples/")
# The documents are what svc-openapi is for.
LARGE = {"openapi.json", "asyncapi.json", "Cargo.lock"}
BYTES_MAX = 100_000


def faults(package, archive):
    top = f"{package['name']}-{package['version']}/"
    sizes = {file.name.removeprefix(top): file.size for file in archive.getmembers()}
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
    file = f"{metadata['target_directory']}/package/{package['name']}-{package['version']}.crate"
    with tarfile.open(file) as archive:
        for fault in faults(package, archive):
            found = True
            print(f"{package['name']}: {fault}", file=sys.stderr)
        print(package["name"], len(archive.getmembers()), "files")
sys.exit(found)
