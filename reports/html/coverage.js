// What was covered, what was not, and why.

// The states that were judged, and those that would have been. Equal ones count as often as they
// were checked.
function statesToJudge({distinct, checked, skipped_by_budget: late, skipped_by_shard: elsewhere}) {
  return Math.max(distinct, checked + late + elsewhere);
}

// Survived, violated and not measured states as one bar; the numbers stand beside it.
function statesBar(coverage) {
  const total = statesToJudge(coverage) || 1;
  const width = 160;
  let x = 0;
  const part = (count, name) => {
    const wide = (width * count) / total;
    const rect = s(`rect.${name}`, {x, y: 0, width: wide, height: 10});
    x += wide;
    return count > 0 && rect;
  };
  return s(
    'svg.bar',
    {viewBox: `0 0 ${width} 10`, 'aria-hidden': 'true'},
    part(coverage.survived, 'good'),
    part(coverage.violated, 'bad'),
    part(coverage.not_measured, 'unsure'),
    part(coverage.skipped_by_budget + coverage.skipped_by_shard, 'skipped'),
  );
}

function pruned(coverage) {
  const reasons = [
    [coverage.considered - statesToJudge(coverage), 'equal to another'],
    [coverage.skipped_by_budget, 'over the budget or limit'],
    [coverage.skipped_by_shard, 'of other shards'],
  ];
  return (
    listed(
      reasons.filter(([count]) => count > 0).map(([count, why]) => `${grouped(count)} ${why}`),
    ) || 'none'
  );
}

function statesTable() {
  const columns = [
    {name: 'Crash, model'},
    {name: 'Points', number: true},
    {name: 'Checked', number: true},
    {name: 'Survived', number: true},
    {name: 'Violated', number: true},
    {name: 'Not measured', number: true},
    {name: ''},
    {name: 'Not checked, and why'},
    {name: 'How far'},
  ];
  return table(
    'States by crash and model',
    columns,
    run.coverage.map((coverage) => ({
      cells: [
        modelName(coverage.crash, coverage.model),
        grouped(coverage.crash_points),
        grouped(coverage.checked),
        grouped(coverage.survived),
        grouped(coverage.violated),
        grouped(coverage.not_measured),
        statesBar(coverage),
        pruned(coverage),
        coverage.exhaustive ? 'exhaustive' : `bounded: ${visible(coverage.bound)}`,
      ],
    })),
  );
}

function strategies() {
  const names = [
    ...new Set(run.coverage.flatMap((coverage) => (coverage.strategies || []).map((c) => c.name))),
  ];
  if (names.length === 0) return null;
  const with_ = run.coverage.filter((coverage) => (coverage.strategies || []).length > 0);
  const columns = [
    {name: 'States considered, by strategy'},
    ...with_.map((coverage) => ({name: modelName(coverage.crash, coverage.model), number: true})),
  ];
  return table(
    'States considered, by strategy',
    columns,
    names.map((name) => ({
      cells: [
        visible(name),
        ...with_.map((coverage) => {
          const found = coverage.strategies.find((strategy) => strategy.name === name);
          return found ? grouped(found.count) : '–';
        }),
      ],
    })),
  );
}

function reasonsList(title, reasons) {
  return (
    reasons.length > 0 && [
      h('h3', {}, title),
      h(
        'ul',
        {},
        reasons.map((reason) => h('li', {}, reason)),
      ),
    ]
  );
}

function notMeasured() {
  const oracles = run.oracles
    .filter((oracle) => !oracle.applied)
    .map((oracle) => [
      oracle.name && h('strong', {}, `${visible(oracle.name)}: `),
      visible(oracle.reason),
    ]);
  const left = lacks.left_out.map(visible);
  if (run.operations_left_out > 0) {
    left.unshift(
      `${counted(run.operations_left_out, 'operation')} of the run are not listed in the result.`,
    );
  }
  const unreached = run.coverage
    .filter((coverage) => coverage.skipped_by_budget > 0)
    .map(
      (coverage) =>
        `${modelName(coverage.crash, coverage.model)}: ` +
        `${counted(coverage.skipped_by_budget, 'state')} left when the budget or limit was reached`,
    );
  const parts = [
    reasonsList('Not measured', [...oracles, ...unreached]),
    reasonsList('What this machine did not allow', run.capabilities.map(visible)),
    reasonsList('Warnings of the recording', run.recorded.warnings.map(visible)),
    reasonsList('Noticed while recording', run.recorded.notes.map(visible)),
    reasonsList('Left out of this page', left),
  ].filter(Boolean);
  return section(
    'not-measured',
    'Not measured, and why',
    parts.length > 0 ? parts : h('p', {}, 'Everything that was selected was measured.'),
  );
}

const PLACES_SHOWN = 5; // of one rule

function notePlace(note, said) {
  const frame = userFrame(note.stack);
  const times = note.occurrences > 1 ? ` (${grouped(note.occurrences)} times)` : '';
  return h(
    'li',
    {},
    note.path && h('code', {}, visible(note.path)),
    said && `${note.path ? ': ' : ''}${visible(said)}`,
    times,
    frame && [' ', h('span.muted', {}, frameName(frame), ' ', h('code', {}, frameLine(frame)))],
  );
}

// NOTES with those that read the same in one.
function joinedNotes(notes) {
  const joined = new Map();
  for (const note of notes) {
    const frame = userFrame(note.stack);
    const line = frame ? `${frameName(frame)} ${frameLine(frame)}` : '';
    const key = JSON.stringify([note.path, note.message, line]);
    const known = joined.get(key);
    const occurrences = (known ? known.occurrences : 0) + note.occurrences;
    joined.set(key, {...(known || note), occurrences});
  }
  return [...joined.values()];
}

// Notes of one rule: what it says once, then a line for each place in the program.
function noteGroup(rule, group) {
  const same = group.every((note) => note.message === group[0].message);
  const places = joinedNotes(group).map((note) => notePlace(note, same ? '' : note.message));
  const more = places.slice(PLACES_SHOWN);
  return h(
    'li',
    {},
    h('strong', {}, visible(rule)),
    same && `: ${visible(group[0].message)}`,
    h('ul', {}, places.slice(0, PLACES_SHOWN)),
    more.length > 0 &&
      h('details', {}, h('summary', {}, counted(more.length, 'more place')), h('ul', {}, more)),
  );
}

function notes() {
  if (run.notes.length === 0) return null;
  const rules = new Map();
  for (const note of run.notes) rules.set(note.rule, [...(rules.get(note.rule) || []), note]);
  return section(
    'notes',
    'Habits worth a look',
    h('p.muted', {}, 'No verdicts: seen in the recording, not shown to do harm.'),
    h(
      'ul',
      {},
      [...rules].map(([rule, group]) => noteGroup(rule, group)),
    ),
  );
}

function recordedSentence() {
  const kinds = run.recorded.operations
    .slice()
    .sort((a, b) => b.count - a.count)
    .map(({name, count}) => `${grouped(count)} ${visible(name)}`);
  const total = run.recorded.operations.reduce((sum, {count}) => sum + count, 0);
  return (
    `${counted(total, 'operation')} by ` +
    `${counted(run.recorded.processes, 'process', 'processes')} and ` +
    `${counted(run.recorded.threads, 'thread')}: ${listed(kinds)}; ` +
    `${counted(run.recorded.prints, 'print')}, ${counted(run.recorded.effects, 'effect')}.`
  );
}

function coverageSections() {
  return [
    callSites(),
    section(
      'states',
      'States',
      run.coverage.length > 0 ? statesTable() : h('p', {}, 'None.'),
      strategies(),
    ),
    chaosSection(),
    exactlyOnce(),
    notMeasured(),
    notes(),
    section(
      'run',
      'The run',
      h(
        'dl.facts',
        {},
        fact('Workload', h('code', {}, visible(run.workload.join(' ')))),
        fact('State directory', h('code', {}, visible(run.state_directory))),
        fact('Recorded', recordedSentence()),
        fact('Trace', h('code', {}, visible(run.trace.identity))),
        run.elapsed_ms !== undefined && fact('Took', `${(run.elapsed_ms / 1000).toFixed(1)} s`),
        fact('everycrash', visible(run.tool_version)),
      ),
    ),
  ];
}
