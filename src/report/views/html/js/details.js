// The selected layer: attributes, inputs, outputs, and why an output has its shape.

function showDetails(model, selected) {
  const side = byId("details");
  const graph = model.graphs[selected.at];
  const { at, layer } = selected;
  const kind = graph.kinds[graph.kind[layer]];
  const close = html("button", { type: "button", "aria-label": "Close", onclick: closeDetails }, "✕");
  const constant = graph.constantAt.get(layer);
  const facts = [
    tableRow("name", `${model.prefix(at)}${graph.name[layer]}`),
    tableRow("operation", `${kind.type} ${kind.version}`),
    tableRow("id", graph.id[layer] || "none"),
    tableRow("line", String(graph.line[layer])),
    constant && tableRow("bytes", `${model.weights} ${constant[0]}..${constant[0] + constant[1]}`),
    graph.isAssumed.has(layer) && tableRow("shape", "as the file declares, because it cannot be inferred"),
  ].filter(Boolean);
  const attributes = model.strings[graph.attributes[layer]].split("\n").filter(Boolean).map((line) => {
    const cut = line.indexOf("=");
    return cut < 0 ? tableRow("", line) : tableRow(line.slice(0, cut), html("span", { class: "mono" }, line.slice(cut + 1)));
  });
  side.replaceChildren(
    html("div", { class: "head" }, html("h2", {}, shortened(`${kind.type} ${graph.name[layer]}`, 160)), close),
    ...titledTable("Layer", facts),
    ...titledTable("Attributes", attributes),
    ...titledTable("Inputs", inputRows(model, selected, kind)),
    ...titledTable("Outputs", outputRows(model, selected)),
    ...(selected.output === undefined ? [] : [showWhy(model, selected)]),
  );
  side.hidden = false;
  document.querySelector("#panes [data-pane=details]").disabled = false;
  side.querySelector(".why")?.scrollIntoView({ block: "nearest" });
}

function hideDetails() {
  byId("details").hidden = true;
  document.querySelector("#panes [data-pane=details]").disabled = true;
  if (byId("model").dataset.pane === "details") showPane("graph");
}

// Hides the details, and goes back to the box that they are of.
function closeDetails() {
  const item = current.view.selectedItem();
  hideDetails();
  if (item) current.view.focus(item);
}

function inputRows(model, { at, layer }, kind) {
  const inputs = model.graphs[at].inputs[layer];
  return Array.from({ length: inputs.length / 2 }, (_, port) => {
    const name = kind.inputs[port] ?? String(port);
    const [from, output] = inputs.slice(2 * port, 2 * port + 2);
    if (from < 0) return tableRow(name, "not connected");
    const fact = model.fact(at, from, output);
    const value = shortened(equal(fact), 63);
    const source = link(shortened(model.graphs[at].name[from], 80), () => current.view.go(at, from));
    return tableRow(name, html("span", { class: "mono" }, fact.text + value), html("br"), source);
  });
}

function outputRows(model, { at, layer }) {
  const all = Array.from({ length: model.outputs(at, layer) }, (_, output) => output);
  return all.map((output) => {
    const fact = model.fact(at, layer, output);
    const takers = model.graphs[at].takers[layer].filter(([, , from]) => from === output);
    const shown = takers.slice(0, 8).flatMap(([to, port]) => [
      html("br"),
      link(`${shortened(model.graphs[at].name[to], 70)}, input ${port}`, () => current.view.go(at, to)),
    ]);
    const more = takers.length > 8 ? [html("br"), `and ${counted(takers.length - 8, "more layer")}`] : [];
    const why = link("why?", () => current.view.choose(at, layer, output), { "data-why": output });
    return tableRow(String(output), html("span", { class: "mono" }, fact.text), fact.isAssumed ? " (declared) " : " ", why, ...shown, ...more);
  });
}
