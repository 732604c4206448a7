"""One finding, and what it is about."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional

from ._facts import Json
from ._notebook import plain
from ._rules import Rule, rule


@dataclass(frozen=True)
class Layer:
    """The layer that a finding is about."""

    id: str
    """The id as written."""
    name: str
    """The name: the friendly name of a node."""
    type: str
    """The type, such as `Convolution`."""
    version: str
    """The version as written, such as `opset1`."""
    line: Optional[int]
    """The line of its start tag, from 1."""


@dataclass(frozen=True)
class Port:
    """The port that a finding is about."""

    direction: str
    """`input` or `output`."""
    id: str
    """The id as written."""
    index: int
    """The position among the inputs or outputs, from 0."""
    dim: Optional[int]
    """The dimension, if the finding is about one."""


class Finding(Json):
    """A problem of a model: where, what was found and what was wanted. Its text is one line.

    >>> import ovlint
    >>> (finding,) = ovlint.check("ir-samples/bad/declared-shape/model.xml").findings
    >>> str(finding.rule), finding.severity, finding.line, finding.column
    ('declared-shape', 'error', 35, 11)
    >>> finding.declared, finding.inferred
    ('f32[6,5]', 'f32[6,4]')
    >>> finding.layer.name, finding.port.index, finding.port.dim
    ('split', 1, 1)
    """

    __slots__ = ("_json", "_record")

    def __init__(self, line: str) -> None:
        self._json = line
        self._record: dict[str, Any] = json.loads(line)

    @property
    def rule(self) -> Rule:
        """The rule that is broken."""
        return rule(self._record["rule"])

    @property
    def severity(self) -> str:
        """How much it matters: `error`, `warning` or `info`."""
        return str(self._record["severity"])

    @property
    def runtime(self) -> str:
        """What OpenVINO does with the file because of it: see `Rule.runtime`."""
        return str(self._record["runtime"])

    @property
    def message(self) -> str:
        """What is wrong, in one line. It may quote names of the file, control characters included."""
        return str(self._record["message"])

    @property
    def line(self) -> Optional[int]:
        """The line in the XML, from 1; `None` if the finding is about the file as a whole."""
        return self._start("line")

    @property
    def column(self) -> Optional[int]:
        """The column in that line, from 1."""
        return self._start("column")

    def _start(self, field: str) -> Optional[int]:
        place = self._record.get("range")
        return None if place is None else int(place["start"][field])

    @property
    def layer(self) -> Optional[Layer]:
        """The layer that it is about."""
        layer = self._record.get("layer")
        return layer and Layer(**{"line": None, **layer})

    @property
    def port(self) -> Optional[Port]:
        """The port that it is about."""
        port = self._record.get("port")
        return port and Port(port["dir"], port["id"], port["index"], port.get("dim"))

    @property
    def body(self) -> tuple[str, ...]:
        """The layers and bodies around the layer, outermost first, each as `loop_1/body`."""
        return tuple(self._record["body"])

    @property
    def declared(self) -> Optional[str]:
        """The type and shape that the file declares, if the finding compares two."""
        return self._record.get("declared")

    @property
    def inferred(self) -> Optional[str]:
        """The type and shape that were inferred."""
        return self._record.get("inferred")

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts that explain it, one line each."""
        return tuple(self._record["notes"])

    @property
    def help(self) -> Optional[str]:
        """How to fix it."""
        return self._record.get("help")

    @property
    def is_consequence(self) -> bool:
        """Whether it follows from another finding, and goes once that one is fixed."""
        return "consequence_of" in self._record

    @property
    def fingerprint(self) -> str:
        """A name that stays the same when the model is exported again."""
        return str(self._record["fingerprint"])

    def to_json(self) -> str:
        """The record as it is printed by `ovlint check --format ndjson`; `ovlint generate schema report` describes it."""
        return self._json

    def __str__(self) -> str:
        place = "" if self.line is None else f"{self.line}:{self.column}: "
        return f"{place}{self.severity}[{self._record['rule']}] {plain(self.message)}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __reduce__(self) -> tuple[Any, ...]:
        return Finding, (self._json,)
