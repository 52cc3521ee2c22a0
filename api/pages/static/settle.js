// The board: a round record that is clicked together, settled by the service on every change.
// Without this script the page is a form for the same record.
import { BoxBoard } from "./settle-boxes.js";
import { RouletteBoard } from "./settle-roulette.js";
import { read, say, shown } from "./settle-money.js";
import { clean, opened } from "./settle-play.js";

const board = document.querySelector("[data-board]");
const sheets = JSON.parse(board?.dataset.sheets ?? "{}");
const answer = document.querySelector("[data-result]");
const recordForm = document.querySelector("[data-record-form]");
const text = recordForm?.querySelector("textarea");
const game = board?.querySelector("[data-game]");

class Table {
  constructor(record) {
    this.record = record;
  }
  get sheet() {
    return sheets[this.record.ruleset];
  }
  get sign() {
    return (this.record.table ??= {});
  }
  get currency() {
    return this.sign.currency ?? "EUR";
  }
  get leastAnte() {
    return this.sign.min ?? (this.sheet.min || 1000);
  }
  get part() {
    return this.sheet.engine === "roulette" ? roulette : boxes;
  }
  changed() {
    this.part.draw();
    settle();
  }
}

function start() {
  const table = new Table(firstRecord());
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (table.sheet.engine !== "roulette") boxes.typed(event);
  });
  game.addEventListener("change", () => {
    table.record = { ruleset: game.value, table: { currency: table.currency } };
    show(table);
    settle();
  });
  board.querySelector("[data-clear]").addEventListener("click", () => {
    table.record = { ruleset: table.record.ruleset, table: table.sign };
    show(table);
    settle();
  });
  for (const input of board.querySelectorAll("[data-sign]")) {
    input.addEventListener("change", () => {
      const name = input.dataset.sign;
      const value = name === "currency" ? input.value : read(input.value, table.currency);
      if (value === undefined) delete table.sign[name];
      else table.sign[name] = value;
      if (name === "currency") show(table);
      table.changed();
    });
  }
  return table;
}

function firstRecord() {
  try {
    const given = JSON.parse(text.value);
    if (sheets[given.ruleset]) return opened(given);
  } catch {
    // an empty field, or a text that is no record: the board begins anew
  }
  return { ruleset: game.value, table: { currency: "EUR" } };
}

function show(table) {
  game.value = table.record.ruleset;
  for (const part of board.querySelectorAll(":scope > [data-for]")) {
    part.hidden = (part.dataset.for === "roulette") !== (table.sheet.engine === "roulette");
  }
  for (const input of board.querySelectorAll("[data-sign]")) {
    const name = input.dataset.sign;
    input.value = name === "currency" ? table.currency : shown(table.sign[name], table.currency);
  }
  table.part.begin();
  table.part.draw();
}

let running = null;

async function settle() {
  running?.abort();
  const status = board.querySelector("[data-taking]");
  const missing = table.part.missing();
  const sent = clean(table.record);
  text.value = JSON.stringify(sent, null, 2);
  status.textContent = [missing, table.part.taking()].filter(Boolean).join(" · ");
  board.dataset.state = missing ? "incomplete" : "complete";
  answer.dataset.settled = "no";
  if (missing) {
    answer.classList.add("old");
    return;
  }
  const mine = (running = new AbortController());
  const form = new FormData(recordForm);
  form.set("part", "1");
  try {
    const got = await fetch("/settle", { method: "POST", body: new URLSearchParams(form), signal: mine.signal });
    const html = await got.text();
    if (!got.ok) throw new Error(String(got.status));
    answer.innerHTML = html;
    answer.classList.remove("old");
    answer.dataset.settled = answer.querySelector("[data-refused]") ? "refused" : "yes";
    const link = answer.querySelector("[data-share]");
    if (link) history.replaceState(null, "", link.href);
  } catch (error) {
    if (error.name !== "AbortError") answer.classList.add("old");
  }
}

// The link is copied where the browser lets it be; it is an ordinary link all the same.
answer?.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(link.href);
    link.textContent = say("copied");
  } catch {
    location.assign(link.href);
  }
});

// The form in fields shows what the chosen game has; without a script it shows everything.
const fields = document.querySelector("[data-fields]");
const ruleset = fields?.querySelector("[name=ruleset]");
function fit() {
  const engine = ruleset.selectedOptions[0]?.dataset.engine ?? "";
  for (const part of fields.querySelectorAll("[data-for]")) {
    const fits = part.dataset.for.split(" ").includes(engine);
    part.hidden = !fits;
    for (const input of part.querySelectorAll("input, select")) input.disabled = !fits;
  }
}
if (ruleset) {
  ruleset.addEventListener("change", fit);
  fit();
}

let table, boxes, roulette;
if (board) {
  table = start();
  boxes = new BoxBoard(board, table);
  roulette = new RouletteBoard(board, table);
  board.hidden = false;
  if (!document.querySelector("[data-refused]")) document.querySelector("[data-plain]").open = false;
  show(table);
  const missing = table.part.missing();
  board.querySelector("[data-taking]").textContent = [missing, table.part.taking()].filter(Boolean).join(" · ");
  board.dataset.state = missing ? "incomplete" : "complete";
}
