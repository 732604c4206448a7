// One model: its graphs, and where everything in them is.

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const LEVELS = ["", "info", "warning", "error"];

// What a layer, an output of it and a group are known by.
const layerKey = (at, layer) => `${at}/${layer}`;
const factKey = (at, layer, output) => `${layerKey(at, layer)}:${output}`;
const groupKey = (at, group) => `${at}:${group}`;

// The elements of a tensor behind its type and shape, if they are known.
const equal = ({ elements }) => (elements === null ? "" : ` = ${elements}`);

class Model {
  constructor(row, data) {
    Object.assign(this, data, { row });
    this.bodies = new Map();
    this.origins = new Map();
    for (const [at, graph] of this.graphs.entries()) {
      this.locate(graph);
      graph.isAssumed = new Set(graph.assumed);
      graph.constantAt = new Map(graph.constants.map(([layer, ...bytes]) => [layer, bytes]));
      if (graph.owner) {
        const key = layerKey(graph.owner[0], graph.owner[1]);
        this.bodies.set(key, [...(this.bodies.get(key) ?? []), at]);
      }
    }
    this.marks = new Map();
    this.findings.forEach((finding) => finding.layer && this.mark(finding.layer, LEVELS.indexOf(finding.severity)));
  }

  // The group and the item that show each layer; a constant is shown by the first layer that takes it.
  locate(graph) {
    graph.home = new Array(graph.name.length).fill(null);
    graph.homeOfGroup = new Array(graph.groups.length).fill(null);
    graph.groups.forEach((group, number) => {
      group.items.forEach(([isGroup, at], item) => {
        if (isGroup) graph.homeOfGroup[at] = [number, item];
        else graph.home[graph.boxes[at]] = [number, item];
      });
    });
    graph.takers = graph.name.map(() => []);
    graph.inputs.forEach((inputs, layer) => {
      for (let port = 0; port < inputs.length; port += 2) {
        const from = inputs[port];
        if (from < 0) continue;
        graph.takers[from].push([layer, port / 2, inputs[port + 1]]);
      }
    });
    graph.home.forEach((home, layer) => {
      if (!home && graph.takers[layer].length) graph.home[layer] = graph.home[graph.takers[layer][0][0]];
    });
  }

  // Marks a layer and all that it is in.
  mark([at, layer], level) {
    for (const key of [layerKey(at, layer), ...this.around(at, this.graphs[at].home[layer]?.[0])]) {
      const mark = this.marks.get(key) ?? { level: 0, count: 0 };
      this.marks.set(key, { level: Math.max(mark.level, level), count: mark.count + 1 });
    }
  }

  // The keys of all that must be open for a group to be in view, innermost first: the group, those around it, and the layers
  // of whose bodies it is a part. What is shown of a graph from the start is in no group that opens.
  around(at, group) {
    const graph = this.graphs[at];
    const keys = [];
    for (let own = group ?? 0; graph.groups[own].parent !== null; own = graph.groups[own].parent) keys.push(groupKey(at, own));
    if (!graph.owner) return keys;
    const [outer, layer] = graph.owner;
    return [...keys, layerKey(outer, layer), ...this.around(outer, this.graphs[outer].home[layer]?.[0])];
  }

  type(at, layer) {
    return this.graphs[at].kinds[this.graphs[at].kind[layer]].type;
  }

  role(at, layer) {
    return this.graphs[at].kinds[this.graphs[at].kind[layer]].role;
  }

  // What is known of an output: as people read it, with numbers only, its elements if they are known, and whether it is assumed.
  fact(at, layer, output) {
    const outputs = this.graphs[at].outputs[layer];
    const number = outputs[2 * output];
    if (number === undefined) return { text: "?", plain: "?", elements: null, isAssumed: true };
    const text = this.strings[number < 0 ? -1 - number : number];
    const whole = this.strings[outputs[2 * output + 1]];
    const cut = whole.indexOf(" = ");
    const [plain, elements] = cut < 0 ? [whole, null] : [whole.slice(0, cut), whole.slice(cut + 3)];
    return { text, plain, elements, isAssumed: number < 0 };
  }

  // What is known of the tensor that a layer takes first.
  inputFact(at, layer) {
    const [from, output] = this.graphs[at].inputs[layer];
    return from >= 0 ? this.fact(at, from, output) : { text: "?" };
  }

  outputs(at, layer) {
    return this.graphs[at].outputs[layer].length / 2;
  }

  // The layers and bodies around a graph, as a prefix of names.
  prefix(at) {
    const owner = this.graphs[at].owner;
    return owner ? `${this.prefix(owner[0])}${this.graphs[owner[0]].name[owner[1]]}/${owner[2]}/` : "";
  }

  // A name without what all in its group share.
  shortName(at, layer, group) {
    const name = this.graphs[at].name[layer];
    for (let own = group; own !== null && own !== undefined; own = this.graphs[at].groups[own].parent) {
      const path = this.graphs[at].groups[own].path;
      if (path && name.startsWith(path)) return name.slice(path.length).replace(/^[/.]+/, "") || name;
    }
    return name;
  }

  groupTitle(at, group) {
    const graph = this.graphs[at];
    const { path, run, parent } = graph.groups[group];
    if (run) {
      const [first, last] = run.map((box) => this.shortName(at, graph.boxes[box], group));
      return `${first} … ${last}`;
    }
    for (let outer = parent; outer !== null; outer = graph.groups[outer].parent) {
      const shared = graph.groups[outer].path;
      if (shared && path.startsWith(shared)) return path.slice(shared.length).replace(/^[/.]+/, "") || path;
    }
    return path;
  }
}
