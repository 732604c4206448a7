"""Holds `ovlint reshape` and `ovlint extract` against OpenVINO.

    edit.py MODELS OVLINT [SEED] [NUMBER]

Draws models of a folder and shapes of their inputs, inside and outside of what they accept. Every `<dim>` of the written text,
bodies included, must be that of the port of the same layer after `read_model` and `reshape`; the outputs on the CPU must be the
same bits; and where OpenVINO refuses, so must ovlint, and the other way round. Cuts must be read and compiled, and give the
values that the whole model gives.
"""

import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

LARGEST = 60 << 20  # bytes of weights of models that are tried
RUN = 3 << 30  # a guess at the bytes of tensors above which a model is not run
NUMPY = {"f32": "float32", "f16": "float16", "f64": "float64", "i64": "int64", "i32": "int32", "u8": "uint8", "i8": "int8",
         "boolean": "bool", "i16": "int16", "u16": "uint16", "u32": "uint32", "u64": "uint64"}


def refill(source, target, seed):
    """Copies a model; constants of floats whose bytes are all 0 get numbers."""
    import numpy as np
    rng = np.random.default_rng(seed)
    target.write_bytes(source.read_bytes())
    weights = source.with_suffix(".bin")
    if not weights.exists():
        return
    data = bytearray(weights.read_bytes())
    for layer in ET.parse(source).getroot().iter("layer"):
        node = layer.find("data")
        if layer.get("type") != "Const" or node is None or node.get("element_type") not in ("f32", "f16"):
            continue
        start, size = int(node.get("offset")), int(node.get("size"))
        if size > 4096 and not any(data[start:start + size]):
            dtype = NUMPY[node.get("element_type")]
            numbers = rng.standard_normal(size // np.dtype(dtype).itemsize, dtype="float32") * 0.05
            data[start:start + size] = numbers.astype(dtype).tobytes()
    target.with_suffix(".bin").write_bytes(data)


def ports(path):
    """The dimensions of all ports by the path of the layer; layers whose path is not unique are left out."""
    found, twice = {}, set()

    def walk(graph, prefix):
        for layer in graph.find("layers") or []:
            name = prefix + layer.get("name", "")
            if name in found:
                twice.add(name)
            sides = []
            for side in ("input", "output"):
                node = layer.find(side)
                sides.append([[dim.text for dim in port.findall("dim")] for port in (node if node is not None else [])])
            data = layer.find("data")
            shape = data.get("shape") if layer.get("type") == "Parameter" and data is not None else None
            found[name] = (layer.get("type"), sides, shape)
            for kind in ("body", "then_body", "else_body"):
                body = layer.find(kind)
                if body is not None:
                    walk(body, f"{name}/{kind}/")

    walk(ET.parse(path).getroot(), "")
    return {name: known for name, known in found.items() if name not in twice}


def differing(mine, theirs):
    rows = []
    for name, (ty, sides, shape) in mine.items():
        other = theirs.get(name)
        if other is None or other[0] != ty or [len(s) for s in sides] != [len(s) for s in other[1]]:
            continue
        if sides != other[1]:
            rows.append(f"{name} ({ty}): {sides} is {other[1]} in OpenVINO")
    return rows


def draw(rng, model):
    """Shapes of the inputs: one size per dynamic dimension of the same place, some of them odd."""
    sizes = {}
    shapes = {}
    change = rng.random()
    for at, port in enumerate(model.inputs):
        shape = port.get_partial_shape()
        if shape.rank.is_dynamic:
            return None
        dims = []
        for axis, dim in enumerate(shape):
            if dim.is_dynamic:
                key = axis if rng.random() < 0.9 else (at, axis)
                size = sizes.setdefault(key, rng.choice([1, 1, 2, 3, 4, 5, 8, 16, 17, 24, 32, 48, 64, 96]))
                low, high = dim.get_min_length(), dim.get_max_length()
                dims.append(max(low, min(size, high if high > 0 else size)))
            elif change < 0.5 and axis == 0 and not sizes.get("kept"):
                dims.append(sizes.setdefault("first", rng.choice([1, 2, 3])))
            elif change >= 0.5 and axis >= 2 and dim.get_length() > 8:
                dims.append(sizes.setdefault(("s", axis), max(1, dim.get_length() + rng.choice([-32, -8, -1, 0, 1, 8, 32, 64]))))
            else:
                dims.append(dim.get_length())
        if rng.random() < 0.06 and dims:
            dims[rng.randrange(len(dims))] = "?"
        shapes[at] = dims
    return shapes


def written(model, shapes):
    """The shapes in the syntax of --shape; None if inputs cannot be named."""
    parts = []
    for at, dims in shapes.items():
        name = model.inputs[at].get_node().get_friendly_name()
        parts.append(f"{name}[{','.join(map(str, dims))}]")
    return ",".join(parts)


def feed(rng, model):
    import numpy as np
    values = {}
    for at, port in enumerate(model.inputs):
        ty, shape = port.get_element_type().to_string(), list(port.get_shape())
        dtype = NUMPY.get({"float": "f32", "half": "f16", "char": "boolean"}.get(ty, ty))
        if dtype is None:
            return None
        if dtype.startswith("float"):
            values[at] = rng.standard_normal(shape).astype(dtype)
        elif dtype == "bool":
            values[at] = rng.integers(0, 2, shape).astype(dtype)
        else:
            values[at] = rng.integers(0, 2, shape).astype(dtype)
    return values


def outputs(core, model, values):
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1})
    results = compiled(values)
    return [results[port] for port in compiled.outputs]


def size_of(model):
    """A guess at the bytes that a run takes."""
    total = 0
    for op in model.get_ops():
        for port in op.outputs():
            if port.get_partial_shape().is_dynamic:
                return None
            count = 1
            for dim in port.get_shape():
                count *= dim
            total += 4 * count
    return total


def opened(path, kind, seed, work):
    """The copy of a model with weights of its own, the row about it, and what draws shapes."""
    import openvino as ov
    copy, core = work / "model.xml", ov.Core()
    refill(path, copy, seed)
    row = {"model": path.name, "kind": kind, "seed": seed}
    return random.Random(seed), row, core, copy, core.read_model(copy)


def reshape_one(path, ovlint, seed, work):
    import numpy as np
    import openvino as ov
    rng, row, core, copy, model = opened(path, "reshape", seed, work)
    shapes = draw(rng, model)
    if shapes is None or not shapes:
        return row | {"skipped": "no shapes"}
    text = written(model, shapes)
    command = [ovlint, "reshape", str(copy), "--shape", text, "-o", str(work / "new.xml")]
    row |= {"shapes": text}
    done = subprocess.run(command, capture_output=True, text=True)
    row |= {"code": done.returncode, "said": (done.stdout + done.stderr)[:600]}
    try:
        model.reshape({at: ov.PartialShape([-1 if d == "?" else d for d in dims]) for at, dims in shapes.items()})
        row |= {"accepted": True}
    except Exception as error:
        row |= {"accepted": False, "error": str(error).strip()[-300:]}
    if done.returncode == 2:
        return row | {"verdict": "broken"}
    if (done.returncode == 0) != row["accepted"]:
        return row | {"verdict": "verdict differs"}
    if not row["accepted"]:
        return row | {"verdict": "both refuse"}
    ov.serialize(model, str(work / "ov.xml"), str(work / "ov.bin"))
    rows = differing(ports(work / "new.xml"), ports(work / "ov.xml"))
    if rows:
        return row | {"verdict": "dims differ", "rows": rows[:6], "count": len(rows)}
    row |= {"verdict": "equal"}
    guess = size_of(model)
    if guess is not None and guess < RUN and os.environ.get("EDIT_RUN", "1") == "1":
        values = feed(np.random.default_rng(seed), model)
        if values is not None:
            try:
                theirs = outputs(core, model, values)
            except Exception as error:
                return row | {"run": "OpenVINO does not run it", "error": str(error)[-200:]}
            mine = outputs(core, core.read_model(work / "new.xml"), values)
            same = len(mine) == len(theirs) and all(a.tobytes() == b.tobytes() for a, b in zip(mine, theirs))
            row |= {"run": "equal" if same else "outputs differ"}
            if not same:
                row |= {"verdict": "outputs differ"}
    return row


def extract_one(path, ovlint, seed, work):
    import numpy as np
    rng, row, core, copy, model = opened(path, "extract", seed, work)
    if any(port.get_partial_shape().is_dynamic for port in model.inputs):
        shapes = draw(random.Random(seed + 1), model)
        if shapes is None or any("?" in dims for dims in shapes.values()):
            return row | {"skipped": "no shapes"}
        done = subprocess.run([ovlint, "reshape", str(copy), "--shape", written(model, shapes), "-o", str(work / "fixed.xml")], capture_output=True)
        if done.returncode != 0:
            return row | {"skipped": "shapes are refused"}
        copy = work / "fixed.xml"
        model = core.read_model(copy)
    try:
        core.compile_model(model, "CPU")
    except RuntimeError:
        return row | {"skipped": "the whole model does not compile"}
    names = [l.get("name") for l in ET.parse(copy).getroot().find("layers") if l.get("type") not in ("Const", "Parameter", "Result", "Assign", "ReadValue")]
    names = [n for n in names if n and names.count(n) == 1 and ":" not in n and "*" not in n]
    if len(names) < 4:
        return row | {"skipped": "few layers"}
    kind = rng.choice(["around", "to", "from", "between", "add"])
    at = rng.randrange(len(names) - 1)
    if kind == "around":
        flags = ["--around", names[at], "--hops", str(rng.choice([1, 2, 4, 8]))]
    elif kind == "to":
        flags = ["--to", names[at]]
    elif kind == "from":
        flags = ["--from", names[at]]
    elif kind == "between":
        flags = ["--from", names[at], "--to", names[rng.randrange(at + 1, min(len(names), at + 40))]]
    else:
        flags = sum((["--add-output", n] for n in rng.sample(names, min(3, len(names)))), [])
    row |= {"flags": " ".join(flags), "cut": kind}
    done = subprocess.run([ovlint, "extract", str(copy), *flags, "-o", str(work / "part.xml")], capture_output=True, text=True)
    row |= {"code": done.returncode, "said": (done.stdout + done.stderr)[:600]}
    if done.returncode == 2 and ("no output that is kept depends" in done.stderr or "would be an input" in done.stderr):
        return row | {"skipped": "no such part"}
    if done.returncode != 0:
        return row | {"verdict": "refused" if done.returncode == 1 else "broken"}
    part = core.read_model(work / "part.xml")
    row |= {"verdict": "read"}
    guess = size_of(model)
    if guess is None or guess > RUN or len(part.inputs) > 60:
        core.compile_model(part, "CPU")
        return row | {"verdict": "compiled", "run": "too large or dynamic"}
    # All tensors that the part takes or gives become outputs of the whole model.
    wanted = []
    producers = {op.get_friendly_name(): op for op in model.get_ops()}

    def tensor(name):
        base, _, number = name.rpartition(":")
        for known, index in ((name, 0), (base, int(number) if number.isdigit() else 0)):
            if known in producers and index < len(producers[known].outputs()):
                return producers[known].output(index)
        return None

    inputs, results = [], []
    for port in part.inputs:
        name = re.sub("/input$", "", port.get_node().get_friendly_name())
        inputs.append(tensor(name))
    for port in part.outputs:
        source = port.get_node().input_value(0)
        found = producers.get(source.get_node().get_friendly_name())
        index = source.get_index()
        results.append(found.output(index) if found is not None and index < len(found.outputs()) else None)
    if any(one is None for one in inputs + results):
        core.compile_model(part, "CPU")
        return row | {"verdict": "compiled", "run": "a tensor has no name"}
    probed = [port for port in inputs + results]
    for port in probed:
        wanted.append(port)
    values = feed(np.random.default_rng(seed), model)
    if values is None:
        core.compile_model(part, "CPU")
        return row | {"verdict": "compiled", "run": "no values"}
    base = outputs(core, model, values) if kind == "add" else None
    count = len(model.outputs)
    is_input = [port.get_node().get_type_name() == "Parameter" for port in wanted]
    key = lambda port: (port.get_node().get_friendly_name(), port.get_index())
    given_away = {key(port.get_node().input_value(0)) for port in model.outputs}
    more = {key(port): port for port, own in zip(wanted, is_input) if not own and key(port) not in given_away}
    model.add_outputs(list(more.values()))
    whole = dict(zip([key(port.get_node().input_value(0)) for port in model.outputs], outputs(core, model, values)))
    mine_of = {port.get_node().get_friendly_name(): at for at, port in enumerate(model.inputs)}
    known = [values[mine_of[port.get_node().get_friendly_name()]] if own else whole[key(port)] for port, own in zip(wanted, is_input)]
    given = {at: value for at, value in enumerate(known[:len(inputs)])}
    mine = outputs(core, part, given)
    theirs = known[len(inputs):]
    if kind == "add":
        same = all(a.tobytes() == b.tobytes() for a, b in zip(mine[:count], base))
        row |= {"others": "equal" if same else "differ"}
    same = all(a.tobytes() == b.tobytes() for a, b in zip(mine, theirs))
    worst = 0.0
    if not same:
        for a, b in zip(mine, theirs):
            if a.shape != b.shape:
                worst = float("inf")
            elif a.size and a.dtype.kind == "f":
                a64, b64 = a.astype("float64"), b.astype("float64")
                scale = max(1.0, float(np.nanmax(np.abs(b64))))
                gap = np.abs(a64 - b64)
                gap = gap[~(np.isnan(a64) & np.isnan(b64)) & ~(a64 == b64)]
                worst = max(worst, float(gap.max()) / scale if gap.size else 0.0)
            elif a.size and a.tobytes() != b.tobytes():
                worst = max(worst, float((a != b).mean()))
    return row | {"verdict": "equal" if same else "close" if worst <= 1e-4 else "values differ", "worst": worst}


def one(kind, path, ovlint, seed):
    with tempfile.TemporaryDirectory() as work:
        try:
            return {"reshape": reshape_one, "extract": extract_one}[kind](Path(path), ovlint, seed, Path(work))
        except Exception as error:
            return {"model": Path(path).name, "kind": kind, "seed": seed, "verdict": "raised", "error": f"{type(error).__name__} {error}"[-400:]}


# Differences that are right, by model.
EXPLAINED = {"ops_inverse_dyn.xml": "the matrices of Inverse are square, which OpenVINO does not conclude"}
WRONG = ("verdict differs", "dims differ", "outputs differ", "values differ", "broken", "raised")


def is_wrong(row):
    """Whether a row is a difference without a reason. Shapes that OpenVINO reads and that cause a finding are refused."""
    has_reason = row["model"] in EXPLAINED or row.get("said", "").startswith("no: it would cause")
    return row.get("verdict") in WRONG and not has_reason


def main(folder, ovlint, seed="1", number="200", kinds="reshape,extract"):
    rng = random.Random(int(seed))
    models = sorted(path for path in Path(folder).rglob("*.xml") if path.with_suffix(".bin").exists() and path.with_suffix(".bin").stat().st_size < LARGEST)
    jobs = []
    for kind in kinds.split(","):
        order = models * (1 + int(number) // max(1, len(models)))
        rng.shuffle(order)
        jobs += [(kind, path, int(seed) * 100_000 + at) for at, path in enumerate(order[:int(number)])]
    rows = []

    def run(job):
        kind, path, number = job
        command = [sys.executable, __file__, "--one", kind, str(path), ovlint, str(number)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            return json.loads(done.stdout.splitlines()[-1])
        except (subprocess.TimeoutExpired, IndexError, ValueError) as error:
            return {"model": path.name, "kind": kind, "seed": number, "skipped": f"the process of OpenVINO ended: {type(error).__name__}"}

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("EDIT_JOBS", "2"))) as pool:
        for row in pool.map(run, jobs):
            rows.append(row)
            print(json.dumps(row), flush=True)
    for kind in kinds.split(","):
        counts = {}
        for row in rows:
            if row["kind"] == kind:
                key = "skipped" if "skipped" in row else row["verdict"]
                counts[key] = counts.get(key, 0) + 1
        print(kind, counts, file=sys.stderr)
    bad = [row for row in rows if is_wrong(row)]
    for row in bad:
        print(json.dumps(row), file=sys.stderr)
    return len(bad)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        print(json.dumps(one(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))))
    else:
        sys.exit(min(1, main(*sys.argv[1:])))
