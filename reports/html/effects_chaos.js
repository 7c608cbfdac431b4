// What happened outside of the files, and what became of runs under random faults, as tables.

const TIMES = ['never', 'once', 'twice'];

function timesWords(count) {
  return TIMES[count] || `${grouped(count)} times`;
}

// "too often in 3 states (kill, xfs), never in 1 (kill)".
function effectFaults(row) {
  const parts = [
    ['duplicated', 'too often'],
    ['lost', 'never'],
  ].map(([member, words]) => {
    const faults = (row.faults || []).filter((fault) => fault[member] > 0);
    const states = faults.reduce((sum, fault) => sum + fault[member], 0);
    const ways = listed(faults.map((fault) => modelName(fault.crash, fault.model)));
    return states > 0 && h('strong', {}, `${words} in ${counted(states, 'state')} (${ways})`);
  });
  const found = parts.filter(Boolean);
  return found.map((part, i) => [i > 0 ? ', ' : '', part]);
}

function effectVerdict(row, judged) {
  if ((row.faults || []).length > 0) return effectFaults(row);
  if (!judged) return h('span.muted', {}, 'not judged');
  if (row.habitual) return h('span.muted', {}, 'done anew by each run: not judged');
  return row.repeatable ? 'may be repeated: its receiver knows it again' : 'as undisturbed';
}

// How often each effect happens undisturbed, and over a crash and the run after it.
function exactlyOnce() {
  const rows = run.effects || [];
  if (rows.length === 0) return null;
  const judged = run.oracles.some((oracle) => oracle.applied && oracle.name === 'exactly once');
  const guilty = findings.filter((finding) => finding.effect_fault);
  const columns = [
    {name: 'Effect'},
    {name: 'Undisturbed'},
    {name: 'Over a crash and the run after it'},
  ];
  const cells = (row) => {
    const finding =
      guilty.find((one) => one.path === row.effect) ||
      guilty.find((one) => (one.effects || []).includes(row.effect));
    const name = h('code', {}, visible(row.effect));
    return [
      finding ? h('a', {href: addressOf(finding)}, name) : name,
      timesWords(row.undisturbed),
      effectVerdict(row, judged),
    ];
  };
  const bad = rows.filter((row) => (row.faults || []).length > 0).length;
  const total = rows.length + (run.effects_left_out || 0);
  return section(
    'exactly-once',
    'Exactly once',
    h(
      'p',
      {},
      `${counted(total, 'effect')}: `,
      !judged
        ? 'how often they happen over a crash was not judged; --oracle exactly-once judges it.'
        : bad === 0
          ? `no state that was checked makes one happen too often, or never.`
          : h('strong', {}, `${grouped(bad)} not as often over a crash as it has to be.`),
    ),
    table(
      'Effects, and how often they happen',
      columns,
      rows.map((row) => ({cells: cells(row)})),
    ),
    run.effects_left_out &&
      h(
        'p.muted',
        {},
        `${counted(run.effects_left_out, 'more effect is', 'more effects are')} not listed.`,
      ),
  );
}

function share(part, whole) {
  const percent =
    whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(part === whole ? 0 : 1)} %)`;
  return `${grouped(part)} of ${grouped(whole)}${percent}`;
}

function countsWords(counts, words = (name) => visible(name)) {
  return listed(counts.map(({name, count}) => `${words(name)} ${grouped(count)}`)) || 'none';
}

// What a run under random faults has counted.
function chaosSection() {
  const {chaos} = run;
  if (!chaos) return null;
  const judged = chaos.rounds - chaos.not_measured;
  const lives = (name) => (name === '0' ? 'no life failed:' : `${name} failed:`);
  const rows = [
    [
      'Rounds',
      `${grouped(chaos.rounds)}, in which the program was started ${grouped(chaos.runs)} times`,
    ],
    [
      'Consistent afterwards',
      share(chaos.consistent, judged) +
        (chaos.not_measured > 0 ? `; ${grouped(chaos.not_measured)} not judged` : ''),
    ],
    ['Succeeded, left in peace', share(chaos.succeeded, chaos.rounds)],
    [
      'Recovery',
      `${grouped(chaos.recovery_mean_ms)} ms on average, ` +
        `${grouped(chaos.recovery_worst_ms)} ms at worst`,
    ],
    ['Faults met', countsWords(chaos.faults)],
    ['Calls that failed or were cut short', grouped(chaos.failed_writes)],
    ['Rounds by lives that failed before one succeeded', countsWords(chaos.retries, lives)],
    ...(chaos.steps.length > 0 ? [['Steps of the program', countsWords(chaos.steps)]] : []),
  ];
  return section(
    'chaos',
    'Chaos',
    h(
      'p',
      {},
      `Each round lets the program live up to three lives under random faults, one after the ` +
        `other on the same files, and then once in peace. Seed ${visible(run.seed)} repeats them.`,
    ),
    table(
      'What the rounds came to',
      [{name: 'Figure'}, {name: 'Value'}],
      rows.map(([name, value]) => ({cells: [name, value]})),
    ),
  );
}
