"""Writes hostile variants of IR files, for `messages.py` to compare what ovlint and OpenVINO say of them.

    hostile.py --seed N --in DIR [--in DIR ..] --out DIR --per-file K [--max-files M]

One to three random mutations make a variant, and `mutations.tsv` lists them. The same seed gives the same variants.
"""

import argparse
import random
import re
import struct
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i64": 8, "i32": 4, "i16": 2, "i8": 1, "u64": 8, "u32": 4, "u16": 2}
TYPES = [*BYTES, *"u8 i4 u6 u4 u3 u2 u1 nf4 f4e2m1 f8e4m3 f8e5m2 f8e8m0 boolean string dynamic".split()]
FLOATS = {"f64": "<d", "f32": "<f", "f16": "<e"}
HUGE = "2305843009213693952 9223372036854775807 9223372036854775808 4294967296 2147483648 1000000007".split()
NUMBERS = ["-1", "0", "1", "2", "3", "-2", "-9223372036854775808", *HUGE]
SHAPES = ["", " 2 , 3", "2 3", *"0 -1 1 2,3 1,3,8,8 2,0 2,-1 2,3, ,2 [2,3] 1,1,1,1,1,1,1 3,,4 x".split()]
BOUNDS = "... ? 2..5 ..5 2.. 5..2 ?,? ?,?,?,? 2..5,? 1,... -1..3 1,?,..4,3.. 1..2..3".split()
VALUES = ["", " 1", "1 ", *"x true false True 1.5 1,5 1e3 nan inf -inf 0.0 1,2 1,1,1 0,-1 1, 0x10 +1 2,2,2,2,2".split()]
VALUES += ["valid", "same_upper", "floor", "NUMPY", "i64", "f32", "string", *NUMBERS]
PRECISIONS = ["", *"FP32 FP16 BF16 FP64 I64 I32 I8 U8 U4 BOOL STRING UNSPECIFIED MIXED fp32 X".split()]
MAPS = ["port_map", "then_port_map", "else_port_map", "back_edges"]
PARTS = ["body", "then_body", "else_body", *MAPS]
LAYER = "<layer id='{0}' name='{1}_{0}' type='{1}' version='{2}'>{3}<input>{4}</input><output>{5}</output></layer>"
PORT = "<port id='{}' precision='FP32'/>".format


class Variant:
    """A file that is mutated: the tree, the weights, and what others lend. Nothing to mutate is a `LookupError`."""

    def __init__(self, text, weights, lent, rng):
        self.root, self.weights, self.lent, self.rng, self.cut = ET.fromstring(text), weights, lent, rng, str
        self.parents = {child: parent for parent in self.root.iter() for child in parent}

    def some(self, *tags, where=lambda element: True):
        return self.rng.choice([element for element in self.root.iter() if element.tag in tags and where(element)])

    def data(self, *kinds):
        return self.some("data", where=lambda data: self.parents[data].get("type") in kinds)

    def drop(self, element):
        self.parents[element].remove(element)

    def add(self, parent, child, at=None):
        child = ET.fromstring(child) if isinstance(child, str) else child
        parent.insert(len(parent) if at is None else at, child)
        self.parents.update({inner: outer for outer in [parent, *child.iter()] for inner in outer})

    def layer(self, layers, kind, version, data, inputs, outputs):
        """The id of a new layer."""
        own = str(1 + max(int(layer.get("id")) for layer in layers if layer.get("id", "").isdecimal()))
        self.add(layers, LAYER.format(own, kind, version, data, inputs, outputs))
        return own

    def resize(self, data):
        count = 1
        for dim in re.findall(r"\d+", data.get("shape", "")):
            count *= int(dim)
        bits = re.match(r"(?:nf|u|i|f)([1-46])(?!\d)", data.get("element_type", ""))
        wide = 8 * BYTES.get(data.get("element_type"), 1)
        data.set("size", str(-(-count * (int(bits[1]) if bits else wide) // 8)))


def element_type(it, rng):
    data = it.data("Const", "Parameter")
    data.set("element_type", rng.choice(TYPES))
    if "size" in data.attrib and rng.random() < 0.7:
        it.resize(data)


def shape(it, rng):
    data = it.data("Const", "Parameter")
    old, bounds = data.get("shape", ""), "size" not in data.attrib or rng.random() < 0.1
    dims = old.split(",")
    at = rng.randrange(len(dims))
    dim = rng.choice(["0", "-1", "1", "2", "5", *HUGE, *(["?", "2..5", "..3"] if bounds else [])])
    one = ",".join([*dims[:at], dim, *dims[at + 1 :]])
    pool = rng.choice(SHAPES + BOUNDS * 2 if bounds else SHAPES)
    data.set("shape", rng.choice([pool, one, one, old + ",1", "1," + old, ",".join(dims[1:]), old + ","]))
    if "size" in data.attrib and rng.random() < 0.6:
        it.resize(data)


def constant_place(it, rng):
    data, key = it.data("Const"), rng.choice(["offset", "size"])
    old = int(data.get(key, "0"))
    data.set(key, str(rng.choice([old + 1, old - 1, old * 2, old // 2, old + 8, 0, *VALUES])))


def constant_bytes(it, rng):
    data = it.data("Const")
    kind, start, size = data.get("element_type"), int(data.get("offset", "x")), min(int(data.get("size", "x")), 4096)
    width, mode, new = BYTES.get(kind, 1), rng.randrange(4), it.weights[start : start + size]
    limit, one = 1 << (8 * width - 1), rng.randrange(size // width)
    pick = [lambda: rng.randrange(-3, 6), lambda: rng.choice([0, 1, -1]), lambda: rng.choice([-limit, limit - 1])]
    pick = [*pick, lambda: rng.randrange(-limit, limit)][mode]
    for at in (at for at in range(len(new) // width) if at == one or rng.random() < 0.6):
        packed = pick().to_bytes(width, "little", signed=True)
        if kind in FLOATS and mode < 3:
            packed = struct.pack(FLOATS[kind], rng.choice([pick() % 9, -1.5, 0.0, float("inf"), float("nan"), 65504.0]))
        new[at * width : (at + 1) * width] = packed
    it.weights[start : start + size] = new


def insert_layer(it, rng):
    edge = it.some("edge", where=lambda edge: "from-port" in edge.attrib)
    edges, data, inputs = it.parents[edge], "", PORT(0)
    layers = it.parents[edges].find("layers")
    kinds = "ShapeOf Squeeze Unsqueeze Negative Abs ReLU Sqrt LogicalNot Round Split".split()
    kind, parts = rng.choice(["Convert", "Convert", *kinds]), rng.choice("11230")
    if rng.random() < 0.93:
        mode, index = rng.choice(["half_to_even", "half_away_from_zero", "x"]), rng.choice(["i64", "i32", "f32"])
        data = {"Convert": f"destination_type='{rng.choice(TYPES)}'", "Split": f"num_splits='{parts}'"}
        data = f"<data {({**data, 'Round': f'mode={mode!r}', 'ShapeOf': f'output_type={index!r}'}).get(kind, '')}/>"
    ends = []
    if kind in ("Split", "Unsqueeze") or kind == "Squeeze" and rng.random() < 0.6:
        it.weights = bytearray() if it.weights is None else it.weights
        axis = f"<data element_type='i64' shape='' offset='{len(it.weights)}' size='8'/>"
        it.weights += struct.pack("<q", rng.choice([0, 0, 1, -1, 2, 7, -9, 1 << 62]))
        inputs, ends = inputs + PORT(1), [(it.layer(layers, "Const", "opset1", axis, "", PORT(0)), "0", "1")]
    outputs = PORT(2) + (PORT(3) if kind == "Split" and parts == "2" else "")
    own = it.layer(layers, kind, {"ShapeOf": "opset3", "Round": "opset5"}.get(kind, "opset1"), data, inputs, outputs)
    it.add(edges, ET.Element("edge", {**edge.attrib, "from-layer": own, "from-port": "2"}))
    for source, port, to in [*ends, (edge.get("from-layer", ""), edge.get("from-port"), "0")]:
        end = {"from-layer": source, "from-port": port, "to-layer": own, "to-port": to}
        it.add(edges, ET.Element("edge", end))
    it.drop(edge)


def edge(it, rng):
    edge = it.some("edge", where=lambda edge: "from-port" in edge.attrib)
    edges, key, action = it.parents[edge], rng.choice(list(edge.attrib)), rng.randrange(7)
    other = rng.choice([edge for edge in edges if edge.tag == "edge"]).attrib
    if action == 0:
        it.add(edges, ET.Element("edge", dict(edge.attrib)), rng.randrange(len(edges) + 1))
    elif action == 1:
        it.drop(edge)
    elif action == 2:
        edge.attrib.pop(key)
    elif action == 3:
        edge.attrib.update({"from-layer": edge.get("to-layer", ""), "from-port": rng.choice("012")})
    elif action == 4:
        edge.attrib.update({end: other[end] for end in ("from-layer", "from-port")})
    else:
        edge.set(key, rng.choice([other.get(key, "0"), "99", "-1", "x", "", "7", "0", "1"]))


def port(it, rng):
    port, action = it.some("port"), rng.randrange(6)
    if action == 0:
        it.drop(port)
    elif action == 1:
        it.add(it.parents[port], PORT(rng.choice([port.get("id"), "99", "9", "", len(it.parents[port])])))
    elif action == 2:
        it.some("dim").text = rng.choice(["", "x", "7", "1.5", *NUMBERS])
    elif action == 3:
        it.add(port, f"<dim>{rng.choice(NUMBERS)}</dim>")
    else:
        key, values = rng.choice([("id", [*"0125x", "-1", ""]), ("precision", PRECISIONS)])
        port.set(key, rng.choice(values))


def attribute(it, rng):
    whole = "Const", "Parameter"
    data = it.some("data", where=lambda data: data.attrib and it.parents[data].get("type") not in whole)
    key = rng.choice(list(data.attrib))
    old = data.attrib.pop(key)
    if rng.random() < 0.85:
        data.set(key, rng.choice([*VALUES, *[old + ",1", old + " ", "-" + old, old.upper(), old[:-1], old + "0"] * 2]))


def layer(it, rng):
    layer, other, action = it.some("layer"), it.some("layer"), rng.randrange(9)
    if action < 4:
        layer.set("version", rng.choice([*[f"opset{n}" for n in range(19)], "extension", "", "x"]))
    elif action < 6:
        layer.set("type", rng.choice(it.lent["types"]))
    elif action == 6:
        layer.set("id", rng.choice([other.get("id", "0"), "99", "-1", "x", ""]))
    elif action == 7:
        layer.set("name", rng.choice([other.get("name", ""), "", "é", "a b", "x" * 3000]))
    else:
        layer.attrib.pop(rng.choice(list(layer.attrib)))


def lend(it, rng):
    tag = rng.choice(["body", "port_map", *PARTS])
    owners = [layer for layer in it.root.iter("layer") if layer.find(tag) is not None]
    owner = rng.choice(owners) if owners and rng.random() < 0.9 else it.some("layer")
    for old in owner.findall(tag) if rng.random() < 0.9 else ():
        it.drop(old)
    it.add(owner, rng.choice(it.lent[tag]))


def map_entry(it, rng):
    entry, action = it.some("input", "output", "edge", where=lambda it_: it.parents[it_].tag in MAPS), rng.randrange(8)
    more = [] if entry.tag == "edge" else ["axis", "stride", "purpose", "part_size", "start", "end"]
    key = rng.choice([*entry.attrib, *more])
    purposes = ["current_iteration", "execution_condition", "condition", "x", ""]
    if action == 0:
        it.drop(entry)
    elif action == 1:
        it.add(it.parents[entry], ET.Element(entry.tag, dict(entry.attrib)))
    elif action == 2:
        entry.attrib.pop(rng.choice(list(entry.attrib)))
    else:
        entry.set(key, rng.choice(purposes if key == "purpose" else [*"012347x", "-1", "-2", "99", "", *HUGE[:3]]))


def weights(it, rng):
    it.weights = rng.choice([None, it.weights[: rng.randrange(len(it.weights))], bytearray(), it.weights + b"\0" * 7])


def text(it, rng):
    def cut(text):
        at, digits = rng.randrange(len(text)), rng.choice([*re.finditer(r"\d+", text)] or [re.match("", text)])
        new = text[: digits.start()] + rng.choice(NUMBERS) + text[digits.end() :]
        mark = text[:at] + rng.choice("<>&\"'\0 é0") + text[at:]
        around = "\ufeff" + text, text + "<net/>", "<!---->" + text
        return rng.choice([text[:at], text[:at] + text[at + 1 :], mark, new, *around])

    it.cut = cut


def drop(it, rng):
    it.drop(it.some("edges", "rt_info", "input", "output", "data", "layers"))


def drop_part(it, rng):
    it.drop(it.some(*PARTS))


def net(it, rng):
    it.root.set(rng.choice(["version", "version", "name"]), rng.choice(["10", "11", "12", "9", "x"]))


WEIGHTS = {
    **{element_type: 19, shape: 21, constant_place: 4, constant_bytes: 14, insert_layer: 14, edge: 8, port: 5},
    **{layer: 8, attribute: 16, lend: 3, map_entry: 40, weights: 1, text: 1, drop: 3, drop_part: 8, net: 1},
}


def variant(source, lent, rng):
    """A variant as the document, the weights or `None`, and the names of what was done."""
    it, done, wanted = Variant(*source, lent, rng), [], rng.choices([1, 2, 3], [60, 32, 8])[0]
    for _ in range(50):
        [mutation] = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
        try:
            mutation(it, rng)
        except (LookupError, ValueError, TypeError, OverflowError):
            continue  # The file has nothing of the kind.
        done.append(mutation.__name__)
        if len(done) == wanted:
            break
    return '<?xml version="1.0"?>\n' + it.cut(ET.tostring(it.root, encoding="unicode")), it.weights, done


def main():
    parser = argparse.ArgumentParser()
    for name in ("--seed", "--per-file", "--max-files"):
        parser.add_argument(name, type=int)
    parser.add_argument("--in", action="append", type=Path, dest="folders")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    sources, lent, counts = [], {"types": set(), **{part: set() for part in PARTS}}, Counter()
    for path in (path for folder in options.folders for path in sorted(folder.rglob("*.xml"))):
        content, blob = path.read_text(encoding="utf-8", errors="replace"), path.with_suffix(".bin")
        try:
            root = ET.fromstring(content)
        except (ET.ParseError, ValueError):
            continue
        if root.tag == "net":
            sources.append((path, content, blob.read_bytes() if blob.is_file() else None))
            lent["types"].update(layer.get("type", "") for layer in root.iter("layer"))
            for part in PARTS:
                lent[part].update(ET.tostring(element, encoding="unicode") for element in root.iter(part))
    lent = {kind: sorted(values) for kind, values in lent.items()}
    most = min(options.max_files or len(sources), len(sources))
    chosen = random.Random(options.seed).sample(range(len(sources)), most)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "mutations.tsv", "w", encoding="utf-8") as log:
        for at, k in ((at, k) for at in sorted(chosen) for k in range(options.per_file)):
            path, content, blob = sources[at]
            source = content, None if blob is None else bytearray(blob)
            document, blob, done = variant(source, lent, random.Random(f"{options.seed} {at} {k}"))
            target = options.out / f"{at:05}__{path.parent.name}__{path.stem}__{k}.xml"
            target.write_text(document, encoding="utf-8")
            if blob is not None:
                target.with_suffix(".bin").write_bytes(blob)
            print(target.name, *done, sep="\t", file=log)
            counts.update(done)
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
