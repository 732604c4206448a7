"""Folders that are pipelines."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

import ovlint

PIPELINES = "ir-samples/pipelines"


def test_a_folder_that_works_is_true() -> None:
    report = ovlint.check_folder(f"{PIPELINES}/llm", recipes=["genai"])
    assert report and report.kind == "text generation" and not report.findings
    assert [model.path.rsplit("/", 1)[-1] for model in report.reports] == [
        "openvino_detokenizer.xml",
        "openvino_model.xml",
        "openvino_tokenizer.xml",
    ]
    assert "is a text generation pipeline" in str(report)


def test_a_fault_between_two_models_is_found(tmp_path: Path) -> None:
    folder = shutil.copytree(f"{PIPELINES}/diffusion", tmp_path / "sd")
    unet = folder / "unet/openvino_model.xml"
    unet.write_text(unet.read_text().replace('shape="?,77,16"', 'shape="?,77,24"'))
    report = ovlint.check_folder(folder)
    [link] = report.pipelines[0]["links"]
    assert (link["gives"], link["takes"], link["fits"]) == ("f32[?,77,16]", "f32[?,77,24]", False)
    assert "pipeline-link" in [str(finding.rule) for finding in report.findings] and not report.ok
    with pytest.raises(ovlint.ModelError, match="pipeline-link"):
        ovlint.assert_valid(folder)


def test_a_copy_has_the_findings_and_no_models() -> None:
    report = ovlint.check_folder("ir-samples/bad/pipeline-token")
    copy = pickle.loads(pickle.dumps(report))
    assert (copy.findings, copy.warnings, str(copy)) == (report.findings, 1, str(report))
    with pytest.raises(ovlint.Error, match="has no models"):
        copy.reports


def test_a_folder_without_models_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ovlint.FileError, match="no OpenVINO IR"):
        ovlint.check_folder(tmp_path)
