"""What comes of a check: a report, its findings, their rules."""

from __future__ import annotations

import functools
import html
import json
from dataclasses import dataclass
from typing import Any, Optional

from . import _native
from ._errors import ModelError
from ._facts import Cost, Inputs, Json, Shapes, Why


@dataclass(frozen=True)
class Rule:
    """A kind of problem that models are checked for. Its text is its name.

    >>> import ovlint
    >>> rule = ovlint.rule("declared-shape")
    >>> print(rule, rule.severity, rule.group)
    declared-shape error declared
    >>> rule.summary
    'declared dimension disagrees with the inferred shape'
    """

    name: str
    """The stable name."""
    group: str
    """The group that it belongs to."""
    severity: str
    """The usual severity: `error`, `warning` or `info`."""
    runtime: str
    """What OpenVINO usually does with such a file: `rejects`, `misleads`, `unknown`, `not-compiled`, `accepts`, `none`."""
    fix: Optional[str]
    """The kind of fix that findings may have: `safe`, `unsafe`, or `None`."""
    is_opt_in: bool
    """Whether it is off unless asked for."""
    summary: str
    """The problem in one line."""
    explanation: str
    """What it finds, why it matters and how to fix it, in Markdown."""

    def __str__(self) -> str:
        return self.name


@functools.cache
def _rules() -> dict[str, Rule]:
    return {
        rule.name: Rule(
            rule.name,
            rule.group,
            rule.severity,
            rule.runtime,
            rule.fix,
            rule.is_opt_in,
            rule.summary,
            rule.explanation,
        )
        for rule in _native.rules()
    }


def rules() -> tuple[Rule, ...]:
    """All rules, in the order of the catalogue."""
    return tuple(_rules().values())


def rule(name: str) -> Rule:
    """The rule of this name.

    Raises `KeyError` if there is none.
    """
    return _rules()[name]


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
        """The record as it is printed by `ovlint check --format ndjson`; `ovlint schema report` describes it."""
        return self._json

    def __str__(self) -> str:
        place = "" if self.line is None else f"{self.line}:{self.column}: "
        message = "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in self.message)
        return f"{place}{self.severity}[{self._record['rule']}] {message}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)


class Report(Json):
    """The findings of one model, and what else is known of it. Its text is that of `ovlint check`; notebooks show a table.

    >>> import ovlint
    >>> report = ovlint.check("ir-samples/bad/declared-shape/model.xml")
    >>> report
    <Report of ir-samples/bad/declared-shape/model.xml: 1 error, 0 warnings>
    >>> report.ok
    False
    >>> report.raise_for_errors()
    Traceback (most recent call last):
    ...
    ovlint.ModelError: ir-samples/bad/declared-shape/model.xml: 1 error, 0 warnings
    35:11: error[declared-shape] declared dimension disagrees with the inferred shape: declared 5, inferred 4 (dim 1 of output port 3)
    """

    def __init__(self, analysis: _native.Analysis, path: str, xml: Optional[bytes]) -> None:
        self._analysis = analysis
        self.path = path
        """The path as given, or the name of a model in memory."""
        self.xml = xml
        """The text that lines refer to, if the model was in memory; `None` if it is a file."""
        self._counts = analysis.counts

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings in the order of the file, those that follow from others included."""
        return tuple(Finding(line) for line in self._analysis.render("ndjson").splitlines())

    @property
    def name(self) -> Optional[str]:
        """The name of the network; `None` if the file could not be read as an IR."""
        return self._analysis.name()

    @property
    def errors(self) -> int:
        """How many errors there are; those that follow from other findings are not counted."""
        return self._counts[0]

    @property
    def warnings(self) -> int:
        """How many warnings there are; those that follow from other findings are not counted."""
        return self._counts[1]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.errors == 0

    def raise_for_errors(self, *, strict: bool = False) -> None:
        """Raises `ModelError` if there is an error, or a warning if `strict`."""
        __tracebackhide__ = True
        if self.errors or (strict and self.warnings):
            lines = [str(finding) for finding in self.findings if not finding.is_consequence]
            raise ModelError("\n".join([f"{self.path}: {self._summary()}", *lines]), self)

    def shapes(self) -> Shapes:
        """The inferred shape and type of every tensor."""
        return Shapes(self._analysis)

    def inputs(self) -> Inputs:
        """For which shapes of its inputs the model works: see `ovlint.inputs`."""
        return Inputs(self._analysis.inputs())

    def cost(self) -> Cost:
        """What the model costs: see `ovlint.cost`."""
        return Cost(self._analysis.cost())

    def why(self, tensor: str, *, depth: int = 6) -> Why:
        """Why a tensor has its type and shape: see `ovlint.why`."""
        return Why(self._analysis.why(tensor, depth))

    def render(self, format: str = "text") -> str:
        """The findings as `ovlint check --format` prints them.

        Raises `ArgumentError` if there is no such format.
        """
        return self._analysis.render(format)

    def to_json(self) -> str:
        """The findings as one JSON object; `ovlint schema report` describes it."""
        return self.render("json")

    def to_sarif(self) -> str:
        """The findings as SARIF 2.1.0."""
        return self.render("sarif")

    def to_html(self) -> str:
        """The page that `ovlint report` writes, for a browser: the findings beside the graph."""
        return self._analysis.html()

    def _summary(self) -> str:
        counts = [(self.errors, "error"), (self.warnings, "warning")]
        return ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts)

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<Report of {self.path}: {self._summary()}>"

    def _repr_html_(self) -> str:
        # The whole page takes too much room for the cell of a notebook: `to_html` has the graph.
        roots = [finding for finding in self.findings if not finding.is_consequence]
        rows = []
        for finding in roots[:_SHOWN]:
            layer = finding.layer
            place = "" if layer is None else f"{layer.name} ({layer.type})"
            color = _COLORS.get(finding.severity, "inherit")
            severity = f'<td style="color:{color};font-weight:600">{finding.severity}</td>'
            cells = [str(finding.rule), place, str(finding.line or ""), *_details(finding)]
            texts = [f'<td style="text-align:left">{html.escape(cell).replace(chr(10), "<br>")}</td>' for cell in cells]
            rows.append(f"<tr>{severity}{''.join(texts)}</tr>")
        more = len(roots) - len(rows)
        note = f"<p>and {more} more: see <code>findings</code></p>" if more else ""
        head = "".join(f'<th style="text-align:left">{title}</th>' for title in ("", "rule", "layer", "line", "message"))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
        return f"<p>{html.escape(self.path)}: {self._summary()}</p>{table}{note}"


_SHOWN = 50
"""Findings that a cell of a notebook shows."""

_COLORS = {"error": "#c4211c", "warning": "#96600a", "info": "#3b6a8c"}
"""The colours of the page of `ovlint report`."""


def _details(finding: Finding) -> list[str]:
    """The message, then what explains it, a line each; what nobody sees is spelled out."""
    lines = [finding.message, *finding.notes, *([finding.help] if finding.help else [])]
    plain = ["".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in line) for line in lines]
    return ["\n".join(plain)]
