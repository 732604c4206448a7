"""Asks LLMPipeline of openvino.genai for the NPU, with its parts on the CPU, about a model as exported and with static shapes.

    pipeline_npu.py OVLINT SAMPLES WORK
"""

import shutil
import subprocess
import sys
from pathlib import Path

import openvino_genai

SHAPES = "input_ids[1,8],attention_mask[1,16],position_ids[1,8],beam_idx[1]"


def refusal(folder):
    """The end of the error that a pipeline ends with; empty if it gives an answer."""
    options = {"NPUW_DEVICES": "CPU", "NPUW_ONLINE_PIPELINE": "NONE", "MAX_PROMPT_LEN": 32, "MIN_RESPONSE_LEN": 8}
    try:
        openvino_genai.LLMPipeline(folder, "NPU", **options).generate("hello world", max_new_tokens=2)
    except RuntimeError as error:
        return str(error).strip().splitlines()[-1]
    return ""


tool, samples, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
exported, static = samples / "llm", work / "static"
assert refusal(exported) == "", "LLMPipeline refuses a dynamic model for the NPU"
shutil.copytree(exported, static)
model = "openvino_model.xml"
subprocess.run([tool, "reshape", exported / model, "--shape", SHAPES, "-o", static / model, "--force"], check=True)
told = refusal(static)
assert "is not equal to the model input type" in told, told
print("LLMPipeline for the NPU takes the dynamic model and refuses prompts for the static one")
