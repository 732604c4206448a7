"""A language model with a cache, exported by optimum-intel and checked in memory."""

from __future__ import annotations

from pathlib import Path

from optimum.intel import OVModelForCausalLM
from transformers import LlamaConfig, LlamaForCausalLM

import ovlint


def main(folder: Path) -> Path:
    config = LlamaConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
    )
    LlamaForCausalLM(config).save_pretrained(folder / "torch")
    exported = OVModelForCausalLM.from_pretrained(folder / "torch", export=True, load_in_8bit=False, compile=False)
    report = ovlint.check(exported.model)
    report.raise_for_errors()
    print(f"{len(report.shapes())} tensors, {report.warnings} warnings")
    exported.save_pretrained(folder / "openvino")
    path = folder / "openvino/openvino_model.xml"
    ovlint.assert_valid(path)
    return path


if __name__ == "__main__":
    main(Path.cwd())
