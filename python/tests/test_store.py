"""Models in stores: filesystems of fsspec and stores of obstore."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable, Optional

import pytest

import ovlint

pytest.importorskip("pyarrow")

Parts = list[bytes]


class Files:
    """A folder as a store of obstore, which may spoil weights, and what was read of it."""

    def __init__(self, folder: Path, spoil: Optional[Callable[[Parts], Parts]] = None) -> None:
        self.folder = folder
        self.spoil = spoil
        self.read: list[tuple[str, int]] = []

    def head(self, path: str) -> dict[str, Any]:
        return {"size": (self.folder / path).stat().st_size}

    def get_ranges(self, path: str, *, starts: Sequence[int], ends: Sequence[int]) -> Parts:
        self.read.append((path, sum(ends) - sum(starts)))
        with (self.folder / path).open("rb") as file:
            parts = [file.read(end - start) for start, end in zip(starts, ends) if file.seek(start) == start]
        return self.spoil(parts) if self.spoil and path.endswith(".bin") else parts


def store_of(kind: str, folder: Path) -> Any:
    if kind == "fsspec":
        return pytest.importorskip("fsspec.implementations.local").LocalFileSystem()
    return pytest.importorskip("obstore.store").LocalStore(folder) if kind == "obstore" else Files(folder)


@pytest.mark.parametrize("kind", ["fsspec", "obstore", "files"])
def test_models_in_stores_are_those_in_files(kind: str, samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(samples)
    paths = [path.relative_to(samples).as_posix() for path in sorted(samples.rglob("model.xml"))]
    local = ovlint.check_many(paths)
    assert ovlint.check_many(paths, store=store_of(kind, samples)).equals(local)
    assert "weights-file-missing" in local["rule"].to_pylist()


def test_little_is_read_of_large_weights(broken: Path) -> None:
    with broken.with_suffix(".bin").open("r+b") as file:
        file.truncate(1 << 30)
    store = Files(broken.parent)
    table = ovlint.check_many(["model.xml"], store=store)
    assert "declared-shape" in table["rule"].to_pylist()
    read = [size for path, size in store.read if path == "model.bin"]
    assert len(read) <= 2 and sum(read) < 200_000


def test_what_is_fetched_of_a_model_has_a_limit(broken: Path) -> None:
    broken.write_text(broken.read_text().replace('offset="0"', 'offset="100000"'))
    weights = broken.with_suffix(".bin")
    weights.write_bytes(bytes(100_000) + weights.read_bytes())
    store, size = Files(broken.parent), broken.stat().st_size
    (model,) = ovlint.check_many(["model.xml"], store=store, max_fetched=size - 1).to_pylist()
    why = f"model.xml: {size} bytes exceed the limit of {size - 1}; raise it with max_fetched"
    assert (model["state"], model["error"], store.read) == ("unreadable", why, [])
    (model,) = ovlint.check_many(["model.xml"], store=store, max_fetched=size).to_pylist()
    assert model["state"] == "unreadable" and model["error"].endswith("more than the 0 that are left of --max-fetched")
    (model, *_) = ovlint.check_many(["model.xml"], store=store, max_fetched=size + 65_536 + 8).to_pylist()
    assert model["state"] == "checked"


def test_what_a_store_cannot_give_is_a_row(broken: Path) -> None:
    def dead(_: Parts) -> Parts:
        raise ConnectionError("the line is dead")

    short = "model.bin: the store gave other ranges than were asked for"
    for spoil, why in [(dead, "model.bin: ConnectionError: the line is dead"), (lambda parts: [parts[0][:-1]], short)]:
        model, none = ovlint.check_many(["model.xml", "none.xml"], store=Files(broken.parent, spoil)).to_pylist()
        assert (model["state"], model["error"], none["state"]) == ("unreadable", why, "unreadable")
        assert none["error"].startswith("none.xml: FileNotFoundError: ")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_is_no_error_of_a_file_goes_to_the_caller(kind: type[BaseException], broken: Path) -> None:
    def leave(_: Parts) -> Parts:
        raise kind("enough")

    with pytest.raises(kind, match="enough"):
        ovlint.check_many(["model.xml"] * 3, store=Files(broken.parent, leave))


def test_an_error_in_the_place_of_a_part_is_an_error(broken: Path) -> None:
    class Returning:
        """A filesystem that returns errors, as asynchronous ones of fsspec did, whatever `on_error` says."""

        def size(self, path: str) -> int:
            return (broken.parent / path).stat().st_size

        def cat_ranges(self, paths: list[str], starts: list[int], ends: list[int], *, on_error: str) -> list[Any]:
            return [PermissionError("not yours") for _ in paths]

    (model,) = ovlint.check_many(["model.xml"], store=Returning()).to_pylist()
    assert (model["state"], model["error"]) == ("unreadable", "model.xml: PermissionError: not yours")
