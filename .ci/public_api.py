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

LIBRARIES = ["svc-types", "svc-client", "svc-bot-kit", "svc-testing"]

# Crates below 1.0 that the public API may expose, each with the reason.
SHOWN = {
    "axum_core": "extractors and answers are its traits; the feature `axum`",
    "futures_core": "pages are streams, and the standard library has no trait for them",
    "reqwest": "ClientBuilder::http_client takes the client that a program has already",
    "tower_layer": "what wraps a service is a layer; the features `axum` and `bot`",
    "tower_service": "the same",
}

# Types of other crates by their ids in the document that is read, with their paths.
FOREIGN = {}

ROOT = Path(__file__).resolve().parent.parent


def rustdoc():
    """The JSON of each library. Chosen like the step `doc`, all of them are built once, and `doc` built most of it."""
    command = ["cargo", "doc", "--quiet", "--workspace", "--all-features", "--lib", "--examples", "--no-deps"]
    variables = {"RUSTDOC": f"{ROOT}/.ci/rustdoc", "RUSTDOCFLAGS": "-Zunstable-options --output-format=json"}
    wanted = {"SVC_LIBRARIES": " ".join(library.replace("-", "_") for library in LIBRARIES)}
    subprocess.run(command, cwd=ROOT, env=os.environ | variables | wanted, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return {library: json.loads((target / "doc" / f"{library.replace('-', '_')}.json").read_text()) for library in LIBRARIES}


def versions(library):
    """The crates under a library, by the names that code knows them by: the part of the version that breaks."""
    command = ["cargo", "tree", "--package", library, "--all-features", "--edges", "normal", "--prefix", "none"]
    tree = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    crates = (line.split()[:2] for line in tree if line)
    parts = {name.replace("-", "_"): version[1:].split(".") for name, version in crates if not name.startswith("svc-")}
    return {name: ".".join(version[: 1 if version[0] != "0" else 2]) for name, version in parts.items()}


class Crate:
    """The public items of a crate, a line for each, and the foreign crates they speak of."""

    def __init__(self, document):
        self.document = document
        FOREIGN.clear()
        FOREIGN.update({id: "::".join(known["path"]) for id, known in document["paths"].items() if self.is_shown(known)})
        self.index = document["index"]
        self.names = {}
        self.lines = []
        self.foreign = {}
        self.module(self.index[str(document["root"])], self.index[str(document["root"])]["name"])

    def is_shown(self, known):
        """Whether a type is named with its whole path: one of another crate than ours and the standard library."""
        crate = self.document["external_crates"].get(str(known["crate_id"]), {"name": "std"})["name"]
        return crate not in ("std", "core", "alloc") and not crate.startswith("svc_")

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
        self.add(path, f"{closed}{kind} {path}: {', '.join(sorted(traits))}{where(inner['generics'])}", inner["generics"])

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
        line = f"{waits}fn {path}({takes}) -> {given}{where(inner['generics'])}"
        self.add(path, line, [inner["sig"], inner["generics"]])

    def other(self, item, path):
        ((kind, inner),) = item["inner"].items()
        shown = inner.get("type") if isinstance(inner, dict) else None
        self.add(path, f"{kind} {path}" + (f": {text(shown)}" if shown else ""), inner)


def text(kind):
    """A type as it is written."""
    ((name, inner),) = kind.items()
    match name:
        case "resolved_path":
            return FOREIGN.get(str(inner["id"]), inner["path"].split("::")[-1]) + arguments(inner["args"])
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


def where(generics):
    """What types that a caller chooses must be."""
    params = ((part["name"], part["kind"]["type"]) for part in generics["params"] if "type" in part["kind"])
    bounds = [(name, kind["bounds"]) for name, kind in params if not kind["is_synthetic"]]
    wanted = (part["bound_predicate"] for part in generics["where_predicates"] if "bound_predicate" in part)
    bounds += [(text(part["type"]), part["bounds"]) for part in wanted]
    shown = [f"{name}: {' + '.join(map(bound, parts))}" for name, parts in bounds if parts]
    return f" where {', '.join(shown)}" if shown else ""


def arguments(args):
    if args and "parenthesized" in args:
        inner = args["parenthesized"]
        given = f" -> {text(inner['output'])}" if inner["output"] else ""
        return f"({', '.join(map(text, inner['inputs']))}){given}"
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
    if "trait_bound" not in part:
        return part.get("outlives", "'_")
    inner = part["trait_bound"]
    return ("?" if inner["modifier"] == "maybe" else "") + text({"resolved_path": inner["trait"]})


def main():
    failed = False
    for library, document in rustdoc().items():
        crate = Crate(document)
        under = versions(library)
        young = {name for name, version in under.items() if version.startswith("0.")}
        for name in sorted(crate.foreign.keys() & (young - SHOWN.keys())):
            failed = True
            for place in sorted(crate.foreign[name]):
                print(f"{library}: {place}, and {name} is below 1.0", file=sys.stderr)
        # A signature stays the same when the crate of its types takes a step that breaks.
        shown = [f"shows {name} {under[name]}" for name in sorted(crate.foreign.keys() & under.keys())]
        listing = "".join(f"{line}\n" for line in [*shown, *(line for _, line in sorted(set(crate.lines)))])
        file = ROOT / library / "public-api.txt"
        if "--write" in sys.argv:
            file.write_text(listing)
        elif not file.exists() or file.read_text() != listing:
            failed = True
            print(f"{file} is stale; run .ci/public_api.py --write, and see VERSIONING.md", file=sys.stderr)
    sys.exit(failed)


if __name__ == "__main__":
    main()
