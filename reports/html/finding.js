// The page of one finding.

const SIGNS = {[KEPT]: '◆', [LOST]: '✕'};

function storyList(finding) {
  return h('ol.story', {}, story(finding).map(([words, involved, fate]) => {
    const frame = involved && userFrame(involved.stack);
    return h(fate ? `li.${fate}` : 'li', {}, fate && h('span.sign', {'aria-hidden': 'true'}, SIGNS[fate], ' '), words,
      involved && h('strong', {}, involvedWords(involved)),
      frame && h('span.where', {}, sourceLine(frame)), frame && h('span.where', {}, callers(involved)));
  }), h('li.outcome', {}, 'Then ', h('strong', {}, outcomeWords(finding))));
}

function outcomeWords(finding) {
  const said = plainWords(finding);
  return said.slice(0, 1).toLowerCase() + said.slice(1);
}

function causeSection(finding) {
  const advice = wayOut(finding);
  const lost = finding.crash === 'kill' ? '' : lostWords(finding);
  return section('cause', 'What happens', storyList(finding),
    lost && h('p', {}, 'Smallest loss that does it: ', h('strong', {}, lost), '.'),
    finding.explanation && h('p', {}, visible(finding.explanation)),
    advice.length > 0 && h('p.advice', {}, h('strong', {}, 'Way out. '), advice.join(' ')));
}

function waysOf(finding) {
  const ways = (run.durability || []).map(({crash, model}) => ({crash, model, name: modelName(crash, model)}));
  for (const way of exploredWays()) {
    if (!ways.some((known) => known.name === way.name)) ways.push(way);
  }
  return ways;
}

const LEGEND = [
  [SAFE, 'durable: on disk for certain'], [VOLATILE, 'volatile: may be lost'],
  [KEPT, 'kept: on disk, though nothing made it so'], [LOST, 'lost in this state'],
  [LATER, 'not yet done'], [IDLE, 'nothing to lose'],
];

function legend(finding) {
  const shapes = LEGEND.filter(([fate]) => finding.crash !== 'kill' || (fate !== SAFE && fate !== LOST && fate !== VOLATILE))
    .map(([fate, words]) => h('li', {}, s('svg', {width: 22, height: 20, 'aria-hidden': 'true'},
      markShape(fate, {kind: 'write'}, 11, 10)),
    finding.crash === 'kill' && fate === KEPT ? 'done: survives a kill' : words));
  const sign = (operation, words) => h('li', {}, s('svg', {width: 22, height: 20, 'aria-hidden': 'true'},
    markShape(IDLE, operation, 11, 10)), words);
  return h('ul.legend', {}, shapes,
    h('li', {}, s('svg', {width: 22, height: 20, 'aria-hidden': 'true'},
      s('line.barrier', {x1: 11, x2: 11, y1: 1, y2: 19}), s('path.cap', {d: 'M6 1h10M6 19h10'})), 'sync: a barrier'),
    run.recorded.prints > 0 && sign({kind: 'print'}, 'printed'),
    operations.some((operation) => operation.kind === 'event') && sign({kind: 'event'}, 'effect or step'));
}

function cutWords(timeline) {
  const {position, way, fate} = timeline;
  const operation = operations[position];
  const where = operation ? h('span', {}, 'right after ', h('strong', {}, describe(operation)),
    operation.point ? [' — ', h('code', {}, visible(operation.point))] : '') : 'before the first operation';
  if (timeline.isFindingsOwn()) {
    return [h('p', {}, h('strong.here', {}, 'The crash of this finding'), ': ', where, `, under ${way.name}.`)];
  }
  const start = h('p', {}, `A crash here (${way.name}): `, where, '.');
  if (way.crash === 'kill') {
    return [start, h('p', {}, 'A killed process loses nothing that a call had finished.')];
  }
  const volatile = [];
  let durable = 0;
  for (let i = 0; i <= position; ++i) {
    const is = fate(i);
    if (is === VOLATILE) volatile.push(operations[i]);
    if (is === SAFE) ++durable;
  }
  const shown = volatile.slice(-12).reverse();
  return [start, volatile.length === 0 ? h('p', {}, `Nothing can be lost: all ${counted(durable, 'change')} are durable.`) :
    [h('p', {}, h('strong', {}, `${counted(volatile.length, 'change')} may be lost`), `, ${grouped(durable)} are durable. The latest:`),
      h('ul.may-be-lost', {}, shown.map((one) => h('li', {}, describe(one))),
        volatile.length > shown.length && h('li.muted', {}, `and ${grouped(volatile.length - shown.length)} before them`))]];
}

// A list of the operations around the cut, for those who cannot see the picture.
function operationList(timeline) {
  const columns = [{name: '#', number: true}, {name: 'Operation'}, {name: 'Thread'}, {name: 'At this crash'}];
  const first = Math.max(0, timeline.position - 60);
  const shown = operations.slice(first, timeline.position + 20);
  return table('Operations around the crash', columns, shown.map((operation, i) => ({
    attributes: {'aria-current': first + i === timeline.position ? 'true' : null,
      class: `fate-${timeline.fate(first + i)}`},
    cells: [grouped(first + i + 1), describe(operation), threadName(`${operation.process}.${operation.thread}`),
      fateWords(timeline.fate(first + i))]})));
}

function fateWords(fate) {
  return {[LATER]: 'not yet done', [IDLE]: ''}[fate] ?? fate;
}

function timelineSection(finding, at) {
  if (operations.length === 0) return null;
  const ways = waysOf(finding);
  const own = ways.find((way) => happensIn(finding, way) && (!finding.state.model || way.model === finding.state.model)) || ways[0];
  const words = h('div.cut-words', {'aria-live': 'polite'});
  const list = h('div');
  const details = h('details', {}, h('summary', {}, 'The operations around the crash, as a list'), list);
  const timeline = new Timeline(finding, ways, (position, way) => {
    words.replaceChildren(...cutWords(timeline).flat());
    if (details.open) list.replaceChildren(operationList(timeline));
    rememberCut(finding, timeline.isFindingsOwn() ? null : {at: position < 0 ? 0 : operations[position].sequence, model: way.name});
  });
  details.addEventListener('toggle', () => { if (details.open) list.replaceChildren(operationList(timeline)); });
  const start = () => {
    const way = ways.find((one) => one.name === at.model) || own;
    timeline.moveTo(positionAt(at.at === undefined ? finding.sequence : Number(at.at)), way);
  };
  const few = layoutOf(null).names.length <= 10;
  timeline.arrange(few);
  const root = section('timeline', 'Timeline',
    h('p.muted', {}, 'Drag the crash to another place to see what may be lost there.'),
    h('div.tools', {}, timelineTools(finding, timeline, ways, own, few)),
    timeline.element, timeline.details, words, legend(finding), details);
  requestAnimationFrame(() => {
    start();
    timeline.reveal();
  });
  return root;
}

function timelineTools(finding, timeline, ways, own, few) {
  const select = h('select', {'aria-label': 'Crash and model'}, ways.map((way) =>
    h('option', {value: way.name}, happensIn(finding, way) ? `${way.name} ■` : way.name)));
  requestAnimationFrame(() => { select.value = timeline.way ? timeline.way.name : own.name; });
  select.addEventListener('change', () => timeline.moveTo(timeline.position, ways[select.selectedIndex]));
  const button = (words, label, action) => h('button', {type: 'button', 'aria-label': label, onclick: action}, words);
  const back = h('button', {type: 'button'}, 'Back to the finding');
  back.addEventListener('click', () => {
    select.value = own.name;
    timeline.moveTo(positionAt(finding.sequence), own);
    timeline.reveal();
  });
  const everything = h('input', {type: 'checkbox', id: 'all-files'});
  everything.checked = few;
  everything.addEventListener('change', () => {
    timeline.arrange(everything.checked);
    timeline.moveTo(timeline.position, timeline.way);
    timeline.reveal();
  });
  return [
    h('label', {}, 'Under ', select),
    button('◀', 'Crash one operation earlier', () => timeline.step(-1)),
    button('▶', 'Crash one operation later', () => timeline.step(1)),
    back,
    !few && h('label', {}, everything, ' all files'),
  ];
}

function entryCell(entry, before) {
  if (!entry) return h('span.absent', {}, before ? '✕ gone' : '–');
  const size = {file: counted(entry.size || 0, 'byte'), folder: 'folder', link: `→ ${visible(entry.target || '')}`}[entry.kind] || entry.kind;
  if (before === undefined) return size;
  if (!before) return [h('span.fresh', {}, '+ '), size];
  const changed = before.kind !== entry.kind || before.content !== entry.content;
  const mode = before.mode !== entry.mode ? `, mode ${entry.mode.toString(8)}, not ${before.mode.toString(8)}` : '';
  return changed ? [h('span.changed', {}, '≠ '), size, mode] : mode ? [h('span.changed', {}, '≠ '), size, mode] : h('span.muted', {}, `= ${size}`);
}

const SAME_ROWS = 4;

function treeSection(finding) {
  const {tree, tree_left_out: leftOut, after_what: afterWhat, before_sequence: sequence} = finding.evidence;
  if (tree.length === 0) return null;
  const after = tree.some((row) => row.after) || afterWhat;
  const isKill = finding.crash === 'kill';
  const columns = [{name: 'Path'}, {name: isKill ? 'Before the change' : 'As the program saw it', title: momentAfter(sequence)},
    {name: 'After the crash'}, ...(after ? [{name: `After ${visible(afterWhat)}`}] : [])];
  const rows = tree.map((row) => ({
    attributes: isSame(row, after) ? {class: 'same'} : {},
    cells: [h('code', {}, visible(row.path)), entryCell(row.before), entryCell(row.crash, row.before || null),
      ...(after ? [entryCell(row.after, row.crash || null)] : [])]}));
  const different = rows.filter((row) => !row.attributes.class);
  const same = rows.filter((row) => row.attributes.class);
  const label = 'The state directory before the crash, after it, and afterwards';
  return section('tree', 'The state directory',
    h('p.muted', {}, '≠ differs from the column to its left, = is the same, + is new, ✕ is gone.'),
    different.length > 0 ? table(label, columns, same.length > SAME_ROWS ? different : rows) :
      h('p', {}, 'No path differs.'),
    same.length > SAME_ROWS && h('details', {}, h('summary', {}, `${counted(same.length, 'path')} that the crash did not change`),
      table('Paths that the crash did not change', columns, same)),
    leftOut && h('p.muted', {}, `${counted(leftOut, 'more path is', 'more paths are')} not in the result.`),
    !after && h('p.muted', {}, 'No recovery was run: with --recover or --resume its result stands here.'));
}

function isSame(row, after) {
  const key = (entry) => entry ? `${entry.kind} ${entry.content} ${entry.mode}` : '';
  return key(row.before) === key(row.crash) && (!after || key(row.crash) === key(row.after));
}

function excerptLines(frame) {
  if (!frame.excerpt) return null;
  return h('pre.source', {tabindex: '0', 'aria-label': `Source at ${frameLine(frame)}`}, frame.excerpt.lines.map((line, i) => {
    const number = frame.excerpt.first_line + i;
    return h(number === frame.line ? 'span.line.current' : 'span.line', {},
      h('span.number', {}, String(number).padStart(5), number === frame.line ? ' ▶ ' : '   '), visibleLines(line) || ' ');
  }));
}

function stackView(title, involved) {
  const stack = involved && stackOf(involved.stack);
  if (!stack) return null;
  const frames = stack.frames.map((index) => run.frames[index]);
  const lead = frames[stack.user_frame];
  const others = frames.filter((_, i) => i !== stack.user_frame);
  return h('div.stack', {}, h('h3', {}, title, ' ', h('span.muted', {}, involvedWords(involved))),
    h('p', {}, sourceLine(lead)), excerptLines(lead),
    h('p', {}, callers(involved)),
    others.length > 0 && h('details', {}, h('summary', {}, `${counted(frames.length, 'frame')}, innermost first`),
      h('ol.frames', {}, frames.map((frame, i) => h(i === stack.user_frame ? 'li.current' : 'li', {}, sourceLine(frame),
        i !== stack.user_frame && excerptLines(frame))))));
}

function stackSection(finding) {
  const seen = new Set();
  const views = [
    ['Cause', finding.cause_operation],
    ...finding.lost_operations.slice(0, 4).map((operation) => ['Lost', operation]),
    [finding.kept_operation && finding.kept_operation.description.startsWith('print') ? 'Printed' : 'Kept', finding.kept_operation],
    ['Crash after', finding.crash_operation],
  ].map(([title, operation]) => {
    if (!operation || seen.has(operation.sequence)) return null;
    seen.add(operation.sequence);
    return stackView(title, operation);
  }).filter(Boolean);
  return section('stacks', 'Where in the program', views.length > 0 ? views :
    h('p', {}, 'No call stack was recorded. In a program built with -g and frame pointers the lines stand here.'));
}

function saidSection(finding) {
  const printed = finding.evidence && finding.evidence.printed;
  return section('said', finding.judge === 'checker' ? 'What the checker said' : `What the judge “${visible(finding.judge)}” said`,
    finding.complaints.map((complaint) => h('pre', {tabindex: '0', 'aria-label': 'What was said'}, visibleLines(complaint))),
    printed && [h('h3', {}, 'Printed before the crash (the end of it)'), h('pre', {tabindex: '0', 'aria-label': 'Printed before the crash'}, visibleLines(printed))]);
}

function pointsSection(finding) {
  const more = finding.points_total - finding.points.length;
  return section('points', 'Where else', h('p', {}, `${counted(finding.states, 'failing state')} with this cause, at ${counted(finding.points_total, 'crash point')}` +
    ` from ${visible(finding.first_point)} to ${visible(finding.last_point)}.`),
  h('details', {}, h('summary', {}, 'Crash points'), h('ul.points', {}, finding.points.map((point) => h('li', {}, h('code', {}, visible(point)))),
    more > 0 && h('li.muted', {}, `and ${grouped(more)} more`))));
}

function findingPage(index, at) {
  const finding = findings[index];
  const {evidence} = finding;
  return [
    h('nav.crumbs', {'aria-label': 'Findings'}, h('a', {href: '#'}, '← All findings'),
      h('span.muted', {}, `finding ${index + 1} of ${findings.length}`),
      index > 0 && h('a', {href: addressOf(findings[index - 1])}, 'previous (k)'),
      index + 1 < findings.length && h('a', {href: addressOf(findings[index + 1])}, 'next (j)')),
    h('h1', {}, visible(finding.title)),
    h('dl.facts', {},
      fact('Line', sourceLine(leadingFrame(finding)), ' ', callers(leadingOperation(finding))),
      finding.path && fact('File', h('code', {}, visible(finding.path))),
      fact('When', `${capitalised(crashWords(finding.crash))} at `, h('code', {}, visible(finding.point)), ' ', wayBadges(finding)),
      fact('Covers', `${counted(finding.states, 'failing state')} at ${counted(finding.points_total, 'crash point')}`),
      finding.reproduce && fact('Replay', command(visible(finding.reproduce), 'the replay command'))),
    causeSection(finding),
    evidence && evidence.file && section('file', 'The broken file', fileView(finding)),
    timelineSection(finding, at),
    evidence && treeSection(finding),
    evidence && evidence.left_out && h('p.warning', {}, `Left out: ${visible(evidence.left_out)}.`),
    stackSection(finding),
    saidSection(finding),
    pointsSection(finding),
  ];
}
