// Lighthouse on the diagram page, as on a telephone.
import lighthouse from 'lighthouse';
import { browser, line, median, page } from './setup.mjs';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
// A score moves from run to run with what else the machine does: the median of several is what Lighthouse advises.
const RUNS = 7;

export async function audits({ home }) {
  const { chrome, port } = await browser();
  const seen = new Map(CATEGORIES.map(name => [name, []]));
  const complaints = new Set();
  for (let run = 0; run < RUNS; run += 1) {
    const { lhr } = await lighthouse(`${home}/${page}`, { port, onlyCategories: CATEGORIES, logLevel: 'silent' });
    for (const name of CATEGORIES) {
      seen.get(name).push(lhr.categories[name].score * 100);
      const weighty = lhr.categories[name].auditRefs.filter(ref => ref.weight > 0).map(ref => lhr.audits[ref.id]);
      for (const audit of weighty) if (audit.score !== null && audit.score < 0.9) complaints.add(`${audit.id}: ${audit.title} ${audit.displayValue ?? ''}`);
    }
  }
  await chrome.close();
  for (const complaint of complaints) console.error(`  Lighthouse: ${complaint}`);
  return CATEGORIES.map(name => line(`Lighthouse, mobile: ${name}`, median(seen.get(name)), 100, '', 'least'));
}
