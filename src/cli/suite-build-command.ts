import { join } from 'node:path';
import { z } from 'zod';
import { buildSuite, foreseeSuite } from '../testsuite/suite/build-suite.js';
import { ConsoleHost } from './console-host.js';
import { datasetPathsShape } from './dataset-options.js';
import { positiveOption, seedOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';
import { renderSuiteSummary } from './suite-lines.js';

const schema = z.object({
  ...datasetPathsShape,
  out: z.string(),
  randomDatabases: positiveOption,
  seed: seedOption.default(0),
  jobs: positiveOption.optional(),
  dryRun: z.boolean().default(false),
});

const PRODUCTS = ['schemas', 'database', 'report.json', 'report.html'];

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** `perturbql suite build`. */
export async function run(raw: RawOptions): Promise<void> {
  const { randomDatabases, jobs, dryRun, ...given } = parseOptions(schema, raw);
  const options = { ...given, jobs, budget: { randomDatabases } };
  await withInterrupt(async (signal) => {
    if (dryRun) {
      for (const line of await foreseeSuite(options)) console.log(line);
      return;
    }
    const host = new ConsoleHost(signal);
    try {
      const { report, fresh } = await buildSuite(options, host);
      host.stop();
      const [first = '', ...rest] = renderSuiteSummary(report);
      console.log(`${fresh ? '' : 'already complete: '}${first}`);
      for (const line of rest) console.log(line);
      if (fresh) console.log(`  took ${cpuSeconds().toFixed(0)} s of CPU time`);
      for (const name of PRODUCTS) console.log(`  ${join(options.out, name)}`);
    } finally {
      host.stop();
    }
  });
}
