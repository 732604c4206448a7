"""What can be asked of a model."""

from __future__ import annotations

import copyreg
import os
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Optional

from . import _native
from ._errors import ArgumentError, Error
from ._facts import Cost, Diff, Inputs, Shapes, Why
from ._folder import check_folder
from ._model import Model, Opened, Path, Source
from ._options import Options, native_options, takes_options
from ._report import Report
from ._rules import rule
from ._views import Graph, Info, Inspection

if TYPE_CHECKING:
    from typing_extensions import Unpack


@takes_options
def check(
    model: Model,
    weights: Optional[Source] = None,
    *,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Report:
    """Checks a model: infers every shape and type, and reports where the model disagrees with itself, with its weights,
    or with what OpenVINO accepts.

    `model` is the path or the bytes of an `.xml`, or a pair of `.xml` and `.bin`, each a path or bytes. `weights` are the
    path or the bytes of the `.bin`, or `"skip"` for none; without, they are the file beside a model that has a path.
    A path may be a URL such as `"https://host/model.xml"`: of the weights, only the constants that decide shapes are fetched.
    `name` is what reports call a model in memory. For the other keywords see `Options`.

    `model` may also be an `openvino.Model`. It is checked as if it had been saved, but its weights are not copied: that takes
    some 0.3 s for 1.6 GB. Lines refer to `Report.xml`. Nothing is written to a disk on Linux; elsewhere a temporary file holds the XML.
    The model must not be changed while it is checked, nor while the report is used.

    A file that is not an IR, or a broken one, has findings. Nothing is printed, and other threads run meanwhile.

    Raises `FileError` if a file cannot be read, and `ArgumentError` if an option means nothing or does not fit the model.

    >>> import ovlint
    >>> ovlint.check("ir-samples/models/split.xml").ok
    True
    >>> xml = open("ir-samples/bad/declared-shape/model.xml", "rb").read()
    >>> report = ovlint.check(xml, "ir-samples/bad/declared-shape/model.bin", severity={"declared": "warning"})
    >>> [(finding.line, str(finding.rule), finding.severity) for finding in report.findings]
    [(35, 'declared-shape', 'warning')]
    """
    opened = Opened(model, weights, name)
    return Report(opened.analysis(native_options(options)), os.fspath(opened.path), opened.xml)


@takes_options
def assert_valid(
    model: Model,
    weights: Optional[Source] = None,
    *,
    strict: bool = False,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> None:
    """Raises `ModelError`, an `AssertionError`, if the model has an error, or a warning if `strict`. For the arguments see
    `check`. `model` may be a folder, which is checked as `check_folder` does.

    >>> import ovlint
    >>> ovlint.assert_valid("ir-samples/models/split.xml", strict=True)
    """
    __tracebackhide__ = True
    if isinstance(model, (str, os.PathLike)) and weights is None and os.path.isdir(model):
        check_folder(model, **options).raise_for_errors(strict=strict)
    else:
        check(model, weights, name=name, **options).raise_for_errors(strict=strict)


@takes_options
def shapes(
    model: Model,
    weights: Optional[Source] = None,
    *,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Shapes:
    """The inferred shape and type of every tensor; with `shape=...`, those for other inputs. For the arguments and
    exceptions see `check`.

    >>> import ovlint
    >>> print(ovlint.shapes("ir-samples/models/detector.xml", shape=[2, 3, 64, 64])["images"])
    u8[2,3,64,64]
    """
    return check(model, weights, name=name, **options).shapes()


@takes_options
def inputs(
    model: Model,
    weights: Optional[Source] = None,
    *,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Inputs:
    """For which shapes of its inputs the model works, and which layers forbid others. With `shape=...`, dimensions that it
    leaves open are open, whatever the file declares; if it leaves none open, whether the model works for these shapes. For
    the other arguments and exceptions see `check`.

    >>> import ovlint
    >>> print(ovlint.inputs("ir-samples/models/split.xml", shape="data[?,?,10,24]").constraints[0])
    d1 % 3 == 0
    >>> pyramid = ovlint.inputs("ir-samples/models/feature_pyramid.xml", shape=[2, 3, 640, 650])
    >>> pyramid.works
    False
    >>> print(pyramid, end="")
    no: the model does not work for [2,3,640,650]
      width % 32 == 0, width is 650, 650 % 32 == 10  `neck.cat3` (Concat, line 296) and 5 more layers
    the nearest sizes of width that work are 640 and 672
    """
    return check(model, weights, name=name, **options).inputs()


@takes_options
def cost(
    model: Model,
    weights: Optional[Source] = None,
    *,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Cost:
    """What the model costs: weights, multiplications, and the memory of tensors and states; for open lengths as functions of
    them. For the arguments and exceptions see `check`.

    >>> import ovlint
    >>> ovlint.cost("ir-samples/models/detector.xml", shape=[1, 3, 32, 32]).macs
    296960
    """
    return check(model, weights, name=name, **options).cost()


@takes_options
def why(
    model: Model,
    tensor: str,
    weights: Optional[Source] = None,
    *,
    depth: int = 6,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Why:
    """Why a tensor has its type and shape: every dimension, followed back to inputs, attributes and bytes of constants,
    over up to `depth` layers that compute something.

    `tensor` is the name of a layer or a tensor, `layer:output`, or `loop/body/layer` for one in a body. For the other
    arguments see `check`.

    Raises `ArgumentError` if there is no such tensor, and what `check` raises.

    >>> import ovlint
    >>> print(ovlint.why("ir-samples/models/split.xml", "split_3"))  # doctest: +ELLIPSIS
    split_3:0  f32[6,4,10,24]  ...
    """
    return check(model, weights, name=name, **options).why(tensor, depth=depth)


@takes_options
def info(
    model: Model,
    weights: Optional[Source] = None,
    *,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Info:
    """The card of a model: its kind, inputs and outputs, operations and weights, the tools that made it, and the releases that
    read it. For the arguments and exceptions see `check`.

    >>> import ovlint
    >>> ovlint.info("ir-samples/models/detector.xml").types["Convolution"]
    6
    """
    return check(model, weights, name=name, **options).info()


@takes_options
def inspect(
    model: Model,
    layer: str,
    weights: Optional[Source] = None,
    *,
    print: int = 16,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Inspection:
    """All that is known of a layer: its attributes, inputs, outputs and values.

    `layer` is the name or the id of a layer, or the name of one of its tensors; `loop/body/layer` is one in a body. `print` is
    the number of elements to show of each value. For the other arguments see `check`.

    Raises `ArgumentError` if there is no such layer, and what `check` raises.

    >>> import ovlint
    >>> print(ovlint.inspect("ir-samples/models/split.xml", "axis"))  # doctest: +ELLIPSIS
    axis  Const opset1  ...
    """
    return check(model, weights, name=name, **options).inspect(layer, print=print)


@takes_options
def graph(
    model: Model,
    weights: Optional[Source] = None,
    *,
    format: Literal["dot", "mermaid", "svg"] = "dot",
    around: Optional[str] = None,
    hops: int = 2,
    consts: bool = False,
    max_nodes: int = 500,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Graph:
    """Draws a model, or the neighbourhood of the layer `around`, which spans `hops` edges.

    `format` is the language of the drawing; notebooks show an SVG as a picture. `consts` draws constants as well. `max_nodes` is
    the limit of layers. For the other arguments see `check`.

    Raises `ArgumentError` if there is no such layer or the drawing exceeds its limit, and what `check` raises.

    >>> import ovlint
    >>> print(ovlint.graph("ir-samples/models/split.xml", format="mermaid", around="split_3", hops=1))  # doctest: +ELLIPSIS
    flowchart TD
      n0(["data<br/>Parameter"])
    ...
    """
    report = check(model, weights, name=name, **options)
    return report.graph(format=format, around=around, hops=hops, consts=consts, max_nodes=max_nodes)


@takes_options
def diff(
    old: Model,
    new: Model,
    *,
    level: Literal["interface", "shapes", "graph", "weights", "bytes"] = "weights",
    **options: Unpack[Options],
) -> Diff:
    """What differs between two models. Layers are matched by name, then by what they hold and are connected to.

    `level` is what counts: `"interface"`, `"shapes"`, `"graph"`, `"weights"` or `"bytes"`; each takes in those before.

    Raises `FileError` if one of the files is not an IR, and what `check` raises.

    >>> import ovlint
    >>> ovlint.diff("ir-samples/models/split.xml", "ir-samples/models/split.xml").is_empty
    True
    """
    native = native_options(options)
    before, after = (Opened(model, None, None).analysis(native) for model in (old, new))
    return Diff(before.diff(after, level))


class Fixed:
    """A model with its fixes applied in memory; `write` replaces the file. Once pickled, it is no longer written."""

    def __init__(self, fixed: _native.Fixed, path: str, is_file: bool) -> None:
        self._fixed: Optional[_native.Fixed] = fixed
        self._path = path
        self._is_file = is_file
        self.xml = fixed.xml()
        """The XML with the fixes."""
        self.diff = fixed.diff()
        """The unified diff from the file; empty if nothing changed."""
        self.applied = tuple(map(rule, fixed.applied()))
        """The rule of every finding that was fixed."""
        self.refused = tuple((rule(name), because) for name, because in fixed.refused())
        """The rule of every finding whose fix does not hold, and why it does not."""
        self.is_complete = fixed.is_complete()
        """Whether every fix was tried; if not, fix the result once more."""
        self.report = Report(fixed.analysis(), path, self.xml)
        """What is left."""

    def __bool__(self) -> NoReturn:
        raise TypeError("fixes are neither true nor false: ask `applied` what was fixed, or `report.ok` what is left")

    def write(self) -> None:
        """Replaces the file as a whole, if it still is what was read; does nothing if nothing changed.

        Raises `FileError`, and the file is then as it was; `ArgumentError` if the model was in memory.
        """
        if not self._is_file:
            raise ArgumentError(f"{self._path}: a model in memory has no file to replace")
        if self._fixed is None:
            raise Error(f"{self._path}: fixes that were pickled are not written; fix the model again, or write `xml`")
        self._fixed.write()

    def __repr__(self) -> str:
        return f"<Fixed {self._path}: {len(self.applied)} fixed, {len(self.refused)} refused>"


def _nothing(_: _native.Fixed) -> tuple[Any, ...]:
    return type(None), ()


copyreg.pickle(_native.Fixed, _nothing)


@takes_options
def fix(
    model: Model,
    weights: Optional[Source] = None,
    *,
    level: Literal["safe", "all"] = "safe",
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Fixed:
    """Fixes a model in memory. Every fix is checked: its finding must be gone and no other may come.

    `level` is `"safe"`, which edits only what ports declare, or `"all"`, which may change what runs. For the other
    arguments see `check`. No file is written: see `Fixed.write`.

    Raises `FileError` if the file is not in UTF-8, and what `check` raises.

    >>> import ovlint
    >>> fixed = ovlint.fix("ir-samples/bad/declared-shape/model.xml")
    >>> [str(rule) for rule in fixed.applied], fixed.report.ok
    (['declared-shape'], True)
    """
    opened = Opened(model, weights, name)
    native = native_options(options)
    fixed = _native.Fixed.of(opened.path, opened.xml, opened.weights, native, level)
    return Fixed(fixed, os.fspath(opened.path), opened.xml is None)
