// Lighthouse on the diagram page, axe on every page in both themes and two widths.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import lighthouse from 'lighthouse';
import { browser, here, line, median, page, ready } from './setup.mjs';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
// A score moves from run to run with what else the machine does: the median of several is what Lighthouse advises.
const RUNS = 7;

async function scores({ home }) {
  const { chrome, port } = await browser();
  const seen = new Map(CATEGORIES.map(name => [name, []]));
  const complaints = new Set();
  for (let run = 0; run < RUNS; run += 1) {
    const { lhr } = await lighthouse(`${home}/${page}`, { port, onlyCategories: CATEGORIES, logLevel: 'silent' });
    for (const name of CATEGORIES) {
      seen.get(name).push(lhr.categories[name].score * 100);
      const weighty = lhr.categories[name].auditRefs.filter(ref => ref.weight > 0).map(ref => lhr.audits[ref.id]);
      for (const audit of weighty) if (audit.score !== null && audit.score < 0.9) complaints.add(`${audit.id}: ${audit.title} ${audit.displayValue ?? ''}`);
    }
  }
  await chrome.close();
  for (const complaint of complaints) console.error(`  Lighthouse: ${complaint}`);
  return CATEGORIES.map(name => line(`Lighthouse, mobile: ${name}`, median(seen.get(name)), 100, '', 'least'));
}

// Lighthouse also asks that a finger can hit what can be touched, which axe by itself does not.
async function axe({ home, dist }) {
  const source = readFileSync(join(here, 'node_modules/axe-core/axe.min.js'), 'utf8');
  const pages = readdirSync(dist, { recursive: true }).filter(file => file.endsWith('index.html'))
    .map(file => relative('.', dirname(file)).split(sep).join('/'));
  const { chrome } = await browser();
  let found = 0;
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 360]) {
      const context = await chrome.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: false });
      const tab = await context.newPage();
      for (const path of pages) {
        await tab.goto(`${home}/${path}${path ? '/' : ''}`);
        await tab.waitForFunction(ready);
        const devtools = await context.newCDPSession(tab);
        await devtools.send('Runtime.evaluate', { expression: source });
        const violations = await tab.evaluate(() => axe.run({ rules: { 'target-size': { enabled: true } } }).then(r => r.violations.map(v => `${v.id} (${v.nodes.length}): ${v.nodes[0].target}`)));
        found += violations.length;
        for (const violation of violations) console.error(`  axe: /${path} ${colorScheme} ${width}: ${violation}`);
      }
      await context.close();
    }
  }
  await chrome.close();
  return [line(`axe violations on ${pages.length} pages, light and dark, 1280 and 360 wide`, found, 0)];
}

export const audits = async site => [...await scores(site), ...await axe(site)];
