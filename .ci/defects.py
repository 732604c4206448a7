"""Shows the faults in the defects.toml of a folder again, with the installed OpenVINO; fails if one no longer shows.

    defects.py FOLDER [MODEL...]

Each step runs in a process of its own, whose end by a signal is an answer, too.
"""

import os
import re
import signal
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SECONDS = 30
MEMORY = 6 << 30
SIGNALS = re.compile(r"SIG\w+(?: or SIG\w+)*")
TRANSFORMATIONS = {
    "stateless": "stateful_to_stateless_transformation",
    "paged": "paged_attention_transformation",
}
INPUT = re.compile(r"(\w+)\[([\d,]*)\](?: = (.*))?")


def measured(path, step):
    """What comes of a step: the answer of the process, or the signal that ended it."""
    # Fresh memory is filled, so that it does not happen to hold ones or zeros.
    environment = {**os.environ, "MALLOC_PERTURB_": "85"}
    command = [sys.executable, __file__, "--step", path, step]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        return f"nothing in {SECONDS} seconds"
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name
    return done.stdout.strip() or done.stderr.strip()


def shows(wanted, answer):
    if SIGNALS.fullmatch(wanted):
        return answer in wanted.split(" or ")
    if wanted.startswith("error: "):
        return answer.startswith("error: ") and wanted.removeprefix("error: ") in answer
    return answer == wanted


def main(folder, only):
    folder = Path(folder)
    table = tomllib.loads((folder / "defects.toml").read_text())
    defects = [defect for defect in table["defect"] if not only or defect["model"] in only]
    steps = [(defect, step, wanted) for defect in defects for step, wanted in defect["steps"]]
    if len(os.sched_getaffinity(0)) == 1:
        print("there is one core: runs that need two threads to fail are left out")
        steps = [row for row in steps if not (row[1].startswith("run:") and row[2].startswith("error: "))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda row: measured(folder / f"{row[0]['model']}.xml", row[1]), steps))
    changed = 0
    for (defect, step, wanted), answer in zip(steps, answers):
        if not shows(wanted, answer):
            changed += 1
            print(f"{defect['model']}: {step}\n  noted {wanted}\n  now   {answer}")
    print(f"{len(defects)} defects of OpenVINO {table['openvino']}, {len(steps)} steps: {changed} have changed")
    if changed and "avx512f" not in Path("/proc/cpuinfo").read_text():
        print("they were measured with AVX-512, which this processor lacks: it may run other code")
        return 0
    return changed


def take(path, step):
    """Takes a step in this process."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.modules["openvino_telemetry"] = None
    try:
        print(answer(path, step), flush=True)
    except RuntimeError as error:
        print("error:", str(error), flush=True)


def answer(path, step):
    import numpy
    import openvino
    import openvino._offline_transformations

    action, _, inputs = step.partition(": ")
    core = openvino.Core()
    model = core.read_model(path)
    if action == "read":
        return shapes(model.outputs)
    if action == "inputs":
        return shapes(model.inputs)
    if action == "layers":
        return "; ".join(layer.get_friendly_name() for layer in model.get_ordered_ops())
    if action in TRANSFORMATIONS:
        getattr(openvino._offline_transformations, TRANSFORMATIONS[action])(model)
        return "; ".join(", ".join(sorted(port.get_names())) for port in [*model.inputs, *model.outputs])
    if action == "names":
        layers = (layer for layer in model.get_ordered_ops() if layer.get_type_name() != "Result")
        return "; ".join(", ".join(sorted(output.get_names())) for layer in layers for output in layer.outputs())
    given = [INPUT.fullmatch(text).groups() for text in inputs.split("; ") if text]
    lengths = [[int(length) for length in dims.split(",") if length] for _, dims, _ in given]
    if action == "reshape":
        model.reshape(dict(enumerate(lengths)))
        return shapes(model.outputs)
    compiled = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1 if action == "run on 1 thread" else 2})
    if action == "compile":
        return "compiled"
    types = {"f32": numpy.float32, "i64": numpy.int64}
    tensors = [
        numpy.array(values.split(), types[kind]) if values else numpy.ones(dims, types[kind])
        for (kind, _, values), dims in zip(given, lengths)
    ]
    request = compiled.create_infer_request()
    request.infer(tensors)
    results = [request.get_tensor(output).data for output in compiled.outputs]
    others = tensors and all((tensor == 1).all() for tensor in tensors) and not all((result == 1).all() for result in results)
    kinds = [output.get_element_type().to_string() for output in compiled.outputs]
    found = [f"{kind}[{','.join(map(str, result.shape))}]" for kind, result in zip(kinds, results)]
    return joined(found) + (" with other values" if others else "")


def shapes(outputs):
    return joined(output.get_element_type().to_string() + shape(output.get_partial_shape()) for output in outputs)


def joined(texts):
    texts = list(texts)
    return f"{texts[0]} x{len(texts)}" if len(texts) > 4 and len(set(texts)) == 1 else "; ".join(texts)


def shape(partial):
    return "[...]" if partial.rank.is_dynamic else f"[{','.join(map(dim, partial))}]"


def dim(interval):
    low, high = interval.get_min_length(), interval.get_max_length()
    if low == high:
        return str(low)
    if high == -1:
        return f"{low}.." if low else "?"
    return f"{low}..{high}" if low else f"..{high}"


if __name__ == "__main__":
    if sys.argv[1] == "--step":
        take(*sys.argv[2:])
    else:
        sys.exit(bool(main(sys.argv[1], sys.argv[2:])))
