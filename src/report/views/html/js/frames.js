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
  const wider = new Map();
  const heights = new Map();
  for (const item of items) {
    const row = heights.get(item.y) ?? { closed: 0, open: 0 };
    row.closed = Math.max(row.closed, item.h);
    row.open = Math.max(row.open, item.height);
    heights.set(item.y, row);
    const middle = item.x + item.w / 2;
    if (item.inner) wider.set(middle, Math.max(wider.get(middle) ?? 0, item.width - item.w));
  }
  const columns = [...wider];
  const rows = [...heights].map(([y, row]) => [y + row.closed, Math.max(0, row.open - row.closed)]).filter(([, more]) => more);
  const right = (x) => columns.reduce((sum, [middle, more]) => sum + (middle < x ? more : middle === x ? more / 2 : 0), x);
  const down = (y) => rows.reduce((sum, [foot, more]) => sum + (foot <= y ? more : 0), y);
  for (const item of items) {
    const middle = right(item.x + item.w / 2);
    item.left = middle - item.width / 2;
    item.top = down(item.y);
    let x = item.left + PAD;
    for (const frame of item.inner ?? []) {
      Object.assign(frame, { x, y: item.top + BAR + PAD + frame.top });
      x += frame.width + PAD;
    }
  }
  const width = columns.reduce((sum, [, more]) => sum + more, group.width);
  const height = rows.reduce((sum, [, more]) => sum + more, group.height);
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
