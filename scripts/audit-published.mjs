// Says of a published set of perturbations (EvoSchema, Dr.Spider) how many gold queries bind to their schema, run, and give the
// rows of the original, and why the others don't; --repair writes its files with gold queries derived again:
//   npm run audit:published -- --dataset evoschema|dr-spider --examples PATH [--databases DIR] [--repair DIR] [--out FILE]
// --out gets each faulty gold as JSON. Needs dist-bench (`npm run audit:published` makes it).
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';

const load = (path) => import(new URL(`../dist-bench/${path}`, import.meta.url).href);
const { auditPublished } = await load('bench/published/audit-published.js');
const { PerturbqlError } = await load('src/errors.js');

const NAMES = ['dataset', 'examples', 'databases', 'repair', 'out'];
const { values } = parseArgs({ options: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])) });
const { out, ...options } = values;
try {
  const report = await auditPublished(options);
  console.table(
    Object.fromEntries(
      report.kinds.map((one) => [
        one.kind,
        {
          examples: one.examples,
          bind: one.binds,
          run: one.runs,
          equal: `${one.equal} of ${one.compared}`,
          'need what is gone': one.gone,
          'repaired: bind': one.repairedBinds,
          'repaired: run': one.repairedRuns,
          'repaired: equal': `${one.repairedEqual} of ${one.repairedCompared}`,
        },
      ]),
    ),
  );
  if (report.repaired !== null) console.log(`${report.repaired} gold queries derived again: ${options.repair}`);
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`error: ${error.render()}\n`);
  process.exitCode = 2;
}
