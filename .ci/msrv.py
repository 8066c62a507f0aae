"""Fails when a dependency of a package needs a later Rust than the package; reads `cargo metadata`."""

import json
import sys

metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
edges = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}


def version(text):
    return tuple(int(part) for part in text.split("."))


def below(package):
    """Everything that is built with a package, but for its tests."""
    found, waiting = set(), [package]
    while waiting:
        for dependency in edges[waiting.pop()]:
            used = any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
            if used and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    return (packages[name] for name in found)


failed = False
for package in [package for package in packages.values() if package["name"] in sys.argv[1:]]:
    for dependency in below(package["id"]):
        needed = dependency["rust_version"] or "1.0"
        if version(needed)[:2] > version(package["rust_version"])[:2]:
            failed = True
            print(f"{package['name']} promises Rust {package['rust_version']}, but {dependency['name']} "
                  f"{dependency['version']} needs {needed}", file=sys.stderr)
sys.exit(failed)
