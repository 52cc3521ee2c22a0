// Amounts between minor units and what people write, by the marks of the page's language.
export const words = JSON.parse(document.querySelector("[data-words]")?.dataset.words ?? "{}");

export const say = (name, given = {}) => (words[name] ?? name).replace(/%\((\w+)\)s/g, (_, key) => given[key] ?? "");

export const decimalsOf = (currency) => words.decimals[currency] ?? 2;

export function shown(minor, currency) {
  if (minor === undefined || minor === null || minor === "") return "";
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals) || "0";
  return decimals ? `${whole}${words.decimal}${digits.slice(-decimals)}` : whole;
}

// Minor units, or undefined where the text is no amount.
export function read(text, currency) {
  const decimals = decimalsOf(currency);
  let packed = text.replace(/[\s\u00a0\u202f]/g, "");
  // one or two digits behind either mark are decimals; before three of them it may stand between thousands only
  const thousands = words.decimal === "." ? /^\d{1,3}(,\d{3})+(\.\d+)?$/ : /^\d{1,3}(\.\d{3})+(,\d+)?$/;
  if (thousands.test(packed)) packed = packed.replaceAll(words.decimal === "." ? "," : ".", "");
  const match = /^(\d{1,11})(?:[.,](\d{1,2}))?$/.exec(packed);
  if (!match || (match[2] ?? "").length > decimals) return undefined;
  return Number(match[1] + (match[2] ?? "").padEnd(decimals, "0"));
}
