// The selected layer: attributes, inputs, outputs, and why an output has its shape.

function showDetails(model, selected) {
  const side = byId("details");
  const graph = model.graphs[selected.at];
  const { at, layer } = selected;
  const kind = graph.kinds[graph.kind[layer]];
  const close = html("button", { type: "button", "aria-label": "Close", onclick: () => hideDetails() }, "✕");
  const rows = (title, all) => (all.length ? [html("h3", {}, title), html("table", {}, html("tbody", {}, ...all))] : []);
  const row = (head, ...cells) => html("tr", {}, html("th", { scope: "row" }, head), html("td", {}, ...cells));
  const constant = graph.constantAt.get(layer);
  const facts = [
    row("name", `${model.prefix(at)}${graph.name[layer]}`),
    row("operation", `${kind.type} ${kind.version}`),
    row("id", graph.id[layer] || "none"),
    row("line", String(graph.line[layer])),
    constant && row("bytes", `${model.weights} ${constant[0]}..${constant[0] + constant[1]}`),
    graph.isAssumed.has(layer) && row("shape", "as the file declares, because it cannot be inferred"),
  ].filter(Boolean);
  const attributes = model.strings[graph.attributes[layer]].split("\n").filter(Boolean).map((line) => {
    const cut = line.indexOf("=");
    return cut < 0 ? row("", line) : row(line.slice(0, cut), html("span", { class: "mono" }, line.slice(cut + 1)));
  });
  side.replaceChildren(
    html("div", { class: "head" }, html("h2", {}, shortened(`${kind.type} ${graph.name[layer]}`, 160)), close),
    ...rows("Layer", facts),
    ...rows("Attributes", attributes),
    ...rows("Inputs", inputRows(model, selected, kind, row)),
    ...rows("Outputs", outputRows(model, selected, row)),
    ...(selected.output === undefined ? [] : [showWhy(model, selected)]),
  );
  side.hidden = false;
  side.querySelector(".why")?.scrollIntoView({ block: "nearest" });
}

function hideDetails() {
  byId("details").hidden = true;
}

function inputRows(model, { at, layer }, kind, row) {
  const inputs = model.graphs[at].inputs[layer];
  return Array.from({ length: inputs.length / 2 }, (_, port) => {
    const name = kind.inputs[port] ?? String(port);
    const [from, output] = inputs.slice(2 * port, 2 * port + 2);
    if (from < 0) return row(name, "not connected");
    const fact = model.fact(at, from, output);
    const value = fact.whole.includes(" = ") ? ` = ${shortened(fact.whole.split(" = ")[1], 60)}` : "";
    const source = link(shortened(model.graphs[at].name[from], 80), () => current.view.go(at, from));
    return row(name, html("span", { class: "mono" }, fact.text + value), html("br"), source);
  });
}

function outputRows(model, { at, layer }, row) {
  const all = Array.from({ length: model.outputs(at, layer) }, (_, output) => output);
  return all.map((output) => {
    const fact = model.fact(at, layer, output);
    const takers = model.graphs[at].takers[layer].filter(([, , from]) => from === output);
    const shown = takers.slice(0, 8).flatMap(([to, port]) => [
      html("br"),
      link(`${shortened(model.graphs[at].name[to], 70)}, input ${port}`, () => current.view.go(at, to)),
    ]);
    const more = takers.length > 8 ? [html("br"), `and ${counted(takers.length - 8, "more layer")}`] : [];
    const why = html("button", { type: "button", class: "link", "data-why": output, onclick: () => current.view.choose(at, layer, output) }, "why?");
    return row(String(output), html("span", { class: "mono" }, fact.text), fact.isAssumed ? " (assumed) " : " ", why, ...shown, ...more);
  });
}
