"""Models on servers, through the same code as the command's."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import ovlint


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def host(samples: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(samples))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_models_on_servers_are_checked(host: str, samples: Path) -> None:
    name = "bad/split-lengths-sum/model.xml"
    local = ovlint.check(samples / name)
    remote = ovlint.check(f"http://{host}/{name}")
    assert [str(finding) for finding in remote.findings] == [str(finding) for finding in local.findings] != []
    weights = f"http://{host}/bad/split-lengths-sum/model.bin"
    assert [str(finding.rule) for finding in ovlint.check(samples / name, weights).findings] == ["split-lengths-sum"]
    split = "models/split.xml"
    assert list(ovlint.shapes(f"http://{host}/{split}")) == list(ovlint.shapes(samples / split))


def test_credentials_are_not_shown(host: str) -> None:
    url = f"http://me:hunter2@{host}/bad/split-lengths-sum/model.xml?sig=s3cr3t"
    report = ovlint.check(url)
    texts = [report.path, repr(report), str(report), report.to_json(), report.to_sarif(), report._repr_html_()]
    with pytest.raises(ovlint.FileError) as error:
        ovlint.check(url.replace("model.xml", "none.xml"))
    texts.append(str(error.value))
    pytest.importorskip("pyarrow")
    table = ovlint.check_many([url, url.replace("model.xml", "none.xml")])
    assert table["state"].to_pylist()[::2] == ["checked", "unreadable"]
    for text in [*texts, str(table.to_pylist())]:
        assert host in text
        assert "hunter2" not in text and "s3cr3t" not in text


def test_models_on_servers_are_not_fixed_there(host: str) -> None:
    fixed = ovlint.fix(f"http://{host}/bad/declared-shape/model.xml")
    assert fixed.applied
    with pytest.raises(ovlint.Error, match="it is on a server; download it first"):
        fixed.write()
