// The board: says what a line would do before Enter is pressed, takes `/` back to the line, and shows slips as they move.
import { Feed } from "./feed.js";

const line = document.querySelector("[data-line]");
const says = document.querySelector("[data-says]");
let asked = 0;

async function preview() {
  const mine = (asked += 1);
  const text = line.value.trim();
  if (!text) {
    says.textContent = "";
    return;
  }
  try {
    const answer = await fetch(`/live/cage-line?line=${encodeURIComponent(text)}`);
    if (!answer.ok || mine !== asked) return;
    const found = await answer.json();
    says.textContent = found.says;
    says.dataset.right = found.right;
  } catch {
    // The line works without being told beforehand.
  }
}

line.addEventListener("input", preview);
document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  line.focus();
  line.select();
});

let seen = null;
let stale = false;

async function refresh() {
  const board = document.querySelector("[data-board]");
  if (!stale || board.contains(document.activeElement)) return; // somebody is about to sign: afterwards
  stale = false;
  const answer = await fetch(location.href);
  const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-board]");
  if (fresh && !board.contains(document.activeElement)) board.replaceWith(fresh);
  else stale = true;
}

function cage(news) {
  stale = seen !== null && seen !== news;
  seen = news;
  refresh();
}

document.addEventListener("focusout", () => setTimeout(refresh));
new Feed("/live/cage", { cage });
