"""Views of a model: its card, one of its layers, a drawing."""

from __future__ import annotations

import base64
import functools
from dataclasses import dataclass
from typing import Any, Optional

from . import _native
from ._facts import Answer
from ._notebook import of_text


@dataclass(frozen=True)
class End:
    """An input or an output of a model. Its text is type and shape: `f32[1,?,3..8]`."""

    name: str
    """The name of the layer."""
    tensors: tuple[str, ...]
    """The names of the tensor."""
    type: str
    """The element type."""
    shape: str
    """The lengths: a number, `?` for any, `a..b` for a range; `[...]` if the rank is unknown."""

    def __str__(self) -> str:
        return self.type + self.shape


class Info(Answer):
    """The card of a model. Its text is what `ovlint info` prints; `to_dict()["models"][0]` has all of it.

    >>> import ovlint
    >>> info = ovlint.info("ir-samples/models/detector.xml")
    >>> info.kind, info.layers, info.types["Convolution"], info.weights_size
    ('detector', 70, 6, 1540)
    >>> [(end.name, str(end)) for end in info.inputs]
    [('images', 'u8[?,3,32,32]')]
    """

    def __init__(self, native: _native.View) -> None:
        super().__init__(native.text, native.json)

    @functools.cached_property
    def _record(self) -> dict[str, Any]:
        record: dict[str, Any] = self.to_dict()["models"][0]
        return record

    @property
    def name(self) -> str:
        """The name of the network."""
        return str(self._record["name"])

    @property
    def kind(self) -> Optional[str]:
        """The kind of the model, such as `language-model` or `detector`; `None` if its graph does not show it."""
        kind: Optional[str] = self._record.get("is", {}).get("kind")
        return kind

    @property
    def ir_version(self) -> int:
        """The version of the format."""
        return int(self._record["ir_version"])

    @property
    def inputs(self) -> tuple[End, ...]:
        """The inputs in the order of the file."""
        return self._ends("inputs")

    @property
    def outputs(self) -> tuple[End, ...]:
        """The outputs in the order of the file."""
        return self._ends("outputs")

    @property
    def layers(self) -> int:
        """The number of layers, those of bodies included."""
        return int(self._record["layers"])

    @property
    def types(self) -> dict[str, int]:
        """The number of layers of each type, most first; without constants, inputs and outputs."""
        return {one["name"]: one["layers"] for one in self._record["types"]}

    @property
    def made_by(self) -> dict[str, str]:
        """The tools that made the file, and their versions, as the file says."""
        return {one["name"]: one["version"] for one in self._record["made_by"]}

    @property
    def weights_size(self) -> Optional[int]:
        """The bytes of the weights file; `None` if there is none."""
        size: Optional[int] = self._record["weights_size"]
        return size

    def _ends(self, side: str) -> tuple[End, ...]:
        return tuple(End(end["name"], tuple(end["tensors"]), end["type"], end["shape"]) for end in self._record[side])

    def __repr__(self) -> str:
        return f"<Info {self.name}: {self.layers} layers>"


class Inspection(Answer):
    """All that is known of a layer. Its text is what `ovlint inspect` prints; `to_dict()["layer"]` has all of it.

    >>> import ovlint
    >>> layer = ovlint.inspect("ir-samples/models/split.xml", "split_3")
    >>> layer.type, layer.attributes, layer.inputs, layer.outputs[0]
    ('Split', {'num_splits': '3'}, ('f32[6,12,10,24]', 'i64[]'), 'f32[6,4,10,24]')
    """

    def __init__(self, native: _native.View) -> None:
        super().__init__(native.text, native.json)

    @functools.cached_property
    def _record(self) -> dict[str, Any]:
        record: dict[str, Any] = self.to_dict()["layer"]
        return record

    @property
    def name(self) -> str:
        """The name, behind those of the bodies around: `loop/body/layer`."""
        return str(self._record["name"])

    @property
    def type(self) -> str:
        """The type, such as `Convolution`."""
        return str(self._record["type"])

    @property
    def line(self) -> int:
        """The line of its start tag, from 1."""
        return int(self._record["first_line"])

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes, those included that the file leaves to their defaults."""
        return {one["name"]: one["value"] for one in self._record["attributes"]}

    @property
    def inputs(self) -> tuple[Optional[str], ...]:
        """The inferred type and shape of each input; `None` where nothing is known."""
        return tuple(one["inferred"] for one in self._record["inputs"])

    @property
    def outputs(self) -> tuple[Optional[str], ...]:
        """The inferred type and shape of each output; `None` where nothing is known."""
        return tuple(one["inferred"] for one in self._record["outputs"])

    def __repr__(self) -> str:
        return f"<Inspection of {self.name} ({self.type})>"


@dataclass(frozen=True)
class Graph:
    """A drawing of a model. Its text is what `ovlint graph` prints; notebooks show an SVG as a picture."""

    text: str
    """The drawing."""
    format: str
    """The language of the drawing: `dot`, `mermaid` or `svg`."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Graph: {len(self.text)} characters of {self.format}>"

    def _repr_html_(self) -> str:
        if self.format != "svg":
            return of_text(self.text)
        # As a picture, as the styles of an element would hold for the whole notebook.
        data = base64.b64encode(self.text.encode()).decode()
        return f'<img alt="graph of the model" src="data:image/svg+xml;base64,{data}">'
