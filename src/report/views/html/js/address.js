// The address of what is selected: #model-2, #model-2/finding-0, #model-2/layer-5, or #model-2/layer-3.5:1 for output 1 of layer 5
// in graph 3. It is kept on reload and when it is copied, and Back leads to what was selected before.

const ADDRESS = /^#model-(\d+)(?:\/(?:finding-(\d+)|layer-(?:(\d+)\.)?(\d+)(?::(\d+))?))?$/;

const layerAddress = ({ at, layer, output }) => `layer-${at ? `${at}.` : ""}${layer}${output === undefined ? "" : `:${output}`}`;

const isAbout = (finding, selected) => finding.layer?.[0] === selected.at && finding.layer[1] === selected.layer;

function showAddress() {
  const { at, model, view, entry } = current;
  const selected = view?.selected;
  const isFinding = entry && (selected ? isAbout(entry.finding, selected) && selected.output === undefined : !entry.finding.layer);
  const part = isFinding ? `finding-${model.findings.indexOf(entry.finding)}` : selected && layerAddress(selected);
  const address = `#model-${at}${part ? `/${part}` : ""}`;
  if (location.hash !== address) history[current.isReady ? "pushState" : "replaceState"](null, "", address);
}

// Selects what an address names; without a name, nothing.
function goTo([, , finding, at, layer, output]) {
  const { model, view } = current;
  const graph = model.graphs[Number(at ?? 0)];
  if (model.findings[finding]) openFinding(findingEntry(model, Number(finding)));
  else if (view && graph?.name[layer] !== undefined) view.go(Number(at ?? 0), Number(layer), output && Number(output));
  else if (view?.selected) escape(view);
}

// The row of a finding; opening those that cause it makes it, if it is not there yet.
function findingEntry(model, number) {
  const finding = model.findings[number];
  const known = () => model.rows.find((entry) => entry.finding === finding);
  if (!known()) {
    const cause = model.findings.findIndex(({ id }) => id !== undefined && id === finding.cause);
    if (cause >= 0 && cause !== number) findingEntry(model, cause)?.open();
  }
  return known();
}

// Opens a finding, brings it into view and selects its layer.
function openFinding(entry) {
  if (!entry) return;
  entry.open();
  chooseFinding(entry);
  entry.row.scrollIntoView({ block: "start" });
}

// What a model opens at: its first error, or else its first warning.
function firstFinding(model) {
  const of = (severity) => model.rows.find(({ finding }) => finding.severity === severity);
  return of("error") ?? of("warning");
}

// Selects a layer and shows the graph.
function visit(at, layer) {
  current.view.go(at, layer);
  showPane("graph");
}

// On a narrow screen, one part of the page at a time.
const NARROW = 1100;

function showPane(name) {
  byId("model").dataset.pane = name;
  document.querySelectorAll("#panes button").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.pane === name)));
  const { view } = current;
  if (name !== "graph" || innerWidth > NARROW || !view) return;
  const item = view.selectedItem();
  if (item) view.centre(item);
  else view.start();
}
