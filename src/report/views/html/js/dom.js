// Elements, made from text that is only ever text.

const byId = (id) => document.getElementById(id);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// Long names may break after a separator, which reads better than within a word.
const broken = (child) => {
  if (typeof child !== "string" || !/\S{24}/.test(child)) return child;
  return child.split(/(?<=[/.:*])(?=[^/.:*\s])/).flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));
};

const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children.flat().map(broken));

const svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const link = (text, action, attributes = {}) =>
  html("button", { type: "button", class: "link", onclick: action, ...attributes }, text);

const tableRow = (head, ...cells) => html("tr", {}, html("th", { scope: "row" }, head), html("td", {}, ...cells));

// A title and rows; nothing without rows.
const titledTable = (title, rows) =>
  rows.length ? [html("h3", {}, title), html("table", { class: "rows" }, html("tbody", {}, ...rows))] : [];

const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

// Columns that a character takes, about.
const columns = (character) => (character.codePointAt(0) < 0x1100 ? 1 : 2);

// As many characters as fit into so many columns.
function fitting(characters, room) {
  const all = [];
  for (const character of characters) {
    room -= columns(character);
    if (room < 0) break;
    all.push(character);
  }
  return all;
}

// Both ends of a text that is too long; the end of a name says more than its middle.
function shortened(text, most) {
  const all = Array.from(text);
  if (fitting(all, most).length === all.length) return text;
  const end = Math.ceil((most - 1) * 0.6);
  return [...fitting(all, most - 1 - end), "…", ...fitting(all.reverse(), end).reverse()].join("");
}

let silence = 0;

// A line that is read aloud and goes by itself.
function say(text) {
  byId("status").textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => (byId("status").textContent = ""), 4000);
}
