// Layers by name, operation or id, of the net and of all bodies; operations with their counts.

const MOST_HITS = 50;

// The operations in the order of their counts: all, or those that have these words in their names.
function operations(model, words) {
  const counts = new Map();
  model.graphs.forEach((graph, at) => graph.kind.forEach((_, layer) => counts.set(model.type(at, layer), (counts.get(model.type(at, layer)) ?? 0) + 1)));
  const hits = [...counts].filter(([type]) => words.every((word) => type.toLowerCase().includes(word)));
  return hits.sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1)).map(([type, count]) => ({ type, count }));
}

function found(model, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const only = /^type:(\S+)$/i.exec(query)?.[1].toLowerCase();
  const types = only ? [] : operations(model, words);
  if (!words.length) return { hits: types.slice(0, MOST_HITS), more: types.length - MOST_HITS, what: "operation" };
  const hits = [];
  let count = 0;
  model.graphs.forEach((graph, at) => {
    graph.name.forEach((name, layer) => {
      const id = graph.id[layer];
      const text = `${model.type(at, layer)} ${name}`.toLowerCase();
      const isId = words.length === 1 && id === words[0];
      if (only ? model.type(at, layer).toLowerCase() !== only : !isId && !words.every((word) => text.includes(word))) return;
      count += 1;
      const isExact = isId || name.toLowerCase() === query.toLowerCase();
      if (isExact || hits.length < 4 * MOST_HITS) hits.push({ at, layer, rank: isExact ? 0 : name.toLowerCase().includes(words[0]) ? 1 : 2 });
    });
  });
  // Layers of exactly this name come before operations, and others after them.
  const all = [...hits, ...types.slice(0, 5).map((one) => ({ ...one, rank: 0.5 }))].sort((a, b) => a.rank - b.rank).slice(0, MOST_HITS);
  return { hits: all, more: count - all.filter((hit) => !hit.count).length, what: "layer" };
}

function listenToSearch() {
  const field = byId("search");
  const list = byId("hits");
  let hits = [];
  let place = -1;
  const close = () => {
    hits = [];
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const mark = (next) => {
    place = Math.max(0, Math.min(hits.length - 1, next));
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === place)));
    list.children[place]?.scrollIntoView({ block: "nearest" });
    if (hits.length) field.setAttribute("aria-activedescendant", `hit-${place}`);
  };
  const take = (at) => {
    const hit = hits[at];
    if (!hit || !current.view) return;
    if (hit.count) {
      field.value = `type:${hit.type}`;
      return show();
    }
    close();
    visit(hit.at, hit.layer);
    const item = current.view.selectedItem();
    if (item) current.view.focus(item);
  };
  const show = () => {
    const { model } = current;
    if (!model) {
      close();
      return current.list?.show();
    }
    const { hits: all, more, what } = found(model, field.value.trim());
    hits = all;
    const item = ({ at, layer, type, count }, number) => {
      const text = count
        ? [html("strong", {}, type), html("span", { class: "quiet" }, ` ${counted(count, "layer")}`)]
        : [html("strong", {}, model.type(at, layer)), ` ${model.prefix(at)}${model.graphs[at].name[layer]}`];
      return html("li", { role: "option", id: `hit-${number}`, onpointerdown: (event) => (event.preventDefault(), take(number)) }, ...text);
    };
    const note = !hits.length ? "no layer has this name, operation or id" : more > 0 ? `and ${counted(more, `more ${what}`)}` : null;
    list.replaceChildren(...hits.map(item), ...(note ? [html("li", { class: "note", role: "option", "aria-disabled": "true" }, note)] : []));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    mark(0);
  };
  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(place + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") take(place);
    else if (event.key === "Escape") {
      close();
      field.blur();
    }
  });
}
