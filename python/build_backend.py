"""The build backend of the wheel: maturin, and the command beside the module, which maturin alone leaves out.

`OVLINT_PROFILE` is the profile of Cargo that both are built with; by default the command is built with `release`, and the
module with `module`, so that the wheel stays small.
"""

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import maturin
from maturin import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

PROFILE = os.environ.get("OVLINT_PROFILE", "release")
MODULE_PROFILE = os.environ.get("OVLINT_PROFILE", "module")
SCRIPTS = Path("target/wheel.data/scripts")  # `data` in pyproject.toml
SCRIPTS.mkdir(parents=True, exist_ok=True)  # maturin looks for it in every step


def _folding():
    """The arguments of rustc by which equal functions become one, where Rust links with LLD unless told otherwise."""
    about = subprocess.run(["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout
    facts = dict(line.split(": ", 1) for line in about.splitlines() if ": " in line)
    has_lld = tuple(map(int, facts["release"].split("-")[0].split(".")[:2])) >= (1, 90)
    is_release = PROFILE == "release" and facts["host"] == "x86_64-unknown-linux-gnu"
    return ["--", "-C", "link-arg=-Wl,--icf=all"] if is_release and has_lld else []


def _build_command():
    build = ["cargo", "rustc", "--bin", "ovlint", "--profile", PROFILE, "--message-format", "json-render-diagnostics"]
    out = subprocess.run([*build, *_folding()], check=True, stdout=subprocess.PIPE).stdout
    built = [json.loads(line).get("executable") for line in out.splitlines()]
    (executable,) = filter(None, built)
    return Path(shutil.copy(executable, SCRIPTS)).read_bytes()


def _settings(settings):
    settings = dict(settings or {})
    folding = " ".join(_folding())
    settings.setdefault("build-args", f"--profile {MODULE_PROFILE} --compression-level 9 {folding}".rstrip())
    return settings


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    command = _build_command()
    name = maturin.build_wheel(wheel_directory, _settings(config_settings), metadata_directory)
    path = Path(wheel_directory, name)
    with zipfile.ZipFile(path) as wheel:
        files = [(file, wheel.read(file)) for file in wheel.infolist()]
    if [content for file, content in files if ".data/scripts/" in file.filename] != [command]:
        raise SystemExit("the wheel does not hold the command: was it built twice at the same time?")
    if PROFILE == "release":
        import zopfli  # takes two minutes, for 4 % less than zlib

        with zopfli.ZipFile(path, "w", zipfile.ZIP_DEFLATED, iterations=40, block_splitting_max=0) as wheel:
            for file, content in files:
                wheel.writestr(file, content)
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_command()
    return maturin.build_editable(wheel_directory, _settings(config_settings), metadata_directory)
