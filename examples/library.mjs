// perturbql as a library: perturbs two questions about one table into a new folder, then shows what changed.
//   node examples/library.mjs
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { augment, loadCandidates, parseSettings } from 'perturbql/candidates';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'perturbql-library-'));

// Two of the example data set's questions; any file in Spider's format will do.
const questions = JSON.parse(readFileSync(join(here, 'dev.json'), 'utf8'));
const examples = join(folder, 'two-questions.json');
writeFileSync(examples, JSON.stringify([questions[20], questions[23]]));

const out = join(folder, 'RUN');
const outcome = await augment({
  dataset: 'spider',
  tables: join(here, 'tables.json'),
  examples,
  databases: join(here, 'database'),
  columns: 'mentioned',
  recipe: 'cta',
  settings: parseSettings({ nli: { rplMin: 0.65 } }),
  candidates: null, // or a run folder, a candidates.jsonl, "adveta:DIR"
  linkedKeys: 'same',
  seed: 0,
  out,
});
console.log(`${outcome.written.original} original, ${outcome.written.rpl} RPL, ${outcome.written.add} ADD in ${out}\n`);

const accepted = loadCandidates(join(out, 'candidates.jsonl')).filter(({ bucket }) => bucket !== 'rejected');
for (const column of new Set(accepted.map((decision) => decision.column))) {
  const names = (bucket) =>
    accepted.filter((decision) => decision.column === column && decision.bucket === bucket).map((d) => d.candidate);
  console.log(`${column}\n  RPL: ${names('RPL').join(', ')}\n  ADD: ${names('ADD').join(', ')}`);
}

console.log();
for (const { db_id, query } of JSON.parse(readFileSync(join(out, 'examples.json'), 'utf8'))) {
  console.log(`${db_id}: ${query}`);
}
