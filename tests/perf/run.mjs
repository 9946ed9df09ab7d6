// Measures the built site and says whether it keeps its limits:
//   cargo run -- build && npm --prefix tests/perf ci && node tests/perf/run.mjs
// Names of groups (weight, motion, keys, audits, axe) measure only those; DIST=folder measures another build.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { audits } from './audits.mjs';
import { axe } from './axe.mjs';
import { keys } from './keys.mjs';
import { motion } from './motion.mjs';
import { serve } from './server.mjs';
import { fail, here, page } from './setup.mjs';
import { weight } from './weight.mjs';

const GROUPS = { weight, motion, keys, audits, axe };

const wanted = process.argv.slice(2);
const unknown = wanted.find(name => !(name in GROUPS));
if (unknown) fail(`there is no group ${unknown}: choose of ${Object.keys(GROUPS).join(', ')}`);
const dist = resolve(process.env.DIST ?? join(here, '../../dist'));
if (!existsSync(join(dist, page, 'index.html'))) fail(`no built site in ${dist}: run \`cargo run -- build\` first`);

const server = await serve(dist);
const lines = [];
for (const [name, measure] of Object.entries(GROUPS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  console.error(`measuring: ${name}`);
  lines.push(...await measure({ home: server.home, dist }));
}
server.close();

const text = number => Number.isInteger(number) ? `${number}` : number.toFixed(number < 0.01 ? 5 : 2);
const rows = lines.map(l => [
  l.ok ? 'ok' : 'FAIL', `${text(l.value)} ${l.unit}`.trim(), `${l.at === 'most' ? '≤' : '≥'} ${text(l.limit)} ${l.unit}`.trim(), l.what,
]);
const widths = [0, 1, 2].map(i => Math.max(...rows.map(row => row[i].length)));
for (const row of rows) console.log(row.map((cell, i) => i < 3 ? cell.padEnd(widths[i]) : cell).join('  '));
process.exit(lines.every(l => l.ok) ? 0 : 1);
