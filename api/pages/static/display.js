// The kiosk. A display that is signed in says that it shows a hit, once it does; what cannot be said is said again.
import { Feed } from "./feed.js";

const { proof, display } = document.body.dataset;
const TRIES = 5;

function key() {
  const random = crypto.getRandomValues(new Uint8Array(18));
  return [...random].map((one) => one.toString(16).padStart(2, "0")).join("");
}

async function tell(body, left) {
  try {
    const answer = await fetch("/display/shown", { method: "POST", body });
    if (answer.ok || answer.status < 500) return;
  } catch {
    // The connection is lost: the feed says so; try again.
  }
  if (left > 0) setTimeout(() => tell(body, left - 1), 2000);
}

if (proof) {
  document.addEventListener("held", ({ detail: hit }) => {
    const { jackpot, level, hit_amount: award } = hit;
    tell(new URLSearchParams({ proof, key: key(), display, jackpot, level, award }), TRIES);
  });
}

new Feed("/live/jackpots");
