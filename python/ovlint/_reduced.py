"""The smallest model that still shows a fault."""

from __future__ import annotations

import copyreg
import difflib
import os
from typing import TYPE_CHECKING, Any, NoReturn, Optional

from . import _native
from ._errors import ArgumentError, Error, FileError
from ._finding import Finding
from ._model import Model, Opened, Path, Source
from ._options import Options, native_options, takes_options
from ._report import Report
from ._rules import rules

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Reduced:
    """The smallest model found that still has a finding, in memory; `write` writes it to a new file. Its text is the summary
    that `ovlint reduce` prints. Once pickled, it is no longer written."""

    def __init__(self, reduced: _native.Reduced, path: str) -> None:
        self._reduced: Optional[_native.Reduced] = reduced
        self._path = path
        self.xml = reduced.xml()
        """The XML."""
        self.weights = reduced.weights()
        """The weights; `None` if they are those of the original model."""
        self.layers, self.layers_before, self.candidates = reduced.counts()
        """The number of layers, that of the original, and the number of candidates that were tried; without layers of bodies."""
        self.is_complete, self.is_anonymous = reduced.states()
        """Whether the search came to its end before `max_candidates`, and whether names were replaced."""
        self.report = Report(reduced.analysis(), path, self.xml)
        """The findings about the reduced model."""
        place = reduced.finding()
        self.finding: Optional[Finding] = None if place is None else self.report.findings[place]
        """The finding that was kept; `None` if the options hide it in the reduced model."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a reduced model is neither true nor false: ask `finding` what was kept")

    def write(self, path: Path) -> None:
        """Writes the model to a new file that ends in `.xml`, with its weights beside it. Existing files are kept.

        Raises `FileError`, and nothing is then written.
        """
        if self._reduced is None:
            raise Error(f"{self._path}: a reduced model that was pickled is not written; reduce it again, or write `xml`")
        self._reduced.write(os.fspath(path))

    def __str__(self) -> str:
        tried = f"{self.candidates:,} candidate{'' if self.candidates == 1 else 's'}"
        summary = f"{self.layers:,} of {self.layers_before:,} layers, after {tried}"
        return summary if self.finding is None else f"{summary}\n{self.finding}"

    def __repr__(self) -> str:
        return f"<Reduced {self._path}: {self.layers} of {self.layers_before} layers>"


def _nothing(_: _native.Reduced) -> tuple[Any, ...]:
    return type(None), ()


copyreg.pickle(_native.Reduced, _nothing)


@takes_options
def reduce(
    model: Model,
    output: Optional[Path] = None,
    rule: Optional[str] = None,
    layer: Optional[str] = None,
    *,
    weights: Optional[Source] = None,
    keep_weights: bool = False,
    anonymize: bool = False,
    max_candidates: int = 250,
    name: Optional[Path] = None,
    **options: Unpack[Options],
) -> Reduced:
    """Reduces a model to the smallest one that still has a finding: the worst one, or the first of a `rule` or at a `layer`.

    `output` is a new file that ends in `.xml`, to which the model is written as by `Reduced.write`; without, no file is written.
    `rule` is turned on; a rule of a recipe needs `recipes` as well. `layer` is a name, `loop/body/layer` for one in a body.
    `keep_weights` keeps all constants that are left, however large. `anonymize` replaces the names of layers, tensors and
    variables. `max_candidates` ends the search. For the other arguments see `check`.

    Raises `ArgumentError` if there is no such rule or finding, `FileError` if `output` exists, and what `check` raises.

    >>> import ovlint
    >>> print(ovlint.reduce("ir-samples/bad/split-lengths-sum/model.xml"))
    5 of 7 layers, after 1 candidate
    27:3: error[split-lengths-sum] split lengths add up to 7, but axis 0 of the input is 6
    """
    if output is not None and os.path.lexists(output):
        raise FileError(f"{os.fspath(output)} exists; name another file")
    if rule is not None:
        _known(rule)
        options["extend_select"] = [*options.get("extend_select", ()), rule]
    opened, native = Opened(model, weights, name), native_options(options)
    reduced = _native.Reduced.of(
        opened.path, opened.xml, opened.weights, native, rule, layer, keep_weights, anonymize, max_candidates
    )
    small = Reduced(reduced, os.fspath(opened.path))
    if output is not None:
        small.write(output)
    return small


def _known(name: str) -> None:
    names = [one.name for one in rules()]
    if name not in names:
        near = difflib.get_close_matches(str(name), names, 1)
        raise ArgumentError(f"there is no rule `{name}`" + (f"; did you mean `{near[0]}`?" if near else ""))
