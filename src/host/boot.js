// What a page does before its program runs: the reader's theme, the start of the program, a click that came
// before it was ready, and one sentence when it cannot start. A classic script, deferred so that it keeps no paint waiting.
(() => {
  const root = document.documentElement, { js, wasm } = document.currentScript.dataset;
  const url = name => new URL(name, document.baseURI).href;

  // The address outranks what was stored; anything but a theme's name leaves the choice to the browser.
  const known = theme => theme === 'light' || theme === 'dark';
  let theme = new URLSearchParams(location.search).get('theme');
  if (!known(theme) && theme !== 'auto') {
    try { theme = localStorage.getItem('mountpath.theme'); } catch { /* storage may be forbidden */ }
  }
  if (known(theme)) root.dataset.theme = theme;
  root.dataset.boot = '';

  const parsed = new Promise(done => document.readyState === 'loading'
    ? document.addEventListener('DOMContentLoaded', done, { once: true }) : done());

  const fail = why => parsed.then(() => {
    root.dataset.failed = '';
    delete root.dataset.pending;
    for (const status of document.querySelectorAll('[data-live-status]')) {
      status.textContent = `The animation could not start: ${why}; every step is below as text and picture.`;
    }
  });

  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    if (typeof WebAssembly !== 'object') return fail('this browser has WebAssembly switched off');
    const bytes = fetch(url(wasm)).then(got => got.ok ? got : Promise.reject(got.status));
    Promise.all([import(url(js)), bytes, parsed])
      .then(([program, got]) => program.default({ module_or_path: got }))
      .catch(() => { stop(); return fail('a part of its program did not load'); });
  };

  // Whoever only reads needs no program. It starts at the first sign of a reader who may want more than text: a pointer
  // or a finger, a key, scrolling; it performs a click that came before it was there.
  const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin', 'click'];
  const how = { capture: true, passive: true };
  const stop = () => { for (const type of signs) removeEventListener(type, sign, how); };
  const sign = event => {
    if ('awake' in root.dataset) return stop();
    const control = event.type === 'click' && event.target instanceof Element && event.target.closest('[data-control]');
    if (control && !('failed' in root.dataset)) root.dataset.pending = [control.dataset.control, control.dataset.step].filter(Boolean).join('=');
    start();
  };
  for (const type of signs) addEventListener(type, sign, how);

  // An address that asks for something is such a sign. Else the browser only fetches the program once the page has
  // loaded, so that it is near when it is wanted, and runs nothing.
  const near = () => { if (!started) for (const part of [wasm, js]) fetch(url(part), { priority: 'low' }).catch(() => {}); };
  const loaded = location.search ? start : near;
  const idle = () => self.requestIdleCallback ? requestIdleCallback(loaded, { timeout: 2000 }) : setTimeout(loaded, 200);
  document.readyState === 'complete' ? idle() : addEventListener('load', idle, { once: true });
})();
