"""Models for the test in a browser: hostile ones, and large ones like those that exporters write."""

from pathlib import Path
from xml.sax.saxutils import quoteattr


class Net:
    """A net in the making; every layer takes one tensor and gives one, of two floats."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.edges: list[str] = []
        self.ports: list[int] = []

    def add(self, name: str, kind: str, *inputs: int) -> int:
        at = len(self.layers)
        self.ports.append(len(inputs))
        data = {"Parameter": "<data shape='2' element_type='f32'/>"}.get(kind, "")
        ports = "".join(f"<port id='{port}'><dim>2</dim></port>" for port in range(len(inputs)))
        given = f"<input>{ports}</input>" if inputs else ""
        gives = "" if kind == "Result" else f"<output><port id='{len(inputs)}' precision='FP32'><dim>2</dim></port></output>"
        self.layers.append(
            f"<layer id='{at}' name={quoteattr(name)} type={quoteattr(kind)} version='opset1'>{data}{given}{gives}</layer>"
        )
        for port, source in enumerate(inputs):
            self.edges.append(f"<edge from-layer='{source}' from-port='{self.ports[source]}' to-layer='{at}' to-port='{port}'/>")
        return at

    def text(self, name: str = "net") -> str:
        content = f"<layers>{''.join(self.layers)}</layers><edges>{''.join(self.edges)}</edges>"
        return f"<?xml version='1.0'?><net name={quoteattr(name)} version='11'>{content}</net>"


def chain(names: list[str], kind: str = "ReLU", name: str = "net") -> str:
    """A Parameter, layers of these names one after the other, and a Result."""
    net = Net()
    last = net.add("input", "Parameter")
    for own in names:
        last = net.add(own, kind, last)
    net.add("result", "Result", last)
    return net.text(name)


def deep(levels: int) -> str:
    """A TensorIterator in a TensorIterator in a TensorIterator, and so on."""
    port = "precision='FP32'><dim>2</dim></port>"

    def layer(at: int, name: str, kind: str, inner: str = "") -> str:
        data = "<data shape='2' element_type='f32'/>" if kind == "Parameter" else ""
        given = f"<input><port id='0' {port}</input>" if at > 0 else ""
        gives = f"<output><port id='{1 if at else 0}' {port}</output>" if at < 2 else ""
        return f"<layer id='{at}' name='{name}' type='{kind}' version='opset1'>{data}{given}{gives}{inner}</layer>"

    def net(middle: str) -> str:
        edges = "".join(
            f"<edge from-layer='{at}' from-port='{at}' to-layer='{at + 1}' to-port='0'/>" for at in (0, 1)
        )
        return f"<layers>{layer(0, 'p', 'Parameter')}{middle}{layer(2, 'r', 'Result')}</layers><edges>{edges}</edges>"

    middle = layer(1, "core", "ReLU")
    maps = "<port_map><input external_port_id='0' internal_layer_id='0'/><output external_port_id='1' internal_layer_id='2'/></port_map>"
    for level in range(levels):
        middle = layer(1, f"level_{level}", "TensorIterator", f"{maps}<body>{net(middle)}</body>")
    return f"<?xml version='1.0'?><net name='deep' version='11'>{net(middle)}</net>"


def hostile(folder: Path) -> None:
    """Models whose authors mean no good."""
    escaped = "</script><script>alert(1)</script>"
    texts = {
        "script": chain(["<script>alert(1)</script>", escaped, "<img src=x onerror=alert(1)>", "javascript:alert(1)"], name=escaped),
        "control": chain(["a\u0085b\u009b31mc", "tab\there", "line\u2028separator", "zero\u200bwidth\ufeff"]),
        "bidi": chain(["\u202egnp.exe", "\u2066isolated", "\u05d0\u05d1/\u05d2.\u05d3", "e\u0301" * 40]),
        "long": chain(["n" * 100_000, "/".join("ab" for _ in range(30_000)), "." * 100_000, "\U0001f600" * 20_000]),
        "prototype": chain(["__proto__", "constructor", "toString", "hasOwnProperty", "__proto__/__proto__/x", "valueOf"] * 20),
        "identity": chain(["ids"]).replace("id='1'", "id='9007199254740993'", 1).replace("-layer='1'", "-layer='9007199254740993'"),
        "types": chain(["a", "b"], kind="<svg onload=alert(1)>"),
        "deep": deep(24),
        "same": chain(["same"] * 400),
        "circle": chain(["a", "b", "c", "d"]).replace("from-layer='1' from-port='1' to-layer='2'", "from-layer='4' from-port='1' to-layer='2'"),
        "&lt;i&gt;": chain(["a&b", "&amp;", "%2e%2e", "\\u003cscript\\u003e"]),
    }
    for name, text in texts.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")


def large(blocks: int) -> str:
    """Blocks of 126 layers, named as those of language models, with a mask that all of them take."""
    net = Net()
    last, mask = net.add("input_ids", "Parameter"), net.add("attention_mask", "Parameter")
    for block in range(blocks):
        start = last
        for part in ("self_attn/q", "self_attn/k", "self_attn/v", "mlp.gate", "mlp.up", "post"):
            for step in range(20):
                last = net.add(f"__module.model.layers.{block}.{part}/aten::relu_{step}", "ReLU", last)
            last = net.add(f"Add_{block}_{part[:4]}_{len(net.layers)}", "Add", last, start if part == "post" else mask)
    net.add("result", "Result", last)
    return net.text("large")
