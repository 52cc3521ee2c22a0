// What may be done to a box of a round record. Plain functions; nothing here draws.
import { join, split } from "./settle-cards.js";

export const boxOf = (record, number) => (record.boxes ?? []).find((box) => box.box === number);
export const stepsOf = (box) => (box.play ?? []).filter((step) => step.do === "swap" || step.do === "buy");
export const has = (box, act) => (box.play ?? []).some((step) => step.do === act);

export function join_(record, number, ante) {
  const box = { box: number, ante, cards: "", play: [] };
  record.boxes = [...(record.boxes ?? []), box].sort((one, other) => one.box - other.box);
  return box;
}

export function leave(record, number) {
  record.boxes = record.boxes.filter((box) => box.box !== number);
  if (record.misdeal?.box === number) delete record.misdeal;
}

// Swaps and bought cards in their order, then insurance, the decision, and the dealer's card.
function put(box, { steps = stepsOf(box), insure, decision, dealer }) {
  const play = box.play ?? [];
  const find = (...acts) => play.find((step) => acts.includes(step.do));
  const parts = [
    insure === undefined ? find("insure") : insure,
    decision === undefined ? find("bet", "fold") : decision,
    dealer === undefined ? find("dealer_card") : dealer,
  ];
  box.play = [...steps, ...parts.filter(Boolean)];
  delete box.blind;
  delete box.out_of_time;
}

export function decide(box, act) {
  put(box, { decision: has(box, act) ? null : { do: act }, ...(act === "fold" ? { dealer: null } : {}) });
}

export function timeOut(box) {
  const was = box.out_of_time;
  put(box, { decision: null, dealer: null });
  if (!was) box.out_of_time = true;
}

export function goBlind(box) {
  if (box.blind) {
    delete box.blind;
    box.play = [];
  } else {
    box.blind = true;
    delete box.play;
    delete box.out_of_time;
  }
}

export function addStep(box, act) {
  const step = act === "swap" ? { do: "swap", out: "", in: "" } : { do: "buy", in: "" };
  put(box, { steps: [...stepsOf(box), step] });
}

export function dropStep(box, step) {
  put(box, { steps: stepsOf(box).filter((one) => one !== step) });
}

export function insure(box, amount) {
  put(box, { insure: has(box, "insure") ? null : { do: "insure", amount } });
}

export function toggleDealerCard(box) {
  put(box, { dealer: has(box, "dealer_card") ? null : { do: "dealer_card" } });
}

// The hand as it is when a step begins; without a step, at the end.
export function handBefore(box, step) {
  let hand = split(box.cards);
  for (const one of stepsOf(box)) {
    if (one === step) break;
    const out = split(one.out);
    hand = hand.filter((card) => !out.includes(card)).concat(split(one.in));
  }
  return hand;
}

export function toggleOut(step, card) {
  const out = split(step.out);
  step.out = join(out.includes(card) ? out.filter((one) => one !== card) : [...out, card]);
  step.in = join(split(step.in).slice(0, split(step.out).length));
}

// A record as it is sent: what the board keeps for itself is left out.
export function clean(record) {
  const sent = structuredClone(record);
  for (const box of sent.boxes ?? []) {
    delete box.out_of_time;
    if (!box.cards) delete box.cards;
    for (const name of ["bonus", "jackpot", "player"]) if (!box[name]) delete box[name];
  }
  if (sent.dealer && !sent.dealer.cards && !sent.dealer.drawn) delete sent.dealer;
  if (sent.dealer && !sent.dealer.drawn) delete sent.dealer.drawn;
  if (!sent.board) delete sent.board;
  return sent;
}

// A record as it comes: an open box without a decision was out of time.
export function opened(record) {
  for (const box of record.boxes ?? []) {
    if (!box.blind && !has(box, "bet") && !has(box, "fold")) box.out_of_time = true;
  }
  return record;
}
