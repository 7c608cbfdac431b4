// The operations of a run on lanes, one a file or folder, and the crash as a cut through them.
//
// Only what is in sight is drawn, so that thousands of operations scroll as smoothly as ten.

const COLUMN = 30;
const LANE = 30;
const HANDLE = 24; // height of the row with the handle of the cut
const LABELS = HANDLE + 64; // where the row of operation names ends
const THREAD_ROW = 16;
const THREADS_MAX = 8;
const OUTPUT = ' output';
const EFFECTS = ' effects';
const EVERYTHING = ' all';

// The lanes that an operation touches.
function lanesOf(operation) {
  if (operation.kind === 'print') return [OUTPUT];
  if (operation.kind === 'event') return [EFFECTS];
  if (operation.kind === 'send' && hasEvents(operation)) return [EFFECTS];
  if (OF_EVERYTHING.has(operation.kind)) return [EVERYTHING];
  const both =
    operation.other_path && !operation.kind.endsWith('xattr') && operation.kind !== 'symlink';
  return both ? [operation.path, operation.other_path] : [operation.path];
}

function laneName(lane) {
  if (lane === OUTPUT) return 'output';
  if (lane === EFFECTS) return 'effects, steps';
  if (lane === EVERYTHING) return 'everything';
  return lane === '' ? './' : visible(lane);
}

// The lanes that a finding is about.
function lanesOfFinding(finding) {
  const lanes = new Set([OUTPUT, EFFECTS, EVERYTHING]);
  const add = (path) => {
    lanes.add(path).add(folderOf(path));
  };
  if (finding.path) add(finding.path);
  if (finding.evidence && finding.evidence.file) add(finding.evidence.file.path);
  const sequences = involvedOperations(finding).map((operation) => operation.sequence);
  for (const sequence of sequences.concat(lostSequences(finding).slice(0, 50))) {
    const operation = operationOf(sequence);
    if (operation) lanesOf(operation).forEach(add);
  }
  return lanes;
}

// What is drawn: positions of operations, their lanes in the order in which they first come, and
// threads. With ONLY, what touches these lanes alone.
function layoutOf(only) {
  const positions = [];
  const lanes = new Map();
  const threads = new Map();
  operations.forEach((operation, position) => {
    const touched = lanesOf(operation).filter((lane) => !only || only.has(lane));
    if (touched.length === 0) return;
    positions.push(position);
    for (const lane of touched) if (!lanes.has(lane)) lanes.set(lane, 0);
    const thread = `${operation.process}.${operation.thread}`;
    if (!threads.has(thread)) threads.set(thread, threads.size);
  });
  const last = [EVERYTHING, OUTPUT, EFFECTS];
  const names = [...lanes.keys()].sort((a, b) => last.indexOf(a) - last.indexOf(b));
  names.forEach((name, i) => lanes.set(name, i));
  return {positions, lanes, names, threads};
}

function markShape(fate, operation, x, y, partly) {
  if (isSync(operation)) return null;
  if (operation.kind === 'print') {
    return s('path.m.ack', {d: `M${x - 6} ${y - 7}v14M${x - 6} ${y - 7}l12 4l-12 4`});
  }
  if (hasEvents(operation)) {
    return s('path.m.effect', {
      d: `M${x} ${y - 8}l2.4 5.4l5.6 .6l-4.2 3.8l1.2 5.8l-5 -3l-5 3l1.2 -5.8l-4.2 -3.8l5.6 -.6z`,
    });
  }
  if (fate === SAFE)
    return s('rect.m.durable', {x: x - 6.5, y: y - 6.5, width: 13, height: 13, rx: 2});
  if (fate === VOLATILE) return s('circle.m.volatile', {cx: x, cy: y, r: 7});
  if (fate === KEPT) return s('path.m.kept', {d: `M${x} ${y - 8.5}l8.5 8.5l-8.5 8.5l-8.5 -8.5z`});
  if (fate === LOST) {
    return s(
      'g.m.lost',
      {},
      partly && s('circle', {cx: x, cy: y, r: 9.5, fill: 'none'}),
      s('path', {d: `M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12`}),
    );
  }
  return s(fate === LATER ? 'circle.m.later' : 'circle.m.idle', {
    cx: x,
    cy: y,
    r: fate === LATER ? 4 : 3,
  });
}

class Timeline {
  // FINDING: whose crash it starts at. ONCHANGE(cut, way) is told where the cut is.
  constructor(finding, ways, onChange) {
    this.finding = finding;
    this.ways = ways;
    this.onChange = onChange;
    this.all = false;
    this.build();
  }

  build() {
    this.svg = s('svg', {'aria-hidden': 'true', focusable: 'false'});
    this.spacer = h('div.spacer');
    this.cut = h(
      'div.cut',
      {
        role: 'slider',
        tabindex: '0',
        'aria-label': 'Crash point',
        'aria-orientation': 'horizontal',
        title: 'Drag, or use the arrow keys',
      },
      h('span.handle', {}, this.finding.crash === 'io-error' ? 'fails' : 'crash'),
    );
    this.view = h('div.view', {}, this.svg, this.spacer, this.cut);
    this.names = h('div.lanes');
    this.details = h('p.hovered', {});
    this.element = h('div.timeline', {}, this.names, this.view);
    this.view.addEventListener('scroll', () => this.schedule(), {passive: true});
    this.view.addEventListener('pointermove', (event) => this.hover(event));
    this.cut.addEventListener('pointerdown', (event) => this.grab(event));
    this.cut.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.schedule()).observe(this.view);
  }

  // Draws ALL operations, or those that the finding is about.
  arrange(all) {
    this.all = all;
    this.layout = layoutOf(all ? null : lanesOfFinding(this.finding));
    const {names, positions, threads} = this.layout;
    this.rows = threads.size > 1 ? Math.min(threads.size, THREADS_MAX) : 0;
    this.top = LABELS + this.rows * THREAD_ROW;
    this.height = this.top + names.length * LANE + 8;
    this.spacer.style.width = `${(positions.length + 2) * COLUMN}px`;
    this.spacer.style.height = `${this.height}px`;
    this.svg.style.height = `${this.height}px`;
    this.cut.style.height = `${this.height}px`;
    this.names.replaceChildren(
      h('div.lane-space', {}, this.threadNames()),
      ...names.map((name) => h('div.lane', {title: laneName(name)}, h('span', {}, laneName(name)))),
    );
    this.names.firstChild.style.height = `${this.top}px`;
  }

  threadNames() {
    const names = [...this.layout.threads.keys()].slice(0, this.rows);
    return names.map((name, i) => h(`span.thread.t${i}`, {}, threadName(name)));
  }

  // Moves the cut to right after the operation at POSITION (-1: before all) under WAY.
  moveTo(position, way, told = true) {
    this.position = Math.max(-1, Math.min(position, operations.length - 1));
    this.way = way;
    const state = this.isFindingsOwn() ? this.finding : null;
    this.fate = fates(way, this.position, state);
    this.cut.style.transform = `translateX(${this.edge()}px)`;
    this.cut.setAttribute('aria-valuemin', '0');
    this.cut.setAttribute('aria-valuemax', String(operations.length));
    this.cut.setAttribute('aria-valuenow', String(this.position + 1));
    this.cut.setAttribute(
      'aria-valuetext',
      this.position < 0
        ? 'before the first operation'
        : `after operation ${this.position + 1}, ${describe(operations[this.position])}`,
    );
    this.schedule();
    if (told) this.onChange(this.position, way);
  }

  isFindingsOwn() {
    return this.position === positionAt(this.finding.sequence) && happensIn(this.finding, this.way);
  }

  // How many drawn operations are before the cut.
  before(position = this.position) {
    const {positions} = this.layout;
    let low = 0;
    let high = positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (positions[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  edge() {
    return (this.before() + 0.5) * COLUMN;
  }

  reveal() {
    this.view.scrollLeft = Math.max(0, this.edge() - this.view.clientWidth * 0.72);
  }

  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const width = this.view.clientWidth;
    const left = this.view.scrollLeft;
    this.svg.setAttribute('width', width);
    this.svg.setAttribute('height', this.height);
    const {positions} = this.layout;
    const first = Math.max(0, Math.floor(left / COLUMN) - 2);
    const end = Math.min(positions.length, Math.ceil((left + width) / COLUMN) + 2);
    const group = s('g', {});
    this.layout.names.forEach((_, i) =>
      group.append(s('line.lane-line', {x1: 0, x2: width, y1: this.laneY(i), y2: this.laneY(i)})),
    );
    this.drawSpans(group, first, end, left);
    for (let i = first; i < end; ++i) this.drawOperation(group, i, (i + 1) * COLUMN - left);
    this.svg.replaceChildren(group);
  }

  laneY(lane) {
    return this.top + lane * LANE + LANE / 2;
  }

  // Shades what has not happened at the cut.
  drawSpans(group, first, end, left) {
    const x = this.edge() - left;
    const width = this.view.clientWidth;
    if (x < width) {
      group.append(
        s('rect.after', {
          x: Math.max(0, x),
          y: 0,
          width: width - Math.max(0, x),
          height: this.height,
        }),
      );
    }
  }

  drawOperation(group, index, x) {
    const position = this.layout.positions[index];
    const operation = operations[position];
    const fate = this.fate(position);
    const involved = this.involved().has(operation.sequence);
    group.append(
      s(
        `text.kind.${fate}${involved ? '.involved' : ''}`,
        {x: 0, y: 0, transform: `translate(${x - 3} ${LABELS - 8}) rotate(-58)`},
        kindWord(operation),
      ),
    );
    if (this.rows > 0) {
      const row = this.layout.threads.get(`${operation.process}.${operation.thread}`);
      if (row < this.rows) {
        group.append(
          s(`rect.tick.t${row}`, {
            x: x - 5,
            y: LABELS + row * THREAD_ROW + 3,
            width: 10,
            height: 10,
            rx: 2,
          }),
        );
      }
    }
    const ys = lanesOf(operation)
      .filter((lane) => this.layout.lanes.has(lane))
      .map((lane) => this.laneY(this.layout.lanes.get(lane)));
    if (isSync(operation)) this.drawBarrier(group, operation, fate, x, ys[0]);
    if (ys.length === 2) {
      group.append(s(`path.move.${fate}`, {d: `M${x} ${ys[0]}L${x} ${ys[1]}`}));
      group.append(s(`circle.from.${fate}`, {cx: x, cy: ys[0], r: 3}));
    }
    const partly = this.partly().has(operation.sequence);
    const mark = markShape(fate, operation, x, ys[ys.length - 1], partly);
    if (mark) {
      if (involved) mark.setAttribute('class', `${mark.getAttribute('class')} involved`);
      group.append(mark);
    }
  }

  involved() {
    this.involvedSet ||= new Set(involvedOperations(this.finding).map((o) => o.sequence));
    return this.involvedSet;
  }

  // Operations of which the finding's state has lost only a part.
  partly() {
    const parts = this.finding.evidence ? this.finding.evidence.lost : [];
    this.partlySet ||= new Set(
      parts.filter((part) => part.units_lost < part.units).map((part) => part.sequence),
    );
    return this.partlySet;
  }

  drawBarrier(group, operation, fate, x, y) {
    const everything = OF_EVERYTHING.has(operation.kind);
    const lies = hasWord(operation, 'lost') || (operation.result || 0) < 0;
    const from = everything ? this.top : y - LANE / 2 + 2;
    const to = everything ? this.height - 8 : y + LANE / 2 - 2;
    group.append(
      s(`line.barrier${fate === LATER ? '.later' : ''}${lies ? '.lies' : ''}`, {
        x1: x,
        x2: x,
        y1: from,
        y2: to,
      }),
    );
    group.append(
      s(`path.cap${fate === LATER ? '.later' : ''}`, {d: `M${x - 5} ${from}h10M${x - 5} ${to}h10`}),
    );
  }

  // Where in the operations a place on the screen is: the cut goes right after it.
  positionUnder(clientX) {
    const x = clientX - this.view.getBoundingClientRect().left + this.view.scrollLeft;
    const count = Math.round(x / COLUMN - 0.5);
    const {positions} = this.layout;
    return count <= 0 ? -1 : positions[Math.min(count, positions.length) - 1];
  }

  grab(event) {
    event.preventDefault();
    this.cut.focus();
    this.cut.setPointerCapture(event.pointerId);
    let clientX = event.clientX;
    let scroll = 0;
    const move = (moved) => {
      clientX = moved.clientX;
      const position = this.positionUnder(clientX);
      if (position !== this.position) this.moveTo(position, this.way);
    };
    const roll = () => {
      // near an edge the operations come along
      const box = this.view.getBoundingClientRect();
      const speed = clientX > box.right - 24 ? 12 : clientX < box.left + 24 ? -12 : 0;
      if (speed !== 0) {
        this.view.scrollLeft += speed;
        move({clientX});
      }
      scroll = requestAnimationFrame(roll);
    };
    const drop = () => {
      cancelAnimationFrame(scroll);
      this.cut.removeEventListener('pointermove', move);
    };
    this.cut.addEventListener('pointermove', move);
    this.cut.addEventListener('pointerup', drop, {once: true});
    this.cut.addEventListener('pointercancel', drop, {once: true});
    scroll = requestAnimationFrame(roll);
  }

  key(event) {
    const steps = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9};
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.step(step);
  }

  // Goes so many drawn operations on.
  step(count) {
    const {positions} = this.layout;
    const next = Math.max(0, Math.min(positions.length, this.before() + count));
    this.moveTo(next === 0 ? -1 : positions[next - 1], this.way);
    const x = this.edge() - this.view.scrollLeft;
    if (x < COLUMN || x > this.view.clientWidth - COLUMN) this.reveal();
  }

  hover(event) {
    const x = event.clientX - this.view.getBoundingClientRect().left + this.view.scrollLeft;
    const index = Math.round(x / COLUMN) - 1;
    const position = this.layout.positions[index];
    if (position === undefined || position === this.hovered) return;
    this.hovered = position;
    const operation = operations[position];
    const frame = userFrame(operation.stack);
    this.details.replaceChildren(
      h('span.muted', {}, `${position + 1}: `),
      describe(operation),
      this.rows > 0 ? ` by ${threadName(`${operation.process}.${operation.thread}`)}` : '',
      frame
        ? h(
            'span.muted',
            {},
            ` in ${[frameName(frame), frameLine(frame)].filter(Boolean).join(', ')}`,
          )
        : '',
    );
  }
}

function threadName(key) {
  const [process, thread] = key.split('.');
  if (run.recorded.processes === run.recorded.threads && run.recorded.threads > 1)
    return `process ${process}`;
  return run.recorded.processes > 1 ? `process ${process}, thread ${thread}` : `thread ${thread}`;
}

function kindWord(operation) {
  if (operation.kind === 'open') {
    return hasWord(operation, 'emptied') ? 'empty' : hasWord(operation, 'new') ? 'create' : 'open';
  }
  if (operation.kind === 'event') return isEffect(operation) ? 'effect' : 'step';
  return operation.kind;
}
