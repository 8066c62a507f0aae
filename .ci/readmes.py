#!/usr/bin/env python3
"""Builds what a reader of a library's README does: a new project with its dependencies and programs.

The project is outside the workspace, without network, with the versions of Cargo.lock. It shares the target
folder, so what the step `features` built is not built again.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIBRARIES = ["svc-client", "svc-bot-kit", "svc-testing"]
PATCHED = ["svc-types", *LIBRARIES]
# Where a block goes by what it has; others are parts of programs, which doc tests build.
FOLDERS = {"async fn main()": "src/bin", "#[tokio::test]": "tests"}
ROOT = Path(__file__).resolve().parent.parent


def blocks(text, language):
    return [code for kind, code in re.findall(r"^```(\S*)\n(.*?)^```$", text, re.M | re.S) if kind.split(",")[0] == language]


def shown(code):
    """The lines that a reader sees: rustdoc hides those that begin with `#` and a space."""
    return "".join(line for line in code.splitlines(keepends=True) if not re.match(r"#( |$)", line))


def manifest(dependencies):
    patches = "".join(f'{name} = {{ path = "{ROOT / name}" }}\n' for name in PATCHED)
    workspace = (ROOT / "Cargo.toml").read_text()
    # Other profiles would build everything again.
    profiles = workspace[workspace.index("[profile."):]
    package = '[package]\nname = "reader"\nversion = "0.0.0"\nedition = "2024"\n\n'
    return f"{package}{dependencies}\n[patch.crates-io]\n{patches}\n{profiles}"


def build(library, folder):
    readme = (ROOT / library / "README.md").read_text()
    dependencies = blocks(readme, "toml")[0]
    assert library in dependencies, f"{library}: the first block names it"
    (folder / "Cargo.toml").write_text(manifest(dependencies))
    shutil.copy(ROOT / "Cargo.lock", folder)
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    count = 0
    for code in blocks(readme, "rust"):
        for mark, place in FOLDERS.items():
            if mark in code:
                count += 1
                (folder / place).mkdir(parents=True, exist_ok=True)
                (folder / place / f"block{count}.rs").write_text(shown(code))
    print(f"{library}: {count} programs", flush=True)
    assert count, f"{library}: its README has a program"
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    command = ["cargo", "check", "--quiet", "--offline", "--all-targets"]
    return subprocess.run(command, cwd=folder, env=environment).returncode


def main():
    failed = False
    for library in LIBRARIES:
        with tempfile.TemporaryDirectory() as folder:
            failed |= build(library, Path(folder)) != 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
