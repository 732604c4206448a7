"""Models in the memory of OpenVINO: their XML as OpenVINO would save it, and their constants where they are."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import struct
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _native
from ._errors import Error

if TYPE_CHECKING:
    from typing_extensions import TypeGuard


class OpenVinoModel(Protocol):
    """An `openvino.Model`."""

    def get_friendly_name(self) -> str: ...
    def get_ordered_ops(self) -> list[Any]: ...


def is_model(model: object) -> TypeGuard[OpenVinoModel]:
    """Whether this is an `openvino.Model`; whoever has one has imported openvino."""
    kind = getattr(sys.modules.get("openvino"), "Model", None)
    return kind is not None and isinstance(model, kind)


def serialized(model: OpenVinoModel) -> tuple[bytes, _native.Weights]:
    """The XML and the weights of a model, as if it had been saved.

    To write the weights is what takes long, and they are in memory already. So OpenVINO writes them to nowhere, where it
    cannot tell offsets, and each constant gets the offset that it would have in a file.

    Raises `Error` if OpenVINO cannot write the model.
    """
    with tempfile.TemporaryDirectory(prefix="ovlint-", dir=_MEMORY) as folder:
        xml = _written(model, folder, ("model.xml", os.devnull))[0]
        constants = list(_constants(model))
        written = [match.groups()[1:] for match in _DATA.finditer(xml)]
        # What OpenVINO allocates for a constant without elements is a matter of chance.
        data = [data or memoryview(bytes(int(size))) for (_, _, data), (_, _, size) in zip(constants, written)]
        wanted = [(kind.encode(), shape.encode(), b"%d" % len(data)) for (kind, shape, _), data in zip(constants, data)]
        if len(constants) != len(written) or wanted != written:
            # This OpenVINO orders or writes constants in another way.
            xml, weights = _written(model, folder, ("model.xml", "model.bin"))
            return xml, _native.Weights.memory([weights])
    offsets, pieces = _placed(data)
    rest = iter(offsets)
    xml = _DATA.sub(lambda match: b'%s offset="%d" size="%s"' % (match[1], next(rest), match[4]), xml)
    return xml, _native.Weights.memory(pieces)


# A folder in memory, as Linux has; elsewhere the XML is a temporary file for a moment.
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

_DATA = re.compile(
    rb'(type="Const" version="[^"]*">\s*<data element_type="([^"]*)" shape="([^"]*)") offset="\d+" size="(\d+)"'
)


def _written(model: OpenVinoModel, folder: str, names: tuple[str, str]) -> list[bytes]:
    """What OpenVINO writes into files of these names."""
    paths = [Path(folder, name) for name in names]  # `os.devnull` stays what it is
    try:
        sys.modules["openvino"].serialize(model, *paths)
    except RuntimeError as error:
        raise Error(f"OpenVINO cannot write {model.get_friendly_name()}: {error}") from error
    return [path.read_bytes() for path in paths if path.is_file()]


def _constants(model: OpenVinoModel) -> Iterator[tuple[str, str, memoryview]]:
    """Type, shape and bytes of all constants in the order of the XML, where bodies are in the layer that they belong to."""
    for node in model.get_ordered_ops():
        kind = node.get_type_name()
        if kind == "Constant":
            shape = node.get_output_shape(0)
            element_type = node.get_element_type().get_type_name()
            yield element_type, ", ".join(map(str, shape)), _bytes(node, element_type)
        elif kind == "If":
            yield from _constants(node.get_then_body())
            yield from _constants(node.get_else_body())
        elif kind in ("Loop", "TensorIterator"):
            yield from _constants(node.get_function())


def _bytes(constant: Any, element_type: str) -> memoryview:
    """The bytes that OpenVINO writes for a constant: those in its memory, without a copy."""
    if element_type == "string":
        strings = [bytes(text) for text in constant.get_tensor_view().bytes_data.flat]
        ends = itertools.accumulate(map(len, strings), initial=0)
        return memoryview(struct.pack(f"<{len(strings) + 2}i", len(strings), *ends) + b"".join(strings))
    if constant.get_byte_size() == 0:
        return memoryview(b"")
    return memoryview(constant.data.reshape(-1).view("u1"))


def _placed(constants: list[memoryview]) -> tuple[list[int], list[Union[bytes, memoryview]]]:
    """Where constants are in a file, and what it holds. OpenVINO writes equal ones once."""
    alike = Counter(map(_looks, constants))
    offsets = []
    pieces: list[Union[bytes, memoryview]] = []
    end = 0
    known: dict[tuple[object, ...], int] = {}
    for data in constants:
        looks = _looks(data)
        # All of a constant is read only where its looks leave a doubt.
        digest = hashlib.sha256(data).digest() if alike[looks] > 1 and len(data) > 2 * _LOOKED_AT else b""
        offset = known.setdefault((*looks, digest), end)
        if offset == end:
            # What decides shapes is short. A copy of it is read without waiting for the interpreter.
            pieces.append(bytes(data) if len(data) <= _SHORT else data)
            end += len(data)
        offsets.append(offset)
    return offsets, pieces


_SHORT, _LOOKED_AT = 4096, 64


def _looks(data: memoryview) -> tuple[int, bytes, bytes]:
    """Length, head and tail of a constant."""
    return len(data), bytes(data[:_LOOKED_AT]), bytes(data[-_LOOKED_AT:])
