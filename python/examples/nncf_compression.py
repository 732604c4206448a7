"""The weights of a model, compressed by NNCF: the interface stays, and the new model is as valid as the old one."""

from __future__ import annotations

from pathlib import Path

import nncf
import numpy as np
import openvino as ov
from openvino import opset13 as ops

import ovlint


def perceptron(width: int, layers: int) -> ov.Model:
    random = np.random.default_rng(0)
    data = last = ops.parameter([-1, width], np.float32, name="data")
    for _ in range(layers):
        last = ops.relu(ops.matmul(last, random.standard_normal((width, width), np.float32), False, True))
    return ov.Model([ops.result(last)], [data], "perceptron")


def main(folder: Path) -> Path:
    model = perceptron(64, 4)
    compressed = nncf.compress_weights(model.clone(), mode=nncf.CompressWeightsMode.INT8_ASYM)
    ovlint.assert_valid(compressed, strict=True)
    # The metadata says how the weights were compressed; inputs and outputs are what they were.
    if ovlint.diff(model, compressed, level="interface").to_dict()["models"][0]["interface"]:
        raise SystemExit("the compression changed an input or an output")
    print(ovlint.diff(model, compressed, level="graph"))
    path = folder / "compressed.xml"
    ov.save_model(compressed, path)
    ovlint.assert_valid(path, strict=True)
    return path


if __name__ == "__main__":
    main(Path.cwd())
