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


def _build_command():
    build = ["cargo", "build", "--bin", "ovlint", "--profile", PROFILE, "--message-format", "json-render-diagnostics"]
    out = subprocess.run(build, check=True, stdout=subprocess.PIPE).stdout
    built = [json.loads(line).get("executable") for line in out.splitlines()]
    (executable,) = filter(None, built)
    return Path(shutil.copy(executable, SCRIPTS)).read_bytes()


def _settings(settings):
    settings = dict(settings or {})
    settings.setdefault("build-args", f"--profile {MODULE_PROFILE} --compression-level 9")
    return settings


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    command = _build_command()
    name = maturin.build_wheel(wheel_directory, _settings(config_settings), metadata_directory)
    with zipfile.ZipFile(Path(wheel_directory, name)) as wheel:
        scripts = [wheel.read(file) for file in wheel.namelist() if ".data/scripts/" in file]
    if scripts != [command]:
        raise SystemExit("the wheel does not hold the command: was it built twice at the same time?")
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_command()
    return maturin.build_editable(wheel_directory, _settings(config_settings), metadata_directory)
