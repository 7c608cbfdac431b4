// Which page is shown, and the keyboard.

const content = document.getElementById('content');
let chosen = -1; // position of the finding that is shown or marked

function parseAddress() {
  const values = new Map(
    location.hash
      .slice(1)
      .split('&')
      .filter(Boolean)
      .map((part) => {
        const [key, value = ''] = part.split('=');
        try {
          return [key, decodeURIComponent(value)];
        } catch {
          return [key, value];
        }
      }),
  );
  return Object.fromEntries(values);
}

function findingNamed(address) {
  return findings.findIndex(
    (finding) =>
      finding.id === address.finding &&
      (address.crash === undefined || finding.crash === address.crash),
  );
}

// Keeps the place of the cut in the address, so that it can be sent to somebody.
function rememberCut(finding, cut) {
  const address = addressOf(finding, cut || {});
  if (location.hash !== address && findingNamed(parseAddress()) === findings.indexOf(finding)) {
    history.replaceState(null, '', address);
  }
}

let shown = null;
let overviewScroll = 0;

function show() {
  const address = parseAddress();
  const index = address.finding === undefined ? -1 : findingNamed(address);
  if (shown === -1 && index !== -1) overviewScroll = scrollY;
  const anchor = index < 0 && address.finding === undefined && location.hash.length > 1;
  if (index === shown && anchor) return; // a link within the page
  const unknown = address.finding !== undefined && index < 0;
  content.replaceChildren(
    ...append(
      document.createDocumentFragment(),
      index >= 0
        ? findingPage(index, address)
        : [
            unknown &&
              h(
                'p.warning',
                {role: 'alert'},
                `This report has no finding called ${visible(address.finding)}.`,
              ),
            verdict(),
            findingList(),
            coverageSections(),
          ],
    ).childNodes,
  );
  document.title =
    index >= 0 ? `${visible(findings[index].title)} · everycrash` : `everycrash: ${programName()}`;
  const first = shown === null;
  shown = index;
  if (index >= 0) chosen = index;
  if (!first) {
    scrollTo(0, index >= 0 ? 0 : overviewScroll);
    content.focus({preventScroll: true});
  }
  if (index < 0 && chosen >= 0 && !first) mark(chosen, false);
}

// Marks a finding of the list.
function mark(index, scroll = true) {
  const rows = [...content.querySelectorAll('.finding')].filter((row) => !row.hidden);
  const row = rows.find((one) => Number(one.dataset.index) === index);
  content.querySelectorAll('.finding.chosen').forEach((one) => one.classList.remove('chosen'));
  if (!row) return;
  chosen = index;
  row.classList.add('chosen');
  row.querySelector('a').focus({preventScroll: true});
  if (scroll) row.scrollIntoView({block: 'nearest'});
}

function move(step) {
  if (findings.length === 0) return;
  if (shown >= 0) {
    const next = shown + step;
    if (findings[next]) location.hash = addressOf(findings[next]);
    return;
  }
  const rows = [...content.querySelectorAll('.finding')]
    .filter((row) => !row.hidden)
    .map((row) => Number(row.dataset.index));
  const at = rows.indexOf(chosen);
  const next =
    at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step));
  if (rows.length > 0) mark(rows[next]);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const filter = document.getElementById('filter');
  if (event.target instanceof HTMLInputElement && event.target.type === 'search') {
    if (event.key === 'Escape' || event.key === 'Enter') {
      event.target.blur();
      event.preventDefault();
    }
    return;
  }
  if (event.target instanceof HTMLSelectElement) return;
  if (event.key === 'j') move(1);
  else if (event.key === 'k') move(-1);
  else if (event.key === '/' && filter) filter.focus();
  else if (event.key === '/') {
    location.hash = '';
    requestAnimationFrame(() => document.getElementById('filter')?.focus());
  } else if ((event.key === 'u' || event.key === 'Escape') && shown >= 0) location.hash = '';
  else return;
  event.preventDefault();
}

function bar() {
  const theme = h('button', {type: 'button', 'aria-label': 'Light or dark'}, '◐');
  theme.addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  });
  return [
    h('a.brand', {href: '#'}, 'everycrash'),
    h(
      'span.workload',
      {title: visible(run.workload.join(' '))},
      run.workload.map((word, i) => visible(i === 0 ? baseName(word) : word)).join(' '),
    ),
    h(
      'span.keys',
      {'aria-hidden': 'true'},
      h('kbd', {}, 'j'),
      h('kbd', {}, 'k'),
      ' findings ',
      h('kbd', {}, '/'),
      ' filter ',
      h('kbd', {}, 'u'),
      ' up',
    ),
    theme,
  ];
}

document.getElementById('bar').append(...bar());
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  content.focus();
});
addEventListener('hashchange', show);
document.addEventListener('keydown', key);
show();
