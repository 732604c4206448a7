"""Many models at once, as a table of Arrow."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Optional, Union

from ._errors import Error, FileError
from ._finding import Finding
from ._model import Path, shown
from ._options import Options, native_options, takes_options
from ._report import Report
from ._store import Store, analysis

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack

    from . import _native

    Model = tuple[str, Callable[[], _native.Analysis], bool]
    """What a row calls it, what checks it or raises an error, and whether its multiplications are counted."""

    Turn = Future[tuple[list[dict[str, Any]], list[Model]]]

SCHEMA_VERSION = "1"
"""Raised when a column is removed or redefined; new columns do not change it."""

COLUMNS = [
    ("path", "string", "The path as given, or of a model that it stands for; a URL without credentials."),
    ("kind", "string", "`model` or `finding`; the row of a model comes before those of its findings."),
    ("state", "string", "Of a model: `checked`, `unreadable`, or `failed` if ovlint could not check it."),
    ("error", "string", "Of a model that was not checked: why."),
    ("errors", "int64", "Of a model: how many errors there are, without those that follow from others."),
    ("warnings", "int64", "Of a model: how many warnings there are, without those that follow from others."),
    ("openvino_read", "string", "Of a model: what the newest release of OpenVINO does: `reads`, `rejects` or `undecided`."),
    ("openvino_from", "string", "Of a model: the oldest release of OpenVINO that reads it."),
    ("openvino_to", "string", "Of a model: the newest release of OpenVINO that reads it."),
    ("openvino_because", "string", "Of a model: why the newest release of OpenVINO does not read it: rules, with commas."),
    ("layers", "int64", "Of a model: the number of layers, those of bodies included."),
    ("inputs", "string", "Of a model: names, types and shapes of the inputs: `images u8[?,3,32,32], mask f32[?]`."),
    ("weights_bytes", "int64", "Of a model: the bytes of its weights file."),
    ("macs", "int64", "Of a model, with `cost=True`: multiply-accumulate operations of one run, if the shapes decide them."),
    ("rule", "string", "The rule that is broken."),
    ("group", "string", "The group of the rule."),
    ("severity", "string", "`error`, `warning` or `info`."),
    ("runtime", "string", "What OpenVINO does with the file because of it."),
    ("message", "string", "What is wrong, in one line."),
    ("line", "int64", "The line in the XML, from 1."),
    ("column", "int64", "The column in that line, from 1."),
    ("body", "string", "The layers and bodies around the layer, outermost first: `loop_1/body`."),
    ("layer", "string", "The name of the layer."),
    ("layer_type", "string", "The type of the layer."),
    ("port_direction", "string", "`input` or `output`."),
    ("port_index", "int64", "The position among the inputs or outputs, from 0."),
    ("dim", "int64", "The dimension."),
    ("declared", "string", "The type and shape that the file declares."),
    ("inferred", "string", "The type and shape that were inferred."),
    ("is_consequence", "bool", "Whether it follows from another finding."),
    ("fingerprint", "string", "What stays the same when the model is exported again."),
    ("record", "string", "All of the finding, as `ovlint check --format ndjson` prints it."),
]
"""Names, types and meanings of the columns. All but the first two are null where they do not apply."""

# Rows that are kept as objects of Python before they become a part of the table.
_BATCH = 1_000

# Models that a thread takes in one turn, as most of the time of a small model would go into handing it over, and the seconds
# after which it gives back the rest.
_MODELS, _SECONDS = 16, 0.02

# Threads for models in a store, where nearly all of the time is waiting.
_REMOTE = 64


def table_schema() -> pyarrow.Schema:
    """The schema of the table that `check_many` returns.

    Raises `ImportError` without pyarrow.
    """
    pyarrow = _pyarrow()
    types = {"string": pyarrow.string(), "int64": pyarrow.int64(), "bool": pyarrow.bool_()}
    fields = [
        pyarrow.field(name, types[kind], place > 1, {"description": meaning})
        for place, (name, kind, meaning) in enumerate(COLUMNS)
    ]
    return pyarrow.schema(fields, {"ovlint.schema_version": SCHEMA_VERSION})


@takes_options
def check_many(
    paths: Union[Path, Iterable[Path]],
    *,
    store: Optional[Store] = None,
    jobs: Optional[int] = None,
    cost: bool = False,
    **options: Unpack[Options],
) -> pyarrow.Table:
    """Checks many models on several threads, and returns one row for each model and one for each finding, in the order of
    the paths. See `table_schema` for the columns.

    `paths` are the paths of models or folders, or one path. A folder is searched as `ovlint check` does; one that holds no model
    and a part that cannot be searched are unreadable rows. A `.bin` stands for the `.xml` beside it.

    `store` is where the paths lead: a filesystem of fsspec or a store of obstore, whose folders are not searched. Of the weights
    there, only the constants that decide shapes are read. Without, paths are files, folders and URLs. `jobs` is the number of
    threads, by default one per core, and 64 with a store. `cost` fills the column `macs`, for which each model is inferred once
    more. For the other keywords see `Options`. A model that cannot be read or
    checked is a row as well.

    Raises `ArgumentError` if an option means nothing, and `ImportError` without pyarrow: `pip install ovlint[arrow]`.

    >>> import ovlint
    >>> table = ovlint.check_many(["ir-samples/models/split.xml", "ir-samples/bad/declared-shape/model.xml", "none.xml"])
    >>> table["state"].to_pylist()
    ['checked', 'checked', None, 'unreadable']
    >>> table["rule"].to_pylist(), table["line"].to_pylist()
    ([None, None, 'declared-shape', None], [None, None, 35, None])
    """
    pyarrow = _pyarrow()
    schema = table_schema()
    native = native_options(options)

    given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    models = ((*model, cost) for path in given for model in _models(path, store, native))
    batches, rows = [], []
    threads, at_once = (_cores(), _MODELS) if store is None else (_REMOTE, 1)
    threads = jobs or threads
    pool = ThreadPoolExecutor(threads)
    try:
        for found in _in_order(models, pool, 4 * threads, at_once):
            rows += found
            if len(rows) >= _BATCH:
                batches.append(pyarrow.RecordBatch.from_pylist(rows, schema))
                rows = []
    finally:
        # Whoever is interrupted waits for no model.
        native.stop()
        pool.shutdown(wait=False, cancel_futures=True)
    batches.append(pyarrow.RecordBatch.from_pylist(rows, schema))
    return pyarrow.Table.from_batches(batches, schema)


def _models(path: Path, store: Optional[Store], native: _native.Options) -> Iterator[tuple[str, Callable[[], _native.Analysis]]]:
    """The models that a path stands for, and the errors of those parts of a folder that cannot be searched."""
    path = os.fspath(shown(path))
    if store is not None:
        yield path, partial(analysis, store, path, native)
        return
    try:
        found, errors = native.search(path)
    except Error as error:
        found, errors = [], [error]
    if not found and not errors:
        errors = [FileError(f"{path}: no OpenVINO IR in this folder")]
    yield from ((model.path, partial(model.analysis, native)) for model in found)
    yield from ((path, partial(_fail, error)) for error in errors)


def _fail(error: Error) -> _native.Analysis:
    raise error


def _in_order(
    models: Iterator[Model], pool: ThreadPoolExecutor, turns: int, at_once: int
) -> Iterator[list[dict[str, Any]]]:
    """The rows of some models at a time. Only so many turns are ahead of the one whose rows are taken."""
    ahead: deque[Turn] = deque()
    while True:
        while len(ahead) < turns and (turn := list(islice(models, at_once))):
            ahead.append(_submitted(pool, turn))
        if not ahead:
            return
        rows, rest = ahead.popleft().result()
        # What takes long is shared out one by one.
        alone = [_submitted(pool, [model]) for model in rest]
        ahead.extendleft(reversed(alone))
        yield rows


def _submitted(pool: ThreadPoolExecutor, models: list[Model]) -> Turn:
    """The rows of a turn. A system that gives no more threads leaves the turn to this one, unless another takes it first."""
    done: Turn = Future()
    claim = Lock()

    def work() -> None:
        if claim.acquire(blocking=False):
            try:
                done.set_result(_turn(models))
            except BaseException as error:
                done.set_exception(error)

    try:
        pool.submit(work)
    except RuntimeError:
        work()
    return done


def _turn(models: list[Model]) -> tuple[list[dict[str, Any]], list[Model]]:
    """The rows of the first models, and the models that are left once time is up."""
    end = time.monotonic() + _SECONDS
    rows: list[dict[str, Any]] = []
    for place, model in enumerate(models):
        if place > 0 and time.monotonic() > end:
            return rows, models[place:]
        rows += _rows(*model)
    return rows, []


def _rows(path: str, analyse: Callable[[], _native.Analysis], cost: bool) -> list[dict[str, Any]]:
    model: dict[str, Any] = {"path": path, "kind": "model"}
    try:
        analysis = analyse()
        report = Report(analysis, path, None)
        findings = report.findings
    except Error as error:
        state = "unreadable" if isinstance(error, FileError) else "failed"
        return [{**model, "state": state, "error": str(error)}]
    counted = {**model, "state": "checked", "errors": report.errors, "warnings": report.warnings}
    counted.update(_openvino(report))
    counted["layers"], counted["inputs"], counted["weights_bytes"] = analysis.sizes()
    if cost:
        counted["macs"] = _macs(report)
    return [counted, *(_row(path, finding) for finding in findings)]


def _openvino(report: Report) -> dict[str, Any]:
    """The releases that read a model; nothing of a file that is no IR."""
    said = json.loads(report.to_json())["models"][0].get("openvino")
    if said is None:
        return {}
    reading = [span for span in said["releases"] if span["read"] == "reads"]
    return {
        "openvino_read": said["read"],
        "openvino_from": reading[0]["from"] if reading else None,
        "openvino_to": reading[-1]["to"] if reading else None,
        "openvino_because": ", ".join(said["because"]) or None,
    }


def _macs(report: Report) -> Optional[int]:
    try:
        macs = report.cost().macs
    except FileError:  # no IR, or nothing was inferred
        return None
    return macs if macs is not None and macs < 1 << 63 else None


def _row(path: str, finding: Finding) -> dict[str, Any]:
    layer, port = finding.layer, finding.port
    return {
        "path": path,
        "kind": "finding",
        "rule": finding.rule.name,
        "group": finding.rule.group,
        "severity": finding.severity,
        "runtime": finding.runtime,
        "message": finding.message,
        "line": finding.line,
        "column": finding.column,
        "body": "/".join(finding.body),
        "layer": layer and layer.name,
        "layer_type": layer and layer.type,
        "port_direction": port and port.direction,
        "port_index": port and port.index,
        "dim": port and port.dim,
        "declared": finding.declared,
        "inferred": finding.inferred,
        "is_consequence": finding.is_consequence,
        "fingerprint": finding.fingerprint,
        "record": finding.to_json(),
    }


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("check_many returns a table of pyarrow: pip install ovlint[arrow]") from error
    return pyarrow
