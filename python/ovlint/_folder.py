"""The report of a folder."""

from __future__ import annotations

import copyreg
import functools
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Optional, Union

from . import _native
from ._errors import Error, ModelError
from ._finding import Finding
from ._model import Path
from ._options import Format, Options, native_options, takes_options
from ._report import Counted, Report

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class _Shown:
    """The stand-in for a folder in a pickle: the findings, but not the models."""

    counts: tuple[int, int, int]
    rendered: dict[str, str]
    of_kinds: list[str]
    of_pipelines: str

    def kinds(self) -> list[str]:
        return self.of_kinds

    def pipelines(self) -> str:
        return self.of_pipelines

    def render(self, format: str) -> str:
        if format in self.rendered:
            return self.rendered[format]
        raise Error("a report that was pickled has no models to ask; check the folder again")

    def models(self) -> NoReturn:
        raise Error("a report that was pickled has no models; check the folder again")

    def to_html(self) -> NoReturn:
        raise Error("a report that was pickled has no models to draw; check the folder again")


def _shown(folder: _native.Folder) -> tuple[Any, ...]:
    rendered = {format: folder.render(format) for format in ("text", "concise", "json", "ndjson")}
    return _Shown, (folder.counts, rendered, folder.kinds(), folder.pipelines())


copyreg.pickle(_native.Folder, _shown)


class FolderReport(Counted):
    """The findings of all models of a folder, and what they demand of each other. It is true if there is no error.
    A report that was pickled has its findings and text, and no models.

    >>> import ovlint
    >>> report = ovlint.check_folder("ir-samples/pipelines/whisper", recipes=["genai"])
    >>> report.kind, report.ok
    ('Whisper', True)
    >>> [member["role"] for member in report.pipelines[0]["members"]]
    ['decoder', 'detokenizer', 'encoder', 'tokenizer']
    """

    def __init__(self, folder: Union[_native.Folder, _Shown], path: str) -> None:
        self._folder = folder
        self._counts = folder.counts
        self.path = path
        """The path as given."""

    @functools.cached_property
    def reports(self) -> tuple[Report, ...]:
        """The reports of the models, sorted by path."""
        return tuple(Report(analysis, os.fspath(path), None) for path, analysis in self._folder.models())

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about all models and JSON files; `Finding.file` says which one."""
        return tuple(Finding(line) for line in self.render("ndjson").splitlines())

    @functools.cached_property
    def pipelines(self) -> list[dict[str, Any]]:
        """The pipelines in the folder: the kind, members, links and missing files of each, as `ovlint info` shows them."""
        found: list[dict[str, Any]] = json.loads(self._folder.pipelines())["pipelines"]
        return found

    @property
    def kind(self) -> Optional[str]:
        """The kind of the pipeline, such as `"text generation"`; `None` if the folder holds none, or several."""
        kinds = self._folder.kinds()
        return kinds[0] if len(kinds) == 1 else None

    def raise_for_errors(self, *, strict: bool = False) -> None:
        """Raises `ModelError` if there is an error, or a warning if `strict`."""
        __tracebackhide__ = True
        if self.errors or (strict and self.warnings):
            raise ModelError(f"{self.path}: {self._summary()}\n{self.render('concise')}".rstrip(), self)

    def render(self, format: Format = "text") -> str:
        """The findings as `ovlint check --format` prints them.

        Raises `ArgumentError` if there is no such format.
        """
        return self._folder.render(format)

    def to_json(self) -> str:
        """The findings as one JSON object; `ovlint generate schema report` describes it."""
        return self.render("json")

    def to_html(self) -> str:
        """The page that `ovlint report` writes, for a browser: the findings beside the graphs."""
        return self._folder.to_html()

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<FolderReport of {self.path}: {self._summary()}>"


@takes_options
def check_folder(path: Path, **options: Unpack[Options]) -> FolderReport:
    """Checks all models of a folder, and what they demand of each other where they make a pipeline: a language model with its
    tokenizer, Whisper, a diffusion pipeline, a vision-language model.

    `recipes=["genai"]` checks what openvino.genai demands of the folder, `["optimum"]` what optimum-intel does. For the other
    keywords see `Options`.

    Raises `FileError` if the folder has no model or a file cannot be read, and `ArgumentError` if an option means nothing.

    >>> import ovlint
    >>> ovlint.check_folder("ir-samples/pipelines/llm").kind
    'text generation'
    """
    return FolderReport(_native.open_folder(path, native_options(options)), os.fspath(path))
