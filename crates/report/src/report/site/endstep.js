// The filters of a list of findings, and folded parts on paper. Pages are complete without it.
"use strict";

// Shows the findings that have all that is chosen in the form, and says how many there are.
function filtered(form, items, count) {
  const wanted = [...new FormData(form)].filter(([, value]) => value !== "");
  let shown = 0;
  for (const item of items) {
    const has = ([name, value]) => (item.dataset[name] ?? "").split(" ").includes(value);
    item.hidden = !wanted.every(has);
    shown += item.hidden ? 0 : 1;
  }
  count.textContent = `${shown} of ${items.length} shown`;
  return wanted;
}

// Keeps what is chosen in the address, so that it can be passed on.
function remember(wanted) {
  const query = new URLSearchParams(wanted).toString();
  const address = `${location.pathname}${query ? `?${query}` : ""}${location.hash}`;
  try {
    history.replaceState(null, "", address);
  } catch {
    // Some browsers allow no such address for a file; the filters work without.
  }
}

function begin() {
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  if (form === null || count === null) {
    return;
  }
  const items = [...document.querySelectorAll("[data-finding]")];
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLSelectElement && [...field.options].some((one) => one.value === value)) {
      field.value = value;
    }
  }
  const box = form.closest("details");
  box.hidden = false;
  box.open = location.search !== "";
  form.addEventListener("change", () => remember(filtered(form, items, count)));
  form.addEventListener("submit", (event) => event.preventDefault());
  // The fields are reset after this event.
  form.addEventListener("reset", () => setTimeout(() => remember(filtered(form, items, count))));
  filtered(form, items, count);
}

// What is folded is open on paper.
function unfold() {
  for (const part of document.querySelectorAll("details:not([open])")) {
    part.open = true;
    part.dataset.folded = "";
  }
}

function fold() {
  for (const part of document.querySelectorAll("details[data-folded]")) {
    part.open = false;
    delete part.dataset.folded;
  }
}

begin();
addEventListener("beforeprint", unfold);
addEventListener("afterprint", fold);
