// The findings beside the graph; a click selects the layer that one is about.

function showFindings(model, choose) {
  const side = byId("findings");
  side.replaceChildren();
  const roots = model.findings.filter((finding) => finding.cause === undefined);
  // The cause of some may be beyond those that the page holds.
  const known = new Set(model.findings.map((finding) => finding.id));
  const loose = model.findings.filter((finding) => finding.cause !== undefined && !known.has(finding.cause));
  side.append(html("h2", {}, roots.length ? counted(roots.length, "finding") : "No findings"));
  if (model.row.hidden) side.append(html("p", {}, `${counted(model.row.hidden, "finding")} ignored, in the baseline or of rules that are off`));
  model.notes.forEach((note) => side.append(html("p", {}, note)));
  model.rows = [];
  for (const finding of [...roots, ...loose]) side.append(findingRow(model, finding, choose));
  side.append(...costOf(model));
}

function findingRow(model, finding, choose) {
  const body = html("div", { class: "body", hidden: true });
  const button = html(
    "button",
    { type: "button", "aria-expanded": "false" },
    html("span", { class: `level ${finding.severity}` }, finding.severity),
    " ",
    html("span", { class: "rule" }, finding.rule),
    html("div", { class: "message" }, finding.message),
    html("div", { class: "rule" }, place(model, finding)),
  );
  const row = html("div", { class: "finding" }, button, body);
  const entry = { finding, row, button, open: () => toggle(true) };
  model.rows.push(entry);
  const toggle = (isOpen) => {
    if (isOpen && !body.childNodes.length) fill();
    body.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  };
  const fill = () => {
    // The message stands above already.
    const excerpt = finding.text.replace(/^[^]*?\n(?= *-->)/, "");
    body.append(html("pre", { tabindex: 0, "aria-label": "the lines of the file" }, ...coloured(excerpt)));
    const following = model.findings.filter(({ cause }) => cause !== undefined && cause === finding.id);
    if (!following.length) return;
    body.append(html("h3", {}, `${counted(following.length, "finding")} that follow${following.length === 1 ? "s" : ""} from this one`));
    following.forEach((one) => body.append(findingRow(model, one, choose)));
  };
  button.addEventListener("click", () => {
    toggle(body.hidden);
    if (!body.hidden) choose(entry);
  });
  return row;
}

function place(model, finding) {
  if (finding.layer) {
    const [at, layer] = finding.layer;
    return `${model.type(at, layer)} ${model.prefix(at)}${model.graphs[at].name[layer]}, line ${model.graphs[at].line[layer]}`;
  }
  return finding.place ?? "the file as a whole";
}

// Marks and notes in an excerpt stand out a little.
function coloured(text) {
  return text.split("\n").map((line) => {
    const isMark = /^\s*\|\s*(\||[\^-]).*/.test(line) || /^\s*\|.*\^\^/.test(line);
    const isNote = /^\s*= (note|help)/.test(line);
    return html("span", { class: isMark ? "mark" : isNote ? "note" : null }, `${line}\n`);
  });
}

// Shows which findings are about the selected layer.
function markFindings(model, selected) {
  for (const { finding, row } of model.rows ?? []) {
    const is = selected && finding.layer && finding.layer[0] === selected.at && finding.layer[1] === selected.layer;
    row.toggleAttribute("data-current", Boolean(is));
  }
}
