// The frames as SVG.

// Characters that a box has room for, and the space right of its edges.
const CHARACTERS = 26;
const BESIDE = PORT + 8;

class Drawing {
  constructor(model, view) {
    this.model = model;
    this.view = view;
  }

  frame(frame, parts) {
    const { model } = this;
    const group = model.graphs[frame.at].groups[frame.number];
    const edges = svg("g");
    const boxes = svg("g");
    const scene = svg("g", { transform: `translate(${frame.x},${frame.y})` }, edges, boxes);
    if (frame.title) scene.append(svg("text", { class: "part", x: 0, y: -5 }, frame.title));
    const enter = new Map(group.enter.map(([item, layer, output, count]) => [item, { layer, output, count }]));
    const leave = new Map(group.leave.map(([item, layer, count]) => [item, { layer, count }]));
    for (const [from, to, layer, output, count, route] of group.links) {
      if (route) {
        edges.append(this.edge(frame, from, to, layer, output, count, route, parts));
        continue;
      }
      const into = enter.get(to) ?? { layer, output, count: 0 };
      enter.set(to, { ...into, count: into.count + count });
      const target = this.firstLayer(frame.at, group.items[to]);
      const out = leave.get(from) ?? { layer: target, count: 0 };
      leave.set(from, { ...out, count: out.count + count });
    }
    frame.items.forEach((item, place) => {
      item.frame = frame;
      item.place = place;
      const element = item.inner ? this.open(frame, item, parts) : this.closed(frame, item, parts);
      boxes.append(element);
      parts.items.push(item);
      item.element = element;
      if (enter.has(place)) boxes.append(this.entrance(frame, item, enter.get(place)));
      boxes.append(...this.facts(frame, item, group, leave.get(place), parts));
    });
    for (const item of frame.items) {
      for (const inner of item.inner ?? []) boxes.append(this.frame(inner, parts));
    }
    return scene;
  }

  firstLayer(at, [isGroup, number]) {
    const graph = this.model.graphs[at];
    while (isGroup) [isGroup, number] = graph.groups[number].items[0];
    return graph.boxes[number];
  }

  edge(frame, from, to, layer, output, count, route, parts) {
    const [source, target] = [frame.items[from], frame.items[to]];
    // The route passes every row between its ends, and bends below each.
    const point = (row, at) => [frame.right(row, route[at]), frame.down(route[at + 1])];
    let path = `M${source.left + PORT} ${source.top + source.height}`;
    for (let [row, at] = [source.row, 0]; at < route.length; row += 1, at += 4) {
      const [x0, y0] = point(row, at);
      const [x1, y1] = point(row + 1, at + 2);
      const bend = (y1 - y0) / 2;
      path += `L${x0} ${y0}` + (x0 === x1 ? `L${x1} ${y1}` : `C${x0} ${y0 + bend} ${x1} ${y1 - bend} ${x1} ${y1}`);
    }
    path += `L${target.left + PORT} ${target.top}`;
    const { isAssumed } = this.model.fact(frame.at, layer, output);
    const element = svg("path", { class: `edge${isAssumed ? " assumed" : ""}`, d: path });
    parts.edges.push({ element, source, target });
    return element;
  }

  classes(key, base) {
    const mark = this.model.marks.get(key);
    return mark ? `${base} ${LEVELS[mark.level]}` : base;
  }

  // A group or a body that is open: a bar to close it, and room for what is in it.
  open(frame, item, parts) {
    const title = item.isGroup ? this.model.groupTitle(frame.at, item.number) : this.boxTitle(frame.at, item);
    const { left: x, top: y, width, height } = item;
    const element = svg(
      "g",
      { class: this.classes(item.key, "frame box"), role: "button", tabindex: -1, "aria-expanded": "true", "aria-label": `${title}, open` },
      svg("rect", { x, y, width, height, rx: 5 }),
      svg("rect", { class: "bar", x: x + 0.5, y: y + 0.5, width: width - 1, height: BAR, rx: 5 }),
      svg("text", { class: "heading", x: x + 10, y: y + 15 }, `− ${shortened(title, Math.floor((width - 30) / 8.6))}`),
    );
    if (!item.isGroup) parts.byLayer.set(layerKey(frame.at, this.model.graphs[frame.at].boxes[item.number]), item);
    this.listen(element, item);
    return element;
  }

  boxTitle(at, item) {
    const layer = this.model.graphs[at].boxes[item.number];
    return `${this.model.type(at, layer)} ${this.model.graphs[at].name[layer]}`;
  }

  closed(frame, item, parts) {
    return item.isGroup ? this.group(frame, item) : this.layer(frame, item, parts);
  }

  group(frame, item) {
    const { model } = this;
    const { left: x, top: y, width, height } = item;
    const title = model.groupTitle(frame.at, item.number);
    const layers = model.graphs[frame.at].groups[item.number].layers;
    const key = groupKey(frame.at, item.number);
    const label = `group ${title}, ${counted(layers, "layer")}${this.spoken(key)}`;
    const element = svg(
      "g",
      { class: this.classes(key, "box group"), role: "button", tabindex: -1, "aria-expanded": "false", "aria-label": label },
      svg("title", {}, title),
      svg("rect", { x: x + 4, y: y + 4, width, height: height - 4, rx: 5 }),
      svg("rect", { x, y, width, height: height - 4, rx: 5 }),
      svg("text", { class: "type", x: x + 10, y: y + 20 }, shortened(title, 21)),
      svg("text", { class: "count", x: x + 10, y: y + 38 }, `+ ${counted(layers, "layer")}`),
    );
    this.badge(element, item, key);
    this.listen(element, item);
    return element;
  }

  layer(frame, item, parts) {
    const { model } = this;
    const graph = model.graphs[frame.at];
    const { left: x, top: y, width, height } = item;
    const layer = graph.boxes[item.number];
    const key = layerKey(frame.at, layer);
    const type = model.type(frame.at, layer);
    const role = model.role(frame.at, layer);
    const base = `box${role === "parameter" || role === "result" ? " end" : ""}${graph.isAssumed.has(layer) ? " assumed" : ""}`;
    const facts = Array.from({ length: Math.min(model.outputs(frame.at, layer), SHOWN_OUTPUTS) }, (_, at) => model.fact(frame.at, layer, at).text);
    const label = `${type} ${graph.name[layer]} ${facts.join(", ")}${this.spoken(key)}`;
    const element = svg(
      "g",
      { class: this.classes(key, base), role: "button", tabindex: -1, "aria-pressed": "false", "aria-label": label },
      svg("title", {}, `${type} ${graph.name[layer]}`),
      svg("rect", { x, y, width, height, rx: role ? 12 : 5 }),
      svg("text", { class: "type", x: x + 10, y: y + 16 }, (item.key ? "+ " : "") + shortened(type, 21)),
      svg("text", { class: "name", x: x + 10, y: y + 30 }, shortened(model.shortName(frame.at, layer, frame.number), CHARACTERS)),
      ...this.constants(frame, item, layer, parts),
    );
    if (item.key) element.setAttribute("aria-expanded", "false");
    parts.byLayer.set(key, item);
    this.badge(element, item, key);
    this.listen(element, item);
    return element;
  }

  // The constants that a layer takes, a line each below a rule.
  constants({ at }, item, layer, parts) {
    const { model } = this;
    const inputs = model.graphs[at].inputs[layer];
    const all = [];
    for (let port = 0; port < inputs.length; port += 2) {
      if (inputs[port] >= 0 && model.role(at, inputs[port]) === "const") all.push([port / 2, inputs[port]]);
    }
    if (!all.length) return [];
    const { left: x, top: y, width } = item;
    const place = (line) => ({ x: x + 10, y: y + 46 + LINE_HEIGHT * line });
    const most = all.length > SHOWN_CONSTANTS ? SHOWN_CONSTANTS - 1 : SHOWN_CONSTANTS;
    const lines = all.slice(0, most).map(([port, constant], line) => {
      const key = layerKey(at, constant);
      const text = svg("text", { class: this.classes(key, "constant"), ...place(line) }, this.constantText(at, layer, port, constant));
      text.addEventListener("click", (event) => {
        event.stopPropagation();
        if (!this.view.isMoved) this.view.inspect(at, constant);
      });
      return text;
    });
    // One that several layers take is in the box of the first of them.
    for (const [, constant] of all) {
      const key = layerKey(at, constant);
      if (!parts.byLayer.has(key)) parts.byLayer.set(key, item);
    }
    const more = `and ${counted(all.length - most, "more constant")}`;
    const rest = all.length > most ? [svg("text", { class: "constant", ...place(most) }, more)] : [];
    return [svg("line", { class: "rule", x1: x, x2: x + width, y1: y + 35.5, y2: y + 35.5 }), ...lines, ...rest];
  }

  constantText(at, layer, port, constant) {
    const { kinds, kind } = this.model.graphs[at];
    const fact = this.model.fact(at, constant, 0);
    const value = fact.plain.length + equal(fact).length < 30 ? equal(fact).trimStart() : "";
    return shortened(`${kinds[kind[layer]].inputs[port] ?? port} ${value || fact.text}`, CHARACTERS);
  }

  spoken(key) {
    const mark = this.model.marks.get(key);
    return mark ? `, ${counted(mark.count, "finding")}` : "";
  }

  badge(element, item, key) {
    const mark = this.model.marks.get(key);
    if (!mark || (mark.count === 1 && !item.isGroup)) return;
    const text = mark.count > 999 ? "999+" : String(mark.count);
    const width = 10 + 6.5 * text.length;
    const x = item.left + item.width - width - 6;
    const rect = svg("rect", { x, y: item.top + 6, width, height: 14, rx: 7 });
    const label = svg("text", { x: x + width / 2, y: item.top + 16.5, "text-anchor": "middle" }, text);
    element.append(svg("g", { class: `badge ${LEVELS[mark.level]}` }, rect, label));
  }

  // What enters from elsewhere: the first source above the box, and how many more there are.
  entrance(frame, item, { layer, count }) {
    const name = this.model.shortName(frame.at, layer, frame.number);
    const more = count > 1 ? ` +${count - 1}` : "";
    const label = `↓ ${shortened(name, CHARACTERS - 2 - more.length)}${more}`;
    const text = svg("text", { class: "stub", x: item.left + BESIDE, y: item.top - 4 }, label);
    text.append(svg("title", {}, `from ${this.model.graphs[frame.at].name[layer]}${count > 1 ? ` and ${count - 1} more` : ""}`));
    text.addEventListener("click", () => !this.view.isMoved && this.view.go(frame.at, layer));
    return text;
  }

  // What leaves below a box: type and shape of every output, and how many layers elsewhere take it.
  facts(frame, item, group, leave, parts) {
    const { model } = this;
    const x = item.left + BESIDE;
    const y = item.top + item.height + 11;
    const elsewhere = leave ? `↗ ${leave.count}` : "";
    const texts = [];
    let tensors = [];
    if (item.isGroup) {
      const out = group.links.filter(([from]) => from === item.place);
      tensors = out.slice(0, 1).map(([, , layer, output]) => [layer, output]);
    } else {
      const layer = model.graphs[frame.at].boxes[item.number];
      const count = model.outputs(frame.at, layer);
      const most = count > SHOWN_OUTPUTS ? SHOWN_OUTPUTS - 1 : count;
      tensors = Array.from({ length: most }, (_, output) => [layer, output, count > 1]);
      if (count > most) {
        texts.push(svg("text", { class: "more", x, y: y + LINE_HEIGHT * most }, `and ${count - most} more`));
      }
    }
    tensors.forEach(([layer, output, isNumbered], line) => {
      const fact = model.fact(frame.at, layer, output);
      const number = isNumbered ? `${output}: ` : "";
      const text = svg(
        "text",
        { class: `fact${fact.isAssumed ? " assumed" : ""}`, x, y: y + LINE_HEIGHT * line },
        number + shortened(fact.text, CHARACTERS - number.length - (elsewhere && line === 0 ? elsewhere.length + 1 : 0)),
      );
      text.append(svg("title", {}, fact.plain + equal(fact)));
      text.addEventListener("click", () => !this.view.isMoved && this.view.inspect(frame.at, layer, output));
      parts.facts.set(factKey(frame.at, layer, output), text);
      texts.push(text);
    });
    if (leave) {
      const text = svg("text", { class: "stub", x: item.left + Math.min(item.width, item.w) - 2, y, "text-anchor": "end" }, elsewhere);
      text.append(svg("title", {}, `also taken by ${counted(leave.count, "input")} elsewhere`));
      text.addEventListener("click", () => !this.view.isMoved && this.view.go(frame.at, leave.layer));
      texts.push(text);
    }
    return texts;
  }

  listen(element, item) {
    element.addEventListener("click", () => !this.view.isMoved && this.view.activate(item));
    element.addEventListener("focus", () => this.view.onFocus(item));
  }
}
