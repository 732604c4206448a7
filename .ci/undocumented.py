"""Prints what ovlint gets wrong on generated models, leaving out what docs/differences.md explains; fails if anything is.

    undocumented.py REPORT.json FOLDER DIFFERENCES.md

A disagreement is explained where its layer, or one that feeds it, is of an operation of that table: what OpenVINO says of
that layer is not what this tool says, on purpose, and neither is what it says of all that follows.
"""

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

report_path, folder, differences = sys.argv[1:]
report = json.loads(Path(report_path).read_text())

unsound, stricter = set(), set()
for line in Path(differences).read_text().splitlines():
    cells = [cell.strip().strip("`") for cell in line.strip("|").split(" | ")]
    if len(cells) != 5 or cells[0] in ("operation", "(dimensions)"):
        continue
    operation, case, openvino, ovlint, _ = cells
    operation = (re.findall(r"chain = (\w+)-", case) or [operation])[0]
    if not openvino.startswith("error"):
        (stricter if ovlint.startswith("error") else unsound).add(operation.lower())


def feeding(file: str, layer: str) -> set[str]:
    """The types of the layers that `layer`, counted in the outermost graph, hangs on."""
    net = ElementTree.parse(Path(folder) / file).getroot()
    kinds = {one.get("id"): one.get("type", "").lower() for one in net.find("layers")}
    edges = [(edge.get("from-layer"), edge.get("to-layer")) for edge in net.find("edges")]
    found, todo = set(), {layer.split("/")[0]}
    while todo:
        found |= todo
        todo = {source for source, target in edges if target in todo} - found
    return {kinds.get(one, "") for one in found}


def types(file: str) -> set[str]:
    net = ElementTree.parse(Path(folder) / file).getroot()
    return {layer.get("type", "").lower() for layer in net.iter("layer")}


bad = [row for row in report["disagreements"] if row["verdict"] == "wrong"]
bad = [row for row in bad if not feeding(row["file"], row["layer"]) & unsound]
alarms = [file for file in report["false_positives"] if not types(file) & stricter]
for row in bad:
    print("wrong:", row)
for file in alarms:
    print("false alarm:", file)
for broken in report["tool_broken"]:
    print("broken:", broken)
missed = len(report["negatives_missed"])
print(f"{missed} of {report['negative_files']} invalid models were not found")
sys.exit(bool(bad or alarms or report["tool_broken"] or missed * 200 > report["negative_files"]))
