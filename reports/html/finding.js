// The page of one finding.

const SIGNS = {[KEPT]: '◆', [LOST]: '✕'};

function storyList(finding) {
  return h(
    'ol.story',
    {},
    story(finding).map(([words, involved, fate]) => {
      const frame = involved && userFrame(involved.stack);
      return h(
        fate ? `li.${fate}` : 'li',
        {},
        fate && h('span.sign', {'aria-hidden': 'true'}, SIGNS[fate], ' '),
        words,
        involved && h('strong', {}, involvedWords(involved)),
        frame && h('span.where', {}, sourceLine(frame)),
        frame && h('span.where', {}, callers(involved, 1)),
      );
    }),
    h('li.outcome', {}, 'Then ', h('strong', {}, outcomeWords(finding))),
  );
}

function outcomeWords(finding) {
  const said = plainWords(finding);
  return said.slice(0, 1).toLowerCase() + said.slice(1);
}

function causeSection(finding) {
  const advice = wayOut(finding);
  const lost = finding.crash === 'kill' ? '' : lostWords(finding);
  return section(
    'cause',
    'What happens',
    storyList(finding),
    lost && h('p', {}, 'Smallest loss that does it: ', h('strong', {}, lost), '.'),
    finding.window && h('p', {}, 'A crash does this ', visible(finding.window), '.'),
    finding.explanation && h('p', {}, visible(finding.explanation)),
    (finding.schedule || []).length > 0 && [
      h('h3', {}, 'Who ran when'),
      h('pre', {tabindex: '0'}, visibleLines(finding.schedule.join('\n'))),
    ],
    advice.length > 0 && h('p.advice', {}, h('strong', {}, 'Way out. '), advice.join(' ')),
  );
}

function entryCell(entry, before) {
  if (!entry) return h('span.absent', {}, before ? '✕ gone' : '–');
  const size =
    {
      file: counted(entry.size || 0, 'byte'),
      folder: 'folder',
      link: `→ ${visible(entry.target || '')}`,
    }[entry.kind] || entry.kind;
  if (before === undefined) return size;
  if (!before) return [h('span.fresh', {}, '+ '), size];
  const changed = before.kind !== entry.kind || before.content !== entry.content;
  const mode =
    before.mode !== entry.mode
      ? `, mode ${entry.mode.toString(8)}, not ${before.mode.toString(8)}`
      : '';
  return changed
    ? [h('span.changed', {}, '≠ '), size, mode]
    : mode
      ? [h('span.changed', {}, '≠ '), size, mode]
      : h('span.muted', {}, `= ${size}`);
}

const SAME_ROWS = 4;

function treeSection(finding) {
  const {
    tree,
    tree_left_out: leftOut,
    after_what: afterWhat,
    before_sequence: sequence,
  } = finding.evidence;
  if (tree.length === 0) return null;
  const after = tree.some((row) => row.after) || afterWhat;
  const isKill = finding.crash === 'kill';
  const columns = [
    {name: 'Path'},
    {name: isKill ? 'Before the change' : 'As the program saw it', title: momentAfter(sequence)},
    {name: 'After the crash'},
    ...(after ? [{name: `After ${visible(afterWhat)}`}] : []),
  ];
  const rows = tree.map((row) => ({
    attributes: isSame(row, after) ? {class: 'same'} : {},
    cells: [
      h('code', {}, visible(row.path)),
      entryCell(row.before),
      entryCell(row.crash, row.before || null),
      ...(after ? [entryCell(row.after, row.crash || null)] : []),
    ],
  }));
  const different = rows.filter((row) => !row.attributes.class);
  const same = rows.filter((row) => row.attributes.class);
  const label = 'The state directory before the crash, after it, and afterwards';
  return section(
    'tree',
    'The state directory',
    h('p.muted', {}, '≠ differs from the column to its left, = is the same, + is new, ✕ is gone.'),
    different.length > 0
      ? table(label, columns, same.length > SAME_ROWS ? different : rows)
      : h('p', {}, 'No path differs.'),
    same.length > SAME_ROWS &&
      h(
        'details',
        {},
        h('summary', {}, `${counted(same.length, 'path')} that the crash did not change`),
        table('Paths that the crash did not change', columns, same),
      ),
    leftOut &&
      h('p.muted', {}, `${counted(leftOut, 'more path is', 'more paths are')} not in the result.`),
    !after &&
      h('p.muted', {}, 'No recovery was run: with --recover or --resume its result stands here.'),
  );
}

function isSame(row, after) {
  const key = (entry) => (entry ? `${entry.kind} ${entry.content} ${entry.mode}` : '');
  return key(row.before) === key(row.crash) && (!after || key(row.crash) === key(row.after));
}

function excerptLines(frame) {
  if (!frame.excerpt) return null;
  return h(
    'pre.source',
    {tabindex: '0', 'aria-label': `Source at ${frameLine(frame)}`},
    frame.excerpt.lines.map((line, i) => {
      const number = frame.excerpt.first_line + i;
      return h(
        number === frame.line ? 'span.line.current' : 'span.line',
        {},
        h('span.number', {}, String(number).padStart(5), number === frame.line ? ' ▶ ' : '   '),
        visibleLines(line) || ' ',
      );
    }),
  );
}

function stackView(title, involved) {
  const stack = involved && stackOf(involved.stack);
  if (!stack) return null;
  const frames = stack.frames.map((index) => run.frames[index]);
  const lead = frames[stack.user_frame];
  const others = frames.filter((_, i) => i !== stack.user_frame);
  return h(
    'div.stack',
    {},
    h('h3', {}, title, ' ', h('span.muted', {}, involvedWords(involved))),
    h('p', {}, sourceLine(lead)),
    excerptLines(lead),
    h('p', {}, callers(involved)),
    others.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, `${counted(frames.length, 'frame')}, innermost first`),
        h(
          'ol.frames',
          {},
          frames.map((frame, i) =>
            h(
              i === stack.user_frame ? 'li.current' : 'li',
              {},
              sourceLine(frame),
              i !== stack.user_frame && excerptLines(frame),
            ),
          ),
        ),
      ),
  );
}

function stackSection(finding) {
  const seen = new Set();
  const views = [
    ['Cause', finding.cause_operation],
    ...finding.lost_operations.slice(0, 4).map((operation) => ['Lost', operation]),
    [
      finding.kept_operation && finding.kept_operation.description.startsWith('print')
        ? 'Printed'
        : 'Kept',
      finding.kept_operation,
    ],
    ['Crash after', finding.crash_operation],
  ]
    .map(([title, operation]) => {
      if (!operation || seen.has(operation.sequence)) return null;
      seen.add(operation.sequence);
      return stackView(title, operation);
    })
    .filter(Boolean);
  return section(
    'stacks',
    'Where in the program',
    views.length > 0
      ? views
      : h(
          'p',
          {},
          'No call stack was recorded. ' +
            'In a program built with -g and frame pointers the lines stand here.',
        ),
  );
}

function saidSection(finding) {
  const printed = finding.evidence && finding.evidence.printed;
  return section(
    'said',
    finding.judge === 'checker'
      ? 'What the checker said'
      : `What the judge “${visible(finding.judge)}” said`,
    finding.complaints.map((complaint) =>
      h('pre', {tabindex: '0', 'aria-label': 'What was said'}, visibleLines(complaint)),
    ),
    printed && [
      h('h3', {}, 'Printed before the crash (the end of it)'),
      h('pre', {tabindex: '0', 'aria-label': 'Printed before the crash'}, visibleLines(printed)),
    ],
  );
}

function pointsSection(finding) {
  const more = finding.points_total - finding.points.length;
  return section(
    'points',
    'Where else',
    h(
      'p',
      {},
      `${counted(finding.states, 'failing state')} with this cause, at ` +
        `${counted(finding.points_total, 'crash point')}` +
        ` from ${visible(finding.first_point)} to ${visible(finding.last_point)}.`,
    ),
    h(
      'details',
      {},
      h('summary', {}, 'Crash points'),
      h(
        'ul.points',
        {},
        finding.points.map((point) => h('li', {}, h('code', {}, visible(point)))),
        more > 0 && h('li.muted', {}, `and ${grouped(more)} more`),
      ),
    ),
  );
}

function findingPage(index, at) {
  const finding = findings[index];
  const {evidence} = finding;
  return [
    h(
      'nav.crumbs',
      {'aria-label': 'Findings'},
      h('a', {href: '#'}, '← All findings'),
      h('span.muted', {}, `finding ${index + 1} of ${findings.length}`),
      index > 0 && h('a', {href: addressOf(findings[index - 1])}, 'previous (k)'),
      index + 1 < findings.length && h('a', {href: addressOf(findings[index + 1])}, 'next (j)'),
    ),
    h('h1', {}, visible(finding.title)),
    h(
      'dl.facts',
      {},
      fact('Line', sourceLine(leadingFrame(finding)), ' ', callers(leadingOperation(finding), 2)),
      finding.path &&
        fact(finding.effect_fault ? 'Effect' : 'File', h('code', {}, visible(finding.path))),
      fact(
        'When',
        `${capitalised(crashWords(finding.crash))} at `,
        h('code', {}, visible(finding.point)),
        ' ',
        wayBadges(finding),
      ),
      fact('Covers', statesWords(finding)),
      finding.waived && fact('Accepted', visible(finding.waived)),
      (finding.real_file_systems || []).length > 0 &&
        fact(
          'For real',
          finding.real_file_systems.map((line) => h('div', {}, visible(line))),
        ),
      finding.reproduce &&
        fact('Replay', command(visible(finding.reproduce), 'the replay command')),
    ),
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
