// What all measurements share: where things are, the browser, and small arithmetic.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const here = dirname(fileURLToPath(import.meta.url));

// The page that is measured, below the root of the site.
export const page = 'diagrams/volume-attachment/';

// The program starts at the first sign of a reader.
export const ready = () => {
  dispatchEvent(new Event('pointermove'));
  return 'ready' in document.documentElement.dataset;
};

// Brings the whole player into sight and gives its stage the focus: what cannot be seen is neither painted nor moved.
export const inSight = tab => tab.locator('figure[data-diagram]').first().evaluate(figure => {
  figure.querySelector('[tabindex="0"]').focus();
  figure.scrollIntoView({ block: 'end', behavior: 'instant' });
});

export function fail(sentence) {
  console.error(`perf: ${sentence}`);
  process.exit(2);
}

function program() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = names.flatMap(name => folders.map(folder => join(folder, name))).find(existsSync);
  return found ?? fail('no Chromium on the search path: install it, or set CHROMIUM to the program');
}

// A browser of its own for each measurement, with a port that Lighthouse can use too.
export async function browser() {
  const port = await new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
  const args = ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`];
  return { port, chrome: await chromium.launch({ executablePath: program(), args }) };
}

// A page on a slow telephone: a processor four times slower, and on request a slow network.
export async function slow(context, { network = false } = {}) {
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  if (network) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8,
    });
  }
  return { tab, devtools };
}

export const median = list => {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 : NaN;
};

// The value that a quarter of the list stays below.
export const quarter = list => [...list].sort((a, b) => a - b)[list.length >> 2] ?? NaN;

export const wait = ms => new Promise(done => setTimeout(done, ms));

// A line of the table: what, the value, its limit and whether it holds. `at` is 'most' or 'least'.
export const line = (what, value, limit, unit = '', at = 'most') =>
  ({ what, value, limit, unit, at, ok: at === 'most' ? value <= limit : value >= limit });
