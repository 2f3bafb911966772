// A victim of one's own, which always answers the same, under attack. RUN is a run of `perturbql augment` on the examples.
import { fileURLToPath } from 'node:url';
import { attack, readAnswer } from 'perturbql/attack';

const [run, out] = process.argv.slice(2);
const inExamples = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const victim = {
  id: 'always-the-same',
  fingerprint: '1',
  concurrency: 1,
  answer: async ({ id, schema }) => readAnswer(id, `SELECT count(*) FROM "${schema.tables[0].originalName}"`),
};
const paths = {
  tables: inExamples('tables.json'),
  examples: inExamples('dev.json'),
  databases: inExamples('database'),
};
const { report } = await attack({ ...paths, candidates: run, victim: { kind: 'own', victim }, seeds: [0], out });
for (const { metric, condition, accuracy } of report.scores) console.log(metric, condition, accuracy.toFixed(3));
