"""Models in the memory of OpenVINO, against the files that OpenVINO saves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

openvino = pytest.importorskip("openvino")
numpy = pytest.importorskip("numpy")

import ovlint  # noqa: E402
from ovlint import _native, _openvino  # noqa: E402

ops = openvino.opset13


def saved(model: Any, folder: Path) -> Path:
    path = folder / "saved.xml"
    openvino.serialize(model, path, path.with_suffix(".bin"))
    return path


def assert_same(model: Any, folder: Path) -> ovlint.Report:
    """The report of a model, which is that of the file it is saved to."""
    path = saved(model, folder)
    report = ovlint.check(model, name=path)
    assert report.xml == path.read_bytes()
    assert report.findings == ovlint.check(path, path.with_suffix(".bin").read_bytes()).findings
    assert str(report.shapes()) == str(ovlint.shapes(path))
    return report


def chain(*constants: Any) -> Any:
    """A model that adds constants to its input."""
    data = last = ops.parameter([-1, 4], numpy.float32, name="data")
    for constant in constants:
        last = ops.add(last, constant)
    return openvino.Model([ops.result(last)], [data], "chain")


def large(value: float, name: str) -> Any:
    return ops.constant(numpy.full((1000, 4), value, numpy.float32), name=name)


def test_models_are_checked_as_if_they_had_been_saved(samples: Path, tmp_path: Path) -> None:
    core = openvino.Core()
    paths = sorted((samples / "models").glob("*.xml"))
    # OpenVINO does not read all of the others.
    paths += [samples / "bad" / rule / "model.xml" for rule in ("declared-shape", "names")]
    found = [assert_same(core.read_model(path), tmp_path).errors for path in paths]
    assert len(found) > 10


def test_equal_constants_have_one_place(tmp_path: Path) -> None:
    model = chain(large(1, "a"), large(2, "b"), large(1, "c"), ops.constant(numpy.ones((1, 4), numpy.float32)))
    assert_same(model, tmp_path)
    half = numpy.arange(4000, dtype=numpy.float32).reshape(1000, 4)
    other = half.copy()
    other[500] += 1
    assert_same(chain(ops.constant(half), ops.constant(other), ops.constant(half)), tmp_path)


def test_constants_of_all_types_and_none_are_read(tmp_path: Path) -> None:
    for kind in ("bf16", "f16", "f64", "i4", "i8", "i64", "u1", "u4", "boolean", "nf4", "f8e4m3"):
        constant = openvino.op.Constant(getattr(openvino.Type, kind), openvino.Shape([8]), [1] * 8)
        data = ops.parameter([1], numpy.float32)
        assert_same(openvino.Model([ops.result(constant), ops.result(data)], [data], kind), tmp_path)
    empty = ops.constant(numpy.zeros((0, 4), numpy.float32))
    data = ops.parameter([0, 4], numpy.float32)
    assert_same(openvino.Model([ops.result(ops.add(data, empty))], [data], "empty"), tmp_path)


def test_shapes_follow_from_constants_in_memory() -> None:
    data = ops.parameter([2, 6], numpy.float32, name="data")
    lengths = ops.constant(numpy.array([3, 4], numpy.int64))
    shaped = ops.reshape(data, lengths, False, name="shaped")
    model = openvino.Model([ops.result(shaped)], [data], "reshape")
    assert str(ovlint.shapes(model)["shaped"]) == "f32[3,4]"
    assert "Const, line 14, bytes 0..8" in str(ovlint.why(model, "shaped"))
    assert ovlint.check(model).path == "reshape" == ovlint.check(model).name
    assert ovlint.diff(model, model.clone()).is_empty


def test_findings_point_at_nodes() -> None:
    model = chain(large(1, "a"))
    (finding,) = ovlint.check(model, shape=[7, 4]).findings
    (node,) = [node for node in model.get_ops() if node.get_type_name() == "Add"]
    assert finding.layer is not None and (finding.layer.name, finding.layer.type) == (node.get_friendly_name(), "Add")
    xml = ovlint.check(model).xml
    assert xml is not None and finding.layer.line is not None
    assert node.get_friendly_name() in xml.decode().splitlines()[finding.layer.line - 1]


def test_no_file_is_left_and_weights_are_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    model = chain(large(1, "a"), large(2, "b"))
    report = ovlint.check(model)
    assert list(tmp_path.iterdir()) == []
    addresses = {node.data.ctypes.data for node in model.get_ops() if node.get_type_name() == "Constant"}
    _, pieces = _openvino._placed([data for _, _, data in _openvino._constants(model)])
    assert {numpy.frombuffer(piece, "u1").ctypes.data for piece in pieces} == addresses
    del model
    assert report.shapes()


def test_large_constants_are_read_where_they_are() -> None:
    before = numpy.arange(4000, dtype=numpy.float32).reshape(1000, 4)
    after = before.copy()
    after[700, 1] = 0.5
    old, new = (chain(large(1, "a"), ops.constant(data, name="b"), large(2, "c")) for data in (before, after))
    assert ovlint.diff(old, old.clone(), level="bytes").is_empty
    assert "b  f32[1000,4]  1 of 4,000 elements differs, by at most 2800.5, first at [700,1]" in str(ovlint.diff(old, new))


def test_many_constants_that_look_alike_take_no_longer_each() -> None:
    def constants(count: int) -> list[memoryview]:
        # Equal at both ends, and each twice.
        return [memoryview(bytes(100) + number.to_bytes(4, "little") + bytes(100)) for number in range(count)] * 2

    def calls(count: int) -> int:
        """The lines that are run, which are the same on every machine."""
        lines = 0

        def trace(*_: object) -> Any:
            nonlocal lines
            lines += 1
            return trace

        given = constants(count)
        sys.settrace(trace)
        try:
            offsets, pieces = _openvino._placed(given)
        finally:
            sys.settrace(None)
        assert len(pieces) == count and offsets == [204 * number for number in range(count)] * 2
        return lines

    assert calls(2000) < 2.2 * calls(1000)


def test_memory_is_a_buffer_that_is_kept(broken: Path) -> None:
    weights = broken.with_suffix(".bin").read_bytes()
    rest = bytearray(weights[4:])
    pieces = _native.Weights.memory([weights[:4], memoryview(rest)])
    analysis = _native.analyse("model.xml", broken.read_bytes(), pieces, _native.Options())
    assert "declared-shape" in analysis.render("ndjson")
    del pieces
    with pytest.raises(BufferError):
        rest.clear()
    rest[:] = bytes(len(rest))  # what is read afterwards is what is there then
    assert analysis.shapes().text
    wrong: list[Any] = [4096, "text", (0, object(), 4096, 8), memoryview(weights)[::2]]
    for buffer in wrong:
        with pytest.raises(TypeError):
            _native.Weights.memory([buffer])


def test_another_order_of_constants_is_read_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = chain(large(1, "a"), ops.constant(numpy.ones((1, 4), numpy.float32), name="b"))
    in_order = list(_openvino._constants(model))
    monkeypatch.setattr(_openvino, "_constants", lambda model: reversed(in_order))
    assert_same(model, tmp_path)


def test_other_systems_write_a_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_openvino, "_MEMORY", None)
    assert_same(chain(large(1, "a"), large(2, "b")), tmp_path)


def test_models_that_openvino_cannot_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("no serializer")

    monkeypatch.setattr(sys.modules["openvino"], "serialize", refuse)
    with pytest.raises(ovlint.Error, match="OpenVINO cannot write chain: no serializer"):
        ovlint.check(chain())
    with pytest.raises(TypeError, match="an openvino.Model has its weights"):
        ovlint.check(chain(), "model.bin")
