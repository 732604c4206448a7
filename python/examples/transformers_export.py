"""A model of transformers, converted by OpenVINO and checked before it is saved."""

from __future__ import annotations

from pathlib import Path

import openvino as ov
import torch
from transformers import ViTConfig, ViTForImageClassification

import ovlint


def main(folder: Path) -> Path:
    config = ViTConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=32, patch_size=8
    )
    images = torch.zeros((1, 3, 32, 32))
    model = ov.convert_model(ViTForImageClassification(config).eval(), example_input={"pixel_values": images})
    ovlint.assert_valid(model)
    # What a caller with a batch of 4 gets.
    logits = list(ovlint.shapes(model, shape={"pixel_values": [4, 3, 32, 32]}))[-1]
    print(f"{logits.layer}: {logits}")
    path = folder / "model.xml"
    ov.save_model(model, path)
    ovlint.assert_valid(path)
    return path


if __name__ == "__main__":
    main(Path.cwd())
