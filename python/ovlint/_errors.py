"""Why a call fails. Problems of a model are findings, not exceptions, unless a call is asked to raise them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from ._folder import FolderReport
    from ._report import Report


class Error(Exception):
    """The base of all exceptions of ovlint."""


class ArgumentError(Error, ValueError):
    """An argument means nothing: no such rule, tensor or release, shapes that do not fit, an error in a configuration."""


class FileError(Error, OSError):
    """A file cannot be read or written, changed meanwhile, or exceeds a limit."""


class InternalError(Error, RuntimeError):
    """A bug in ovlint. The process is not affected; the call can be repeated with other models."""


class ModelError(Error, AssertionError):
    """A model has findings that must not be there: `Report.raise_for_errors` and `assert_valid` raise it."""

    def __init__(self, message: str, report: Union[Report, FolderReport]) -> None:
        super().__init__(message)
        self.report = report
        """The findings."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Otherwise pickle and copy would call this class without the report.
        return type(self), (*self.args, self.report), self.__dict__
