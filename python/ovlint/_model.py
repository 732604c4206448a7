"""What a model is given as, and how it is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Optional, TypedDict, Union

from . import _native
from ._openvino import OpenVinoModel, is_model, serialized

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

Path: TypeAlias = "Union[str, os.PathLike[str]]"
"""The path of a file, or its URL."""

Bytes: TypeAlias = "Buffer"
"""The bytes of a file, in any object that has a buffer, such as `bytes`, `mmap` or an array of numpy. They are copied."""

Source: TypeAlias = "Union[Path, Bytes]"
"""A file, by its path or by its bytes."""

Model: TypeAlias = "Union[Path, Bytes, tuple[Source, Source], OpenVinoModel]"
"""A model: the path or the bytes of an `.xml`, a pair of the `.xml` and the `.bin`, or an `openvino.Model`."""

Shape: TypeAlias = "Sequence[Union[int, str, None]]"
"""The lengths of a shape: a number, a range such as `"1..8"`, or `None` or -1 for any length."""


class Options(TypedDict, total=False):
    """How models are checked: the keywords that `check` and its relatives take.

    `config`: an `ovlint.toml` or `pyproject.toml` with rules, severities, ignores, contracts and weights. None is looked for.

    `shape`: shapes that inputs have instead of those declared: `"images[1,3,640,640]"`, `{"images": [1, 3, 640, 640]}`, or
    `[1, 3, 640, 640]` for a single input. What ports declare is then not compared.

    `target`: the oldest release of OpenVINO that has to read the model, such as `"2024.6"`.

    `device`: the device that is to run the model: `"CPU"`, `"GPU"` or `"NPU"`.

    `profile`: the rules to start from: `"runtime"`, `"default"` or `"pedantic"`.

    `select`: check only these rules and groups.

    `extend_select`: check these rules and groups as well.

    `ignore`: do not check these rules and groups.

    `severity`: other severities for rules and groups: `"error"`, `"warning"`, `"info"` or `"off"`.

    `recipes`: what loads the model, whose demands are checked: `"genai"`, `"optimum"`, `"triton"` or `"ovms"`.

    `infer`: whether shapes are inferred, `True` by default. Without, only the structure is checked.

    `symbolic`: whether dynamic dimensions are expressed by those of the inputs, for `Tensor.symbolic`.

    `max_fetched`: the bytes of a model to fetch from a server or a store, those of its XML included; 100 MB by default. The
    command calls it `--max-fetched`.
    """

    config: Path
    shape: Union[str, Shape, Mapping[str, Shape]]
    target: str
    device: str
    profile: str
    select: Sequence[str]
    extend_select: Sequence[str]
    ignore: Sequence[str]
    severity: Mapping[str, str]
    recipes: Sequence[str]
    infer: bool
    symbolic: bool
    max_fetched: int


class Opened:
    """What the native part is called with."""

    def __init__(self, model: Model, weights: Optional[Source], name: Optional[Path]) -> None:
        if isinstance(model, tuple):
            if weights is not None:
                raise TypeError("weights are given twice: beside the model, and in a pair with it")
            model, weights = model
        self.xml: Optional[bytes] = None
        if is_model(model):
            if weights is not None:
                raise TypeError("an openvino.Model has its weights")
            self.path: Path = model.get_friendly_name() if name is None else shown(name)
            self.xml, self.weights = serialized(model)
            return
        if isinstance(model, (str, os.PathLike)):
            if name is not None:
                raise TypeError("a model that has a path takes no other name")
            self.path = shown(model)
        else:
            self.path = "model.xml" if name is None else shown(name)
            self.xml = _bytes(model, "a model: give a path, bytes, or a pair of them")
        self.weights = _weights(weights)

    def analysis(self, options: _native.Options) -> _native.Analysis:
        return _native.analyse(self.path, self.xml, self.weights, options)


def shown(path: Path) -> Path:
    """The path as everything shows it: a URL without credentials."""
    return _native.named(path) if isinstance(path, str) and "://" in path else path


def _weights(weights: Optional[Source]) -> _native.Weights:
    if weights is None:
        return _native.Weights.auto()
    if isinstance(weights, (str, os.PathLike)):
        return _native.Weights.skip() if weights == "skip" else _native.Weights.file(weights)
    return _native.Weights.memory([_bytes(weights, 'weights: give a path, bytes, or "skip"')])


def _bytes(given: object, wanted: str) -> bytes:
    """The bytes of a buffer, which its owner may change afterwards."""
    try:
        return given if isinstance(given, bytes) else memoryview(given).tobytes()  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{type(given).__name__} is not {wanted}") from None


def native_options(options: Options) -> _native.Options:
    """The options as the native part takes them; a keyword that there is not is a `TypeError`."""
    rest: dict[str, object] = dict(options)
    severity = options.get("severity", {})
    shape = options.get("shape")
    if shape is not None:
        rest["shape"] = shape_text(shape)
    return _native.Options(**{**rest, "severity": list(severity.items())})  # type: ignore[arg-type]


def shape_text(shape: Union[None, str, Shape, Mapping[str, Shape]]) -> str:
    """Shapes of inputs in the syntax of the command."""
    return "" if shape is None else shape if isinstance(shape, str) else _shapes(shape)


def _shapes(shape: Union[Shape, Mapping[str, Shape]]) -> str:
    if isinstance(shape, Mapping):
        return ",".join(name + _shapes(lengths) for name, lengths in shape.items())
    return "[" + ",".join("?" if length is None or str(length) == "-1" else str(length) for length in shape) + "]"
