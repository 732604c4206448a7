"""A detector, exported as ultralytics does it, and made to fit an NPU, which takes no dynamic shapes."""

from __future__ import annotations

from pathlib import Path

import openvino as ov
import torch

import ovlint


def main(folder: Path) -> Path:
    conv, silu = torch.nn.Conv2d, torch.nn.SiLU
    backbone = [conv(3, 8, 3, stride=2, padding=1), silu(), conv(8, 16, 3, stride=2, padding=1), silu()]
    # Four numbers for the box and one for each of 80 classes, in every cell.
    detector = torch.nn.Sequential(*backbone, conv(16, 84, 1), torch.nn.Flatten(2))
    model = ov.convert_model(detector.eval(), example_input=torch.zeros(1, 3, 64, 64))
    ovlint.assert_valid(model)
    for finding in ovlint.check(model, device="NPU").findings:
        print(finding)
    model.reshape([1, 3, 64, 64])
    model.set_rt_info("detect", ["model_info", "model_type"])
    ovlint.assert_valid(model, device="NPU", strict=True)
    path = folder / "detector_openvino_model/detector.xml"
    ov.save_model(model, path)
    ovlint.assert_valid(path, device="NPU", strict=True)
    return path


if __name__ == "__main__":
    main(Path.cwd())
