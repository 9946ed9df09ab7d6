// What a first visit of each page transfers, and when the page is there: sizes, other hosts, layout shift, largest paint.
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { browser, line, page, quarter, ready, slow } from './setup.mjs';

const RUNS = 9;

// The first visit of every diagram's page: its HTML, all that is transferred until it is alive, requests elsewhere.
async function visits(chrome, home, dist) {
  const paths = readdirSync(dist, { recursive: true }).map(file => file.split(sep).join('/'))
    .filter(file => /^diagrams\/.+\/index\.html$/.test(file)).map(file => file.replace(/index\.html$/, '')).sort();
  const seen = [];
  console.error('  HTML    first visit  page');
  for (const path of paths) {
    const context = await chrome.newContext();
    const tab = await context.newPage();
    const devtools = await context.newCDPSession(tab);
    await devtools.send('Network.enable');
    let bytes = 0, foreign = 0;
    devtools.on('Network.loadingFinished', done => { bytes += done.encodedDataLength; });
    devtools.on('Network.requestWillBeSent', sent => { if (!/^(data:|blob:)/.test(sent.request.url) && !sent.request.url.startsWith(home)) foreign += 1; });
    await tab.goto(`${home}/${path}`);
    await tab.waitForFunction(ready);
    await tab.waitForTimeout(500);
    await context.close();
    const html = statSync(join(dist, path, 'index.html.br')).size / 1000;
    seen.push({ path, html, first: bytes / 1000, foreign });
    console.error(`  ${html.toFixed(2).padStart(5)} KB  ${(bytes / 1000).toFixed(2).padStart(6)} KB  /${path}`);
  }
  return seen;
}

export async function weight({ home, dist }) {
  const { chrome } = await browser();
  const pages = await visits(chrome, home, dist);
  const [html, first, foreign] = ['html', 'first', 'foreign'].map(name => pages.reduce((a, b) => b[name] > a[name] ? b : a));
  const lines = [
    line(`HTML with its style, brotli, largest: ${html.path}`, html.html, 16, 'KB'),
    line(`first visit, all files with headers, largest: ${first.path}`, first.first, 110, 'KB'),
    line('requests to other hosts', foreign.foreign, 0),
  ];

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
