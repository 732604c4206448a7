"""Cards, layers and drawings of models, against the command."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Callable

import pytest

import ovlint


def test_cards_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    for path in sorted((samples / "models").glob("*.xml")):
        info = ovlint.info(path)
        assert str(info) == by_command("info", path)
        assert info.to_json() + "\n" == by_command("info", path, "--format", "json")
        assert info.layers >= sum(info.types.values()) and info.name in repr(info)
        assert {str(end) for end in info.inputs} <= set(map(str, ovlint.shapes(path)))
    detector = ovlint.info(samples / "models/detector.xml")
    assert (detector.kind, detector.made_by, detector.ir_version) == ("detector", {}, 11)
    assert detector.outputs == (
        ovlint.End("out_boxes", ("boxes",), "f32", "[?,4,1024]"),
        ovlint.End("out_scores", ("scores",), "f32", "[?,2,1024]"),
    )
    with pytest.raises(ovlint.FileError, match="none.xml: "):
        ovlint.info(b"<a/>", name="none.xml")


def test_layers_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    path = samples / "models/detector.xml"
    for tensor in ovlint.shapes(path):
        layer = ovlint.check(path).inspect(tensor.layer, print=3)
        assert str(layer) == by_command("inspect", path, tensor.layer, "--print", 3)
        assert layer.to_json() + "\n" == by_command("inspect", path, tensor.layer, "--print", 3, "--format", "json")
        assert (layer.name, layer.type, layer.outputs[tensor.index]) == (tensor.layer, tensor.layer_type, str(tensor))
    with pytest.raises(ovlint.ArgumentError, match="no layer `spilt_3`; did you mean `split_3`?"):
        ovlint.inspect(samples / "models/split.xml", "spilt_3")


def test_drawings_are_those_of_the_command(samples: Path, by_command: Callable[..., str]) -> None:
    path = samples / "models/detector.xml"
    for format in ("dot", "mermaid", "svg"):
        graph = ovlint.graph(path, format=format, consts=True)
        assert str(graph) == by_command("graph", path, "--format", format, "--consts")
    around = ovlint.graph(path, around="boxes", hops=1)
    assert str(around) == by_command("graph", path, "--around", "boxes", "--hops", 1)
    assert "&quot;" in around._repr_html_()
    picture = ovlint.graph(path, format="svg")
    assert base64.b64decode(picture._repr_html_().split("base64,")[1].split('"')[0]).decode() == picture.text
    with pytest.raises(ovlint.ArgumentError, match="more than the limit of 3; draw fewer with `around` and `hops`"):
        ovlint.graph(path, max_nodes=3)
    with pytest.raises(ovlint.ArgumentError, match="`png` is not a format; use dot, mermaid, svg"):
        ovlint.graph(path, format="png")  # type: ignore[arg-type]
