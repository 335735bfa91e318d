// @ts-check
const form = /** @type {HTMLFormElement} */ (document.getElementById('filter'));
const cases = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('details.case')]);

function filter() {
  const wanted = new FormData(form);
  const text = String(wanted.get('text')).toLowerCase();
  let shown = 0;
  for (const one of cases) {
    const isWanted =
      ['standing', 'level'].every((name) => ['', ...one.classList].includes(String(wanted.get(name)))) &&
      (one.textContent ?? '').toLowerCase().includes(text);
    one.hidden = !isWanted;
    if (isWanted) shown += 1;
  }
  form.shown.value = `${shown} of ${cases.length} cases`;
}

form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;
filter();

/** A link to a case shows it open. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) named.open = true;
}

window.addEventListener('hashchange', openNamed);
openNamed();
