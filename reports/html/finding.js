// The page of one finding.

const SIGNS = {[KEPT]: '◆', [LOST]: '✕', [LATER]: '○'};

function storyList(finding) {
  return h(
    'ol.story',
    {},
    story(finding).map(([words, involved, fate, more]) => {
      const frame = involved && userFrame(involved.stack);
      return h(
        fate ? `li.${fate}` : 'li',
        {},
        fate && h('span.sign', {'aria-hidden': 'true'}, SIGNS[fate], ' '),
        words,
        involved && h('strong', {}, involvedWords(involved)),
        more,
        frame && h('span.where', {}, sourceLine(frame)),
        frame && h('span.where', {}, callers(involved, 1)),
      );
    }),
    h('li.outcome', {}, outcomeWords(finding)),
  );
}

function outcomeWords(finding) {
  const said = h('strong', {}, visible(firstWords(finding)));
  if (finding.judge === 'checker') return ['Then the checker says: ', said];
  return ['Then: ', said, h('span.muted', {}, ` — judged by “${visible(finding.judge)}”`)];
}

// When it happens, with the name of the place.
function whenWords(finding) {
  const point = h('code', {}, visible(finding.point));
  const words = {
    clock: ['The process is killed at ', point, ', and started again by another clock'],
    'io-error': ['A call fails: ', point],
    concurrent: ['Two runners are at work at once; the first stands still ', point],
    chaos: ['Random faults come, in ', point],
    again: [
      lastCrash(finding) === 'kill'
        ? 'Recovery is killed, too, at '
        : 'The power fails while recovery runs, at ',
      point,
    ],
  }[finding.crash];
  return words || [`${capitalised(crashWords(finding.crash))} at `, point];
}

function causeSection(finding) {
  const advice = wayOut(finding);
  const lost = losesPower(lastCrash(finding)) ? lostWords(finding) : '';
  return section(
    'cause',
    'What happens',
    storyList(finding),
    lost && h('p', {}, 'Smallest loss that does it: ', h('strong', {}, lost), '.'),
    finding.window && h('p', {}, 'A crash does this ', withArrows(visible(finding.window)), '.'),
    finding.explanation && h('p', {}, visible(finding.explanation)),
    advice.length > 0 &&
      h(
        'p.advice',
        {},
        h('strong', {}, 'Way out.'),
        advice.map((part) => [' ', part]),
      ),
  );
}

function entryCell(entry, before) {
  if (!entry) return before ? h('span.absent', {}, '✕ gone') : h('span.muted', {}, '–');
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
  const isChaos = finding.crash === 'chaos';
  const before = isChaos
    ? 'After an undisturbed run'
    : ['kill', 'clock'].includes(lastCrash(finding))
      ? 'Before the change'
      : 'As the program saw it';
  const columns = [
    {name: 'Path'},
    {name: before, title: finding.trace || isChaos ? null : momentAfter(sequence)},
    {name: isChaos ? 'After the last life' : 'After the crash'},
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
      !isChaos &&
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
  const isPair = finding.crash === 'concurrent';
  const printed = isPrint(finding.kept_operation);
  const views = [
    ['Cause', finding.cause_operation],
    ['Never reached', finding.until_operation],
    ...finding.lost_operations
      .slice(0, 4)
      .map((operation) => [isPair ? 'Undone' : 'Lost', operation]),
    [isPair ? 'By the other' : printed ? 'Printed' : 'Kept', finding.kept_operation],
    [
      isPair
        ? 'The first stood still after'
        : finding.crash === 'io-error'
          ? 'The call that fails'
          : 'Crash after',
      finding.crash_operation,
    ],
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
          finding.crash === 'chaos'
            ? 'Chaos names no call: each round meets several faults at random places.'
            : 'No call stack was recorded. ' +
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

// What the points of a finding are: rounds, calls, or crash points.
function pointsWord(finding) {
  return (
    {chaos: 'round', 'io-error': 'failing call', concurrent: 'place'}[finding.crash] ||
    'crash point'
  );
}

function pointsSection(finding) {
  const more = finding.points_total - finding.points.length;
  const word = pointsWord(finding);
  const total = counted(finding.points_total, word);
  const at = finding.crash === 'concurrent' ? 'the first standing still at' : 'at';
  const range =
    finding.points_total > 1
      ? ` from ${visible(finding.first_point)} to ${visible(finding.last_point)}.`
      : `: ${visible(finding.first_point)}.`;
  return section(
    'points',
    'Where else',
    h(
      'p',
      {},
      ['chaos', 'io-error'].includes(finding.crash)
        ? `${total} with this cause${range}`
        : `${countedStates(finding)} with this cause, ${at} ${total}${range}`,
    ),
    h(
      'details',
      {},
      h('summary', {}, `${capitalised(word)}s`),
      h(
        'ul.points',
        {},
        finding.points.map((point) => h('li', {}, h('code', {}, visible(point)))),
        more > 0 && h('li.muted', {}, `and ${grouped(more)} more`),
      ),
    ),
  );
}

function searchLine(search) {
  const options = search.default_options ? ', default options' : '';
  const where = `${realName(search)} (${search.kernel}${options})`;
  const found = `${search.states || 0} of ${search.states_searched || 0} states; ${search.command}`;
  return {
    seen: `seen on ${where}: ${found}`,
    alike: `not seen, but a state that fails alike, on ${where}: ${found}`,
    'not seen': `searched for and not seen on ${where}: ${search.states_searched || 0} states`,
    'not searched': `not searched on ${where}: ${search.why}`,
    'not asked': 'not searched on a real file system (--on ext4,xfs,btrfs)',
  }[search.sighting];
}

// What the searches on real file systems came to, a line each; those not asked for share one.
function searchLines(finding) {
  const isLeft = (search) => search.sighting === 'not asked' && search.file_system !== '';
  const left = realSearches(finding)
    .filter(isLeft)
    .map((search) => search.file_system);
  const lines = realSearches(finding)
    .filter((search) => !isLeft(search))
    .map(searchLine);
  if (left.length > 0)
    lines.push(`not searched on a real ${left.join(', ')} (--on ${left.join(',')})`);
  return lines;
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
    h('h1', {}, withArrows(visible(finding.title))),
    h(
      'dl.facts',
      {},
      finding.crash !== 'chaos' &&
        fact('Line', sourceLine(leadingFrame(finding)), ' ', callers(leadingOperation(finding), 2)),
      finding.path &&
        fact(finding.effect_fault ? 'Effect' : 'File', h('code', {}, visible(finding.path))),
      fact('When', whenWords(finding), ' ', wayBadges(finding)),
      fact('Covers', statesWords(finding)),
      finding.waived && fact('Accepted', visible(finding.waived)),
      realSearches(finding).length > 0 &&
        fact(
          'For real',
          searchLines(finding).map((line) => h('div', {}, visible(line))),
        ),
      finding.reproduce &&
        fact('Replay', command(visible(finding.reproduce), 'the replay command')),
    ),
    causeSection(finding),
    evidence && evidence.file && section('file', fileTitle(finding), fileView(finding)),
    timelineSection(finding, at),
    evidence && treeSection(finding),
    evidence && evidence.left_out && h('p.warning', {}, `Left out: ${visible(evidence.left_out)}.`),
    stackSection(finding),
    saidSection(finding),
    pointsSection(finding),
  ];
}
