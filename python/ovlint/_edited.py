"""Models with other input shapes, and parts of models."""

from __future__ import annotations

import copyreg
import os
from typing import TYPE_CHECKING, Any, Mapping, NoReturn, Optional, Sequence, Union

from . import _native
from ._errors import Error
from ._model import Model, Opened, Path, Source
from ._options import Options, native_options, shape_text, takes_options
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Edited:
    """An edited model in memory; `write` writes it to a new file. Once pickled, it is no longer written."""

    def __init__(self, edited: _native.Edited, path: str) -> None:
        self._edited: Optional[_native.Edited] = edited
        self._path = path
        self.xml = edited.xml()
        """The edited XML."""
        self.weights = edited.weights()
        """The weights; `None` if they are those of the original model."""
        self.diff = edited.diff()
        """The unified diff from the original; empty if nothing changed."""
        self.changes = tuple(edited.changes())
        """A line for every change."""
        self.report = Report(edited.analysis(), path, self.xml)
        """The findings about the edited model."""

    def __bool__(self) -> NoReturn:
        raise TypeError("edits are neither true nor false: ask `changes` what was changed")

    def write(self, path: Path) -> None:
        """Writes the model to a new file that ends in `.xml`, with its weights beside it. Existing files are kept.

        Raises `FileError`, and nothing is then written.
        """
        if self._edited is None:
            raise Error(f"{self._path}: edits that were pickled are not written; edit the model again, or write `xml`")
        self._edited.write(os.fspath(path))

    def __repr__(self) -> str:
        return f"<Edited {self._path}: {len(self.changes)} changes>"


def _nothing(_: _native.Edited) -> tuple[Any, ...]:
    return type(None), ()


copyreg.pickle(_native.Edited, _nothing)


@takes_options
def reshape(
    model: Model,
    weights: Optional[Source] = None,
    *,
    set: Union[str, Mapping[str, Union[int, str]]] = "",
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Edited:
    """Gives the inputs of a model other shapes, in its text: only their shapes and what ports declare change.

    `shape` is as for `check`. `set` has sizes by the names that `inputs` shows: `"batch=1,seq=128"` or `{"batch": 1}`. For the
    other arguments see `check`. No file is written: see `Edited.write`.

    Raises `Error` if OpenVINO rejects the shapes, with the layers that do and the nearest sizes that work; `ArgumentError` for
    a name that the model does not have; and what `check` raises.

    >>> import ovlint
    >>> edited = ovlint.reshape("ir-samples/models/feature_pyramid.xml", shape="images[1,3,64,64]")
    >>> edited.changes[0]
    'images: shape [?,3,?,?] is [1,3,64,64] now'
    """
    shape = options.pop("shape", None)
    opened, native = Opened(model, weights, name), native_options(options)
    sizes = set if isinstance(set, str) else ",".join(f"{key}={size}" for key, size in set.items())
    edited = _native.Edited.reshaped(opened.path, opened.xml, opened.weights, native, shape_text(shape), sizes)
    return Edited(edited, os.fspath(opened.path))


@takes_options
def extract(
    model: Model,
    weights: Optional[Source] = None,
    *,
    around: Sequence[str] = (),
    hops: int = 2,
    from_: Sequence[str] = (),
    to: Sequence[str] = (),
    add_output: Sequence[str] = (),
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Edited:
    """Extracts a part of a model: the neighbours of the layers `around`, or what lies between the tensors `from_` and `to`. Or
    keeps the model, and makes the tensors of `add_output` outputs as well.

    Names are those of layers and tensors, `layer:output`, or globs. For the other arguments see `check`. No file is written:
    see `Edited.write`.

    Raises `ArgumentError` for a name that the model does not have, and what `check` raises.

    >>> import ovlint
    >>> part = ovlint.extract("ir-samples/models/feature_pyramid.xml", around=["neck.cat3"], hops=1)
    >>> part.report.ok, part.weights is not None
    (True, True)
    """
    opened, native = Opened(model, weights, name), native_options(options)
    names = [[one] if isinstance(one, str) else list(one) for one in (around, from_, to, add_output)]
    around_, starts, ends, more = names
    if not any(names):
        raise Error("say which part: around, from_, to or add_output")
    edited = _native.Edited.extracted(
        opened.path, opened.xml, opened.weights, native, around_, hops, starts, ends, more
    )
    return Edited(edited, os.fspath(opened.path))
