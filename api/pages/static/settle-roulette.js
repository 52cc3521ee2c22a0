// The roulette layout: chips laid by clicks, announced bets by the unit, and the number that is called.
import { say, shown } from "./settle-money.js";

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = 6;

export class RouletteBoard {
  constructor(board, table) {
    this.board = board;
    this.table = table;
    this.chip = null;
    this.cloth = board.querySelector("svg.layout");
    this.cloth.addEventListener("click", (event) => this.clicked(event));
    this.cloth.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.clicked(event);
    });
    this.cloth.addEventListener("contextmenu", (event) => {
      const on = event.target.closest("[data-on]")?.dataset.on;
      if (!on) return;
      event.preventDefault();
      this.take(on);
    });
    board.querySelector("[data-no-spin]").addEventListener("click", () => this.call(null));
    board.querySelector("[data-lay-neighbours]").addEventListener("click", () => {
      const number = board.querySelector("[data-neighbour]").value;
      this.lay(`neighbours ${number} ${board.querySelector("[data-each]").value}`, true);
    });
    board.querySelector("[data-typed]").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = board.querySelector("[data-bet]");
      const on = input.value.trim();
      if (on) this.lay(on, /^(neighbours|voisins|tiers|orphelins)/.test(on));
      input.value = "";
    });
  }

  get bets() {
    return (this.table.record.bets ??= []);
  }

  begin() {
    const { sheet, currency } = this.table;
    const least = this.table.sign.min ?? 0;
    const values = sheet.chips.filter((value) => value % (this.table.sign.chip ?? 1) === 0);
    this.chip = values.find((value) => value >= Math.max(least, 100)) ?? values[0];
    const holder = this.board.querySelector("[data-chips]");
    holder.replaceChildren(
      ...values.map((value) => {
        const label = document.createElement("label");
        const radio = Object.assign(document.createElement("input"), { type: "radio", name: "chip", value });
        radio.checked = value === this.chip;
        radio.addEventListener("change", () => (this.chip = value));
        label.append(radio, ` ${shown(value, currency)}`);
        return label;
      }),
    );
    const announced = this.board.querySelector("[data-announced]");
    announced.replaceChildren(
      ...sheet.announced.map((name) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "quiet";
        button.textContent = name;
        button.addEventListener("click", () => this.lay(name, true));
        return button;
      }),
    );
  }

  get mode() {
    return this.board.querySelector("[name=mode]:checked").value;
  }

  get player() {
    return this.board.querySelector("[data-better]").value.trim();
  }

  clicked(event) {
    const on = event.target.closest("[data-on]")?.dataset.on;
    if (!on) return;
    event.preventDefault();
    if (this.mode === "call") {
      const [kind, number] = on.split(" ");
      if (kind === "straight") this.call(Number(number));
    } else if (this.mode === "take") this.take(on);
    else this.lay(on, false);
  }

  lay(on, announced) {
    const late = this.board.querySelector("[data-late]").checked;
    const player = this.player;
    const of = this.bets.find((bet) => bet.on === on && (bet.player ?? "") === player && Boolean(bet.late) === late);
    const name = announced ? "unit" : "amount";
    if (of) of[name] += this.chip;
    else this.bets.push({ ...(player ? { player } : {}), on, [name]: this.chip, ...(late ? { late } : {}) });
    this.table.changed();
  }

  take(on) {
    const of = this.bets.findLast((bet) => bet.on === on && (bet.player ?? "") === this.player);
    if (!of) return;
    const name = of.unit === undefined ? "amount" : "unit";
    of[name] -= this.chip;
    if (of[name] <= 0) this.bets.splice(this.bets.indexOf(of), 1);
    this.table.changed();
  }

  call(number) {
    const record = this.table.record;
    if (record.result === number) delete record.result;
    else record.result = number;
    this.table.changed();
  }

  taking() {
    const result = this.table.record.result;
    return result === null ? say("no_spin") : "";
  }

  missing() {
    const record = this.table.record;
    if (!this.bets.length) return say("lay");
    return record.result === undefined ? say("call") : "";
  }

  draw() {
    const { record, currency } = this.table;
    const players = [...new Set(this.bets.map((bet) => bet.player ?? ""))];
    const laid = [];
    for (const spot of this.cloth.querySelectorAll("[data-on]")) {
      const here = this.bets.filter((bet) => bet.on === spot.dataset.on);
      const called = record.result !== undefined && spot.dataset.on === `straight ${record.result}`;
      spot.classList.toggle("called", called);
      here.forEach((bet, at) => laid.push(this.drawChip(spot, bet, at, players)));
    }
    this.cloth.querySelector("[data-laid]").replaceChildren(...laid);
    this.board.querySelector("[data-no-spin]").setAttribute("aria-pressed", String(record.result === null));
    this.board.querySelector("[data-bets]").replaceChildren(
      ...this.bets.map((bet) => {
        const item = document.createElement("li");
        const amount = shown(bet.unit ?? bet.amount, currency);
        const words = document.createElement("span");
        words.textContent = [bet.player, bet.on, amount, bet.late ? say("late") : ""].filter(Boolean).join(" · ");
        const drop = document.createElement("button");
        drop.type = "button";
        drop.className = "ghost";
        drop.textContent = "×";
        drop.setAttribute("aria-label", `${bet.on}: ${say("remove")}`);
        drop.addEventListener("click", () => {
          this.bets.splice(this.bets.indexOf(bet), 1);
          this.table.changed();
        });
        item.append(words, drop);
        return item;
      }),
    );
  }

  drawChip(spot, bet, at, players) {
    const group = document.createElementNS(SVG, "g");
    const x = Number(spot.dataset.x) + 7 * at;
    const y = Number(spot.dataset.y) - 7 * at;
    group.setAttribute("class", `laid p${players.indexOf(bet.player ?? "") % COLOURS}`);
    const circle = document.createElementNS(SVG, "circle");
    for (const [name, value] of Object.entries({ cx: x, cy: y, r: 14 })) circle.setAttribute(name, value);
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("x", x);
    text.setAttribute("y", y);
    const whole = shown(bet.amount ?? bet.unit, this.table.currency);
    text.textContent = whole.replace(/[.,]0+$/, "").replace(/000$/, "k");
    group.append(circle, text);
    return group;
  }
}
