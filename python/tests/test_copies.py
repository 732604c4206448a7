"""Results that are copied, pickled, and come from other processes."""

from __future__ import annotations

import concurrent.futures
import copy
import multiprocessing
import pickle
from pathlib import Path
from typing import Any, Callable

import pytest

import ovlint


def answers(path: Path) -> list[Any]:
    report = ovlint.check(path)
    views = [report.info(), report.inspect("split")]
    return [report.shapes(), report.inputs(), report.cost(), report.why("split"), ovlint.diff(path, path), *views]


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
def test_answers_travel_whole(copied: Callable[[Any], Any], broken: Path) -> None:
    for answer in answers(broken):
        again = copied(answer)
        assert (type(again), str(again), again.to_json()) == (type(answer), str(answer), answer.to_json())
        assert {name: getattr(again, name) for name in vars(answer)} == vars(answer)
        assert repr(copied(again)) == repr(answer)


def test_what_a_report_shows_travels(broken: Path) -> None:
    for report in (ovlint.check(broken), ovlint.check(broken.read_bytes(), broken.with_suffix(".bin"))):
        again = pickled(pickled(report))
        assert (again.path, again.xml, again.name, again.ok) == (report.path, report.xml, report.name, False)
        assert again.findings == report.findings and again.findings[0].rule == report.findings[0].rule
        assert (str(again), repr(again), again.to_json()) == (str(report), repr(report), report.to_json())
        assert again._repr_html_() == report._repr_html_() and again.warnings == report.warnings
        with pytest.raises(ovlint.ModelError):
            again.raise_for_errors()


def test_what_needs_the_model_says_that_it_did_not_travel(broken: Path) -> None:
    again = pickled(ovlint.check(broken))
    questions: list[Callable[[], object]] = [
        again.shapes,
        again.inputs,
        again.cost,
        again.to_html,
        again.info,
        again.graph,
        again.to_sarif,
        lambda: again.why("split"),
    ]
    for question in questions:
        with pytest.raises(ovlint.Error, match="has no model to ask; ask in the process that checked it"):
            question()
    fixed = pickled(ovlint.fix(broken))
    assert [str(rule) for rule in fixed.applied] == ["declared-shape"] and fixed.diff and fixed.report.ok
    with pytest.raises(ovlint.Error, match="fixes that were pickled are not written"):
        fixed.write()


def test_copies_can_still_ask_the_model(broken: Path) -> None:
    report = ovlint.check(broken)
    for again in (copy.copy(report), copy.deepcopy(report)):
        assert again.to_html() == report.to_html() and str(again.shapes()) == str(report.shapes())
    before = broken.read_bytes()
    copy.deepcopy(ovlint.fix(broken)).write()
    assert broken.read_bytes() != before


@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
def test_exceptions_keep_text_and_report(copied: Callable[[Any], Any], broken: Path) -> None:
    with pytest.raises(ovlint.ModelError) as caught:
        ovlint.assert_valid(broken)
    error = copied(copied(caught.value))
    assert str(error) == str(caught.value) and error.report.findings == caught.value.report.findings
    for kind in (ovlint.Error, ovlint.ArgumentError, ovlint.FileError, ovlint.InternalError):
        again = copied(kind("why"))
        assert (type(again), str(again)) == (kind, "why")
    finding = caught.value.report.findings[0]
    for record in (finding, finding.rule, finding.layer, finding.port, *ovlint.shapes(broken)):
        assert copied(record) == record


def fails_in_a_worker(run: Callable[[Callable[[Path], None], Path], object], path: Path) -> None:
    """Checks a broken model in a worker."""
    with pytest.raises(ovlint.ModelError) as caught:
        run(ovlint.assert_valid, path)
    assert str(caught.value).splitlines()[1].startswith("35:11: error[declared-shape] ")
    assert [str(finding.rule) for finding in caught.value.report.findings] == ["declared-shape"]


def test_multiprocessing_hands_failures_over(broken: Path) -> None:
    spawned = multiprocessing.get_context("spawn")
    with spawned.Pool(1) as pool:
        fails_in_a_worker(lambda work, path: pool.apply(work, [path]), broken)
        assert pool.apply(ovlint.check, [broken]).errors == 1
    with concurrent.futures.ProcessPoolExecutor(1, spawned) as executor:
        fails_in_a_worker(lambda work, path: executor.submit(work, path).result(), broken)


def test_joblib_hands_failures_over(broken: Path) -> None:
    joblib = pytest.importorskip("joblib")
    workers = joblib.Parallel(n_jobs=2)
    fails_in_a_worker(lambda work, path: workers([joblib.delayed(work)(path)] * 2), broken)
    assert [report.errors for report in workers([joblib.delayed(ovlint.check)(broken)] * 2)] == [1, 1]


def test_dask_hands_failures_over(broken: Path) -> None:
    pytest.importorskip("cloudpickle")
    dask = pytest.importorskip("dask")
    pytest.importorskip("dask.multiprocessing")
    fails_in_a_worker(lambda work, path: dask.delayed(work)(path).compute(scheduler="processes", num_workers=1), broken)


def test_cloudpickle_hands_failures_over(broken: Path) -> None:
    # As Ray does, which raises a class made of its own error and that of the worker.
    cloudpickle = pytest.importorskip("cloudpickle")

    def through(work: Callable[[Path], None], path: Path) -> None:
        try:
            work(path)
        except Exception as error:
            raise pickle.loads(cloudpickle.dumps(error)) from None

    fails_in_a_worker(through, broken)
