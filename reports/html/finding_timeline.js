// The timeline of a finding with its tools, its legend, and what a crash at the cut may lose.

function waysOf(finding) {
  const ways = (run.durability || []).map(({crash, model}) => ({
    crash,
    model,
    name: modelName(crash, model),
  }));
  for (const way of exploredWays()) {
    if (!ways.some((known) => known.name === way.name)) ways.push(way);
  }
  return ways;
}

const LEGEND = [
  [SAFE, 'durable: on disk for certain'],
  [VOLATILE, 'volatile: may be lost'],
  [KEPT, 'kept: on disk, though nothing made it so'],
  [LOST, 'lost in this state'],
  [LATER, 'not yet done'],
  [IDLE, 'nothing to lose'],
];

function legend(finding) {
  const lossy = losesPower(finding.crash);
  const fails = finding.crash === 'io-error';
  const shapes = LEGEND.filter(
    ([fate]) => lossy || (fate !== SAFE && fate !== VOLATILE && (fate !== LOST || fails)),
  ).map(([fate, words]) =>
    h(
      'li',
      {},
      s(
        'svg',
        {width: 22, height: 20, 'aria-hidden': 'true'},
        markShape(fate, {kind: 'write'}, 11, 10),
      ),
      lossy ? words : {[KEPT]: 'done: survives a kill', [LOST]: 'this call fails'}[fate] || words,
    ),
  );
  const sign = (operation, words) =>
    h(
      'li',
      {},
      s('svg', {width: 22, height: 20, 'aria-hidden': 'true'}, markShape(IDLE, operation, 11, 10)),
      words,
    );
  return h(
    'ul.legend',
    {},
    shapes,
    h(
      'li',
      {},
      s(
        'svg',
        {width: 22, height: 20, 'aria-hidden': 'true'},
        s('line.barrier', {x1: 11, x2: 11, y1: 1, y2: 19}),
        s('path.cap', {d: 'M6 1h10M6 19h10'}),
      ),
      'sync: a barrier',
    ),
    run.recorded.prints > 0 && sign({kind: 'print'}, 'printed'),
    operations.some(hasEvents) && sign({kind: 'event'}, 'effect or step'),
  );
}

function cutWords(timeline) {
  const {position, way, fate} = timeline;
  const operation = operations[position];
  const isTheFailingCall = timeline.isFindingsOwn() && timeline.finding.crash === 'io-error';
  const where = operation
    ? h(
        'span',
        {},
        isTheFailingCall ? '' : 'right after ',
        h('strong', {}, describe(operation)),
        operation.point ? [' — ', h('code', {}, visible(operation.point))] : '',
      )
    : 'before the first operation';
  if (timeline.isFindingsOwn()) {
    return [
      h(
        'p',
        {},
        h(
          'strong.here',
          {},
          isTheFailingCall ? 'The call that fails' : 'The crash of this finding',
        ),
        ': ',
        where,
        `, under ${way.name}.`,
      ),
    ];
  }
  const start = h('p', {}, `A crash here (${way.name}): `, where, '.');
  if (!losesPower(way.crash)) {
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
  return [
    start,
    volatile.length === 0
      ? h('p', {}, `Nothing can be lost: all ${counted(durable, 'change')} are durable.`)
      : [
          h(
            'p',
            {},
            h('strong', {}, `${counted(volatile.length, 'change')} may be lost`),
            `, ${grouped(durable)} are durable. The latest:`,
          ),
          h(
            'ul.may-be-lost',
            {},
            shown.map((one) => h('li', {}, describe(one))),
            volatile.length > shown.length &&
              h('li.muted', {}, `and ${grouped(volatile.length - shown.length)} before them`),
          ),
        ],
  ];
}

// A list of the operations around the cut, for those who cannot see the picture.
function operationList(timeline) {
  const columns = [
    {name: '#', number: true},
    {name: 'Operation'},
    {name: 'Thread'},
    {name: 'At this crash'},
  ];
  const first = Math.max(0, timeline.position - 60);
  const shown = operations.slice(first, timeline.position + 20);
  return table(
    'Operations around the crash',
    columns,
    shown.map((operation, i) => ({
      attributes: {
        'aria-current': first + i === timeline.position ? 'true' : null,
        class: `fate-${timeline.fate(first + i)}`,
      },
      cells: [
        grouped(first + i + 1),
        describe(operation),
        threadName(`${operation.process}.${operation.thread}`),
        fateWords(timeline.fate(first + i)),
      ],
    })),
  );
}

function fateWords(fate) {
  return {[LATER]: 'not yet done', [IDLE]: ''}[fate] ?? fate;
}

function timelineSection(finding, at) {
  if (operations.length === 0 || finding.trace || finding.crash === 'chaos') return null;
  const ways = waysOf(finding);
  const own =
    ways.find(
      (way) =>
        happensIn(finding, way) && (!finding.state.model || way.model === finding.state.model),
    ) || ways[0];
  const words = h('div.cut-words', {'aria-live': 'polite'});
  const list = h('div');
  const select = waySelect(finding, ways);
  const details = h(
    'details',
    {},
    h('summary', {}, 'The operations around the crash, as a list'),
    list,
  );
  const timeline = new Timeline(finding, ways, (position, way) => {
    words.replaceChildren(...cutWords(timeline).flat());
    select.value = way.name;
    if (details.open) list.replaceChildren(operationList(timeline));
    rememberCut(
      finding,
      timeline.isFindingsOwn()
        ? null
        : {at: position < 0 ? 0 : operations[position].sequence, model: way.name},
    );
  });
  details.addEventListener('toggle', () => {
    if (details.open) list.replaceChildren(operationList(timeline));
  });
  const start = () => {
    const way = ways.find((one) => one.name === at.model) || own;
    timeline.moveTo(positionAt(at.at === undefined ? finding.sequence : Number(at.at)), way);
  };
  const few = layoutOf(null).names.length <= 10;
  timeline.arrange(few);
  const root = section(
    'timeline',
    'Timeline',
    h(
      'p.muted',
      {},
      finding.crash === 'io-error'
        ? 'The recorded run, in which each call succeeds; the one that is marked is made to fail.'
        : 'Drag the crash to another place to see what may be lost there.',
    ),
    h('div.tools', {}, timelineTools(finding, timeline, ways, own, few, select)),
    timeline.element,
    timeline.details,
    words,
    legend(finding),
    details,
  );
  requestAnimationFrame(() => {
    start();
    timeline.reveal();
  });
  return root;
}

function waySelect(finding, ways) {
  return h(
    'select',
    {'aria-label': 'Crash and model'},
    ways.map((way) =>
      h('option', {value: way.name}, happensIn(finding, way) ? `${way.name} ■` : way.name),
    ),
  );
}

function timelineTools(finding, timeline, ways, own, few, select) {
  select.addEventListener('change', () =>
    timeline.moveTo(timeline.position, ways[select.selectedIndex]),
  );
  const button = (words, label, action) =>
    h('button', {type: 'button', 'aria-label': label, onclick: action}, words);
  const back = h('button', {type: 'button'}, 'Back to the finding');
  back.addEventListener('click', () => {
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
