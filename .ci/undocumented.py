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

unsound, stricter, reckoned = set(), set(), set()
for line in Path(differences).read_text().splitlines():
    cells = [cell.strip().strip("`") for cell in line.strip("|").split(" | ")]
    if len(cells) != 5 or cells[0] in ("operation", "(dimensions)"):
        continue
    operation, case, openvino, ovlint, _ = cells
    operation = (re.findall(r"chain = (\w+)-", case) or [operation])[0]
    if "Broadcast-3(f32[] = 1, " in case:
        reckoned.add(operation.lower())
    if not openvino.startswith("error"):
        (stricter if ovlint.startswith("error") else unsound).add(operation.lower())


FAR = 1 << 60  # What OpenVINO makes of a dimension without bound when it divides it lies above: see (dimensions).
HALF_BYTES = {"i4", "u4", "nf4"}  # Of these, OpenVINO reads the bytes for numbers: see Squeeze.


def intervals(shape: str) -> list[tuple[int, float]] | None:
    """The bounds of the dimensions of `[2,?,3..5] f32`; nothing of an unknown rank."""
    text = shape[1:shape.index("]")]
    if text == "...":
        return None
    found = []
    for dim in filter(None, text.split(",")):
        low, dots, high = dim.replace("?", "..").partition("..")
        high = high if dots else low
        found.append((int(low or 0), int(high) if high and int(high) < FAR else float("inf")))
    return found


def holds(outer: str, inner: str) -> bool:
    """Whether every tensor of `inner` is one of `outer`."""
    if outer[outer.index("]"):] != inner[inner.index("]"):]:
        return False
    wide, narrow = intervals(outer), intervals(inner)
    if wide is None or narrow is None:
        return wide is None
    pairs = list(zip(wide, narrow))
    return len(wide) == len(narrow) and all(a[0] <= b[0] and b[1] <= a[1] for a, b in pairs)


def feeding(file: str, layer: str) -> set[str]:
    """The types of the layers that `layer`, counted in the outermost graph, hangs on; of constants the element type."""
    net = ElementTree.parse(Path(folder) / file).getroot()
    kinds = {}
    for one in net.find("layers"):
        data = one.find("data")
        is_const = one.get("type") == "Const" and data is not None
        kinds[one.get("id")] = data.get("element_type", "") if is_const else one.get("type", "").lower()
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
bad = [row for row in bad if not holds(row["expected"], row["got"]) and not holds(row["got"], row["expected"])]
bad = [row for row in bad if not feeding(row["file"], row["layer"]) & (unsound | HALF_BYTES)]
alarms = [file for file in report["false_positives"] if not types(file) & stricter]
for row in bad:
    print("wrong:", row)
for file in alarms:
    print("false alarm:", file)
for broken in report["tool_broken"]:
    print("broken:", broken)
# Where OpenVINO reckons with bounds that are not those of the numbers, it refuses what nothing is wrong with.
missed = sum(not types(file.split(": ")[0]) & reckoned for file in report["negatives_missed"])
print(f"{missed} of {report['negative_files']} invalid models were not found")
sys.exit(bool(bad or alarms or report["tool_broken"] or missed * 200 > report["negative_files"]))
