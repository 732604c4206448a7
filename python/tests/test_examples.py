"""The examples, with the real packages, where these are installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import ovlint

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(
    ("name", "packages"),
    [
        ("transformers_export", "openvino torch transformers"),
        ("optimum_intel_export", "optimum.intel transformers"),
        ("nncf_compression", "nncf openvino"),
        ("detector_export", "openvino torch"),
    ],
)
def test_examples_export_valid_models(
    name: str, packages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for package in packages.split():
        pytest.importorskip(package)
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    path = example.main(tmp_path)
    assert ovlint.check(path).ok and path.with_suffix(".bin").stat().st_size > 0
    assert capfd.readouterr().out


def test_every_example_is_tried() -> None:
    text = Path(__file__).read_text()
    assert all(f'"{path.stem}"' in text for path in EXAMPLES.glob("*.py"))
