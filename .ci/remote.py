"""Checks the same models in files and on a server, and a model with weights of 10 GB.

remote.py TOOL FOLDER SENT URL: URL is where range_server.py serves FOLDER; it writes to SENT what it sent."""

import json
import pathlib
import re
import struct
import subprocess
import sys
from urllib.parse import quote, unquote

# What the weights of a model may cost. A file that is longer than its constants, and values that decide shapes, can cost more.
BYTES, ROUND_TRIPS = 1_000_000, 2
# Of element types: the bytes, and what ports call them.
TYPES = {"i64": (8, "I64"), "f16": (2, "FP16")}


def main():
    tool, folder, sent, url = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
    paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.xml"))
    local, _ = run(tool, folder, paths)
    remote, spent = run(tool, folder, [f"{url}/{quote(path)}" for path in paths])
    remote = {unquote(path.removeprefix(url + "/")): plain(findings, url) for path, findings in remote.items()}
    different = [path for path in paths if local[path] != remote[path]]
    dear = {path: cost for path, cost in spent.items() if cost[0] > BYTES or cost[1] > ROUND_TRIPS}
    print(f"{len(paths)} models: {len(different)} differ on a server, {len(dear)} need more than {BYTES} bytes or {ROUND_TRIPS} round trips: {dear}")
    if different or len(dear) > len(paths) / 200 or not spent:
        sys.exit(f"they differ: {different[:10]}")

    large(folder / "large")
    before = len(sent.read_text().splitlines())
    [(_, (bytes_, round_trips))] = run(tool, folder, [f"{url}/large.xml"])[1].items()
    rows = [line.split() for line in sent.read_text().splitlines()[before:]]
    ranges = [int(end) - int(start) for path, start, end in rows if path == "/large.bin"]
    size = (folder / "large.bin").stat().st_size
    print(f"{sum(ranges)} of {size} bytes in {len(ranges)} requests and {round_trips} round trips")
    if not (sum(ranges) == bytes_ <= BYTES and round_trips <= ROUND_TRIPS and size > 10_000_000_000):
        sys.exit("that is too much")


def run(tool, folder, paths):
    """The findings of every path, and the bytes and round trips of those on a server. A model that is named stands alone, while those
    of a list are compared with the other models of their pipeline."""
    flags = ["--isolated", "--format", "json", "--verbose"]
    done = subprocess.run([tool, "check", *flags, *paths], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1, 2):
        sys.exit(done.stderr)
    cost = re.compile(r"^ovlint: (\S+): .*of which (\d+) were fetched in [\d,]+ requests?, (\d+) round trips?", re.M)
    spent = {path: (int(bytes_), int(round_trips)) for path, bytes_, round_trips in cost.findall(done.stderr)}
    return {model["path"]: model["findings"] for model in json.loads(done.stdout)["models"]}, spent


def plain(findings, url):
    """Findings with the names that files have."""
    return json.loads(unquote(json.dumps(findings).replace(url + "/", "")))


def large(path, blocks=2000, stride=5_120_000):
    """A model of matrices and reshapes whose constants lie far from each other. Most of its weights are a hole."""
    layers, edges = [], []

    def layer(kind, data, inputs, outputs):
        number = len(layers)
        sides = ""
        for side, ports, first in ("input", inputs, 0), ("output", outputs, len(inputs)):
            text = "".join(f'<port id="{first + i}"{p}>{dims(d)}</port>' for i, (p, d) in enumerate(ports))
            sides += f"<{side}>{text}</{side}>" if ports else ""
        layers.append(f'<layer id="{number}" name="{kind}_{number}" type="{kind}" version="opset1">{data}{sides}</layer>\n')
        return number

    def dims(shape):
        return "".join(f"<dim>{length}</dim>" for length in shape)

    def constant(kind, shape, offset):
        size, precision = TYPES[kind]
        for length in shape:
            size *= length
        data = f'<data element_type="{kind}" shape="{",".join(map(str, shape))}" offset="{offset}" size="{size}"/>'
        return layer("Const", data, [], [(f' precision="{precision}"', shape)])

    row, square = ("", (1, 1024)), ("", (1024, 1024))
    out = (' precision="FP16"', (1, 1024))
    last = (layer("Parameter", '<data element_type="f16" shape="1,1024"/>', [], [out]), 0)
    with open(f"{path}.bin", "wb") as weights:
        for block in range(blocks):
            matrix = constant("f16", (1024, 1024), block * stride)
            product = layer("MatMul", '<data transpose_a="false" transpose_b="true"/>', [row, square], [out])
            edges += [(*last, product, 0), (matrix, 0, product, 1)]
            at = block * stride + stride - 64
            weights.seek(at)
            weights.write(struct.pack("<2q", 1, -1))
            pattern = constant("i64", (2,), at)
            reshape = layer("Reshape", '<data special_zero="false"/>', [row, ("", (2,))], [out])
            edges += [(product, 2, reshape, 0), (pattern, 0, reshape, 1)]
            last = (reshape, 2)
        result = layer("Result", "", [row], [])
        edges.append((*last, result, 0))
    with open(f"{path}.xml", "w") as xml:
        xml.write(f'<?xml version="1.0"?>\n<net name="large" version="11"><layers>\n{"".join(layers)}</layers><edges>\n')
        for layer_, port, to, to_port in edges:
            xml.write(f'<edge from-layer="{layer_}" from-port="{port}" to-layer="{to}" to-port="{to_port}"/>\n')
        xml.write("</edges></net>\n")


main()
