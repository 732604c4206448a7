// The layers of the main graph that cost most: a table to sort by multiplications or by the bytes of weights.

const MOST_LAYERS = 20;

// How often the layers are gone through, which finds weights behind so many layers in any order.
const PASSES = 12;

// The bytes of weights that each layer takes: of constants, directly or through layers that take nothing else.
function weightBytes(graph) {
  const sources = graph.inputs.map((all) => all.filter((_, at) => at % 2 === 0));
  const constant = new Map(graph.constants.map(([layer, , size]) => [layer, size]));
  const sum = (layer) => sources[layer].reduce((total, from) => total + (constant.get(from) ?? 0), 0);
  for (let [pass, known] = [0, -1]; pass < PASSES && known !== constant.size; pass += 1) {
    known = constant.size;
    sources.forEach((from, layer) => {
      if (!constant.has(layer) && from.length && from.every((one) => constant.has(one))) constant.set(layer, sum(layer));
    });
  }
  return sources.map((_, layer) => (constant.has(layer) ? 0 : sum(layer)));
}

function layersByCost(model) {
  const [graph] = model.graphs;
  if (!graph) return [];
  const bytes = weightBytes(graph);
  const macs = new Map(model.macs.map(([layer, text, typical]) => [layer, { text: model.strings[text], typical }]));
  const total = { macs: model.macs.reduce((sum, [, , typical]) => sum + typical, 0), bytes: bytes.reduce((sum, one) => sum + one, 0) };
  const keys = { MACs: (layer) => macs.get(layer)?.typical ?? 0, "weight bytes": (layer) => bytes[layer] };
  const share = (part, whole) => html("span", { class: "quiet" }, ` ${Math.round((100 * part) / whole)}\u00a0%`);
  const row = (layer) => {
    const name = link(shortened(`${model.type(0, layer)} ${graph.name[layer]}`, 60), () => visit(0, layer));
    const work = macs.has(layer) && total.macs ? [shortened(macs.get(layer).text, 40), share(keys.MACs(layer), total.macs)] : [];
    return html("tr", {}, html("td", {}, name), html("td", {}, ...work), html("td", {}, ...(bytes[layer] ? [bytes[layer].toLocaleString("en"), share(bytes[layer], total.bytes)] : [])));
  };
  const body = html("tbody");
  const heads = Object.keys(keys).map((title) => html("th", { scope: "col" }, html("button", { type: "button", class: "link", onclick: () => show(title) }, title)));
  const show = (title) => {
    const key = keys[title];
    const layers = graph.name.map((_, layer) => layer).filter((layer) => key(layer) > 0);
    body.replaceChildren(...layers.sort((a, b) => key(b) - key(a) || a - b).slice(0, MOST_LAYERS).map(row));
    heads.forEach((head) => head.setAttribute("aria-sort", head.textContent === title ? "descending" : "none"));
  };
  show(total.macs ? "MACs" : "weight bytes");
  if (!body.childNodes.length) return [];
  return [html("h3", {}, "Layers that cost most"), html("table", { class: "rows layers" }, html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "layer"), ...heads)), body)];
}
