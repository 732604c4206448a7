"""The examples of docs/python.md: sessions are run, modules are compiled, and the tests among them are run by pytest."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shutil
import subprocess
import sys
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


DASK = "    table = with_dask(paths)\n"
RAY = """
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    table = pa.Table.from_pylist(with_ray(paths).take_all(), ovlint.table_schema())
    table, wanted = (rows.to_pylist() for rows in (table, wanted))
    table.sort(key=repr), wanted.sort(key=repr)
"""


@pytest.mark.parametrize(("package", "models", "run"), [("dask", 210, DASK), ("ray", 20, RAY)])
def test_clusters_return_the_table(package: str, models: int, run: str, samples: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"could not import '{package}'")
    (module,) = (module for module in fences("python") if f"def with_{package}(" in module)
    paths = [str(path) for path in sorted(samples.rglob("model.xml"))][:models]
    assert len(paths) == models
    check = f"    paths = {paths}\n    wanted = ovlint.check_many(paths)\n{run}    assert table == wanted\n"
    script = tmp_path / "page.py"
    script.write_text(f'{module}\nif __name__ == "__main__":\n{check}')
    # In a process of its own, which all that these packages start ends with.
    subprocess.run([sys.executable, script], check=True)


def test_modules_are_python_and_tests_pass(checkout: Path, pytester: pytest.Pytester) -> None:
    modules = fences("python")
    assert len(modules) == 4
    for module in modules:
        compile(module, str(PAGE), "exec")
    (tests,) = (module for module in modules if "def test_" in module)
    (checkout / "test_export.py").write_text(tests)
    pytester.runpytest("--ovlint-update").assert_outcomes(passed=2)
    pytester.runpytest().assert_outcomes(passed=2)
    assert "u8[2, 3, 64, 64]" in (checkout / "ovshapes/test_export/test_shapes.two.ovshapes").read_text()
