// The models of a folder: a table that can be sorted, searched, and filtered by severity and rule.

const verdict = (row) => {
  const parts = [row.errors && counted(row.errors, "error"), row.warnings && counted(row.warnings, "warning"), row.infos && counted(row.infos, "info")];
  return parts.filter(Boolean).join(", ") || "no problems";
};

const worst = (row) => (row.errors ? "error" : row.warnings ? "warning" : row.infos ? "info" : "");

// Title, what a column is sorted by, and whether the largest comes first.
const COLUMNS = [
  ["model", (row) => row.path, false],
  ["verdict", (row) => [row.errors, row.warnings, row.infos].reduce((sum, count) => sum * 1e5 + Math.min(count, 99999), 0), true],
  ["layers", (row) => row.layers, true],
  ["weights", (row) => row.amounts?.[0] ?? -1, true],
  ["MACs", (row) => row.amounts?.[1] ?? -1, true],
];

// What each severity to choose from keeps.
const KEPT = {
  "all models": () => true,
  "with errors": (row) => row.errors,
  "with warnings": (row) => row.warnings,
  "no errors": (row) => !row.errors,
};

class List {
  constructor(index) {
    this.models = index.models.map((row, at) => ({ ...row, at }));
    this.sort = { column: 1, isDown: true };
    const option = (text, value = text) => html("option", { value }, text);
    const choice = (label, options) => html("select", { "aria-label": label, onchange: () => this.show() }, ...options);
    this.severity = choice("Severity", Object.keys(KEPT).map((text) => option(text)));
    const rules = new Map();
    for (const { rules: own } of index.models) for (const rule of own) rules.set(rule, (rules.get(rule) ?? 0) + 1);
    const sorted = [...rules].sort(([a], [b]) => (a < b ? -1 : 1));
    this.rule = choice("Rule", [option("all rules", ""), ...sorted.map(([rule, count]) => option(`${rule} (${counted(count, "model")})`, rule))]);
    this.heads = COLUMNS.map(([title], at) =>
      html("th", { scope: "col", class: at > 1 ? "number" : null }, html("button", { type: "button", onclick: () => this.sortBy(at) }, title)),
    );
    this.body = html("tbody");
    this.foot = html("tfoot");
    byId("list").append(
      ...(index.note ?? "").split("\n").filter(Boolean).map((note) => html("p", {}, note)),
      html("div", { class: "filters" }, this.severity, this.rule),
      html("table", {}, html("thead", {}, html("tr", {}, ...this.heads)), this.body, this.foot),
    );
    this.show();
  }

  sortBy(column) {
    const isDown = this.sort.column === column ? !this.sort.isDown : COLUMNS[column][2];
    this.sort = { column, isDown };
    this.show();
  }

  show() {
    const { column, isDown } = this.sort;
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const isShown = (row) =>
      KEPT[this.severity.value](row) && (!this.rule.value || row.rules.includes(this.rule.value)) && words.every((word) => row.path.toLowerCase().includes(word));
    const rows = this.models.filter(isShown);
    const key = COLUMNS[column][1];
    rows.sort((a, b) => ((key(a) > key(b)) - (key(a) < key(b))) * (isDown ? -1 : 1) || a.at - b.at);
    this.heads.forEach((head, at) => head.setAttribute("aria-sort", at !== column ? "none" : isDown ? "descending" : "ascending"));
    this.body.replaceChildren(...rows.map(listRow));
    const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
    const total = { errors: sum((row) => row.errors), warnings: sum((row) => row.warnings), infos: sum((row) => row.infos) };
    const bytes = sum((row) => row.amounts?.[0] ?? 0);
    const cells = listCells(counted(rows.length, "model"), total, verdict(total), sum((row) => row.layers), counted(bytes, "byte"), "");
    this.foot.replaceChildren(html("tr", {}, ...cells));
  }
}

function listRow(row) {
  const name = row.closed === null ? html("a", { class: "link", href: `#model-${row.at}` }, row.path) : row.path;
  const [weights, macs] = row.cost ?? ["", ""];
  return html("tr", {}, ...listCells(name, row, row.closed ?? verdict(row), row.layers, weights, macs));
}

function listCells(name, counts, status, layers, weights, macs) {
  const cell = (at, kind, text) => html("td", { class: kind, "data-title": COLUMNS[at][0] }, text);
  return [
    html("td", {}, name),
    cell(1, worst(counts), status),
    cell(2, "number", layers.toLocaleString("en")),
    cell(3, "number", weights),
    cell(4, "formula", macs),
  ];
}
