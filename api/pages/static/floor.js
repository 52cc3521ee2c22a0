// The floor's figures as they change: one row a table, one cell a figure. New tables get a row from the page's template.
import { Feed } from "./feed.js";

const body = document.querySelector("[data-floor]");
const template = document.querySelector("template[data-new-row]");

function row(name) {
  let found = body.querySelector(`[data-table="${CSS.escape(name)}"]`);
  if (!found) {
    found = template.content.firstElementChild.cloneNode(true);
    found.dataset.table = name;
    found.querySelector("th").textContent = name;
    body.append(found);
    document.querySelector("[data-no-tables]")?.remove();
  }
  return found;
}

function put(figure, text, mark) {
  if (!figure) return;
  const cell = figure.closest("td");
  if (figure.textContent.trim() !== text) {
    figure.textContent = text;
    cell.classList.remove("moved");
    void cell.offsetWidth; // lets the animation start anew
    cell.classList.add("moved");
  }
  cell.classList.toggle("up", mark === "up");
  cell.classList.toggle("down", mark === "down");
}

function floor(news) {
  for (const table of news.tables) {
    const line = row(table.table);
    for (const [name, text] of Object.entries(table.cells)) {
      const cell = line.querySelector(`[data-cell="${name}"]`);
      put(cell, text, table.marks[name]);
      if (cell && name === "state") cell.dataset.state = text;
    }
  }
  const summary = document.querySelector("[data-summary]");
  if (summary) summary.textContent = news.summary;
}

new Feed("/live/floor", { floor });
