"""What comes of a check."""

from __future__ import annotations

import copyreg
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union

from . import _native
from ._errors import Error, ModelError
from ._facts import Cost, Inputs, Json, Shapes, Why
from ._finding import Finding
from ._notebook import of_report
from ._options import Format
from ._views import Graph, Info, Inspection


@dataclass(frozen=True)
class Shown:
    """What stands for an analysis in a pickle: the findings, but not the model."""

    rendered: dict[str, str]


def _shown(analysis: _native.Analysis) -> tuple[Any, ...]:
    return Shown, ({format: analysis.render(format) for format in ("text", "json", "ndjson")},)


copyreg.pickle(_native.Analysis, _shown)


class Counted(Json):
    """Findings, and how many there are."""

    _counts: Sequence[int]

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

    def __bool__(self) -> bool:
        return self.ok

    def _summary(self) -> str:
        counts = [(self.errors, "error"), (self.warnings, "warning")]
        return ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts)


class Report(Counted):
    """The findings of one model, and what else is known of it. Its text is that of `ovlint check`; notebooks show a table.
    It is true if there is no error.

    A copy is like the report. A report that was pickled has its findings, text, JSON and numbers. It has no model: what asks
    the model, such as `shapes`, `to_html` and other formats, raises `Error`.

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
        self._analysis: Union[_native.Analysis, Shown] = analysis
        self.path = path
        """The path as given, or the name of a model in memory."""
        self.xml = xml
        """The text that lines refer to, if the model was in memory; `None` if it is a file."""
        self.name = analysis.name()
        """The name of the network; `None` if the file could not be read as an IR."""
        self._counts = analysis.counts

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings in the order of the file, those that follow from others included."""
        return tuple(Finding(line) for line in self.render("ndjson").splitlines())

    def raise_for_errors(self, *, strict: bool = False) -> None:
        """Raises `ModelError` if there is an error, or a warning if `strict`."""
        __tracebackhide__ = True
        if self.errors or (strict and self.warnings):
            lines = [str(finding) for finding in self.findings if not finding.is_consequence]
            raise ModelError("\n".join([f"{self.path}: {self._summary()}", *lines]), self)

    def shapes(self) -> Shapes:
        """The inferred shape and type of every tensor."""
        return Shapes(self._asked().shapes())

    def inputs(self) -> Inputs:
        """For which shapes of its inputs the model works: see `ovlint.inputs`."""
        return Inputs(self._asked().inputs())

    def cost(self) -> Cost:
        """What the model costs: see `ovlint.cost`."""
        return Cost(self._asked().cost())

    def why(self, tensor: str, *, depth: int = 6) -> Why:
        """Why a tensor has its type and shape: see `ovlint.why`."""
        return Why(self._asked().why(tensor, depth))

    def info(self) -> Info:
        """The card of the model: see `ovlint.info`."""
        return Info(self._asked().info())

    def inspect(self, layer: str, *, print: int = 16) -> Inspection:
        """All that is known of a layer: see `ovlint.inspect`."""
        return Inspection(self._asked().inspect(layer, print))

    def graph(
        self,
        *,
        format: Literal["dot", "mermaid", "svg"] = "dot",
        around: Optional[str] = None,
        hops: int = 2,
        consts: bool = False,
        max_nodes: int = 500,
    ) -> Graph:
        """A drawing of the model or of a part of it: see `ovlint.graph`."""
        return Graph(self._asked().graph(format, around, hops, consts, max_nodes), format)

    def render(self, format: Format = "text") -> str:
        """The findings as `ovlint check --format` prints them.

        Raises `ArgumentError` if there is no such format.
        """
        if isinstance(self._analysis, Shown) and format in self._analysis.rendered:
            return self._analysis.rendered[format]
        return self._asked().render(format)

    def _asked(self) -> _native.Analysis:
        """The analysis, to be asked something."""
        if isinstance(self._analysis, Shown):
            raise Error(
                f"{self.path}: a report that was pickled has no model to ask; ask in the process that checked it and pass "
                "the answer on, or check the model again"
            )
        return self._analysis

    def to_json(self) -> str:
        """The findings as one JSON object; `ovlint generate schema report` describes it."""
        return self.render("json")

    def to_sarif(self) -> str:
        """The findings as SARIF 2.1.0."""
        return self.render("sarif")

    def to_html(self) -> str:
        """The page that `ovlint report` writes, for a browser: the findings beside the graph."""
        return self._asked().html()

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<Report of {self.path}: {self._summary()}>"

    def _repr_html_(self) -> str:
        # The whole page takes too much room for the cell of a notebook: `to_html` has the graph.
        roots = [finding for finding in self.findings if not finding.is_consequence]
        return of_report(f"{self.path}: {self._summary()}", roots)
