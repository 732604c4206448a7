"""`python -m ovlint`: the command of this package."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig


def command() -> str:
    """The path of the binary, which the wheel puts where scripts are."""
    name = "ovlint" + (sysconfig.get_config_var("EXE") or "")
    user = f"{os.name}_user" if sys.version_info < (3, 10) else sysconfig.get_preferred_scheme("user")
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme=user),
        os.path.join(beside, "bin"),  # pip install --target
    ]
    for folder in folders:
        if os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise SystemExit(f"ovlint: there is no {name} in {', '.join(folders)}; reinstall the package")


if __name__ == "__main__":
    if os.name == "nt":
        sys.exit(subprocess.call([command(), *sys.argv[1:]]))
    os.execv(command(), ["ovlint", *sys.argv[1:]])
