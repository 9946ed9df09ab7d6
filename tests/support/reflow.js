async () => {
  // What a reader who has enlarged a page would miss: text that leaves the window or is cut off, a control that
  // something lies on, a focus that moves beneath something.
  const wrong = [];
  const shown = e => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest('.visually-hidden, .skip');
  const name = e => `<${e.localName} class="${e.getAttribute('class') ?? ''}"> "${e.textContent.trim().slice(0, 40)}"`;
  const frame = () => new Promise(requestAnimationFrame);
  const scrolls = s => /auto|scroll/.test(s.overflowX) || /auto|scroll/.test(s.overflowY);
  const cuts = s => s.overflowX !== 'visible' || s.overflowY !== 'visible' || /paint|content|strict/.test(s.contain);

  // What is out of sight is laid out too.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  await frame();

  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || !shown(owner) || owner.matches('option, script, style') || owner.closest('svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const r of range.getClientRects()) {
      let within = false;
      for (let p = owner; p && p !== document.documentElement; p = p.parentElement) {
        const s = getComputedStyle(p), b = p.getBoundingClientRect();
        // What scrolls shows all of it in the end.
        if (scrolls(s) && p !== document.body) { within = true; break; }
        if (cuts(s) && (r.left < b.left - 1 || r.right > b.right + 1 || r.top < b.top - 1 || r.bottom > b.bottom + 1)) wrong.push(`${name(owner)} is cut off by ${name(p).slice(0, 60)}`);
      }
      if (!within && (r.left < -1 || r.right > innerWidth + 1)) wrong.push(`${name(owner)} leaves the window`);
    }
  }
  for (const svg of document.querySelectorAll('svg.stage')) {
    const b = svg.getBoundingClientRect();
    if (shown(svg) && b.right > innerWidth + 1) wrong.push('a picture leaves the window');
    // No rule for the page reaches into a picture.
    for (const rect of svg.querySelectorAll('rect')) {
      if (shown(rect) && rect.getBBox().width !== Number(rect.getAttribute('width'))) wrong.push(`${name(rect)} of ${rect.parentElement.dataset.key} has another width`);
    }
  }

  // Wherever the focus goes, it is seen, and a click there meets it.
  for (const e of document.querySelectorAll('a[href], button, select, input, summary')) {
    if (!shown(e)) continue;
    e.focus({ focusVisible: true });
    await frame();
    const r = [...e.getClientRects()].find(r => r.width > 0 && r.height > 0);
    if (!r) continue;
    // Of what is wider than the place it scrolls in, a part is seen at a time.
    const [left, right] = [Math.max(r.left, 0), Math.min(r.right, innerWidth)];
    const [top, bottom] = [Math.max(r.top, 0), Math.min(r.bottom, innerHeight)];
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    if (left >= right || top >= bottom) { wrong.push(`the focus on ${name(e)} is out of sight`); continue; }
    const there = document.elementFromPoint(x, y);
    if (!(there && (e.contains(there) || there.contains(e)))) wrong.push(`${name(e)} lies beneath ${there ? name(there) : 'nothing'}`);
  }
  return [...new Set(wrong)];
}
