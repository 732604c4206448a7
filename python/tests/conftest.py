"""Where the samples are, copies of them that a test may change, and tests that may not be skipped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Callable, Generator, Union

import pytest

from ovlint.__main__ import command

SAMPLES = Path(__file__).parents[2] / "ir-samples"


@pytest.fixture
def samples() -> Path:
    return SAMPLES


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A model whose port declares another shape than it has."""
    for kind in ("xml", "bin"):
        shutil.copy(SAMPLES / f"bad/declared-shape/model.{kind}", tmp_path)
    return tmp_path / "model.xml"


@pytest.fixture
def by_command() -> Callable[..., str]:
    """What the command prints."""
    # Lines are as long as they are, whatever the terminal.
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}

    def run(*args: object) -> str:
        arguments = [command(), *map(str, args)]
        return subprocess.run(arguments, stdout=subprocess.PIPE, check=False, encoding="utf-8", env=environment).stdout

    return run


Report = Union[pytest.CollectReport, pytest.TestReport]


def must_run(report: Report) -> None:
    """Makes a skip a failure where `OVLINT_MAY_MISS` lists packages, unless the test needs one of them."""
    listed = os.environ.get("OVLINT_MAY_MISS")
    if not report.skipped or listed is None:
        return
    why = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
    missing = re.search(r"could not import '(\w+)", why)
    if missing is None or missing[1] not in listed.split():
        report.outcome, report.longrepr = "failed", f"this test may not be skipped: {why}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    must_run(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    must_run(report)
    return report
