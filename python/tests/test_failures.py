"""What happens if a call cannot do its work, or does it on several threads."""

from __future__ import annotations

import _thread
import inspect
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional

import pytest

import ovlint


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"select": ["declared_shape"]}, "there is no rule or group `declared_shape`; did you mean `declared-shape`?"),
        ({"ignore": ["E501"]}, "there is no rule or group `E501`; `ovlint explain` lists all"),
        ({"target": "2024.9"}, "OpenVINO 2024.9 is not known; releases are 2020.1 to "),
        ({"device": "TPU"}, "`TPU` is not a device; use CPU, GPU, NPU"),
        ({"profile": "strict"}, "`strict` is not a profile; use runtime, default, pedantic"),
        ({"severity": {"declared-shape": "fatal"}}, "`fatal` is not a severity; use error, warning, info, off"),
        ({"shape": "x[a]"}, "`x[a]` is not a list of shapes"),
        ({"shape": {"image": [1]}}, "the model has no input `image`"),
    ],
)
def test_arguments_that_mean_nothing(samples: Path, options: Any, message: str) -> None:
    with pytest.raises(ovlint.ArgumentError, match=re.escape(message)) as caught:
        ovlint.check(samples / "models/split.xml", **options)
    assert isinstance(caught.value, (ovlint.Error, ValueError))


def test_arguments_of_wrong_types(samples: Path) -> None:
    path = samples / "models/split.xml"
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (7, {}, "int is not a model: give a path, bytes, "),
        (path, {"name": "m.xml"}, "a model that has a path takes no other name"),
        ((path, path), {"weights": path}, "weights are given twice"),
        (path, {"weights": 7}, "int"),
    ]
    for model, options, message in wrong:
        with pytest.raises(TypeError, match=message):
            ovlint.check(model, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deviec": "CPU"}, "there is no keyword `deviec`; did you mean `device`?"),
        ({"shap": [1]}, "there is no keyword `shap`; did you mean `shape`?"),
        ({"ignores": []}, "there is no keyword `ignores`; did you mean `ignore`?"),
        ({"extend-select": []}, "there is no keyword `extend-select`; did you mean `extend_select`?"),
        ({"severities": {}}, "there is no keyword `severities`; did you mean `severity`?"),
        ({"simbolic": True}, "there is no keyword `simbolic`; did you mean `symbolic`?"),
        ({"recipe": []}, "there is no keyword `recipe`; did you mean `recipes`?"),
        ({"max_fetch": 1}, "there is no keyword `max_fetch`; did you mean `max_fetched`?"),
        ({"for_": ["genai"]}, "there is no keyword `for_`; use recipes"),
        ({"no_infer": True}, "there is no keyword `no_infer`; use infer=False"),
        ({"format": "json"}, "there is no keyword `format`; use Report.render"),
        ({"baseline": "b.json"}, "there is no keyword `baseline`; use a configuration, given by config"),
        ({"zzz": 1}, "there is no keyword `zzz`"),
        ({"ignore": "declared"}, "`ignore` is 'declared', wanted a list of rules and groups: ignore=['declared']"),
        ({"select": "a,b"}, "`select` is 'a,b', wanted a list of rules and groups: select=['a', 'b']"),
        ({"extend_select": [1]}, "`extend_select` is [1], wanted a list of rules and groups"),
        ({"recipes": "genai"}, "`recipes` is 'genai', wanted a list of \"genai\", \"optimum\", \"triton\" and \"ovms\": recipes=['genai']"),
        ({"severity": "declared=warning"}, "such as {\"declared\": \"warning\"}: severity={'declared': 'warning'}"),
        ({"severity": ["declared"]}, "`severity` is ['declared'], wanted severities of rules and groups"),
        ({"severity": {"declared": 1}}, "`severity` is {'declared': 1}, wanted severities of rules and groups"),
        ({"device": 3}, '`device` is 3, wanted "CPU", "GPU" or "NPU"'),
        ({"target": 2024.6}, '`target` is 2024.6, wanted a release, such as "2024.6"'),
        ({"profile": True}, '`profile` is True, wanted "runtime", "default" or "pedantic"'),
        ({"infer": "no"}, "`infer` is 'no', wanted True or False"),
        ({"symbolic": 1}, "`symbolic` is 1, wanted True or False"),
        ({"max_fetched": "10 MB"}, "`max_fetched` is '10 MB', wanted a number of bytes"),
        ({"max_fetched": -1}, "`max_fetched` is -1, wanted a number of bytes"),
        ({"shape": 7}, '`shape` is 7, wanted shapes, such as "images[1,3,640,640]"'),
        ({"shape": {"x": None}}, "`shape` is {'x': None}, wanted shapes"),
        ({"config": 1}, "`config` is 1, wanted the path of a configuration"),
    ],
)
def test_keywords_and_values_of_wrong_types(samples: Path, options: Any, message: str) -> None:
    path = samples / "models/split.xml"
    for call in (ovlint.check, ovlint.shapes, ovlint.fix, ovlint.reshape, ovlint.check_folder):
        with pytest.raises(TypeError) as caught:
            call(path, **options)
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("call", "keyword", "near"),
    [
        (ovlint.check, "weight", "weights"),
        (ovlint.check_folder, "weight", None),
        (ovlint.check, "nmae", "name"),
        (ovlint.assert_valid, "strickt", "strict"),
        (ovlint.check, "strickt", None),
        (ovlint.fix, "levle", "level"),
        (ovlint.check, "levle", None),
    ],
)
def test_a_keyword_is_compared_with_those_of_the_function(
    samples: Path, call: Callable[..., object], keyword: str, near: Optional[str]
) -> None:
    with pytest.raises(TypeError) as caught:
        call(samples / "models/split.xml", **{keyword: "x"})
    hint = f"; did you mean `{near}`?" if near else ""
    assert str(caught.value) == f"there is no keyword `{keyword}`{hint}"


def test_signatures_show_every_option() -> None:
    names = list(ovlint.Options.__annotations__)
    for call in (ovlint.check, ovlint.diff, ovlint.fix, ovlint.check_folder, ovlint.check_many, ovlint.assert_valid):
        parameters = inspect.signature(call).parameters
        assert [name for name in parameters if name in names] == names
        assert parameters["infer"].default is True and "options" not in parameters


def test_files_that_cannot_be_read(tmp_path: Path, broken: Path) -> None:
    with pytest.raises(ovlint.FileError, match="none.xml: ") as caught:
        ovlint.check(tmp_path / "none.xml")
    assert isinstance(caught.value, OSError)
    config = tmp_path / "ovlint.toml"
    config.write_text('profile = "strict"\n')
    with pytest.raises(ovlint.ArgumentError, match="ovlint.toml:1:"):
        ovlint.check(broken, config=config)
    assert [str(finding.rule) for finding in ovlint.check(b"<html/>").findings] == ["not-openvino-ir"]


def test_a_panic_is_an_exception_and_the_process_lives(broken: Path) -> None:
    # Only builds with debug assertions panic on demand, as those of the tests are.
    program = """if True:
        import ovlint, sys
        try:
            ovlint.check(sys.argv[1])
        except ovlint.InternalError as error:
            print(error)
        print(*(finding.rule for finding in ovlint.check(open(sys.argv[1], "rb").read(), "skip").findings))
        """
    environment = {**os.environ, "OVLINT_TEST_FAULT": "panic model.xml", "RUST_BACKTRACE": "0"}
    run = subprocess.run(
        [sys.executable, "-c", program, str(broken)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
        encoding="utf-8",
    )
    assert (run.returncode, run.stderr) == (0, "")
    said, findings = run.stdout.splitlines()
    assert said.startswith(f"ovlint {ovlint.__version__} failed on this file: a fault that a test asked for (src/")
    assert "this is a bug in ovlint" in said and findings == "input-port-mismatch"


@pytest.mark.skipif(os.name == "nt", reason="sends itself a signal")
@pytest.mark.parametrize("call", ["check(url)", "check_many([url] * 40)", "fix(url)", "diff(url, url)"])
def test_an_interrupt_does_not_wait_for_the_call(call: str) -> None:
    if "many" in call:
        pytest.importorskip("pyarrow")
    program = f"""if True:
        import os, signal, sys, threading, ovlint
        url = sys.argv[1]
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            ovlint.{call}
        except KeyboardInterrupt:
            print("interrupted")
        """
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/model.xml"
        # A server may be silent for longer than this.
        run = subprocess.run([sys.executable, "-c", program, url], capture_output=True, check=False, timeout=20, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "interrupted\n", "")


def test_handlers_of_signals_run_during_a_call() -> None:
    class Alarm(Exception):
        pass

    def handle(*_: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGINT, handle)
    try:
        with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Alarm):
            threading.Timer(0.2, _thread.interrupt_main).start()
            ovlint.check(f"http://127.0.0.1:{silent.getsockname()[1]}/model.xml")
    finally:
        signal.signal(signal.SIGINT, before)


def test_threads_get_the_same_results(samples: Path) -> None:
    paths = sorted(samples.rglob("*.xml"))
    alone = [ovlint.check(path).render("ndjson") for path in paths]
    together = threading.Barrier(8)

    def all_of_them(_: int) -> list[str]:
        together.wait()
        return [ovlint.check(path).render("ndjson") for path in paths]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == alone for found in pool.map(all_of_them, range(8)))


def test_other_threads_run_meanwhile(samples: Path) -> None:
    text = (samples / "bad/declared-shape/model.xml").read_bytes()
    # Much to read, so that it takes a while.
    large = text.replace(b"<layers>", b"<layers>" + b"<!-- -->" * 2_000_000)
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = turns
    ovlint.check(large)
    during = turns - before
    done.set()
    counter.join()
    assert during > 1000
