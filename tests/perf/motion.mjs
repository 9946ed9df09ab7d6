// What the main thread does while a step plays, and what the page costs while nothing moves.
import { busiest } from './scenes.mjs';
import { browser, inSight, line, median, page, ready, slow, wait } from './setup.mjs';

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame',
  'devtools.timeline.frame', 'blink.animations', 'blink.user_timing'];

// Marks each start of a motion, with how many milliseconds it still runs. A step begins to move once its sentence
// is painted, and the page around the stage follows a little later.
const mark = () => new MutationObserver(() => setTimeout(() => {
  const left = document.getAnimations().filter(a => a.playState === 'running').map(a => {
    const end = a.effect.getComputedTiming().endTime;
    return Number.isFinite(end) ? (end - a.currentTime) / a.playbackRate : 0;
  });
  performance.mark(`motion ${Math.round(Math.max(0, ...left))}`);
}, 250)).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-step', 'data-state'] });

// Chromium's reasons to run an animation on the main thread, by the bits of its answer.
const REASONS = {
  5: 'its element has no layer of its own', 6: 'another animation moves the same property of the element',
  9: 'its element cannot be transformed there', 12: 'its property is not transform or opacity',
  16: 'it changes nothing', 17: 'its property is !important in the style sheet', 18: 'its SVG element has other transforms',
};

function explain(events) {
  const counts = new Map();
  for (const { args } of events.filter(e => e.name === 'Animation' && e.args?.data?.compositeFailed)) {
    const bits = [...Array(20).keys()].filter(bit => args.data.compositeFailed >> bit & 1);
    const why = bits.map(bit => REASONS[bit] ?? `reason ${bit}`).join('; ');
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  for (const [why, count] of counts) console.error(`  ${count} animations are not the compositor's: ${why}`);
}

// The quiet part of each motion in a trace, in its own microseconds: past the start, before the end.
function windows(events) {
  const marks = events.filter(e => e.cat.includes('blink.user_timing') && e.name.startsWith('motion ')).map(e => ({ from: e.ts, pid: e.pid, ms: Number(e.name.slice(7)) }));
  return marks.filter(m => m.ms > 400).map(m => ({ pid: m.pid, from: m.from + 150e3, to: m.from + (m.ms - 100) * 1e3 }));
}

// Plays for a while from a step on.
async function playing(home, path, step) {
  const { chrome } = await browser();
  const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
  const { tab } = await slow(context);
  await tab.addInitScript(mark);
  await tab.goto(`${home}/${path}?step=${step}`);
  await tab.waitForFunction(ready);
  await inSight(tab);
  await tab.waitForTimeout(2000);
  await chrome.startTracing(tab, { categories: CATEGORIES });
  await tab.getByRole('button', { name: 'Play the animation' }).click();
  await tab.waitForTimeout(12_000);
  const { traceEvents: events } = JSON.parse((await chrome.stopTracing()).toString());
  await chrome.close();

  explain(events);
  const quiet = windows(events);
  let mainFrames = 0;
  const busy = [];
  for (const { pid, from, to } of quiet) {
    const within = events.filter(e => e.pid === pid && e.ts >= from && e.ts < to);
    const main = events.find(e => e.pid === pid && e.name === 'thread_name' && e.args.name === 'CrRendererMain')?.tid;
    mainFrames += within.filter(e => e.name === 'BeginMainThreadFrame').length;
    const tasks = within.filter(e => e.tid === main && e.ph === 'X' && e.name === 'RunTask');
    const draws = within.filter(e => e.name === 'DrawFrame').map(e => e.ts).sort((a, b) => a - b);
    for (let i = 1; i < draws.length; i += 1) {
      const frame = tasks.filter(t => t.ts >= draws[i - 1] && t.ts < draws[i]);
      busy.push(frame.reduce((sum, t) => sum + t.dur, 0) / 1000);
    }
  }
  return [
    line(`motions seen while playing for 12 s: ${path}`, quiet.length, 1, '', 'least'),
    line('frames drawn in them', busy.length, 30, '', 'least'),
    line('main-thread frames in them', quiet.length ? mainFrames : NaN, 0),
    line('main thread a frame, median, 4× slower processor', median(busy), 0.3, 'ms'),
  ];
}

async function resting({ home }) {
  const { chrome } = await browser();
  const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
  const tab = await context.newPage();
  await tab.goto(`${home}/${page}?step=4`);
  await tab.waitForFunction(ready);
  await wait(4000);
  const devtools = await chrome.newBrowserCDPSession();
  const used = async () => {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    return processInfo.filter(p => p.type === 'renderer').reduce((sum, p) => sum + p.cpuTime, 0) * 1000;
  };
  const [seconds, before] = [6, await used()];
  await wait(seconds * 1000);
  const rest = (await used() - before) / seconds;
  await chrome.close();
  return [line('processor at rest, a second', rest, 10, 'ms')];
}

export async function motion(site) {
  const most = busiest(site.dist);
  console.error(`  the busiest diagram: /${most.page} moves ${most.groups} groups in step ${most.step}`);
  return [
    ...await playing(site.home, page, 1),
    // Play goes on to the next step, so that the one with the most comes first.
    ...await playing(site.home, most.page, Math.max(1, most.step - 1)),
    ...await resting(site),
  ];
}
