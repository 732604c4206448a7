"""Shapes, reasons, differences and fixes, against the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import pytest

import ovlint


def test_shapes_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    for path in sorted((samples / "models").glob("*.xml")):
        shapes = ovlint.shapes(path)
        assert str(shapes) == by_command("shapes", path, "--format", "snapshot")
        assert shapes.to_json() + "\n" == by_command("shapes", path, "--format", "json")
        named = [f"{t.body}/{t.layer}:{t.index}".lstrip("/") for t in shapes]
        assert len(named) == len(shapes) and all(name in shapes for name in named)
        assert len({shapes[name] for name in named}) == len(shapes)
    loops = ovlint.shapes(samples / "models/control_flow.xml")
    assert any(tensor.body for tensor in loops)
    assert "no such tensor" not in loops
    with pytest.raises(KeyError):
        loops["no such tensor"]


def test_inputs_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    for path in sorted((samples / "models").glob("*.xml")):
        inputs = ovlint.inputs(path)
        assert inputs.to_json() + "\n" == by_command("inputs", path, "--format", "json")
        assert inputs.is_complete == inputs.to_dict()["complete"]
    pyramid = ovlint.inputs(samples / "models/feature_pyramid.xml")
    assert "height % 32 == 0" in str(pyramid)
    assert {constraint.layer_type for constraint in pyramid.constraints} == {"Concat"}
    assert pyramid.works is None


def test_inputs_answer_for_shapes(samples: Path, by_command: Callable[..., str]) -> None:
    path = samples / "models/feature_pyramid.xml"
    for width, works in [(640, True), (650, False)]:
        shape = f"images[1,3,64,{width}]"
        inputs = ovlint.inputs(path, shape=shape)
        assert inputs.works is works
        assert inputs.to_json() + "\n" == by_command("inputs", path, "--shape", shape, "--format", "json")
    assert "the nearest sizes of width that work are 640 and 672" in str(inputs)
    assert ovlint.inputs(path, shape="images[?,3,64,640]").works is None


def test_reasons_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    path = samples / "models/split.xml"
    why = ovlint.why(path, "split_3")
    assert why.to_json() + "\n" == by_command("why", path, "split_3", "--format", "json")
    assert str(why).startswith("split_3:0  f32[6,4,10,24]")
    assert "dim 0 = 6 &lt;- data dim 0" in why._repr_html_()
    assert not why.is_cut and ovlint.why(path, "split_3", depth=0).is_cut
    with pytest.raises(ovlint.ArgumentError, match="no layer or tensor `spilt_3`; did you mean `split_3`?"):
        ovlint.check(path).why("spilt_3")


def test_differences_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    old, new = samples / "models/split.xml", samples / "models/variadic_split.xml"
    diff = ovlint.diff(old, new)
    assert str(diff) == by_command("diff", old, new)
    assert diff.to_json() + "\n" == by_command("diff", old, new, "--format", "json")
    assert not diff.is_empty and diff.unread is None and diff.to_dict()["level"] == "weights"
    in_memory = old.read_bytes(), old.with_suffix(".bin").read_bytes()
    assert ovlint.diff(old, in_memory, level="bytes").is_empty
    with pytest.raises(ovlint.ArgumentError, match="`all` is not a level; use interface, "):
        ovlint.diff(old, new, level="all")  # type: ignore[arg-type]
    with pytest.raises(ovlint.FileError):
        ovlint.diff(old, b"<a/>")


def test_costs_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    path = samples / "models/attention.xml"
    cost = ovlint.cost(path)
    assert cost.to_json() + "\n" == by_command("cost", path, "--format", "json")
    record = cost.to_dict()
    assert cost.macs is None and cost.total_macs == ovlint.Amount(None, record["macs"]["total"]["expr"])
    assert "batch" in str(cost.total_macs) and str(cost.total_macs) in repr(cost)
    assert {name: str(macs) for name, macs in cost.macs_by_type.items()} == {"MatMul": str(cost.total_macs)}
    assert [vars(row) for row in cost.weights] == record["weights"]
    assert cost.peak_memory == ovlint.Amount(None, record["tensors"]["peak"]["expr"])
    assert (cost.uncounted, cost.states) == ({}, {})


def test_fixes_are_written_only_when_asked(broken: Path, by_command: Callable[..., str]) -> None:
    before = broken.read_bytes()
    fixed = ovlint.fix(broken)
    assert [str(rule) for rule in fixed.applied] == ["declared-shape"]
    assert fixed.refused == () and fixed.is_complete and fixed.report.ok
    assert fixed.diff == by_command("check", "--isolated", "--diff", broken)
    assert broken.read_bytes() == before != fixed.xml
    fixed.write()
    assert broken.read_bytes() == fixed.xml
    again = ovlint.fix(broken, level="all")
    assert (again.diff, again.applied) == ("", ())
    again.write()
    broken.write_bytes(b"<net/>")
    with pytest.raises(ovlint.FileError, match="model.xml"):
        fixed.write()
    assert broken.read_bytes() == b"<net/>", "somebody else changed the file"
    assert json.loads(again.report.to_json())["models"][0]["findings"] == []
    with pytest.raises(ovlint.ArgumentError, match="`unsafe` is not a level; use safe, all"):
        ovlint.fix(broken, level="unsafe")  # type: ignore[arg-type]


def test_fixes_of_a_model_in_memory_are_written_nowhere(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(broken.parent)
    before = broken.read_bytes()
    fixed = ovlint.fix(before, broken.with_suffix(".bin"))
    assert fixed.report.ok
    with pytest.raises(ovlint.ArgumentError, match="a model in memory has no file to replace"):
        fixed.write()
    assert broken.read_bytes() == before
