// Layers by name, type or id, of the net and of all bodies.

const MOST_HITS = 50;

function found(model, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = [];
  let count = 0;
  model.graphs.forEach((graph, at) => {
    graph.name.forEach((name, layer) => {
      const id = graph.id[layer];
      const text = `${model.type(at, layer)} ${name}`.toLowerCase();
      const isId = words.length === 1 && id === words[0];
      if (!isId && !words.every((word) => text.includes(word))) return;
      count += 1;
      const isExact = isId || name.toLowerCase() === query.toLowerCase();
      if (isExact || hits.length < 4 * MOST_HITS) hits.push({ at, layer, rank: isExact ? 0 : name.toLowerCase().includes(words[0]) ? 1 : 2 });
    });
  });
  return { hits: hits.sort((a, b) => a.rank - b.rank).slice(0, MOST_HITS), count };
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
    close();
    showPane("graph");
    const item = current.view.go(hit.at, hit.layer);
    if (item) current.view.focus(item);
  };
  const show = () => {
    const { model } = current;
    const query = field.value.trim();
    if (!model) current.list?.show();
    if (!query || !model) return close();
    const result = found(model, query);
    hits = result.hits;
    const item = ({ at, layer }, number) => {
      const text = [html("strong", {}, model.type(at, layer)), ` ${model.prefix(at)}${model.graphs[at].name[layer]}`];
      return html("li", { role: "option", id: `hit-${number}`, onpointerdown: (event) => (event.preventDefault(), take(number)) }, ...text);
    };
    const more = result.count - hits.length;
    const note = !result.count ? "no layer has this name, type or id" : more ? `and ${counted(more, "more layer")}` : null;
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
