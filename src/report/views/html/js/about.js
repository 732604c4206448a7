// What the model is, above the graph, and what it costs, below the findings.

const fold = (model, title, ...content) =>
  html("details", { class: "about", open: !model.findings.length }, html("summary", {}, title), ...content);

// The lines of `ovlint info`: a title and a value, which goes on in lines without a title; lists are broken anew.
function showCard(model, isOpen) {
  const card = byId("card");
  card.hidden = !model.about;
  card.open = isOpen && innerWidth > NARROW;
  const [head, ...lines] = model.about.trimEnd().split("\n");
  const rows = [];
  for (const line of lines) {
    const [title, value] = [line.slice(2, 13).trim(), line.slice(14)];
    if (title || !rows.length) rows.push([title, value]);
    else rows.at(-1)[1] += `${rows.at(-1)[1].endsWith(",") ? " " : "\n"}${value}`;
  }
  const row = ([title, value]) => tableRow(title, html("span", { class: "mono" }, value));
  const name = html("p", { class: "mono" }, head.replace(/  +/, "  "));
  card.replaceChildren(html("summary", {}, "About the model"), name, html("table", { class: "rows" }, html("tbody", {}, ...rows.map(row))));
}

// The inputs and outputs of the model, which stay in view; a click leads to one.
function showEnds(model) {
  for (const [place, role, what] of [["top", "parameter", "input"], ["bottom", "result", "output"]]) {
    const [graph] = model.graphs;
    const layers = graph ? graph.name.flatMap((_, layer) => (model.role(0, layer) === role ? [layer] : [])) : [];
    const fact = (layer) => (role === "result" ? model.inputFact(0, layer) : model.fact(0, layer, 0)).text;
    const chip = (layer) => link([shortened(graph.name[layer], 30), html("span", { class: "mono" }, ` ${shortened(fact(layer), 30)}`)], () => current.view.go(0, layer));
    const ends = document.querySelector(`.ends.${place}`);
    ends.hidden = !layers.length;
    ends.replaceChildren(html("span", {}, counted(layers.length, what)), ...layers.slice(0, MOST_ENDS).map(chip));
  }
}

const MOST_ENDS = 20;

function costOf(model) {
  return model.cost?.length ? [fold(model, "Cost", ...model.cost.flatMap(costPart), ...layersByCost(model))] : [];
}

// A line, or a title with rows.
function costPart(part) {
  if (typeof part === "string") return html("p", {}, part);
  const show = (head, layer) => link("show", () => visit(0, layer), { "aria-label": `show the layer: ${head}` });
  const shown = ([head, text, layer]) => tableRow(head, text, " ", layer === null || !current.view ? "" : show(head, layer));
  return titledTable(part.title, part.rows.map(shown));
}
