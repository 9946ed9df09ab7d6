import { readFileSync } from 'node:fs';
import { browser, page, ready, slow } from './setup.mjs';
import { serve } from './server.mjs';
const server = await serve('dist');
const { chrome } = await browser();
const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
const { tab } = await slow(context);
await tab.goto(`${server.home}/${page}`); await tab.waitForFunction(ready); await tab.waitForTimeout(2000);
await tab.evaluate(readFileSync('/tmp/mp/instr.js', 'utf8'));
await tab.locator('[data-stage]').focus();
for (const k of ['ArrowRight','ArrowRight','ArrowLeft','ArrowRight']) { await tab.keyboard.press(k); await tab.waitForTimeout(900); console.log(k, await tab.evaluate(() => [globalThis.t1.toFixed(1), JSON.stringify(Object.fromEntries(Object.entries(T).map(([k, [n, t]]) => [k, n + ' ' + t.toFixed(1)])))])); }
await chrome.close(); server.close();
