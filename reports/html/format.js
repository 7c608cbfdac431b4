// Numbers, names and sentences as people read them.

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function counted(number, singular, plural) {
  return `${grouped(number)} ${number === 1 ? singular : plural || `${singular}s`}`;
}

function listed(words, last = 'and') {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`;
}

function capitalised(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// Control characters, and those that turn the direction of writing, are made visible.
function visible(text) {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) =>
      ({'\n': '\\n', '\t': '\\t', '\r': '\\r'})[c] ||
      `\\u{${c.codePointAt(0).toString(16).padStart(4, '0')}}`,
  );
}

// The same for text of several lines.
function visibleLines(text) {
  return text
    .split('\n')
    .map((line) => visible(line.replace(/\t/g, '    ')))
    .join('\n');
}

function fileName(path) {
  return path === '' ? 'the state directory' : visible(path);
}

function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path) {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function folderName(path) {
  return path === '' ? 'the state directory' : `the folder ${visible(path)}`;
}

const SYNCS = new Set(['fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync']);
const OF_EVERYTHING = new Set(['sync', 'syncfs']);
const WITH_BYTES = new Set(['write', 'mapwrite', 'fallocate', 'sync_file_range']);

function isSync(operation) {
  return SYNCS.has(operation.kind);
}

function hasWord(operation, word) {
  return (operation.detail || '').split(' ').includes(word);
}

function eventsOf(operation) {
  return operation.events || [];
}

// True if something happened outside of the files with OPERATION, or a step was named.
function hasEvents(operation) {
  return operation.kind === 'event' || eventsOf(operation).length > 0;
}

function isEffect(operation) {
  const [first] = eventsOf(operation);
  return Boolean(first) && first.kind === 'effect';
}

function eventWords(event) {
  return visible(`${event.kind} ${event.words}${event.repeatable ? ' repeatable' : ''}`);
}

function describeEvents(operation) {
  const words = eventsOf(operation).map(eventWords).join(', ');
  return words || visible((operation.text || '').trim());
}

// "POST/charge order-17"
function lastEvent(operation) {
  return visible(eventsOf(operation)[eventsOf(operation).length - 1].words);
}

// What an operation did, in a few words.
function describe(operation) {
  if (operation.words) return withArrows(visible(operation.words));
  const path = fileName(operation.path);
  const other = fileName(operation.other_path || '');
  const failed = (operation.result || 0) < 0 ? ` (failed, errno ${-operation.result})` : '';
  const lied = isSync(operation) && hasWord(operation, 'lost') ? ' (answered, not done)' : '';
  return describeSuccess(operation, path, other) + lied + failed;
}

function describeSuccess(operation, path, other) {
  const kind = operation.kind;
  if (kind === 'print') return `print ${quoted(printedLine(operation))}`;
  if (kind === 'event') return describeEvents(operation);
  if (kind === 'send' && hasEvents(operation)) return `send ${lastEvent(operation)} to ${path}`;
  if (kind === 'send') return `send ${counted(operation.length || 0, 'byte')} to ${path}`;
  if (kind === 'open') {
    const words = [hasWord(operation, 'new') && 'new', hasWord(operation, 'emptied') && 'emptied'];
    const what = words.filter(Boolean).join(', ');
    return `open ${path}${what ? ` (${what})` : ''}`;
  }
  if (WITH_BYTES.has(kind)) {
    const place = grouped(operation.offset || 0);
    return `${kind} ${counted(operation.length || 0, 'byte')} at ${place} of ${path}`;
  }
  if (kind === 'truncate') return `truncate ${path} to ${grouped(operation.length || 0)} bytes`;
  if (kind === 'rename')
    return `rename ${path} ${hasWord(operation, 'exchange') ? '↔' : '→'} ${other}`;
  if (kind === 'link' || kind === 'symlink') return `${kind} ${path} → ${other}`;
  if (OF_EVERYTHING.has(kind)) return `${kind}()`;
  return `${kind} ${path}`;
}

const printedLines = new Map(); // by operation

// What OPERATION printed, with what the same process had printed of that line before it.
function printedLine(operation) {
  if (printedLines.size === 0) {
    const open = new Map(); // by process
    for (const one of operations.filter(({kind}) => kind === 'print')) {
      const text = one.text || '';
      const line = (open.get(one.process) || '') + text;
      printedLines.set(one, line);
      open.set(one.process, text.endsWith('\n') || text.length < (one.length || 0) ? '' : line);
    }
  }
  return printedLines.get(operation) || operation.text || '';
}

function quoted(text) {
  const short = text.trim();
  return `“${visible(short.length > 60 ? `${short.slice(0, 59)}…` : short)}”`;
}

// What a finding is found in: rounds, calls, orders, or states.
function countedStates(finding) {
  const word = {chaos: 'round', 'io-error': 'call', concurrent: 'order'}[finding.crash] || 'state';
  return counted(finding.states, `failing ${word}`);
}

function statesWords(finding) {
  const states = countedStates(finding);
  if (['chaos', 'io-error', 'concurrent'].includes(finding.crash)) return states;
  return `${states} at ${counted(finding.points_total, 'crash point')}`;
}

// "A → B", whoever wrote it.
function withArrows(text) {
  return text.replace(/ -> /g, ' → ');
}

const CRASHES = {
  kill: 'the process is killed',
  power: 'the power fails',
  'lost-fsync': 'the power fails, on a disk that lies about syncs',
  'io-error': 'a call fails',
  again: 'another crash comes, while recovery runs',
  concurrent: 'two runners are at work at once',
  clock: 'the process is killed, and started again by another clock',
  chaos: 'random faults come',
};

function crashWords(crash) {
  return CRASHES[crash] || crash;
}

function modelName(crash, model) {
  return crash === 'kill'
    ? 'kill'
    : model === ''
      ? crash
      : crash === 'power'
        ? model
        : `${crash} ${model}`;
}
