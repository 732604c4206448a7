"""What a model is given as, and how it is opened."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional, Union

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
