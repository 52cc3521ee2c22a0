// The floor's figures as they change: one row a table, one cell a figure. New tables get a row from the page's template.
// Filters and sorting work on the page without asking the server; without this script the server does both.
import { Feed } from "./feed.js";

const sheet = document.querySelector("[data-columns]");
const columns = sheet.dataset.columns.split(" ");
const body = document.querySelector("[data-floor]");
const template = document.querySelector("template[data-new-row]");
const filters = document.querySelector("[data-filters]");
const find = document.querySelector("[data-find]");
const rows = new Map([...body.rows].map((row) => [row.dataset.table, row]));
const newest = new Map(); // table -> its last news: what rows are sorted by

function row(name) {
  let found = rows.get(name);
  if (!found) {
    found = template.content.firstElementChild.cloneNode(true);
    found.dataset.table = name;
    const link = found.querySelector("a");
    link.textContent = name;
    link.href = `/tables/${encodeURIComponent(name)}`;
    rows.set(name, found);
    body.append(found);
    document.querySelector("[data-no-tables]")?.remove();
  }
  return found;
}

function put(cell, place, text) {
  if (place.textContent === text) return;
  place.textContent = text;
  cell.classList.remove("moved");
  void cell.offsetWidth; // lets the animation start anew
  cell.classList.add("moved");
}

function show(table) {
  const line = row(table.table);
  const isKnown = newest.get(table.table);
  newest.set(table.table, table);
  line.dataset.game = table.game;
  line.dataset.state = table.state;
  columns.forEach((column, n) => {
    if (isKnown && isKnown.cells[n] === table.cells[n] && isKnown.mark === table.mark) return;
    const cell = line.cells[n + 1];
    const place = column === "state" ? cell.firstElementChild : cell;
    put(cell, place, table.cells[n]);
    if (column === "state") place.dataset.state = table.state;
    if (column === "exceptions") cell.classList.toggle("waits", table.waiting > 0);
    if (column === "win" || column === "hold") {
      cell.classList.toggle("up", table.mark === "up");
      cell.classList.toggle("down", table.mark === "down");
    }
  });
}

function filter() {
  const [game, state, wanted] = [filters.elements.game.value, filters.elements.state.value, find.value.trim().toLowerCase()];
  let shown = 0;
  for (const [name, line] of rows) {
    const isWanted = (!game || line.dataset.game === game) && (!state || line.dataset.state === state);
    line.hidden = !isWanted || !name.toLowerCase().includes(wanted);
    if (!line.hidden) shown += 1;
  }
  document.querySelector("[data-none-shown]").hidden = shown > 0 || rows.size === 0;
}

function value(name, column) {
  return column === "table" ? name : newest.get(name)?.sorts[columns.indexOf(column)] ?? null;
}

function sort(column, order) {
  const sign = order === "desc" ? -1 : 1;
  const named = [...rows.keys()].map((name) => [name, value(name, column)]);
  named.sort(([a, one], [b, other]) => {
    if (one === other) return a.localeCompare(b);
    if (one === null || other === null) return one === null ? 1 : -1; // what has no figure comes last either way
    return sign * (typeof one === "string" ? one.localeCompare(other) : one - other);
  });
  body.append(...named.map(([name]) => rows.get(name)));
  for (const link of sheet.querySelectorAll("[data-sort]")) {
    const isIt = link.dataset.sort === column;
    const heading = link.closest("th");
    if (isIt) heading.setAttribute("aria-sort", order === "desc" ? "descending" : "ascending");
    else heading.removeAttribute("aria-sort");
  }
}

sheet.tHead.addEventListener("click", (event) => {
  const link = event.target.closest("[data-sort]");
  if (!link || newest.size === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return; // the server sorts
  event.preventDefault();
  const isRising = link.closest("th").getAttribute("aria-sort") === "ascending";
  sort(link.dataset.sort, isRising ? "desc" : "asc");
});

filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    find.focus();
  }
});

function floor(news) {
  for (const table of news.tables) show(table);
  sheet.dataset.known = ""; // from now on rows are sorted here
  filter();
  const summary = document.querySelector("[data-summary]");
  if (summary.textContent !== news.summary) summary.textContent = news.summary;
}

new Feed("/live/floor", { floor });
