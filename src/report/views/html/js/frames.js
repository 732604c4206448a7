// Open groups and bodies in their places: what stands right of one or below it makes room.

const PAD = 14;
const BAR = 22;

// The key under which an item can be opened; null for a layer without bodies.
function openKey(model, at, item) {
  const [isGroup, number] = item;
  if (isGroup) return groupKey(at, number);
  const key = layerKey(at, model.graphs[at].boxes[number]);
  return model.bodies.has(key) ? key : null;
}

// A group with all that is open in it, its corner at 0, 0. Keys in `opened` are in the order in which they were asked for.
function framed(model, at, number, opened) {
  const group = model.graphs[at].groups[number];
  const items = group.items.map((item) => {
    const key = openKey(model, at, item);
    const inner = key !== null && opened.has(key) ? insides(model, at, item, opened) : null;
    const [isGroup, own, x, y, w, h] = item;
    const width = inner ? Math.max(w, inner.reduce((sum, frame) => sum + frame.width + PAD, PAD)) : w;
    const height = inner ? BAR + PAD + Math.max(...inner.map((frame) => frame.height + frame.top)) + PAD : h;
    return { isGroup: isGroup === 1, number: own, key, x, y, w, h, width, height, inner };
  });
  // Per row: its items, from the left, and the heights of the tallest one as it is and of the tallest one closed.
  const rows = [...new Set(items.map((item) => item.y))].sort((a, b) => a - b).map((y) => {
    const own = items.filter((item) => item.y === y);
    const [closed, open] = [Math.max(...own.map((item) => item.h)), Math.max(...own.map((item) => item.height))];
    return { items: own, foot: y + closed, more: open - closed };
  });
  // An open item grows to the right and down. Only its own row makes room beside it, so that open rows do not add up.
  const wider = (row, x) => rows[row].items.reduce((sum, item) => sum + (item.x + PORT < x ? item.width - item.w : 0), 0);
  const right = (row, x) => x + wider(row, x);
  const down = (y) => rows.reduce((sum, row) => sum + (row.foot <= y ? row.more : 0), y);
  rows.forEach((row, number) => {
    for (const item of row.items) {
      Object.assign(item, { row: number, left: right(number, item.x + PORT) - PORT, top: down(item.y) });
      let x = item.left + PAD;
      for (const frame of item.inner ?? []) {
        Object.assign(frame, { x, y: item.top + BAR + PAD + frame.top });
        x += frame.width + PAD;
      }
    }
  });
  const width = group.width + Math.max(0, ...rows.map((_, row) => wider(row, Infinity)));
  const height = rows.reduce((sum, { more }) => sum + more, group.height);
  return { at, number, items, right, down, width, height, x: 0, y: 0, top: 0, title: null };
}

// The frames in an open item: the group, or every body.
function insides(model, at, [isGroup, number], opened) {
  if (isGroup) return [framed(model, at, number, opened)];
  return model.bodies.get(layerKey(at, model.graphs[at].boxes[number])).map((body) => {
    const frame = framed(model, body, 0, opened);
    return Object.assign(frame, { title: model.graphs[body].owner[2], top: 16 });
  });
}

const boxCount = (frame) =>
  frame.items.reduce((sum, item) => sum + 1 + (item.inner ?? []).reduce((more, inner) => more + boxCount(inner), 0), 0);

const closedGroups = (frame) =>
  frame.items.flatMap((item) => (item.inner ? item.inner.flatMap(closedGroups) : item.isGroup ? [item] : []));
