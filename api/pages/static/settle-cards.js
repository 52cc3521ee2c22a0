// Cards as the record writes them, and the places where they go.
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };

export const split = (text) => (text ?? "").replace(/\s/g, "").match(/../g) ?? [];
export const join = (cards) => cards.join(" ");
export const isRank = (key) => RANKS.includes(key.toUpperCase());
export const isSuit = (key) => SUITS.includes(key.toLowerCase());
export const isRed = (card) => "dh".includes(card[1]);
export const face = (card) => (card[0] === "T" ? "10" : card[0]) + SIGNS[card[1]];
export const nameOf = (card) => document.querySelector(`[data-card="${card}"]`)?.getAttribute("aria-label") ?? card;

// Every card that the record uses, whoever holds it.
export function used(record) {
  const found = [...split(record.dealer?.cards), ...split(record.dealer?.drawn), ...split(record.board)];
  for (const box of record.boxes ?? []) {
    found.push(...split(box.cards));
    for (const step of box.play ?? []) found.push(...split(step.in));
  }
  return new Set(found);
}

// A button that shows a card, or an empty place for one.
export function slot(card, empty, active) {
  const button = document.createElement("button");
  button.type = "button";
  if (card) {
    button.className = isRed(card) ? "card red" : "card";
    button.textContent = face(card);
    button.setAttribute("aria-label", nameOf(card));
  } else {
    button.className = active ? "slot active" : "slot";
    button.setAttribute("aria-label", empty);
  }
  return button;
}
