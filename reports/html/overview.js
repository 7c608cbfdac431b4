// The first page: the verdict, the findings by cause, and what was covered.

const VERDICTS = {
  survived: {sign: '✓', tone: 'good'},
  violated: {sign: '✕', tone: 'bad'},
  'not measured': {sign: '?', tone: 'unsure'},
  'harness broken': {sign: '!', tone: 'unsure'},
  nothing: {sign: '–', tone: 'unsure'},
};

// What a program does, or does not, survive.
const TROUBLES = {
  kill: 'being killed',
  power: 'a power loss',
  'lost-fsync': 'a power loss on a lying disk',
  'io-error': 'a failing call',
  clock: 'a start by another clock',
  again: 'a second crash in recovery',
  concurrent: 'a second runner',
  chaos: 'random faults',
};

function sumOf(member) {
  return run.coverage.reduce((sum, coverage) => sum + coverage[member], 0);
}

// "app", or the script that the program was seen to run.
function programName() {
  const [program, ...rest] = run.workload.map(baseName);
  if (program === undefined) return 'the workload';
  const first = rest.find((word) => !word.startsWith('-'));
  const scripts = run.frames.filter((frame) => frame.language && frame.file);
  const ranIt = scripts.some((frame) => baseName(frame.file) === first);
  return visible(ranIt ? first : program);
}

// The crash kinds that the verdict is about: of those that were tried, the ones that do harm.
function troubles() {
  const kinds = [...new Set(run.crash_kinds)];
  const harmful = kinds.filter((kind) =>
    findings.some((finding) => finding.crash === kind && !finding.waived),
  );
  const named = run.verdict === 'violated' && harmful.length > 0 ? harmful : kinds;
  return listed(
    named.map((kind) => TROUBLES[kind] || kind),
    'or',
  );
}

function verdictSentence() {
  const checked = counted(sumOf('checked'), run.chaos ? 'round' : 'crash state');
  const crash = troubles();
  if (run.verdict === 'violated') {
    return (
      `${programName()} does not survive ${crash}: ` +
      `${counted(findings.length, 'cause')} ${findings.length === 1 ? 'breaks' : 'break'} ` +
      `${grouped(sumOf('violated'))} of ${checked}.`
    );
  }
  if (run.verdict === 'survived') {
    return `${programName()} survived ${crash}: all ${checked} that were checked are consistent.`;
  }
  const reason = run.reason ? `: ${visible(run.reason)}` : '';
  return `${capitalised(run.verdict === 'nothing' ? 'nothing to explore' : run.verdict)}${reason}.`;
}

function coveredSentence() {
  if (run.chaos) return run.coverage.map((coverage) => visible(coverage.bound)).join('; ');
  const parts = run.coverage.map((coverage) => {
    const name = modelName(coverage.crash, coverage.model);
    return coverage.exhaustive ? `${name}: exhaustive` : `${name}: bounded`;
  });
  const all = run.coverage.length > 0 && run.coverage.every((coverage) => coverage.exhaustive);
  const points = counted(Math.max(0, ...run.coverage.map((c) => c.crash_points)), 'crash point');
  if (all)
    return `Exhaustive: every state that a crash can leave, at ${points} (${exploredWays()
      .map((way) => way.name)
      .join(', ')})`;
  const bounds = [...new Set(run.coverage.map((coverage) => coverage.bound).filter(Boolean))];
  return `Bounded: ${parts.join('; ')}. ${bounds.map(visible).join(' ')}`;
}

function fact(name, ...value) {
  return [h('dt', {}, name), h('dd', {}, value)];
}

function verdict() {
  const {sign, tone} = VERDICTS[run.verdict] || VERDICTS.nothing;
  return h(
    `div.verdict.${tone}`,
    {},
    h('span.sign', {'aria-hidden': 'true'}, sign),
    h(
      'div',
      {},
      h('h1', {}, verdictSentence()),
      run.interrupted &&
        h('p.warning', {}, 'The run was interrupted: this is what was found so far.'),
      run.verdict === 'survived' && run.reason && h('p.warning', {}, visible(run.reason)),
      h(
        'dl.facts',
        {},
        fact('Covered', coveredSentence()),
        fact('Judged by', judgedBy()),
        run.shard && fact('Shard', run.shard, ' — the rest of the states is in the other shards'),
        fact('Seed', run.seed),
        fact('Kernel', visible(run.kernel)),
        fact('Run it again', command(visible(run.command), 'the command of the whole run')),
      ),
    ),
  );
}

function judgedBy() {
  const applied = run.oracles
    .filter((oracle) => oracle.applied)
    .map((oracle) => visible(oracle.name));
  const check = run.judging.check ? [' ', h('code', {}, visible(run.judging.check))] : '';
  return [applied.length > 0 ? listed(applied) : 'nothing that applied', check];
}

// Where a finding can happen: a filled box, where it was looked for and not found: an empty one.
function wayBadges(finding) {
  const ways = exploredWays().filter((way) => way.crash === finding.crash);
  return h(
    'ul.ways',
    {},
    ways.map((way) => {
      const happens = happensIn(finding, way);
      return h(
        happens ? 'li.yes' : 'li.no',
        {},
        h('span', {'aria-hidden': 'true'}, happens ? '■ ' : '□ '),
        way.name,
        h('span.unseen', {}, happens ? ': can happen' : ': not found'),
      );
    }),
    finding.waived && h('li.no', {}, visible(finding.waived)),
  );
}

function sourceLine(frame) {
  if (frame && frame.function === '_start') return h('span.muted', {}, 'when the program ends');
  if (!frame) return h('span.muted', {}, 'no line known');
  const line = frameLine(frame);
  return [
    h('code', {}, line || frameName(frame)),
    line ? h('span.muted', {}, ` ${frameName(frame)}`) : '',
  ];
}

// "called by b, by a": where a line is one that everything goes through, the caller is the place.
function callers(involved, most = 3) {
  const frames = involved ? callersOf(involved.stack, most) : [];
  if (frames.length === 0) return null;
  return h(
    'span.callers.muted',
    {},
    'called by ',
    frames.map((frame, i) => [
      i > 0 ? ', by ' : '',
      frameName(frame),
      ' ',
      h('code', {}, baseName(frameLine(frame))),
    ]),
  );
}

function findingRow(finding, index) {
  const leading = leadingOperation(finding);
  return h(
    'li.finding',
    {'data-index': index},
    h('a', {href: addressOf(finding)}, withArrows(visible(finding.title))),
    h('p.plain', {}, plainWords(finding)),
    h(
      'dl.row',
      {},
      finding.crash !== 'chaos' &&
        fact(
          'Line',
          sourceLine(leadingFrame(finding)),
          leading ? h('span.muted', {}, ` — ${involvedWords(leading)}`) : '',
        ),
      fact('When', capitalised(crashWords(finding.crash)), ' ', wayBadges(finding)),
      fact('Covers', statesWords(finding), h('span.muted', {}, ` · ${visible(finding.id)}`)),
    ),
  );
}

// The first line of what the judge said.
// The line of a complaint that says most: not that a checker failed but how, of a traceback what it
// ends in, and of a list its first entry, too.
function firstWords(finding) {
  const said = finding.complaints[0] || finding.explanation || '';
  const lines = said.split('\n').filter(Boolean);
  const from = finding.judge === 'checker' && lines.length > 1 ? 1 : 0;
  const [first = '', second] = lines.slice(from);
  if (first.startsWith('Traceback (most recent call last)')) return lines[lines.length - 1];
  return first.endsWith(':') && second ? `${first} ${second}` : first;
}

function plainWords(finding) {
  return `${capitalised(visible(finding.judge))}: ${visible(firstWords(finding))}`;
}

function searchText(finding) {
  const frame = leadingFrame(finding);
  return [
    finding.title,
    finding.id,
    finding.path,
    finding.crash,
    finding.judge,
    finding.point,
    ...finding.models,
    ...finding.complaints,
    ...involvedOperations(finding).map((o) => o.description),
    frame ? `${frame.file} ${frame.function}` : '',
  ]
    .join('\n')
    .toLowerCase();
}

function findingList() {
  if (findings.length === 0) return null;
  const rows = findings.map(findingRow);
  const texts = findings.map(searchText);
  const count = h('span.muted', {role: 'status'}, counted(findings.length, 'finding'));
  const filter = h('input', {
    type: 'search',
    id: 'filter',
    placeholder: 'Filter: file, function, model, id',
    'aria-label': 'Filter the findings',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    count.textContent =
      shown === findings.length
        ? counted(shown, 'finding')
        : `${grouped(shown)} of ${counted(findings.length, 'finding')}`;
  });
  return section(
    'findings',
    'Findings, by cause',
    h('div.tools', {}, filter, h('kbd', {'aria-hidden': 'true'}, '/'), count),
    h('ol.findings', {}, rows),
  );
}

function callSites() {
  const sites = run.call_sites.slice().sort((a, b) => (a.crashed_at > 0) - (b.crashed_at > 0));
  if (sites.length === 0) return null;
  const never = sites.filter((site) => site.crashed_at === 0).length;
  const columns = [
    {name: 'Place in the program'},
    {name: 'Change'},
    {name: 'Operations', number: true},
    {name: 'Crashed at', number: true},
  ];
  return section(
    'call-sites',
    'Crash points by place in the program',
    h(
      'p',
      {},
      `${counted(sites.length, 'place')} ${sites.length === 1 ? 'changes' : 'change'} the state; `,
      never === 0
        ? 'a crash was tried at every one of them.'
        : h('strong', {}, `${grouped(never)} never had a crash.`),
    ),
    table(
      'Crash points by place in the program',
      columns,
      sites.map((site) => ({
        attributes: site.crashed_at === 0 ? {class: 'never'} : {},
        cells: [
          [
            h(
              'code',
              {},
              visible(site.file ? `${site.file}:${site.line}` : site.function || 'unknown'),
            ),
            site.file ? h('span.muted', {}, ` ${visible(site.function)}`) : '',
          ],
          `${site.kind} ${visible(site.path_pattern)}`,
          grouped(site.operations),
          site.crashed_at === 0 ? 'never' : grouped(site.crashed_at),
        ],
      })),
    ),
  );
}
