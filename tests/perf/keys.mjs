// From a key press to the painted step, beside a fragment step of reveal.js in the same run.
import { browser, line, median, page, ready, slow } from './setup.mjs';

const PRESSES = 12;

// Notes for each key press when the frame after the change that it makes has been handed to the compositor.
const watch = ([selector, attribute]) => {
  globalThis.painted = [];
  let pressed = null;
  addEventListener('keydown', event => { pressed = event.timeStamp; }, true);
  const channel = new MessageChannel();
  channel.port1.onmessage = ({ data }) => globalThis.painted.push(performance.now() - data);
  new MutationObserver(changes => {
    if (pressed === null || !changes.some(c => c.target.matches(selector))) return;
    const from = pressed;
    pressed = null;
    requestAnimationFrame(() => channel.port2.postMessage(from));
  }).observe(document, { subtree: true, attributes: true, attributeFilter: [attribute] });
};

async function open(chrome, url, what, prepare) {
  const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
  const { tab } = await slow(context);
  await tab.goto(url);
  await tab.waitForFunction(ready);
  await prepare(tab);
  await tab.evaluate(watch, what);
  await tab.waitForTimeout(1000);
  return tab;
}

export async function keys({ home }) {
  const { chrome } = await browser();
  const ours = await open(chrome, `${home}/${page}`, ['figure[data-diagram]', 'data-step'], async tab => {
    await tab.locator('figure[data-diagram] [tabindex="0"]').first().focus();
  });
  const deck = await open(chrome, `${home}/deck/`, ['.fragment', 'class'], async () => {});
  for (let i = 0; i < PRESSES; i += 1) {
    // To and fro, since a diagram has few steps.
    const key = i % 4 < 2 ? 'ArrowRight' : 'ArrowLeft';
    for (const tab of [ours, deck]) {
      await tab.bringToFront();
      await tab.waitForTimeout(400);
      await tab.keyboard.press(key);
      await tab.waitForTimeout(1200);
    }
  }
  const [a, b] = await Promise.all([ours, deck].map(tab => tab.evaluate(() => globalThis.painted)));
  await chrome.close();
  const [us, them] = [median(a), median(b)];
  return [
    line('key presses measured, ours and theirs', Math.min(a.length, b.length), PRESSES, '', 'least'),
    line(`key to painted step (${us.toFixed(1)} ms) against reveal.js (${them.toFixed(1)} ms)`, us / them, 0.5, '×'),
  ];
}
