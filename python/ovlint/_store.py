"""Models in a store: a filesystem of fsspec, or a store of obstore. Of the weights, only some bytes are read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, Protocol, Union

from . import _native
from ._errors import FileError

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

    from ._model import Path


class FileSystem(Protocol):
    """What is used of a filesystem of fsspec."""

    def size(self, path: str) -> int: ...
    def cat_ranges(
        self, paths: list[str], starts: list[int], ends: list[int], *, on_error: str
    ) -> list[bytes]: ...


class ObjectStore(Protocol):
    """What is used of a store of obstore."""

    def head(self, path: str) -> Mapping[str, Any]: ...
    def get_ranges(self, path: str, *, starts: Sequence[int], ends: Sequence[int]) -> Sequence[Buffer]: ...


Store: TypeAlias = "Union[FileSystem, ObjectStore]"
"""Where models are: a filesystem of fsspec, or a store of obstore."""

Ranges = Callable[[list[int], list[int]], list[bytes]]
"""Reads the ranges of a file from these bytes on to those before which they end."""


def analysis(store: Store, path: Path, options: _native.Options) -> _native.Analysis:
    """Checks a model of a store, with the weights beside it.

    Raises `FileError` if it cannot be read.
    """
    path = os.fspath(path)
    weights = os.path.splitext(path)[0] + ".bin"
    try:
        with ThreadPoolExecutor(1) as pool:
            # Each call is a round trip; this one need not wait for the XML.
            looked = pool.submit(_file_if_there, store, weights)
            size, read = _file(store, path)
            if size > options.max_fetched:
                limit = f"the limit of {options.max_fetched}; raise it with max_fetched"
                raise FileError(f"{path}: {size} bytes exceed {limit}")
            (xml,) = read([0], [size])
            found = looked.result()
    except FileError:
        raise
    except Exception as error:
        raise FileError(f"{path}: {type(error).__name__}: {error}") from error
    return _native.analyse(path, xml, _native.Weights.store(weights, found), options.fetched(len(xml)))


def _file_if_there(store: Any, path: str) -> Union[tuple[int, Ranges], None]:
    """The size of a file, and what reads it; nothing if there is none."""
    try:
        return _file(store, path)
    except FileNotFoundError:
        return None


def _file(store: Any, path: str) -> tuple[int, Ranges]:
    """The size of a file, and what reads it."""
    if hasattr(store, "cat_ranges"):
        return store.size(path), lambda starts, ends: _parts(
            store.cat_ranges([path] * len(starts), starts, ends, on_error="raise")
        )
    size = store.head(path)["size"]
    return size, lambda starts, ends: [bytes(part) for part in store.get_ranges(path, starts=starts, ends=ends)]


def _parts(found: list[Any]) -> list[bytes]:
    """The parts of a file, where some filesystems return an error in the place of a part instead of raising it."""
    for part in found:
        if isinstance(part, Exception):
            raise part
    return found
