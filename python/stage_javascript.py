"""Puts perturbql's JavaScript and what it depends on into the package, for one platform.

    npm pack && python stage_javascript.py ../perturbql-0.1.0.tgz linux-x64 && python -m build --wheel

Nothing is compiled: npm is told not to run any package's scripts, and binaries of other platforms are left out.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

#: npm's os, cpu and libc, and the wheel's tag, by platform.
PLATFORMS = {
    "linux-x64": ("linux", "x64", "glibc", "manylinux_2_28_x86_64"),
    "linux-arm64": ("linux", "arm64", "glibc", "manylinux_2_28_aarch64"),
    "darwin-arm64": ("darwin", "arm64", "", "macosx_13_0_arm64"),
    "win32-x64": ("win32", "x64", "", "win_amd64"),
    "win32-arm64": ("win32", "arm64", "", "win_arm64"),
}
TARGET = Path(__file__).parent / "src/perturbql/_javascript"


def stage(tarball: Path, platform: str) -> None:
    """Install the tarball into the package as for the platform, and leave out what it can't use."""
    os, cpu, libc, tag = PLATFORMS[platform]
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    (TARGET / "package.json").write_text('{ "private": true }\n', "utf-8")
    libc_option = [f"--libc={libc}"] if libc else []
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--force", f"--os={os}", f"--cpu={cpu}", *libc_option]
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not installed: it fetches the packages that go into the wheel")

    def install(package: str) -> None:
        subprocess.run([npm, "install", *options, package], cwd=TARGET, check=True)

    install(str(tarball.resolve()))
    # npm leaves out an optional package that its own Node is too old for; the user's need not be.
    manifest = json.loads((TARGET / "node_modules/perturbql/package.json").read_text("utf-8"))
    for name, version in manifest["optionalDependencies"].items():
        if not (TARGET / "node_modules" / name).is_dir():
            install(f"{name}@{version}")
    prune(TARGET / "node_modules", os, cpu)
    (TARGET / "PLATFORM").write_text(f"{tag}\n", "utf-8")


def prune(modules: Path, os: str, cpu: str) -> None:
    """Remove binaries of other platforms, and sources that nothing compiles here."""
    for folder in modules.glob("onnxruntime-node/bin/napi-v*/*/*"):
        if (folder.parent.name, folder.name) != (os, cpu):
            shutil.rmtree(folder)
    for binary in modules.glob("better-sqlite3-bundled/prebuilds/*.node"):
        if binary.stem != f"{os}-{cpu}":
            binary.unlink()
    for folder in modules.glob("@photostructure/sqlite/prebuilds/*"):
        if folder.name != f"{os}-{cpu}":
            shutil.rmtree(folder)
    for sources in (
        "better-sqlite3-bundled/deps",
        "better-sqlite3-bundled/src",
        "@photostructure/sqlite/src",
    ):
        shutil.rmtree(modules / sources, ignore_errors=True)
    shutil.rmtree(modules / ".bin", ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in PLATFORMS:
        raise SystemExit(f"usage: stage_javascript.py TARBALL {'|'.join(PLATFORMS)}")
    stage(Path(sys.argv[1]), sys.argv[2])
