// From a key press to the frame on screen that shows its step, beside a fragment step of reveal.js in the same run.
import { browser, line, median, page, ready, slow } from './setup.mjs';

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

// How long Chromium says each key press took to be seen, in milliseconds, in the process that made a mark.
function latencies(events, name) {
  const pid = events.find(e => e.cat.includes('blink.user_timing') && e.name === name)?.pid;
  const begun = new Map(), took = [];
  for (const event of events.filter(e => e.pid === pid && e.name === 'EventLatency')) {
    const key = JSON.stringify([event.id, event.id2]);
    if (event.ph === 'b') begun.set(key, event);
    const start = event.ph === 'e' ? begun.get(key) : undefined;
    if (start?.args?.event_latency?.event_type === 'KEY_PRESSED') took.push((event.ts - start.ts) / 1000);
  }
  return took;
}

export async function keys({ home }) {
  const { chrome } = await browser();
  const stage = tab => tab.locator('figure[data-diagram] [tabindex="0"]').first().focus({ timeout: 5000 });
  const ours = await open(chrome, `${home}/${page}`, stage);
  const deck = await open(chrome, `${home}/deck/`, async () => {});
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
  const [us, them] = ['ours', 'deck'].map(name => median(latencies(events, name)));
  return [
    line(`key presses of ${PRESSES} that the next frame shows, the fewer of both`, Math.min(...inTime), PRESSES, '', 'least'),
    line(`key to step on screen (${us.toFixed(1)} ms) against reveal.js (${them.toFixed(1)} ms)`, us / them, 0.5, '×'),
  ];
}
