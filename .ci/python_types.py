#!/usr/bin/env python3
"""The objects of the OpenAPI document as models of pydantic: sdk/python/src/svc/types.py.

    .ci/python_types.py          fails when the file is stale
    .ci/python_types.py --write  writes it

Answers of later versions must stay readable. So bounds and patterns are left out, members that are
unknown are ignored, and a word that is unknown stays a text.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "sdk/python/src/svc/types.py"
HEAD = '''"""Objects of the platform, written by .ci/python_types.py from the OpenAPI document."""

'''
BOUNDS = {
    "example", "examples", "maxItems", "maxLength", "maxProperties", "maximum", "minItems",
    "minLength", "minProperties", "minimum", "pattern", "propertyNames", "uniqueItems",
}
CREDITS_MAX = (1_000_000_000, 9_000_000_000)
"""The largest amount of one request, and of a balance."""
OPTIONS = """
--input-file-type openapi --output-model-type pydantic_v2.BaseModel --target-python-version 3.11
--base-class svc._model.Model --snake-case-field --use-annotated --use-union-operator
--use-standard-collections --use-type-alias --enum-field-as-literal all --use-schema-description
--use-field-description --use-single-line-docstring --disable-timestamp --formatters builtin
"""


def main():
    written = HEAD + types(json.loads((ROOT / "openapi/openapi.json").read_text()))
    if "--write" in sys.argv:
        TARGET.write_text(written)
    elif not TARGET.exists() or TARGET.read_text() != written:
        sys.exit(f"{TARGET.relative_to(ROOT)} is stale; run .ci/python_types.py --write")


def types(document):
    """The source of the models."""
    schemas = document["components"]["schemas"]
    chosen = {name: relaxed(schemas[name]) for name in sorted(needed(document))}
    part = {
        "openapi": "3.1.0",
        "info": document["info"],
        "paths": {},
        "components": {"schemas": chosen},
    }
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "openapi.json"), Path(folder, "types.py")
        source.write_text(json.dumps(part))
        command = ["datamodel-codegen", "--input", source, "--output", target, *OPTIONS.split()]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        source = target.read_text()
    # The first lines name the tool and its input.
    return source[source.index("from __future__") :]


def needed(document):
    """Every schema but those of bodies of requests, whose members are parameters of methods."""
    schemas = document["components"]["schemas"]
    bodies = [operation.get("requestBody", {}) for operation in operations(document["paths"])]
    found, todo = set(), set(schemas) - set(references(bodies))
    while todo:
        name = todo.pop()
        found.add(name)
        todo.update(set(references(schemas[name])) - found)
    return found


def operations(paths):
    methods = ("get", "post", "put", "patch", "delete")
    return [path[method] for path in paths.values() for method in methods if method in path]


def references(part):
    """The names of the schemas that a part of the document refers to."""
    inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    found = [name for each in inside for name in references(each)]
    reference = part.get("$ref") if isinstance(part, dict) else None
    if isinstance(reference, str) and "/schemas/" in reference:
        found.append(reference.rsplit("/", 1)[1])
    return found


def relaxed(schema):
    """A schema that later versions match, too."""
    if isinstance(schema, list):
        return [relaxed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # A member of an object may have the name of a bound; its value is a schema then.
    kept = {
        name: relaxed(value)
        for name, value in schema.items()
        if name not in BOUNDS or isinstance(value, dict)
    }
    if schema.get("additionalProperties") is False:
        del kept["additionalProperties"]
    if schema.get("type") == "number" and schema.get("maximum") in CREDITS_MAX:
        kept["format"] = "decimal"
    elif schema.get("format") != "date-time" and isinstance(schema.get("format"), str):
        del kept["format"]
    kinds, number = kept.get("anyOf", []), {"type": "number"}
    if number in kinds:
        kinds.insert(kinds.index(number), {"type": "integer"})  # so that 5 stays an integer
    if "enum" in schema and schema.get("type") == "string":
        del kept["type"]
        kept["anyOf"] = [{"type": "string", "enum": kept.pop("enum")}, {"type": "string"}]
    return kept


if __name__ == "__main__":
    main()
