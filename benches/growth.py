#!/usr/bin/env python3
"""How the work of a command grows with its file: `python3 benches/growth.py [BINARY] [CASE..]`.

Each case runs at five sizes, each twice the last, through `valgrind --tool=callgrind`. That counts instructions, which
a busy machine does not change. The table has the instructions beyond those for one element, in millions, and the exponent
of every doubling: 1 is work that grows with the file, 2 is work that grows with its square. The exit code is 1 if the
last exponent of a case is more than 1.2.
"""

import http.server
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable

BAR = 1.2
SIZES = [250, 500, 1000, 2000, 4000]


def port(place: int, dims: Iterable[object] = (2,), names: str = "") -> str:
    names = f' names="{names}"' if names else ""
    return f'<port id="{place}" precision="FP32"{names}>' + "".join(f"<dim>{dim}</dim>" for dim in dims) + "</port>"


def layer(place: int, name: str, kind: str, inputs: str = "", outputs: str = "", data: str = "", inside: str = "") -> str:
    inputs = f"<input>{inputs}</input>" if inputs else ""
    outputs = f"<output>{outputs}</output>" if outputs else ""
    data = f"<data {data}/>" if data else ""
    return f'<layer id="{place}" name="{name}" type="{kind}" version="opset1">{data}{inputs}{outputs}{inside}</layer>\n'


def net(layers: list[str], edges: list[tuple[int, int, int, int]]) -> str:
    lines = [
        f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>\n' for a, b, c, d in edges
    ]
    return f'<net name="m" version="11"><layers>\n{"".join(layers)}</layers><edges>\n{"".join(lines)}</edges></net>\n'


def parameter(place: int, dims: str = "2") -> str:
    shape = ["-1" if dim == "?" else dim for dim in dims.split(",")]
    data = f'shape="{dims}" element_type="f32"'
    return layer(place, f"x{place}", "Parameter", outputs=port(0, shape, f"x{place}"), data=data)


def lanes(count: int) -> str:
    """As many inputs as outputs, none of which knows of the others."""
    layers, edges = [], []
    for lane in range(count):
        a, b, c = 3 * lane, 3 * lane + 1, 3 * lane + 2
        layers += [parameter(a), layer(b, f"r{b}", "ReLU", port(0), port(1)), layer(c, f"y{c}", "Result", port(0))]
        edges += [(a, 0, b, 0), (b, 1, c, 0)]
    return net(layers, edges)


def misdeclared(count: int) -> str:
    """A chain whose last layers have ports that need a fix; one fix has at most 1,024 edits."""
    parts = chain(count).rsplit('<port id="1" precision="FP32"><dim>2', min(count, 50))
    return '<port id="1" precision="FP32"><dim>3'.join(parts)


def chain(count: int) -> str:
    layers, edges = [parameter(0)], []
    for place in range(1, count + 1):
        layers.append(layer(place, f"r{place}", "ReLU", port(0), port(1)))
        edges.append((place - 1, min(place - 1, 1), place, 0))
    layers.append(layer(count + 1, "y", "Result", port(0)))
    return net(layers, [*edges, (count, 1, count + 1, 0)])


def joined(count: int, dims: str = "2,3") -> str:
    """As many inputs as a Concat takes."""
    rest = dims.split(",")[1:]
    shape = ["-1" if dim == "?" else dim for dim in dims.split(",")]
    layers = [parameter(place, dims) for place in range(count)]
    inputs = "".join(port(place, shape) for place in range(count))
    all_of_it = ["-1" if "?" in dims else 2 * count, *rest]
    layers.append(layer(count, "c", "Concat", inputs, port(count, all_of_it), 'axis="0"'))
    layers.append(layer(count + 1, "y", "Result", port(0, all_of_it)))
    return net(layers, [(place, 0, count, place) for place in range(count)] + [(count, count, count + 1, 0)])


def parted(count: int) -> str:
    """A Split with as many outputs."""
    outputs = "".join(port(place + 2, (1,)) for place in range(count))
    axis = '<port id="0" precision="I64"/>'
    layers = [
        parameter(0, str(count)),
        layer(1, "axis", "Const", outputs=axis, data='element_type="i64" shape="" offset="0" size="8"'),
        layer(2, "s", "Split", port(0, (count,)) + axis.replace("0", "1"), outputs, f'num_splits="{count}"'),
    ]
    layers += [layer(place + 3, f"y{place}", "Result", port(0, (1,))) for place in range(count)]
    edges = [(0, 0, 2, 0), (1, 0, 2, 1)] + [(2, place + 2, place + 3, 0) for place in range(count)]
    return net(layers, edges)


def woven(count: int) -> str:
    """Two rows of layers with an edge from each to some of the other, which cross."""
    half = max(count // 8, 2)
    layers, edges = [parameter(place) for place in range(half)], []
    for place in range(half):
        inputs = [(place * 7 + step * 13) % half for step in range(8)]
        own = half + place
        layers.append(
            layer(own, f"c{own}", "Concat", "".join(port(i) for i in range(8)), port(8, (16,)), 'axis="0"')
        )
        layers.append(layer(2 * half + place, f"y{place}", "Result", port(0, (16,))))
        edges += [(at, 0, own, number) for number, at in enumerate(inputs)] + [(own, 8, 2 * half + place, 0)]
    return net(layers, edges)


def added(count: int) -> str:
    """The sums of a column and a row, as indices in a model that OpenVINO rejects."""

    def constant(place: int, dims: tuple[int, ...]) -> str:
        shape, size = ",".join(map(str, dims)), 8 * math.prod(dims)
        data = f'element_type="i64" shape="{shape}" offset="0" size="{size}"'
        return layer(place, f"c{place}", "Const", outputs=port(0, dims).replace("FP32", "I64"), data=data)

    layers = [
        constant(0, (count, 1)),
        constant(1, (9,)),
        layer(2, "sums", "Add", port(0, (count, 1)) + port(1, (9,)), port(2, (count, 9)), 'auto_broadcast="numpy"'),
        parameter(3),
        constant(4, ()),
        layer(5, "g", "Gather", port(0) + port(1, (count, 9)) + port(2, ()), port(3, (count, 9))),
        layer(6, "y", "Result", port(0, (count, 9))),
        parameter(7, "3"),
        layer(8, "wrong", "Add", port(0) + port(1, (3,)), port(2), 'auto_broadcast="numpy"'),
        layer(9, "z", "Result", port(0)),
    ]
    edges = [(0, 0, 2, 0), (1, 0, 2, 1), (3, 0, 5, 0), (2, 2, 5, 1), (4, 0, 5, 2), (5, 3, 6, 0)]
    return net(layers, [*edges, (3, 0, 8, 0), (7, 0, 8, 1), (8, 2, 9, 0)])


def ovms(folder: pathlib.Path, count: int) -> None:
    shapes = {f"image_{place}": "(2)" for place in range(count)}
    config = {"name": "m", "base_path": "/m", "shape": shapes}
    (folder / "config.json").write_text(json.dumps({"model_config_list": [{"config": config}]}))


def triton(folder: pathlib.Path, count: int) -> None:
    entries = [f"input {{ name: 'image_{place}' data_type: TYPE_FP32 dims: 2 }}\n" for place in range(count)]
    (folder / "m" / "config.pbtxt").write_text("name: 'm'\n" + "".join(entries))


def half(folder: pathlib.Path, count: int) -> None:
    """A fault that takes half of the layers, so that many candidates are tried."""
    (folder / "keep.sh").write_text(f'test "$(grep -c ReLU "$1")" -ge {count // 2}\n')


Beside = Callable[[pathlib.Path, int], None]


def nothing(_folder: pathlib.Path, _count: int) -> None:
    """No file beside the model."""


MODEL = "m/1/model.xml"

# The command, the model, and what stands beside it.
CASES: dict[str, tuple[list[str], Callable[[int], str], Beside]] = {
    "pedantic": (["check", MODEL, "--profile", "pedantic"], lanes, nothing),
    "fix, lanes": (["check", MODEL, "--profile", "pedantic", "--fix=all", "--diff"], lanes, nothing),
    "fix, chain": (["check", MODEL, "--fix=all", "--diff"], misdeclared, nothing),
    "ovms": (["check", MODEL, "--for", "ovms"], lanes, ovms),
    "triton": (["check", MODEL, "--for", "triton"], lanes, triton),
    "cost, lanes": (["cost", MODEL, "--format", "json"], lanes, nothing),
    "cost, lengths": (["cost", MODEL, "--format", "json"], lambda n: joined(n, "?,3"), nothing),
    "svg": (["graph", MODEL, "--format", "svg", "--max-nodes", "1000000"], woven, nothing),
    "why": (["why", MODEL, "c"], joined, nothing),
    "report": (["report", MODEL, "--output", "{new}.html"], joined, nothing),
    "reduce": (
        ["reduce", MODEL, "--run", "sh keep.sh", "--max-candidates", "20", "--output", "{new}.xml"],
        chain,
        half,
    ),
    "inputs": (["inputs", MODEL], lambda n: joined(n, "?,3"), nothing),
    "values": (["check", MODEL], added, nothing),
    "list": (["check", "hf://org/model"], lanes, nothing),
    "outputs of a run": (["run", MODEL, "--input", "x0=arange", "--output-dir", "{new}"], parted, nothing),
}


# What the constants of a model hold.
WEIGHTS: dict[Callable[[int], str], Callable[[int], bytes]] = {parted: lambda _: bytes(8), added: lambda n: bytes(8 * max(n, 9))}


class Hub(http.server.BaseHTTPRequestHandler):
    """A hub whose one repository has many files, of which none is a model."""

    files = 0

    def do_GET(self) -> None:
        siblings = [{"rfilename": f"model_{place}.bin"} for place in range(self.files)]
        text = json.dumps({"siblings": siblings}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_arguments: object) -> None:
        pass


def instructions(binary: str, arguments: list[str], folder: pathlib.Path, hub: str) -> int:
    """The instructions of a run; one that did not do its work ends everything."""
    arguments = [argument.replace("{new}", "new") for argument in arguments]
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, *arguments]
    environment = {**os.environ, "HF_ENDPOINT": hub}
    done = subprocess.run(valgrind, cwd=folder, env=environment, capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    wanted = [3] if "hf://" in arguments[1] else [0, 1]
    if done.returncode not in wanted or not collected:
        raise SystemExit(f"{arguments}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return int(collected[1])


def main() -> int:
    binary = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/release/ovlint").resolve())
    chosen = sys.argv[2:] or list(CASES)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hub = f"http://127.0.0.1:{server.server_port}"
    print(f"{'':18}" + "".join(f"{size:>9}" for size in SIZES) + "   exponents")
    steep = []
    for name in chosen:
        arguments, model, beside = CASES[name]
        counts = []
        for size in [1, *SIZES]:
            with tempfile.TemporaryDirectory() as place:
                folder = pathlib.Path(place)
                (folder / "m" / "1").mkdir(parents=True)
                (folder / MODEL).write_text(model(size))
                (folder / MODEL).with_suffix(".bin").write_bytes(WEIGHTS.get(model, lambda _: b"")(size))
                beside(folder, size)
                Hub.files = size
                counts.append(instructions(binary, arguments, folder, hub))
        more = [count - counts[0] for count in counts[1:]]
        exponents = [math.log2(after / before) for before, after in zip(more, more[1:])]
        print(f"{name:18}" + "".join(f"{count / 1e6:>9.1f}" for count in more), end="")
        print("   " + "  ".join(f"{exponent:.2f}" for exponent in exponents), flush=True)
        steep += [name] if exponents[-1] > BAR else []
    if steep:
        print(f"steeper than {BAR}: {', '.join(steep)}")
    return int(bool(steep))


if __name__ == "__main__":
    sys.exit(main())
