// Building elements. Text only ever becomes text nodes: nothing from the run is read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

// h('a.name', {href: '#'}, 'text'): an element with classes, attributes or listeners, and children.
function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  return append(element, children);
}

// The same for SVG.
function s(name, attributes, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElementNS(SVG, tag);
  if (classes.length > 0) element.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  return append(element, children);
}

// A section with a heading that can be linked to and skipped to.
function section(id, title, ...children) {
  return h(
    'section',
    {id, 'aria-labelledby': `${id}-title`},
    h('h2', {id: `${id}-title`}, title),
    children,
  );
}

// A wide table that scrolls on its own where the window is narrow.
function scrolling(label, child) {
  return h('div.scroll', {role: 'region', 'aria-label': label, tabindex: '0'}, child);
}

function table(label, columns, rows) {
  return scrolling(
    label,
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map((column) =>
            h(column.number ? 'th.number' : 'th', {scope: 'col', title: column.title}, column.name),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) =>
          h(
            'tr',
            row.attributes || {},
            row.cells.map((cell, i) => h(columns[i].number ? 'td.number' : 'td', {}, cell)),
          ),
        ),
      ),
    ),
  );
}

// A command line with a button that copies it.
function command(text, label) {
  const button = h('button.copy', {type: 'button', 'aria-label': `Copy ${label}`}, 'Copy');
  button.addEventListener('click', async () => {
    button.textContent = (await copy(text)) ? 'Copied' : 'Select it';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1600);
  });
  return h('div.command', {}, h('code', {tabindex: '0'}, text), button);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without permission the old way still works from a click.
    const area = h('textarea', {'aria-hidden': 'true'}, text);
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
