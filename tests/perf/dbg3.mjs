import { browser, page, ready, slow } from './setup.mjs';
import { serve } from './server.mjs';
const server = await serve('dist');
const { chrome } = await browser();
const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
const { tab } = await slow(context);
await tab.goto(`${server.home}/${page}`); await tab.waitForFunction(ready); await tab.waitForTimeout(2000);
if (process.argv[2]) await tab.evaluate(process.argv[2]);
await tab.locator('[data-stage]').focus();
for (const k of ['ArrowRight','ArrowRight','ArrowLeft','ArrowLeft']) { await tab.keyboard.press(k); await tab.waitForTimeout(800); }
await chrome.startTracing(tab, { categories: ['devtools.timeline','disabled-by-default-devtools.timeline','blink','blink.user_timing','disabled-by-default-v8.cpu_profiler'] });
await tab.evaluate(() => performance.mark('press'));
await tab.keyboard.press('ArrowRight'); await tab.waitForTimeout(700);
const evs = JSON.parse((await chrome.stopTracing()).toString()).traceEvents;
const m = evs.find(e => e.name === 'press'); const pid = m.pid, tid = m.tid;
const w = evs.filter(e => e.pid === pid && e.tid === tid && e.ts > m.ts && e.ts < m.ts + 500e3 && e.ph === 'X');
const c = {}; for (const e of w) { c[e.name] ??= [0, 0]; c[e.name][0]++; c[e.name][1] += (e.dur ?? 0) / 1000; }
console.log(Object.entries(c).sort((a, b) => b[1][1] - a[1][1]).slice(0, 40).map(([k, v]) => `${k} ${v[0]} ${v[1].toFixed(1)}`).join('\n'));
for (const e of w.filter(e => e.name === 'RunTask' && e.dur > 3000)) console.log('task at', ((e.ts - m.ts) / 1000).toFixed(0), 'ms', (e.dur / 1000).toFixed(1));
const net = evs.filter(e => e.name === 'ResourceSendRequest').map(e => e.args.data.url); console.log(net); console.log('begin frames', evs.filter(e => e.pid === pid && e.name === 'BeginMainThreadFrame').map(e => ((e.ts - m.ts)/1000).toFixed(0)).join(' '));
await chrome.close(); server.close();
