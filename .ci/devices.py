"""Compares the operations that GPUs lack (src/ops/devices.rs) with those that the installed GPU plugin implements, and measures
the reported defects (src/ops/advisories.rs) that the CPU shows.

A plugin names what it implements, such as `__register_NonZero_v3`, and needs no GPU for that.
"""

import re
import sys
from pathlib import Path

import numpy
import openvino
from openvino import opset13

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


def computed(data, layer):
    """What the CPU makes of numbers."""
    parameter = opset13.parameter(data.shape, data.dtype)
    model = openvino.Model([layer(parameter).output(0)], [parameter])
    return openvino.Core().compile_model(model, "CPU")([data])[0].tolist()


# By operation: numbers, a layer, and what the specification gives.
MEASURED = {
    "TopK": (
        numpy.array([2**35, 2**36, 5, 7], "int64"),
        lambda data: opset13.topk(data, opset13.constant(2), 0, "max", "value"),
        [2**36, 2**35],
    ),
    "Divide": (
        numpy.array([0.0, 4.0], "float64"),
        lambda data: opset13.divide(opset13.constant(numpy.array([1.0, 1.0])), data),
        [numpy.inf, 0.25],
    ),
    "Clamp": (numpy.array([2**40 + 5, -1], "int64"), lambda data: opset13.clamp(data, -100, 100), [100, -1]),
}


def gone():
    """The defects called measured that the installed release does not show."""
    rows = re.findall(r"Advisory \{(.*?)\n    \}", Path("src/ops/advisories.rs").read_text().split("ADVISORIES")[1], re.S)
    measured = {re.search(r'operation: "(\w+)"', row)[1] for row in rows if "is_measured: true" in row}
    for operation in measured ^ set(MEASURED):
        yield f"{operation} is called measured, or is measured, but not both"
    for operation, (data, layer, wanted) in MEASURED.items():
        if computed(data, layer) == wanted:
            yield f"{operation} is right by now"


def main():
    folder = Path(openvino.__file__).parent / "libs"
    found = registered(folder / "libopenvino_intel_gpu_plugin.so")
    source = Path("src/ops/devices.rs").read_text().split("const NPU")[0]
    lists = re.findall(r"release\((\d+), (\d+)\),\s*&\[(.*?)\]", source, re.S)
    newest = max(lists, key=lambda row: (int(row[0]), int(row[1])))
    lacking = {(name, int(revision)) for name, revision in re.findall(r'\("(\w+)", (\d+)\)', newest[2])}
    rows = re.findall(r"^\| (\w+) \| (\d+)\b", Path("docs/operations.md").read_text(), re.M)
    without = {(name, int(number)) for name, number in rows if not implements(found, name, int(number))}
    for name, revision in sorted(lacking - without):
        print(f"{name}-{revision} is implemented by now")
    for name, revision in sorted(without - lacking - REPLACED - UNKNOWN):
        print(f"{name}-{revision} is not implemented: is it replaced, or lacking?")
    fixed = list(gone())
    print("\n".join(fixed + [f"{len(MEASURED)} reported defects measured again"]))
    print(f"{len(rows)} operations, {len(without)} without an implementation for GPU, {len(lacking)} of them lacking")
    return fixed or lacking - without or without - lacking - REPLACED - UNKNOWN


if __name__ == "__main__":
    sys.exit(bool(main()))
