#!/usr/bin/env python3
"""What the libraries show to other crates, all features on, read from rustdoc's JSON.

    .ci/public_api.py            fails when a public-api.txt is stale
    .ci/public_api.py --write    writes them

Fails, too, on a foreign type of a version below 1.0 in a signature, other than those below.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

LIBRARIES = ["svc-types", "svc-client", "svc-bot-kit"]

# Foreign crates below 1.0 that are shown nevertheless, each with its reason.
SHOWN = {
    "axum_core": "extractors and answers are its traits; the feature `axum`",
    "futures_core": "pages are streams, and the standard library has no trait for them",
    "reqwest": "ClientBuilder::http_client takes the client that a program has already",
    "tower_layer": "what wraps a service is a layer; the feature `axum`",
    "tower_service": "the same; the feature `axum`",
}

ROOT = Path(__file__).resolve().parent.parent


def rustdoc(library):
    command = ["cargo", "rustdoc", "--quiet", "--package", library, "--all-features", "--"]
    command += ["-Z", "unstable-options", "--output-format", "json"]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"RUSTDOC": f"{ROOT}/.ci/rustdoc_json"}, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return json.loads((target / "doc" / f"{library.replace('-', '_')}.json").read_text())


def young(library):
    """The crates below 1.0 under a library, by the names that code knows them by."""
    command = ["cargo", "tree", "--package", library, "--all-features", "--edges", "normal", "--prefix", "none"]
    tree = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    crates = (line.split()[:2] for line in tree if line)
    return {name.replace("-", "_") for name, version in crates if version.startswith("v0.") and not name.startswith("svc-")}


class Crate:
    """The public items of a crate, a line for each, and the foreign crates they speak of."""

    def __init__(self, document):
        self.document = document
        self.index = document["index"]
        self.names = {}
        self.lines = []
        self.foreign = {}
        self.module(self.index[str(document["root"])], self.index[str(document["root"])]["name"])

    def item(self, number):
        return self.index.get(str(number))

    def add(self, path, line, spoken):
        self.lines.append((path, line))
        self.note(path, spoken)

    def note(self, path, value):
        """Remembers the foreign crates that a part of a signature names."""
        if isinstance(value, dict):
            found = self.document["paths"].get(str(value.get("id"))) if "path" in value else None
            if found and found["crate_id"] != 0:
                name = self.document["external_crates"][str(found["crate_id"])]["name"]
                self.foreign.setdefault(name, set()).add(f"{path} speaks of {'::'.join(found['path'])}")
            value = list(value.values())
        if isinstance(value, list):
            for part in value:
                self.note(path, part)

    def module(self, item, path):
        for number in item["inner"]["module"]["items"]:
            self.public(self.item(number), path)

    def public(self, item, path):
        ((kind, inner),) = item["inner"].items()
        if kind == "use":
            self.reexport(inner, path)
            return
        path = f"{path}::{item['name']}"
        if item["id"] in self.names and self.names[item["id"]] != path:
            self.lines.append((path, f"use {path} = {self.names[item['id']]}"))
            return
        self.names[item["id"]] = path
        getattr(self, kind, self.other)(item, path)

    def reexport(self, inner, path):
        target = self.item(inner["id"])
        if target is None:
            path = f"{path}::{inner['name']}"
            self.add(path, f"use {path} = {inner['source']}", {"path": "", "id": inner["id"]})
        elif inner["is_glob"]:
            self.module(target, path)
        else:
            self.public(target | {"name": inner["name"]}, path)

    def struct(self, item, path):
        inner = item["inner"]["struct"]
        self.type("struct", item, path, inner)
        kind = inner["kind"]
        fields = kind["plain"]["fields"] if "plain" in kind else kind["tuple"] if "tuple" in kind else []
        self.fields(fields, path)

    def fields(self, numbers, path):
        for field in (self.item(number) for number in numbers if number is not None):
            if field:
                spoken = field["inner"]["struct_field"]
                inside = f"{path}::{field['name']}"
                self.add(inside, f"field {inside}: {text(spoken)}", spoken)

    def enum(self, item, path):
        inner = item["inner"]["enum"]
        self.type("enum", item, path, inner)
        for variant in map(self.item, inner["variants"]):
            inside = f"{path}::{variant['name']}"
            self.lines.append((inside, f"variant {inside}"))
            kind = variant["inner"]["variant"]["kind"]
            if isinstance(kind, dict):
                self.fields(kind["tuple"] if "tuple" in kind else kind["struct"]["fields"], inside)

    def type(self, kind, item, path, inner):
        """A struct or an enum with the traits it has, then its functions."""
        traits = set()
        for implementation in (self.item(number)["inner"]["impl"] for number in inner["impls"]):
            if implementation["is_synthetic"] or implementation["blanket_impl"]:
                continue
            of = implementation["trait"]
            self.note(path, [of, implementation["generics"]])
            if of and of["path"] != "StructuralPartialEq":
                traits.add(text({"resolved_path": of}))
            of_type = path + particular(implementation["for"])
            for inside in map(self.item, implementation["items"]):
                if not of:
                    self.public(inside, of_type)
                elif "assoc_type" in inside["inner"]:
                    self.note(path, inside["inner"])
        closed = "#[non_exhaustive] " if "non_exhaustive" in str(item["attrs"]) else ""
        self.add(path, f"{closed}{kind} {path}: {', '.join(sorted(traits))}", inner["generics"])

    def trait(self, item, path):
        inner = item["inner"]["trait"]
        self.add(path, f"trait {path}: {', '.join(map(bound, inner['bounds']))}", [inner["bounds"], inner["generics"]])
        for number in inner["items"]:
            self.public(self.item(number), path)

    def function(self, item, path):
        inner = item["inner"]["function"]
        takes = ", ".join(f"{name}: {text(kind)}" for name, kind in inner["sig"]["inputs"])
        takes = takes.replace("self: &mut Self", "&mut self").replace("self: &Self", "&self").replace("self: Self", "self")
        given = text(inner["sig"]["output"]) if inner["sig"]["output"] else "()"
        waits = "async " if inner["header"]["is_async"] else ""
        self.add(path, f"{waits}fn {path}({takes}) -> {given}", [inner["sig"], inner["generics"]])

    def other(self, item, path):
        ((kind, inner),) = item["inner"].items()
        shown = inner.get("type") if isinstance(inner, dict) else None
        self.add(path, f"{kind} {path}" + (f": {text(shown)}" if shown else ""), inner)


def text(kind):
    """A type as it is written."""
    ((name, inner),) = kind.items()
    match name:
        case "resolved_path":
            return inner["path"].split("::")[-1] + arguments(inner["args"])
        case "generic" | "primitive":
            return inner
        case "tuple":
            return f"({', '.join(map(text, inner))})"
        case "slice":
            return f"[{text(inner)}]"
        case "array":
            return f"[{text(inner['type'])}; {inner['len']}]"
        case "impl_trait":
            return "impl " + " + ".join(map(bound, inner))
        case "dyn_trait":
            return "dyn " + " + ".join(text({"resolved_path": part["trait"]}) for part in inner["traits"])
        case "borrowed_ref":
            return f"&{'mut ' if inner['is_mutable'] else ''}{text(inner['type'])}"
        case "qualified_path":
            return f"{text(inner['self_type'])}::{inner['name']}"
        case "function_pointer":
            return f"fn({', '.join(text(part) for _, part in inner['sig']['inputs'])})"
    raise ValueError(f"{name} is a kind of type that this script does not know")


def arguments(args):
    if not args or "angle_bracketed" not in args:
        return ""
    inner = args["angle_bracketed"]
    shown = [text(part["type"]) for part in inner["args"] if isinstance(part, dict) and "type" in part]
    shown += [part["const"]["expr"] for part in inner["args"] if isinstance(part, dict) and "const" in part]
    for part in inner["constraints"]:
        if "type" in part["binding"].get("equality", {}):
            shown.append(f"{part['name']} = {text(part['binding']['equality']['type'])}")
    return f"<{', '.join(shown)}>" if shown else ""


def particular(kind):
    """The arguments of a type for which alone something is there, such as `<CreatePost>`."""
    shown = arguments(kind.get("resolved_path", {}).get("args"))
    return shown if '"resolved_path"' in json.dumps(kind.get("resolved_path", {}).get("args")) else ""


def bound(part):
    return text({"resolved_path": part["trait_bound"]["trait"]}) if "trait_bound" in part else "'_"


def main():
    failed = False
    for library in LIBRARIES:
        crate = Crate(rustdoc(library))
        for name in sorted(crate.foreign.keys() & (young(library) - SHOWN.keys())):
            failed = True
            for place in sorted(crate.foreign[name]):
                print(f"{library}: {place}, and {name} is below 1.0", file=sys.stderr)
        listing = "".join(f"{line}\n" for _, line in sorted(set(crate.lines)))
        file = ROOT / library / "public-api.txt"
        if "--write" in sys.argv:
            file.write_text(listing)
        elif not file.exists() or file.read_text() != listing:
            failed = True
            print(f"{file} is stale; run .ci/public_api.py --write, and see VERSIONING.md", file=sys.stderr)
    sys.exit(failed)


if __name__ == "__main__":
    main()
