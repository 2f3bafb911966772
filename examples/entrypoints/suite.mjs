// A small suite for the examples: databases by schema.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSuite, openSuite } from 'perturbql/suite';

const inExamples = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const out = join(mkdtempSync(join(tmpdir(), 'perturbql-suite-')), 'SUITE');
const [tables, examples, databases] = ['tables.json', 'dev.json', 'database'].map(inExamples);
await buildSuite({
  tables,
  examples,
  databases,
  dataset: 'spider',
  out,
  budget: { randomDatabases: 2, targetedDatabases: 0, allRound: 1 },
});
const suite = openSuite(out);
for (const id of suite.ids) console.log(id, suite.schema(id).databases.length);
