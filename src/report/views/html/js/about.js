// Below the findings: what the model is, and what it costs.

function aboutModel(model) {
  const fold = (title, ...content) =>
    html("details", { class: "about", open: !model.findings.length }, html("summary", {}, title), ...content);
  const about = () => html("pre", { tabindex: 0, "aria-label": "the model" }, model.about);
  return [
    ...(model.about ? [fold("About the model", about())] : []),
    ...(model.cost?.length ? [fold("Cost", ...model.cost.flatMap(costPart))] : []),
  ];
}

// A line, or a title with rows.
function costPart(part) {
  if (typeof part === "string") return html("p", {}, part);
  const show = (head, layer) => link("show", () => current.view.go(0, layer), { "aria-label": `show the layer: ${head}` });
  const shown = ([head, text, layer]) => tableRow(head, text, " ", layer === null || !current.view ? "" : show(head, layer));
  return titledTable(part.title, part.rows.map(shown));
}
