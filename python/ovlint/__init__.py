"""Checks OpenVINO IR files: infers every shape and type, and says where a file disagrees with itself, with its weights,
or with what OpenVINO accepts.

>>> import ovlint
>>> report = ovlint.check("ir-samples/bad/declared-shape/model.xml")
>>> for finding in report.findings:
...     print(finding)
35:11: error[declared-shape] declared dimension disagrees with the inferred shape: declared 5, inferred 4 (dim 1 of output port 3)

Nothing is printed and no file is written, except by `write` of `Fixed`, `Edited` and `Reduced`, and by `reduce` with an `output`. All calls may come from several
threads at once; they run in parallel.
"""

from ._api import Fixed, assert_valid, check, cost, diff, fix, graph, info, inputs, inspect, shapes, why
from ._edited import Edited, extract, reshape
from ._errors import ArgumentError, Error, FileError, InternalError, ModelError
from ._facts import Amount, Constraint, Cost, Diff, Inputs, Shapes, Tensor, WeightsOfType, Why
from ._finding import Finding, Layer, Port
from ._folder import FolderReport, check_folder
from ._options import Options
from ._native import __version__
from ._reduced import Reduced, reduce
from ._report import Report
from ._rules import Rule, rule, rules
from ._table import check_many, table_schema
from ._views import End, Graph, Info, Inspection

__all__ = [
    "Amount",
    "ArgumentError",
    "Constraint",
    "Cost",
    "Diff",
    "Edited",
    "End",
    "Error",
    "FileError",
    "Finding",
    "Fixed",
    "FolderReport",
    "Graph",
    "Info",
    "Inputs",
    "Inspection",
    "InternalError",
    "Layer",
    "ModelError",
    "Options",
    "Port",
    "Reduced",
    "Report",
    "Rule",
    "Shapes",
    "Tensor",
    "WeightsOfType",
    "Why",
    "__version__",
    "assert_valid",
    "check",
    "check_folder",
    "check_many",
    "cost",
    "diff",
    "extract",
    "fix",
    "graph",
    "info",
    "inputs",
    "inspect",
    "reduce",
    "reshape",
    "rule",
    "rules",
    "shapes",
    "table_schema",
    "why",
]

for _public in __all__:
    # Users see the names that they can import.
    if hasattr(globals()[_public], "__module__"):
        globals()[_public].__module__ = __name__
del _public
