// Serves the built site as a static host would: compressed, on a port of its own. Beside it, for comparison,
// the same page as HTML alone, and a slide deck of the same pictures and captions.
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { busiest } from './scenes.mjs';
import { here, page } from './setup.mjs';

const TYPES = {
  html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8',
  wasm: 'application/wasm', svg: 'image/svg+xml', png: 'image/png', json: 'application/json',
};
const type = name => TYPES[name.split('.').pop()] ?? 'application/octet-stream';

// A page that is nothing but its own HTML, with the style that stands in it.
export const bare = html => html
  .replace(/<script[^>]*>[^]*?<\/script>/g, '')
  .replace(/<meta http-equiv[^>]*>/, '')
  .replace(/<link [^>]*>/g, '<link rel="icon" href="data:,">');

// What a teacher would otherwise show: a reveal.js slide with the same pictures, inline as on the page, and the same
// captions, one after the other as fragments; stacked as reveal.js's own documentation does it (`r-stack`).
function deck(dist, page) {
  const html = readFileSync(join(dist, page, 'index.html'), 'utf8');
  const style = html.match(/<style>([^]*?)<\/style>/)?.[1] ?? '';
  const texts = [...html.matchAll(/<p[^>]*data-text[^>]*>([^]*?)<\/p>/g)].map(m => m[1]);
  const pictures = texts.map((_, i) => readFileSync(join(dist, page, `step-${i + 1}.svg`), 'utf8').replace(/<style>[^]*?<\/style>/, ''));
  const part = i => i === 0 ? 'class="fragment fade-out" data-fragment-index="0"'
    : `class="fragment${i + 1 < texts.length ? ' current-visible' : ''}" data-fragment-index="${i - 1}"`;
  const steps = texts.map((text, i) => `<div ${part(i)}>${pictures[i]}<p>${text}</p></div>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Deck</title>
<link rel="icon" href="data:,"><style>${style}</style>
<link rel="stylesheet" href="/reveal/reveal.css"><link rel="stylesheet" href="/reveal/theme/white.css">
<style>html { overflow: hidden } .reveal p { font-size: 17px } .reveal .stage { width: 700px; margin: 0 auto } .reveal .stage text { text-align: start }</style>
<div class="reveal"><div class="slides"><section><div class="r-stack">${steps.join('')}</div></section></div></div>
<script src="/reveal/reveal.js"></script><script src="/deck.js"></script></html>`;
}

export async function serve(dist) {
  const html = readFileSync(join(dist, page, 'index.html'), 'utf8');
  const made = new Map([
    ['/bare/', ['x.html', bare(html)]],
    ...[page, busiest(dist).page].map(path => [`/deck/${path}`, ['x.html', deck(dist, path)]]),
    ['/deck.js', ['x.js', 'Reveal.initialize({ hash: false }).then(() => { document.documentElement.dataset.ready = "" })']],
  ].map(([path, [name, text]]) => [path, [name, brotliCompressSync(text)]]));

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const send = (status, name, body, coded) => response.writeHead(status, {
      'content-type': type(name), 'content-length': body.length, 'cache-control': 'max-age=600',
      ...(coded ? { 'content-encoding': 'br' } : {}),
    }).end(body);
    if (made.has(path)) return send(200, ...made.get(path), true);
    const folder = path.startsWith('/reveal/') ? join(here, 'node_modules/reveal.js/dist') : dist;
    let file = join(folder, normalize(path.replace(/^\/reveal\//, '/')));
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    const found = existsSync(file);
    if (!found) file = join(dist, '404.html');
    const twin = existsSync(`${file}.br`);
    send(found ? 200 : 404, file, readFileSync(twin ? `${file}.br` : file), twin);
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return { home: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
