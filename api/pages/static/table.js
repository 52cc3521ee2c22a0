// A table as it changes: the server makes each part of the page, and a part that has changed takes its place. Charts
// are given their new drawing and draw themselves.
import { Feed } from "./feed.js";

const parts = new Map([...document.querySelectorAll("[data-part]")].map((element) => [element.dataset.part, element]));
const shown = new Map();
const offers = document.querySelector("[data-offers]");
const changed = document.querySelector("[data-changed]");

function put(name, html) {
  const place = parts.get(name);
  if (!place || shown.get(name) === html) return;
  // Whoever stands on a link in this part with the keyboard keeps standing on it.
  const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  shown.set(name, html);
  place.innerHTML = html;
  if (focused) place.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

function table(news) {
  for (const [name, html] of Object.entries(news.parts)) put(name, html);
  for (const [name, drawing] of Object.entries(news.charts)) {
    const chart = document.querySelector(`[data-chart="${name}"]`);
    if (chart && chart.dataset.drawing !== drawing) chart.dataset.drawing = drawing;
  }
  if (offers && changed && offers.dataset.offers !== news.state) {
    changed.hidden = false;
    changed.firstElementChild.textContent = news.reload;
  } else if (changed) changed.hidden = true;
}

// A letter goes where the act that shows it leads.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  offers?.querySelector(`[accesskey="${CSS.escape(event.key)}"]`)?.click();
});

new Feed(document.body.dataset.live, { table });
