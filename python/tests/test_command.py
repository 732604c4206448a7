"""The command of the wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ovlint
from ovlint.__main__ import command


def test_the_command_is_a_binary_of_the_same_version() -> None:
    assert b"#!" not in Path(command()).read_bytes()[:2]
    for start in ([command()], [sys.executable, "-m", "ovlint"]):
        version = subprocess.run([*start, "--version"], capture_output=True, check=True, text=True).stdout
        assert version.startswith(f"ovlint {ovlint.__version__} (")


def test_the_module_passes_arguments_and_exit_codes_on(broken: Path) -> None:
    run = [sys.executable, "-m", "ovlint", "check", "--quiet", str(broken)]
    assert subprocess.run(run, stdout=subprocess.DEVNULL, check=False).returncode == 1
