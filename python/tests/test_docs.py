"""The examples of docs/python.md: sessions are run, modules are compiled, and the tests among them are run by pytest."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs/python.md"


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def checkout(samples: Path, pytester: pytest.Pytester) -> Path:
    shutil.copytree(samples, pytester.path / "ir-samples")
    return pytester.path


def test_sessions_print_what_the_page_shows(checkout: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("fsspec")
    names: dict[str, object] = {}
    flags = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(optionflags=flags)
    for number, session in enumerate(fences("pycon")):
        test = doctest.DocTestParser().get_doctest(session, names, f"session {number}", str(PAGE), None)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize().failed == 0 and names


def test_modules_are_python_and_tests_pass(checkout: Path, pytester: pytest.Pytester) -> None:
    modules = fences("python")
    assert len(modules) == 3
    for module in modules:
        compile(module, str(PAGE), "exec")
    (tests,) = (module for module in modules if "def test_" in module)
    (checkout / "test_export.py").write_text(tests)
    pytester.runpytest("--ovlint-update").assert_outcomes(passed=2)
    pytester.runpytest().assert_outcomes(passed=2)
    assert "u8[2, 3, 64, 64]" in (checkout / "ovshapes/test_export/test_shapes.two.ovshapes").read_text()
