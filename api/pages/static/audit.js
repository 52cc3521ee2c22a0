// Turns the steps of a round and the slider of a table without leaving the page: the pages themselves are fetched and
// their part that changes is put in place of the one that stands here. Without this script the same links and forms
// load whole pages.

const TYPING = "input:not([type=range]), select, textarea, [contenteditable]";
const MOST_WAITING = 20;
let waiting = [];
let busy = false;

// One page at a time: keys that are pressed faster wait for their turn, of a slider only its newest place.
// where: gives the address when its turn comes, since the links are those of the page that stands here then.
async function turn(where, { newest = false, keep = true } = {}) {
  if (newest) waiting = [];
  if (waiting.length < MOST_WAITING) waiting.push([where, keep]);
  if (busy) return;
  busy = true;
  try {
    while (waiting.length) {
      const [next, kept] = waiting.shift();
      const url = next();
      if (url) await load(url, kept);
    }
  } finally {
    busy = false;
  }
}

async function load(url, keep) {
  let text;
  try {
    const answer = await fetch(url, { headers: { accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    text = await answer.text();
  } catch {
    if (keep) location.assign(url); // the whole page will say what is the matter
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!fresh) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    part.replaceWith(document.adoptNode(fresh));
    if (focused) fresh.querySelector(`[data-key="${focused}"]`)?.focus();
  }
  if (keep) history.replaceState(null, "", url);
  arrange();
}

// Steps of a round, and everything else that says which key it is for.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches(TYPING + ", input")) return;
  const link = document.querySelector(`a[data-key="${event.key}"]`);
  if (!link) return;
  event.preventDefault();
  if (link.closest("[data-part]")) turn(() => document.querySelector(`a[data-key="${event.key}"]`)?.href);
  else link.click();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-part] a[data-key], a[data-turn]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  turn(() => link.href);
});

// The slider: events of the chosen session.
const slider = document.querySelector("[data-slider]");
if (slider) {
  const range = slider.querySelector("[data-range]");
  const number = slider.querySelector("[data-number]");
  const address = () => `${location.pathname}?${new URLSearchParams(new FormData(slider))}`;
  const go = () => turn(address, { newest: true });
  slider.dataset.live = "";
  slider.querySelector("[data-track]").hidden = false;
  slider.querySelector("[data-go]").hidden = true;
  range.addEventListener("input", () => {
    number.value = range.value;
    go();
  });
  number.addEventListener("input", () => {
    range.value = number.value;
    if (number.value && number.checkValidity()) go();
  });
  slider.querySelector("[name=session]").addEventListener("change", (event) => {
    // another session has another length: begin at its end, on a page of its own
    const chosen = new URLSearchParams({ session: event.target.value });
    location.assign(`${location.pathname}?${chosen}`);
  });
  slider.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
}

function arrange() {
  // the step that is shown stays in sight in the list of all steps
  const now = document.querySelector("ol.steps .now");
  const list = now?.closest("ol");
  if (list) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  const state = document.querySelector('[data-part="state"] h2');
  const range = document.querySelector("[data-range]");
  if (state && range) range.setAttribute("aria-valuetext", state.textContent);
  // what is still running is looked at again
  const again = document.querySelector("[data-again]");
  if (again) setTimeout(() => turn(() => location.href, { keep: false }), Number(again.dataset.again));
}

arrange();
