"""The native part of ovlint: the library in Rust. It may change in any release."""

import os
from collections.abc import Callable, Sequence
from typing import Optional, Union, final

from typing_extensions import Buffer

from ._errors import Error

_Path = Union[str, "os.PathLike[str]"]

__version__: str

@final
class Options:
    def __new__(
        cls,
        *,
        config: Optional[_Path] = None,
        shape: Optional[str] = None,
        target: Optional[str] = None,
        device: Optional[str] = None,
        profile: Optional[str] = None,
        select: Sequence[str] = (),
        extend_select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        severity: Sequence[tuple[str, str]] = (),
        recipes: Sequence[str] = (),
        infer: bool = True,
        symbolic: bool = False,
        max_fetched: Optional[int] = None,
    ) -> Options: ...
    @property
    def max_fetched(self) -> int: ...
    def fetched(self, size: int) -> Options: ...
    def search(self, path: _Path) -> tuple[list[Found], list[Error]]: ...
    def stop(self) -> None: ...

@final
class Weights:
    @staticmethod
    def auto() -> Weights: ...
    @staticmethod
    def skip() -> Weights: ...
    @staticmethod
    def file(path: _Path) -> Weights: ...
    @staticmethod
    def memory(pieces: Sequence[Buffer]) -> Weights: ...
    @staticmethod
    def store(
        path: str, found: Optional[tuple[int, Callable[[list[int], list[int]], list[bytes]]]]
    ) -> Weights: ...

@final
class Folder:
    counts: tuple[int, int, int]
    def kinds(self) -> list[str]: ...
    def models(self) -> list[tuple[_Path, Analysis]]: ...
    def pipelines(self) -> str: ...
    def render(self, format: str) -> str: ...
    def to_html(self) -> str: ...

def open_folder(path: _Path, options: Options) -> Folder: ...

@final
class Shapes:
    text: str
    json: str

@final
class Why:
    text: str
    json: str
    is_cut: bool

@final
class Inputs:
    text: str
    json: str
    is_complete: bool
    works: Optional[bool]

@final
class View:
    text: str
    json: str

@final
class Cost:
    text: str
    json: str
    macs: Optional[int]

@final
class Diff:
    text: str
    json: str
    is_empty: bool
    unread: Optional[tuple[int, str]]

@final
class Analysis:
    counts: list[int]
    def name(self) -> Optional[str]: ...
    def render(self, format: str) -> str: ...
    def html(self) -> str: ...
    def shapes(self) -> Shapes: ...
    def why(self, tensor: str, depth: int) -> Why: ...
    def inputs(self) -> Inputs: ...
    def sizes(self) -> tuple[Optional[int], Optional[str], Optional[int]]: ...
    def cost(self) -> Cost: ...
    def info(self) -> View: ...
    def inspect(self, layer: str, elements: int) -> View: ...
    def graph(self, format: str, around: Optional[str], hops: int, consts: bool, max_nodes: int) -> str: ...
    def diff(self, new: Analysis, level: str) -> Diff: ...

@final
class Found:
    path: str
    def analysis(self, options: Options) -> Analysis: ...

@final
class Fixed:
    @staticmethod
    def of(
        path: _Path, xml: Optional[bytes], weights: Weights, options: Options, level: str
    ) -> Fixed: ...
    def analysis(self) -> Analysis: ...
    def xml(self) -> bytes: ...
    def diff(self) -> str: ...
    def applied(self) -> list[str]: ...
    def refused(self) -> list[tuple[str, str]]: ...
    def is_complete(self) -> bool: ...
    def write(self) -> None: ...

@final
class Edited:
    @staticmethod
    def reshaped(
        path: _Path, xml: Optional[bytes], weights: Weights, options: Options, shapes: str, sizes: str
    ) -> Edited: ...
    @staticmethod
    def extracted(
        path: _Path,
        xml: Optional[bytes],
        weights: Weights,
        options: Options,
        around: list[str],
        hops: int,
        from_: list[str],
        to: list[str],
        add_output: list[str],
    ) -> Edited: ...
    def analysis(self) -> Analysis: ...
    def xml(self) -> bytes: ...
    def weights(self) -> Optional[bytes]: ...
    def diff(self) -> str: ...
    def changes(self) -> list[str]: ...
    def write(self, path: _Path) -> None: ...

@final
class Reduced:
    @staticmethod
    def of(
        path: _Path,
        xml: Optional[bytes],
        weights: Weights,
        options: Options,
        rule: Optional[str],
        layer: Optional[str],
        keep_weights: bool,
        anonymize: bool,
        max_candidates: int,
    ) -> Reduced: ...
    def analysis(self) -> Analysis: ...
    def xml(self) -> bytes: ...
    def weights(self) -> Optional[bytes]: ...
    def counts(self) -> tuple[int, int, int]: ...
    def states(self) -> tuple[bool, bool]: ...
    def finding(self) -> Optional[int]: ...
    def write(self, path: _Path) -> None: ...

@final
class RuleInfo:
    name: str
    group: str
    severity: str
    runtime: str
    fix: Optional[str]
    is_opt_in: bool
    summary: str
    explanation: str

def named(path: str) -> str: ...
def analyse(path: _Path, xml: Optional[bytes], weights: Weights, options: Options) -> Analysis: ...
def rules() -> list[RuleInfo]: ...
