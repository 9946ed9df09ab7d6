// From a key press to the step, beside a fragment step of reveal.js in the same run: the same browser, the same slower
// processor, the same pictures and captions, and both in sight as a whole. Two times are taken of each press. The one
// that the reader waits for is the second, to the frame on screen; it holds what the main thread does, and the work of
// the compositor, which draws in software where there is no graphics card. The first is the main thread's part alone.
// On our page that frame has the step's sentence, and the picture begins to move in the next; on the slide, the
// fragment begins to fade in.
import { busiest } from './scenes.mjs';
import { browser, inSight, line, median, page, ready, slow } from './setup.mjs';

const PRESSES = 16;
const CATEGORIES = ['cc', 'benchmark', 'input', 'blink.user_timing'];

// Counts the key presses whose change is there in the first frame after them.
const watch = ([name, state]) => {
  performance.mark(name);
  globalThis.inTime = 0;
  const now = new Function(`return ${state}`);
  addEventListener('keydown', () => {
    const before = now();
    requestAnimationFrame(() => setTimeout(() => { globalThis.inTime += Number(now() !== before); }));
  }, true);
};

async function open(chrome, url, prepare) {
  const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
  const { tab } = await slow(context);
  await tab.goto(url);
  await tab.waitForFunction(ready);
  await prepare(tab);
  return tab;
}

// How long each key press took, in milliseconds, in the process that made a mark: until the main thread had handed
// over the frame that shows it (`committed`), and until Chromium says that the frame could be seen (`seen`).
function latencies(events, name) {
  const pid = events.find(e => e.cat.includes('blink.user_timing') && e.name === name)?.pid;
  const open = new Map(), committed = [], seen = [];
  for (const event of events.filter(e => e.pid === pid && 'be'.includes(e.ph)).sort((a, b) => a.ts - b.ts)) {
    const key = JSON.stringify([event.id, event.id2]);
    if (event.ph === 'b' && event.args?.event_latency?.event_type === 'KEY_PRESSED') open.set(key, event.ts);
    if (event.ph !== 'e' || !open.has(key)) continue;
    const took = (event.ts - open.get(key)) / 1000;
    if (event.name === 'Commit') committed.push(took);
    if (event.name === 'EventLatency') {
      seen.push(took);
      open.delete(key);
    }
  }
  return { committed: median(committed), seen: median(seen), presses: Math.min(committed.length, seen.length) };
}

// The same of one page and of the deck of its pictures.
async function compare(home, path) {
  const { chrome } = await browser();
  const ours = await open(chrome, `${home}/${path}`, inSight);
  const deck = await open(chrome, `${home}/deck/${path}`, async () => {});
  await chrome.startTracing(undefined, { categories: CATEGORIES });
  await ours.evaluate(watch, ['ours', 'document.querySelector("figure[data-diagram]").dataset.step']);
  await deck.evaluate(watch, ['deck', 'document.querySelectorAll(".fragment.visible").length']);
  for (let i = 0; i < PRESSES; i += 1) {
    // To and fro, since a diagram has few steps.
    const key = i % 4 < 2 ? 'ArrowRight' : 'ArrowLeft';
    for (const tab of [ours, deck]) {
      await tab.bringToFront();
      await tab.waitForTimeout(400);
      await tab.keyboard.press(key);
      await tab.waitForTimeout(1000);
    }
  }
  const { traceEvents: events } = JSON.parse((await chrome.stopTracing()).toString());
  const inTime = await Promise.all([ours, deck].map(tab => tab.evaluate(() => globalThis.inTime)));
  await chrome.close();
  const [us, them] = ['ours', 'deck'].map(name => latencies(events, name));
  const against = name => `(${us[name].toFixed(1)} ms) against reveal.js (${them[name].toFixed(1)} ms)`;
  return [
    line(`key presses of ${PRESSES} that the next frame shows, the fewer of both: ${path}`, Math.min(...inTime, us.presses, them.presses), PRESSES, '', 'least'),
    line(`key to step handed over by the main thread ${against('committed')}`, us.committed / them.committed, 0.5, '×'),
    line(`key to step on screen ${against('seen')}`, us.seen / them.seen, 0.5, '×'),
  ];
}

export const keys = async ({ home, dist }) => [...await compare(home, page), ...await compare(home, busiest(dist).page)];
