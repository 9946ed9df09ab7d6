geometry => {
  // What a reader would stumble over in a frame: text that leaves its shape, lies on other text or is too small or too
  // faint; a wire that crosses a word; shapes that overlap.
  const wrong = [];
  const seen = e => { for (let p = e; p && p.tagName !== 'FIGURE'; p = p.parentElement) if (p.getAttribute('opacity') === '0') return false; return true; };
  const box = e => e.getBoundingClientRect();
  const inside = (a, b, slack) => a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack;
  const meets = (a, b, slack) => a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack;
  const channel = c => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const numbers = text => (text.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m); return (x + 0.05) / (y + 0.05); };
  const over = (top, alpha, below) => top.slice(0, 3).map((c, i) => c * alpha + below[i] * (1 - alpha));
  for (const [i, figure] of [...document.querySelectorAll('figure')].entries()) {
    const say = text => wrong.push(`step ${i + 1}: ${text}`);
    const svg = figure.querySelector('svg'), canvas = box(svg), groups = [...svg.querySelectorAll('g')].filter(seen);
    const keys = [...svg.querySelectorAll('g[data-key]')].map(g => g.dataset.key);
    for (const key of keys) if (keys.indexOf(key) !== keys.lastIndexOf(key)) say(`two groups have the key ${key}`);
    const texts = groups.flatMap(g => [...g.querySelectorAll(':scope > text')]).filter(t => t.textContent.trim());
    const boxes = new Map(texts.map(t => [t, box(t)]));
    const name = t => `"${t.textContent}" (${t.parentElement.dataset.key})`;
    const page = numbers(getComputedStyle(document.body).backgroundColor);
    const shapes = groups.flatMap(g => [...g.querySelectorAll(':scope > :is(rect, circle, path)')]);
    for (const text of texts) {
      const at = boxes.get(text), style = getComputedStyle(text), size = parseFloat(style.fontSize);
      if (!inside(at, canvas, 0.5)) say(`${name(text)} leaves the canvas`);
      if (size < (text.classList.contains('letters') ? 12 : 14)) say(`${name(text)} is ${size} units`);
      // The shape that the text belongs to: the smallest one before it that holds its middle.
      const x = (at.left + at.right) / 2, y = (at.top + at.bottom) / 2;
      const below = shapes.filter(s => s.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)
        .filter(s => { const b = box(s), fill = getComputedStyle(s).fill; return fill !== 'none' && b.left <= x && x <= b.right && b.top <= y && y <= b.bottom; });
      const own = below.filter(s => s.parentElement === text.parentElement && s.tagName === 'rect' && !s.classList.contains('mark') && !s.classList.contains('bar')).at(-1);
      if (own && !inside(at, box(own), 1)) say(`${name(text)} is wider than its shape`);
      const ground = below.reduce((colour, s) => {
        const style = getComputedStyle(s), fill = numbers(style.fill);
        return over(fill, (fill[3] ?? 1) * Number(style.fillOpacity), colour);
      }, page);
      const ratio = contrast(numbers(style.fill), ground);
      if (ratio < 4.5) say(`${name(text)} has a contrast of ${ratio.toFixed(2)}`);
    }
    // The colours differ between the themes, places do not.
    if (!geometry) continue;
    for (const [a, one] of texts.entries()) for (const other of texts.slice(a + 1)) {
      if (meets(boxes.get(one), boxes.get(other), 2.5)) say(`${name(one)} lies on ${name(other)}`);
    }
    const wires = shapes.filter(s => s.matches('.call, .write, .syscall, .reply, .refusal, .read'));
    for (const wire of wires) {
      const length = wire.getTotalLength?.() ?? 0, matrix = wire.getScreenCTM(), own = wire.parentElement.dataset.key?.split('/')[1];
      const crossed = new Set();
      for (let at = 0; at <= length; at += 3) {
        const p = wire.getPointAtLength(at).matrixTransform(matrix);
        for (const text of texts) {
          const b = boxes.get(text);
          // A capsule and a note lie on their own wire, and in the sequence text has a ground of its own.
          if (text.compareDocumentPosition(wire) & Node.DOCUMENT_POSITION_PRECEDING && text.parentElement.dataset.key?.split('/').includes(own)) continue;
          if (p.x > b.left + 1 && p.x < b.right - 1 && p.y > b.top + 2.5 && p.y < b.bottom - 2.5) crossed.add(text);
        }
      }
      for (const text of crossed) say(`the wire ${wire.parentElement.dataset.key} crosses ${name(text)}`);
    }
    const solids = shapes.filter(s => s.matches('.pill, .outline, .body'));
    for (const [a, one] of solids.entries()) for (const other of solids.slice(a + 1)) {
      if (one.parentElement.dataset.key?.split('/').slice(-1)[0] !== other.parentElement.dataset.key?.split('/').slice(-1)[0] && meets(box(one), box(other), 1)) say(`${one.parentElement.dataset.key} overlaps ${other.parentElement.dataset.key}`);
    }
    const halo = svg.scrollWidth;
    if (halo > canvas.width + 1) say('the picture is wider than its canvas');
  }
  return wrong;
}
