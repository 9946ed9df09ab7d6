// What a first visit transfers, and when the page is there: sizes, other hosts, layout shift, largest paint.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { browser, line, page, quarter, ready, slow } from './setup.mjs';

const RUNS = 9;

export async function weight({ home, dist }) {
  const { chrome } = await browser();
  const lines = [line('HTML with its style, brotli', statSync(join(dist, page, 'index.html.br')).size / 1000, 16, 'KB')];

  const context = await chrome.newContext();
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Network.enable');
  let bytes = 0, foreign = 0;
  devtools.on('Network.loadingFinished', done => { bytes += done.encodedDataLength; });
  devtools.on('Network.requestWillBeSent', sent => { if (!/^(data:|blob:)/.test(sent.request.url) && !sent.request.url.startsWith(home)) foreign += 1; });
  await tab.goto(`${home}/${page}`);
  await tab.waitForFunction(ready);
  await tab.waitForTimeout(500);
  lines.push(line('first visit, all files with headers', bytes / 1000, 110, 'KB'), line('requests to other hosts', foreign, 0));
  await context.close();

  // In turns, so that whatever else the machine does hits both alike.
  const ours = [], plain = [], shifts = [];
  for (let run = 0; run < RUNS; run += 1) {
    for (const [path, list] of [[page, ours], ['bare/', plain]]) {
      const context = await chrome.newContext({ viewport: { width: 412, height: 823 } });
      const { tab } = await slow(context, { network: true });
      await tab.goto(`${home}/${path}`);
      if (path === page) await tab.waitForFunction(ready);
      await tab.waitForTimeout(500);
      const seen = await tab.evaluate(() => {
        const all = type => new Promise(done => {
          new PerformanceObserver(found => done(found.getEntries())).observe({ type, buffered: true });
          setTimeout(done, 500, []);
        });
        return Promise.all([all('largest-contentful-paint'), all('layout-shift')])
          .then(([paints, shifts]) => [
            paints.at(-1)?.startTime,
            shifts.map(s => [s.value, Math.round(s.startTime), ...s.sources.flatMap(c => [c.node?.outerHTML?.slice(0, 80) ?? 'a part of a control', JSON.stringify(c.currentRect)])]),
          ]);
      });
      list.push(seen[0]);
      if (path !== page) { await context.close(); continue; }
      for (const shift of seen[1]) console.error('  shifted:', ...shift);
      shifts.push(seen[1].reduce((sum, [value]) => sum + value, 0));
      await context.close();
    }
  }
  await chrome.close();
  lines.push(line('layout shift', Math.max(...shifts), 0));
  // A busy machine only ever adds time, so the faster runs are the ones to compare.
  const [a, b] = [quarter(ours), quarter(plain)];
  return [...lines, line(`largest paint (${a.toFixed(0)} ms) against the HTML alone (${b.toFixed(0)} ms)`, a / b, 1.05, '×')];
}
