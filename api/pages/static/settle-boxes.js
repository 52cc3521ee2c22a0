// Boxes, dealer and board: places for cards, the deck they come from, and the decisions that the sheet offers.
import { isRank, isSuit, join, slot, split, used } from "./settle-cards.js";
import { read, say, shown } from "./settle-money.js";
import * as play from "./settle-play.js";

export class BoxBoard {
  constructor(board, table) {
    this.board = board;
    this.table = table;
    this.active = null; // the key of the place that the next card goes to
    this.rank = ""; // a rank was typed, its suit not yet
    this.seats = board.querySelector("[data-seats]");
    board.querySelector("[data-deck]").addEventListener("click", (event) => this.pick(event));
    board.querySelector("[data-deck]").addEventListener("keydown", (event) => this.walk(event));
    this.seats.addEventListener("click", (event) => this.clicked(event));
    this.seats.addEventListener("change", (event) => this.entered(event));
    for (const input of board.querySelectorAll("[data-meter]")) {
      input.addEventListener("change", () => this.meter(input));
    }
    for (const input of board.querySelectorAll("[data-misdeal], [data-misdeal-box]")) {
      input.addEventListener("change", () => this.misdeal());
    }
  }

  begin() {
    const sheet = this.table.sheet;
    const template = document.querySelector("template[data-seat]");
    this.seats.replaceChildren();
    for (let number = 1; number <= sheet.boxes; number++) {
      const seat = template.content.cloneNode(true).firstElementChild;
      seat.dataset.box = number;
      seat.querySelector("h3").textContent = say("box", { number });
      for (const part of seat.querySelectorAll("[data-offer]")) part.hidden = !this.offers(part.dataset.offer);
      if (sheet.jackpot) {
        seat.querySelector("[data-jackpot-stake]").textContent = shown(sheet.jackpot, this.table.currency);
      }
      this.seats.append(seat);
    }
    this.spot("board").hidden = !sheet.board;
    const of = this.board.querySelector("[data-misdeal-box]");
    of.replaceChildren(of.options[0]);
    for (let number = 1; number <= sheet.boxes; number++) of.add(new Option(say("box", { number }), number));
    for (const option of this.board.querySelector("[data-misdeal]").options) {
      option.hidden = option.value && !sheet.misdeals.includes(option.value);
    }
    this.active = null;
  }

  offers(name) {
    const sheet = this.table.sheet;
    if (name === "player") return true;
    if (name === "bonus") return sheet.bonus !== null;
    return name === "swap" ? sheet.swaps > 0 : Boolean(sheet[name]);
  }

  spot(name) {
    return this.board.querySelector(`[data-spot="${name}"]`);
  }

  // The places that cards go to, in the order in which they are filled.
  places() {
    const { record, sheet } = this.table;
    const found = [];
    const boxes = record.boxes ?? [];
    for (const box of boxes) {
      const name = say("box", { number: box.box });
      found.push(place(`box${box.box}`, name, sheet.hand, () => box.cards, (cards) => (box.cards = cards)));
      play.stepsOf(box).forEach((step, at) => {
        const count = step.do === "swap" ? split(step.out).length : 1;
        const label = `${name}, ${say(step.do === "swap" ? "swap" : "sixth")}`;
        found.push(place(`box${box.box}.${at}`, label, count, () => step.in, (cards) => (step.in = cards)));
      });
    }
    if (!boxes.length) return found;
    const dealer = () => (record.dealer ??= { cards: "" });
    if (sheet.board) found.push(place("board", say("board"), sheet.board, () => record.board, (c) => (record.board = c)));
    found.push(place("dealer", say("dealer"), sheet.dealer, () => record.dealer?.cards, (c) => (dealer().cards = c)));
    if (boxes.some((box) => play.has(box, "dealer_card"))) {
      const count = Math.max(1, split(record.dealer?.drawn).length);
      found.push(place("drawn", say("drawn"), count, () => record.dealer?.drawn, (c) => (dealer().drawn = c), true));
    } else if (record.dealer) delete record.dealer.drawn;
    return found;
  }

  target() {
    const places = this.places();
    const chosen = places.find((one) => one.key === this.active);
    if (chosen && (chosen.left > 0 || chosen.open)) return chosen;
    return places.find((one) => one.left > 0) ?? null;
  }

  taking() {
    const target = this.target();
    if (this.rank) return this.rank.toUpperCase() + "…";
    return target ? say("taking", { place: target.name }) : "";
  }

  missing() {
    const { record, currency } = this.table;
    const boxes = record.boxes ?? [];
    if (!boxes.length) return say("play");
    if (record.misdeal) return "";
    for (const box of boxes) {
      const name = say("box", { number: box.box });
      if (!box.ante) return say("amount", { place: name });
      if (!box.blind && !box.out_of_time && !play.has(box, "bet") && !play.has(box, "fold")) {
        const short = this.places().find((one) => one.key === `box${box.box}` && one.left > 0);
        return short ? short.lacks() : say("decide", { place: name });
      }
      if (play.stepsOf(box).some((step) => step.do === "swap" && !split(step.out).length)) {
        return say("out", { place: name });
      }
    }
    return this.places().find((one) => one.left > 0)?.lacks() ?? "";
  }

  // Cards

  pick(event) {
    const card = event.target.closest("[data-card]")?.dataset.card;
    if (card) this.deal(card);
  }

  deal(card) {
    if (used(this.table.record).has(card)) return;
    const target = this.target();
    if (!target) return;
    target.put(join([...target.cards, card]));
    this.active = target.left - 1 > 0 || target.open ? target.key : null;
    this.table.changed();
  }

  typed(event) {
    const key = event.key;
    if (key === "Backspace") return this.back(event);
    if (key.length !== 1) return;
    if (this.rank && isSuit(key)) {
      const card = this.rank + key.toLowerCase();
      this.rank = "";
      this.deal(card);
    } else if (isRank(key)) this.rank = key.toUpperCase();
    else if (key === "1") this.rank = "T"; // of 10
    else if (key === "0" && this.rank === "T") this.rank = "T";
    else if ("bf".includes(key.toLowerCase())) return this.decideNext(key.toLowerCase() === "b" ? "bet" : "fold");
    else return;
    event.preventDefault();
    this.board.querySelector("[data-taking]").textContent = this.taking() || this.missing();
  }

  back(event) {
    event.preventDefault();
    this.rank = "";
    const filled = this.places().filter((one) => one.cards.length);
    const target = filled.find((one) => one.key === this.active) ?? filled.at(-1);
    if (!target) return;
    target.put(join(target.cards.slice(0, -1)));
    this.active = target.key;
    this.table.changed();
  }

  // The first box that has its cards and no decision yet.
  decideNext(act) {
    const box = (this.table.record.boxes ?? []).find(
      (one) => !one.blind && !one.out_of_time && split(one.cards).length && !play.has(one, "bet") && !play.has(one, "fold"),
    );
    if (!box) return;
    play.decide(box, act);
    this.table.changed();
  }

  walk(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
    const step = steps[event.key];
    const cards = [...this.board.querySelectorAll("[data-card]")];
    const at = cards.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    cards[(at + step + cards.length) % cards.length].focus();
  }

  // Boxes

  clicked(event) {
    const act = event.target.closest("[data-do]")?.dataset.do;
    const number = Number(event.target.closest("[data-box]")?.dataset.box);
    if (!act || !number) return;
    const { record, sheet } = this.table;
    const box = play.boxOf(record, number);
    if (act === "join") {
      play.join_(record, number, record.boxes?.at(-1)?.ante ?? this.table.leastAnte);
      this.active = `box${number}`;
    } else if (act === "leave") play.leave(record, number);
    else if (act === "bet" || act === "fold") play.decide(box, act);
    else if (act === "swap" || act === "buy") play.addStep(box, act);
    else if (act === "insure") play.insure(box, box.ante);
    else if (act === "dealer_card") play.toggleDealerCard(box);
    else if (act === "time_out") play.timeOut(box);
    else if (act === "blind") play.goBlind(box);
    this.table.changed();
    if (act === "join") this.seats.querySelector(`[data-box="${number}"] [data-amount="ante"]`)?.select();
  }

  entered(event) {
    const box = play.boxOf(this.table.record, Number(event.target.closest("[data-box]")?.dataset.box));
    if (!box) return;
    const name = event.target.dataset.amount;
    if (name === "insure") box.play.find((step) => step.do === "insure").amount = this.amount(event.target) ?? 0;
    else if (name === "ante") box.ante = this.amount(event.target) ?? 0;
    else if (name) box[name] = this.amount(event.target);
    else if ("player" in event.target.dataset) box.player = event.target.value.trim();
    else if ("jackpot" in event.target.dataset) box.jackpot = event.target.checked ? this.table.sheet.jackpot : undefined;
    this.table.changed();
  }

  amount(input) {
    return read(input.value, this.table.currency);
  }

  meter(input) {
    const record = this.table.record;
    const value = this.amount(input);
    record.progressive = { ...record.progressive, [input.dataset.meter]: value };
    if (value === undefined) delete record.progressive[input.dataset.meter];
    if (!Object.keys(record.progressive).length) delete record.progressive;
    this.table.changed();
  }

  misdeal() {
    const kind = this.board.querySelector("[data-misdeal]").value;
    const of = Number(this.board.querySelector("[data-misdeal-box]").value);
    const record = this.table.record;
    if (kind) record.misdeal = of ? { kind, box: of } : { kind };
    else delete record.misdeal;
    this.table.changed();
  }

  // Drawing

  draw() {
    const record = this.table.record;
    const target = this.target();
    const gone = used(record);
    for (const button of this.board.querySelectorAll("[data-card]")) {
      button.disabled = gone.has(button.dataset.card);
    }
    const places = new Map(this.places().map((one) => [one.key, one]));
    for (const name of ["dealer", "board", "drawn"]) {
      const of = places.get(name);
      this.spot(name).hidden = !of;
      if (of) this.slots(this.spot(name).querySelector("[data-slots]"), of, target);
    }
    for (const seat of this.seats.children) this.drawSeat(seat, places, target);
    for (const input of this.board.querySelectorAll("[data-meter]")) {
      if (input !== document.activeElement) {
        input.value = shown(record.progressive?.[input.dataset.meter], this.table.currency);
      }
    }
    this.board.querySelector("[data-misdeal]").value = record.misdeal?.kind ?? "";
    this.board.querySelector("[data-misdeal-box]").value = record.misdeal?.box ?? "";
  }

  slots(holder, of, target) {
    const focused = [...holder.children].indexOf(document.activeElement);
    const count = Math.max(of.count, of.cards.length) + (of.open && of.left <= 0 ? 1 : 0);
    const slots = Array.from({ length: count }, (_, at) => {
      const card = of.cards[at];
      const isNext = target?.key === of.key && at === of.cards.length;
      const button = slot(card, `${of.name}: ${say("empty")}`, isNext);
      button.addEventListener("click", () => {
        if (card) of.put(join(of.cards.filter((one) => one !== card)));
        this.active = of.key;
        this.table.changed();
      });
      return button;
    });
    holder.replaceChildren(...slots);
    if (focused >= 0) slots[Math.min(focused, slots.length - 1)]?.focus();
  }

  drawSeat(seat, places, target) {
    const number = Number(seat.dataset.box);
    const box = play.boxOf(this.table.record, number);
    seat.classList.toggle("free", !box);
    seat.querySelector('[data-do="leave"]').hidden = !box;
    seat.querySelector('[data-do="join"]').hidden = Boolean(box);
    seat.querySelector(".inside").hidden = !box;
    if (!box) return;
    seat.classList.toggle("folded", play.has(box, "fold"));
    const insured = box.play?.find((step) => step.do === "insure");
    const amounts = { ante: box.ante, bonus: box.bonus, insure: insured?.amount };
    for (const input of seat.querySelectorAll("[data-amount]")) {
      if (input !== document.activeElement) input.value = shown(amounts[input.dataset.amount], this.table.currency);
    }
    const player = seat.querySelector("[data-player]");
    if (player !== document.activeElement) player.value = box.player ?? "";
    seat.querySelector("[data-jackpot]").checked = Boolean(box.jackpot);
    seat.querySelector("[data-insured]").hidden = !insured;
    this.slots(seat.querySelector('[data-slots="hand"]'), places.get(`box${number}`), target);
    this.drawSteps(seat.querySelector("[data-steps]"), box, places, target);
    const pressed = { time_out: box.out_of_time, blind: box.blind };
    for (const button of seat.querySelectorAll(".acts [aria-pressed]")) {
      const act = button.dataset.do;
      button.setAttribute("aria-pressed", String(Boolean(act in pressed ? pressed[act] : play.has(box, act))));
    }
    const steps = play.stepsOf(box);
    const swaps = steps.filter((step) => step.do === "swap").length;
    const both = this.table.sheet.swap_and_buy;
    seat.querySelector('[data-do="swap"]').disabled =
      swaps >= this.table.sheet.swaps || (!both && steps.some((step) => step.do === "buy"));
    seat.querySelector('[data-do="buy"]').disabled =
      steps.some((step) => step.do === "buy") || (!both && swaps > 0);
  }

  drawSteps(holder, box, places, target) {
    holder.replaceChildren(
      ...play.stepsOf(box).map((step, at) => {
        const row = document.createElement("div");
        row.className = "step";
        const label = document.createElement("span");
        label.className = "label";
        label.textContent = say(step.do === "swap" ? "swap" : "sixth");
        row.append(label);
        if (step.do === "swap") row.append(this.throwing(box, step));
        const taken = document.createElement("div");
        taken.className = "slots";
        this.slots(taken, places.get(`box${box.box}.${at}`), target);
        const drop = document.createElement("button");
        drop.type = "button";
        drop.className = "ghost";
        drop.textContent = "×";
        drop.setAttribute("aria-label", `${label.textContent}: ${say("remove")}`);
        drop.addEventListener("click", () => {
          play.dropStep(box, step);
          this.table.changed();
        });
        row.append(taken, drop);
        return row;
      }),
    );
  }

  // The hand before a swap: each card is kept or thrown away.
  throwing(box, step) {
    const hand = document.createElement("div");
    hand.className = "slots throwing";
    hand.append(
      ...play.handBefore(box, step).map((card) => {
        const button = slot(card);
        const isOut = split(step.out).includes(card);
        button.setAttribute("aria-pressed", String(isOut));
        button.addEventListener("click", () => {
          play.toggleOut(step, card);
          this.active = null;
          this.table.changed();
        });
        return button;
      }),
    );
    return hand;
  }
}

// A place for cards: how many it takes, what lies there, how to put cards down. open: it may take more.
function place(key, name, count, look, put, open = false) {
  const cards = split(look());
  const left = count - cards.length;
  const lacks = () => (left === 1 ? say("card", { place: name }) : say("cards", { place: name, count: left }));
  return { key, name, count, cards, left, put, open, lacks };
}
