// The first page, and the page of one model.

// `at` is the model that was asked for last, which may not be open yet.
const current = { at: null, model: null, view: null, entry: null };

function chooseFinding(entry) {
  current.entry = entry;
  if (entry.finding.layer && current.view) current.view.go(...entry.finding.layer);
  if (!entry.finding.layer) markFindings(current.model, null);
  entry.row.toggleAttribute("data-current", true);
}

const verdict = (row) => {
  const parts = [row.errors && counted(row.errors, "error"), row.warnings && counted(row.warnings, "warning"), row.infos && counted(row.infos, "info")];
  return parts.filter(Boolean).join(", ") || "no problems";
};

const worst = (row) => (row.errors ? "error" : row.warnings ? "warning" : row.infos ? "info" : "");

function heading(title, text, level) {
  byId("title").textContent = title;
  byId("verdict").textContent = text;
  byId("verdict").className = level;
}

function showList(index) {
  byId("model").hidden = true;
  byId("list").hidden = false;
  byId("home").hidden = true;
  byId("search").disabled = true;
  Object.assign(current, { at: null, model: null, view: null, entry: null });
  const failing = index.models.filter((row) => row.errors).length;
  heading(counted(index.models.length, "model"), failing ? `${counted(failing, "model")} with errors` : "no errors", failing ? "error" : "");
  if (byId("list").childNodes.length) return;
  const number = (count, level) => html("td", { class: count ? `number ${level}` : "number quiet" }, count.toLocaleString("en"));
  const row = (one, at) => {
    const name = one.closed === null ? link(one.path, () => (location.hash = `#model-${at}`)) : one.path;
    const status = one.closed ?? verdict(one);
    const [weights, macs] = one.cost ?? ["", ""];
    const counts = [number(one.errors, "error"), number(one.warnings, "warning"), number(one.layers, "")];
    const cost = [html("td", { class: "number" }, weights), html("td", { class: "formula" }, macs)];
    return html("tr", {}, html("td", {}, name), html("td", { class: worst(one) }, status), ...counts, ...cost);
  };
  const titles = ["model", "verdict", "errors", "warnings", "layers", "weights", "MACs"];
  const head = titles.map((title, at) => html("th", { scope: "col", class: at > 1 ? "number" : null }, title));
  byId("list").append(
    ...(index.note ? [html("p", {}, index.note)] : []),
    html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...index.models.map(row))),
  );
}

async function showModel(index, at) {
  const row = index.models[at];
  byId("list").hidden = true;
  byId("model").hidden = false;
  byId("home").hidden = index.models.length === 1;
  byId("search").disabled = false;
  byId("search").value = "";
  hideDetails();
  const name = row.name && !row.path.includes(row.name) ? ` (${row.name})` : "";
  heading(row.path + name, `${verdict(row)} · ${counted(row.layers, "layer")}`, worst(row));
  current.at = at;
  const data = await unpacked(`model-${at}`);
  if (current.at !== at) return;
  const model = new Model(row, data);
  const isEmpty = !model.graphs.some((graph) => graph.boxes.length);
  byId("empty").hidden = !isEmpty;
  byId("canvas").toggleAttribute("hidden", isEmpty);
  byId("empty").textContent = model.notes[0] ?? "The file could not be read as a graph: see the findings.";
  byId("scene").replaceChildren();
  Object.assign(current, { model, view: isEmpty ? null : new View(model), entry: null });
  showFindings(model, chooseFinding);
  document.body.dataset.ready = String(at); // For tests.
}

async function start() {
  const index = await unpacked("index");
  listenToPointer();
  listenToSearch();
  listenToKeys();
  byId("closer").addEventListener("click", () => current.view?.zoom(1.25));
  byId("farther").addEventListener("click", () => current.view?.zoom(0.8));
  byId("fit").addEventListener("click", () => current.view?.fit());
  byId("collapse").addEventListener("click", () => current.view?.closeAll());
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("home").addEventListener("click", () => (location.hash = ""));
  addEventListener("beforeprint", () => forPrint(true));
  addEventListener("afterprint", () => forPrint(false));
  const route = () => {
    const at = index.models.length === 1 ? 0 : Number(/^#model-(\d+)$/.exec(location.hash)?.[1] ?? -1);
    return index.models[at]?.closed === null ? showModel(index, at) : showList(index);
  };
  addEventListener("hashchange", route);
  await route();
}

// On paper everything on the left is open and the graph is whole.
function forPrint(is) {
  const { view, model } = current;
  if (!view) return;
  if (is) {
    // Opening one adds those that follow from it.
    for (const entry of model.rows) entry.open();
    document.querySelectorAll(".about").forEach((about) => (about.open = true));
    byId("canvas").setAttribute("viewBox", `-10 -10 ${view.frame.width + 20} ${view.frame.height + 20}`);
    byId("scene").removeAttribute("transform");
  } else {
    byId("canvas").removeAttribute("viewBox");
    view.move();
  }
}

start().catch((error) => {
  byId("verdict").textContent = `the report could not be shown: ${error.message}`;
});
