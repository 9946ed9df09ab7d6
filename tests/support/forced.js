focusing => {
  // What a reader who has chosen the colours of the system would miss on a page: text or shapes that vanish, a state or
  // a change that looks like any other, a focus that cannot be seen.
  const wrong = [];
  const numbers = text => (text.match(/[\d.]+/g) ?? []).map(Number);
  const channel = c => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m); return (x + 0.05) / (y + 0.05); };
  const opaque = colour => (numbers(colour)[3] ?? 1) > 0.5;
  const shown = e => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest('.visually-hidden, [opacity="0"]');
  const name = e => `<${e.localName} class="${e.getAttribute('class') ?? ''}"> "${e.textContent.trim().slice(0, 40)}"`;
  const style = getComputedStyle;

  // The colour that text of an element stands on: the browser puts a plate of the canvas's colour beneath it, unless
  // the element says that it minds its colours itself.
  const canvas = numbers(style(document.body).backgroundColor);
  const minds = (e, part) => style(e, part).forcedColorAdjust === 'none';
  const ground = e => {
    for (let p = e; p && minds(e); p = p.parentElement) if (opaque(style(p).backgroundColor)) return numbers(style(p).backgroundColor);
    return canvas;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const owners = new Set();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) if (node.data.trim()) owners.add(node.parentElement);
  for (const e of owners) {
    if (!shown(e) || e.closest('svg') || e.matches('option, script, style')) continue;
    const ratio = contrast(numbers(style(e).color), ground(e));
    if (ratio < 4.5) wrong.push(`${name(e)} has a contrast of ${ratio.toFixed(2)}`);
  }

  for (const e of document.querySelectorAll('.steps > li')) {
    const s = style(e, '::before'), below = minds(e, '::before') ? numbers(s.backgroundColor) : canvas;
    if (shown(e) && contrast(numbers(s.color), below) < 4.5) wrong.push(`the number of ${name(e)} cannot be read`);
  }

  // Pictures: what a text lies on is the last filled shape before it that holds its middle.
  for (const svg of document.querySelectorAll('svg.stage')) {
    if (!shown(svg)) continue;
    const shapes = [...svg.querySelectorAll('rect, circle, path')].filter(shown);
    const boxes = new Map(shapes.map(s => [s, s.getBoundingClientRect()]));
    const under = (e, x, y) => {
      const below = shapes.filter(s => s.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING).filter(s => {
        const b = boxes.get(s), fill = style(s).fill;
        return fill !== 'none' && opaque(fill) && b.left <= x && x <= b.right && b.top <= y && y <= b.bottom;
      });
      return below.length ? numbers(style(below.at(-1)).fill) : ground(svg);
    };
    for (const text of [...svg.querySelectorAll('text')].filter(shown)) {
      const b = text.getBoundingClientRect();
      const ratio = contrast(numbers(style(text).fill), under(text, (b.left + b.right) / 2, (b.top + b.bottom) / 2));
      if (ratio < 4.5) wrong.push(`${name(text)} in the picture has a contrast of ${ratio.toFixed(2)}`);
    }
    // What only is the ground of something else need not be seen itself.
    for (const shape of shapes.filter(s => !s.matches('.plate, .pipe-bore, .strike, .glyph'))) {
      const seen = [style(shape).fill, style(shape).stroke].filter(c => c !== 'none' && opaque(c));
      if (!seen.some(c => contrast(numbers(c), canvas) >= 3)) wrong.push(`${name(shape)} of ${shape.parentElement.dataset.key} cannot be seen`);
    }
  }

  // A state or a change against the same thing without it. Weight alone is no mark.
  const look = (e, part) => {
    const s = style(e, part);
    const all = ['backgroundColor', 'color', 'borderTopColor', 'borderLeftWidth', 'borderBottomWidth', 'outlineStyle', 'outlineColor', 'fill', 'stroke', 'strokeWidth', 'strokeDasharray'];
    return all.map(p => s[p]).join(' ');
  };
  const pairs = [
    ['.views [aria-pressed=true]', '.views [aria-pressed=false]'], ['.steps > li[aria-current]', '.steps > li:not([aria-current])', '::before'],
    ['.cast [aria-pressed=true]', '.cast [aria-pressed=false]'], ['.cast [data-lifted]', '.cast button:not([data-lifted])'],
    ['.steps > li[data-lifted]', '.steps > li:not([data-lifted])', '::after'], ['.switch a[aria-current]', '.switch a:not([aria-current])'],
    ['.prose [data-step-link][aria-current]', '.prose [data-step-link]:not([aria-current])'], ['ins', '.values li'],
    ['.yaml mark', '.yaml .l:not(mark, del)'], ['.stage .mark', '.stage .outline'], ['.stage .acting .pill', '.stage .actor:not(.acting) .pill'],
    ['.stage .acted .head', '.stage .object:not(.acted) .head'], ['.stage .thing.changed .body', '.stage .thing:not(.changed) .body'],
    ['.stage .pipe.changed .pipe-wall', '.stage .pipe:not(.changed) .pipe-wall'], ['.stage .past .life', '.stage .acting .life'],
    ['.stage [data-lifted] .pill', '.stage .actor:not([data-lifted], .acting) .pill'],
  ];
  const met = [];
  for (const [marked, plain, part] of pairs) {
    const [one, other] = [marked, plain].map(css => [...document.querySelectorAll(css)].find(shown));
    if (!one || !other) continue;
    met.push(marked);
    if (look(one, part) === look(other, part)) wrong.push(`${marked} looks like ${plain}`);
  }

  if (focusing) {
    for (const e of document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]')) {
      if (!shown(e)) continue;
      e.focus({ focusVisible: true, preventScroll: true });
      const s = style(e), ratio = contrast(numbers(s.outlineColor), ground(e.parentElement));
      if (document.activeElement !== e) continue;
      if (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2 || ratio < 3) wrong.push(`the focus on ${name(e)} cannot be seen (${s.outlineStyle} ${s.outlineWidth}, ${ratio.toFixed(2)})`);
    }
  }
  return { wrong: [...new Set(wrong)], met };
}
