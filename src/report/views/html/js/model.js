// One model: its graphs, and where everything in them is.

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const LEVELS = ["", "info", "warning", "error"];

class Model {
  constructor(row, data) {
    Object.assign(this, data, { row });
    this.bodies = new Map();
    this.origins = new Map();
    for (const [at, graph] of this.graphs.entries()) {
      this.locate(graph);
      graph.roles = graph.kinds.map((kind) => kind.role);
      graph.isAssumed = new Set(graph.assumed);
      graph.constantAt = new Map(graph.constants.map(([layer, ...bytes]) => [layer, bytes]));
      if (graph.owner) {
        const key = `${graph.owner[0]}/${graph.owner[1]}`;
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
    const raise = (key, isOwn) => {
      const mark = this.marks.get(key) ?? { level: 0, count: 0, own: 0 };
      mark.level = Math.max(mark.level, level);
      mark.count += 1;
      mark.own += isOwn ? 1 : 0;
      this.marks.set(key, mark);
    };
    for (let place = [at, layer], isOwn = true; place; isOwn = false) {
      const graph = this.graphs[place[0]];
      raise(`${place[0]}/${place[1]}`, isOwn);
      const home = graph.home[place[1]];
      for (let group = home?.[0]; group !== undefined && group !== null; group = graph.groups[group].parent) {
        raise(`${place[0]}:${group}`, false);
      }
      place = graph.owner;
    }
  }

  type(at, layer) {
    return this.graphs[at].kinds[this.graphs[at].kind[layer]].type;
  }

  role(at, layer) {
    return this.graphs[at].roles[this.graphs[at].kind[layer]];
  }

  // What is known of an output: as people read it, with its elements, and whether it is assumed.
  fact(at, layer, output) {
    const outputs = this.graphs[at].outputs[layer];
    const number = outputs[2 * output];
    if (number === undefined) return { text: "?", whole: "?", isAssumed: true };
    const text = this.strings[number < 0 ? -1 - number : number];
    return { text, whole: this.strings[outputs[2 * output + 1]], isAssumed: number < 0 };
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
