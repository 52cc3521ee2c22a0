// Turns the steps of a round and the slider of a table without leaving the page: the pages themselves are fetched and
// their part that changes is put in place of the one that stands here. Without this script the same links and forms
// load whole pages.

const TYPING = "input:not([type=range]), select, textarea, [contenteditable]";
let running = null;

async function turn(url, { keep = true } = {}) {
  running?.abort();
  const mine = (running = new AbortController());
  let text;
  try {
    const answer = await fetch(url, { signal: mine.signal, headers: { accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    text = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError" && keep) location.assign(url); // the whole page will say what is the matter
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
  link.closest("[data-part]") ? turn(link.href) : link.click();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-part] a[data-key], a[data-turn]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  turn(link.href);
});

// The slider: events of the chosen session.
const slider = document.querySelector("[data-slider]");
if (slider) {
  const range = slider.querySelector("[data-range]");
  const number = slider.querySelector("[data-number]");
  const go = () => turn(`${location.pathname}?${new URLSearchParams(new FormData(slider))}`);
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
  const waiting = document.querySelector("[data-again]");
  if (waiting) setTimeout(() => turn(location.href, { keep: false }), Number(waiting.dataset.again));
}

arrange();
