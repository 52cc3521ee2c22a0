// The live feed in a page: keeps every [data-meter] on the page true, and says so when it cannot.
// The server keeps the order of things; a page only shows the newest. Without this script the page still shows the
// figures that it was made with.

const STALE_AFTER_MS = 12000; // the feed sends a pulse every few seconds
const ROLL_MS = 180; // a meter rolls to its new value and never beyond it
const SHOW_HIT_MS = 20000;
const SHOW_PRIZE_MS = 6000;

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

const data = document.body.dataset;
const decimalsOf = data.decimals ? JSON.parse(data.decimals) : {};
const words = data.words ? JSON.parse(data.words) : {};
const holds = data.hold !== undefined; // a sign: a hit stays on it until it is paid or rejected
const only = data.only || null; // a sign of one jackpot

// A text in the reader's language, with what belongs in its places: say("won", { amount }).
export function say(name, given = {}) {
  return Object.entries(given).reduce((text, [place, value]) => text.replace(`%(${place})s`, value), words[name] ?? name);
}

export function money(minor, currency) {
  const decimals = Number(decimalsOf[currency] ?? 2);
  const sign = minor < 0 ? "−" : "";
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+(?!\d))/g, data.group ?? "\u202f");
  return decimals ? `${sign}${whole}${data.decimal ?? "."}${digits.slice(-decimals)}` : sign + whole;
}

function won(news) {
  return { amount: `${money(news.hit_amount, news.currency)} ${news.currency}`, table: news.table ?? "" };
}

class Meter {
  constructor(element) {
    this.element = element;
    this.figure = element.querySelector("[data-figure]");
    this.note = element.querySelector("[data-note]");
    this.shown = Number(element.dataset.amount);
    this.target = this.shown;
    this.announcing = 0;
    this.last = null;
    this.rolling = false;
  }

  meter(data) {
    this.last = data;
    this.state(data);
    if (calm.matches || data.amount < this.shown || document.hidden) return this.set(data.amount, data.currency);
    this.from = this.shown;
    this.target = data.amount;
    this.began = performance.now();
    this.currency = data.currency;
    if (!this.rolling) {
      this.rolling = true;
      requestAnimationFrame((now) => this.roll(now));
    }
  }

  roll(now) {
    const part = Math.min(1, Math.max(0, (now - this.began) / ROLL_MS));
    this.show(Math.floor(this.from + (this.target - this.from) * part), this.currency);
    if (part < 1) requestAnimationFrame((next) => this.roll(next));
    else this.rolling = false;
  }

  set(amount, currency) {
    this.from = this.target = amount;
    this.began = -ROLL_MS;
    this.show(amount, currency);
  }

  show(amount, currency) {
    this.shown = amount;
    this.element.dataset.amount = amount;
    this.figure.textContent = money(amount, currency);
  }

  state(data) {
    this.element.dataset.state = data.state;
    if (holds) this.hold(data);
    if (!this.note || this.announcing) return;
    if (data.state === "PENDING" && data.hit_amount !== null) {
      this.note.textContent = say(data.table ? "won_at_verified" : "won_verified", won(data));
    } else this.note.textContent = data.state === "STOPPED" ? say("stopped") : "";
  }

  // The award stands over the meter as long as it waits, with the new normal amount under it.
  hold(data) {
    const over = this.element.querySelector("[data-won]");
    const waits = data.hit_amount !== null && data.state !== "NORMAL";
    over.hidden = !waits;
    this.element.toggleAttribute("data-hit", waits);
    const held = waits ? `${data.hit_amount} ${data.table}` : "";
    if (waits) {
      over.querySelector("[data-won-name]").textContent = data.jackpot;
      over.querySelector("[data-award]").textContent = money(data.hit_amount, data.currency);
      over.querySelector("[data-where]").textContent = data.table ? `${data.currency} · ${say("table", data)}` : data.currency;
      over.querySelector("[data-next]").textContent = say("next", { amount: money(data.next_amount ?? data.amount, data.currency) });
    }
    if (waits && held !== this.held) document.dispatchEvent(new CustomEvent("held", { detail: data }));
    this.held = held;
  }

  // A fixed prize leaves the meter alone and is paid at once: a line for a while, no fanfare.
  announce(data) {
    if (!this.note) return;
    this.note.textContent = say(data.table ? "won_at" : "won", won(data));
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      this.announcing = 0;
      if (this.last) this.state(this.last);
    }, SHOW_PRIZE_MS);
  }

  hit(data) {
    if (data.state !== "PENDING" && data.next_amount === data.amount) return this.announce(data);
    this.state(data);
    const won = this.element.querySelector("[data-won]");
    if (!won || holds) return;
    won.querySelector("[data-award]").textContent = money(data.hit_amount, data.currency);
    won.querySelector("[data-where]").textContent = data.table ? `${data.currency} · ${say("table", data)}` : data.currency;
    won.hidden = false;
    this.element.dataset.hit = "";
    clearTimeout(this.over);
    this.over = setTimeout(() => {
      won.hidden = true;
      delete this.element.dataset.hit;
    }, SHOW_HIT_MS);
  }
}

export class Feed {
  constructor(url, others = {}) {
    this.url = url;
    this.others = others;
    this.meters = new Map();
    for (const element of document.querySelectorAll("[data-meter]")) this.meters.set(element.dataset.meter, new Meter(element));
    this.fresh = document.querySelector("[data-fresh]");
    this.heard = performance.now();
    this.behind = false;
    this.open();
    setInterval(() => this.look(), 1000);
    document.addEventListener("visibilitychange", () => this.look());
  }

  open() {
    this.source = new EventSource(this.url);
    this.source.addEventListener("error", () => {
      if (!this.isSignedOut) this.say("stale", say("lost"));
      // The browser tries again by itself, but not after a refusal: then the page does.
      if (this.source.readyState === EventSource.CLOSED) this.refused();
    });
    for (const name of ["meter", "hit", "reset", "paid"]) {
      this.source.addEventListener(name, (event) => this.take(name, JSON.parse(event.data)));
    }
    this.source.addEventListener("pulse", (event) => {
      this.behind = JSON.parse(event.data).stale;
      this.alive();
    });
    for (const [name, take] of Object.entries(this.others)) {
      this.source.addEventListener(name, (event) => {
        this.alive();
        take(JSON.parse(event.data));
      });
    }
  }

  // Why: an event source does not tell. Who was signed out can sign in again in another tab; till then the page says so.
  async refused() {
    try {
      const answer = await fetch(this.url, { headers: { accept: "text/event-stream" } });
      await answer.body?.cancel();
      this.isSignedOut = answer.status === 401;
      if (this.isSignedOut) this.say("stale", say("signed_out"));
    } catch {
      // still away; "lost" is said already
    }
    setTimeout(() => this.open(), 2000);
  }

  take(name, data) {
    this.alive();
    if (only && data.jackpot !== only) return;
    let meter = this.meters.get(`${data.jackpot}/${data.level}`);
    if (!meter) meter = this.add(data);
    if (!meter) return;
    if (name === "hit") meter.hit(data);
    else if (name === "reset") {
      meter.state(data);
      meter.set(data.amount, data.currency);
    } else if (name === "meter") meter.meter(data); // what a payment changes on the sign comes as its meter
  }

  add(data) {
    const template = document.querySelector("template[data-new-meter]");
    if (!template) return null;
    const element = template.content.firstElementChild.cloneNode(true);
    element.dataset.meter = `${data.jackpot}/${data.level}`;
    element.dataset.amount = data.amount;
    element.querySelector("[data-name]").textContent = data.level > 1 ? `${data.jackpot} · ${data.level}` : data.jackpot;
    element.querySelector("[data-currency]").textContent = data.currency;
    document.querySelector("[data-meters]").append(element);
    document.querySelector("[data-no-meters]")?.remove();
    const meter = new Meter(element);
    this.meters.set(element.dataset.meter, meter);
    return meter;
  }

  alive() {
    this.heard = performance.now();
    if (this.behind) this.say("stale", say("behind"));
    else this.say("live", say("live"));
  }

  look() {
    if (performance.now() - this.heard > STALE_AFTER_MS && !this.isSignedOut) this.say("stale", say("silent"));
  }

  say(state, words) {
    document.body.classList.toggle("is-stale", state === "stale");
    if (this.fresh && this.fresh.dataset.state + this.fresh.textContent !== state + words) {
      this.fresh.dataset.state = state;
      this.fresh.textContent = words;
    }
  }
}
