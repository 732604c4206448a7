"""What is inferred of a model: shapes, the reasons for them, and what differs between two models."""

from __future__ import annotations

import abc
import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Optional

from . import _native
from ._notebook import of_text


class Json(abc.ABC):
    """What can be had as JSON."""

    __slots__ = ()

    @abc.abstractmethod
    def to_json(self) -> str: ...

    def to_dict(self) -> dict[str, Any]:
        """What `to_json` holds, as a dictionary."""
        record: dict[str, Any] = json.loads(self.to_json())
        return record


class Answer(Json):
    """What a command says of a model; notebooks show its text. It can be copied, pickled and kept without the model."""

    def __init__(self, text: str, json: str) -> None:
        self._text = text
        self._json = json

    def to_json(self) -> str:
        """What the command of the same name prints with `--format json`, as `ovlint generate schema` describes it."""
        return self._json

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return of_text(str(self))


@dataclass(frozen=True)
class Tensor:
    """One output of a layer, and what was inferred of it. Its text is type and shape: `f32[1,?,3..8]`."""

    layer: str
    """The name of the layer."""
    layer_type: str
    """The type of the layer, such as `Convolution`."""
    body: str
    """The bodies that the layer is in, such as `loop_1/body`; empty outside of bodies."""
    index: int
    """The position among the outputs of the layer, from 0."""
    type: str
    """The element type."""
    shape: str
    """The lengths: a number, `?` for any, `a..b` for a range; `[...]` if the rank is unknown."""
    verified: bool
    """Whether it was inferred; if not, it is what the file declares for an operation that has no shape rule."""
    symbolic: Optional[tuple[Optional[str], ...]] = None
    """What each dimension equals, such as `past + s`: whole-number Python over the dimensions of inputs; `None` where nothing is
    known. As a whole `None` unless `symbolic=True` was asked for and the shape is dynamic."""

    def __str__(self) -> str:
        return self.type + self.shape


class Shapes(Answer):
    """The inferred shape and type of every tensor of a model. Its text is what a snapshot holds.

    >>> import ovlint
    >>> shapes = ovlint.shapes("ir-samples/models/split.xml")
    >>> print(shapes["split_3"])
    f32[6,4,10,24]
    >>> [str(tensor) for tensor in shapes if tensor.layer_type == "Parameter"]
    ['f32[6,12,10,24]']
    >>> shapes = ovlint.shapes("ir-samples/models/split.xml", shape="data[?,?,10,24]", symbolic=True)
    >>> shapes["split_3"].symbolic
    ('batch', 'd1//3', '10', '24')
    """

    def __init__(self, native: _native.Shapes) -> None:
        super().__init__(native.text, native.json)

    @functools.cached_property
    def _tensors(self) -> tuple[Tensor, ...]:
        return tuple(_tensors(self.to_dict(), ""))

    @functools.cached_property
    def _by_name(self) -> dict[str, Tensor]:
        named = {}
        for tensor in reversed(self._tensors):
            name = f"{tensor.body}/{tensor.layer}" if tensor.body else tensor.layer
            named[f"{name}:{tensor.index}"] = tensor
            if tensor.index == 0:
                named[name] = tensor
        return named

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def __getitem__(self, name: str) -> Tensor:
        """The tensor of this name: `layer`, `layer:output`, or `loop/body/layer` for one in a body."""
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __repr__(self) -> str:
        return f"<Shapes of {len(self)} tensors>"


def _tensors(scope: dict[str, Any], body: str) -> Iterator[Tensor]:
    for layer in scope["layers"]:
        for index, output in enumerate(layer["outputs"]):
            facts = output["type"], output["shape"], output["verified"]
            lengths = output.get("symbolic")
            yield Tensor(layer["name"], layer["type"], body, index, *facts, lengths and tuple(lengths))
        for inner in scope.get("bodies", ()):
            if inner["layer"] == layer["id"]:
                place = f"{layer['name']}/{inner['body']}"
                yield from _tensors(inner, f"{body}/{place}" if body else place)


class Why(Answer):
    """Why a tensor has its type and shape. Its text is the tree that `ovlint why` prints."""

    def __init__(self, native: _native.Why) -> None:
        super().__init__(native.text, native.json)
        self.is_cut = native.is_cut
        """Whether more depth would show more."""

    def __repr__(self) -> str:
        return f"<Why {self.to_dict()['tensor']}>"


@dataclass(frozen=True)
class Constraint:
    """What must hold of lengths for a layer to accept its inputs. Its text is the expression."""

    expression: str
    """Whole-number Python over the names of dimensions, true where it holds."""
    layer: str
    """The name of the layer that demands it."""
    layer_type: str
    """The type of the layer."""
    line: int
    """The line of the layer, from 1."""
    more_layers: int
    """How many more layers demand it."""

    def __str__(self) -> str:
        return self.expression


class Inputs(Answer):
    """For which shapes of its inputs a model works. Its text is the screen that `ovlint inputs` prints. Its truth value is `works`.

    >>> import ovlint
    >>> inputs = ovlint.inputs("ir-samples/models/kv_cache.xml")
    >>> [(str(constraint), constraint.layer) for constraint in inputs.constraints], inputs.is_complete
    ([('batch == beam_idx_batch', 'cache')], True)
    """

    def __init__(self, native: _native.Inputs) -> None:
        super().__init__(native.text, native.json)
        self.is_complete = native.is_complete
        """Whether shapes that meet all constraints, those of `expected` included, pass every check of shapes; otherwise there are
        layers that demand more."""
        self.works = native.works
        """Whether the model works for the shapes of `shape=...`; `None` without any, where they leave lengths open, or where that
        takes weights which cannot be read. The text says which constraints fail, and which lengths near by work."""

    def __bool__(self) -> bool:
        if self.works is None:
            raise TypeError("whether the model works depends on open dimensions or on missing weights: fix them with `shape`, or ask `works`")
        return self.works

    @functools.cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """What must hold, all of it; lengths of 0 included."""
        return self._constraints("required")

    @functools.cached_property
    def expected(self) -> tuple[Constraint, ...]:
        """What usually holds as well: with lengths of 1 or more, which are equal where one of them could also be 1.

        >>> import ovlint
        >>> [str(one) for one in ovlint.inputs("ir-samples/dynamic/decoder.xml").expected][-2:]
        ['past == past_key_past', 'attention_mask_seq == seq + past']
        """
        return self._constraints("expected")

    def _constraints(self, strength: str) -> tuple[Constraint, ...]:
        rows = [row for row in self.to_dict()["constraints"] if row["strength"] == strength]
        layers = ((row["layer"], row) for row in rows)
        return tuple(
            Constraint(row["expr"], layer["name"], layer["type"], layer["line"], row["more_layers"]) for layer, row in layers
        )

    def __repr__(self) -> str:
        return f"<Inputs: {len(self.constraints)} constraints>"


@dataclass(frozen=True)
class Amount:
    """A number of 0 or more, which may depend on lengths. Its text is the expression."""

    value: Optional[int]
    """The number; `None` if it depends on lengths that are open, or exceeds 64 bits."""
    expression: str
    """The number as whole-number Python over the names of dimensions."""

    def __str__(self) -> str:
        return self.expression


@dataclass(frozen=True)
class WeightsOfType:
    """The constants of an element type. Bytes that several constants share count once."""

    type: str
    """The element type."""
    constants: int
    """The number of constants."""
    elements: int
    """The number of their elements."""
    bytes: int
    """The bytes that they take in the weights file."""


class Cost(Answer):
    """What a model costs: weights, multiplications, memory. Its text is the screen that `ovlint cost` prints.

    >>> import ovlint
    >>> cost = ovlint.cost("ir-samples/models/detector.xml", shape=[1, 3, 32, 32])
    >>> cost.macs, cost.macs_by_type["Convolution"].value, cost.peak_memory.value
    (296960, 296960, 147456)
    >>> cost.weights[0]
    WeightsOfType(type='f16', constants=15, elements=698, bytes=1396)
    >>> print(ovlint.cost("ir-samples/models/kv_cache.xml").states["past_key"])
    64*past_key_batch*past
    """

    def __init__(self, native: _native.Cost) -> None:
        super().__init__(native.text, native.json)
        self.macs = native.macs
        """How often one run multiplies two numbers and adds the product to a sum, bodies left out; `None` if that depends on
        lengths that are open: `total_macs` is the function then."""

    @functools.cached_property
    def _record(self) -> dict[str, Any]:
        return self.to_dict()

    @property
    def total_macs(self) -> Amount:
        """`macs`, which may depend on lengths that are open."""
        return _amount(self._record["macs"]["total"])

    @property
    def macs_by_type(self) -> dict[str, Amount]:
        """The same for each type of layer that multiplies."""
        return {row["type"]: _amount(row["macs"]) for row in self._record["macs"]["by_type"]}

    @property
    def uncounted(self) -> dict[str, int]:
        """The number of layers of each type that multiplies as well, but how often is unknown."""
        return {row["type"]: row["layers"] for row in self._record["macs"]["uncounted"]}

    @property
    def weights(self) -> tuple[WeightsOfType, ...]:
        """The constants by element type, most bytes first."""
        return tuple(WeightsOfType(**row) for row in self._record["weights"])

    @property
    def peak_memory(self) -> Optional[Amount]:
        """The most bytes of tensors that are in use at once, if layers run in the order of the file; without constants. `None` if
        there are no tensors or too many lengths decide."""
        peak = self._record["tensors"]["peak"]
        return None if peak is None else _amount(peak)

    @property
    def states(self) -> dict[str, Optional[Amount]]:
        """The bytes of each variable that the model reads; `None` if they are unknown."""
        return {row["name"]: row["bytes"] and _amount(row["bytes"]) for row in self._record["states"]}

    def __repr__(self) -> str:
        return f"<Cost: {self.total_macs} MACs>"


def _amount(record: dict[str, Any]) -> Amount:
    return Amount(record["value"], record["expr"])


class Diff(Answer):
    """What differs between two models. Its text is what `ovlint diff` prints. Like a list of differences, it is false if it is
    empty."""

    def __init__(self, native: _native.Diff) -> None:
        super().__init__(native.text, native.json)
        self.is_empty = native.is_empty
        """Whether nothing differs, and everything could be compared."""
        self.unread = native.unread
        """How many constants could not be compared, and why; `None` if all could."""

    def __bool__(self) -> bool:
        return not self.is_empty

    def __repr__(self) -> str:
        return f"<Diff: {'nothing differs' if self.is_empty else 'models differ'}>"
