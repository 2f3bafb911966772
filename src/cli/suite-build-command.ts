import { join } from 'node:path';
import { z } from 'zod';
import { DATA_LEVELS } from '../rows/constraints/row-constraint.js';
import { SUITE_BUDGET } from '../testsuite/suite/suite-options.js';
import { defineCommand } from './command.js';
import { checkIdle } from '../options/given-options.js';
import { idleInSuite } from './idle-options.js';
import { choice, optionalText, pick, positive, text } from '../options/option-field.js';
import { DATASET_OPTIONS, DRY_RUN_OPTION, SEED_OPTION, SHARD_OPTION } from './shared-options.js';
import { SUITE_JOBS_OPTION } from './suite-shared.js';

const PRODUCTS = ['schemas', 'database', 'report.json', 'report.html'];

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** `perturbql suite build`. */
export const command = defineCommand({
  options: z.object({
    ...DATASET_OPTIONS,
    databases: optionalText(
      'path',
      'original databases, <db_id>/<db_id>.sqlite: first in their suites, and the model of all others',
    ),
    out: text('dir', 'folder of the suite; the same command again resumes it and repairs damaged files'),
    randomDatabases: positive('n', 'random databases tried for each schema; fewer if no neighbor is left').default(
      SUITE_BUDGET.randomDatabases,
    ),
    data: choice(
      DATA_LEVELS,
      'level',
      'what made databases conform to: what all rows of the original show (no NULL, foreign keys that hold, ranges …), what its schema declares, or its keys alone',
    ).default('observed'),
    ...SEED_OPTION,
    ...SUITE_JOBS_OPTION,
    ...DRY_RUN_OPTION,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql suite build --tables examples/tables.json --examples examples/dev.json --databases examples/database --out SUITE',
  onInterrupt: 'pauses',
  async run(given, { host, shard, flags }) {
    checkIdle(idleInSuite(given), flags, host);
    const { out, seed, data, randomDatabases, dryRun } = given;
    const paths = pick(given, DATASET_OPTIONS);
    const options = { ...paths, out, seed, data, jobs: given.jobs, shard, budget: { randomDatabases } };
    const { buildSuite, previewSuite } = await import('../testsuite/suite/build-suite.js');
    if (dryRun) return { lines: await previewSuite(options, host) };
    const { report, fresh } = await buildSuite(options, host);
    const { renderSuiteSummary } = await import('./suite-lines.js');
    const [first = '', ...rest] = renderSuiteSummary(report);
    const took = fresh ? [`  took ${cpuSeconds().toFixed(0)} s of CPU time`] : [];
    const products = PRODUCTS.map((name) => `  ${join(out, name)}`);
    return { lines: [`${fresh ? '' : 'already complete: '}${first}`, ...rest, ...took, ...products] };
  },
});
