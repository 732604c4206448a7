"""Runs a folder by openvino.genai, in a process of its own: `pipeline_run.py KIND FOLDER` prints one line of JSON.

It has `verdict`, which is `ok`, `load` (refused while the pipeline is made) or `run` (at the first call), and `out`: the result.
"""

import json
import sys

import numpy as np
import openvino as ov
import openvino_genai as genai


def llm(pipeline):
    return pipeline.generate("abc de", max_new_tokens=8)


def embed(pipeline):
    return [round(value, 3) for value in pipeline.embed_query("abc de")[:4]]


def rerank(pipeline):
    return [(index, round(score, 3)) for index, score in pipeline.rerank("abc", ["abc", "xyz", "def"])]


def whisper(pipeline):
    sound = np.sin(440 * np.arange(16000) / 16000).astype(np.float32)
    return str(pipeline.generate(list(sound), max_new_tokens=8))


def t2i(pipeline):
    pixels = pipeline.generate("abc", width=32, height=32, num_inference_steps=2, rng_seed=1).data
    # The sum moves a little from run to run.
    return [list(pixels.shape), int(pixels.astype(np.int64).sum()) // 64]


def vlm(pipeline):
    pixels = (np.arange(32 * 32 * 3) % 255).astype(np.uint8).reshape(1, 32, 32, 3)
    return pipeline.generate("abc", images=[ov.Tensor(pixels)], max_new_tokens=8).texts[0]


PIPELINES = {
    "llm": (genai.LLMPipeline, llm),
    "embed": (genai.TextEmbeddingPipeline, embed),
    "rerank": (genai.TextRerankPipeline, rerank),
    "whisper": (genai.WhisperPipeline, whisper),
    "t2i": (genai.Text2ImagePipeline, t2i),
    "vlm": (genai.VLMPipeline, vlm),
}


def main(kind, folder):
    pipeline_of, call = PIPELINES[kind]
    stage = "load"
    try:
        pipeline = pipeline_of(folder, "CPU")
        stage = "run"
        out = call(pipeline)
        print(json.dumps({"verdict": "ok", "out": out if isinstance(out, (list, str)) else str(out)}))
    except Exception as error:
        print(json.dumps({"verdict": stage, "out": str(error).strip()[-300:]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
