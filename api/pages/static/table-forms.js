// Running totals of chips by denomination, and what is over or short, while they are typed. The server adds up again.
import { money } from "./feed.js";

const data = document.body.dataset;

// An amount as the reader's language writes it, in minor units; null while it is none.
function minor(text, currency) {
  const decimals = Number(JSON.parse(data.decimals)[currency] ?? 2);
  const plain = text.replace(/[\s\u202f\u00a0]/g, "").replace(data.decimal, ".");
  return /^\d+(\.\d+)?$/.test(plain) ? Math.round(Number(plain) * 10 ** decimals) : null;
}

function count(input) {
  return /^\d{1,9}$/.test(input.value.trim()) ? Number(input.value) : 0;
}

function worths(sheet, currency) {
  const found = [...sheet.querySelectorAll("[data-denomination]")].map((input) => [input, count(input) * Number(input.dataset.denomination)]);
  for (const input of sheet.querySelectorAll("[data-free-count]")) {
    const denomination = minor(input.closest("tr").querySelector("[data-free]").value, currency);
    found.push([input, count(input) * (denomination ?? 0)]);
  }
  return found;
}

function tally(sheet) {
  const { currency, expected } = sheet.dataset;
  let total = 0;
  for (const [input, worth] of worths(sheet, currency)) {
    input.closest("tr").querySelector("[data-worth]").textContent = worth ? money(worth, currency) : "";
    total += worth;
  }
  sheet.querySelector("[data-total]").textContent = money(total, currency);
  const place = sheet.querySelector("[data-difference]");
  if (!place) return;
  const difference = total - Number(expected);
  const isBegun = [...sheet.querySelectorAll("[data-denomination], [data-free-count]")].some((input) => input.value);
  if (!isBegun) {
    place.textContent = "–"; // nothing is short before somebody has counted
    return;
  }
  place.textContent = (difference > 0 ? "+" : "") + money(difference, currency);
  place.dataset.difference = difference;
  place.classList.toggle("up", difference > 0);
  place.classList.toggle("down", difference < 0);
}

for (const sheet of document.querySelectorAll("[data-sheet]")) {
  tally(sheet);
  sheet.addEventListener("input", () => tally(sheet));
  // Down the column as on a count sheet; Enter in the last row goes on to what follows.
  sheet.addEventListener("keydown", (event) => {
    if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
    const inputs = [...sheet.querySelectorAll("[data-denomination], [data-free-count]")];
    const next = inputs[inputs.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.select();
  });
}
