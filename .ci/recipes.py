"""Compares the recipe `genai` with the two transformations of OpenVINO that it speaks for, on mutants of real exports.

    recipes.py FOLDER OVLINT [SEED [NUMBER]]

FOLDER holds stateful language models. Each mutant is one of them with one or two faults planted in its XML. OpenVINO is
asked in a process of its own, because it does not survive some of them; to die counts as to refuse.
"""

import json
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

PAIRS = {
    "genai-stateless": "stateful_to_stateless_transformation",
    "genai-paged-attention": "paged_attention_transformation",
}


class Net:
    """The layers and edges of a model, by id."""

    def __init__(self, path):
        self.tree, self.weights = ET.parse(path), path.with_suffix(".bin").read_bytes()
        self.weights += bytes(-len(self.weights) % 8) + b"".join(at.to_bytes(8, "little") for at in range(4))
        self.root = self.tree.getroot()
        self.layers, self.edges = self.root.find("layers"), self.root.find("edges")
        self.next = 1 + max(int(layer.get("id")) for layer in self.layers)

    def of(self, kind):
        return [layer for layer in self.layers if layer.get("type") == kind]

    def layer(self, ident):
        return next(layer for layer in self.layers if layer.get("id") == ident)

    def source(self, layer, port):
        port = list(layer.find("input"))[port].get("id")
        edge = next(e for e in self.edges if (e.get("to-layer"), e.get("to-port")) == (layer.get("id"), port))
        return self.layer(edge.get("from-layer")), edge

    def consumers(self, layer):
        return [edge for edge in self.edges if edge.get("from-layer") == layer.get("id")]

    def input(self, name):
        for layer in self.of("Parameter"):
            if name in (layer.find("output")[0].get("names") or "").split(","):
                return layer
        return None

    def remove(self, layer):
        self.layers.remove(layer)
        for edge in [e for e in self.edges if layer.get("id") in (e.get("from-layer"), e.get("to-layer"))]:
            self.edges.remove(edge)

    def bypass(self, layer):
        """Removes a layer; what took its output takes its first input."""
        source, edge = self.source(layer, 0)
        for taken in self.consumers(layer):
            taken.set("from-layer", source.get("id"))
            taken.set("from-port", edge.get("from-port"))
        self.remove(layer)

    def insert(self, layer, kind, extra=(), **data):
        """A layer of one input between a layer and those that take its output."""
        port = layer.find("output")[0]
        taken = [edge for edge in self.consumers(layer) if edge.get("from-port") == port.get("id")]
        new = self.after(layer, kind, extra, **data)
        for edge in taken:
            edge.set("from-layer", new.get("id"))
            edge.set("from-port", "9")
        return new

    def after(self, layer, kind, extra=(), **data):
        port = layer.find("output")[0]
        version = "opset6" if kind == "Gelu" else "opset1"
        new = self.add(kind, version, [port], None if kind == "Result" else port, **data)
        self.edge(layer, port.get("id"), new, "0")
        return new

    def add(self, kind, version, inputs, output, **data):
        new = ET.SubElement(self.layers, "layer", id=str(self.next), name=f"planted_{self.next}", type=kind, version=version)
        self.next += 1
        if data:
            ET.SubElement(new, "data", data)
        if inputs:
            ports = ET.SubElement(new, "input")
            for at, like in enumerate(inputs):
                self.port(ports, at, like)
        if output is not None:
            self.port(ET.SubElement(new, "output"), 9, output)
        return new

    def port(self, ports, ident, like):
        port = ET.SubElement(ports, "port", id=str(ident), precision=like.get("precision"))
        port.extend(ET.fromstring(ET.tostring(dim)) for dim in like.findall("dim"))

    def edge(self, source, from_port, target, to_port):
        ends = {"from-layer": source.get("id"), "from-port": from_port, "to-layer": target.get("id"), "to-port": to_port}
        ET.SubElement(self.edges, "edge", ends)

    def is_ambiguous(self):
        """Whether several inputs may be that of the tokens: OpenVINO takes one of them and gives it another shape, which then
        fits what takes it, or does not."""
        names = [name for layer in self.of("Parameter") for name in (layer.find("output")[0].get("names") or "").split(",")]
        return len(names) > len(set(names)) or {"input_ids", "inputs_embeds"} <= set(names)

    # What is planted. Each returns what it did, or None where the model has no such place.

    def rename_input(self, rng):
        layer = rng.choice(self.of("Parameter"))
        name, new = layer.get("name"), rng.choice(["renamed", "input_ids", "inputs_embeds", "beam_idx", "position_ids"])
        how = rng.choice(["tensor", "layer", "both"])
        if how != "layer":
            layer.find("output")[0].set("names", new)
        if how != "tensor":
            layer.set("name", new)
        return f"rename {name} to {new} ({how})"

    def unname_input(self, rng):
        layer = rng.choice(self.of("Parameter"))
        layer.find("output")[0].attrib.pop("names", None)
        return f"remove the tensor name of {layer.get('name')}"

    def retype_input(self, rng):
        layer = rng.choice(self.of("Parameter"))
        layer.find("data").set("element_type", rng.choice(["i32", "f32", "u8"]))
        return f"retype {layer.get('name')}"

    def reshape_input(self, rng):
        layer = rng.choice(self.of("Parameter"))
        data = layer.find("data")
        data.set("shape", ",".join(rng.choice(["1", "2", dim]) for dim in data.get("shape").split(",")))
        return f"reshape {layer.get('name')}"

    def gathers(self):
        beam = self.input("beam_idx")
        taken = self.consumers(beam) if beam is not None else []
        return [self.layer(e.get("to-layer")) for e in taken if self.layer(e.get("to-layer")).get("type") == "Gather"]

    def drop_gather(self, rng):
        gathers = self.gathers()
        if not gathers:
            return None
        some = gathers if rng.random() < 0.3 else [rng.choice(gathers)]
        for gather in some:
            self.bypass(gather)
        return f"remove {len(some)} of {len(gathers)} Gathers"

    def before_gather(self, rng):
        gathers = self.gathers()
        if not gathers:
            return None
        read, _ = self.source(rng.choice(gathers), 0)
        kind = rng.choice(["Relu", "Tanh", "Sigmoid"])
        self.insert(read, kind)
        return f"{kind} between ReadValue and Gather"

    def after_gather(self, rng):
        gathers = self.gathers()
        if not gathers:
            return None
        kind = rng.choice(["Relu", "Tanh", "Sigmoid"])
        self.insert(rng.choice(gathers), kind)
        return f"{kind} after Gather"

    def other_gather(self, rng):
        """beam_idx selects from something that is no variable, or once more from one."""
        gathers = self.gathers()
        if not gathers:
            return None
        gather = rng.choice(gathers)
        twin = ET.fromstring(ET.tostring(gather))
        twin.set("id", str(self.next))
        twin.set("name", f"planted_{self.next}")
        for port in twin.find("output"):
            port.attrib.pop("names", None)
        self.next += 1
        self.layers.append(twin)
        for edge in [e for e in self.edges if e.get("to-layer") == gather.get("id")]:
            self.edge(self.layer(edge.get("from-layer")), edge.get("from-port"), twin, edge.get("to-port"))
        if rng.random() < 0.5:
            concat = self.layer(self.consumers(gather)[0].get("to-layer"))
            _, first = self.source(twin, 0)
            first.set("from-layer", concat.get("id"))
            first.set("from-port", concat.find("output")[0].get("id"))
            what = "another Gather by beam_idx of the concatenation"
        else:
            what = "two Gathers by beam_idx of one variable"
        port = twin.find("output")[0]
        result = self.add("Result", "opset1", [port], None)
        self.edge(twin, port.get("id"), result, "0")
        return what

    def drop_assign(self, rng):
        assigns = self.of("Assign")
        some = assigns if rng.random() < 0.3 else rng.sample(assigns, min(len(assigns), rng.choice([1, 1, 2])))
        for assign in some:
            self.remove(assign)
        return f"remove {len(some)} of {len(assigns)} Assigns"

    def rename_state(self, rng):
        states = sorted({layer.find("data").get("variable_id") for layer in self.of("ReadValue")})
        some = states if rng.random() < 0.3 else rng.sample(states, min(len(states), rng.choice([1, 2])))
        how = rng.choice(["state.{}", "past_key_values.{}.keypresent.7.key", "past_key_values.{}.key", "cache_params.past.conv.{}cache_params.present.conv.{}"])
        new = {old: how.replace("{}", str(at)) for at, old in enumerate(some)}
        if how == "past_key_values.{}.key" and rng.random() < 0.5:
            new = {old: old.upper() for old in some}
        for layer in self.of("ReadValue") + self.of("Assign"):
            data = layer.find("data")
            data.set("variable_id", new.get(data.get("variable_id"), data.get("variable_id")))
        return f"rename {len(some)} of {len(states)} states like {how}"

    def second_read(self, rng):
        reads = self.of("ReadValue")
        one, two = rng.sample(reads, 2)
        ident = one.find("data").get("variable_id")
        old = two.find("data").get("variable_id")
        two.find("data").set("variable_id", ident)
        for assign in self.of("Assign"):
            if assign.find("data").get("variable_id") == old:
                self.remove(assign)
        return "two ReadValues of one variable"

    def drop_attention(self, rng):
        all_ = self.of("ScaledDotProductAttention")
        some = all_ if rng.random() < 0.4 else [rng.choice(all_)]
        for layer in some:
            if rng.random() < 0.5:
                self.bypass(layer)
            else:
                source, edge = self.source(layer, 0)
                port = layer.find("output")[0]
                new = self.add("Relu", "opset1", [port], port)
                for taken in self.consumers(layer):
                    taken.set("from-layer", new.get("id"))
                    taken.set("from-port", "9")
                self.edge(source, edge.get("from-port"), new, "0")
                self.remove(layer)
        return f"remove {len(some)} of {len(all_)} attentions"

    def drop_mask(self, rng):
        all_ = self.of("ScaledDotProductAttention")
        some = all_ if rng.random() < 0.5 else [rng.choice(all_)]
        for layer in some:
            ports = list(layer.find("input"))
            for port in ports[3:]:
                self.edges.remove(next(e for e in self.edges if (e.get("to-layer"), e.get("to-port")) == (layer.get("id"), port.get("id"))))
                layer.find("input").remove(port)
            layer.find("data").set("causal", "true")
        return f"no mask at {len(some)} of {len(all_)} attentions"

    def between(self, rng):
        layer = rng.choice(self.of("ScaledDotProductAttention"))
        at = rng.choice([0, 1, 2, 3])
        if at >= len(list(layer.find("input"))):
            return None
        source, edge = self.source(layer, at)
        port = source.find("output")[0] if len(list(source.find("output"))) == 1 else None
        if port is None:
            return None
        kind = rng.choice(["Relu", "Tanh", "Sigmoid"])
        new = self.after(source, kind)
        edge.set("from-layer", new.get("id"))
        edge.set("from-port", "9")
        return f"{kind} at input {at} of an attention"

    def extra_result(self, rng):
        layer = rng.choice(self.of("Parameter") + self.of("ReadValue"))
        self.after(layer, "Result")
        return f"Result of {layer.get('name')}"

    def ask_length(self, rng):
        """A length of the past, of past and present or of the mask, as an output."""
        of = self.gathers() + [self.layer(e.get("to-layer")) for g in self.gathers() for e in self.consumers(g)]
        of = [layer for layer in of if layer.get("type") in ("Gather", "Concat")] + [self.input("attention_mask")]
        layer = rng.choice([layer for layer in of if layer is not None])
        port, at = layer.find("output")[0], rng.choice([0, 0, 1, 2, 3])
        shape = self.add("ShapeOf", "opset3", [port], ET.fromstring(f'<port precision="I64"><dim>{len(port)}</dim></port>'), output_type="i64")
        self.edge(layer, port.get("id"), shape, "0")
        scalar = ET.fromstring('<port precision="I64"/>')
        gather = self.add("Gather", "opset8", [shape.find("output")[0], scalar, scalar], scalar, batch_dims="0")
        self.edge(shape, "9", gather, "0")
        for to, number in (("1", at), ("2", 0)):
            offset = len(self.weights) - 32 + 8 * number
            const = self.add("Const", "opset1", [], scalar, element_type="i64", shape="", offset=str(offset), size="8")
            self.edge(const, "9", gather, to)
        result = self.add("Result", "opset1", [scalar], None)
        self.edge(gather, "9", result, "0")
        return f"length {at} of {layer.get('name')}"

    def uninitialized(self, rng):
        reads = [layer for layer in self.of("ReadValue") if layer.find("input") is not None]
        some = reads if rng.random() < 0.3 else [rng.choice(reads)]
        for read in some:
            _, edge = self.source(read, 0)
            self.edges.remove(edge)
            read.remove(read.find("input"))
        return f"{len(some)} of {len(reads)} ReadValues without a first value"

    def swap_concat(self, rng):
        concats = [self.layer(e.get("to-layer")) for gather in self.gathers() for e in self.consumers(gather)]
        concats = [layer for layer in concats if layer.get("type") == "Concat"]
        if not concats:
            return None
        concat = rng.choice(concats)
        (_, one), (_, two) = self.source(concat, 0), self.source(concat, 1)
        one_port, two_port = one.get("to-port"), two.get("to-port")
        one.set("to-port", two_port)
        two.set("to-port", one_port)
        return "the present before the past"


PLANT = [
    Net.rename_input, Net.unname_input, Net.retype_input, Net.reshape_input, Net.drop_gather, Net.before_gather,
    Net.after_gather, Net.other_gather, Net.drop_assign, Net.rename_state, Net.second_read, Net.drop_attention,
    Net.drop_mask, Net.between, Net.extra_result, Net.uninitialized, Net.ask_length, Net.swap_concat,
]

ASK = """
import sys
sys.modules["openvino_telemetry"] = None
import openvino
from openvino import _offline_transformations as transformations
core = openvino.Core()
for line in sys.stdin:
    name, path = line.split()
    try:
        model = core.read_model(path)
    except Exception:
        print("unread", flush=True)
        continue
    try:
        getattr(transformations, name)(model)
        print("ok", flush=True)
    except Exception as error:
        lines = [part.strip() for part in str(error).splitlines() if part.strip()]
        print(" / ".join(lines[-2:])[:300], flush=True)
"""


class OpenVino:
    def __init__(self):
        self.process = None

    def ask(self, name, path):
        if self.process is None or self.process.poll() is not None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen([sys.executable, "-c", ASK], text=True, **pipes)
        self.process.stdin.write(f"{name} {path}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            self.process.wait()
            return "the process died"
        return answer


def mutants(folder, seed, number):
    """Copies of the exports, each with what was planted."""
    rng = random.Random(seed)
    models = sorted(path for path in folder.rglob("*.xml") if path.with_suffix(".bin").exists())
    models = [path for path in models if {"ReadValue", "ScaledDotProductAttention"} <= {l.get("type") for l in Net(path).layers}]
    made = 0
    while made < number:
        net, path = Net(models[made % len(models)]), models[made % len(models)]
        plants = rng.sample(PLANT, rng.choice([1, 1, 1, 2]))
        try:
            done = [plant(net, rng) for plant in plants]
        except (StopIteration, IndexError, ValueError):
            continue # one fault took what the other needs
        if None in done:
            continue
        yield made, path, net, "; ".join(done)
        made += 1


def main(folder, ovlint, seed=1, number=200):
    folder, openvino = Path(folder), OpenVino()
    differ = listed = compared = refused = 0
    with tempfile.TemporaryDirectory() as work:
        for at, original, net, planted in mutants(folder, int(seed), int(number)):
            path = Path(work) / f"{at}.xml"
            net.tree.write(path)
            path.with_suffix(".bin").write_bytes(net.weights)
            answers = {rule: openvino.ask(name, path) for rule, name in PAIRS.items()}
            if "unread" in answers.values():
                continue
            if ovlint == "-":
                print(at, original.parent.name, original.stem, planted, answers, sep=" | ", flush=True)
                continue
            command = [ovlint, "check", "--isolated", "--for", "genai", "--format", "json", path]
            report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
            found = {f["rule"]: f for model in report["models"] for f in model["findings"]}
            for rule, answer in answers.items():
                compared += 1
                refused += answer != "ok"
                finding = found.get(rule) or found.get("genai-model")
                is_error = finding is not None and finding["severity"] == "error"
                if is_error != (answer != "ok"):
                    listed += net.is_ambiguous()
                    differ += not net.is_ambiguous()
                    said = finding["message"] if is_error else "nothing"
                    print(f"{at} {original}: {planted}\n  {rule}: {said}\n  OpenVINO: {answer}")
    print(f"{compared} verdicts, {refused} of them refusals: {differ} differ, and {listed} where several inputs may be that of the tokens")
    return differ


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
