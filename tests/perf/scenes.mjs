// Which diagram has the most to move, read off the packed scenes of the built site (see src/scene/pack.rs).
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { page } from './setup.mjs';

// How many groups each step of a diagram moves.
const moving = ({ steps }) => steps.map(({ groups }) => groups.filter(([,,,, motions]) => motions.length).length);

// The page of the diagram with the step that moves the most groups, other than the page that is always measured:
// its address, that step (from 1), and the number of groups.
export function busiest(dist) {
  const files = readdirSync(dist, { recursive: true }).map(file => file.split(sep).join('/'))
    .filter(file => /^diagrams\/.+\/wide-[0-9a-f]+\.json$/.test(file) && !file.startsWith(page));
  const all = files.map(file => {
    const counts = moving(JSON.parse(readFileSync(join(dist, file), 'utf8')));
    const groups = Math.max(...counts);
    return { page: file.replace(/[^/]+$/, ''), step: counts.indexOf(groups) + 1, groups };
  });
  return all.sort((a, b) => b.groups - a.groups || (a.page < b.page ? -1 : 1))[0];
}
