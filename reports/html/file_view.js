// The broken file: what it held, what it was to hold, and what the crash left, side by side.

const MARKS = {gone: '− ', new: '+ ', torn: '≠ '};
const FOLD_AROUND = 3; // lines kept around a difference
const HEX_ROWS = 64;
const HEX_BYTES = 8; // in a row
const LINES_COMPARED_MAX = 1500;

function bytesOf(content) {
  return content ? Uint8Array.from(atob(content.base64), (c) => c.charCodeAt(0)) : null;
}

// BYTES as text, null if they are none. Zeros, as a crash leaves them, are told by their number, on
// a line of their own.
function textOf(bytes) {
  try {
    const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
    if (/[\u0001-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) return null;
    return text
      .replace(/\n?\0+\n?/g, (run) => {
        const zeros = run.replace(/\n/g, '').length;
        return `\n⟨${counted(zeros, 'zero byte')}⟩\n`;
      })
      .replace(/^\n⟨/, '⟨');
  } catch {
    return null;
  }
}

// How many bytes two arrays share from FROM on.
function sharedLength(a, b, from = 0) {
  const end = Math.min(a.length, b.length);
  let at = from;
  while (at < end && a[at] === b[at]) ++at;
  return at - from;
}

function isEqual(a, b) {
  return a.size === b.size && a.base64 === b.base64;
}

// Of a large file only a part is in the document.
function isShownWhole(content) {
  return bytesOf(content).length === content.size;
}

// One sentence that compares what was found with what it was to be.
function fileSentence(file) {
  const {old, found} = file;
  const wanted = file.new;
  if (!found) return wanted || old ? 'The file is not there after the crash.' : '';
  if (!isShownWhole(found)) {
    if (wanted && isEqual(found, wanted)) return 'This part of it is the new content.';
    if (old && isEqual(found, old))
      return 'This part of it is the old content: the change is lost.';
  }
  if (wanted && isEqual(found, wanted)) return 'What was found is the new content, whole.';
  if (!wanted && old && isEqual(found, old))
    return 'The file is still there, as it was: its removal is lost.';
  if (old && isEqual(found, old))
    return 'What was found is the old content, whole: the change is lost.';
  const other = wanted || old;
  if (found.size === 0) {
    const sizes = [
      old && `the old content has ${counted(old.size, 'byte')}`,
      wanted && `the new one ${old ? '' : 'has '}${counted(wanted.size, 'byte')}`,
    ].filter(Boolean);
    return `The file is there, and empty${sizes.length ? `; ${listed(sizes)}` : ''}.`;
  }
  if (!other) return `The file is there, with ${counted(found.size, 'byte')}; it was to be absent.`;
  return tornSentence(file, other, wanted ? 'new' : 'old');
}

function tornSentence(file, other, name) {
  const found = bytesOf(file.found);
  const expected = bytesOf(other);
  const at = sharedLength(found, expected);
  const place = grouped(file.offset + at);
  const start = `What was found is the ${name} content up to byte ${place}, then`;
  if (at === found.length && file.found.size < other.size) {
    const missing = counted(other.size - file.found.size, 'byte is', 'bytes are');
    return `${start} the file ends: ${missing} missing.`;
  }
  let zeros = 0;
  while (at + zeros < found.length && found[at + zeros] === 0) ++zeros;
  if (zeros > 0 && zeros === file.found.size)
    return `What was found is nothing but ${counted(zeros, 'zero byte')}.`;
  if (zeros > 3)
    return `${start} ${at + zeros === found.length ? 'only' : grouped(zeros)} zero bytes.`;
  const before = bytesOf(file.old);
  if (before && name === 'new' && sharedLength(found, before, at) > 3)
    return `${start} old content.`;
  if (at === 0) return `What was found is neither the old content nor the new one.`;
  return `${start} something else.`;
}

// For each line of A whether it has a partner in B, by a longest common subsequence.
function matchedLines(a, b) {
  const matched = new Array(a.length).fill(false);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) matched[head++] = true;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    matched[a.length - 1 - tail++] = true;
  const rows = a.length - head - tail;
  const columns = b.length - head - tail;
  if (rows * columns > LINES_COMPARED_MAX * LINES_COMPARED_MAX) return matched;
  const lengths = Array.from({length: rows + 1}, () => new Uint16Array(columns + 1));
  for (let i = rows - 1; i >= 0; --i) {
    for (let j = columns - 1; j >= 0; --j) {
      lengths[i][j] =
        a[head + i] === b[head + j]
          ? lengths[i + 1][j + 1] + 1
          : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (a[head + i] === b[head + j]) {
      matched[head + i++] = true;
      ++j;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) ++i;
    else ++j;
  }
  return matched;
}

function linesOf(text) {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

// The part of LINE that its counterpart lacks, in bold.
function changedPart(line, counterpart) {
  if (counterpart === undefined) return [visibleLines(line)];
  let start = 0;
  while (start < line.length && line[start] === counterpart[start]) ++start;
  let end = 0;
  while (
    end < Math.min(line.length, counterpart.length) - start &&
    line[line.length - 1 - end] === counterpart[counterpart.length - 1 - end]
  )
    ++end;
  if (start + end < 4) return [visibleLines(line)];
  return [
    visibleLines(line.slice(0, start)),
    h('b', {}, visibleLines(line.slice(start, line.length - end))),
    visibleLines(line.slice(line.length - end)),
  ];
}

// For each line that has no partner the one that stands in its place in OTHER.
function counterparts(matched, otherLines, otherMatched) {
  const unmatched = otherLines.filter((_, i) => !otherMatched[i]);
  let next = 0;
  return matched.map((is) => (is ? undefined : unmatched[next++]));
}

// TEXT as lines, those that OTHER lacks marked, long equal parts folded.
function textColumn(text, other, mark) {
  const lines = linesOf(text);
  const others = other === null ? lines : linesOf(other);
  const matched = matchedLines(lines, others);
  const partners = counterparts(matched, others, matchedLines(others, lines));
  const near = lines.map((_, i) =>
    matched.slice(Math.max(0, i - FOLD_AROUND), i + FOLD_AROUND + 1).includes(false),
  );
  const keepAll = lines.length <= 8;
  const out = [];
  for (let i = 0; i < lines.length; ++i) {
    const edge = i === 0 || i === lines.length - 1;
    if (!keepAll && !near[i] && !edge) {
      let end = i;
      while (end < lines.length - 1 && !near[end]) ++end;
      if (end - i > 1) {
        out.push(
          h(
            'span.fold',
            {},
            other === null ? `⋯ ${grouped(end - i)} lines` : `⋯ ${grouped(end - i)} equal lines`,
          ),
        );
        i = end - 1;
        continue;
      }
    }
    const line = lines[i].length > 400 ? `${lines[i].slice(0, 399)}…` : lines[i];
    out.push(
      matched[i]
        ? h('span.line', {}, visibleLines(line) || ' ')
        : h(
            `span.line.${mark}`,
            {},
            h('span.sign', {}, MARKS[mark]),
            changedPart(line, partners[i]),
          ),
    );
  }
  return out;
}

function hexRow(bytes, at, offset, other) {
  const cells = [];
  let ascii = '';
  const end = Math.min(at + HEX_BYTES, bytes.length);
  for (let i = at; i < end; ++i) {
    const hex = bytes[i].toString(16).padStart(2, '0');
    const differs = other !== null && bytes[i] !== other[i];
    cells.push(differs ? h('mark', {}, hex) : hex, ' ');
    ascii += bytes[i] >= 32 && bytes[i] < 127 ? String.fromCharCode(bytes[i]) : '.';
  }
  return h(
    'span.line.hex',
    {},
    h('span.offset', {}, (offset + at).toString(16).padStart(6, '0')),
    ' ',
    cells,
    '   '.repeat(at + HEX_BYTES - end),
    ascii,
  );
}

// Where a run of one byte ends that begins at ROW and is the same in OTHER, or differs throughout.
function equalRowsEnd(bytes, other, row) {
  const same = (i) => !other || bytes[i] === other[i];
  let end = row;
  while (end < bytes.length && bytes[end] === bytes[row] && same(end) === same(row)) ++end;
  return row + Math.floor((end - row) / HEX_BYTES) * HEX_BYTES;
}

// BYTES from shortly before AT on, those that OTHER has not marked.
function hexColumn(bytes, other, offset, at) {
  const start = Math.max(0, (at & ~(HEX_BYTES - 1)) - 8 * HEX_BYTES);
  const rows = [];
  let row = start;
  for (; row < bytes.length && rows.length < HEX_ROWS; row += HEX_BYTES) {
    const end = Math.min(bytes.length, equalRowsEnd(bytes, other, row));
    if (end - row > 4 * HEX_BYTES) {
      const torn = other !== null && bytes[row] !== other[row];
      rows.push(
        h(
          torn ? 'span.fold.torn' : 'span.fold',
          {},
          `⋯ ${grouped(end - row)} bytes, all ${bytes[row].toString(16).padStart(2, '0')}`,
        ),
      );
      row = end - HEX_BYTES;
    } else {
      rows.push(hexRow(bytes, row, offset, other));
    }
  }
  if (start > 0) rows.unshift(h('span.fold', {}, `⋯ ${grouped(start)} bytes before`));
  if (row < bytes.length)
    rows.push(h('span.fold', {}, `⋯ ${grouped(bytes.length - row)} bytes more`));
  return rows;
}

// A short text that says where in the run a content was.
function momentAfter(sequence) {
  const operation = operations[positionAt(sequence)];
  return operation ? `after ${describe(operation)}` : 'before the first operation';
}

function momentBefore(sequence) {
  const next = operations[positionAt(sequence) + 1];
  return next ? `before ${describe(next)}` : 'at the end of the run';
}

function fileColumn(title, moment, content, body, offset) {
  const size = content ? counted(content.size, 'byte') : 'no such file';
  return h(
    'div.version',
    {},
    h('h4', {}, title, ' ', h('span.muted', {}, size)),
    h('p.moment.muted', {}, moment),
    content && content.size > 0
      ? h(
          'pre',
          {tabindex: '0', 'aria-label': `${title} content`},
          offset > 0 && h('span.fold', {}, `⋯ ${grouped(offset)} bytes before`),
          body(),
        )
      : h('p.nothing', {}, content ? 'empty' : 'absent'),
  );
}

// When the contents of a file were so. Records of another run than the one that is listed say
// nothing here.
function momentsOf(finding, file) {
  if (finding.crash === 'chaos') {
    return ['before the first life', 'after an undisturbed run', 'after the last life'];
  }
  if (finding.trace) {
    return ['earlier in that run', file.new ? 'as that run wrote it' : '', 'after the crash'];
  }
  return [
    momentBefore(file.old_sequence),
    file.new ? momentAfter(file.new_sequence) : 'it was to be absent',
    'after the crash',
  ];
}

// True where a kill left the file as the program had it by then, between two changes, and no judge
// named it: it is not broken, what it says does harm.
function isAsLeft(finding) {
  const {file} = finding.evidence;
  if (losesPower(lastCrash(finding)) || finding.path || !file.found) return false;
  return file.found.size > 0 && finding.state.cut_bytes === undefined;
}

function fileTitle(finding) {
  const {file} = finding.evidence;
  const whole = file.found && file.new && isEqual(file.found, file.new);
  return whole || isAsLeft(finding) ? 'The file' : 'The broken file';
}

function fileView(finding) {
  const file = finding.evidence.file;
  const moments = momentsOf(finding, file);
  const sentence = isAsLeft(finding)
    ? 'What was found is what the program had made of it by then.'
    : fileSentence(file);
  const contents = [file.old, file.new, file.found];
  const bytes = contents.map(bytesOf);
  const texts = bytes.map((content) => content && textOf(content));
  const asText = contents.every((content, i) => !content || texts[i] !== null);
  const reference = bytes[1] || bytes[0];
  const at = bytes[2] && reference ? sharedLength(bytes[2], reference) : 0;
  const body = (i, other, mark) => () =>
    asText
      ? textColumn(texts[i], texts[other] ?? null, mark)
      : hexColumn(bytes[i], i === 0 ? null : bytes[other] || null, file.offset, at);
  const tear = tearMark(file, at);
  return [
    h('p.lead', {}, h('code', {}, visible(file.path)), ' — ', sentence),
    h(
      'div.versions',
      {},
      fileColumn('Old', moments[0], file.old, body(0, 1, 'gone'), file.offset),
      fileColumn('New', moments[1], file.new, body(1, 0, 'new'), file.offset),
      fileColumn(
        'Found',
        moments[2],
        file.found,
        () => [body(2, bytes[1] ? 1 : 0, 'torn')(), tear],
        file.offset,
      ),
    ),
  ];
}

// Marks the place where what was found ends too early.
function tearMark(file, at) {
  const other = file.new || file.old;
  if (!other || !file.found || file.found.size >= other.size) return null;
  if (at < bytesOf(file.found).length) return null;
  return h(
    'span.tear',
    {},
    `✂ torn at byte ${grouped(file.found.size)}: ` +
      `${counted(other.size - file.found.size, 'byte')} missing`,
  );
}
