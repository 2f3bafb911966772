// Mutants of the examples by two relations that need no model.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutate } from 'perturbql/mutate';

const inExamples = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const out = join(mkdtempSync(join(tmpdir(), 'perturbql-mutate-')), 'MUTANTS');
const paths = {
  tables: inExamples('tables.json'),
  examples: inExamples('dev.json'),
  databases: inExamples('database'),
};
const { report } = await mutate({ ...paths, relations: ['PR', 'CS'], limit: 1, guard: false, out });
for (const [id, { written }] of Object.entries(report.relations)) console.log(id, written);
