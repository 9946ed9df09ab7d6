// axe on every page, and on every state that a reader can turn it to, in both themes and two widths. As Lighthouse does,
// and axe by itself does not, it is also asked whether a finger can hit what can be touched.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { browser, here, line, ready } from './setup.mjs';

const click = css => document.querySelector(css)?.click();
const figure = 'figure[data-diagram]';

// What a diagram's page is turned to, one after the other; the rest of the page is open throughout.
const TURNS = [
  ['map, middle step, one of the cast held', async tab => {
    await tab.locator(`${figure} input[type=range]`).first().evaluate(range => {
      range.value = Math.ceil((Number(range.min) + Number(range.max)) / 2);
      range.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await tab.evaluate(click, '[data-cast]');
    await tab.waitForTimeout(300);
  }],
  ['sequence', async tab => {
    await tab.evaluate(click, '[data-control=view-sequence]');
    await tab.waitForFunction(() => document.querySelector('[data-pane=sequence] svg'));
  }],
  ['objects', async tab => { await tab.evaluate(click, '[data-control=view-objects]'); }],
];

// The addresses at which pages are looked at: each page's own, and the index filtered.
function addresses(dist) {
  const pages = readdirSync(dist, { recursive: true }).filter(file => file.endsWith('index.html'))
    .map(file => relative('.', dirname(file)).split(sep).join('/'));
  const own = pages.sort().map(path => `/${path}${path ? '/' : ''}`);
  return [...own, '/diagrams/?actor=external-attacher&fails=1', '/diagrams/?object=Pod', '/404.html'];
}

async function look(chrome, site, source, colorScheme, width) {
  const context = await chrome.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: false, reducedMotion: 'reduce' });
  const tab = await context.newPage();
  let [faults, states] = [0, 0];
  const check = async (address, state) => {
    const found = await tab.evaluate(() => axe.run({ rules: { 'target-size': { enabled: true } } }).then(r => r.violations.map(v => `${v.id} (${v.nodes.length}): ${v.nodes[0].target}`)));
    states += 1;
    faults += found.length;
    for (const fault of found) console.error(`  axe: ${address} ${colorScheme} ${width}, ${state}: ${fault}`);
  };
  for (const address of addresses(site.dist)) {
    await tab.goto(`${site.home}${address}`);
    await tab.waitForFunction(ready);
    const devtools = await context.newCDPSession(tab);
    await devtools.send('Runtime.evaluate', { expression: source });
    await devtools.detach();
    await check(address, 'as it comes');
    if (!await tab.locator(`${figure} .views button`).first().isVisible().catch(() => false)) continue;
    await tab.evaluate(() => { for (const part of document.querySelectorAll('details')) part.open = true; });
    for (const [state, turn] of TURNS) {
      await turn(tab);
      await check(address, state);
    }
  }
  await context.close();
  return { faults, states };
}

export async function axe(site) {
  const source = readFileSync(join(here, 'node_modules/axe-core/axe.min.js'), 'utf8');
  const { chrome } = await browser();
  let [found, states] = [0, 0];
  for (const width of [1280, 360]) {
    const seen = await Promise.all(['light', 'dark'].map(scheme => look(chrome, site, source, scheme, width)));
    for (const one of seen) {
      found += one.faults;
      states += one.states;
    }
  }
  await chrome.close();
  return [line(`axe violations in ${states} states of ${addresses(site.dist).length} pages, light and dark, 1280 and 360 wide`, found, 0)];
}
