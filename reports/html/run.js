// The result document, and what can be derived from it.

const data = document.getElementById('data');
const run = JSON.parse(data.textContent);
const lacks = JSON.parse(data.dataset.lacks);
const findings = run.findings;
const operations = run.operations;

// The position of the last listed operation up to a record of the trace; -1 = before the first.
function positionAt(sequence) {
  let low = 0;
  let high = operations.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (operations[middle].sequence <= sequence) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function operationOf(sequence) {
  const operation = operations[positionAt(sequence)];
  return operation && operation.sequence === sequence ? operation : null;
}

function stackOf(index) {
  return index >= 0 ? run.stacks[index] : null;
}

// The listed operation that INVOLVED names. Findings of other runs (a crash of recovery, two
// runners) name records of traces that are not listed here.
function recorded(involved) {
  return involved && !involved.elsewhere ? operationOf(involved.sequence) : null;
}

// The same of an operation that is not listed; null where a result of an older version tells no
// more of it than a description.
function told(involved) {
  const operation = recorded(involved);
  if (operation || !involved || !involved.kind) return operation;
  const {sequence, kind, path = '', other_path = '', detail = '', events, description} = involved;
  return {sequence, kind, path, other_path, detail, events, words: description};
}

// True of something that was printed.
function isPrint(involved) {
  const operation = told(involved);
  return Boolean(operation) && operation.kind === 'print';
}

for (const finding of findings) {
  if (finding.trace)
    involvedOperations(finding).forEach((one) => {
      one.elsewhere = true;
    });
  for (const crash of finding.earlier || []) {
    if (crash.trace && crash.operation) crash.operation.elsewhere = true;
  }
}

// The frame to show first: the program's own line.
function userFrame(index) {
  const stack = stackOf(index);
  return stack ? run.frames[stack.frames[stack.user_frame]] : null;
}

function frameName(frame) {
  if (frame.language) return scriptName(frame);
  if (frame.function) return visible(frame.function);
  if (!frame.module) return 'unknown';
  const place = `${visible(baseName(frame.module))}+0x${(frame.module_offset || 0).toString(16)}`;
  return frame.command ? `${place} (${visible(frame.command)})` : place;
}

// A line of a script: of a function, or of the file itself; "mv, run by save" if it ran a program.
function scriptName(frame) {
  const where = frame.function ? visible(frame.function) : 'the script';
  if (frame.program) return `${visible(frame.program)}, run by ${where}`;
  return frame.function ? where : '';
}

function frameLine(frame) {
  return frame.file ? `${visible(frame.file)}${frame.line ? `:${frame.line}` : ''}` : '';
}

// The operation whose line a reader should look at first.
function leadingOperation(finding) {
  const kept = recorded(finding.kept_operation);
  if (kept && (hasWord(kept, 'emptied') || kept.kind === 'truncate')) return finding.kept_operation;
  return (
    finding.cause_operation ||
    finding.lost_operations[0] ||
    finding.kept_operation ||
    finding.crash_operation ||
    null
  );
}

function isMain(frame) {
  return /(^|::)main$/.test(frame.function || '');
}

function isOwnScript(frame) {
  return frame.file && frame.line && !frame.library;
}

function isOwnFunction(frame) {
  return (
    frame.function &&
    frame.file &&
    frame.line &&
    !/^(_|core::|std::|alloc::)/.test(frame.function)
  );
}

// The functions of the program that led to that line, the nearest first. What calls main, and what
// a language's library puts in between, is left to the whole stack.
function callersOf(index, most = 3) {
  const stack = stackOf(index);
  if (!stack) return [];
  const frames = stack.frames.slice(stack.user_frame).map((i) => run.frames[i]);
  const main = frames.findIndex(isMain);
  return frames
    .filter(
      (frame, i) =>
        i > 0 &&
        (main < 0 || i <= main) &&
        frame.language === frames[0].language &&
        frame.program === frames[0].program &&
        (frame.language ? isOwnScript(frame) : isOwnFunction(frame)),
    )
    .slice(0, most);
}

function leadingFrame(finding) {
  const leading = leadingOperation(finding);
  return leading ? userFrame(leading.stack) : null;
}

function involvedOperations(finding) {
  return [
    finding.cause_operation,
    finding.until_operation,
    ...finding.lost_operations,
    finding.kept_operation,
    finding.crash_operation,
  ].filter(Boolean);
}

// Every way to crash that was explored: [{crash, model, name}].
function exploredWays() {
  return run.coverage.map(({crash, model}) => ({crash, model, name: modelName(crash, model)}));
}

function happensIn(finding, way) {
  if (finding.crash !== way.crash) return false;
  return (
    way.model === '' ||
    finding.models.includes(way.model) ||
    realSearches(finding).some(
      (search) => search.sighting === 'seen' && realName(search) === way.model,
    )
  );
}

function realSearches(finding) {
  return finding.real_searches || [];
}

// As the coverage names it.
function realName(search) {
  return `real ${search.file_system}`;
}

function findingAt(id) {
  return findings.findIndex((finding) => finding.id === id);
}

// A finding has an id for its cause; two ways of crashing may share one.
function addressOf(finding, more = {}) {
  const same = findings.filter((other) => other.id === finding.id);
  const parts = [['finding', finding.id]];
  if (same.length > 1) parts.push(['crash', finding.crash]);
  for (const [key, value] of Object.entries(more)) parts.push([key, value]);
  return `#${parts.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
}

const SAFE = 'durable';
const VOLATILE = 'volatile';
const LOST = 'lost';
const KEPT = 'kept';
const IDLE = 'idle';
const LATER = 'later';

function durabilityFor(way) {
  return (
    (run.durability || []).find(
      (entry) => entry.crash === way.crash && entry.model === way.model,
    ) || null
  );
}

// What a crash after operation CUT does to each operation. With STATE (a finding), what it did in
// that finding's state.
function fates(way, cut, state) {
  const durability = durabilityFor(way);
  const here = cut >= 0 ? operations[cut].sequence : 0;
  const lost = new Set(state ? lostSequences(state) : []);
  return (position) => {
    const operation = operations[position];
    if (position > cut) return LATER;
    if (lost.has(operation.sequence)) return LOST;
    if (isSync(operation) || operation.kind === 'print' || operation.kind === 'event') return IDLE;
    if (!losesPower(way.crash)) return changesSomething(operation) ? KEPT : IDLE;
    if (!durability) return changesSomething(operation) ? (state ? KEPT : VOLATILE) : IDLE;
    const since = durability.since[position];
    if (since === 0) return IDLE;
    if (since > 0 && since <= here) return SAFE;
    return state ? KEPT : VOLATILE;
  };
}

// Of the crashes that can come at any place of the recorded run.
function losesPower(crash) {
  return crash === 'power' || crash === 'lost-fsync';
}

function changesSomething(operation) {
  if ((operation.result || 0) < 0 || operation.kind === 'close') return false;
  return operation.kind !== 'open' || hasWord(operation, 'new') || hasWord(operation, 'emptied');
}

function lostSequences(finding) {
  if (finding.crash === 'io-error') return [finding.sequence];
  if (finding.evidence && finding.evidence.lost.length > 0) {
    return finding.evidence.lost.map((part) => part.sequence);
  }
  return finding.lost_operations.map((operation) => operation.sequence);
}
