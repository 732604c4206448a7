"""Checks of models that are given in all ways, against the command."""

from __future__ import annotations

import array
import html
import json
import mmap
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Optional

import pytest

import ovlint
from ovlint.__main__ import command
from ovlint._options import Format


def by_command(path: Path, *flags: str) -> list[dict[str, Any]]:
    args = [command(), "check", "--isolated", "--format", "ndjson", *flags, str(path)]
    out = subprocess.run(args, stdout=subprocess.PIPE, check=False).stdout
    return [json.loads(line) for line in out.splitlines()]


def records(report: ovlint.Report) -> list[dict[str, Any]]:
    return [finding.to_dict() for finding in report.findings]


def nameless(records: list[dict[str, Any]], weights: Path) -> list[dict[str, Any]]:
    """The records without the name of the weights file, which weights in memory have not."""
    for record in records:
        record["message"] = record["message"].replace(str(weights), "the weights file")
        for place in [record, *record["related"]]:
            place.get("weights", {}).pop("file", None)
    return records


def test_findings_are_those_of_the_command(samples: Path) -> None:
    paths = sorted(samples.rglob("*.xml"))
    assert len(paths) > 100
    found = 0
    for path in paths:
        wanted = by_command(path)
        assert records(ovlint.check(path)) == wanted, path
        found += len(wanted)
    assert found > 100


def test_models_come_as_paths_pairs_and_bytes(samples: Path) -> None:
    for folder in ("declared-shape", "split-lengths-sum", "weights-trailing-bytes"):
        xml = samples / "bad" / folder / "model.xml"
        bin = xml.with_suffix(".bin")
        wanted = by_command(xml)
        assert wanted
        for report in [
            ovlint.check(str(xml)),
            ovlint.check((xml, bin)),
            ovlint.check(xml, bin),
            ovlint.check(xml.read_bytes(), bin, name=xml),
        ]:
            assert records(report) == wanted
        for report in [
            ovlint.check((xml, bin.read_bytes())),
            ovlint.check(bytearray(xml.read_bytes()), memoryview(bin.read_bytes()), name=xml),
        ]:
            assert records(report) == nameless(by_command(xml), bin)


def test_reports_are_those_of_the_command(broken: Path) -> None:
    report = ovlint.check(broken)
    formats: list[Format] = ["concise", "json", "sarif", "junit", "md", "gitlab"]
    for format in formats:
        args = [command(), "check", "--isolated", "--format", format, str(broken)]
        out = subprocess.run(args, stdout=subprocess.PIPE, check=False, encoding="utf-8").stdout
        assert report.render(format) == out
    assert (report.to_json(), report.to_sarif()) == (report.render("json"), report.render("sarif"))
    assert str(report) == report.render("text")
    assert report.to_dict()["models"][0]["path"] == str(broken)
    with pytest.raises(ovlint.ArgumentError, match="`pdf` is not a format; use text, "):
        report.render("pdf")  # type: ignore[arg-type]


def test_options_decide_what_is_found(broken: Path, samples: Path) -> None:
    def found(**options: Any) -> list[tuple[str, str]]:
        return [(str(finding.rule), finding.severity) for finding in ovlint.check(broken, **options).findings]

    error, warning = [("declared-shape", "error")], [("declared-shape", "warning")]
    assert found() == found(select=["declared"]) == found(extend_select=["stray-bits"]) == error
    assert found(ignore=["declared-shape"]) == found(infer=False) == found(profile="runtime") == []
    assert found(select=["weights"]) == found(shape={"data": [7, 12]}) == []
    assert found(weights="skip") == [("input-port-mismatch", "error")], "without lengths, the two ports disagree"
    assert found(severity={"declared": "warning"}) == warning
    config = broken.parent / "ovlint.toml"
    config.write_text('[rules]\ndeclared-shape = "warning"\n')
    assert found() == error, "no configuration is looked for"
    assert found(config=config) == warning
    assert found(target="2020.1", profile="pedantic", device="npu")
    detector = samples / "models/detector.xml"
    for shape in ("images[2,3,64,64]", {"images": [2, 3, 64, 64]}, [2, 3, 64, 64]):
        assert str(ovlint.shapes(detector, shape=shape)["images"]) == "u8[2,3,64,64]"
    dynamic = ovlint.shapes(detector, shape={"images": [-1, 3, "32..64", None]})
    assert str(dynamic["images"]) == "u8[?,3,32..64,?]"


def test_findings_are_typed_and_hashable(broken: Path) -> None:
    (finding,) = ovlint.check(broken).findings
    (again,) = ovlint.check(broken).findings
    assert finding == again and len({finding, again}) == 1 and finding != "declared-shape"
    assert finding.layer == ovlint.Layer("2", "split", "Split", "opset1", 19)
    assert finding.port is not None and (finding.port.direction, finding.port.dim) == ("output", 1)
    assert finding.rule is ovlint.rule("declared-shape") and finding.rule in ovlint.rules()
    assert finding.body == () and finding.notes and finding.help is None and not finding.is_consequence
    assert finding.fingerprint in json.dumps(finding.to_dict())
    finding.to_dict().clear()
    assert finding.to_dict()["rule"] == "declared-shape"
    (whole,) = ovlint.check(b"<net", name="cut.xml").findings
    assert whole.layer is None and whole.port is None


class Elements(HTMLParser):
    """The elements of a cell, their attributes, and its text, as a browser reads them."""

    def __init__(self, cell: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[tuple[str, Optional[str]]] = set()
        self.text = ""
        self.feed(cell)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Optional[str]]]) -> None:
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_names_of_a_model_are_no_markup(samples: Path) -> None:
    bad = "</td><script>alert(1)</script><img src=x onerror='x'>&amp;\"]<!--"
    text = (samples / "bad/declared-shape/model.xml").read_bytes()
    xml = text.replace(b'"split"', f'"{html.escape(bad)}"'.encode())
    report = ovlint.check(xml, samples / "bad/declared-shape/model.bin", name=bad)
    plain = ovlint.check(text, samples / "bad/declared-shape/model.bin")
    shown, usual = Elements(report._repr_html_()), Elements(plain._repr_html_())
    assert shown.tags == usual.tags and shown.attributes == usual.attributes and "script" not in shown.tags
    assert f"{bad} (Split)" in shown.text and f"{bad}: 1 error" in shown.text
    for answer in (report.shapes(), report.info(), report.inspect(bad), report.why(bad), report.graph()):
        assert set(Elements(answer._repr_html_()).tags) <= {"pre", "details", "summary"}
    assert Elements(report.graph(format="svg")._repr_html_()).tags == ["img"]


def test_a_report_is_a_page_for_a_browser_and_a_short_table_for_a_notebook(samples: Path) -> None:
    report = ovlint.check(samples / "bad/split-lengths-sum/model.xml")
    page = report.to_html()
    assert page.startswith("<!DOCTYPE html>") and 'id="model-0"' in page
    shown = report._repr_html_()
    assert "split lengths add up to 7" in shown and "OpenVINO 2026.4 rejects this file" in shown
    assert len(shown) < 10_000 < len(page)
    clean = ovlint.check(samples / "models/split.xml")._repr_html_()
    assert "0 errors, 0 warnings" in clean and "<table>" not in clean


def test_a_notebook_folds_what_is_long_and_has_colours_for_dark_themes(samples: Path) -> None:
    inputs = "".join(f'<layer id="{i}" name="p{i}" type="Nonsense{i}" version="opset1"/>' for i in range(600))
    report = ovlint.check(f'<net name="many" version="11"><layers>{inputs}</layers><edges/></net>'.encode())
    assert len(report.findings) > 500
    shown = report._repr_html_()
    view, rest = shown.split("more findings</summary>")
    assert view.count("<tr>") == 11 and rest.count("<tr>") == 491 and "The table has the first 500" in rest
    assert "@media(prefers-color-scheme:dark)" in shown and "background" not in shown and "#fff" not in shown
    shapes = ovlint.shapes(samples / "models/detector.xml")
    first, more = shapes._repr_html_().split("<details>")
    assert first.count("\n") == 39 and more.startswith(f"<summary>{len(str(shapes).splitlines()) - 40} more lines</summary>")


def test_models_in_memory_keep_the_text_that_lines_refer_to(broken: Path) -> None:
    xml = broken.read_bytes()
    report = ovlint.check(xml, broken.with_suffix(".bin"))
    (finding,) = report.findings
    assert report.path == "model.xml" and report.name == "split" and finding.line is not None
    assert report.xml is not None and report.xml.splitlines()[finding.line - 1].strip() == b"<dim>5</dim>"
    assert ovlint.check(broken).xml is None


def test_assertions_name_what_is_wrong(broken: Path, samples: Path) -> None:
    with pytest.raises(AssertionError) as caught:
        ovlint.assert_valid(broken)
    assert isinstance(caught.value, ovlint.ModelError)
    first, second = str(caught.value).splitlines()
    assert first == f"{broken}: 1 error, 0 warnings"
    assert second.startswith("35:11: error[declared-shape] ")
    assert caught.value.report.errors == 1
    warned = {"severity": {"declared-shape": "warning"}}
    ovlint.assert_valid(broken, **warned)  # type: ignore[arg-type]
    with pytest.raises(ovlint.ModelError):
        ovlint.assert_valid(broken, strict=True, **warned)  # type: ignore[arg-type]
    ovlint.check(samples / "models/split.xml").raise_for_errors(strict=True)


def test_a_report_is_true_if_there_is_no_error(broken: Path, samples: Path) -> None:
    assert ovlint.check(samples / "models/split.xml") and not ovlint.check(broken)
    assert ovlint.check(broken, severity={"declared-shape": "warning"})


def test_other_results_are_true_only_where_that_says_something(broken: Path, samples: Path) -> None:
    old, new = samples / "models/split.xml", samples / "models/variadic_split.xml"
    assert ovlint.diff(old, new) and not ovlint.diff(old, old)
    assert ovlint.inputs(old, shape=[6, 12, 10, 24]) and not ovlint.inputs(old, shape=[6, 11, 10, 24])
    with pytest.raises(TypeError, match="depends on open dimensions or on missing weights: fix them with `shape`, or ask `works`"):
        bool(ovlint.inputs(old, shape="data[?,?,10,24]"))
    with pytest.raises(TypeError, match="neither true nor false: ask `applied` what was fixed, or `report.ok` what is left"):
        bool(ovlint.fix(broken))
    assert ovlint.shapes(old) and not ovlint.shapes(b"<a/>", "skip")


def test_any_buffer_holds_a_file(broken: Path) -> None:
    xml, weights = broken.read_bytes(), broken.with_suffix(".bin").read_bytes()
    wanted = ovlint.check(xml, weights).findings
    with broken.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for buffer in (mapped, bytearray(xml), memoryview(xml), array.array("B", xml)):
            assert ovlint.check(buffer, array.array("b", weights)).findings == wanted
    numpy = pytest.importorskip("numpy")
    flat = numpy.frombuffer(weights, "u1")
    for given in (flat, flat.reshape(-1, 1, 4), flat.view("i4"), numpy.repeat(flat, 2)[::2]):
        assert ovlint.check(xml, given).findings == wanted
        assert ovlint.check((numpy.frombuffer(xml, "u1"), given)).findings == wanted
    detector = ovlint.shapes(broken.with_suffix(".xml"), shape=numpy.array([7, 12]))
    assert str(detector["data"]) == "f32[7,12]"
    with pytest.raises(ovlint.ArgumentError, match="is not a list of shapes"):
        ovlint.shapes(broken, shape=numpy.array([[7, 12]]))


def test_a_buffer_may_change_and_grow_after_the_call(broken: Path) -> None:
    weights = bytearray(broken.with_suffix(".bin").read_bytes())
    report = ovlint.check(broken.read_bytes(), weights)
    text = str(report.shapes())
    weights[:] = bytes(len(weights))
    weights.extend(b"more")
    assert str(report.shapes()) == text and "f32[6,4]" in str(report.why("split"))


def test_recipes_check_what_loads_a_model(samples: Path) -> None:
    path = samples / "bad/genai-stateless/model.xml"
    assert ovlint.check(path).ok
    assert [str(finding.rule) for finding in ovlint.check(path, recipes=["genai"]).findings] == ["genai-stateless"]
    with pytest.raises(ovlint.ArgumentError, match="genai"):
        ovlint.check(path, recipes=["genay"])  # type: ignore[list-item]
