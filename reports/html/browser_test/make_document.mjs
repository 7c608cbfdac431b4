// Documents that are hard on the report: a large one, and one whose every text is hostile.
import {readFileSync} from 'node:fs';

const HOSTILE =
  '</script><script>globalThis.pwned=1</script><img src=x onerror=globalThis.pwned=2>';

export function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function timelineOperation(i) {
  const kind = ['open', 'write', 'fsync', 'rename', 'print'][i % 5];
  return {
    sequence: i + 1,
    kind,
    path: kind === 'print' ? '' : `data/file-${i % 60}.tmp`,
    other_path: kind === 'rename' ? `data/file-${i % 60}` : '',
    offset: 0,
    length: 812,
    process: 1,
    thread: 1 + (i % 3),
    stack: -1,
    text: kind === 'print' ? `done ${i}` : '',
    detail: kind === 'open' ? 'new' : '',
  };
}

// FIRST (a document with a finding) with 5,000 operations and 200 findings.
export function large(first) {
  const document = structuredClone(first);
  document.operations = Array.from({length: 5000}, (_, i) => timelineOperation(i));
  document.durability = [
    {crash: 'power', model: 'ext4', since: document.operations.map((o, i) => (i % 3 ? i + 6 : -1))},
  ];
  const finding = document.findings[0];
  document.findings = Array.from({length: 200}, (_, i) => ({
    ...structuredClone(finding),
    id: i.toString(16).padStart(12, '0'),
    title: `Cause number ${i}`,
    sequence: 25 * i + 4,
  }));
  return document;
}

// FIRST with effects, one of them at fault, and with what a run under random faults counts.
export function withTables(first) {
  const document = structuredClone(first);
  document.effects = [
    {
      effect: 'charge order-1',
      undisturbed: 1,
      faults: [
        {crash: 'kill', model: '', duplicated: 3, lost: 0},
        {crash: 'power', model: 'xfs', duplicated: 1, lost: 2},
      ],
    },
    {effect: 'mail a', undisturbed: 2, repeatable: true},
  ];
  document.effects_left_out = 4;
  document.oracles.push({name: 'exactly once', applied: true, reason: ''});
  document.chaos = {
    rounds: 8,
    runs: 26,
    consistent: 5,
    not_measured: 1,
    succeeded: 8,
    failed_writes: 4,
    recovery_mean_ms: 12,
    recovery_worst_ms: 31,
    faults: [{name: 'kill', count: 6}],
    retries: [{name: '0', count: 3}],
    steps: [],
  };
  const [finding] = document.findings;
  document.findings.push({
    ...structuredClone(finding),
    id: 'c0ffee000001',
    title: 'Random faults leave what is not good',
    crash: 'chaos',
    models: [],
    point: 'round 2',
    schedule: ['any(*) kill-after when=7: killed by SIGKILL'],
    evidence: undefined,
    crash_operation: undefined,
    cause_operation: undefined,
    kept_operation: undefined,
    lost_operations: [],
  });
  return document;
}

// Replaces every text that a run can choose.
function poison(value, key) {
  if (Array.isArray(value)) return value.map((item) => poison(item, key));
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, poison(item, name)]),
    );
  }
  const ours = [
    'schema',
    'verdict',
    'crash',
    'crash_kinds',
    'models',
    'model',
    'kind',
    'detail',
    'sighting',
    'base64',
    'seed',
    'id',
  ];
  return typeof value === 'string' && !ours.includes(key) ? `${value}${HOSTILE}\u202e` : value;
}

export function hostile(first) {
  return poison(structuredClone(first), '');
}
