// Keys for the dealer: a letter presses the button that shows it, a digit marks a card. Without this script the same
// keys work with the browser's own modifier, and Tab and Enter everywhere.

const next = document.querySelector(".box-deal.is-next") ?? document;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const isTyping = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape") event.target.blur();
  if (isTyping) return;
  const key = CSS.escape(event.key.toLowerCase());
  const button = next.querySelector(`[data-key="${key}"]`) ?? document.querySelector(`[data-key="${key}"]`);
  const field = next.querySelector(`[data-focus-key="${key}"]`) ?? document.querySelector(`[data-focus-key="${key}"]`);
  if (!button && !field) return;
  event.preventDefault();
  if (button) button.click();
  else if (field.type === "checkbox") field.click();
  else field.focus();
});

// A form is sent once: the second press of an impatient hand does nothing.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
