"""The plugin of pytest, on tests of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def models(pytester: pytest.Pytester, samples: Path) -> Path:
    for kind in ("xml", "bin"):
        shutil.copy(samples / f"models/split.{kind}", pytester.path)
        shutil.copy(samples / f"bad/declared-shape/model.{kind}", pytester.path)
    pytester.makepyfile(
        test_shapes="""
        import pytest

        @pytest.mark.parametrize("model", ["split.xml"])
        def test_split(ovlint_snapshot, model):
            ovlint_snapshot(model)
            ovlint_snapshot(model, shape=[6, 24, 10, 24])
            ovlint_snapshot(model, name="small", shape=[6, 3, 10, 24])
        """
    )
    return pytester.path


def test_snapshots_are_written_when_asked_and_then_compared(pytester: pytest.Pytester, models: Path) -> None:
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*test_split-split.xml.ovshapes does not exist; `pytest --ovlint-update` writes it"])
    assert not (models / "ovshapes").exists()
    pytester.runpytest("--ovlint-update").assert_outcomes(passed=1)
    written = sorted((models / "ovshapes/test_shapes").iterdir())
    assert [path.name for path in written] == [
        "test_split-split.xml.2.ovshapes",
        "test_split-split.xml.ovshapes",
        "test_split-split.xml.small.ovshapes",
    ]
    assert "split_3  Split  :0..2 f32[6, 8, 10, 24]" in written[0].read_text()
    assert "split_3  Split  :0..2 f32[6, 4, 10, 24]" in written[1].read_text()
    pytester.runpytest().assert_outcomes(passed=1)
    xml = models / "split.xml"
    xml.write_text(xml.read_text().replace("6,12", "6,24"))
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "the shapes of split.xml changed; if they are meant to be so, `pytest --ovlint-update` writes the file",
            "-in    data \"data\"  f32[[]6, 12, 10, 24[]]",
            "+in    data \"data\"  f32[[]6, 24, 10, 24[]]",
        ]
    )
    pytester.runpytest("--ovlint-update").assert_outcomes(passed=1)
    pytester.runpytest().assert_outcomes(passed=1)


def test_models_without_shapes_have_no_snapshot(pytester: pytest.Pytester, models: Path) -> None:
    (models / "split.bin").unlink()
    result = pytester.runpytest("--ovlint-update")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*ovlint.ModelError: split.xml: *", "E*weights-file-missing*"])
    (models / "split.xml").write_text("<a/>")
    result = pytester.runpytest("--ovlint-update")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*not-openvino-ir*"])
    assert not (models / "ovshapes").exists()


def test_a_failed_assertion_shows_the_test_and_the_lines_of_the_model(pytester: pytest.Pytester, models: Path) -> None:
    pytester.makepyfile(
        test_valid="""
        import ovlint

        def test_valid():
            ovlint.assert_valid("model.xml")
        """
    )
    result = pytester.runpytest("test_valid.py")
    result.assert_outcomes(failed=1)
    shown = result.stdout.str()
    assert "_api.py" not in shown and "_report.py" not in shown
    result.stdout.fnmatch_lines(
        [
            '>*ovlint.assert_valid("model.xml")',
            "E*ovlint.ModelError: model.xml: 1 error, 0 warnings",
            "E*35:11: error[[]declared-shape[]] declared dimension disagrees*",
            "*- ovlint -*",
            "error[[]declared-shape[]]: declared dimension disagrees with the inferred shape",
            "*--> model.xml:35:11",
        ]
    )
