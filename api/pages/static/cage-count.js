// A count sheet adds up as one types. The server adds up again and decides; without this script it does so alone.
for (const sheet of document.querySelectorAll("[data-count-sheet]")) {
  const form = sheet.closest("form");
  const { decimals, group, decimal, expected } = sheet.dataset;
  const places = Number(decimals);

  const money = (minor, signed = false) => {
    const sign = minor < 0 ? "−" : signed && minor > 0 ? "+" : "";
    const digits = String(Math.abs(minor)).padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+(?!\d))/g, group);
    return sign + whole + (places ? decimal + digits.slice(-places) : "");
  };

  // An amount as the language writes it, in minor units; 0 where it cannot be one.
  const minor = (text) => {
    const [whole, part = ""] = text.replace(/\s/g, "").split(decimal);
    const plain = group.trim() ? whole.replaceAll(group, "") : whole;
    if (!/^\d{1,12}$/.test(plain) || !/^\d*$/.test(part) || part.length > places) return 0;
    return Number(plain + part.padEnd(places, "0"));
  };

  const count = (input) => (/^\d{1,9}$/.test(input.value.trim()) ? Number(input.value.trim()) : 0);

  function add() {
    let sum = 0;
    for (const table of sheet.querySelectorAll("[data-part]")) {
      let total = 0;
      for (const row of table.tBodies[0].rows) {
        const fixed = row.querySelector("[data-denomination]");
        const amount = fixed
          ? Number(fixed.dataset.denomination) * count(fixed)
          : minor(row.querySelector("[data-free]").value) * count(row.querySelector("[data-count]"));
        row.querySelector("output").textContent = amount ? money(amount) : "";
        total += amount;
      }
      table.querySelector("[data-total]").textContent = money(total);
      sum += total;
    }
    form.querySelector("[data-sum]").textContent = money(sum);
    const shown = form.querySelector("[data-difference]");
    if (!shown || expected === undefined) return;
    const difference = sum - Number(expected);
    shown.textContent = money(difference, true);
    shown.dataset.sign = difference === 0 ? "even" : difference > 0 ? "over" : "short";
  }

  // Enter goes to the next field, as on a counting machine; the buttons record.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.target.type === "password") return;
    const fields = [...form.querySelectorAll("input:not([type=hidden]), button")];
    event.preventDefault();
    fields[fields.indexOf(event.target) + 1]?.focus();
  });
  form.addEventListener("input", add);
  form.querySelector('[value="check"]')?.remove(); // it adds up already
  if (form.querySelector("input:not([type=hidden])")) add();
}
