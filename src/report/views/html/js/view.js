// The graph on the screen: what is open, what is selected, and which part is in view.

const MOST_BOXES = 500;
const START_BOXES = 160;
const LEGIBLE = 0.7;
const LEAST = 0.5;
const FAR = 0.35;

// Pixels around the whole graph.
const MARGIN = 40;

class View {
  constructor(model) {
    this.model = model;
    this.opened = new Set();
    this.selected = null;
    this.k = 1;
    this.x = 0;
    this.y = 0;
    this.isMoved = false;
    this.canvas = byId("canvas");
    this.scene = byId("scene");
    this.openSome();
    this.draw();
    this.start();
  }

  // Opens the largest group as long as there is little to see.
  openSome() {
    for (;;) {
      const frame = framed(this.model, 0, 0, this.opened);
      const group = (item) => this.model.graphs[0].groups[item.number];
      const next = closedGroups(frame).sort((a, b) => group(b).layers - group(a).layers)[0];
      if (!next || boxCount(frame) + group(next).items.length > START_BOXES) return;
      this.opened.add(next.key);
    }
  }

  draw() {
    this.frame = framed(this.model, 0, 0, this.opened);
    this.parts = { items: [], edges: [], byLayer: new Map(), facts: new Map() };
    const scene = new Drawing(this.model, this).frame(this.frame, this.parts);
    const before = this.canvas.contains(document.activeElement) ? this.focused : null;
    this.scene.replaceChildren(scene);
    this.absolute(this.frame, 0, 0);
    this.highlight();
    this.focused = null;
    const first = this.selectedItem() ?? this.parts.items[0];
    first?.element.setAttribute("tabindex", 0);
    if (before) this.focus(this.sameAs(before) ?? first);
  }

  // The item that is now where another was before the last drawing.
  sameAs({ frame, place }) {
    const isSame = (item) => item.place === place && item.frame.at === frame.at && item.frame.number === frame.number;
    return this.parts.items.find(isSame);
  }

  // Where every item is on the whole picture.
  absolute(frame, x, y) {
    for (const item of frame.items) {
      item.ax = x + item.left;
      item.ay = y + item.top;
      for (const inner of item.inner ?? []) this.absolute(inner, x + inner.x, y + inner.y);
    }
  }

  selectedItem() {
    return this.selected && this.parts.byLayer.get(layerKey(this.selected.at, this.selected.layer));
  }

  highlight() {
    const item = this.selectedItem();
    for (const part of this.parts.items) {
      const is = part === item;
      part.element.classList.toggle("selected", is);
      if (part.element.hasAttribute("aria-pressed")) part.element.setAttribute("aria-pressed", String(is));
    }
    for (const { element, source, target } of this.parts.edges) {
      element.classList.toggle("near", Boolean(item) && (source === item || target === item));
    }
    this.parts.facts.forEach((text) => text.classList.remove("selected"));
    if (this.selected?.output !== undefined) {
      const { at, layer, output } = this.selected;
      this.parts.facts.get(factKey(at, layer, output))?.classList.add("selected");
    }
  }

  // Selects a layer that is drawn, and one of its outputs if its shape is asked for.
  choose(at, layer, output) {
    this.selected = { at, layer, output };
    this.highlight();
    showDetails(this.model, this.selected);
    markFindings(this.model, this.selected);
    showAddress();
  }

  // Selects a layer that is drawn and shows what is known of it, without covering it.
  inspect(at, layer, output) {
    this.choose(at, layer, output);
    showPane("details");
    const item = this.selectedItem();
    if (item && this.canvas.clientWidth) this.uncover(item);
  }

  // Opens all around a layer, selects it and brings it into view.
  go(at, layer, output) {
    const keep = this.reveal(at, layer);
    this.limit(keep);
    this.draw();
    this.choose(at, layer, output);
    const item = this.selectedItem();
    if (item) this.centre(item);
    if (item && this.canvas.contains(document.activeElement)) this.focus(item);
    return item;
  }

  // Opens the groups and bodies around a layer; their keys.
  reveal(at, layer) {
    const keys = this.model.around(at, this.model.graphs[at].home[layer]?.[0]);
    for (const key of [...keys].reverse()) {
      this.opened.delete(key);
      this.opened.add(key);
    }
    return new Set(keys);
  }

  // Closes what was opened longest ago while there are too many boxes; says so.
  limit(keep) {
    let closed = 0;
    for (const key of this.opened) {
      if (boxCount(framed(this.model, 0, 0, this.opened)) <= MOST_BOXES) break;
      if (keep.has(key)) continue;
      this.opened.delete(key);
      closed += 1;
    }
    if (closed) say(`closed ${counted(closed, "group")}, as ${MOST_BOXES} boxes are shown at most`);
  }

  activate(item) {
    const { at } = item.frame;
    if (item.key === null) return this.inspect(at, this.model.graphs[at].boxes[item.number]);
    this.toggle(item);
  }

  // Opens or closes an item, its corner staying where it is.
  toggle(item) {
    const before = [item.ax, item.ay];
    const { key } = item;
    const { at } = item.frame;
    if (this.opened.has(key)) this.opened.delete(key);
    else {
      this.opened.add(key);
      this.limit(new Set([key, ...this.model.around(at, item.frame.number)]));
    }
    this.draw();
    const now = this.sameAs(item);
    if (!now) return;
    this.x += (before[0] - now.ax) * this.k;
    this.y += (before[1] - now.ay) * this.k;
    this.move();
    this.focus(now);
    if (!item.isGroup) this.choose(at, this.model.graphs[at].boxes[item.number]);
    this.uncover(now);
    say(`${this.opened.has(key) ? "opened" : "closed"} ${item.isGroup ? this.model.groupTitle(at, item.number) : "bodies"}`);
  }

  closeAll() {
    this.opened = new Set();
    this.draw();
    this.fit();
  }

  focus(item) {
    item.element.focus({ preventScroll: true });
  }

  onFocus(item) {
    this.parts.items.forEach((other) => other.element.setAttribute("tabindex", other === item ? 0 : -1));
    this.focused = item;
  }

  size() {
    return [this.canvas.clientWidth || 800, this.canvas.clientHeight || 600];
  }

  // The scales at which the whole width is in view, and the whole graph.
  scales() {
    const [width, height] = this.size();
    const wide = (width - 2 * MARGIN) / this.frame.width;
    return [wide, Math.min(wide, (height - 2 * MARGIN) / this.frame.height)];
  }

  // The whole graph, between the inputs and outputs that are always in view.
  fit(least = 0.01) {
    const [width, height] = this.size();
    const [wide, whole] = this.scales();
    this.k = Math.min(1, Math.max(whole, Math.min(least, wide)));
    this.x = (width - this.frame.width * this.k) / 2;
    this.y = Math.max(MARGIN, (height - this.frame.height * this.k) / 2);
    this.move();
  }

  // The whole graph or its whole width if that is legible, else its first box, from the top.
  start() {
    const [width] = this.size();
    const [first] = this.parts.items;
    this.fit(LEGIBLE);
    if (this.k >= LEAST || !first) return;
    this.k = LEAST;
    this.x = Math.min(MARGIN, width / 2 - (first.ax + Math.min(first.width, first.w) / 2) * LEAST);
    this.y = MARGIN;
    this.move();
  }

  // An item in the middle, or the whole graph if that is legible.
  centre(item) {
    if (this.k <= 1 && this.scales()[1] >= LEGIBLE) return this.fit();
    const [width, height] = this.size();
    this.k = Math.max(this.k, 0.8);
    this.x = width / 2 - (item.ax + Math.min(item.width, width) / 2) * this.k;
    this.y = height / 2 - (item.ay + Math.min(item.height, height / 2) / 2) * this.k;
    this.move();
  }

  // Moves an item into view if it is not.
  uncover(item) {
    const [width, height] = this.size();
    const [left, top] = [item.ax * this.k + this.x, item.ay * this.k + this.y];
    const [right, foot] = [left + item.width * this.k, top + item.height * this.k];
    // Of what is larger than the view, its head.
    const isLarge = [right - left > width, foot - top > height];
    if (left < 0 || (right > width && !(isLarge[0] && left < width / 4))) this.x += isLarge[0] ? 16 - left : (width - left - right) / 2;
    if (top < 0 || (foot > height && !(isLarge[1] && top < height / 4))) this.y += isLarge[1] ? 16 - top : (height - top - foot) / 2;
    this.move();
  }

  zoom(factor, x = this.size()[0] / 2, y = this.size()[1] / 2) {
    const k = Math.min(3, Math.max(0.01, this.k * factor));
    this.x = x - ((x - this.x) * k) / this.k;
    this.y = y - ((y - this.y) * k) / this.k;
    this.k = k;
    this.move();
  }

  pan(x, y) {
    this.x += x;
    this.y += y;
    this.move();
  }

  move() {
    this.scene.classList.toggle("far", this.k < FAR);
    this.scene.setAttribute("transform", `translate(${this.x},${this.y}) scale(${this.k})`);
  }

  // The box that an arrow key leads to from another.
  neighbour(item, key) {
    const { items } = item.frame;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const row = items.filter((other) => other.y === item.y).sort((a, b) => a.x - b.x);
      return row[row.indexOf(item) + (key === "ArrowLeft" ? -1 : 1)];
    }
    const isDown = key === "ArrowDown";
    if (isDown && item.inner) return item.inner[0].items[0];
    const near = this.parts.edges.flatMap(({ source, target }) => {
      if (isDown ? source === item : target === item) return [isDown ? target : source];
      return [];
    });
    if (near.length) return near.sort((a, b) => Math.abs(a.x - item.x) - Math.abs(b.x - item.x))[0];
    const others = items.filter((other) => (isDown ? other.y > item.y : other.y < item.y));
    const next = others.sort((a, b) => Math.abs(a.y - item.y) - Math.abs(b.y - item.y) || Math.abs(a.x - item.x) - Math.abs(b.x - item.x))[0];
    return next ?? this.parts.items.find((other) => other.inner?.includes(item.frame));
  }
}
