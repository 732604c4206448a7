"""Compares the operations that GPUs lack (src/ops/devices.rs) with those that the installed GPU plugin implements.

A plugin names what it implements, such as `__register_NonZero_v3`, and needs no GPU for that.
"""

import re
import sys
from pathlib import Path

import openvino

# What OpenVINO replaces by other operations before the plugin sees it, or what a newer revision of the plugin takes as well.
REPLACED = {
    ("AvgPool", 14), ("BatchNormInference", 1), ("BatchNormInference", 5), ("BinaryConvolution", 1),
    ("Const", 1), ("ConvertPromoteTypes", 14), ("Convolution", 1), ("Einsum", 7), ("EmbeddingBagOffsets", 15),
    ("EmbeddingBagPacked", 15), ("GenerateProposals", 9), ("GroupConvolution", 1), ("GRUCell", 3), ("Interpolate", 1),
    ("LSTMCell", 1), ("MatrixNms", 8), ("MaxPool", 14), ("MulticlassNms", 8), ("MulticlassNms", 9), ("NMSRotated", 13),
    ("NonMaxSuppression", 1), ("NonMaxSuppression", 3), ("NonMaxSuppression", 4), ("NonMaxSuppression", 5), ("Range", 1),
    ("RNNCell", 1), ("RNNSequence", 5), ("ScatterNDUpdate", 15), ("SliceScatter", 15), ("Squeeze", 15),
    ("TopK", 3), ("Xor", 1),
}

# New in 2026.4; whether something replaces them is not known.
UNKNOWN = {("BGRtoNV12", 17), ("RGBtoNV12", 17)}


def registered(plugin):
    """The operations that a plugin implements, as pairs of a name in lower case and the number of its class."""
    names = re.findall(rb"__register_(\w+?)_v(\d+)E", plugin.read_bytes())
    return {(name.decode().lower(), int(number)) for name, number in names}


def implements(found, name, revision):
    """Classes of opset1 to opset3 are numbered 0, 1 and 3, and some of opset4 were numbered before they came."""
    numbers = {1: {0, 1}, 2: {0, 1}, 3: {0, 1, 3}, 4: {3, 4}}.get(revision, {revision})
    return any((name.lower(), number) in found for number in numbers)


def main():
    folder = Path(openvino.__file__).parent / "libs"
    found = registered(folder / "libopenvino_intel_gpu_plugin.so")
    source = Path("src/ops/devices.rs").read_text().split("const NPU")[0]
    lists = re.findall(r"release\((\d+), (\d+)\),\s*&\[(.*?)\]", source, re.S)
    newest = max(lists, key=lambda row: (int(row[0]), int(row[1])))
    lacking = {(name, int(revision)) for name, revision in re.findall(r'\("(\w+)", (\d+)\)', newest[2])}
    rows = re.findall(r'row\("(\w+)", (\d+), ', Path("src/ops/revisions.rs").read_text())
    without = {(name, int(number)) for name, number in rows if not implements(found, name, int(number))}
    for name, revision in sorted(lacking - without):
        print(f"{name}-{revision} is implemented by now")
    for name, revision in sorted(without - lacking - REPLACED - UNKNOWN):
        print(f"{name}-{revision} is not implemented: is it replaced, or lacking?")
    print(f"{len(rows)} operations, {len(without)} without an implementation for GPU, {len(lacking)} of them lacking")
    return lacking - without or without - lacking - REPLACED - UNKNOWN


if __name__ == "__main__":
    sys.exit(bool(main()))
