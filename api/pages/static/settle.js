// The form shows what the chosen game has; without this script it shows everything.
const form = document.querySelector("[data-fields]");
const ruleset = form?.querySelector("[name=ruleset]");

function fit() {
  const engine = ruleset.selectedOptions[0]?.dataset.engine ?? "";
  for (const part of form.querySelectorAll("[data-for]")) {
    const fits = part.dataset.for.split(" ").includes(engine);
    part.hidden = !fits;
    for (const input of part.querySelectorAll("input, select")) input.disabled = !fits;
  }
}

if (ruleset) {
  ruleset.addEventListener("change", fit);
  fit();
}
document.querySelector("[data-result]")?.scrollIntoView({ block: "nearest" });
