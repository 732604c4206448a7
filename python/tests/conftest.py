"""Where the samples are, and copies of them that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

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
