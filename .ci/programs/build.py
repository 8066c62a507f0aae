"""Packs a built program for people without a compiler: as a wheel, and as npm packages, one for the
launcher and one with the binary for this platform. `build.py BINARY FOLDER` writes them to FOLDER.

The binary is one that is built already, the same in all packages: see decision 0139.
"""

import base64
import hashlib
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]

# The packages of a program: those of npm, of PyPI, and the crate that it is built from.
PROGRAMS = {
    "svc": ("@svc/cli", "svc-cli", "svc-cli"),
    "svc-server": ("@svc/server", "svc-server", "svc-server"),
}
# Platforms as Node names them; a release has a package for each.
PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"]
NODE_NAMES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
NODE = ">=20"


def description(crate):
    manifest = tomllib.loads((ROOT / crate / "Cargo.toml").read_text())
    return manifest["package"]["description"]


def stripped(binary, folder):
    """A copy without symbols, which nobody needs to run it."""
    copy = folder / binary.name
    shutil.copy2(binary, copy)
    if shutil.which("strip"):
        subprocess.run(["strip", copy], check=True)
    copy.chmod(0o755)
    return copy


def node_platform():
    system = {"linux": "linux", "darwin": "darwin", "windows": "win32"}[platform.system().lower()]
    return system, NODE_NAMES[platform.machine().lower()]


def wheel_tag(binary):
    """The tag of the oldest system that the binary runs on."""
    system, machine = platform.system().lower(), platform.machine().lower()
    if system == "linux":
        # Symbols name the version of the C library that they came with.
        needed = re.findall(rb"GLIBC_(\d+)\.(\d+)", binary.read_bytes())
        major, minor = max((int(major), int(minor)) for major, minor in needed)
        return f"py3-none-manylinux_{major}_{minor}_{machine}"
    if system == "darwin":
        oldest = platform.mac_ver()[0].split(".")[0]
        return f"py3-none-macosx_{oldest}_0_{machine}"
    return "py3-none-win_amd64"


def facts(name, crate):
    return {
        "name": name,
        "version": WORKSPACE["version"],
        "description": description(crate),
        "license": WORKSPACE["license"],
        "repository": {"type": "git", "url": f"git+{WORKSPACE['repository']}.git", "directory": crate},
    }


def npm_pack(manifest, files, folder):
    """Packs files, given by their paths in the package, with the licences."""
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        for path, source in files.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, work / path)
        for licence in ROOT.glob("LICENSE-*"):
            shutil.copy2(licence, work)
        (work / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
        destination = ["--pack-destination", folder.resolve()]
        subprocess.run(["npm", "pack", "--silent", *destination], check=True, cwd=work)


def npm(binary, name, crate, folder):
    system, machine = node_platform()
    version = WORKSPACE["version"]
    launcher = facts(name, crate) | {
        "type": "module",
        "bin": {binary.stem: "launcher.mjs"},
        "files": ["launcher.mjs", "LICENSE-*"],
        "engines": {"node": NODE},
        "optionalDependencies": {f"{name}-{each}": version for each in PLATFORMS},
    }
    readme = {"README.md": ROOT / crate / "README.md"}
    npm_pack(launcher, {"launcher.mjs": HERE / "launcher.mjs"} | readme, folder)
    program = facts(f"{name}-{system}-{machine}", crate) | {
        "os": [system],
        "cpu": [machine],
        "files": ["bin", "LICENSE-*"],
        "preferUnplugged": True,
    }
    if system == "linux":
        program["libc"] = ["glibc"]
    npm_pack(program, {f"bin/{binary.name}": binary}, folder)


def metadata(name, crate):
    readme = (ROOT / crate / "README.md").read_text()
    return f"""Metadata-Version: 2.4
Name: {name}
Version: {WORKSPACE["version"]}
Summary: {description(crate)}
License-Expression: {WORKSPACE["license"]}
License-File: LICENSE-APACHE
License-File: LICENSE-MIT
Project-URL: Repository, {WORKSPACE["repository"]}
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme}"""


def wheel(binary, name, crate, folder):
    """A wheel whose only content is a script: the program."""
    tag = wheel_tag(binary)
    top = f"{name.replace('-', '_')}-{WORKSPACE['version']}"
    about = f"Wheel-Version: 1.0\nGenerator: build.py\nRoot-Is-Purelib: false\nTag: {tag}\n"
    members = {
        f"{top}.data/scripts/{binary.name}": binary.read_bytes(),
        f"{top}.dist-info/METADATA": metadata(name, crate).encode(),
        f"{top}.dist-info/WHEEL": about.encode(),
    }
    for licence in ROOT.glob("LICENSE-*"):
        members[f"{top}.dist-info/licenses/{licence.name}"] = licence.read_bytes()
    record = f"{top}.dist-info/RECORD"
    lines = [recorded(path, data) for path, data in members.items()] + [f"{record},,"]
    members[record] = "\n".join(lines + [""]).encode()
    with zipfile.ZipFile(folder / f"{top}-{tag}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, data in members.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def recorded(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}"


def main(binary, folder):
    binary, folder = Path(binary), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    npm_name, wheel_name, crate = PROGRAMS[binary.stem]
    with tempfile.TemporaryDirectory() as work:
        small = stripped(binary, Path(work))
        npm(small, npm_name, crate, folder)
        wheel(small, wheel_name, crate, folder)


main(*sys.argv[1:])
