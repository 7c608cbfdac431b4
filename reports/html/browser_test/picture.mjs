// picture.mjs REPORT RESULT PNG: the page of the first finding of a report, as a picture.
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

const [report, result, png] = process.argv.slice(2);
const {findings} = JSON.parse(readFileSync(result, 'utf8'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu'],
});
const tab = await browser.newPage({viewport: {width: 1120, height: 1440}});
await tab.goto(`${pathToFileURL(resolve(report)).href}#finding=${findings[0].id}`);
await tab.locator('.cut[aria-valuenow]').waitFor();
await tab.waitForTimeout(300);
await tab.screenshot({path: png});
await browser.close();
