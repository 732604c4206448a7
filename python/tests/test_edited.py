"""Models with other input shapes, and parts of models."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

import ovlint

PYRAMID = "ir-samples/models/feature_pyramid.xml"


def test_a_model_is_reshaped_by_shape_or_by_size(tmp_path: Path) -> None:
    by_shape = ovlint.reshape(PYRAMID, shape={"images": [1, 3, 64, 64]})
    by_size = ovlint.reshape(PYRAMID, set={"batch": 1, "height": 64, "width": 64})
    assert by_shape.xml == by_size.xml and by_shape.diff.startswith("--- ")
    assert by_shape.changes[0] == "images: shape [?,3,?,?] is [1,3,64,64] now"
    assert by_shape.weights is None and by_shape.report.ok
    by_shape.write(tmp_path / "new.xml")
    assert (tmp_path / "new.xml").read_bytes() == by_shape.xml
    assert (tmp_path / "new.bin").read_bytes() == Path(PYRAMID).with_suffix(".bin").read_bytes()
    with pytest.raises(ovlint.FileError):
        by_shape.write(tmp_path / "new.xml")


def test_shapes_that_are_rejected_are_an_error() -> None:
    with pytest.raises(ovlint.Error, match="640 and 672"):
        ovlint.reshape(PYRAMID, shape="images[1,3,640,650]")
    with pytest.raises(ovlint.Error, match="no dimension `seq`"):
        ovlint.reshape(PYRAMID, set="seq=1")


def test_a_part_has_the_weights_that_it_needs(tmp_path: Path) -> None:
    part = ovlint.extract(PYRAMID, around="neck.cat3", hops=1)
    assert part.weights is not None and 0 < len(part.weights) < Path(PYRAMID).with_suffix(".bin").stat().st_size
    part.write(tmp_path / "part.xml")
    assert ovlint.check(tmp_path / "part.xml").ok
    with pytest.raises(ovlint.Error, match="nosuch"):
        ovlint.extract(PYRAMID, to=["nosuch"])
    with pytest.raises(ovlint.Error, match="say which part"):
        ovlint.extract(PYRAMID)


def test_a_copy_is_not_written(tmp_path: Path) -> None:
    shutil.copy(PYRAMID, tmp_path / "m.xml")
    shutil.copy(Path(PYRAMID).with_suffix(".bin"), tmp_path / "m.bin")
    edited = ovlint.extract(tmp_path / "m.xml", add_output=["neck.cat3"])
    copy = pickle.loads(pickle.dumps(edited))
    assert (copy.xml, copy.changes) == (edited.xml, edited.changes)
    with pytest.raises(ovlint.Error, match="pickled"):
        copy.write(tmp_path / "n.xml")
    with pytest.raises(TypeError):
        bool(edited)
