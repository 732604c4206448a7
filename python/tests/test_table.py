"""Many models as a table."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ovlint
from ovlint import _table
from ovlint.__main__ import command

SCHEMA = Path(__file__).parents[2] / "schemas/table.arrow.json"


def published() -> dict[str, Any]:
    fields = [
        {"name": name, "type": kind, "nullable": place > 1, "description": meaning}
        for place, (name, kind, meaning) in enumerate(_table.COLUMNS)
    ]
    return {
        "title": "ovlint.check_many",
        "description": "The columns of the Arrow table: one row for each model and one for each finding. Within a "
        "schema_version, columns may be added, but never removed or redefined.",
        "schema_version": _table.SCHEMA_VERSION,
        "fields": fields,
    }


def test_the_published_schema_is_that_of_the_table() -> None:
    assert json.loads(SCHEMA.read_text()) == published()


def test_tables_need_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install ovlint\[arrow\]"):
        ovlint.check_many([])


def test_every_model_and_finding_has_a_row(samples: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    paths = [*sorted(samples.rglob("*.xml")), tmp_path / "none.xml"]
    table = ovlint.check_many(paths)
    assert table.schema.equals(ovlint.table_schema(), check_metadata=True)
    table.validate(full=True)
    rows = table.to_pylist()
    models = [row for row in rows if row["kind"] == "model"]
    assert [row["path"] for row in models] == list(map(str, paths))
    last = models[-1]
    assert last["state"] == "unreadable" and last["error"].startswith(last["path"]) and last["errors"] is None
    for row in models:
        if row["state"] == "checked":
            report = ovlint.check(row["path"])
            own = [one["record"] for one in rows if one["path"] == row["path"] and one["kind"] == "finding"]
            assert own == [finding.to_json() for finding in report.findings]
            assert (row["errors"], row["warnings"]) == (report.errors, report.warnings)
    (shape,) = (row for row in rows if row["path"].endswith("bad/declared-shape/model.xml") and row["rule"])
    assert (shape["layer"], shape["port_direction"], shape["port_index"], shape["dim"]) == ("split", "output", 1, 1)
    names = ("openvino_read", "openvino_from", "openvino_to", "openvino_because")
    of = {Path(row["path"]).relative_to(samples).parts[:-1]: [row[name] for name in names] for row in models[:-1]}
    assert of["bad", "state-init"] == ["rejects", "2022.1", "2023.2", "state-init"]
    assert of["bad", "xml-malformed"] == [None] * 4
    assert all(row[name] is None for row in rows if row["kind"] == "finding" for name in names)
    detector = next(row for row in models if row["path"] == str(samples / "models/detector.xml"))
    assert (detector["layers"], detector["inputs"], detector["weights_bytes"]) == (70, "images u8[?,3,32,32]", 1540)
    for row in models:
        if row["openvino_read"] is not None:
            info = ovlint.info(row["path"])
            assert (row["layers"], row["weights_bytes"]) == (info.layers, info.weights_size)
            assert row["inputs"] == (", ".join(f"{end.name} {end}" for end in info.inputs) or None), row["path"]
    assert all(row["macs"] is None for row in rows)
    for jobs in (1, 3):
        assert ovlint.check_many(map(str, paths), jobs=jobs).equals(table)


def test_multiplications_are_counted_where_they_are_asked_for(samples: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    paths = [samples / "models/detector.xml", samples / "bad/xml-malformed/model.xml", tmp_path / "none.xml"]
    shape = {"images": [1, 3, 32, 32]}
    rows = ovlint.check_many(paths[:1], cost=True, shape=shape).to_pylist()
    assert rows[0]["macs"] == ovlint.cost(paths[0], shape=shape).macs == 296_960
    assert ovlint.check_many(paths, cost=True)["macs"].to_pylist().count(None) == ovlint.check_many(paths).num_rows


def test_long_tables_are_built_part_by_part(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    paths = [samples / "bad/declared-shape/model.xml"] * 200
    whole = ovlint.check_many(paths)
    monkeypatch.setattr(_table, "_BATCH", 7)
    parts = ovlint.check_many(paths)
    assert parts.equals(whole) and parts["path"].num_chunks > 5 and whole["path"].num_chunks == 1


def test_large_models_are_shared_out_one_by_one(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    paths = sorted((samples / "models").glob("*.xml")) * 5
    whole = ovlint.check_many(paths)
    given = []

    def noted(turn: list[Any]) -> Any:
        given.append(len(turn))
        return turned(turn)

    turned = _table._turn
    monkeypatch.setattr(_table, "_turn", noted)
    monkeypatch.setattr(_table, "_SECONDS", -1)
    assert ovlint.check_many(paths, jobs=2).equals(whole)
    assert given.count(1) > len(paths) / 2 and max(given) == _table._MODELS


def test_one_path_is_one_path(broken: Path) -> None:
    pytest.importorskip("pyarrow")
    for path in (broken, str(broken)):
        assert ovlint.check_many(path)["path"].to_pylist() == [str(broken)] * 2
    assert ovlint.check_many("m.xml")["path"].to_pylist() == ["m.xml"]


def command_on(folder: Path, *arguments: str) -> Any:
    run = [command(), "check", "--format", "json", *arguments, str(folder)]
    return json.loads(subprocess.run(run, stdout=subprocess.PIPE, check=False).stdout)["models"]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def test_a_folder_is_searched_as_the_command_does(samples: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for name in ("b", "a/deep"):
        shutil.copytree(samples / "models", tmp_path / name)
    models = tmp_path / "b"
    (models / "plugins.xml").write_text("<ie><plugins/></ie>")
    (models / "page.xml").write_text("<html/>")
    (models / "ignored.xml").write_text("<net/>")
    (models / ".hidden.xml").write_text("<net/>")
    (models / ".gitignore").write_text("ignored.xml\ntracked.xml\n")
    shutil.copy(models / "split.xml", models / "tracked.xml")
    outside = tmp_path.with_name(tmp_path.name + ".xml")
    shutil.copy(models / "split.xml", outside)
    for ending in ("xml", "bin"):
        (models / f"inside.{ending}").symlink_to(f"split.{ending}")
    (models / "outside.xml").symlink_to(outside)
    git(tmp_path, "init")
    git(tmp_path, "add", "-f", "b/tracked.xml")
    rows = ovlint.check_many(tmp_path).to_pylist()
    found = {row["path"]: row for row in rows if row["kind"] == "model"}
    by_command = command_on(tmp_path, "--isolated")
    assert [str(Path(path).relative_to(tmp_path)) for path in list(found)[:1]] == ["a/deep/attention.xml"]
    assert list(found) == [model["path"] for model in by_command] and len(found) > 20
    for name, state in [("tracked", "checked"), ("page", "checked"), ("outside", "unreadable")]:
        assert found[str(models / f"{name}.xml")]["state"] == state
    assert "it is a link out of the folder" in found[str(models / "outside.xml")]["error"]
    for row in rows:
        assert Path(row["path"]).stem not in ("plugins", "ignored", ".hidden", "inside")
    findings = [(row["path"], row["rule"], row["severity"]) for row in rows if row["kind"] == "finding"]
    assert findings == [
        (model["path"], finding["rule"], finding["severity"])
        for model in by_command
        for finding in model["findings"]
        if finding["rule"] != "unreadable-file"
    ]
    assert (str(models / "page.xml"), "not-openvino-ir", "warning") in findings


def test_a_configuration_excludes_files_of_folders(samples: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    shutil.copytree(samples / "models", tmp_path / "models")
    config = tmp_path / "ovlint.toml"
    config.write_text('exclude = ["models/s*.xml"]\n')
    fewer = [row["path"] for row in ovlint.check_many(tmp_path, config=config).to_pylist() if row["kind"] == "model"]
    assert fewer == [model["path"] for model in command_on(tmp_path)]
    assert str(tmp_path / "models/detector.xml") in fewer and str(tmp_path / "models/split.xml") not in fewer


def test_what_a_folder_lacks_is_a_row(samples: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    empty, odd = tmp_path / "empty", tmp_path / "odd"
    empty.mkdir()
    odd.mkdir()
    (odd / ".gitignore").symlink_to("/dev/zero")
    model = samples / "models/split.xml"
    rows = ovlint.check_many([empty, model.with_suffix(".bin"), odd, model.parent]).to_pylist()
    states = [(row["path"], row["state"]) for row in rows if row["kind"] == "model"][:4]
    assert states[:3] == [(str(empty), "unreadable"), (str(model), "checked"), (str(odd), "unreadable")]
    assert states[3] == (str(model.parent / "attention.xml"), "checked")
    assert rows[0]["error"] == f"{empty}: no OpenVINO IR in this folder"
    assert ".gitignore" in next(row["error"] for row in rows if row["path"] == str(odd))


def test_models_are_checked_where_no_thread_can_be_started(samples: Path) -> None:
    pytest.importorskip("pyarrow")
    refuse = """
import sys, threading, ovlint
started = []
def start(self):
    if len(started) == int(sys.argv[1]):
        raise RuntimeError("can't start new thread")
    started.append(self)
    real(self)
real, threading.Thread.start = threading.Thread.start, start
paths = [sys.argv[2]] * 100
assert ovlint.check_many(paths, jobs=4)["state"].to_pylist() == ["checked"] * 100
assert ovlint.check(sys.argv[2]).ok
"""
    # The native part asks for threads with larger stacks than there are.
    environment = {**os.environ, "RUST_MIN_STACK": str(1 << 47)}
    for threads in ("0", "1"):
        run = [sys.executable, "-c", refuse, threads, str(samples / "models/split.xml")]
        subprocess.run(run, check=True, env=environment)


def test_options_are_those_of_a_check(samples: Path) -> None:
    pytest.importorskip("pyarrow")
    path = samples / "bad/declared-shape/model.xml"
    assert ovlint.check_many([path], ignore=["declared"]).num_rows == 1
    assert ovlint.check_many([], profile="runtime").num_rows == 0
    with pytest.raises(ovlint.ArgumentError):
        ovlint.check_many([path], profile="strict")  # type: ignore[arg-type]
    refused = ovlint.check_many([path], shape={"image": [1]}).to_pylist()
    assert [row["state"] for row in refused] == ["failed"] and "no input `image`" in refused[0]["error"]
