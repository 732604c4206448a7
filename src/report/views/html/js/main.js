// The list of models, and the page of one.

// `at` is the model that was asked for last, which may not be open yet; `isReady` is set once it is.
const current = { at: null, model: null, view: null, entry: null, list: null, isReady: false };

function chooseFinding(entry) {
  const { model, view } = current;
  current.entry = entry;
  if (entry.finding.layer && view) view.go(...entry.finding.layer);
  else {
    hideDetails();
    if (view) view.selected = null;
    view?.highlight();
    markFindings(model, null);
    showAddress();
  }
  entry.row.toggleAttribute("data-current", true);
}

function heading(title, text, level) {
  byId("title").replaceChildren(...[broken(title)].flat());
  byId("verdict").textContent = text;
  byId("verdict").className = level;
}

function showList(index) {
  byId("model").hidden = true;
  byId("list").hidden = false;
  byId("home").hidden = true;
  byId("search").value = "";
  byId("search").placeholder = "Find a model   /";
  Object.assign(current, { at: null, model: null, view: null, entry: null });
  const failing = index.models.filter((row) => row.errors).length;
  const words = [failing && `${counted(failing, "model")} with errors`, index.faults && `${counted(index.faults, "error")} of the folder`];
  heading(counted(index.models.length, "model"), words.filter(Boolean).join(", ") || "no errors", failing || index.faults ? "error" : "");
  current.list ??= new List(index);
  current.list.show();
}

async function showModel(index, at, address) {
  const row = index.models[at];
  byId("list").hidden = true;
  byId("model").hidden = false;
  byId("home").hidden = !index.lists;
  byId("search").value = "";
  byId("search").placeholder = "Find a layer   /";
  hideDetails();
  const name = row.name && !row.path.includes(row.name) ? ` (${row.name})` : "";
  heading(row.path + name, `${verdict(row)} · ${counted(row.layers, "layer")}`, worst(row));
  Object.assign(current, { at, isReady: false });
  const data = await unpacked(`model-${at}`);
  if (current.at !== at) return;
  const model = new Model(row, data);
  const isEmpty = !model.graphs.some((graph) => graph.boxes.length);
  byId("empty").hidden = !isEmpty;
  byId("canvas").toggleAttribute("hidden", isEmpty);
  byId("empty").textContent = model.notes[0] ?? "The file could not be read as a graph: see the findings.";
  byId("scene").replaceChildren();
  const isNamed = address[0].includes("/");
  showCard(model, !isNamed && !model.findings.length);
  showEnds(model);
  Object.assign(current, { model, view: isEmpty ? null : new View(model), entry: null });
  showFindings(model, chooseFinding);
  showPane(model.findings.length && !address[4] ? "findings" : "graph");
  if (isNamed) goTo(address);
  else openFinding(firstFinding(model));
  current.isReady = true;
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
  byId("panes").addEventListener("click", ({ target }) => target.dataset.pane && showPane(target.dataset.pane));
  addEventListener("beforeprint", () => forPrint(true));
  addEventListener("afterprint", () => forPrint(false));
  const route = () => {
    const address = ADDRESS.exec(location.hash) ?? (index.lists ? null : ["", "0"]);
    const at = address && Number(address[1]);
    if (index.models[at]?.closed !== null) return showList(index);
    return current.isReady && current.at === at ? goTo(address) : showModel(index, at, address);
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
    document.querySelectorAll(".about, #card").forEach((about) => (about.open = true));
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
