"""A plugin of pytest: shape snapshots, and readable failures of `assert_valid`.

pytest loads it by itself where ovlint is installed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import pytest

from . import ModelError, check

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._model import Model
    from ._options import Options

_WITHOUT_SHAPES = {"weights-file-missing", "git-lfs-pointer", "weights-not-raw"}


class Snapshot:
    """Compares the shapes of models with those in files beside the test; `pytest --ovlint-update` writes the files.

    The file is `ovshapes/MODULE/TEST.ovshapes`; further models of a test need a `name` or get a number. It holds
    what `ovlint snapshot` writes: no ids, lines or offsets, and no generated names.
    """

    def __init__(self, test: Path, name: str, update: bool) -> None:
        self._folder = test.parent / "ovshapes" / test.stem
        self._test = re.sub(r"[^\w.-]+", "-", name).strip("-")
        self._update = update
        self._seen: set[str] = set()

    def __call__(self, model: Model, *, name: Optional[str] = None, **options: Unpack[Options]) -> None:
        """Fails the test if the shapes of the model are not those in the file. `model` and the other keywords are those of
        `ovlint.check`.

        Raises `ModelError` if the model cannot be read, or not without weights that are missing.
        """
        __tracebackhide__ = True
        report = check(model, **options)
        if report.name is None or any(finding.rule.name in _WITHOUT_SHAPES for finding in report.findings):
            report.raise_for_errors(strict=True)
        path = self._path(name)
        shapes = str(report.shapes())
        known = path.read_text(encoding="utf-8") if path.is_file() else None
        if known == shapes:
            return
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(shapes.encode())
        elif known is None:
            pytest.fail(f"{path} does not exist; `pytest --ovlint-update` writes it", pytrace=False)
        else:
            lines = difflib.unified_diff(known.splitlines(), shapes.splitlines(), str(path), report.path, lineterm="")
            cure = "if they are meant to be so, `pytest --ovlint-update` writes the file"
            pytest.fail("\n".join([f"the shapes of {report.path} changed; {cure}", *lines]), pytrace=False)

    def _path(self, name: Optional[str]) -> Path:
        stem = self._test if name is None else f"{self._test}.{name}"
        number = 1
        while (unique := stem if number == 1 else f"{stem}.{number}") in self._seen:
            number += 1
        self._seen.add(unique)
        return self._folder / f"{unique}.ovshapes"


@pytest.fixture
def ovlint_snapshot(request: pytest.FixtureRequest) -> Snapshot:
    """Compares the shapes of a model with those in a file beside the test: `ovlint_snapshot(model)`."""
    update = request.config.getoption("--ovlint-update")
    return Snapshot(request.path, request.node.name, bool(update))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ovlint")
    group.addoption("--ovlint-update", action="store_true", help="Write the shape snapshots of `ovlint_snapshot`")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shows the lines of the XML that a failed check points at."""
    report = yield
    error = call.excinfo and call.excinfo.value
    if isinstance(error, ModelError):
        report.sections.append(("ovlint", str(error.report)))
    return report
