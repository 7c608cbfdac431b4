// Looks at the HTML report in a real browser.
//
//   report_test.mjs EVERYCRASH RESULT...: draws each RESULT (with a finding each, the first of a
//   power loss), and documents made of the first, and holds what the browser shows against what
//   a reader needs.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {hostile, large, read, withTables} from './make_document.mjs';

const [everycrash, ...results] = process.argv.slice(2);
// The packages are in the folder in which the test runs, not beside it.
const require = createRequire(join(process.cwd(), 'x.js'));
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'report-test-'));
const tests = [];
const test = (name, body) => tests.push([name, body]);

function draw(name, document) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  execFileSync(everycrash, ['report', file, '-o', join(folder, name)]);
  return join(folder, name, 'report.html');
}

const first = read(results[0]);
const id = first.findings[0].id;
const report = draw('first', first);
const largeReport = draw('large', large(first));
let browser;

// A page at HASH of FILE; whatever the page complains about fails the test.
async function open(file, hash = '', options = {}) {
  const context = await browser.newContext({
    viewport: {width: 1280, height: 900},
    bypassCSP: false,
    ...options,
  });
  const tab = await context.newPage();
  const problems = [];
  tab.on('pageerror', (error) => problems.push(error.message));
  tab.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  tab.on('request', (request) => {
    if (!request.url().startsWith('file:')) problems.push(`request for ${request.url()}`);
  });
  await tab.goto(pathToFileURL(file).href + hash);
  await tab.locator('h1').first().waitFor();
  return {
    tab,
    close: async () => {
      await context.close();
      assert.deepEqual(problems, []);
    },
  };
}

for (const result of results) {
  test(`shows ${result.split('/').pop()} without an error`, async () => {
    const document = read(result);
    const file = draw(`plain-${results.indexOf(result)}`, document);
    for (const hash of ['', ...document.findings.map((finding) => `#finding=${finding.id}`)]) {
      const {tab, close} = await open(file, hash);
      await tab.waitForTimeout(50);
      assert.ok(await tab.locator(hash ? '#cause' : '.verdict').isVisible());
      await close();
    }
  });
}

test('says the verdict first', async () => {
  const {tab, close} = await open(report);
  assert.match(await tab.locator('h1').first().textContent(), /does not survive/);
  assert.equal(await tab.locator('.finding').count(), first.findings.length);
  await close();
});

test('names the crashes that do harm, and no others that were tried', async () => {
  const kinds = [...new Set([...first.crash_kinds, 'kill', 'concurrent'])];
  const {tab, close} = await open(draw('kinds', {...first, crash_kinds: kinds}));
  const verdict = await tab.locator('h1').first().textContent();
  assert.match(verdict, /does not survive a power loss: /);
  await close();
});

test('draws states that were checked more than once', async () => {
  const row = {...first.coverage[0], model: 'posix', considered: 19, distinct: 5, checked: 19};
  Object.assign(row, {survived: 5, violated: 14, not_measured: 0});
  Object.assign(row, {skipped_by_budget: 0, skipped_by_shard: 0});
  const {tab, close} = await open(draw('twice', {...first, coverage: [row]}));
  assert.match(await tab.locator('#states tbody tr').first().textContent(), /none/);
  const width = await tab.locator('#states rect.bad').first().getAttribute('width');
  assert.ok(Number(width) > 100, width);
  await close();
});

test('says of a traceback what it ends in, and of a list its first entry', async () => {
  const [finding] = first.findings;
  const said = (judge, ...lines) => ({...finding, judge, complaints: [lines.join('\n')]});
  const traceback = 'Traceback (most recent call last):';
  const {tab, close} = await open(
    draw('said', {
      ...first,
      findings: [
        said('checker', 'the checker: exit status 1', traceback, '  a line', 'KeyError: 7'),
        said('no leftovers', 'running it again leaves what is not expected:', 'f.tmp: a file'),
      ],
    }),
  );
  const texts = await tab.locator('.finding').allTextContents();
  assert.match(texts[0], /KeyError: 7/);
  assert.match(texts[1], /leaves what is not expected: f\.tmp: a file/);
  await close();
});

test('filters findings from the keyboard', async () => {
  const {tab, close} = await open(largeReport);
  await tab.keyboard.press('/');
  await tab.keyboard.type('number 17');
  // 17, 117, 170 to 179, and the one whose id has it.
  assert.equal(await tab.locator('.finding:visible').count(), 13);
  assert.match(await tab.locator('[role=status]').textContent(), /13 of 200/);
  await tab.keyboard.press('Escape');
  for (const key of ['j', 'j', 'j', 'k', 'Enter']) await tab.keyboard.press(key);
  await tab.locator('#cause').waitFor();
  assert.equal(await tab.locator('h1').textContent(), 'Cause number 23');
  await tab.keyboard.press('j');
  await tab.waitForFunction(() => document.querySelector('h1').textContent === 'Cause number 24');
  await close();
});

test('opens a finding and a place of the cut from an address', async () => {
  const sequence = first.operations[2].sequence;
  const {tab, close} = await open(report, `#finding=${id}&at=${sequence}&model=xfs`);
  await tab.waitForFunction(
    () => document.querySelector('.cut').getAttribute('aria-valuenow') === '3',
  );
  assert.match(await tab.locator('.cut-words').textContent(), /A crash here \(xfs\)/);
  assert.equal(await tab.getByLabel('Crash and model').inputValue(), 'xfs');
  await close();
});

test('says so where there is no such finding', async () => {
  const {tab, close} = await open(report, '#finding=nonsense');
  assert.match(await tab.locator('[role=alert]').textContent(), /no finding called nonsense/);
  await close();
});

test('lets the crash be dragged, and tells what may be lost there', async () => {
  const {tab, close} = await open(report, `#finding=${id}`);
  await tab.locator('.cut[aria-valuenow]').waitFor();
  const before = Number(await tab.locator('.cut').getAttribute('aria-valuenow'));
  await tab.locator('.cut .handle').scrollIntoViewIfNeeded();
  const box = await tab.locator('.cut .handle').boundingBox();
  await tab.mouse.move(box.x + box.width / 2, box.y + 6);
  await tab.mouse.down();
  await tab.mouse.move(box.x - 150, box.y + 6, {steps: 6});
  await tab.mouse.up();
  const after = Number(await tab.locator('.cut').getAttribute('aria-valuenow'));
  assert.ok(after < before, `${after} is left of ${before}`);
  assert.match(await tab.locator('.cut-words').textContent(), /may be lost|Nothing can be lost/);
  assert.match(tab.url(), /at=\d+/);
  await tab.keyboard.press('ArrowRight');
  assert.ok(Number(await tab.locator('.cut').getAttribute('aria-valuenow')) > after);
  await tab.getByText('Back to the finding').click();
  assert.equal(Number(await tab.locator('.cut').getAttribute('aria-valuenow')), before);
  await close();
});

test('tells durable, volatile, kept and lost by shape', async () => {
  const {tab, close} = await open(report, `#finding=${id}`);
  await tab.locator('.view .m').first().waitFor();
  assert.ok((await tab.locator('.view .m.lost path').count()) > 0);
  assert.ok((await tab.locator('.view .barrier').count()) > 0);
  const names = await tab.locator('.legend li').allTextContents();
  for (const word of ['durable', 'volatile', 'kept', 'lost', 'barrier'])
    assert.ok(
      names.some((name) => name.includes(word)),
      word,
    );
  await close();
});

test('has tables of effects and of chaos, and pages of chaos', async () => {
  const {tab, close} = await open(draw('tables', withTables(first)));
  const effects = await tab.locator('#exactly-once tbody tr').allTextContents();
  assert.match(
    effects[0],
    /charge order-1once.*too often in 4 states \(kill and xfs\), never in 2/,
  );
  assert.match(effects[1], /mail atwicemay be repeated/);
  assert.match(await tab.locator('#exactly-once').textContent(), /4 more effects are not listed/);
  assert.match(
    await tab.locator('#chaos').textContent(),
    /Consistent afterwards5 of 7 \(71\.4 %\)/,
  );
  await tab.getByText('Random faults leave what is not good').click();
  await tab.locator('#cause').waitFor();
  assert.match(await tab.locator('.story').textContent(), /kill-after when=7/);
  assert.equal(await tab.locator('#timeline').count(), 0);
  await close();
});

test('tells what the searches on real file systems came to', async () => {
  const document = structuredClone(first);
  document.findings[0].real_searches = [
    {
      sighting: 'seen',
      file_system: 'xfs',
      kernel: 'Linux 6.1',
      default_options: true,
      states: 2,
      states_searched: 60,
      command: 'everycrash disk shell run.trace',
    },
    {sighting: 'not asked', file_system: 'ext4'},
    {sighting: 'not asked', file_system: 'btrfs'},
  ];
  const {tab, close} = await open(draw('real', document), `#finding=${id}`);
  const said = await tab.locator('dl.facts').first().textContent();
  assert.match(said, /seen on real xfs \(Linux 6\.1, default options\): 2 of 60 states; everycrash/);
  assert.match(said, /not searched on a real ext4, btrfs \(--on ext4,btrfs\)/);
  await close();
});

test('is dark where the reader wants that', async () => {
  const colours = [];
  for (const colorScheme of ['light', 'dark']) {
    const {tab, close} = await open(report, '', {colorScheme});
    const colour = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    colours.push(await colour());
    await tab.getByLabel('Light or dark').click();
    colours.push(await colour());
    await close();
  }
  assert.equal(colours[0], colours[3]);
  assert.equal(colours[1], colours[2]);
  assert.notEqual(colours[0], colours[1]);
});

test('has no serious fault of accessibility', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const hash of ['', `#finding=${id}`]) {
      // The tool itself is a script that the page's policy would not let in.
      const {tab, close} = await open(report, hash, {colorScheme, bypassCSP: true});
      await tab.evaluate(axe);
      await tab.locator('details').evaluateAll((all) =>
        all.forEach((one) => {
          one.open = true;
        }),
      );
      const {violations} = await tab.evaluate(() => globalThis.axe.run(document));
      const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
      assert.deepEqual(
        serious.map((one) => [
          one.id,
          one.nodes[0].html.slice(0, 200),
          one.nodes[0].failureSummary,
        ]),
        [],
      );
      await close();
    }
  }
});

test('fits a telephone', async () => {
  for (const hash of ['', `#finding=${id}`]) {
    const {tab, close} = await open(report, hash, {viewport: {width: 360, height: 740}});
    await tab.waitForTimeout(50);
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 360);
    await close();
  }
});

test('prints without its tools', async () => {
  const {tab, close} = await open(report, `#finding=${id}`, {colorScheme: 'dark'});
  await tab.emulateMedia({media: 'print', colorScheme: 'dark'});
  assert.ok(await tab.locator('#bar').isHidden());
  assert.ok(await tab.locator('#cause').isVisible());
  const colour = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(colour, 'rgb(255, 255, 255)', 'whatever the screen looks like');
  await close();
});

test('takes hostile text as text', async () => {
  const document = hostile(first);
  const file = draw('hostile', document);
  for (const hash of ['', `#finding=${id}`]) {
    const {tab, close} = await open(file, hash);
    await tab.waitForTimeout(100);
    assert.equal(await tab.evaluate(() => globalThis.pwned), undefined);
    assert.equal(await tab.locator('img').count(), 0);
    assert.equal(await tab.locator('script').count(), 2);
    assert.match(await tab.locator('h1').first().textContent(), /<img src=x/);
    assert.ok(!(await tab.locator('main').textContent()).includes('\u202e'));
    await close();
  }
});

test('lets no other script run', async () => {
  const {tab, close} = await open(report);
  const ran = await tab.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.injected = 1';
    document.body.append(script);
    return globalThis.injected;
  });
  assert.equal(ran, undefined);
  await close().catch((error) => assert.match(error.message, /Content Security Policy/));
});

const LOADS_MAX = 6;

// Milliseconds from the start of loading until the page has been painted.
async function loadTime(file, hash) {
  const {tab, close} = await open(file, hash);
  const time = await tab.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))),
      ),
  );
  await close();
  return time;
}

test('loads 5,000 operations and 200 findings within 2 s', async () => {
  const file = largeReport;
  assert.ok(statSync(file).size < 2_000_000);
  for (const hash of ['', `#finding=${'64'.padStart(12, '0')}`]) {
    // The page's time is asked for, not that of others at work on this machine: the best counts.
    let best = Infinity;
    for (let i = 0; i < LOADS_MAX && best >= 2000; ++i)
      best = Math.min(best, await loadTime(file, hash));
    console.log(
      `    ${Math.round(best)} ms for ${hash || 'the overview'}, ${statSync(file).size} bytes`,
    );
    assert.ok(best < 2000);
  }
});

test('scrolls a long timeline smoothly', async () => {
  const {tab, close} = await open(largeReport, `#finding=${'c0'.padStart(12, '0')}`);
  await tab.locator('#all-files').check();
  const frames = await tab.evaluate(async () => {
    const view = document.querySelector('.view');
    const frame = () => new Promise(requestAnimationFrame);
    const costs = [];
    for (let i = 0; i < 60; ++i) {
      view.scrollLeft = i * 1500;
      await frame();
      const start = performance.now();
      await new Promise((resolve) => setTimeout(resolve));
      costs.push(performance.now() - start);
    }
    return {costs: costs.sort((a, b) => a - b), drawn: view.querySelectorAll('.m').length};
  });
  console.log(
    `    median ${frames.costs[30].toFixed(1)} ms, worst ${frames.costs[59].toFixed(1)} ms a frame`,
  );
  assert.ok(frames.drawn < 400, 'only what is in sight is drawn');
  assert.ok(frames.costs[15] < 50);
  await close();
});

let failed = 0;
try {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  for (const [name, body] of tests) {
    try {
      await body();
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
} finally {
  if (browser) await browser.close();
  rmSync(folder, {recursive: true});
}
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
