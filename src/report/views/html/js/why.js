// Why a tensor has its shape: the steps of the layers, put together from the output back to inputs and constants.

const DEPTH = 3;

// Levels of layers that agree up to which it is found out whether all come from one place.
const SHARED = 200;

const WORDS = {
  parameter: "", constant: "", computed: "", agreed: "all of these agree", body: "from its bodies", fixed: "always so",
  data: "known only when it runs", stated: "as stated for this operation", declared: "as the file declares", unknown: "not known",
  deeper: "not followed",
};

const aspectText = ([what, at]) => (what === "dim" ? `dim ${at}` : what === "element" ? `[${at}]` : what);

// The type and the dimensions in the text of a fact, `f32[2,?]`; no dimensions if the rank is not known.
function parts(plain) {
  const cut = plain.indexOf("[");
  const inside = plain.slice(cut + 1, -1);
  return { type: plain.slice(0, cut), dims: inside === "..." ? null : inside.split(",").filter(Boolean) };
}

// What is known of an aspect.
function aspectValue(model, { at, layer, output }, [what, index]) {
  const { plain, elements } = model.fact(at, layer, output);
  const { type, dims } = parts(plain);
  if (what === "type") return type;
  if (what === "rank") return dims ? String(dims.length) : "?";
  return (what === "dim" ? dims : elements?.split(","))?.[index] ?? "?";
}

// The step for an aspect; undefined for constants, inputs, and what was not followed.
function stepOf(model, { at, layer, output }, [what, index]) {
  const said = model.said.layers[model.graphs[at].why[layer]] ?? [];
  const own = said.find(([of, [kind, place]]) => of === output && kind === what && place === index);
  return own && model.said.steps[own[2]];
}

function sourceOf(model, { at, layer }, [scope, place, output]) {
  if (scope === 0) {
    const inputs = model.graphs[at].inputs[layer];
    return { at, layer: inputs[2 * place], output: inputs[2 * place + 1] };
  }
  if (scope === 1) return { at: model.graphs[at].owner[0], layer: place, output };
  return { at: model.bodies.get(layerKey(at, layer))[scope - 2], layer: place, output };
}

const pointKey = ({ at, layer, output }, aspect) => `${factKey(at, layer, output)} ${aspect}`;

// Follows what is passed on as it is to where it comes about; so does what several agree on that come from one place.
function origin(model, point, aspect, level = 0) {
  const through = [];
  const seen = new Set();
  for (;;) {
    const key = pointKey(point, aspect);
    const known = model.origins.get(key);
    if (known) return { ...known, through: [...through, ...known.through] };
    const step = stepOf(model, point, aspect);
    if (!step || !step.from.length || seen.has(key)) return { point, aspect, step, through };
    seen.add(key);
    if (step.how !== "") {
      const own = { point, aspect, step, through: [] };
      const only = ["agreed", "body"].includes(step.how) && level < SHARED ? shared(model, point, aspect, step, level + 1) : null;
      const found = only ? { ...only, through: [point, ...only.through] } : own;
      model.origins.set(key, found);
      return { ...found, through: [...through, ...found.through] };
    }
    through.push(point);
    const [source, next] = step.from[0];
    point = sourceOf(model, point, source);
    aspect = next;
  }
}

// The one place that all sources come from; null if there are several, or it is something else there.
function shared(model, point, aspect, step, level) {
  const all = step.from.map(([source, next]) => origin(model, sourceOf(model, point, source), next, level));
  const [first] = all;
  const isOne = all.every((other) => pointKey(other.point, other.aspect) === pointKey(first.point, first.aspect));
  return isOne && aspectValue(model, first.point, first.aspect) === aspectValue(model, point, aspect) ? first : null;
}

// Where an element of a constant is in the weights, or all of it.
function bytesOf(model, point, [what, index]) {
  const bytes = model.graphs[point.at].constantAt.get(point.layer);
  if (!bytes) return null;
  const [start, size] = bytes;
  const elements = (model.fact(point.at, point.layer, 0).elements ?? "").split(",").length;
  const isOne = what === "element" && elements > index && size % elements === 0;
  const from = isOne ? start + (size / elements) * index : start;
  return `${model.weights} bytes ${from}..${from + (isOne ? size / elements : size)}`;
}

function showWhy(model, { at, layer, output }) {
  const fact = model.fact(at, layer, output);
  const { dims } = parts(fact.plain);
  const aspects = [...(dims ? dims.map((_, dim) => ["dim", dim]) : [["rank", 0]]), ["type", 0]];
  const shown = new Set();
  const list = html("ul", {}, ...aspects.map((aspect) => reason(model, { at, layer, output }, aspect, DEPTH, shown, true)));
  return html("section", { class: "why" }, html("h3", {}, `Why output ${output} is ${shortened(fact.text, 80)}`), list);
}

// A line, and below it what that comes from.
function reason(model, start, asked, depth, shown, isRoot = false) {
  const { point, aspect, step, through } = origin(model, start, asked);
  const graph = model.graphs[point.at];
  const value = aspectValue(model, point, aspect);
  const several = model.outputs(point.at, point.layer) > 1 ? `:${point.output}` : "";
  const name = `${shortened(model.prefix(point.at) + graph.name[point.layer], 60)}${several}`;
  const goTo = link(`${name} ${aspectText(aspect)}`, () => current.view.go(point.at, point.layer));
  const head = isRoot ? [html("strong", {}, `${aspectText(asked)} = ${aspectValue(model, start, asked)}`), " ← "] : [];
  const words = [model.type(point.at, point.layer), `line ${graph.line[point.layer]}`];
  const isConstant = model.role(point.at, point.layer) === "const";
  const bytes = isConstant ? bytesOf(model, point, aspect) : null;
  if (bytes) words.push(bytes);
  if (step?.note) words.push(step.note);
  if (step && WORDS[step.how]) words.push(WORDS[step.how]);
  if (!step && !isConstant && model.role(point.at, point.layer) !== "parameter") words.push("not followed here, `ovlint why` does");
  const between = through.slice(isRoot ? 1 : 0);
  const names = between.length > 3 ? counted(between.length, "layer") : between.map((one) => shortened(model.graphs[one.at].name[one.layer], 40)).join(", ");
  const via = between.length ? html("span", { class: "via" }, `, through ${names}`) : null;
  const line = html("li", {}, ...head, goTo, isRoot ? "" : ` = ${value}`, html("span", { class: "via" }, ` (${words.join(", ")})`), via);
  const key = pointKey(point, aspect);
  if (!step?.from.length || step.how === "") return line;
  if (shown.has(key)) {
    line.append(html("span", { class: "via" }, ", see above"));
    return line;
  }
  shown.add(key);
  const below = () => {
    const seen = new Set();
    const sources = step.from.map(([source, next]) => [sourceOf(model, point, source), next]);
    const isNew = ([from, next]) => {
      const { point: end, aspect: last } = origin(model, from, next);
      return !seen.has(pointKey(end, last)) && seen.add(pointKey(end, last));
    };
    return sources.filter(isNew).map(([from, next]) => reason(model, from, next, depth - 1, shown));
  };
  if (depth > 0) line.append(html("ul", {}, ...below()));
  else {
    const more = link("…", () => more.replaceWith(html("ul", {}, ...below())), { "aria-label": "follow further" });
    line.append(" ", more);
  }
  return line;
}
