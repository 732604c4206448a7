"""The smallest models that still have a finding, against the command."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Callable

import pytest

import ovlint


def test_reduced_models_are_those_of_the_command(samples: Path, tmp_path: Path, by_command: Callable[..., str]) -> None:
    for name in ("declared-shape", "split-lengths-sum", "weights-trailing-bytes", "state-init"):
        path = samples / "bad" / name / "model.xml"
        said = by_command("reduce", path, "-o", tmp_path / f"{name}.xml")
        reduced = ovlint.reduce(path, tmp_path / f"{name}.python.xml")
        for end in ("xml", "bin"):
            by_python, other = tmp_path / f"{name}.python.{end}", tmp_path / f"{name}.{end}"
            assert by_python.exists() == other.exists() and (not other.exists() or by_python.read_bytes() == other.read_bytes())
        assert reduced.finding is not None and reduced.finding in reduced.report.findings
        assert f"[{reduced.finding.rule}]" in said and f": {reduced.layers} of {reduced.layers_before} layers" in said
        assert str(reduced).splitlines()[1] == str(reduced.finding) and reduced.is_complete


def test_a_rule_or_a_layer_chooses_the_finding(broken: Path) -> None:
    reduced = ovlint.reduce(broken, rule="declared-shape", layer="split", anonymize=True)
    assert reduced.is_anonymous and reduced.finding is not None and reduced.finding.line is not None
    assert b'name="split"' not in reduced.xml and reduced.weights is not None
    # It is turned on where the other arguments do not ask for it.
    assert ovlint.reduce(broken, rule="declared-shape", select=["shapes"]).finding is not None
    with pytest.raises(ovlint.ArgumentError, match="there is no rule `declared-shap`; did you mean `declared-shape`?"):
        ovlint.reduce(broken, rule="declared-shap")
    with pytest.raises(ovlint.ArgumentError, match="there is no finding of `declared-shape` at `nosuch`, only at `split`"):
        ovlint.reduce(broken, rule="declared-shape", layer="nosuch")
    with pytest.raises(ovlint.ArgumentError, match="there is no finding to keep"):
        ovlint.reduce(ovlint.fix(broken).xml, weights=broken.with_suffix(".bin"))
    with pytest.raises(TypeError, match="there is no keyword `anonymise`; did you mean `anonymize`?"):
        ovlint.reduce(broken, anonymise=True)  # type: ignore[call-arg]


def test_existing_files_are_kept(broken: Path, tmp_path: Path) -> None:
    before = broken.read_bytes()
    with pytest.raises(ovlint.FileError, match="model.xml exists; name another file"):
        ovlint.reduce(broken, broken)
    reduced = ovlint.reduce(broken)
    with pytest.raises(ovlint.FileError):
        reduced.write(broken)
    assert broken.read_bytes() == before
    with pytest.raises(ovlint.Error, match="pickled"):
        pickle.loads(pickle.dumps(reduced)).write(tmp_path / "new.xml")
    with pytest.raises(TypeError):
        bool(reduced)
