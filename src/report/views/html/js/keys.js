// Everything by keyboard.

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    const { view } = current;
    if (event.target.closest("input, select, dialog") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "/") {
      event.preventDefault();
      return byId("search").focus();
    }
    if (!view) return;
    const isInGraph = event.target.closest("#canvas") || event.target === document.body;
    const item = view.focused ?? view.selectedItem() ?? view.parts?.items[0];
    const act = () => {
      const panned = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key];
      if (panned && isInGraph && event.shiftKey) return view.pan(...panned);
      if (panned && isInGraph && item) {
        const next = view.neighbour(item, event.key) ?? item;
        view.focus(next);
        return view.uncover(next);
      }
      if ((event.key === "Enter" || event.key === " ") && isInGraph && view.focused) return view.activate(view.focused);
      switch (event.key) {
        case "+":
        case "=":
          return view.zoom(1.25);
        case "-":
          return view.zoom(0.8);
        case "0":
          return view.fit();
        case "n":
        case "p":
          return nextFinding(event.key === "n" ? 1 : -1);
        case "w":
          return why(view, item);
        case "?":
          return byId("keys").showModal();
        case "Escape":
          return escape(view);
        default:
          return false;
      }
    };
    if (act() !== false) event.preventDefault();
  });
}

function why(view, item) {
  const at = item?.frame.at;
  const focused = item && !item.isGroup ? { at, layer: view.model.graphs[at].boxes[item.number] } : null;
  const place = view.focused ? focused : (view.selected ?? focused);
  if (place && view.model.outputs(place.at, place.layer)) view.choose(place.at, place.layer, 0);
}

function escape(view) {
  if (!byId("details").hidden) hideDetails();
  view.selected = null;
  current.entry = null;
  view.highlight();
  markFindings(view.model, null);
  showAddress();
}

function nextFinding(step) {
  const rows = current.model.rows.filter(({ finding }) => finding.layer);
  if (!rows.length) return;
  const now = rows.indexOf(current.entry);
  openFinding(rows[(Math.max(now, step > 0 ? -1 : 0) + step + rows.length) % rows.length]);
}
